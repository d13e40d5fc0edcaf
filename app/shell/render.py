"""`sinew render PROJECT`: a video, frames or a picture without a window.

It is drawn by the window's own code, like the window's export of the same plan, where OpenGL can be had: by EGL
without any screen, else on the screen that there is. Frames are worked out, drawn and encoded one after the other.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.export.surface import EglSurface, NoOpenGL, OffscreenSurface, QtSurface
from app.shell.encoding import export_frames
from app.shell.screen import missing_libraries, missing_screen
from engine.long.chosen_pieces import MOST_CORES, pieces_on
from engine.runtime.errors import EngineError, InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.export.drawing import Frame
    from app.export.plan import Codec, Plan
    from app.scene.camera import Camera
    from app.scene.displays import Display
    from engine.document import Document
    from engine.document.motion import Rate
    from engine.evaluate.evaluator import Evaluator
    from engine.queries.stills import Stills

OFFSCREEN = "offscreen"  # Qt's platform without a screen, which stays from one picture to the next
EVERYWHERE = "everywhere"  # of a focus
FRAMED_AT = 9  # times of the range, evenly apart, at which all is to be seen
BY_SUFFIX: dict[str, Codec] = {".mp4": "h264", ".webm": "vp9", ".gif": "gif", ".png": "png"}


@dataclass(frozen=True, kw_only=True)
class RenderRequest:
    """A request to render a file."""

    out: Path
    replace: bool = False  # what is there by its names
    camera: str = "perspective"  # a side, or azimuth and elevation [degrees]
    size: tuple[int, int] = (1280, 720)
    range: tuple[float, float] | None = None  # [s]
    rate: Rate | None = None
    codec: Codec | None = None
    samples: int = 8
    display: Display = "mannequin"
    background: str = ""
    grid: bool = True
    shadows: bool = True
    studio: bool = False  # lights beside the camera, over a floor
    key: tuple[float, float] | None = None  # azimuth and elevation of the key [degrees]
    floor: str = ""  # its colour; none: as the project has it
    f_number: float | None = None  # of the camera of the scene; None: as the project has it
    focus: str = ""  # where that sees sharply: metres, a part, or everywhere; none: as the project has it
    sound: bool = True
    turntable: float | None = None  # [s] that it takes while time stands still; 0: while the motion goes on
    title: str = ""
    time: bool = False
    quantities: tuple[str, ...] = ()
    curves: bool = False  # of the quantities
    workers: int | None = None  # processes that draw; none: this one
    scheduler: str | None = None  # of a cluster that draws instead
    parts: bool = False  # kept until the video is whole, also those that a cluster has drawn

    def __post_init__(self) -> None:
        if self.workers is not None and not 1 <= self.workers <= MOST_CORES:
            raise InvalidArguments(what="the number of workers", value=self.workers, allowed=f"1 to {MOST_CORES}")
        if self.workers is not None and self.scheduler is not None:
            allowed = "one of them: a cluster has its own workers"
            raise InvalidArguments(what="workers beside a scheduler", value=self.workers, allowed=allowed)


def render(document: Document, request: RenderRequest) -> None:
    """Write it; an `EngineError` says what was in the way."""
    from engine.evaluate.evaluator import Evaluator

    document = focused_as_asked(lit(document, request), request)
    evaluator = Evaluator()  # one, so that what is simulated is simulated once
    if request.scheduler is not None:  # nothing is drawn here
        _render_in_parts(_checked(request, document, evaluator), document, request)
        return
    application, surface = open_surface()
    try:
        plan = _checked(request, document, evaluator)
        if request.parts or (request.workers or 1) > 1:
            _render_in_parts(plan, document, request)
        else:
            export(plan, surface, evaluator)
    finally:
        surface.close()
        del application


def _render_in_parts(plan: Plan, document: Document, request: RenderRequest) -> None:
    from app.shell.render_parts import render_in_parts

    pieces = pieces_on(None if request.scheduler is not None else request.workers or 1, request.scheduler)
    keeps = request.parts or request.scheduler is not None
    render_in_parts(plan, document, asdict(request), pieces, keeps=keeps, replace=request.replace)


def _checked(request: RenderRequest, document: Document, evaluator: Evaluator) -> Plan:
    """Make the plan; says what comes out otherwise than was asked for."""
    plan = plan_of(request, document, evaluator)
    if not request.replace:
        _refuse_present(plan)
    for note in plan.notes:
        print(f"note: {note}", file=sys.stderr)
    return plan


def lit(document: Document, request: RenderRequest) -> Document:
    """Give the document with the light that is asked for."""
    from engine.edits import edit
    from engine.lighting.parts import STUDIO

    wanted: dict[str, float | bool | str] = dict(STUDIO) if request.studio else {}
    if request.key is not None:
        azimuth, elevation = (math.radians(each) for each in request.key)
        wanted |= {"azimuth": azimuth, "elevation": elevation}
    if request.floor:
        wanted["floor"] = request.floor
    return edit("set_lighting", **wanted).apply(document) if wanted else document


def focused_as_asked(document: Document, request: RenderRequest) -> Document:
    """Give the document with its camera focused as is asked for."""
    if request.f_number is None and not request.focus:
        return document
    from engine.cameras.directing import focused
    from engine.edits import edit
    from engine.queries.naming import part_named

    camera = _seen_by(document, request)
    if not camera:
        allowed = "with --camera and the name of a camera of the scene, which has a lens"
        raise InvalidArguments(what="the focus", value=request.focus or request.f_number, allowed=allowed)
    if request.focus == EVERYWHERE:
        return edit("unfocus_camera", actor=camera).apply(document)
    try:
        sharp = float(request.focus) if request.focus else None
    except ValueError:
        sharp = None
    spot = part_named(document, request.focus) if request.focus and sharp is None else sharp
    return focused(document, camera, f_number=request.f_number, focus=spot)


def _seen_by(document: Document, request: RenderRequest) -> str:
    """Return the camera of the scene that is named; "" where none is."""
    from engine.cameras.parts import cameras_in

    return next((each.id for each in cameras_in(document) if request.camera in (each.name, each.id)), "")


def open_surface() -> tuple[QGuiApplication, OffscreenSurface]:
    """Open a surface to draw on, and Qt, which writes text."""
    existing = QGuiApplication.instance()
    ours = existing if isinstance(existing, QGuiApplication) else None
    if ours is not None and ours.platformName() != OFFSCREEN:
        return ours, QtSurface()
    try:
        surface: OffscreenSurface = EglSurface()
    except NoOpenGL as problem:
        missing = missing_screen() or missing_libraries()
        if missing:
            raise NoOpenGL(f"{problem.why}, and {missing}") from problem
        return QGuiApplication(sys.argv[:1]), QtSurface()
    os.environ["QT_QPA_PLATFORM"] = OFFSCREEN
    return ours or QGuiApplication(sys.argv[:1]), surface


def plan_of(request: RenderRequest, document: Document, evaluator: Evaluator | None = None) -> Plan:
    """Make the plan of a request, its camera where it sees everything that moves."""
    from app.export.plan import Caption, Plan, Turntable
    from app.scene.look import Look
    from engine.cameras.parts import cameras_in
    from engine.cli.curves import quantity_named
    from engine.document.extent import play_extent
    from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND

    first, last = play_extent(document)
    if request.range is not None:
        for each in request.range:
            if not abs(each) * TICKS_PER_SECOND <= TICKS_LIMIT:
                raise InvalidArguments(what="the range", value=each, allowed="seconds, within 73 days of 0")
        first, last = (round(each * TICKS_PER_SECOND) for each in request.range)
    codec = request.codec or BY_SUFFIX.get(request.out.suffix.lower())
    if codec is None:
        raise InvalidArguments(what="the file's ending", value=request.out.suffix, allowed=", ".join(BY_SUFFIX))
    if request.curves and not request.quantities:
        raise InvalidArguments(what="--curves", value=True, allowed="with --quantity: it draws those numbers")
    quantities = tuple(quantity_named(document, each) for each in request.quantities)
    caption = Caption(title=request.title, time=request.time, quantities=quantities, curves=request.curves)
    seen_by = _seen_by(document, request)
    known = ", ".join(each.name for each in cameras_in(document))
    camera = camera_of("perspective" if seen_by else request.camera, known)
    return Plan(
        document=document,
        out=request.out,
        camera=camera if seen_by else _framed(document, camera, request.size, (first, max(first, last)), evaluator),
        seen_by=seen_by,
        start=first,
        end=last,
        rate=request.rate or document.rate,
        codec=codec,
        size=request.size,
        samples=request.samples,
        display=request.display,
        look=replace(Look(), show_grid=request.grid),
        background=request.background,
        sound=request.sound,
        shadows=request.shadows,
        turntable=None if request.turntable is None else Turntable(seconds=request.turntable),
        caption=caption if request.title or request.time or quantities else None,
    )


def _refuse_present(plan: Plan) -> None:
    there = [name for name in plan.names if os.path.lexists(name)]
    if there:
        found = "it is there already" + (f", and {len(there) - 1:,} more of its pictures" if len(there) > 1 else "")
        raise UnwritableFile(path=there[0], found=found, remedy="Give another name, or --replace to write over it.")


def camera_of(text: str, others: str = "") -> Camera:
    """Read a camera: a side by its name, or azimuth and elevation in degrees, as in `30,10`; `others` names more."""
    from app.scene.panes import DIRECTIONS, PERSPECTIVE, first_cameras

    usual = first_cameras()[PERSPECTIVE]
    if text.lower() == "perspective":
        return usual
    sides = {name.lower(): at for name, at in DIRECTIONS.items()}
    if text.lower() in sides:
        azimuth, elevation = sides[text.lower()]
        return replace(usual, azimuth=azimuth, elevation=elevation, orthographic=True)
    try:
        azimuth, elevation = (math.radians(float(each)) for each in text.split(","))
    except ValueError:
        named = ", ".join(filter(None, ("perspective", *sides, others)))
        known = f"{named}, or azimuth and elevation in degrees, as in 30,10"
        raise InvalidArguments(what="the camera", value=text, allowed=known) from None
    return replace(usual, azimuth=azimuth, elevation=elevation)


def export(plan: Plan, surface: OffscreenSurface, evaluator: Evaluator | None = None) -> None:
    """Draw and encode it, one frame after the other, and say how far it is."""
    from engine.evaluate.evaluator import Evaluator
    from engine.queries.stills import Stills

    with surface.current():
        export_frames(plan, _drawn(plan, Stills(evaluator or Evaluator(), plan.wanted)))


def _drawn(plan: Plan, stills: Stills) -> Generator[Frame, None, None]:
    from app.export.drawing import Drawing
    from app.scene.gl import Unusable
    from app.scene.picture import Picture
    from engine.runtime.progress import finish

    try:
        drawing = Drawing(plan, Picture())
        for number in range(plan.count):
            *_, found = filter(None, stills.answer((plan.time(number),)))
            yield finish(drawing.frame(found[0], number))
    except Unusable as problem:
        raise EngineError(f"{plan.out.name} cannot be drawn: {problem}. Make it smaller") from problem


def _framed(
    document: Document, camera: Camera, size: tuple[int, int], span: tuple[int, int], evaluator: Evaluator | None
) -> Camera:
    """Bring the camera as near as it sees everything at some times."""
    import numpy as np

    from app.scene.camera import Bounds, vector
    from app.scene.extent import seen_bounds
    from engine.evaluate.evaluator import Evaluator

    evaluator = evaluator or Evaluator()
    boxes = list[Bounds]()
    for time in _times(*span):
        snapshot = evaluator.snapshot(document, time)
        box = seen_bounds(snapshot)
        if box is not None:
            boxes.append(box)
    if not boxes:
        return camera
    lower, upper = (
        vector(fold([getattr(box, side) for box in boxes], axis=0))
        for fold, side in ((np.min, "lower"), (np.max, "upper"))
    )
    return camera.frame(Bounds(lower, upper), size)


def _times(first: int, last: int) -> Iterator[int]:
    yield from sorted({first + (last - first) * each // (FRAMED_AT - 1) for each in range(FRAMED_AT)})
