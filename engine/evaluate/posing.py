"""How the actors of a group stand at some times: layers, locks, secondary motion, and locks again as the last word.

Times are worked out side by side, so that what they share (curves, problems, places of locks) is looked up once. No
time knows of the others: alone it has the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from engine.document import Actor, Document, Placement
from engine.document.motion import weight
from engine.document.order import Group
from engine.evaluate.compiled import Compile
from engine.evaluate.holds import held_base, placement_transform
from engine.evaluate.secondary import Secondaries
from engine.locks import Frames
from engine.locks.keep import Locks, Moment
from engine.locks.members import Member
from engine.locks.places import Holding, Places
from engine.maths.arrays import Array
from engine.motion.motion import Motion
from engine.runtime.bounded import Bounded

_BASES_KEPT = 1024

Stand = tuple[Array, Array]  # an actor's base in the world, shape [3, 4], and its coordinates
MotionOf = Callable[[Actor, float | None], Motion]  # that holds at a time


class Posing:
    """Poses groups. Keeps what `Locks` and `Places` keep; used by one thread."""

    def __init__(self, compile: Compile, motion: MotionOf, secondaries: Secondaries) -> None:
        self._compile, self._motion, self._secondaries = compile, motion, secondaries
        self._places, self._locks = Places(), Locks()
        self._bases: Bounded[int, tuple[Placement, Array]] = Bounded(_BASES_KEPT)  # by the identity of the placement

    def holdings(self, group: Group, time: float) -> list[Holding]:
        """The locks of a group that count at a time."""
        held = (self._places.holding(actor.id, lock, time) for actor in group for lock in actor.locks)
        return [each for each in held if each is not None]

    def stands(
        self, document: Document, group: Group, times: Sequence[float], frames: Sequence[Frames]
    ) -> list[dict[str, Stand]]:
        """Every actor of a group at each time; `frames` has at each time what actors of groups before it hang on."""
        swung = self._swung(document, group, times)
        holdings = [self.holdings(group, time) for time in times]
        members = self._members(group, times, frames, holdings, swung)
        poses = [{id: each.q for id, each in now.items()} for now in members]
        held = [place for place, now in enumerate(holdings) if now]
        if held:
            self._keep(document, held, members, holdings, frames, poses)
        again = [place for place in held if swung[place]]
        for place in again:
            seen = {**poses[place], **swung[place]}
            members[place] = {each.id: self.member(each, times[place], frames[place], seen[each.id]) for each in group}
        if again:
            self._keep(document, again, members, holdings, frames, poses)
        return [
            {id: (each.base, found[id]) for id, each in now.items()} for now, found in zip(members, poses, strict=True)
        ]

    def _keep(
        self,
        document: Document,
        places: Sequence[int],
        members: Sequence[dict[str, Member]],
        holdings: Sequence[Sequence[Holding]],
        frames: Sequence[Frames],
        out_poses: list[dict[str, Array]],
    ) -> None:
        """The poses at some of the times with their locks kept."""
        moments = [Moment(members[place], holdings[place], frames[place]) for place in places]
        found = self._locks.poses(moments, document.lock_solver, document.lock_iterations)
        for place, poses in zip(places, found, strict=True):
            out_poses[place] = poses

    def layered(self, actor: Actor, times: Sequence[float]) -> Array:
        """The coordinates of an actor as its layers have them, drafts and all, shape [len(times), coordinate_count]; a
        fresh array."""
        rows = self._motion(actor, None).at(np.array(times, dtype=np.float64))[:, 0]
        for row, time in zip(rows, times, strict=True) if any(layer.drafts for layer in actor.layers) else ():
            if any(layer.draft_at(time) for layer in actor.layers):
                row[:] = self._motion(actor, time).at(time)[0]
        return rows

    def member(self, actor: Actor, time: float, frames: Frames, q: Array) -> Member:
        """An actor in a pose, where it stands or hangs."""
        base = self._base(actor)
        if not actor.attachments:
            return Member(actor, q, base)
        compiled = self._compile(actor)
        compiled.stand(base, q)
        hanging = [each.joint for each in actor.attachments if weight(each.span, time) > 0.0]
        fixed = frozenset(id for joint in hanging for id in actor.figure.above(joint))
        return Member(actor, q, held_base(actor, base, compiled.frame, frames, time), fixed)

    def _swung(self, document: Document, group: Group, times: Sequence[float]) -> list[dict[str, Array]]:
        """At each time the poses of those that are simulated."""
        out: list[dict[str, Array]] = [{} for _ in times]
        for actor in group:
            counting = [place for place, time in enumerate(times) if self._secondaries.counts(actor, time)]
            asked = [times[place] for place in counting]
            found = self._secondaries.poses(document, group, actor, asked) if asked else []
            for place, q in zip(counting, found, strict=True):
                out[place][actor.id] = q
        return out

    def _members(
        self,
        group: Group,
        times: Sequence[float],
        frames: Sequence[Frames],
        holdings: Sequence[Sequence[Holding]],
        swung: Sequence[Mapping[str, Array]],
    ) -> list[dict[str, Member]]:
        """At each time every actor as its layers have it, or, where nothing is held, as its simulation does."""
        out: list[dict[str, Member]] = [{} for _ in times]
        for actor in group:
            asked = [place for place, now in enumerate(holdings) if now or actor.id not in swung[place]]
            rows = iter(self.layered(actor, [times[place] for place in asked]) if asked else ())
            wanted = set(asked)
            for place, time in enumerate(times):
                q = next(rows) if place in wanted else swung[place][actor.id]
                out[place][actor.id] = self.member(actor, time, frames[place], q)
        return out

    def _base(self, actor: Actor) -> Array:
        """Where an actor is placed, one object for one placement; not to be written to."""
        placement = actor.placement
        found = self._bases.get(id(placement))
        if found is None or found[0] is not placement:
            base = placement_transform(actor)
            base.flags.writeable = False
            found = self._bases.keep(id(placement), (placement, base))
        return found[1]
