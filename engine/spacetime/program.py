"""A motion problem as a non-linear program: variables and constraints in the order of time, derivatives by kernels.

Constraints are the equations of motion, then those that are made of probes. Probes that see a coefficient, or a rate on
a stage of fixed length, are linear: their numbers are found once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.optimise.program import ProgramDerivatives, ProgramShape, ProgramValues, multiply_sparse
from engine.spacetime.bases import quadrature
from engine.spacetime.calm import differentiate_calm, evaluate_calm
from engine.spacetime.constraints import list_probes, whole_length
from engine.spacetime.implicit import differentiate_computed, evaluate_computed
from engine.spacetime.layout import VariableLayout, fill_trials, lay_out, piece_columns
from engine.spacetime.motion_equations import PieceDerivatives, differentiate_pieces, evaluate_pieces
from engine.spacetime.patterns import equation_reads, pair_reads, probe_reads
from engine.spacetime.probes import RATE, VALUE, PackedProbes, differentiate_probes, evaluate_probes
from engine.spacetime.problem import ConstraintOrigin, MotionProblem


class MotionProgram:
    """The program of one problem."""

    def __init__(self, problem: MotionProblem) -> None:
        self.problem, self.layout = problem, lay_out(problem)
        self.rule = quadrature(problem.rule)
        listed = list_probes(problem, self.layout)
        self._made = listed.constraints
        fill_trials(self.layout)
        packed, probes = self.layout.packed, listed.pack(len(problem.figure.limbs))
        self._columns = np.array([piece_columns(packed, int(s), int(k)) for s, k in packed.pieces])
        linear = _is_linear(self.layout, probes)
        self._linear = _find_linear(self.layout, _choose(probes, linear), self._columns)
        if problem.whole is not None:
            self._add_whole(problem.whole)
        self._probes = _choose(probes, ~linear)
        self._shape = self._find_shape()

    @property
    def shape(self) -> ProgramShape:
        """Bounds, scales and patterns."""
        return self._shape

    def evaluate(self, x: Array) -> ProgramValues:
        """Return objective and constraints."""
        constraints, equations = np.empty(len(self._shape.constraint_lower)), self.layout.equations
        made = constraints[equations:]
        constraints[:equations] = 0.0
        multiply_sparse(*self._linear, x, made)
        objective = evaluate_pieces(self.layout.packed, self.rule, x, constraints)
        if self.problem.implicit:
            objective += evaluate_computed(self.layout.packed, self.rule, x)
        if self.problem.calm:
            objective += evaluate_calm(self.layout.packed, self.rule, x)
        evaluate_probes(self.layout.packed, self._probes, x, made)
        return ProgramValues(objective, constraints)

    def differentiate(self, x: Array, multipliers: Array, weight: float, *, curved: bool = True) -> ProgramDerivatives:
        """Return them with derivatives, always all of them: torques are squared variables."""
        constraints, equations = np.empty(len(self._shape.constraint_lower)), self.layout.equations
        packed, pieces, made = self.layout.packed, self._pieces, constraints[equations:]
        constraints[:equations] = 0.0
        multiply_sparse(*self._linear, x, made)
        objective = differentiate_pieces(packed, self.rule, x, multipliers, weight, constraints, pieces)
        if self.problem.implicit:
            objective += differentiate_computed(packed, self.rule, x, weight, pieces)
        if self.problem.calm:
            objective += differentiate_calm(packed, self.rule, x, weight, pieces)
        of_probes = multipliers[equations:]
        differentiate_probes(packed, self._probes, x, of_probes, made, self._probe_jacobian, pieces.hessian)
        return ProgramDerivatives(objective, constraints, pieces.gradient, self._jacobian, pieces.hessian.reshape(-1))

    def describe(self, constraint: int) -> str:
        """Say which demand a constraint is, and when."""
        equations = self.layout.equations
        if constraint < equations:
            coordinate = self.layout.equation_names[constraint][1]
            words = f"equation of motion of {self.problem.figure.coordinates[coordinate]}"
        else:
            words = self._made[constraint - equations].demand
        stage, share = self.moment(constraint)
        return f"{words}, {self.problem.stages[stage].name} at {self.nominal_time(stage, share):.3g} s"

    def moment(self, constraint: int) -> tuple[int, float]:
        """Return the stage of a constraint, and when it is looked at as a share of that."""
        equations = self.layout.equations
        if constraint < equations:
            stage, _, share = self.layout.equation_names[constraint]
            return stage, share
        made = self._made[constraint - equations]
        return made.stage, made.share

    def origin(self, constraint: int) -> ConstraintOrigin:
        """Return where a constraint comes from."""
        equations = self.layout.equations
        if constraint < equations:
            return ConstraintOrigin(
                "equation", self.problem.figure.coordinates[self.layout.equation_names[constraint][1]]
            )
        return self._made[constraint - equations].origin

    def nominal_time(self, stage: int, share: float) -> float:
        """When a share of a stage comes, with lengths as first guessed."""
        stages = self.problem.stages
        return sum(each.length for each in stages[:stage]) + share * stages[stage].length

    def _find_shape(self) -> ProgramShape:
        layout, packed, columns, probes = self.layout, self.layout.packed, self._columns, self._probes
        rows = packed.trials
        count, width = columns.shape
        self._allocate(count, rows.shape[1], width)
        probe_columns = np.where(probe_reads(packed, probes), columns[probes.pieces].reshape(-1, width), -1)
        piece_reads = np.where(equation_reads(packed), columns[:, None, :], -1)
        pairs = pair_reads(packed, probes) & np.tril(np.ones((width, width), bool))
        first = np.where(pairs, columns[:, :, None], -1)
        linear_rows, linear_columns, _ = self._linear
        of_probes = np.repeat(layout.equations + probes.rows, width)
        zeros = np.zeros(layout.equations)
        return ProgramShape(
            lower=layout.lower,
            upper=layout.upper,
            scale=layout.scale,
            constraint_lower=np.concatenate([zeros, [float(each.lower) for each in self._made]]),
            constraint_upper=np.concatenate([zeros, [float(each.upper) for each in self._made]]),
            constraint_scale=np.concatenate([layout.equation_scale, [each.scale for each in self._made]]),
            objective_scale=self._objective_scale(),
            jacobian_rows=np.concatenate(
                [np.repeat(rows.reshape(-1), width), of_probes, layout.equations + linear_rows]
            ),
            jacobian_columns=np.concatenate([piece_reads.reshape(-1), probe_columns.reshape(-1), linear_columns]),
            hessian_rows=first.reshape(-1),
            hessian_columns=np.broadcast_to(columns[:, None, :], first.shape).reshape(-1),
            variable_times=layout.times,
            constraint_times=np.full(layout.equations + len(self._made), -1.0),
        )

    def _add_whole(self, seconds: float) -> None:
        """Add how long all stages are together."""
        rows, columns, numbers = self._linear
        lengths = self.layout.packed.lengths
        new = np.full(len(lengths), len(self._made), np.int32)
        self._linear = np.append(rows, new), np.append(columns, lengths), np.append(numbers, np.ones(len(lengths)))
        self._made.append(whole_length(seconds, len(lengths)))

    def _allocate(self, pieces: int, rows: int, width: int) -> None:
        """Make memory for derivatives: those of pieces, of probes, and what is linear, behind each other."""
        split, probes = pieces * rows * width, len(self._probes.kinds)
        end = split + probes * width
        self._jacobian = np.concatenate([np.zeros(end), self._linear[2]])
        self._probe_jacobian = self._jacobian[split:end].reshape(probes, width)
        self._pieces = PieceDerivatives(
            self._jacobian[:split].reshape(pieces, rows, width),
            np.zeros((pieces, width, width)),
            np.zeros(len(self.layout.lower)),
        )

    def _objective_scale(self) -> float:
        """Estimate a large cost: that of a large torque over all the time, or the like."""
        problem, seconds = self.problem, self.layout.seconds
        first, found = len(problem.figure.coordinates), 0.0
        for at, muscle in enumerate(problem.muscles):
            torque = float(self.layout.scales[first + at])
            found += muscle.torque * torque**2 * seconds + muscle.power * torque**2 / seconds
            found += abs(muscle.work) * torque + muscle.smoothness * torque**2 / seconds
        return found if found > 0.0 else 1.0


def _is_linear(layout: VariableLayout, probes: PackedProbes) -> BoolArray:
    """Tell which probes are linear in the variables."""
    stages = layout.packed.pieces[probes.pieces, 0]
    fixed = layout.packed.free_lengths[stages] == 0
    found: BoolArray = (probes.kinds == VALUE) | ((probes.kinds == RATE) & fixed)
    return found


def _choose(probes: PackedProbes, which: BoolArray) -> PackedProbes:
    chosen: list[Any] = [np.ascontiguousarray(each[which]) for each in probes]
    return PackedProbes(*chosen)


def _find_linear(layout: VariableLayout, probes: PackedProbes, columns: IntArray) -> tuple[IntArray, IntArray, Array]:
    """Rows, columns and numbers of what is linear."""
    packed, at = layout.packed, np.arange(len(probes.kinds))
    stages = packed.pieces[probes.pieces, 0]
    kinds = packed.kinds[stages, probes.subjects]
    lengths = layout.lower[packed.lengths[stages]] / packed.counts[stages]
    by_rate = probes.bases[at, 1, kinds] / lengths[:, None]
    numbers = probes.factors[:, None] * np.where((probes.kinds == RATE)[:, None], by_rate, probes.bases[at, 0, kinds])
    places = columns[probes.pieces[:, None], 4 * probes.subjects[:, None] + np.arange(4)]
    used = (numbers != 0.0) & (places >= 0)
    rows = np.broadcast_to(probes.rows[:, None], used.shape)
    return rows[used].astype(np.int32), places[used].astype(np.int32), numbers[used]
