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
from app.scene.symbols import Symbol, placed
from app.session import Session
from app.session.gesture import GIVEN_UP
from app.tools.symbol_dragging import SymbolDragging, SymbolGrip
from engine.document import Actor
from engine.edits import edit
from engine.runtime.amounts import amount_text
from engine.runtime.quick_dataclass import dataclass
from engine.soft.goals import SoftKeyframe

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.session.gesture import Gesture

KEYFRAMES = "soft keyframes"  # whose symbols and guides they are


@dataclass
class _HeldKeyframe:
    """The mark under the button while it is down."""

    taken: SymbolGrip
    actor: str
    keyframe: SoftKeyframe
    place: Vector  # [m] that it is led to
    gesture: Gesture | None = None


class KeyframeDragging(SymbolDragging):
    """Drags the keyframes of the soft body that is meant in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._soft = session, session.of(CurrentSoft)
        self._current, self._run = session.of(CurrentPlan), session.of(PlanRun)
        self._held: _HeldKeyframe | None = None
        for signal in (self._current.changed, self._run.told, session.playhead_moved, session.editing_changed):
            signal.connect(self._show)
        self._show()

    def press(self, at: Pointer) -> bool:
        """Take the mark under the pointer; only a drag or the release says what is meant."""
        found, owner = self._found(at), self._soft.owner
        keyframe = None if found is None else self._current.plan.keyframe(found.id)
        if keyframe is None or owner is None:
            return False
        self._held = _HeldKeyframe(SymbolGrip(at, keyframe.position), owner.id, keyframe, keyframe.position)
        return True

    def move(self, at: Pointer) -> None:
        """Drag the mark, once the pointer has left the range of a click."""
        held = self._held
        if held is None:
            return
        if held.gesture is None and at.has_left(held.taken.start):
            held.gesture = self._session.begin_gesture(
                edit("move_soft_keyframe", actor=held.actor).label(self._session.document)
            )
            self._current.choose(held.keyframe.id)
            for found in placed(each for each in self._symbols if each.id == held.keyframe.id):
                self._viewport.set_hot_marker(found.marker, taken=True)
        if held.gesture is None or held.gesture.is_over:
            return
        pixel = held.taken.pixel(at)
        if at.along_axis:
            held.place = pulled_to(at.camera, pixel, at.size, held.keyframe.position, along_axis=True)
        else:
            held.place = nearest_on_ray(at.camera, pixel, at.size, held.place)
        held.gesture.preview(
            edit("move_soft_keyframe", actor=held.actor, keyframe=held.keyframe.id, position=held.place)
        )

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.gesture is not None:
            held.gesture.finish()
        elif not at.has_left(held.taken.start):
            self._current.choose(held.keyframe.id)
        self._light(None)

    def cancel(self) -> None:
        """Leave the mark where it was."""
        held, self._held = self._held, None
        if held is not None and held.gesture is not None and not held.gesture.is_over:
            self._session.note("note", GIVEN_UP)
            held.gesture.cancel()
        self._light(None)

    def _found(self, at: Pointer) -> Marker | None:
        """Return the mark under the pointer; a handle on the same place goes before it."""
        found = self._viewport.symbol_at(at.at, KEYFRAMES)
        return found.marker if found is not None and self._viewport.marker_at(at.at) is None else None

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
