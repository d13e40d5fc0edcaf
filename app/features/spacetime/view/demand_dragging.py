"""Demand dragging: moves a constraint of a point, of the centre of mass or of a pose by its symbol; a click chooses it,
and Delete then takes it away. A pose goes along with its root.

Of a plane motion it goes within the plane, else in the plane that faces the camera; with Shift along an axis of the
world. Where motions are found anew after each change, what is found follows while it is dragged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal

from app.features.spacetime.choosing import choose_of
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.planning import remove_chosen
from app.scene.camera import vector
from app.scene.markers import EDGE_ON, Marker, pulled_to
from app.scene.symbols import Symbol
from app.session import Gesture, Session
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.document import Actor
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.maths.quaternions import turned
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import Spacetime
from engine.spacetime.queries.draw_motion import DemandMark, PushArrow, StandMark

if TYPE_CHECKING:
    from app.features.spacetime.view.plan_showing import PlanShowing
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector

Values = tuple[tuple[str, float], ...]
DEMANDS = "planned motion"  # whose symbols they are
BLOW, STAND, MISS = "blow ", "stand ", "miss "  # before the number in the id of a symbol that is no constraint


@dataclass
class _HeldDemand(HeldSymbol):
    """The constraint under the button while it is down."""

    mark: DemandMark
    owner: str
    values: Values  # of a pose, as it was taken
    normal: Vector3 | None  # of the plane of the motion, in the world


class DemandDragging(SymbolDragging[_HeldDemand]):
    """Drags the constraints of one session in one viewport; one that was clicked is in hand."""

    hand_changed = Signal()  # whether Delete is for a constraint

    def __init__(self, session: Session, viewport: Viewport, showing: PlanShowing) -> None:
        super().__init__(session, viewport, DEMANDS)
        self._current, self._showing = session.of(CurrentSpacetime), showing
        self._clicked: str | None = None  # the constraint that was clicked, until something is selected
        session.hands.append(self)
        session.selection_changed.connect(lambda _: self.let_go())
        for signal in (showing.changed, self._current.changed):
            signal.connect(self._show)

    @property
    def in_hand(self) -> bool:
        """True if Delete is for the constraint that is chosen."""
        chosen = self._current.constraint or self._current.meeting
        return chosen is not None and chosen.id == self._clicked and self._current.may_change

    def remove(self) -> None:
        """Take it away."""
        remove_chosen(self._session)

    def let_go(self) -> None:
        """Something else is what Delete is for now."""
        self._take_in_hand(None)

    def _taken(self, found: Marker, at: Pointer) -> _HeldDemand | None:
        mark, owner = self._mark_of(found), self._current.actor
        if mark is None or owner is None or not mark.constraint:
            return None
        plan = owner.part(Spacetime)
        own = () if plan is None else (each for each in plan.constraints if each.id == mark.constraint)
        values = next((each.values for each in own), ())
        return _HeldDemand(at, found, mark.place, mark, owner.id, values, plane_of(owner))

    def _may_move(self, held: _HeldDemand) -> bool:
        return held.mark.movable

    def _begin(self, held: _HeldDemand) -> Gesture | None:
        if not self._current.may_change:
            return None
        gesture = self._session.begin_gesture(f"Move {held.mark.name}")
        self._choose(held)
        return gesture

    def _led(self, held: _HeldDemand, at: Pointer, pixel: tuple[float, float]) -> Vector:
        return led_to(held.origin, held.normal, at, pixel)

    def _edit(self, held: _HeldDemand) -> Edit:
        of = {"actor": held.owner, "constraint": held.mark.constraint}
        if held.mark.slides:
            return edit("set_spacetime_constraint", **of, values=carried(held.mark, held.values, held.place))
        return edit("set_spacetime_constraint", **of, position=held.place)

    def _click(self, held: _HeldDemand, at: Pointer) -> None:
        self._choose(held)

    def _choose(self, held: _HeldDemand) -> None:
        for hand in self._session.hands:
            if hand is not self:
                hand.let_go()
        choose_of(self._session, held.owner, held.mark.constraint)
        self._take_in_hand(held.mark.constraint)

    def _take_in_hand(self, constraint: str | None) -> None:
        if constraint != self._clicked:
            self._clicked = constraint
            self.hand_changed.emit()

    def _mark_of(self, found: Marker) -> DemandMark | None:
        numbered = enumerate(self._showing.marks)
        return next((each for at, each in numbered if (each.constraint or f"{MISS}{at}") == found.id), None)

    @property
    def _symbols(self) -> tuple[Symbol, ...]:
        drawn, chosen = self._showing.drawn, self._current.constraint or self._current.meeting
        if drawn is None:
            return ()
        owner, now = drawn.actor.id, self._session.playhead
        demands = (
            _symbol(each, owner, now, at=at, chosen=chosen is not None and chosen.id == each.constraint)
            for at, each in enumerate(drawn.marks)
        )
        stands = (_stand(each, drawn.actor, at) for at, each in enumerate(drawn.stands))
        return (*stands, *_blows(self._showing.blows, owner), *demands)

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(self._symbols, DEMANDS)

    def _words(self, mark: Marker) -> str:
        clock, rate = self._session.clock, self._session.document.rate
        found = self._mark_of(mark)
        if found is None:
            blows = [each for at, each in enumerate(self._showing.blows) if mark.id == f"{BLOW}{at}"]
            told = [f"{each.name}: {_size(each)} at {clock.name(each.time, rate)}" for each in blows]
            return "".join(told) or mark.name
        how = f", {found.missed}" if found.missed else ""
        drag = "drag to move it, Shift follows an axis, " if found.movable else ""
        click = f" · {drag}click to choose it" if found.constraint else ""
        return f"{found.name} at {clock.name(found.time, rate)}{how}{click}"


def plane_of(owner: Actor) -> Vector3 | None:
    """Return the normal of the plane in which a figure's planned motion is, in the world; None in space."""
    plan = owner.part(Spacetime)
    return None if plan is None or plan.plane is None else turned(owner.placement.rotation, plan.plane)


