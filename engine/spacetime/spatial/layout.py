"""Where the numbers of a spatial problem stand: its variables, its equations of motion, and what kernels read of both.

On a piece, the local number of coefficient c of coordinate i is 4 i + c, of a force behind all coordinates 2 f + c,
and that of the stage's length the last. Stages that follow each other share the coefficients where they meet, so a path
goes on by itself. What is demanded of values and rates at the ends of a stage fixes coefficients, and is no equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.spacetime.problem import MotionStage, Representation
from engine.spacetime.spatial.power import PackedForces
from engine.spacetime.spatial.problem import SpatialDemand, SpatialForce, SpatialProblem
from engine.spacetime.spatial.splines import greville, spline_basis, spline_count
from engine.spacetime.spatial.strengths import natural_torques
from engine.spacetime.spatial.tree import PackedTree, SpatialFigure

NAILED, LAME, MUSCLE = range(3)
BEYOND = 1e-6  # [rad] or [m] by which what is demanded may lie beyond a bound and yet be so


class PackedSpatial(NamedTuple):
    """A problem as kernels read it."""

    tree: PackedTree
    forces: PackedForces
    pieces: IntArray  # [pieces, 2], stage and number within it
    counts: IntArray  # [stages]
    lengths: IntArray  # [stages], the variable that is the length
    free_lengths: IntArray  # [stages]
    moving: IntArray  # [stages, coordinates]
    roles: IntArray  # [stages, coordinates]
    given: Array  # [stages, coordinates], the torque of one without a muscle
    columns: IntArray  # [pieces, width], the variable of each local number, or -1
    layers: Array  # [pieces, points, 3, 4], coefficients of a coordinate at points of integration
    hats: Array  # [points, 2]
    hat_counts: IntArray  # [stages, forces], 2 where a force is a hat function, else 1
    weights: Array  # [points]
    rows: IntArray  # [pieces, 2 coordinates], the equation of each hat function, or -1
    slots: IntArray  # [stages, coordinates], which of a piece's rows are a coordinate's, or -1
    bounds: IntArray  # [pieces, points, coordinates], the constraint on a torque, or -1
    bound_slots: IntArray  # [stages, coordinates]
    costs: Array  # [coordinates, 4], weights of torque, power, work, smoothness
    pressing: float
    steadiness: float


@dataclass(frozen=True, eq=False, kw_only=True)
class SpatialLayout:
    """The variables, and the constraints that stand at points of integration."""

    packed: PackedSpatial
    lower: Array
    upper: Array
    times: Array
    scale: Array
    equations: int  # equations of motion and bounds of torques
    equation_names: tuple[tuple[int, int, float, bool], ...]  # stage, coordinate, share, whether it is a bound
    equation_lower: Array
    equation_upper: Array
    equation_scale: Array
    row_count: int  # of a piece's block of the Jacobian: equations, then bounds at each point
    bound_count: int
    blows: IntArray  # [stages, blows], the variable of each
    packed_blows: PackedForces
    torque_scales: Array  # [coordinates]
    seconds: float


def lay_out_spatial(problem: SpatialProblem) -> SpatialLayout:
    """Number all variables and equations."""
    builder = _SpatialBuilder(problem)
    for number, stage in enumerate(problem.stages):
        builder.add_stage(number, stage)
    builder.fix_ends()
    return builder.finish()


def is_fixed(problem: SpatialProblem, demand: SpatialDemand) -> bool:
    """Tell whether a demand of a coordinate fixes coefficients: of its value at an end, or of its rate beside one. One
    beyond bounds, or against an earlier one, fixes none: it is a demand that is missed."""
    if not _may_fix(problem, demand):
        return False
    stage = problem.stages[problem.stage(demand.stage)]
    bounds = problem.coordinate(stage, demand.of)
    if demand.quantity == "value":
        return _is_within(demand.least, bounds) and _is_first(problem, demand)
    free = stage.lengths[0] < stage.lengths[1]
    if demand.quantity != "rate" or (free and demand.least != 0.0):
        return False
    step = demand.least * stage.length / (3.0 * stage.pieces) * (1.0 if demand.at == 0.0 else -1.0)
    return any(
        (each.stage, each.of, each.quantity, each.at) == (demand.stage, demand.of, "value", demand.at)
        and is_fixed(problem, each)
        and _is_within(each.least + step, bounds)
        for each in problem.demands
    ) and _is_first(problem, demand)


def _may_fix(problem: SpatialProblem, demand: SpatialDemand) -> bool:
    names = problem.figure.coordinates
    if demand.least != demand.most or demand.until is not None or demand.at not in (0.0, 1.0) or demand.of not in names:
        return False
    return not problem.coordinate(problem.stages[problem.stage(demand.stage)], demand.of).stays


def _is_within(value: float, bounds: Representation) -> bool:
    return bounds.least - BEYOND <= value <= bounds.most + BEYOND


def _is_first(problem: SpatialProblem, demand: SpatialDemand) -> bool:
    """Tell whether no demand before it wants something else of the same coordinate at that moment."""

    def moment(each: SpatialDemand) -> object:
        number = problem.stage(each.stage)
        return (each.quantity, number + each.at if each.quantity == "value" else (number, each.at))

    for each in problem.demands:
        if each is demand:
            return True
        same = each.of == demand.of and moment(each) == moment(demand)
        if same and _may_fix(problem, each) and each.least != demand.least:
            return False
    return True


def pack_forces(figure: SpatialFigure, forces: tuple[SpatialForce, ...]) -> PackedForces:
    """Pack forces, or blows, for kernels."""
    joints = [figure.joint(each.point.joint) for each in forces]
    return PackedForces(
        rates=figure.packed.carriers[joints] if joints else np.zeros(0, np.int32),
        joints=np.array(joints, np.int32),
        places=np.array([each.point.place for each in forces], np.float64).reshape(-1, 3),
        directions=np.array([each.direction for each in forces], np.float64).reshape(-1, 3),
    )


class _Equations(NamedTuple):
    """Holds where equations and bounds stand, whose they are, and their bounds with what is large for each."""

    rows: IntArray
    slots: IntArray
    bounds: IntArray
    bound_slots: IntArray
    names: list[tuple[int, int, float, bool]]
    limits: list[tuple[float, float, float]]


class _SpatialBuilder:
    """Collects variables stage by stage."""

    def __init__(self, problem: SpatialProblem) -> None:
        self.problem, self.figure = problem, problem.figure
        self.n, self.f, stages = len(problem.figure.coordinates), len(problem.forces), len(problem.stages)
        self.seconds = sum(stage.length for stage in problem.stages)
        self.torques = natural_torques(problem.figure)
        self.size, self.force = self.figure.reach, self.figure.mass * max(9.81, self.figure.reach / self.seconds**2)
        self.columns = [np.full((stage.pieces, 4 * self.n + 2 * self.f + 1), -1, np.int32) for stage in problem.stages]
        self.moving = np.zeros((stages, self.n), np.int32)
        self.roles = np.zeros((stages, self.n), np.int32)
        self.given = np.zeros((stages, self.n))
        self.hat_counts = np.ones((stages, self.f), np.int32)
        self.lengths = np.zeros(stages, np.int32)
        self.blows = np.zeros((stages, len(problem.blows)), np.int32)
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.times: list[float] = []
        self.scale: list[float] = []
        self.coefficients: list[list[IntArray]] = []

    def add_stage(self, number: int, stage: MotionStage) -> None:
        """Number the variables of one stage."""
        self.coefficients.append([])
        for i, name in enumerate(self.figure.coordinates):
            self._add_coordinate(number, stage, i, name)
            muscle = stage.muscles.get(name)
            nailed = self.problem.coordinate(stage, name).kind == "constant"
            driven = muscle is not None and muscle.kind != "constant"
            self.roles[number, i] = NAILED if nailed else MUSCLE if driven else LAME
            self.given[number, i] = muscle.value if muscle is not None and not driven else 0.0
        for f, force in enumerate(self.problem.forces):
            each, start = self.problem.force(stage, force.name), len(self.lower)
            hat = each.kind == "hat"
            self.hat_counts[number, f] = 2 if hat else 1
            least, most = (each.value, each.value) if each.stays else (each.least, each.most)
            for place in np.linspace(0.0, 1.0, stage.pieces + 1) if hat else (0.0,):
                self._add(least, most, number + float(place), self.force)
            for piece in range(stage.pieces):
                at = 4 * self.n + 2 * f
                self.columns[number][piece, at : at + 1 + hat] = start + np.arange(1 + hat) + (piece if hat else 0)
        self.lengths[number] = self._add(*stage.lengths, float(number), stage.length)
        self.columns[number][:, -1] = self.lengths[number]
        for at, blow in enumerate(self.problem.blows):
            each = self.problem.blow(stage, blow.name)
            least, most = (each.value, each.value) if each.stays else (each.least, each.most)
            self.blows[number, at] = self._add(least, most, number + 1.0, self.force * stage.length)

    def _add_coordinate(self, number: int, stage: MotionStage, i: int, name: str) -> None:
        each, pieces = self.problem.coordinate(stage, name), stage.pieces
        scale = 1.0 if self.figure.turns[i] else self.size
        if each.stays:
            places = np.full(1, self._add(each.value, each.value, float(number), scale))
            self.columns[number][:, 4 * i] = places[0]
            self._meet(number, i, each.value)
        else:
            self.moving[number, i] = 1
            start, count = len(self.lower), spline_count(pieces)
            shared = number > 0 and self.moving[number - 1, i] == 1
            for share in greville(pieces)[1 if shared else 0 :]:
                self._add(each.least, each.most, number + float(share), scale)
            places = np.arange(start, len(self.lower))
            if shared:
                before = int(self.coefficients[number - 1][i][-1])
                places = np.concatenate([[before], places])
                self.lower[before] = max(self.lower[before], each.least)
                self.upper[before] = min(self.upper[before], each.most)
            elif number > 0:
                value = self.problem.coordinate(self.problem.stages[number - 1], name).value
                self.lower[start] = self.upper[start] = value
            for piece in range(pieces):
                self.columns[number][piece, 4 * i : 4 * i + 4] = places[piece : piece + 4]
            assert len(places) == count
        self.coefficients[number].append(places.astype(np.int32))

    def _meet(self, number: int, i: int, value: float) -> None:
        """End the path of the stage before, if it moves, where a coordinate stays."""
        if number == 0:
            return
        last, name = int(self.coefficients[number - 1][i][-1]), self.figure.coordinates[i]
        before = self.problem.coordinate(self.problem.stages[number - 1], name)
        if before.stays and before.value != value:
            found = f"{before.value:g} on {self.problem.stages[number - 1].name}, {value:g} after it"
            allowed = "the same value of a constant on stages that follow each other"
            raise InvalidArguments(what=name, value=found, allowed=allowed)
        self.lower[last] = self.upper[last] = value

    def fix_ends(self) -> None:
        """Fix the coefficients that demands at the ends of stages leave no choice."""
        demands = [each for each in self.problem.demands if is_fixed(self.problem, each)]
        for demand in sorted(demands, key=lambda each: each.quantity == "rate"):
            number, i = self.problem.stage(demand.stage), self.figure.coordinate(demand.of)
            own, stage = self.coefficients[number][i], self.problem.stages[number]
            end = -1 if demand.at == 1.0 else 0
            if demand.quantity == "value":
                self.lower[own[end]] = self.upper[own[end]] = demand.least
                continue
            step = demand.least * stage.length / (3.0 * stage.pieces)
            value = self.lower[own[end]] + (step if end == 0 else -step)
            beside = own[1 if end == 0 else -2]
            self.lower[beside] = self.upper[beside] = value

    def _add(self, lower: float, upper: float, time: float, scale: float) -> int:
        self.lower.append(float(lower))
        self.upper.append(float(upper))
        self.times.append(time)
        self.scale.append(scale)
        return len(self.lower) - 1

    def _equations(self, places: Array) -> _Equations:
        """Number the equations of motion and the bounds of torques."""
        stages, n = self.problem.stages, self.n
        count = sum(stage.pieces for stage in stages)
        slots, bound_slots = (np.full((len(stages), n), -1, np.int32) for _ in range(2))
        rows = np.full((count, 2 * n), -1, np.int32)
        bounds = np.full((count, len(places), n), -1, np.int32)
        names: list[tuple[int, int, float, bool]] = []
        limits: list[tuple[float, float, float]] = []
        first = 0
        for number, stage in enumerate(stages):
            for i, name in enumerate(self.figure.coordinates):
                length = stage.length / stage.pieces
                if self.roles[number, i] == LAME:
                    slots[number, i] = (slots[number] >= 0).sum()
                    for node in range(stage.pieces + 1):
                        for piece, hat in ((node - 1, 1), (node, 0)):
                            if 0 <= piece < stage.pieces:
                                rows[first + piece, 2 * i + hat] = len(names)
                        names.append((number, i, node / stage.pieces, False))
                        limits.append((0.0, 0.0, self.torques[i] * length))
                muscle = stage.muscles.get(name)
                bounded = muscle is not None and np.isfinite([muscle.least, muscle.most]).any()
                if muscle is not None and bounded and self.roles[number, i] == MUSCLE:
                    bound_slots[number, i] = (bound_slots[number] >= 0).sum()
                    for piece in range(stage.pieces):
                        for point, u in enumerate(places):
                            bounds[first + piece, point, i] = len(names)
                            names.append((number, i, (piece + u) / stage.pieces, True))
                            limits.append((muscle.least, muscle.most, self.torques[i]))
            first += stage.pieces
        return _Equations(rows, slots, bounds, bound_slots, names, limits)

    def finish(self) -> SpatialLayout:
        """Number the equations, and put the arrays together."""
        problem, stages = self.problem, self.problem.stages
        nodes, weights = np.polynomial.legendre.leggauss(problem.points)
        places, n = (nodes + 1.0) / 2.0, self.n
        pieces = [(number, piece) for number, stage in enumerate(stages) for piece in range(stage.pieces)]
        numbers = self._equations(places)
        costs = np.zeros((n, 4))
        for each in problem.muscles:
            costs[self.figure.coordinate(each.limb)] = each.torque, each.power, each.work, each.smoothness
        packed = PackedSpatial(
            tree=self.figure.packed,
            forces=pack_forces(self.figure, problem.forces),
            pieces=np.array(pieces, np.int32),
            counts=np.array([stage.pieces for stage in stages], np.int32),
            lengths=self.lengths,
            free_lengths=np.array([stage.lengths[0] < stage.lengths[1] for stage in stages]).astype(np.int32),
            moving=self.moving,
            roles=self.roles,
            given=self.given,
            columns=np.concatenate(self.columns),
            layers=np.array([[spline_basis(stages[s].pieces, p, u) for u in places] for s, p in pieces]),
            hats=np.stack([1.0 - places, places], axis=1),
            hat_counts=self.hat_counts,
            weights=weights / 2.0,
            rows=numbers.rows,
            slots=numbers.slots,
            bounds=numbers.bounds,
            bound_slots=numbers.bound_slots,
            costs=costs,
            pressing=problem.pressing,
            steadiness=problem.steadiness,
        )
        ends = np.array(numbers.limits).reshape(-1, 3)
        bound_count = int((numbers.bound_slots >= 0).sum(axis=1).max(initial=0))
        return SpatialLayout(
            packed=packed,
            lower=np.array(self.lower),
            upper=np.array(self.upper),
            times=np.array(self.times),
            scale=np.array(self.scale),
            equations=len(numbers.names),
            equation_names=tuple(numbers.names),
            equation_lower=ends[:, 0],
            equation_upper=ends[:, 1],
            equation_scale=ends[:, 2],
            row_count=2 * int((numbers.slots >= 0).sum(axis=1).max(initial=0)) + len(places) * bound_count,
            bound_count=bound_count,
            blows=self.blows,
            packed_blows=pack_forces(self.figure, problem.blows),
            torque_scales=self.torques,
            seconds=self.seconds,
        )
