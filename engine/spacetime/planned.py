"""A plan made ready to be searched, and what is found read back: as a layer, torques, pushes of the ground.

Times are seconds from the begin of the plan. A layer has cubic keys where pieces meet, with the slopes there, and so is
the planned motion itself, but for the rounding of key times to ticks.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.document import Actor, Document, Key, Layer, Span, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.optimise.options import SolverEffort
from engine.optimise.report import Iterate, SolveReport, worst_of
from engine.physics.parts import TorqueCurves
from engine.spacetime.compile import PlanProblem, compile_plan
from engine.spacetime.faults import PlanFault, WorstDemand, check_plan, worst_demands
from engine.spacetime.implicit import computed_torques
from engine.spacetime.motions import PlannedMotion, stage_at
from engine.spacetime.parts import Spacetime
from engine.spacetime.playback import first_rates
from engine.spacetime.present import PresentMotion
from engine.spacetime.search import FoundMotion, iterate_as_asked

MET = 1e-8  # to within which a demand counts as met, in its own unit
_SAMPLES = 4  # of a computed torque, or of a ball, on each piece
_JUMP = 1  # [ticks] before the end of a stage, where a torque jumps there


@dataclass(frozen=True)
class Push:
    """A force or a blow at a time: where and which way in the world [N] or [N s]."""

    name: str
    position: Vector3
    vector: Vector3
    seconds: float
    blow: bool


class _PlanNode(NamedTuple):
    """A motion where two pieces meet: values of coordinates, and by how much they change before and after."""

    tick: int
    values: dict[str, float]
    before: dict[str, float]
    after: dict[str, float]
    is_border: bool  # of stages


class CompiledMotion:
    """The plan of an actor, ready."""

    def __init__(self, source: PlanProblem) -> None:
        self.source, self.problem, self.space = source, source.problem, source.space
        self.actor: Actor = source.actor
        self.plan: Spacetime = source.plan

    @cached_property
    def search(self) -> Any:
        """Give what searches: `iterate`, `find`, `straight_line`, `guess_like`, `motion`."""
        found = self.space.search(self.problem)
        found.solver = self.plan.solver
        return found

    @property
    def _computed(self) -> bool:
        """Tell whether torques are computed from the motion, as all are in space."""
        return self.plan.implicit or self.plan.plane is None

    def checked(self) -> tuple[PlanFault, ...]:
        """Say before a search what cannot be, and what is asked for twice."""
        return check_plan(self.source, lambda: self.search)

    def iterate(
        self, guess: Array | None = None, effort: SolverEffort | None = None
    ) -> Generator[Iterate, None, FoundMotion]:
        """Search from a guess, or from the straight line."""
        start = self.search.straight_line() if guess is None else guess
        found: FoundMotion = yield from self.search.iterate(start, effort)
        return found

    def steps(
        self, guess: Array | None = None, effort: SolverEffort | None = None
    ) -> Generator[tuple[Any, Iterate], None, tuple[FoundMotion, ...]]:
        """Search from a guess, or from the straight line, and from as many others as the plan says: yield each iterate
        beside what can read it as a motion; the different minima, the best first."""
        return iterate_as_asked(self.search, guess, guesses=self.plan.guesses, effort=effort)

    def present(self) -> Array:
        """Return the guess that is the motion which the actor has now."""
        guess: Array = self.search.guess_like(PresentMotion(self.space, self.actor, self.plan, self.problem))
        return guess

    def pose(self, motion: Any, seconds: float, *, before: bool = False) -> dict[str, float]:
        """Values of all coordinates of the figure at a time."""
        return self.space.values(motion.coordinates(seconds, before=before))

    def ticks(self, motion: Any) -> tuple[int, ...]:
        """When stages begin, and when the last one ends."""
        begins = np.concatenate([[0.0], np.cumsum(motion.lengths)])
        return tuple(self.plan.start + round(each * TICKS_PER_SECOND) for each in begins.tolist())

    def lengths(self, motion: Any) -> tuple[float, ...]:
        """How long the stages are [s]."""
        return tuple(motion.lengths.tolist())

    def end(self, motion: Any) -> int:
        """The tick at which it ends."""
        return self.ticks(motion)[-1]

    def layer(self, motion: Any, *, id: str, name: str = "Planned motion", held: bool | None = None) -> Layer:
        """Write a motion as a layer: over its span; or (`held`) as it begins before, too, and as it ends after, which
        is usual where no other layer moves."""
        others = [each for each in self.actor.layers if each.id not in (self.plan.layer, id)]
        if held is None:
            held = not any(each.tracks or each.samples is not None for each in others)
        figure, written = self.actor.figure, set(self.space.written)
        balls = {name for dof in figure.dofs if dof.kind == "ball" for name in dof.coordinates}
        nodes, close = self._nodes(motion), self._nodes(motion, _SAMPLES) if balls else []
        tracks = tuple(
            Track(coordinate=dof, keys=tuple(_turns(dof, close) if dof in balls else _keys(dof, nodes)))
            for dof in figure.coordinates
            if dof in written
        )
        stays = [dof for dof in self.space.held if dof in figure.coordinate_index and dof not in written]
        values = tuple((dof, self.space.held[dof]) for dof in stays)
        span = None if held else Span(start=self.plan.start, end=self.end(motion))
        return Layer(id=id, name=name, values=values, tracks=tracks, span=span)

    def _nodes(self, motion: Any, samples: int = 1) -> list[_PlanNode]:
        """Read a motion where pieces meet, or so many times on each."""
        found, begin = list[_PlanNode](), 0.0
        for stage, length in zip(motion.problem.stages, motion.lengths.tolist(), strict=True):
            count = samples * stage.pieces
            found += [self._node(motion, begin + length * at / count, is_border=at == 0) for at in range(count)]
            begin += length
        return [*found, self._node(motion, begin, is_border=True, last=True)]

    def _node(self, motion: Any, seconds: float, *, is_border: bool, last: bool = False) -> _PlanNode:
        """Read it at a time: rates on both sides, which are alike where it begins and ends."""
        slopes = []
        for before in (True, False):
            q, v = (motion.coordinates(seconds, order=order, before=before) for order in (0, 1))
            slopes.append(self.space.slopes(q, v))
        if last or seconds == 0.0:
            slopes = [slopes[0 if last else 1]] * 2
        tick = self.plan.start + round(seconds * TICKS_PER_SECOND)
        return _PlanNode(tick, self.pose(motion, seconds, before=last), slopes[0], slopes[1], is_border)

    def torques(self, motion: Any) -> tuple[Track, ...]:
        """Torques of the muscles about their degrees of freedom [N m], as they are represented, or computed from the
        motion and sampled."""
        return tuple(
            Track(coordinate=each.dof, keys=tuple(self._torque_keys(motion, each.dof))) for each in self.plan.muscles
        )

    def curves(self, motion: Any, *, id: str) -> TorqueCurves:
        """Write them as curves that drive the actor over the time of the plan where physics simulates it."""
        span = Span(start=self.plan.start, end=self.end(motion))
        return TorqueCurves(id=id, tracks=self.torques(motion), span=span, launches=tuple(self._launches(motion)))

    def _launches(self, motion: Any) -> Iterator[tuple[int, tuple[tuple[str, float], ...]]]:
        """Rates with which stages after the first begin, by the momentum that is handed on to them."""
        if self.plan.implicit or not isinstance(motion, PlannedMotion):
            return
        numbers = {dof: self.space.coordinates.index(name) for dof, name in self.space.moved.items()}
        for stage, tick in enumerate(self.ticks(motion)[1:-1], start=1):
            v = first_rates(motion, stage)
            yield tick, tuple((dof, self.space.sign(dof) * float(v[at])) for dof, at in numbers.items())

    def torque(self, motion: Any, dof: str, seconds: float, *, before: bool = False) -> float:
        """The torque of one muscle at a time."""
        name, sign = self.space.moved[dof], self.space.sign(dof)
        if self.plan.implicit and self.plan.plane is not None:
            number = self.space.coordinates.index(name)
            return sign * float(computed_torques(motion, seconds, before=before)[number])
        number = self.problem.function(f"torque of {name}")
        return sign * float(motion.functions(seconds, before=before)[number])

    def torque_samples(self, motion: Any, times: Sequence[float]) -> dict[str, Array]:
        """Torques of all muscles at some times, by degree of freedom."""
        muscles = [(each.dof, self.space.moved[each.dof]) for each in self.plan.muscles]
        if self.plan.implicit and self.plan.plane is not None:
            rows = [computed_torques(motion, each) for each in times]
            numbers = [self.space.coordinates.index(name) for _, name in muscles]
        else:
            rows = [motion.functions(each) for each in times]
            numbers = [self.problem.function(f"torque of {name}") for _, name in muscles]
        table = np.array(rows)
        return {dof: self.space.sign(dof) * table[:, number] for (dof, _), number in zip(muscles, numbers, strict=True)}

    def _torque_keys(self, motion: Any, dof: str) -> Iterator[Key]:
        """Keys on the nodes, joined as the torque is represented; where it jumps between stages, one a tick before."""
        kind = self.plan.muscle(dof).kind
        name, sign = self.space.moved[dof], self.space.sign(dof)
        begin, last = 0.0, len(self.plan.stages) - 1
        for number, (stage, length) in enumerate(zip(motion.problem.stages, motion.lengths.tolist(), strict=True)):
            pieces = stage.pieces * (_SAMPLES if self._computed else 1)
            for piece in range(pieces + 1):
                seconds = begin + length * piece / pieces
                before = piece == pieces
                tick = self.plan.start + round(seconds * TICKS_PER_SECOND)
                value = self.torque(motion, dof, seconds, before=before)
                if kind == "hermite" and not self._computed:
                    function = self.problem.function(f"torque of {name}")
                    slope = sign * float(motion.functions(seconds, order=1, before=before)[function])
                    yield Key(tick - (before and number < last), value, tangent="free", slope_in=slope, slope_out=slope)
                else:
                    yield Key(tick - (before and number < last), value, interpolation="linear")
            begin += length

    def pushes(self, motion: Any, seconds: float) -> tuple[Push, ...]:
        """Forces on the figure at a time, beside weight and muscles."""
        stage, _ = stage_at(motion.lengths, seconds)
        acting = self.problem.stages[stage].forces
        return tuple(self._push(motion, name, seconds, before=False) for name in acting)

    def blows(self, motion: Any) -> tuple[Push, ...]:
        """Blows between the stages, each when it comes."""
        found, ends = list[Push](), np.cumsum(motion.lengths).tolist()
        for stage, seconds in zip(self.problem.stages, ends, strict=True):
            found += [self._push(motion, name, seconds, before=True) for name in stage.blows]
        return tuple(found)

    def _push(self, motion: Any, name: str, seconds: float, *, before: bool) -> Push:
        given = self.source.pushing[name]
        size = float(motion.functions(seconds, before=before)[self.problem.function(name)])
        x, y, z = given.direction
        position = self.space.point_at(motion.coordinates(seconds, before=before), given.place)
        label = self.source.labels[name]
        return Push(label, position, (size * x, size * y, size * z), seconds, given.blow)

    def point(self, motion: Any, seconds: float, joint: str, point: Vector3) -> Vector3:
        """Where a point of a joint's body is in the world at a time."""
        return self.space.point_at(motion.coordinates(seconds), (joint, point))

    def stopped(self, search: Any, iterate: Iterate) -> FoundMotion:
        """Give what a search had come to that is not gone on with."""
        unmet = worst_of(search.program, search.program.evaluate(iterate.x).constraints, tolerance=MET)
        nothing = np.zeros(len(search.program.shape.constraint_lower))
        report = SolveReport(ending="stopped", last=iterate, multipliers=nothing, unmet=unmet)
        return FoundMotion(search.motion(iterate.x), report)

    def worst(self, x: Array, *, problem: Any = None, tolerance: float = MET) -> tuple[WorstDemand, ...]:
        """The demands that variables meet least, the worst first: those of `report.last.x` of a search, or of an
        iterate; `problem` is that of their motion, where it has fewer pieces."""
        search = self.search if problem is None or problem is self.problem else self.space.search(problem)
        return worst_demands(self.source, search, x, tolerance=tolerance)


def _keys(dof: str, nodes: Sequence[_PlanNode]) -> Iterator[Key]:
    for each in nodes:
        before, after = each.before[dof], each.after[dof]
        yield Key(each.tick, each.values[dof], tangent="free", slope_in=before, slope_out=after)


def _turns(name: str, nodes: Sequence[_PlanNode]) -> Iterator[Key]:
    """Keys of a ball, whose rates follow from its keys: evenly beside the borders of stages, where they may jump."""
    for at, each in enumerate(nodes):
        even = each.is_border or (at + 1 < len(nodes) and nodes[at + 1].is_border)
        yield Key(each.tick, each.values[name], interpolation="linear" if even else "cubic")


def compiled(document: Document, actor: str) -> CompiledMotion:
    """Make the plan of an actor ready."""
    return CompiledMotion(compile_plan(document, actor))
