"""LockStage: locks as a stage of the stack, and their marks in the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.document import Actor, Document
from engine.document.motion import weight
from engine.document.order import Group
from engine.evaluation import Below, Evaluation, Instants, Member, Members, SceneState, Stage
from engine.locks.keep import Locks, Moment
from engine.locks.marks import marks_of, muted_marks
from engine.locks.places import Holding, Places
from engine.model.snapshot import LockMark


class LockStage(Stage):
    """Poses in which what is held stands where it is to. Keeps what `Locks` and `Places` keep."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._places, self._locks = Places(), Locks()
        self._last: tuple[Group, float, list[Holding]] = ((), 0.0, [])

    def holdings(self, group: Group, time: float) -> list[Holding]:
        """The locks of a group that count at a time; the last are kept, for poses and marks of one picture."""
        of, at, found = self._last
        if of is not group or at != time:
            held = (self._places.holding(actor.id, lock, time) for actor in group for lock in actor.locks)
            found = [each for each in held if each is not None]
            self._last = (group, time, found)
        return found

    def replaced(self, instants: Instants, below: Below) -> list[Members]:
        """Give all of the group where anything is held."""
        holdings = [self.holdings(instants.group, time) for time in instants.times]
        held = [place for place, now in enumerate(holdings) if now]
        out: list[Members] = [{} for _ in instants.times]
        if not held:
            return out
        members = below(held)
        moments = [
            Moment(now, holdings[place], instants.frames[place]) for place, now in zip(held, members, strict=True)
        ]
        solver, iterations = instants.document.lock_solver, instants.document.lock_iterations
        for place, now, poses in zip(held, members, self._locks.poses(moments, solver, iterations), strict=True):
            out[place] = {id: Member(each.actor, poses[id], each.base, each.fixed) for id, each in now.items()}
        return out

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell whether any lock of the document counts at one of the times."""
        locks = [lock for each in document.actors for lock in each.locks if not lock.mute]
        return any(weight(lock.span, time) > 0.0 for lock in locks for time in times)

    def joints(self, actor: Actor) -> Iterator[tuple[str, str]]:
        """Name those that its locks hold, and those that they hold on to."""
        for lock in actor.locks:
            yield actor.id, lock.joint
            if lock.target is not None and lock.target_joint is not None:
                yield lock.target, lock.target_joint

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[LockMark]:
        """Give a mark for each lock that counts, and for each that would, were it not muted."""
        for group in document.groups:
            if any(actor.locks for actor in group):
                holdings = self.holdings(group, time)
                massive = {each.actor for each in holdings if each.lock.of_mass}
                yield from marks_of(holdings, scene.frames, {id: scene.centre_of_mass(id) for id in massive})
        yield from muted_marks(document.actors, time, scene.frames)