def led_to(place: Vector, normal: Vector3 | None, at: Pointer, pixel: tuple[float, float]) -> Vector:
    """Return where a drag to a pixel leads a place [m]: within the plane of a normal through it; where there is none or
    it is seen from its edge, in the plane that faces the camera, or with Shift along an axis of the world."""
    if at.along_axis or normal is None:
        return pulled_to(at.camera, pixel, at.size, place, along_axis=at.along_axis)
    origin, direction = at.camera.ray(pixel, at.size)
    across = np.array(normal) / np.linalg.norm(normal)
    steep = float(direction @ across)
    share = float((np.array(place) - origin) @ across) / steep if abs(steep) > EDGE_ON else -1.0
    if abs(steep) <= EDGE_ON or (share <= 0.0 and not at.camera.orthographic):
        flat = np.array(pulled_to(at.camera, pixel, at.size, place))
        return vector(flat - float((flat - np.array(place)) @ across) * across)
    return vector(origin + share * direction)


def carried(mark: DemandMark, values: Values, place: Vector3) -> Values:
    """Return the values of a pose whose root is led to a place."""
    way = np.array(place) - np.array(mark.place)
    by = {dof: float(np.array(axis) @ way) for dof, axis in mark.slides}
    return tuple((dof, value + by.get(dof, 0.0)) for dof, value in values)


def _symbol(mark: DemandMark, owner: str, now: int, *, at: int, chosen: bool) -> Symbol:
    return Symbol(
        of=DEMANDS,
        owner=owner,
        id=mark.constraint or f"{MISS}{at}",
        name=mark.name,
        part=mark.part,
        shape="pose" if mark.slides else "demand" if mark.constraint else "spot",
        place=mark.place,
        state="missed" if mark.missed else "plain" if mark.time == now else "faint",
        missed=mark.missed,
        at=mark.at if mark.missed else None,
        chosen=chosen,
    )


def _stand(stand: StandMark, owner: Actor, at: int) -> Symbol:
    name = f"{owner.figure.joint(stand.part).name} stands here, within its cone of friction"
    return Symbol(
        of=DEMANDS, owner=owner.id, id=f"{STAND}{at}", name=name, part=stand.part, shape="spot", place=stand.place,
        quiet=True,
    )  # fmt: skip


def _blows(blows: tuple[PushArrow, ...], owner: str) -> Iterator[Symbol]:
    """Yield a spot for each blow; the hardest of those at one time tells how hard they are together."""
    for at, each in enumerate(blows):
        together = [other for other in blows if other.time == each.time]
        label = ""
        if each is max(together, key=lambda other: math.hypot(*other.push)):
            size = math.hypot(*(sum(sizes) for sizes in zip(*(other.push for other in together), strict=True)))
            label = f"{size:.3g} N s{' in all' if len(together) > 1 else ''}"
        yield Symbol(
            of=DEMANDS, owner=owner, id=f"{BLOW}{at}", name=each.name, part=each.part, shape="spot", place=each.place,
            label=label, quiet=True,
        )  # fmt: skip


def _size(push: PushArrow) -> str:
    return f"{math.hypot(*push.push):.3g} N s"
