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
from app.scene.symbols import Symbol
from app.session import Item, Session
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.document import Target
from engine.document.values import Quaternion, new_id
from engine.maths.quaternions import product, turn_about, turned, unit
from engine.runtime.quick_dataclass import dataclass
from engine.targets.queries.mark_targets import TargetMark

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.session import Gesture

TARGETS = "targets"  # whose symbols they are
PER_PIXEL = math.radians(0.6)  # that a turn follows the pointer by
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass
class _HeldTarget(HeldSymbol):
    """The target under the button while it is down."""

    mark: TargetMark
    pull: TargetPull | None = None


class TargetDragging(SymbolDragging[_HeldTarget]):
    """Drags the targets of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport, TARGETS)
        self._current_targets = session.of(CurrentTargets)
        for signal in (self._current_targets.changed, self._current_targets.marks.changed, session.playhead_moved):
            signal.connect(self._show)
        self._show()

    def _taken(self, found: Marker, at: Pointer) -> _HeldTarget | None:
        mark = self._mark_of(found)
        return None if mark is None else _HeldTarget(at, found, mark.place, mark)

    def _may_move(self, held: _HeldTarget) -> bool:
        return held.mark.kind != "pose"

    def _begin(self, held: _HeldTarget) -> Gesture | None:
        mark, target = held.mark, self._target_of(held.mark)
        if target is None:
            return None
        label = f"{'Turn' if mark.kind == 'turn' else 'Move'} target of {mark.name}"
        held.pull = TargetPull(self._session, mark.owner, target, label=label, meets=not mark.missed)
        self._current_targets.choose(target.id)
        return held.pull.gesture

    def _drag(self, held: _HeldTarget, gesture: Gesture, at: Pointer) -> None:
        pixel, pull = held.pixel(at), held.pull
        assert pull is not None, "it has begun"
        if held.mark.kind == "turn":
            pull.turn(_rolled(held, at))
            return
        if at.along_axis:
            held.place = pulled_to(at.camera, pixel, at.size, held.origin, along_axis=True)
        else:
            held.place = nearest_on_ray(at.camera, pixel, at.size, held.place)
        pull.lead(held.place)

    def _click(self, held: _HeldTarget, at: Pointer) -> None:
        mark = held.mark
        self._session.select([Item(mark.owner, mark.part)])
        self._current_targets.choose(mark.target, in_hand=True)

    def _finish(self, held: _HeldTarget, gesture: Gesture) -> None:
        if held.pull is not None:
            held.pull.finish()

    def _give_up(self, held: _HeldTarget, gesture: Gesture) -> None:
        if held.pull is not None:
            held.pull.cancel()

    def _target_of(self, mark: TargetMark) -> Target | None:
        """Return the target itself; of one that stands for many, one of its own for that time."""
        target = self._current_targets.seen_target(mark.owner, mark.target)
        if target is None or mark.own:
            return target
        return replace(target, id=new_id("target"), source="own", time=mark.time)

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
    start = held.start
    right, down = at.pixel[0] - start.pixel[0], at.pixel[1] - start.pixel[1]
    across, up, back = (np.array(axis) for axis in at.camera.axes)
    way = back * -right if at.along_axis else up * right + across * down
    length = float(np.linalg.norm(way))
    before = held.mark.rotation or (1.0, 0.0, 0.0, 0.0)
    if length == 0.0:
        return before
    x, y, z = (way / length).tolist()
    return unit(product(turn_about((x, y, z), PER_PIXEL * length), before))
