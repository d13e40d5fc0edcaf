"""Where the numbers of a problem stand: its variables, its equations of motion, and what kernels read of both.

Each function of each stage has its coefficients in a row: of a Hermite cubic, value and slope node by node. A piece
reads at most four of each (`bases`), so on a piece the local number of coefficient c of function i is 4 i + c, and that
of the stage's length the last. A constant is a variable whose bounds leave it no choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.spacetime.bases import COEFFICIENTS, HERMITE, KINDS, SINGLE
from engine.spacetime.lagrangian import PackedFigure, pack_figure
from engine.spacetime.problem import MotionProblem, MotionStage


class PackedProblem(NamedTuple):
    """A problem as kernels read it. Functions come in the order of `MotionProblem.functions`."""

    figure: PackedFigure
    pieces: IntArray  # [pieces, 2], stage and number within it
    counts: IntArray  # [stages], pieces of each
    lengths: IntArray  # [stages], the variable that is the length
    free_lengths: IntArray  # [stages], 1 where it is free
    kinds: IntArray  # [stages, functions]
    firsts: IntArray  # [stages, functions], the first variable of each
    rows: IntArray  # [stages, coordinates], the first equation of motion of each, or -1
    trials: IntArray  # [pieces, 4 coordinates], the constraint that each coefficient is a trial function of, or -1
    muscles: IntArray  # [muscles], the coordinate that each turns
    costs: Array  # [muscles, 4], weights of torque, power, work, smoothness
    computed: IntArray  # [stages, muscles], 1 where a torque is computed from the motion
    points: Array  # [points, limbs, 2], arms of those of forces and calm points
    forces: IntArray  # [forces], point of each
    force_directions: Array  # [forces, 2]
    calm: IntArray  # [calm points], point of each
    calm_costs: Array  # [calm points]


@dataclass(frozen=True, eq=False, kw_only=True)
class VariableLayout:
    """The variables, and the equations of motion among the constraints."""

    packed: PackedProblem
    lower: Array
    upper: Array
    times: Array  # place of each variable; stage s is from s to s + 1
    scale: Array
    ends: IntArray  # [stages, coordinates, 2], the constraint that links a stage's begin and end to others, or -1
    equations: int  # equations of motion
    equation_names: tuple[tuple[int, int, float], ...]  # stage, coordinate, share of the stage
    equation_scale: Array
    scales: Array  # [functions], what is a large value of each
    seconds: float


def piece_columns(packed: PackedProblem, stage: int, piece: int) -> IntArray:
    """Variable of each local coefficient of a piece, -1 for padding."""
    functions = packed.kinds.shape[1]
    found = np.full(4 * functions + 1, -1, np.int32)
    for i in range(functions):
        kind, first = int(packed.kinds[stage, i]), int(packed.firsts[stage, i])
        start = first + (0, 1, 2)[kind] * piece
        found[4 * i : 4 * i + COEFFICIENTS[kind]] = np.arange(start, start + COEFFICIENTS[kind])
    found[-1] = packed.lengths[stage]
    return found


def fill_trials(layout: VariableLayout) -> None:
    """Say of which constraint each coefficient is the trial function, once the links of stages have theirs.

    Those that are not 0 at an end of a stage belong to the link there, if there is one.
    """
    packed = layout.packed
    for piece, (stage, number) in enumerate(packed.pieces):
        for i in np.flatnonzero(packed.rows[stage] >= 0):
            first, count = int(packed.rows[stage, i]), int(packed.counts[stage])
            for c in range(COEFFICIENTS[int(packed.kinds[stage, i])]):
                hermite = packed.kinds[stage, i] == HERMITE
                node = int(number) + (c // 2 if hermite else c)
                if hermite and c % 2 == 1:
                    row = first + min(2 * node, 2 * count - 1)
                elif 0 < node < count:
                    row = first + (2 * node - 1 if hermite else node - 1)
                else:
                    row = int(layout.ends[stage, i, 0 if node == 0 else 1])
                packed.trials[piece, 4 * i + c] = row


def variable_count(kind: int, pieces: int) -> int:
    """How many variables a function has on a stage."""
    return (1, pieces + 1, 2 * pieces + 2)[kind]


def trial_count(kind: int, pieces: int) -> int:
    """How many equations of motion a coordinate has on a stage."""
    return (0, pieces - 1, 2 * pieces)[kind]


def lay_out(problem: MotionProblem) -> VariableLayout:
    """Number all variables and equations of motion."""
    builder = _Builder(problem)
    for number, stage in enumerate(problem.stages):
        builder.add_stage(number, stage)
    return builder.finish()


class _Builder:
    """Collects variables stage by stage."""

    def __init__(self, problem: MotionProblem) -> None:
        self.problem, stages = problem, len(problem.stages)
        functions, coordinates = len(problem.functions), len(problem.figure.coordinates)
        self.kinds = np.zeros((stages, functions), np.int32)
        self.firsts = np.zeros((stages, functions), np.int32)
        self.rows = np.full((stages, coordinates), -1, np.int32)
        self.lengths = np.zeros(stages, np.int32)
        self.pieces: list[tuple[int, int]] = []
        self.lower: list[Array] = []
        self.upper: list[Array] = []
        self.times: list[Array] = []
        self.scale: list[Array] = []
        self.count = self.equations = 0
        self.names: list[tuple[int, int, float]] = []
        self.equation_scale: list[Array] = []
        self.seconds = sum(stage.length for stage in problem.stages)
        self.scales = natural_scales(problem, self.seconds)

    def add_stage(self, number: int, stage: MotionStage) -> None:
        """Number the variables and equations of one stage."""
        self.pieces += [(number, piece) for piece in range(stage.pieces)]
        problem, coordinates = self.problem, len(self.problem.figure.coordinates)
        of_equations = natural_forces(problem, self.seconds)
        for i, each in enumerate(problem.representations(stage)):
            kind = KINDS[each.kind]
            count = variable_count(kind, stage.pieces)
            bounds = (each.value, each.value) if each.stays else (each.least, each.most)
            lower, upper = np.full(count, float(bounds[0])), np.full(count, float(bounds[1]))
            scale = np.full(count, self.scales[i])
            if kind == HERMITE:
                lower[1::2], upper[1::2] = -np.inf, np.inf
            is_blow = i >= len(problem.functions) - len(problem.blows)
            places = np.zeros(1) if kind == SINGLE else np.linspace(0.0, 1.0, stage.pieces + 1)
            times = number + (np.ones(1) if is_blow else np.repeat(places, 2) if kind == HERMITE else places)
            self.kinds[number, i], self.firsts[number, i] = kind, self.count
            self._add(lower, upper, times, scale)
            computed = problem.implicit and i < coordinates and problem.figure.coordinates[i] in stage.muscles
            if computed and kind != HERMITE:
                what = f"the representation of {problem.figure.coordinates[i]} on {stage.name}"
                raise InvalidArguments(what=what, value=each.kind, allowed="hermite, to compute its torque from")
            if i < coordinates and kind != SINGLE and not computed:
                self.rows[number, i] = self.equations
                rows = trial_count(kind, stage.pieces)
                step = of_equations[i] * stage.length / stage.pieces
                self.equations += rows
                self.equation_scale.append(np.full(rows, step))
                self.names += [
                    (number, i, ((row + 1) // 2 if kind == HERMITE else row + 1) / stage.pieces) for row in range(rows)
                ]
        self.lengths[number] = self.count
        least, most = stage.lengths
        self._add(np.array([least]), np.array([most]), np.array([float(number)]), np.array([stage.length]))

    def _add(self, lower: Array, upper: Array, times: Array, scale: Array) -> None:
        self.lower.append(lower)
        self.upper.append(upper)
        self.times.append(times)
        self.scale.append(scale)
        self.count += len(lower)

    def finish(self) -> VariableLayout:
        """Put the arrays together."""
        lower, upper = np.concatenate(self.lower), np.concatenate(self.upper)
        return VariableLayout(
            packed=self._packed(lower, upper),
            lower=lower,
            upper=upper,
            times=np.concatenate(self.times),
            scale=np.concatenate(self.scale),
            ends=np.full((*self.rows.shape, 2), -1, np.int32),
            equations=self.equations,
            equation_names=tuple(self.names),
            equation_scale=np.concatenate([*self.equation_scale, np.zeros(0)]),
            scales=self.scales,
            seconds=self.seconds,
        )

    def _packed(self, lower: Array, upper: Array) -> PackedProblem:
        problem, figure = self.problem, self.problem.figure
        places = [*(each.point for each in problem.forces), *(each.point for each in problem.calm)]
        arms = [figure.arms(place) for place in places]
        forces = len(problem.forces)
        return PackedProblem(
            figure=pack_figure(figure, problem.gravity),
            pieces=np.array(self.pieces, np.int32),
            counts=np.array([stage.pieces for stage in problem.stages], np.int32),
            lengths=self.lengths,
            free_lengths=(lower < upper)[self.lengths].astype(np.int32),
            kinds=self.kinds,
            firsts=self.firsts,
            rows=self.rows,
            trials=np.full((len(self.pieces), 4 * self.rows.shape[1]), -1, np.int32),
            muscles=np.array([figure.coordinate(each.limb) for each in problem.muscles], np.int32),
            costs=np.array([(each.torque, each.power, each.work, each.smoothness) for each in problem.muscles]).reshape(
                -1, 4
            ),
            computed=np.array(
                [
                    [problem.implicit and each.limb in stage.muscles for each in problem.muscles]
                    for stage in problem.stages
                ]
            ).astype(np.int32),
            points=np.array(arms).reshape(-1, len(figure.limbs), 2),
            forces=np.arange(forces, dtype=np.int32),
            force_directions=np.array([each.direction for each in problem.forces], np.float64).reshape(-1, 2),
            calm=np.arange(forces, len(arms), dtype=np.int32),
            calm_costs=np.array([each.weight for each in problem.calm], np.float64),
        )


def natural_forces(problem: MotionProblem, seconds: float) -> Array:
    """List what is a large force or torque on each coordinate: the weight, or what moves the mass by its size."""
    size = reach(problem)
    force = problem.figure.mass * max(problem.gravity, size / seconds**2)
    return np.array([force, force, *(force * size for _ in problem.figure.limbs)])


def natural_scales(problem: MotionProblem, seconds: float) -> Array:
    """List what is a large value of each function."""
    size, force = reach(problem), float(natural_forces(problem, seconds)[0])
    return np.array(
        [
            size,
            size,
            *(1.0 for _ in problem.figure.limbs),
            *(force * size for _ in problem.muscles),
            *(force for _ in problem.forces),
            *(force * seconds for _ in problem.blows),
        ]
    )


def reach(problem: MotionProblem) -> float:
    """Size of the figure: how far a limb's centre or gyration reaches from the root at most [m]."""
    figure = problem.figure
    found = 0.0
    for limb in figure.limbs:
        length, at = float(np.hypot(*limb.centre)) + limb.gyration, limb
        while at.parent is not None:
            length += float(np.hypot(*at.joint))
            at = figure.limbs[figure.limb(at.parent)]
        found = max(found, length)
    return found if found > 0.0 else 1.0
