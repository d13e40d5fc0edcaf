"""Plans of actors that meet, ready as one problem: what they have to do with each other, found for all of them at once.

Each plan is compiled as it is alone (`engine.spacetime.compile`), with the blows that it gives and takes; meetings are
demands between them (`engine.spacetime.several`). A plan that meets no other is searched as it is alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.optimise.options import SolverEffort
from engine.optimise.report import Iterate, SolveReport, worst_of
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.compile import compile_plan, find_plan
from engine.spacetime.meetings import moment_of
from engine.spacetime.parts import Spacetime, SpacetimeForce, SpacetimeMeeting
from engine.spacetime.planned import MET, CompiledMotion
from engine.spacetime.problem import Quantity
from engine.spacetime.queries.coupled_plans import coupled_plans
from engine.spacetime.search import iterate_as_asked
from engine.spacetime.several import FoundSeveral, SeveralSearch
from engine.spacetime.several_problem import (
    BlowExchange,
    Creature,
    CreatureMoment,
    CreatureQuantity,
    DistanceDemand,
    SeveralProblem,
    SharedDemand,
    Simultaneous,
)
from engine.spacetime.spaces import AskedDemand
from engine.spacetime.uses import spacetime_of

_ALONG = 1e-6  # of an axis, as far as it may point out of the other's plane
Place = tuple[str, float]  # a stage, and a share of it


@dataclass(frozen=True, kw_only=True)
class Link:
    """A meeting with the moments that it is of: places in the plans of both."""

    meeting: SpacetimeMeeting
    actor: str
    moments: tuple[tuple[Place, Place], ...]

    @property
    def other(self) -> str:
        """The other actor."""
        return self.meeting.other

    @property
    def places(self) -> tuple[tuple[str, Vector3], tuple[str, Vector3]]:
        """The points of both, each with its joint."""
        meeting = self.meeting
        return (meeting.joint, meeting.point), (meeting.other_joint, meeting.other_point)

    def blow(self, number: int) -> str:
        """The id of the blow along one of its directions."""
        return f"{self.meeting.id}/{number}"


class CoupledMotions:
    """The plan of an actor, with those that it meets, and that they meet in turn."""

    def __init__(self, document: Document, actor: str) -> None:
        find_plan(document, actor)
        self.actor, self.plans = actor, dict(coupled_plans(document, actor))
        self.names = {id: document.actor(id).name for id in document.actor_index}
        self.unplanned = tuple(
            (id, each)
            for id, plan in self.plans.items()
            for each in plan.meetings
            if each.on and spacetime_of(document.actor(each.other)) is None
        )
        self.links = tuple(
            self._link(id, each)
            for id, plan in self.plans.items()
            for each in plan.meetings
            if each.on and each.other in self.plans
        )
        self.members: Mapping[str, CompiledMotion] = self._compiled(document)

    @property
    def alone(self) -> CompiledMotion | None:
        """The plan, where it meets no other."""
        return self.members[self.actor] if len(self.members) == 1 else None

    @cached_property
    def problem(self) -> SeveralProblem:
        """All of it as one problem; creatures have the ids of actors as names."""
        return SeveralProblem(
            creatures=tuple(Creature(id, each.problem) for id, each in self.members.items()),
            shared=tuple(shared for link in self.links for shared in self._shared(link)),
            simultaneous=tuple(moments for link in self.links for moments in self._simultaneous(link)),
            distances=tuple(distance for link in self.links for distance in self._distances(link)),
            exchanges=tuple(exchange for link in self.links for exchange in self._exchanges(link)),
        )

    @cached_property
    def search(self) -> Any:
        """Give what searches: that of the plan alone, or of all."""
        if self.alone is not None:
            return self.alone.search
        by_ipopt = any(plan.solver == "ipopt" for plan in self.plans.values())
        return SeveralSearch(self.problem, solver="ipopt" if by_ipopt else "interior_point")

    @property
    def guesses(self) -> int:
        """How many guesses are drawn, as the plan says that asks for most."""
        return max(plan.guesses for plan in self.plans.values())

    def motions(self, motion: Any) -> dict[str, Any]:
        """The motion of each actor, by id, of one that a search gives."""
        return {self.actor: motion} if self.alone is not None else dict(motion)

    def steps(
        self, guess: Array | None = None, effort: SolverEffort | None = None
    ) -> Generator[tuple[Any, Iterate], None, tuple[Any, ...]]:
        """Search from a guess, or from the straight line, and from as many others as the plans say: yield each iterate
        beside what can read it; the different minima, the best first."""
        return iterate_as_asked(self.search, guess, guesses=self.guesses, effort=effort)

    def present(self) -> Array:
        """Return the guess that is the motion which each actor has now."""
        found = np.concatenate([each.present() for each in self.members.values()])
        return found if self.alone is not None else self.search.program.completed(found)

    def stopped(self, search: Any, iterate: Iterate) -> Any:
        """Give what a search had come to that is not gone on with."""
        if self.alone is not None:
            return self.alone.stopped(search, iterate)
        unmet = worst_of(search.program, search.program.evaluate(iterate.x).constraints, tolerance=MET)
        nothing = np.zeros(len(search.program.shape.constraint_lower))
        report = SolveReport(ending="stopped", last=iterate, multipliers=nothing, unmet=unmet)
        return FoundSeveral(search.motion(iterate.x), report)

    # What is made of meetings

    def _link(self, actor: str, meeting: SpacetimeMeeting) -> Link:
        """Find the moments of a meeting in both plans."""
        plan, other = self.plans[actor], self.plans[meeting.other]
        moments = list[tuple[Place, Place]]()
        for share in _shares(plan, meeting):
            own = self._end(plan, meeting, actor) if meeting.blow else (meeting.stage, share)
            tick = plan.time(*own)
            there = moment_of(other, tick, later=not meeting.blow and share == 0.0)
            if there is None:
                seconds = tick / TICKS_PER_SECOND
                words = (
                    f"{meeting.name} is at {seconds:.3f} s, when no motion of {self.names[meeting.other]} is planned"
                )
                raise NothingThere(words, remedy="Move it in time, or plan for that time")
            if meeting.blow:
                self._check_end(other, there, meeting, tick)
            moments.append((own, there))
        return Link(meeting=meeting, actor=actor, moments=tuple(moments))

    def _end(self, plan: Spacetime, meeting: SpacetimeMeeting, actor: str) -> Place:
        """The stage at whose end the actor is struck."""
        at = plan.stages.index(plan.stage(meeting.stage)) - (meeting.at == 0.0)
        if not 0 <= at < len(plan.stages) - 1:
            words = f"{meeting.name} strikes {self.names[actor]} where its plan begins or ends"
            raise NothingThere(words, remedy="Let it be where one stage ends and another begins")
        return plan.stages[at].id, 1.0

    def _check_end(self, other: Spacetime, there: Place, meeting: SpacetimeMeeting, tick: int) -> None:
        if there[1] != 1.0 or there[0] == other.stages[-1].id:
            who = self.names[meeting.other]
            words = f"{meeting.name} strikes {who} at {tick / TICKS_PER_SECOND:.3f} s, within a stage"
            raise NothingThere(words, remedy=f"Let a stage of {who} end then, and another begin")

    def _compiled(self, document: Document) -> dict[str, CompiledMotion]:
        """Compile each plan with the blows of its meetings."""
        bare = {id: CompiledMotion(compile_plan(document, id)) for id in self.plans}
        self._axes = {link.meeting.id: self._directions(link, bare) for link in self.links}
        blows: dict[str, list[SpacetimeForce]] = {id: [] for id in self.plans}
        for link in self.links:
            for actor, force in self._blows(link):
                blows[actor].append(force)
        return {
            id: CompiledMotion(compile_plan(document, id, replace(plan, forces=(*plan.forces, *blows[id]))))
            if blows[id]
            else bare[id]
            for id, plan in self.plans.items()
        }

    def _directions(self, link: Link, members: Mapping[str, CompiledMotion]) -> tuple[Vector3, ...]:
        """The directions of the world along which two points are compared."""
        own, other = members[link.actor].space, members[link.other].space
        names = f"{self.names[link.actor]} and {self.names[link.other]}"
        if own.apart != other.apart:
            words = f"{names} meet, but one moves in a plane and the other in space"
            raise NothingThere(words, remedy="Let both move in a plane, or both in space (Muscles)")
        across = np.cross(other.axes[0], other.axes[1])
        if not own.apart and any(abs(float(np.dot(across, axis))) > _ALONG for axis in own.axes):
            words = f"{names} meet, but the planes in which they move are not parallel"
            raise NothingThere(words, remedy="Choose other planes (Muscles), or turn one of them")
        is_along = link.meeting.offset is None and link.meeting.quantity != "distance"
        return (link.meeting.direction,) if is_along else own.axes

    def _blows(self, link: Link) -> Iterator[tuple[str, SpacetimeForce]]:
        """Make the blows that two actors give each other, one along each direction."""
        meeting = link.meeting
        if not meeting.blow:
            return
        ((own, there),) = link.moments
        hardest = meeting.hardest
        least = 0.0 if meeting.offset is None else None if hardest is None else -hardest
        for number, axis in enumerate(self._axes[meeting.id]):
            x, y, z = axis
            sides = (
                (link.actor, meeting.joint, meeting.point, axis, own),
                (link.other, meeting.other_joint, meeting.other_point, (-x, -y, -z), there),
            )
            for actor, joint, point, direction, place in sides:
                yield actor, SpacetimeForce(
                    id=link.blow(number), name=meeting.name, joint=joint, point=point, direction=direction, blow=True,
                    stages=(place[0],), least=least, most=hardest,
                )  # fmt: skip

    def _shared(self, link: Link) -> Iterator[SharedDemand]:
        """Make the demands of a meeting."""
        meeting, axes = link.meeting, self._axes[link.meeting.id]
        quantity: Quantity = "point rate" if meeting.quantity == "velocity" else "point"
        for places in link.moments if meeting.quantity in ("point", "velocity") else ():
            for axis in axes:
                parts, shift = self._difference(link, places, quantity, axis)
                if meeting.offset is not None:
                    least = most = float(np.dot(axis, meeting.offset))
                else:
                    least = -np.inf if meeting.least is None else meeting.least
                    most = np.inf if meeting.most is None else meeting.most
                yield SharedDemand(
                    name=meeting.name, parts=parts, least=least + shift, most=most + shift, key=meeting.id
                )

    def _distances(self, link: Link) -> Iterator[DistanceDemand]:
        """Make the demands of a meeting at a distance, one for each moment."""
        meeting = link.meeting
        least, most = meeting.least or 0.0, np.inf if meeting.most is None else meeting.most
        for places in link.moments if meeting.quantity == "distance" and (least > 0.0 or most < np.inf) else ():
            axes = []
            for axis in self._axes[meeting.id]:
                parts, shift = self._difference(link, places, "point", axis)
                axes.append(SharedDemand(name=meeting.name, parts=parts, least=shift, most=shift, key=meeting.id))
            yield DistanceDemand(
                name=meeting.name, axes=tuple(axes), least=least, most=most, apart=self.across(link), key=meeting.id
            )

    def across(self, link: Link) -> float:
        """By how much two points stay apart across the planes in which they move [m]; 0 in space."""
        one, other = (self.members[id].space for id in (link.actor, link.other))
        if one.apart:
            return 0.0
        normal = np.cross(one.axes[0], one.axes[1])
        ends = [
            space.point_at(np.zeros(len(space.coordinates)), place)
            for space, place in zip((one, other), link.places, strict=True)
        ]
        return float(normal @ np.subtract(ends[0], ends[1]))

    def _difference(
        self, link: Link, places: tuple[Place, Place], quantity: Quantity, axis: Vector3
    ) -> tuple[tuple[CreatureQuantity, ...], float]:
        """By how much the two differ along an axis, and how much more that is than it is in the world."""
        parts = tuple(self._side(link, side, places[side], quantity, axis) for side in (0, 1))
        return parts, sum(part.factor * part.demand.least for part in parts)

    def _exchanges(self, link: Link) -> Iterator[BlowExchange]:
        """Let both be struck as hard."""
        if link.meeting.blow:
            ((own, there),) = link.moments
            for number in range(len(self._axes[link.meeting.id])):
                blow = f"force {link.blow(number)}"
                yield BlowExchange(
                    name=f"the blow of {link.meeting.name}",
                    one=(link.actor, own[0], blow),
                    other=(link.other, there[0], blow),
                    key=link.meeting.id,
                )

    def _side(self, link: Link, side: int, place: Place, quantity: Quantity, direction: Vector3) -> CreatureQuantity:
        """Make the side of one of the two; the least of its demand is how far its zero is from that of the
        world, taken negative."""
        meeting = link.meeting
        asked = AskedDemand(
            stage=place[0], quantity=quantity, place=link.places[side], direction=direction, at=place[1], least=0.0,
            most=0.0, key=meeting.id,
        )  # fmt: skip
        actor = (link.actor, link.other)[side]
        demand = self.members[actor].space.demand(asked)
        return CreatureQuantity(creature=actor, demand=demand, factor=1.0 - 2.0 * side)

    def _simultaneous(self, link: Link) -> Iterator[Simultaneous]:
        """Let the moments of a meeting, its first and its last, come for both at once."""
        name = f"{link.meeting.name}, at one time for both"
        for own, there in dict.fromkeys((link.moments[0], link.moments[-1])):
            one, other = (
                CreatureMoment(actor, *place, self.plans[actor].start / TICKS_PER_SECOND)
                for actor, place in ((link.actor, own), (link.other, there))
            )
            yield Simultaneous(name=name, one=one, other=other, key=link.meeting.id)


def _shares(plan: Spacetime, meeting: SpacetimeMeeting) -> list[float]:
    """When it is looked at: at its time; or, over a range, where pieces of the stage meet, and at its ends."""
    if meeting.until is None or meeting.until == meeting.at:
        return [meeting.at]
    pieces = plan.stage(meeting.stage).pieces
    nodes = [each / pieces for each in range(pieces + 1)]
    return [meeting.at, *(each for each in nodes if meeting.at < each < meeting.until), meeting.until]


def coupled_motions(document: Document, actor: str) -> CoupledMotions:
    """Make the plan of an actor ready, with those of the actors that it meets."""
    return CoupledMotions(document, actor)
