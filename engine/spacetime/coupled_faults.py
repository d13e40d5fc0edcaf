"""Plans of actors that meet and that cannot be met, in words: those of each actor with its name, and of their
meetings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.optimise.program import violations
from engine.optimise.rank import find_dependent
from engine.optimise.report import WORST
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.coupled import CoupledMotions
from engine.spacetime.faults import MOST_EQUATIONS, PlanFault, WorstDemand, describe_unmet
from engine.spacetime.planned import MET
from engine.spacetime.several import SeveralSearch
from engine.spacetime.several_problem import BlowExchange, DistanceDemand, SharedDemand, Simultaneous

_ASIDE = 1e-4  # of what is large for a variable, where the rank is looked at
_FAR = 1e-2  # of what is large for an equation
_APART = 1e-3  # [m] across a plane, from which it is said


@dataclass(frozen=True, kw_only=True)
class CoupledDemand:
    """A demand that is missed, and of which actor it is."""

    actor: str  # id
    demand: WorstDemand

    def __str__(self) -> str:
        return str(self.demand)


def check_coupled(made: CoupledMotions) -> tuple[PlanFault, ...]:
    """Say before a search what cannot be with plans that meet, and what is asked for twice; what cannot be first."""
    if made.alone is not None:
        found = [*made.alone.checked(), *_unplanned(made)]
        return tuple(sorted(found, key=lambda each: not each.fatal))
    found = [*_unplanned(made), *_apart(made)]
    for id, member in made.members.items():
        found += [replace(each, words=f"{made.names[id]}: {each.words}") for each in member.checked()]
    if not any(each.fatal for each in found):
        found += _dependent(made)
    return tuple(sorted(found, key=lambda each: not each.fatal))


def _unplanned(made: CoupledMotions) -> Iterator[PlanFault]:
    for _, meeting in made.unplanned:
        words = f"{meeting.name} does not count: no motion of {made.names[meeting.other]} is planned"
        yield PlanFault(words=words, constraints=(meeting.id,), stages=(meeting.stage,), fatal=False)


def _apart(made: CoupledMotions) -> Iterator[PlanFault]:
    """Find points that can meet only as they are seen along the normal of their planes."""
    for link in made.links:
        meeting, apart = link.meeting, made.across(link)
        if meeting.quantity == "distance" and meeting.most is not None and abs(apart) > meeting.most:
            words = (
                f"{meeting.name} asks for {meeting.most:.3g} m at most, but the two points stay {abs(apart):.3g} m "
                "apart across the planes in which they move"
            )
            yield PlanFault(words=words, constraints=(meeting.id,), stages=(meeting.stage,))
        if meeting.quantity != "point" or meeting.offset is None:
            continue
        one = made.members[link.actor].space
        far = 0.0 if one.apart else apart - float(np.cross(one.axes[0], one.axes[1]) @ meeting.offset)
        if abs(far) > _APART:
            words = (
                f"{meeting.name}: the two points stay {abs(far):.3g} m apart across the planes in which they "
                "move; they meet as they are seen from the side"
            )
            yield PlanFault(words=words, constraints=(meeting.id,), stages=(meeting.stage,), fatal=False)


def _dependent(made: CoupledMotions) -> Iterator[PlanFault]:
    """Find meetings that follow from the rest of what is asked for, or contradict it, by the rank of their rows."""
    program = made.search.program
    if int(program.shape.equal.sum()) > MOST_EQUATIONS:
        return
    named = set[str]()
    listed = {link.meeting.id: link for link in made.links}
    for each in find_dependent(program, made.search.straight_line(), moved=_ASIDE):
        rows = (each.constraint, *each.others)
        if not all(program.origin(number).key for number in rows):
            continue  # motions have to do with it, which are not linear
        shared = [program.shared(number) for number in rows]
        meetings = [one.key for one in shared if one is not None]
        far = each.amount >= _FAR * program.shape.constraint_scale[each.constraint]
        if not meetings or meetings[0] in named or not (each.contradictory and far):
            continue
        named.add(meetings[0])
        link = listed[meetings[0]]
        tick = made.plans[link.actor].time(*link.moments[0][0])
        words = f"{link.meeting.name} ({tick / TICKS_PER_SECOND:.3f} s) cannot be, with what both plans demand then"
        yield PlanFault(words=words, constraints=(link.meeting.id,), stages=(link.meeting.stage,), time=tick)


def worst_coupled(made: CoupledMotions, motion: Any, x: Array, *, tolerance: float = MET) -> tuple[CoupledDemand, ...]:
    """List the demands that variables miss most, beside what is large for each, one line for each demand: those of
    `report.last.x` of a search; `motion` is what that found."""
    if made.alone is not None:
        found = made.alone.worst(x, problem=motion.problem, tolerance=tolerance)
        return tuple(CoupledDemand(actor=made.actor, demand=each) for each in found)
    search = made.search if len(x) == len(made.search.program.shape.lower) else made.search.coarse()
    program = search.program
    amounts = violations(program.shape, program.evaluate(x).constraints)
    found_by_owner: dict[Any, CoupledDemand] = {}
    for at in np.argsort(-amounts / program.shape.constraint_scale, kind="stable").tolist():
        if len(found_by_owner) == WORST or amounts[at] <= tolerance:
            break
        origin = program.origin(at)
        owner = program.owner(at)[0], origin.key or (origin.kind, origin.of)
        if owner not in found_by_owner:
            found_by_owner[owner] = _describe(made, search, x, at, float(amounts[at]))
    return tuple(found_by_owner.values())


def _describe(made: CoupledMotions, search: SeveralSearch, x: Array, at: int, amount: float) -> CoupledDemand:
    """Say whose a constraint is, and where."""
    program = search.program
    creature, own = program.owner(at)
    actor = program.problem.creatures[creature].name
    shared = program.shared(at)
    if shared is not None:
        return _describe_shared(made, search, x, shared, amount)
    part = program.searches[creature]
    found = describe_unmet(made.members[actor].source, part, program.own(x, creature), own, amount)
    return CoupledDemand(actor=actor, demand=replace(found, name=f"{made.names[actor]}: {found.name}"))


def _describe_shared(
    made: CoupledMotions,
    search: SeveralSearch,
    x: Array,
    shared: SharedDemand | DistanceDemand | Simultaneous | BlowExchange,
    amount: float,
) -> CoupledDemand:
    """Say by how much a meeting is missed, at the point of the actor in whose plan it stands."""
    link = next(each for each in made.links if each.meeting.id == shared.key)
    motion, member = search.motion(x)[link.actor], made.members[link.actor]
    stage, share, unit = link.moments[0][0][0], 1.0, "N s"
    if isinstance(shared, DistanceDemand):
        far = search.program.distance(x, shared)
        amount = max(shared.least - far, far - shared.most)
    if isinstance(shared, SharedDemand | DistanceDemand):
        asked = (shared if isinstance(shared, SharedDemand) else shared.axes[0]).parts[0].demand
        stage, share, unit = asked.stage, asked.at, "m/s" if link.meeting.quantity == "velocity" else "m"
    elif isinstance(shared, Simultaneous):
        stage, share, unit = shared.one.stage, shared.one.at, "s"
    number = member.problem.stage(stage)
    begins = np.concatenate([[0.0], np.cumsum(motion.lengths)])
    seconds = float(begins[number] + share * motion.lengths[number])
    q = motion.coordinates(seconds, before=share == 1.0)
    demand = WorstDemand(
        constraint=link.meeting.id,
        name=shared.name,
        stage=stage,
        seconds=seconds,
        time=made.plans[link.actor].start + round(seconds * TICKS_PER_SECOND),
        amount=amount,
        unit=unit,
        position=member.space.point_at(q, link.places[0]),
    )
    return CoupledDemand(actor=link.actor, demand=demand)
