"""Several creatures in one problem: their programs side by side, with demands between them.

Each creature has a problem of its own, in a plane or in space. A demand between creatures is of a sum of quantities,
each of one of them, with a factor: points that meet are a difference of points along x, and one along y. Each quantity
is a demand without bounds in the problem of its creature; here its constraint is taken away and added to that of the
sum, so that derivatives are those that the problems have. A blow that two give each other is a blow on each, along
opposite directions, and both are as large. All have one clock: moments of which it is said come for both at once,
whatever the lengths of their stages. These two are sums of variables.

A distance is a function of such sums. It has variables s of its own, one along each axis, which are as large as the
sums, and is taken as (|s|^2 / D + D) / 2, with D the largest that it may be: as large as |s| there, as steep, and
smooth everywhere; so no second derivative goes from one creature to the other.

What one creature does is coupled to what another does by these alone, so in the linear systems time still goes first.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.optimise.interior_point import solve_in_parts
from engine.optimise.newton_system import NewtonSystem
from engine.optimise.options import SolverEffort
from engine.optimise.program import ProgramDerivatives, ProgramShape, ProgramValues
from engine.optimise.report import Iterate, SolveReport
from engine.runtime.progress import finish, unpaused
from engine.spacetime.problem import ConstraintOrigin
from engine.spacetime.search import COARSE, FROM_EARLIER, MotionSearch, SolverName, notes_of
from engine.spacetime.several_problem import (
    BlowExchange,
    CreatureMoment,
    DistanceDemand,
    SeveralProblem,
    SharedDemand,
    Simultaneous,
)
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.search import USUAL, SpatialSearch


class SeveralProgram:
    """The program of all creatures."""

    def __init__(self, problem: SeveralProblem) -> None:
        self.problem = problem
        asked = {each.name: list[Any]() for each in problem.creatures}
        for number, shared in enumerate(problem.sums):
            for part in shared.parts:
                free = replace(part.demand, least=-np.inf, most=np.inf, key=f"{_SHARED}{number}")
                asked[part.creature].append(free)
        self.searches = tuple(
            search_of(replace(each.problem, demands=(*each.problem.demands, *asked[each.name])))
            for each in problem.creatures
        )
        self.programs = tuple(each.program for each in self.searches)
        sizes = [len(each.shape.lower) for each in self.programs]
        self.firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        first = int(self.firsts[-1])
        self._apart = list[slice]()  # the variables of each distance
        for each in problem.distances:
            self._apart.append(slice(first, first + len(each.axes)))
            first += len(each.axes)
        self._size = first
        self._route()
        self._linear = self._find_sums()
        self._shape = self._find_shape()

    @property
    def shape(self) -> ProgramShape:
        """Bounds, scales and patterns."""
        return self._shape

    def own(self, x: Array, creature: int) -> Array:
        """The variables of one creature."""
        return x[self.firsts[creature] : self.firsts[creature + 1]]

    def completed(self, x: Array) -> Array:
        """Add the variables of distances to those of all creatures."""
        found = np.concatenate([x, np.zeros(self._size - len(x))])
        if not self._apart:
            return found
        sums = self.evaluate(found).constraints[self._own : self._own + len(self.problem.sums)]
        least = np.array([each.least for each in self.problem.sums])
        at = len(self.problem.shared)
        for each, place in zip(self.problem.distances, self._apart, strict=True):
            rows = slice(at, at + len(each.axes))
            found[place] = each.begun(sums[rows] - least[rows])
            at += len(each.axes)
        return found

    def distance(self, x: Array, demand: DistanceDemand) -> float:
        """How far apart the points of a demand are [m]."""
        number = self.problem.distances.index(demand)
        first = len(self.problem.shared) + sum(len(each.axes) for each in self.problem.distances[:number])
        rows = slice(self._own + first, self._own + first + len(demand.axes))
        least = np.array([each.least for each in demand.axes])
        along = self.evaluate(x).constraints[rows] - least + x[self._apart[number]]
        return float(np.hypot(np.linalg.norm(along), demand.apart))

    def evaluate(self, x: Array) -> ProgramValues:
        """Return objective and constraints."""
        found = [each.evaluate(self.own(x, at)) for at, each in enumerate(self.programs)]
        return ProgramValues(sum(each.objective for each in found), self._sum([each.constraints for each in found], x))

    def differentiate(self, x: Array, multipliers: Array, weight: float, *, curved: bool = True) -> ProgramDerivatives:
        """Return them with derivatives."""
        objective, constraints = 0.0, list[Array]()
        gradient, jacobian, hessian = list[Array](), list[Array](), list[Array]()
        for at, (program, rows, factors) in enumerate(zip(self.programs, self._rows, self._factors, strict=True)):
            found = program.differentiate(self.own(x, at), factors * multipliers[rows], weight, curved=curved)
            objective += found.objective
            constraints.append(found.constraints)
            gradient.append(found.gradient.copy())
            jacobian.append(found.jacobian * factors[program.shape.jacobian_rows])
            hessian.append(found.hessian.copy())
        jacobian.append(self._linear[2])
        gradient.append(np.zeros(self._size - int(self.firsts[-1])))
        for number, (each, place) in enumerate(zip(self.problem.distances, self._apart, strict=True)):
            jacobian.append(x[place] / each.size)
            hessian.append(np.full(len(each.axes), multipliers[self._distances + number] / each.size))
        return ProgramDerivatives(
            objective,
            self._sum(constraints, x),
            np.concatenate(gradient),
            np.concatenate(jacobian),
            np.concatenate(hessian),
        )

    def describe(self, constraint: int) -> str:
        """Say which demand a constraint is, and when."""
        shared = self.shared(constraint)
        if shared is not None:
            return shared.name
        creature, own = self.owner(constraint)
        words: str = self.programs[creature].describe(own)
        return f"{self.problem.creatures[creature].name}: {words}"

    def owner(self, constraint: int) -> tuple[int, int]:
        """The creature, by its number, to which a constraint belongs, and which of its own that is; of one that is
        shared, the first."""
        for creature, rows in enumerate(self._rows):
            own = np.flatnonzero(rows == constraint)
            if len(own):
                return creature, int(own[0])
        found = self.shared(constraint)
        if isinstance(found, DistanceDemand):
            name = found.axes[0].parts[0].creature
        else:
            assert isinstance(found, Simultaneous | BlowExchange), "sums are found in the rows of a creature"
            name = found.one.creature if isinstance(found, Simultaneous) else found.one[0]
        return [each.name for each in self.problem.creatures].index(name), -1

    def shared(self, constraint: int) -> SharedDemand | DistanceDemand | Simultaneous | BlowExchange | None:
        """The demand between creatures that a constraint is; None of one creature's own."""
        if constraint < self._own:
            return None
        number, problem = constraint - self._own, self.problem
        if number < len(problem.shared):
            return problem.shared[number]
        of_axes = [each for each in problem.distances for _ in each.axes]
        return (*of_axes, *self._sums, *problem.distances)[number - len(problem.shared)]

    def origin(self, constraint: int) -> ConstraintOrigin:
        """Return where a constraint comes from."""
        shared = self.shared(constraint)
        if shared is not None:
            return ConstraintOrigin("demand", "", key=shared.key)
        creature, own = self.owner(constraint)
        found: ConstraintOrigin = self.programs[creature].origin(own)
        return found

    def _route(self) -> None:
        """Number the constraints: those of the creatures, then shared ones, then lengths."""
        self._rows, self._factors = list[IntArray](), list[Array]()
        count, shared = 0, list[tuple[int, int, int, float]]()
        for at, (creature, program) in enumerate(zip(self.problem.creatures, self.programs, strict=True)):
            keys = [program.origin(row).key for row in range(len(program.shape.constraint_lower))]
            given = [part for each in self.problem.sums for part in each.parts if part.creature == creature.name]
            taken = [row for row, key in enumerate(keys) if key.startswith(_SHARED)]
            assert len(taken) == len(given), "one constraint for each quantity"
            rows = np.full(len(keys), -1, dtype=np.int32)
            own = np.setdiff1d(np.arange(len(keys)), taken)
            rows[own] = count + np.arange(len(own))
            count += len(own)
            shared += [
                (at, row, int(keys[row][len(_SHARED) :]), part.factor) for row, part in zip(taken, given, strict=True)
            ]
            self._rows.append(rows)
            self._factors.append(np.ones(len(keys)))
        for at, row, number, factor in shared:
            self._rows[at][row], self._factors[at][row] = count + number, factor
        self._own = count
        self._sums: list[Simultaneous | BlowExchange] = [*self._find_clock(), *self.problem.exchanges]
        self._distances = count + len(self.problem.sums) + len(self._sums)
        self._count = self._distances + len(self.problem.distances)

    def _find_clock(self) -> list[Simultaneous]:
        """Give what is said of moments, but for what follows from the rest of it, or is of lengths that are fixed."""
        found, rows = list[Simultaneous](), np.zeros((0, int(self.firsts[-1])))
        free = np.concatenate([each.shape.lower < each.shape.upper for each in self.programs])
        for each in self.problem.simultaneous:
            row = np.zeros(int(self.firsts[-1]))
            for column, factor in self._factors_of(each):
                row[column] += factor
            more = np.vstack([rows, np.where(free, row, 0.0)])
            if np.linalg.matrix_rank(more, tol=1e-9) == len(more):
                found, rows = [*found, each], more
        return found

    def _factors_of(self, each: Simultaneous | BlowExchange) -> list[tuple[int, float]]:
        """Variables, by number, with factors, that make up by how much a moment is later than the other, or a blow is
        larger."""
        found = list[tuple[int, float]]()
        names = [creature.name for creature in self.problem.creatures]
        for moment, sign in ((each.one, 1.0), (each.other, -1.0)):
            if not isinstance(moment, CreatureMoment):
                creature, stage, blow = moment
                found.append((self._blow(names.index(creature), stage, blow), sign))
                continue
            at = names.index(moment.creature)
            number = self.problem.creatures[at].problem.stage(moment.stage)
            lengths = self.firsts[at] + self.programs[at].layout.packed.lengths
            found += [(int(lengths[before]), sign) for before in range(number)]
            found.append((int(lengths[number]), sign * moment.at))
        return found

    def _blow(self, creature: int, stage: str, name: str) -> int:
        """The variable that is a blow."""
        problem, layout = self.problem.creatures[creature].problem, self.programs[creature].layout
        number = problem.stage(stage)
        if isinstance(problem, SpatialProblem):
            own = layout.blows[number, [each.name for each in problem.blows].index(name)]
        else:
            own = layout.packed.firsts[number, problem.function(name)]
        return int(self.firsts[creature] + own)

    def _find_sums(self) -> tuple[IntArray, IntArray, Array]:
        """Entries of the constraints that are sums of variables."""
        rows, columns, values = list[int](), list[int](), list[float]()
        for number, each in enumerate(self._sums):
            for column, factor in self._factors_of(each):
                rows.append(self._own + len(self.problem.sums) + number)
                columns.append(column)
                values.append(factor)
        rows += range(self._own + len(self.problem.shared), self._own + len(self.problem.sums))
        columns += range(int(self.firsts[-1]), self._size)
        values += [-1.0] * (self._size - int(self.firsts[-1]))
        return np.array(rows, dtype=np.int32), np.array(columns, dtype=np.int32), np.array(values)

    def _sum(self, constraints: list[Array], x: Array) -> Array:
        found = np.zeros(self._count)
        for given, rows, factors in zip(constraints, self._rows, self._factors, strict=True):
            np.add.at(found, rows, factors * given)
        rows, columns, values = self._linear
        np.add.at(found, rows, values * x[columns])
        for number, (each, place) in enumerate(zip(self.problem.distances, self._apart, strict=True)):
            found[self._distances + number] = each.measure(float(x[place] @ x[place]))
        return found

    def _find_shape(self) -> ProgramShape:
        shapes = [each.shape for each in self.programs]
        lower, upper, scale = np.zeros(self._count), np.zeros(self._count), np.zeros(self._count)
        for shape, rows in zip(shapes, self._rows, strict=True):
            own = rows < self._own
            lower[rows[own]], upper[rows[own]] = shape.constraint_lower[own], shape.constraint_upper[own]
            np.maximum.at(scale, rows, shape.constraint_scale)
        for number, each in enumerate(self.problem.sums, start=self._own):
            lower[number], upper[number] = each.least, each.most
        for number, found in enumerate(self._sums, start=self._own + len(self.problem.sums)):
            if isinstance(found, Simultaneous):
                lower[number] = upper[number] = found.other.begins - found.one.begins
        for number, far in enumerate(self.problem.distances, start=self._distances):
            lower[number], upper[number], scale[number] = far.bound(far.least), far.bound(far.most), far.size
        apart = np.concatenate([np.zeros(0), *(np.full(len(each.axes), each.size) for each in self.problem.distances)])
        scales = np.concatenate([*(each.scale for each in shapes), apart])
        np.maximum.at(scale, self._linear[0], scales[self._linear[1]])
        scale[scale == 0.0] = 1.0
        free = np.full(len(apart), np.inf)
        of_distances = np.arange(int(self.firsts[-1]), self._size)
        numbers = [self._distances + number for number, each in enumerate(self.problem.distances) for _ in each.axes]
        return ProgramShape(
            lower=np.concatenate([*(each.lower for each in shapes), -free]),
            upper=np.concatenate([*(each.upper for each in shapes), free]),
            scale=scales,
            constraint_lower=lower,
            constraint_upper=upper,
            constraint_scale=scale,
            objective_scale=sum(each.objective_scale for each in shapes),
            jacobian_rows=np.concatenate(
                [
                    *(_moved(rows, each.jacobian_rows) for each, rows in zip(shapes, self._rows, strict=True)),
                    self._linear[0],
                    np.array(numbers, dtype=np.int32),
                ]
            ),
            jacobian_columns=np.concatenate(
                [*self._shifted("jacobian_columns"), self._linear[1], of_distances.astype(np.int32)]
            ),
            hessian_rows=np.concatenate([*self._shifted("hessian_rows"), of_distances.astype(np.int32)]),
            hessian_columns=np.concatenate([*self._shifted("hessian_columns"), of_distances.astype(np.int32)]),
            variable_times=np.concatenate([*(each.variable_times for each in shapes), self._moments(shapes)]),
            constraint_times=np.full(self._count, -1.0),
        )

    def _moments(self, shapes: list[ProgramShape]) -> Array:
        """Give the variables of distances their place in time: behind the latest that their sums read."""
        latest = np.zeros(self._count)
        for shape, rows in zip(shapes, self._rows, strict=True):
            used = (shape.jacobian_rows >= 0) & (shape.jacobian_columns >= 0)
            times = shape.variable_times[shape.jacobian_columns[used]]
            np.maximum.at(latest, rows[shape.jacobian_rows[used]], times)
        return latest[self._own + len(self.problem.shared) : self._own + len(self.problem.sums)]

    def _shifted(self, name: str) -> list[IntArray]:
        """Numbers of variables as all creatures together have them."""
        found = []
        for program, first in zip(self.programs, self.firsts, strict=False):
            numbers = getattr(program.shape, name)
            found.append(np.where(numbers >= 0, numbers + first, -1).astype(np.int32))
        return found


