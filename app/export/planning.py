"""Planning: the plan that a person's choices make in a window, and its size on the disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.export.choices import ALL, AS_VIEWS, GOES_ROUND, GOES_WITH, NOW, OWN, STANDS, Choices
from app.export.plan import KINDS, Caption, Codec, Plan, Turntable
from app.session.clock import FASTEST, SLOWEST, rate_of_text
from engine.cameras.parts import cameras_in
from engine.document.extent import play_extent, whole_extent
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.measure import Quantity, label_of
from engine.queries.trails import Wanted
from engine.runtime.errors import EngineError, InvalidArguments

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session
    from engine.document import Document

RATES_ALLOWED = f"{SLOWEST} to {FASTEST} frames a second, such as 24, 29.97 or 30000/1001"
# Of one pixel of one frame [bytes]: the mean of the examples Walk and Ball, half a second at 1280 x 720.
BYTES: dict[Codec, float] = {"png": 0.39, "h264": 0.008, "vp9": 0.008, "av1": 0.0075, "gif": 0.3}
SOUND_BYTES = 24_000  # of a second


def plan_of(choices: Choices, session: Session, viewport: Viewport, out: Path) -> Plan:
    """Make the plan of the choices for what the window shows; an `InvalidArguments` says what cannot be."""
    document = session.document
    view = viewport.active if choices.view not in range(len(viewport.cameras)) else choices.view
    start, end = span_of(choices, session)
    seen_by = camera_seen_through(choices, session, viewport, view)
    return Plan(
        document=document,
        out=out,
        camera=viewport.cameras[view],
        display=viewport.displays[view],
        look=replace(viewport.look, show_grid=choices.grid),
        start=start,
        end=end,
        rate=_rate(choices, document),
        codec=cast("Codec", choices.codec),
        size=size_of(choices, viewport),
        samples=choices.samples,
        background=choices.background if choices.background != AS_VIEWS else "",
        sound=choices.sound,
        turntable=None if seen_by else _turntable(choices, end - start),
        seen_by=seen_by,
        trails=_picture(choices, session),
        around=session.trails.choice.around,
        signs=choices.signs,
        shadows=choices.shadows,
        caption=_caption(choices, document),
    )


def picture_of(choices: Choices, session: Session, viewport: Viewport, out: Path) -> Plan:
    """Make a plan of one picture: the active view at the playhead, otherwise as the choices are."""
    one = replace(choices, codec="png", view=viewport.active, seen_by="", camera=STANDS, range=NOW, rate="")
    return plan_of(one, session, viewport, out)


def camera_seen_through(choices: Choices, session: Session, viewport: Viewport, view: int) -> str:
    """Return the camera of the scene that is chosen, else the one that the view looks through; "" where none is."""
    chosen = choices.seen_by if choices.seen_by else viewport.through.get(view, "")
    return chosen if chosen in {each.id for each in cameras_in(session.document)} else ""


def suggested(choices: Choices, session: Session) -> Path:
    """Suggest a file: in the folder of the last one, under the document's name."""
    path, suffix = session.path, KINDS[cast("Codec", choices.codec)].suffixes[0]
    folder = Path(choices.folder) if choices.folder else path.parent if path else Path()
    return folder / f"{path.stem if path else 'Untitled'}{suffix}"


def span_of(choices: Choices, session: Session) -> tuple[int, int]:
    """Return the first frame and the last [ticks]."""
    if choices.range == NOW or choices.camera == GOES_ROUND:
        return session.playhead, session.playhead
    if choices.range == OWN:
        return choices.start, choices.end
    return whole_extent(session.document) if choices.range == ALL else play_extent(session.document)


def size_of(choices: Choices, viewport: Viewport) -> tuple[int, int]:
    """Return width and height [px]."""
    if not choices.as_view:
        return choices.width, choices.height
    view = viewport.active if choices.view not in viewport.panes() else choices.view
    width, height = (max(round(side * viewport.devicePixelRatioF()), 1) for side in viewport.size_of(view))
    return width, height


def numbers_in(choices: Choices, document: Document) -> tuple[Quantity, ...]:
    """Return the chosen quantities that the document has."""
    return tuple(each for each in choices.numbers if _is_there(each, document))


def bytes_of(plan: Plan) -> float:
    """Estimate the size on the disk; what moves much takes more."""
    width, height = plan.frame_size
    sound = SOUND_BYTES * (plan.span[1] - plan.span[0]) / TICKS_PER_SECOND if plan.has_sound else 0.0
    return BYTES[plan.codec] * width * height * plan.count + sound


def _rate(choices: Choices, document: Document) -> Rate:
    if not choices.rate:
        return document.rate
    found = rate_of_text(choices.rate)
    if found is None:
        raise InvalidArguments(what="the rate", value=choices.rate, allowed=RATES_ALLOWED)
    return found


def _turntable(choices: Choices, ticks: int) -> Turntable | None:
    if choices.camera == GOES_ROUND:
        return Turntable(seconds=choices.turn_seconds)
    if choices.camera == GOES_WITH and ticks:
        return Turntable(turns=ticks / TICKS_PER_SECOND / choices.turn_seconds)
    return None


def _picture(choices: Choices, session: Session) -> Wanted | None:
    shown = session.trails.choice
    trails = shown.trails if choices.trails is None else choices.trails
    onions = shown.onions if choices.onions is None else choices.onions
    return session.trails.wanted_by(replace(shown, trails=trails, onions=onions))


def _caption(choices: Choices, document: Document) -> Caption | None:
    numbers, title = numbers_in(choices, document), choices.title.strip()
    if not (title or choices.time or numbers):
        return None
    return Caption(title=title, time=choices.time, quantities=numbers, curves=choices.curves and bool(numbers))


def _is_there(quantity: Quantity, document: Document) -> bool:
    if quantity.actor not in document.actor_index:
        return False
    try:
        label_of(quantity, document.actor(quantity.actor))
    except EngineError:
        return False
    return True
