"""Several creatures in one problem: their programs side by side, with demands between them.

Each creature has a problem of its own, in a plane or in space. A demand between creatures is of a sum of quantities,
each of one of them, with a factor: points that meet are a difference of points along x, and one along y. Each quantity
is a demand without bounds in the problem of its creature; here its constraint is taken away and added to that of the
sum, so that derivatives are those that the problems have. A blow that two give each other is a blow on each, along
opposite directions, and both are as large. All have one clock: moments of which it is said come for both at once,
whatever the lengths of their stages. These two are sums of variables.

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
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.progress import finish, unpaused
from engine.spacetime.figures import LimbPoint
from engine.spacetime.problem import ConstraintOrigin, Demand, Quantity
from engine.spacetime.search import COARSE, FROM_EARLIER, MotionSearch, SolverName, notes_of
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.search import USUAL, SpatialSearch


@dataclass(frozen=True)
class Creature:
    """A problem with a name: a `MotionProblem`, or a `SpatialProblem`."""

    name: str
    problem: Any


@dataclass(frozen=True, kw_only=True)
class CreatureQuantity:
    """A quantity of one creature at a time of one of its stages, times a factor."""

    creature: str
    demand: Any  # of its problem, for a single time; its bounds are not looked at
    factor: float = 1.0


@dataclass(frozen=True, kw_only=True)
class SharedDemand:
    """Says what a sum of quantities of several creatures has to be."""

    name: str
    parts: tuple[CreatureQuantity, ...]
    least: float = 0.0
    most: float = 0.0
    key: str = ""  # whose demand it is

    def __post_init__(self) -> None:
        if not self.least <= self.most:
            allowed = "a least that is not above the most"
            raise InvalidArguments(what=f"what {self.name} demands", value=(self.least, self.most), allowed=allowed)
        if any(each.demand.until is not None for each in self.parts):
            raise InvalidArguments(what=f"the times of {self.name}", value="a range", allowed="single times")


@dataclass(frozen=True)
class CreatureMoment:
    """A share of a stage of a creature, whose first stage begins at a time of all."""

    creature: str
    stage: str
    at: float = 1.0
    begins: float = 0.0  # [s]


@dataclass(frozen=True, kw_only=True)
class Simultaneous:
    """Says that moments of two creatures come at once."""

    name: str
    one: CreatureMoment
    other: CreatureMoment
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class BlowExchange:
    """Says that blows of two creatures, each (creature, stage, blow), are as large as each other; their directions say
    that they are opposite."""

    name: str
    one: tuple[str, str, str]
    other: tuple[str, str, str]
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class SeveralProblem:
    """All that motions of several creatures are to be found for."""

    creatures: tuple[Creature, ...]
    shared: tuple[SharedDemand, ...] = ()
    simultaneous: tuple[Simultaneous, ...] = ()
    exchanges: tuple[BlowExchange, ...] = ()

    def __post_init__(self) -> None:
        names = tuple(each.name for each in self.creatures)
        if not names or len(set(names)) < len(names):
            raise InvalidArguments(what="the names of creatures", value=names, allowed="one or more, each once")
        for name in (*(part.creature for each in self.shared for part in each.parts), *self._timed):
            if name not in names:
                raise UnknownPart(kind="creature", id=name, known=names)

    @property
    def _timed(self) -> tuple[str, ...]:
        timed = [moment.creature for each in self.simultaneous for moment in (each.one, each.other)]
        return (*timed, *(side[0] for each in self.exchanges for side in (each.one, each.other)))


def meeting(
    name: str, one: tuple[str, str, LimbPoint], other: tuple[str, str, LimbPoint], *, at: float
) -> tuple[SharedDemand, ...]:
    """Demand that points of two creatures, each (creature, stage, point), are in one place at a share of the stages."""
    return tuple(
        between(f"{name} ({axis})", one, other, "point", direction, at=at)
        for axis, direction in (("x", (1.0, 0.0)), ("y", (0.0, 1.0)))
    )


def between(
    name: str,
    one: tuple[str, str, LimbPoint],
    other: tuple[str, str, LimbPoint],
    quantity: Quantity,
    direction: tuple[float, float],
    *,
    at: float,
) -> SharedDemand:
    """Demand that two points do not differ in a quantity along a direction."""
    return SharedDemand(
        name=name,
        parts=tuple(
            CreatureQuantity(
                creature=creature,
                demand=Demand(stage=stage, quantity=quantity, point=point, direction=direction, at=at),
                factor=factor,
            )
            for (creature, stage, point), factor in ((one, 1.0), (other, -1.0))
        ),
    )


class SeveralProgram:
    """The program of all creatures."""

    def __init__(self, problem: SeveralProblem) -> None:
        self.problem = problem
        asked = {each.name: list[Any]() for each in problem.creatures}
        for number, shared in enumerate(problem.shared):
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
        return ProgramDerivatives(
            objective,
            self._sum(constraints, x),
            np.concatenate(gradient),
            np.concatenate(jacobian),
            np.concatenate(hessian),
        )

    def describe(self, constraint: int) -> str:
        """Say which demand a constraint is, and when."""
        shared = self.problem.shared
        if constraint >= self._own:
            number = constraint - self._own
            return shared[number].name if number < len(shared) else self._sums[number - len(shared)].name
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
        found = self._sums[constraint - self._own - len(self.problem.shared)]
        name = found.one.creature if isinstance(found, Simultaneous) else found.one[0]
        return [each.name for each in self.problem.creatures].index(name), -1

    def shared(self, constraint: int) -> SharedDemand | Simultaneous | BlowExchange | None:
        """The demand between creatures that a constraint is; None of one creature's own."""
        number, listed = constraint - self._own, self.problem.shared
        if number < 0:
            return None
        return listed[number] if number < len(listed) else self._sums[number - len(listed)]

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
            given = [part for each in self.problem.shared for part in each.parts if part.creature == creature.name]
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
        self._count = count + len(self.problem.shared) + len(self._sums)

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
                rows.append(self._own + len(self.problem.shared) + number)
                columns.append(column)
                values.append(factor)
        return np.array(rows, dtype=np.int32), np.array(columns, dtype=np.int32), np.array(values)

    def _sum(self, constraints: list[Array], x: Array) -> Array:
        found = np.zeros(self._count)
        for given, rows, factors in zip(constraints, self._rows, self._factors, strict=True):
            np.add.at(found, rows, factors * given)
        rows, columns, values = self._linear
        np.add.at(found, rows, values * x[columns])
        return found

    def _find_shape(self) -> ProgramShape:
        shapes = [each.shape for each in self.programs]
        lower, upper, scale = np.zeros(self._count), np.zeros(self._count), np.zeros(self._count)
        for shape, rows in zip(shapes, self._rows, strict=True):
            own = rows < self._own
            lower[rows[own]], upper[rows[own]] = shape.constraint_lower[own], shape.constraint_upper[own]
            np.maximum.at(scale, rows, shape.constraint_scale)
        for number, each in enumerate(self.problem.shared, start=self._own):
            lower[number], upper[number] = each.least, each.most
        for number, found in enumerate(self._sums, start=self._own + len(self.problem.shared)):
            if isinstance(found, Simultaneous):
                lower[number] = upper[number] = found.other.begins - found.one.begins
        np.maximum.at(scale, self._linear[0], np.concatenate([each.scale for each in shapes])[self._linear[1]])
        scale[scale == 0.0] = 1.0
        return ProgramShape(
            lower=np.concatenate([each.lower for each in shapes]),
            upper=np.concatenate([each.upper for each in shapes]),
            scale=np.concatenate([each.scale for each in shapes]),
            constraint_lower=lower,
            constraint_upper=upper,
            constraint_scale=scale,
            objective_scale=sum(each.objective_scale for each in shapes),
            jacobian_rows=np.concatenate(
                [
                    *(_moved(rows, each.jacobian_rows) for each, rows in zip(shapes, self._rows, strict=True)),
                    self._linear[0],
                ]
            ),
            jacobian_columns=np.concatenate([*self._shifted("jacobian_columns"), self._linear[1]]),
            hessian_rows=np.concatenate(self._shifted("hessian_rows")),
            hessian_columns=np.concatenate(self._shifted("hessian_columns")),
            variable_times=np.concatenate([each.variable_times for each in shapes]),
            constraint_times=np.full(self._count, -1.0),
        )

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
        return np.concatenate([each.straight_line() for each in self.program.searches])

    def drawn(self, seed: int) -> Array:
        """Return another guess of each, drawn from a seed."""
        return np.concatenate([each.drawn(seed) for each in self.program.searches])

    def coarse(self) -> SeveralSearch:
        """Make the search on fewer pieces."""
        creatures = tuple(
            replace(each, problem=search_of(each.problem).coarse().problem) for each in self.problem.creatures
        )
        return SeveralSearch(replace(self.problem, creatures=creatures), solver=self.solver)

    def guess_like(self, motion: Mapping[str, Any]) -> Array:
        """Return the guess that is another problem's motions of the same functions and stages."""
        pairs = zip(self.problem.creatures, self.program.searches, strict=True)
        return np.concatenate([each.guess_like(motion[creature.name]) for creature, each in pairs])

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