def search_of(problem: Any, *, solver: SolverName = "interior_point") -> Any:
    """Make the problem of one creature ready."""
    return (SpatialSearch if isinstance(problem, SpatialProblem) else MotionSearch)(problem, solver=solver)


@dataclass(frozen=True, eq=False)
class FoundSeveral:
    """Motions that a search has ended with, by creature, and what it says of them."""

    motion: Mapping[str, Any]
    report: SolveReport

    @property
    def notes(self) -> tuple[str, ...]:
        """Say which stages with a free length have come to a bound of it, with their creature."""
        pairs = self.motion.items()
        return tuple(f"{name}: {note}" for name, each in pairs for note in notes_of(each.problem.stages, each.lengths))


class SeveralSearch:
    """A problem of several creatures made ready, for several searches."""

    def __init__(self, problem: SeveralProblem, *, solver: SolverName = "interior_point") -> None:
        self.problem, self.program, self.solver = problem, SeveralProgram(problem), solver

    @cached_property
    def system(self) -> NewtonSystem:
        """Where the numbers of its linear systems stand."""
        return NewtonSystem(self.program.shape)

    @property
    def usual(self) -> SolverEffort | None:
        """How long it searches, where nothing else is said: with a figure in space, as for that."""
        in_space = any(isinstance(each.problem, SpatialProblem) for each in self.problem.creatures)
        return USUAL if in_space else None

    @property
    def from_earlier(self) -> SolverEffort:
        """How long, where it begins at the solution of a problem much like this one."""
        return FROM_EARLIER if self.usual is None else replace(FROM_EARLIER, gain=USUAL.gain)

    @property
    def for_coarse(self) -> SolverEffort:
        """How long on fewer pieces."""
        return COARSE if self.usual is None else SpatialSearch.for_coarse

    def straight_line(self) -> Array:
        """Return the usual guess of each creature."""
        return self.program.completed(np.concatenate([each.straight_line() for each in self.program.searches]))

    def drawn(self, seed: int) -> Array:
        """Return another guess of each, drawn from a seed."""
        return self.program.completed(np.concatenate([each.drawn(seed) for each in self.program.searches]))

    def coarse(self) -> SeveralSearch:
        """Make the search on fewer pieces."""
        creatures = tuple(
            replace(each, problem=search_of(each.problem).coarse().problem) for each in self.problem.creatures
        )
        return SeveralSearch(replace(self.problem, creatures=creatures), solver=self.solver)

    def guess_like(self, motion: Mapping[str, Any]) -> Array:
        """Return the guess that is another problem's motions of the same functions and stages."""
        pairs = zip(self.problem.creatures, self.program.searches, strict=True)
        guesses = [each.guess_like(motion[creature.name]) for creature, each in pairs]
        return self.program.completed(np.concatenate(guesses))

    def iterate(self, guess: Array, effort: SolverEffort | None = None) -> Generator[Iterate, None, FoundSeveral]:
        """Search from a guess; yields after each iteration, and may be closed at any."""
        return unpaused(self.iterate_in_parts(guess, effort))

    def iterate_in_parts(
        self, guess: Array, effort: SolverEffort | None = None
    ) -> Generator[Iterate | None, None, FoundSeveral]:
        """Do so; yields None between the parts of an iteration, too."""
        if self.solver == "ipopt":
            from engine.spacetime import ipopt  # asks for CasADi

            report = yield from ipopt.solve(self.program, guess, effort or self.usual)
        else:
            report = yield from solve_in_parts(self.program, guess, effort or self.usual, system=self.system)
        return FoundSeveral(self.motion(report.last.x), report)

    def find(self, guess: Array | None = None, effort: SolverEffort | None = None) -> FoundSeveral:
        """Search to the end; from the straight line, if no guess is given."""
        return finish(self.iterate_in_parts(self.straight_line() if guess is None else guess, effort))

    def motion(self, x: Array) -> dict[str, Any]:
        """Read variables as motions, by creature."""
        pairs = enumerate(zip(self.problem.creatures, self.program.searches, strict=True))
        return {creature.name: each.motion(self.program.own(x, at)) for at, (creature, each) in pairs}


_SHARED = "shared "


def _moved(rows: IntArray, given: IntArray) -> IntArray:
    found: IntArray = np.where(given >= 0, rows[given], -1).astype(np.int32)
    return found
