"""Force dragging: turns the arrow of a force or a blow of one's own by its head, and makes one of a given size as large
as it is long; a click chooses it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.spacetime.choosing import choose_of
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.plan_words import push_text
from app.features.spacetime.view.demand_dragging import led_to
from app.scene.markers import Marker
from app.scene.symbols import Symbol
from app.session import Gesture, Session
from app.tools.symbol_dragging import SymbolDragging, SymbolGrip
from engine.document.values import Vector3
from engine.edits import edit
from engine.maths.quaternions import turned
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import Spacetime, SpacetimeForce
from engine.spacetime.queries.drawn_plan import ForceMark, size_of

if TYPE_CHECKING:
    from app.features.spacetime.view.plan_showing import PlanShowing
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector

FORCES = "planned forces"  # whose symbols they are
SHORTEST = 1e-4  # [m] of an arrow that says which way it points


@dataclass
class _HeldForce:
    """The head of the arrow under the button while it is down."""

    taken: SymbolGrip
    mark: ForceMark
    owner: str
    normal: Vector3 | None  # of the plane of the motion, in the world
    gesture: Gesture | None = None
    tip: Vector = (0.0, 0.0, 0.0)  # [m] that it was led to


class ForceDragging(SymbolDragging):
    """Drags the arrows of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport, showing: PlanShowing) -> None:
        super().__init__(viewport)
        self._session, self._current, self._showing = session, session.of(CurrentSpacetime), showing
        self._held: _HeldForce | None = None
        for signal in (showing.changed, self._current.changed):
            signal.connect(self._show)
        session.gesture_ended.connect(self._drop_ended)

    def press(self, at: Pointer) -> bool:
        """Take the arrow under the pointer; only a drag or the release says what is meant."""
        found, owner = self._found(at), self._current.actor
        mark = None if found is None else self._mark_of(found)
        if mark is None or owner is None:
            return False
        plan = owner.part(Spacetime)
        normal = None if plan is None or plan.plane is None else turned(owner.placement.rotation, plan.plane)
        self._held = _HeldForce(SymbolGrip(at, mark.tip), mark, owner.id, normal)
        return True

    def move(self, at: Pointer) -> None:
        """Turn the arrow, once the pointer has left the range of a click."""
        held = self._held
        if held is None:
            return
        if held.gesture is None and at.has_left(held.taken.start):
            if not self._current.may_change:
                self._held = None
                return
            held.gesture = self._session.begin_gesture(f"Turn {held.mark.force.name}")
            choose_of(self._session, held.owner, held.mark.force.id)
        if held.gesture is None or held.gesture.is_over:
            return
        tip = led_to(held.mark.tip, held.normal, at, held.taken.pixel(at))
        turned_to = aimed(held.mark, tip)
        if tip != held.tip and turned_to is not None:
            held.tip = tip
            held.gesture.preview(edit("put_spacetime_force", actor=held.owner, force=turned_to))

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.gesture is not None:
            held.gesture.finish()
        elif not at.has_left(held.taken.start):
            choose_of(self._session, held.owner, held.mark.force.id)
        self._light(None)

    def cancel(self) -> None:
        """Leave the force as it was."""
        held, self._held = self._held, None
        if held is not None and held.gesture is not None:
            held.gesture.cancel()
        self._light(None)

    def _drop_ended(self) -> None:
        """Let go of a drag that the session has ended."""
        held = self._held
        if held is not None and held.gesture is not None and held.gesture.is_over:
            self._held = None
            self._light(None)

    def _found(self, at: Pointer) -> Marker | None:
        """Return the symbol under the pointer; a handle on the same place goes before it."""
        found = self._viewport.symbol_at(at.at, FORCES)
        return found.marker if found is not None and self._viewport.marker_at(at.at) is None else None

    @property
    def _marks(self) -> tuple[ForceMark, ...]:
        drawn = self._showing.drawn
        return () if drawn is None else drawn.forces

    def _mark_of(self, found: Marker) -> ForceMark | None:
        return next((each for at, each in enumerate(self._marks) if _id(each, at) == found.id), None)

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(tuple(self._symbols()), FORCES)

    def _symbols(self) -> Iterator[Symbol]:
        owner, chosen = self._current.actor, self._current.force
        for at, mark in enumerate(() if owner is None else self._marks):
            assert owner is not None, "whose marks they are"
            force, is_chosen = mark.force, chosen is not None and chosen.id == mark.force.id
            yield Symbol(
                of=FORCES, owner=owner.id, id=_id(mark, at), name=force.name, part=force.joint, shape="spot",
                place=mark.tip, label=push_text(force) if is_chosen and not force.blow else "", chosen=is_chosen,
            )  # fmt: skip

    def _words(self, marker: Marker) -> str:
        found = self._mark_of(marker)
        if found is None:
            return marker.name
        drag = "drag to turn it" + ("" if size_of(found.force) is None else " and make it larger")
        return f"{found.force.name}, {push_text(found.force)} · {drag}, Shift follows an axis, click to choose it"


def aimed(mark: ForceMark, tip: Vector3) -> SpacetimeForce | None:
    """Return a force whose arrow ends elsewhere: another direction; of one whose size is given, another size, too. None
    where it would point nowhere."""
    force, size = mark.force, size_of(mark.force)
    way, before = (tuple(there - here for there, here in zip(end, mark.place, strict=True)) for end in (tip, mark.tip))
    length = math.hypot(*way)
    if length < SHORTEST:
        return None
    x, y, z = (each / length for each in way)
    if size is None:
        return replace(force, direction=(x, y, z))
    new = abs(size) * length / max(math.hypot(*before), SHORTEST)
    return replace(force, direction=(x, y, z), least=new, most=new)


def _id(mark: ForceMark, at: int) -> str:
    return f"{mark.force.id} {at}"
