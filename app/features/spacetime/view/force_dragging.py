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
from app.features.spacetime.view.demand_dragging import led_to, plane_of
from app.scene.markers import Marker
from app.scene.symbols import Symbol
from app.session import Gesture, Session
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import SpacetimeForce
from engine.spacetime.queries.drawn_plan import ForceMark, size_of

if TYPE_CHECKING:
    from app.features.spacetime.view.plan_showing import PlanShowing
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector

FORCES = "planned forces"  # whose symbols they are
SHORTEST = 1e-4  # [m] of an arrow that says which way it points


@dataclass
class _HeldForce(HeldSymbol):
    """The head of the arrow under the button while it is down."""

    mark: ForceMark
    owner: str
    normal: Vector3 | None  # of the plane of the motion, in the world


class ForceDragging(SymbolDragging[_HeldForce]):
    """Drags the arrows of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport, showing: PlanShowing) -> None:
        super().__init__(session, viewport, FORCES)
        self._current, self._showing = session.of(CurrentSpacetime), showing
        for signal in (showing.changed, self._current.changed):
            signal.connect(self._show)

    def _taken(self, found: Marker, at: Pointer) -> _HeldForce | None:
        owner, mark = self._current.actor, self._mark_of(found)
        if mark is None or owner is None:
            return None
        return _HeldForce(at, found, mark.tip, mark, owner.id, plane_of(owner))

    def _begin(self, held: _HeldForce) -> Gesture | None:
        if not self._current.may_change:
            return None
        gesture = self._session.begin_gesture(f"Turn {held.mark.force.name}")
        choose_of(self._session, held.owner, held.mark.force.id)
        return gesture

    def _led(self, held: _HeldForce, at: Pointer, pixel: tuple[float, float]) -> Vector:
        return led_to(held.origin, held.normal, at, pixel)

    def _edit(self, held: _HeldForce) -> Edit | None:
        turned_to = aimed(held.mark, held.place)
        return None if turned_to is None else edit("put_spacetime_force", actor=held.owner, force=turned_to)

    def _click(self, held: _HeldForce, at: Pointer) -> None:
        choose_of(self._session, held.owner, held.mark.force.id)

    @property
    def _marks(self) -> tuple[ForceMark, ...]:
        drawn = self._showing.drawn
        return () if drawn is None else drawn.forces

    def _mark_of(self, found: Marker) -> ForceMark | None:
        return next((each for at, each in enumerate(self._marks) if _id(each, at) == found.id), None)

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(tuple(self._symbols), FORCES)

    @property
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
