"""Locks kept: from the layered poses of actors to poses in which what is locked stands where it is to.

Each lock that counts becomes goals, led from the layered pose to within 1e-8 (metres, and the length of an axis'
difference), by descent alone: another branch of the pose would be a leap between two frames. Nothing of the frame
before is used, and nothing is decided by the clock, so that a frame alone is the same bytes as in sequence.

A lock that is eased in or out, or weighted, counts by a share s. With q_S the pose in which the locks that count in
full and those of the set S are kept, the pose lies at

    q = sum over S of  prod_{i in S} s_i  prod_{i not in S} (1 - s_i)  q_S,

which is smooth in every share and has no jump where a lock begins, ends or becomes whole, whatever others do; then the
locks that count in full are met once more from there, since what lies between two poses need not keep them. Locks of
one timing are one set. Blending their targets instead would not do: a target at the layered pose is a lock, too, and
lets go with a jump where others move the figure.

Actors that a lock links at a time are one problem; a lock to the actor itself holds one part of it at another. What
may move comes in stages (`stages`). Each starts nearer to the layered pose the more the one before it left: by
half where it left 3 cm, or 20 cm of what its locks hold steady. Between limbs and root, a spine leans by a few damped
steps of a fixed measure only, since a solve that has to end far short decides by trial which step it takes, and leaps
where it decides otherwise. So no joint leaps where a stage begins to be needed.

A pose that keeps its locks is left as it is, to the last bit, and so is one that misses locks which contradict each
other by as little as can be: what a drag found is what is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from engine.document import Figure, Lock
from engine.evaluation import Frames, Member
from engine.ik.kept_limits import keep_limits
from engine.locks.as_goals import goals_of, places_of, structure_of
from engine.locks.members import Rows, held_of
from engine.locks.places import Holding
from engine.locks.problems import LEANING, LockProblem, balls_of, compile_lock_problem, normalised
from engine.locks.stages import Movable, stages_of
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_PROBLEMS_KEPT, _LINKS_KEPT = 256, 1024
_NO_LESS = 1e-3  # the part of what is missed that a pose has to gain to count as a better one
_EASED = 6  # locks with timings of their own that are eased at one time; of more, the least are left out

Poses = dict[str, Array]
Ways = tuple[LockProblem, ...]
Links = list[tuple[tuple[str, ...], list[int], Ways]]


@dataclass(frozen=True, eq=False)
class CoupledPoses:
    """Actors that locks may move together, as they stand at a time."""

    members: Mapping[str, Member]  # as their layers have them
    poses: Poses  # as they are seen
    holdings: tuple[Holding, ...]
    frames: Frames  # of joints outside of the group that locks hold on to


@dataclass(frozen=True, eq=False)
class Moment:
    """The locks that are to be kept at a time, and the actors that they are on."""

    members: Mapping[str, Member]  # as their layers have them
    holdings: Sequence[Holding]
    frames: Frames  # of joints outside of the group that locks hold on to


@dataclass(frozen=True, eq=False)
class _KeptRun:
    """Moments at which the same actors stand at the same place, with the same locks at the same places."""

    linked: list[Member]  # at the first of them
    holdings: list[Holding]
    places: list[Array]
    ways: Ways
    at: list[int] = field(default_factory=list)

    def goes_on(self, linked: Sequence[Member], places: Sequence[Array]) -> bool:
        """Tell whether another moment, with the same stages, has the same bases and places of locks."""
        if self.ways[0].aims.directed:
            return False
        stands = all(one.base is other.base for one, other in zip(linked, self.linked, strict=True))
        return stands and all(one is other for one, other in zip(places, self.places, strict=True))


class Locks:
    """Keeps locks. Compiled problems are kept between calls; used by one thread."""

    def __init__(self) -> None:
        self._problems: Bounded[tuple[object, ...], Ways] = Bounded(_PROBLEMS_KEPT)
        self._links: Bounded[tuple[object, ...], tuple[tuple[Lock, ...], Links]]  # by the identity of locks
        self._links = Bounded(_LINKS_KEPT)

    def poses(self, moments: Sequence[Moment], solver: str, iterations: int) -> list[Poses]:
        """The pose of every member at each moment."""
        eased = [_timings(each) for each in moments]
        chosen: list[Moment] = []
        factors: list[float] = []
        for each, timings in zip(moments, eased, strict=True):
            for inside, factor in _corners(timings):
                some = [lock for lock in each.holdings if lock.whole or lock.timing in inside]
                chosen.append(replace(each, holdings=some) if timings else each)
                factors.append(factor)
        corners = iter(zip(self._keep(chosen, solver, iterations), factors, strict=True))
        out = [
            _mean(each, [next(corners) for _ in range(1 << len(timings))])
            for each, timings in zip(moments, eased, strict=True)
        ]
        blended = [place for place, timings in enumerate(eased) if timings]
        if blended:
            met = self._keep([_begun(moments[place], out[place]) for place in blended], solver, iterations, begun=True)
            for place, found in zip(blended, met, strict=True):
                out[place] = found
        return out

    def _keep(self, moments: Sequence[Moment], solver: str, iterations: int, begun: bool = False) -> list[Poses]:
        """The poses, from those of the members, that keep all locks of each moment; `begun`: they almost do."""
        out = [{id: member.q for id, member in each.members.items()} for each in moments]
        for run in self._runs(moments, solver):
            poses: Rows = [np.array([moments[at].members[each.actor.id].q for at in run.at]) for each in run.linked]
            run.ways[0].aim(run.linked, run.holdings, run.places)
            missing = run.ways[0].missing(poses)
            astray = np.flatnonzero(missing != 0.0)
            if not len(astray):
                continue
            start = [rows[astray] for rows in poses]
            led, left = _led(run, start, missing[astray], iterations, begun)
            for place in np.flatnonzero(left < (1.0 - _NO_LESS) * missing[astray]).tolist():
                at = run.at[astray[place]]
                out[at].update((each.actor.id, rows[place]) for each, rows in zip(run.linked, led, strict=True))
        return out

    def _runs(self, moments: Sequence[Moment], solver: str) -> list[_KeptRun]:
        found: list[_KeptRun] = []
        last: dict[int, _KeptRun] = {}  # by the identity of its stages
        for at, each in enumerate(moments):
            for ids, numbers, ways in self._linked(each, solver):
                linked, holdings = [each.members[id] for id in ids], [each.holdings[number] for number in numbers]
                places = places_of(holdings, ids, each.frames)
                run = last.get(id(ways))
                if run is None or not run.goes_on(linked, places):
                    run = last[id(ways)] = _KeptRun(linked, holdings, places, ways)
                    found.append(run)
                run.at.append(at)
        return found

    def _linked(self, moment: Moment, solver: str) -> Links:
        """The actors that locks link, the places in the list of the locks of each such set, and what is tried in turn
        to keep these."""
        locks = tuple(each.lock for each in moment.holdings)
        stand = (part for each in moment.members.values() for part in (each.actor.figure.digest, each.fixed))
        key = (solver, *moment.members, *stand, *map(id, locks))
        known = self._links.get(key)
        if known is not None:
            return known[1]
        found: Links = []
        for ids, chosen in linked_by(moment.members, moment.holdings):
            numbers = [number for number, each in enumerate(moment.holdings) if any(each is one for one in chosen)]
            ways = self._compiled([moment.members[id] for id in ids], chosen, moment.frames, solver)
            found.append((ids, numbers, ways))
        self._links.keep(key, (locks, found))
        return found

    def _compiled(self, linked: Sequence[Member], holdings: Sequence[Holding], frames: Frames, solver: str) -> Ways:
        """Compile the stages of all figures, side by side; kept while figures and locks have the same structure."""
        ids = tuple(each.actor.id for each in linked)
        figures = ((each.actor.figure.digest, each.fixed) for each in linked)
        key = (solver, ids, *figures, *(structure_of(each, ids) for each in holdings))
        kept = self._problems.get(key)
        if kept is None:
            places = places_of(holdings, ids, frames)
            goals = [goals_of(each, place, ids) for each, place in zip(holdings, places, strict=True)]
            ways = ways_of(linked, holdings)
            leaning = [way not in (ways[0], ways[-1]) and not _moves_roots(linked, way) for way in ways]
            kept = tuple(
                compile_lock_problem(linked, way, holdings, goals, LEANING if leans else solver)
                for way, leans in zip(ways, leaning, strict=True)
            )
            self._problems.keep(key, kept)
        return kept


def _led(run: _KeptRun, poses: Rows, missing: Array, iterations: int, begun: bool) -> tuple[Rows, Array]:
    """The poses of a run led stage by stage, each as far as it needs, and by how much each misses the locks [m]."""
    start = poses if begun else run.ways[0].bent(run.linked, poses, missing)
    now, left, going = [rows.copy() for rows in start], np.full(len(missing), math.inf), np.arange(len(missing))
    for kept in run.ways[-1:] if begun else run.ways:
        kept.aim(run.linked, run.holdings, run.places)
        led, left[going] = kept.lead(run.linked, run.holdings, run.places, [rows[going] for rows in now], iterations)
        for rows, found in zip(now, led, strict=True):
            rows[going] = found
        going = going[left[going] != 0.0]
        if not len(going):
            break
        if kept is not run.ways[-1]:
            before, after = [rows[going] for rows in start], [rows[going] for rows in now]
            for rows, found in zip(now, kept.back(run.linked, before, after, left[going]), strict=True):
                rows[going] = found
    return now, left


def _timings(moment: Moment) -> dict[tuple[object, ...], float]:
    """The shares of locks that do not count in full, by timing; of too many, the largest."""
    shares = {each.timing: each.share for each in moment.holdings if not each.whole}
    return dict(sorted(shares.items(), key=lambda item: -item[1])[:_EASED])


def _corners(shares: Mapping[tuple[object, ...], float]) -> Iterator[tuple[set[tuple[object, ...]], float]]:
    """The sets of timings that may count, each with its factor."""
    for corner in range(1 << len(shares)):
        inside = {timing for place, timing in enumerate(shares) if corner >> place & 1}
        yield inside, math.prod(share if each in inside else 1.0 - share for each, share in shares.items())


def _mean(moment: Moment, corners: Sequence[tuple[Poses, float]]) -> Poses:
    """Interpolate between the poses of the corners."""
    if len(corners) == 1:
        return corners[0][0]
    mean: Poses = {}
    for poses, factor in corners:
        for id, q in poses.items():
            mean[id] = _added(moment.members[id].actor.figure, mean.get(id), q, factor)
    return {id: _between(moment.members[id], q) for id, q in mean.items()}


def _begun(moment: Moment, poses: Poses) -> Moment:
    """The moment with the locks that count in full, from other poses."""
    members = {id: replace(each, q=poses[id]) for id, each in moment.members.items()}
    return Moment(members, [each for each in moment.holdings if each.whole], moment.frames)


def _moves_roots(linked: Sequence[Member], way: Sequence[Movable]) -> bool:
    """Tell whether a stage moves the root of an actor."""
    roots = {
        (number, dof.id)
        for number, member in enumerate(linked)
        for joint in member.actor.figure.joints
        if joint.parent is None
        for dof in joint.dofs
    }
    return any((number, id) in roots for number, dofs in enumerate(way) for id in dofs)


def linked_by(
    members: Mapping[str, Member], holdings: Sequence[Holding]
) -> Iterator[tuple[tuple[str, ...], list[Holding]]]:
    """The actors that locks link, and the locks of each such set; those without any are left out."""
    first = {id: id for id in members}
    for each in holdings:
        if each.lock.target in first:
            one, other = first[each.actor], first[str(each.lock.target)]
            first = {id: one if at == other else at for id, at in first.items()}
    for head in dict.fromkeys(first[each.actor] for each in holdings):
        chosen = [each for each in holdings if first[each.actor] == head]
        yield tuple(id for id in members if first[id] == head), chosen


def ways_of(linked: Sequence[Member], holdings: Sequence[Holding]) -> tuple[tuple[Movable, ...], ...]:
    """List what may move of each of these actors, stage by stage; one whose stages are fewer stays at its last."""
    each = [stages_of(member.actor.figure, held_of(member, holdings), member.fixed) for member in linked]
    height = max(map(len, each))
    return tuple(tuple(mine[min(stage, len(mine) - 1)] for mine in each) for stage in range(height))


def _added(figure: Figure, mean: Array | None, q: Array, factor: float) -> Array:
    """The sum with one pose more. Of a ball's two quaternions the one on the side of the sum counts."""
    if mean is None:
        return factor * q
    scaled = factor * q
    for ball in balls_of(figure):
        if mean[ball] @ scaled[ball] < 0.0:
            scaled[ball] *= -1.0
    return mean + scaled


def _between(member: Member, mean: Array) -> Array:
    """Normalise a mean of poses, and keep it to those limits over several angles that the layered pose keeps: between
    two poses within a region there may be others outside of it."""
    figure, q = member.actor.figure, normalised(member.actor.figure, mean)
    keep_limits(figure, member.q, q)
    return q
