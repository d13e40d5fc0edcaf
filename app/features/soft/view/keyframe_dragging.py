"""Keyframe dragging: moves the place where a soft body is to be by its mark; a click chooses it. The way of the body's
centre in the last motion that was found is drawn beside.

A place goes to the nearest point of the ray under the pointer, or along an axis of the world with Shift.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.soft.current_plan import CurrentPlan
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.plan_run import PlanRun
from app.features.soft.words import MET
from app.scene.guides import Guide
from app.scene.markers import Marker, nearest_on_ray, pulled_to
from app.scene.symbols import Symbol
from app.session import Session
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.document import Actor
from engine.edits import Edit, edit
from engine.runtime.amounts import amount_text
from engine.runtime.quick_dataclass import dataclass
from engine.soft.goals import SoftKeyframe

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.session.gesture import Gesture

KEYFRAMES = "soft keyframes"  # whose symbols and guides they are


@dataclass
class _HeldKeyframe(HeldSymbol):
    """The mark under the button while it is down."""

    actor: str


class KeyframeDragging(SymbolDragging[_HeldKeyframe]):
    """Drags the keyframes of the soft body that is meant in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport, KEYFRAMES)
        self._soft = session.of(CurrentSoft)
        self._current, self._run = session.of(CurrentPlan), session.of(PlanRun)
        for signal in (self._current.changed, self._run.told, session.playhead_moved, session.editing_changed):
            signal.connect(self._show)
        self._show()

    def _taken(self, found: Marker, at: Pointer) -> _HeldKeyframe | None:
        owner, keyframe = self._soft.owner, self._current.plan.keyframe(found.id)
        if keyframe is None or owner is None:
            return None
        return _HeldKeyframe(at, found, keyframe.position, owner.id)

    def _begin(self, held: _HeldKeyframe) -> Gesture:
        label = edit("move_soft_keyframe", actor=held.actor).label(self._session.document)
        gesture = self._session.begin_gesture(label)
        self._current.choose(held.marker.id)
        return gesture

    def _led(self, held: _HeldKeyframe, at: Pointer, pixel: tuple[float, float]) -> Vector:
        if at.along_axis:
            return pulled_to(at.camera, pixel, at.size, held.origin, along_axis=True)
        return nearest_on_ray(at.camera, pixel, at.size, held.place)

    def _edit(self, held: _HeldKeyframe) -> Edit:
        return edit("move_soft_keyframe", actor=held.actor, keyframe=held.marker.id, position=held.place)

    def _click(self, held: _HeldKeyframe, at: Pointer) -> None:
        self._current.choose(held.marker.id)

    @property
    def _symbols(self) -> tuple[Symbol, ...]:
        owner = self._soft.owner
        if owner is None or self._session.editing is not None or not owner.visible:
            return ()
        return tuple(self._symbol(owner, each) for each in self._current.plan.keyframes)

    def _symbol(self, owner: Actor, keyframe: SoftKeyframe) -> Symbol:
        chosen = self._current.keyframe
        here, is_chosen = keyframe.time == self._session.playhead, chosen is not None and chosen.id == keyframe.id
        far = self._run.missed(owner.id, keyframe.time) or 0.0
        missed = amount_text(far, "m") if far >= MET else ""
        return Symbol(
            of=KEYFRAMES,
            owner=owner.id,
            id=keyframe.id,
            name=owner.name,
            part=owner.figure.joints[0].id,
            shape="point" if keyframe.shape is None else "pose",
            place=keyframe.position,
            state="missed" if missed else "plain" if here or is_chosen else "faint",
            missed=missed,
            plumb=True,
            chosen=is_chosen,
            quiet=not (here or is_chosen),
        )

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(self._symbols, KEYFRAMES)
        last = self._run.last
        ways = () if last is None else tuple(each.way for each in last.shapes.values())
        self._viewport.set_guides(tuple(Guide(points=way, colour="accent") for way in ways), of=KEYFRAMES)

    def _words(self, marker: Marker) -> str:
        keyframe = self._current.plan.keyframe(marker.id)
        if keyframe is None:
            return ""
        when = self._session.clock.name(keyframe.time, self._session.document.rate)
        what = "be there" if keyframe.shape is None else "be there in this shape"
        return f"{marker.name} is to {what} at {when} · drag to move it, Shift follows an axis, click to choose it"
