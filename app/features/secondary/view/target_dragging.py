"""Target dragging: moves a target by its symbol; a click chooses it, for the dock and the timeline, too, and selects
its joint. Delete then removes it.

A place goes to the nearest point of the ray under the pointer, or along an axis of the world with Shift. A turn follows
the pointer as a ball under it would; with Shift it goes about the line of sight. A pose has no place of its own to be
dragged to: its keys are posed. What is met stays met while it is dragged; what is not is placed, and met with the
others where that is done after each edit. Where keys are targets, dragging one makes a target of its own for that key.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_pull import TargetPull
from app.scene.markers import Marker, nearest_on_ray, pulled_to
from app.scene.symbols import Symbol, placed
from app.session import Item, Session
from app.tools.symbol_dragging import SymbolDragging, SymbolGrip
from engine.document import Target
from engine.document.values import Quaternion, new_id
from engine.maths.quaternions import product, turn_about, turned, unit
from engine.runtime.quick_dataclass import dataclass
from engine.targets.queries.mark_targets import TargetMark

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector

TARGETS = "targets"  # whose symbols they are
PER_PIXEL = math.radians(0.6)  # that a turn follows the pointer by
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass
class _HeldTarget:
    """The target under the button while it is down."""

    taken: SymbolGrip
    mark: TargetMark
    place: Vector  # [m] that it is wanted at
    pull: TargetPull | None = None


class TargetDragging(SymbolDragging):
    """Drags the targets of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._current_targets = session, session.of(CurrentTargets)
        self._held: _HeldTarget | None = None
        for signal in (self._current_targets.changed, self._current_targets.marks.changed, session.playhead_moved):
            signal.connect(self._show)
        self._show()

    def press(self, at: Pointer) -> bool:
        """Take the symbol under the pointer; only a drag or the release says what is meant."""
        found = self._found(at)
        mark = None if found is None else self._mark_of(found)
        if mark is None:
            return False
        self._held = _HeldTarget(SymbolGrip(at, mark.place), mark, mark.place)
        return True

    def move(self, at: Pointer) -> None:
        """Drag the target, once the pointer has left the range of a click."""
        held = self._held
        if held is None or held.mark.kind == "pose":
            return
        if held.pull is None and at.has_left(held.taken.start):
            self._begin(held)
        if held.pull is None or held.pull.is_over:
            return
        if held.mark.kind == "turn":
            held.pull.turn(_rolled(held, at))
            return
        pixel = held.taken.pixel(at)
        if at.along_axis:
            held.place = pulled_to(at.camera, pixel, at.size, held.mark.place, along_axis=True)
        else:
            held.place = nearest_on_ray(at.camera, pixel, at.size, held.place)
        held.pull.lead(held.place)

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.pull is not None:
            held.pull.finish()
        elif not at.has_left(held.taken.start):
            self._choose(held.mark)
        self._light(None)

    def cancel(self) -> None:
        """Leave the target where it was."""
        held, self._held = self._held, None
        if held is not None and held.pull is not None:
            held.pull.give_up()
        self._light(None)

    def _begin(self, held: _HeldTarget) -> None:
        target = self._target_of(held.mark)
        if target is None:
            self._held = None
            return
        mark = held.mark
        label = f"{'Turn' if mark.kind == 'turn' else 'Move'} target of {mark.name}"
        held.pull = TargetPull(self._session, mark.owner, target, label=label, meets=not mark.missed)
        self._current_targets.choose(target.id)
        for found in placed(each for each in self._symbols if each.id == held.mark.id):
            self._viewport.set_hot_marker(found.marker, taken=True)

    def _target_of(self, mark: TargetMark) -> Target | None:
        """Return the target itself; of one that stands for many, one of its own for that time."""
        target = self._current_targets.seen_target(mark.owner, mark.target)
        if target is None or mark.own:
            return target
        return replace(target, id=new_id("target"), source="own", time=mark.time)

    def _choose(self, mark: TargetMark) -> None:
        self._session.select([Item(mark.owner, mark.part)])
        self._current_targets.choose(mark.target, in_hand=True)

    def _found(self, at: Pointer) -> Marker | None:
        """Return the target under the pointer; a handle on the same place goes before it."""
        found = self._viewport.symbol_at(at.at, TARGETS)
        return found.marker if found is not None and self._viewport.marker_at(at.at) is None else None

    def _mark_of(self, found: Marker) -> TargetMark | None:
        return next((each for each in self._current_targets.marks.marks if each.id == found.id), None)

    @property
    def _symbols(self) -> tuple[Symbol, ...]:
        target, now = self._current_targets.target, self._session.playhead
        chosen = None if target is None else target.id
        return tuple(_symbol(each, chosen, now) for each in self._current_targets.marks.marks)

    def _show(self, *_: object) -> None:
        self._viewport.set_symbols(self._symbols, TARGETS)

    def _words(self, mark: Marker) -> str:
        found = self._mark_of(mark)
        if found is None:
            return ""
        how = found.missed or "met"
        drag = {
            "point": "drag to move it, Shift follows an axis, ",
            "turn": "drag to turn it, Shift about the line of sight, ",
            "pose": "",
        }[found.kind]
        when = self._session.clock.name(found.time, self._session.document.rate)
        return f"Target {found.name} at {when}, {how} · {drag}click to choose it"


def _symbol(mark: TargetMark, chosen: str | None, now: int) -> Symbol:
    here, is_chosen = mark.time == now, mark.target == chosen
    turned_axes = () if mark.rotation is None else tuple(turned(mark.rotation, axis) for axis in AXES)
    return Symbol(
        of=TARGETS,
        owner=mark.owner,
        id=mark.id,
        name=mark.name,
        part=mark.part,
        shape=mark.kind,
        place=mark.place,
        state="missed" if mark.missed else "plain" if here else "faint",
        missed=mark.missed,
        at=mark.at if mark.missed else None,
        axes=tuple(zip("xyz", turned_axes, strict=False)),
        chosen=is_chosen,
        quiet=not (here or is_chosen),
    )


def _rolled(held: _HeldTarget, at: Pointer) -> Quaternion:
    """Return the turn as the pointer has rolled it, about axes of the view."""
    start = held.taken.start
    right, down = at.pixel[0] - start.pixel[0], at.pixel[1] - start.pixel[1]
    across, up, back = (np.array(axis) for axis in at.camera.axes)
    way = back * -right if at.along_axis else up * right + across * down
    length = float(np.linalg.norm(way))
    before = held.mark.rotation or (1.0, 0.0, 0.0, 0.0)
    if length == 0.0:
        return before
    x, y, z = (way / length).tolist()
    return unit(product(turn_about((x, y, z), PER_PIXEL * length), before))
