"""A motion problem as a non-linear program: variables and constraints in the order of time, derivatives by kernels."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.optimise.program import ProgramDerivatives, ProgramShape, ProgramValues
from engine.spacetime.bases import quadrature
from engine.spacetime.constraints import list_probes
from engine.spacetime.layout import VariableLayout, lay_out, piece_columns, trial_row
from engine.spacetime.motion_equations import PieceDerivatives, differentiate_pieces, evaluate_pieces
from engine.spacetime.probes import differentiate_probes, evaluate_probes
from engine.spacetime.problem import MotionProblem


class MotionProgram:
    """The program of one problem."""

    def __init__(self, problem: MotionProblem) -> None:
        self.problem, self.layout = problem, lay_out(problem)
        self.rule = quadrature(problem.rule)
        self.probes = list_probes(problem, self.layout)
        self._packed_probes = self.probes.pack()
        self._shape = self._find_shape()

    @property
    def shape(self) -> ProgramShape:
        """What does not change."""
        return self._shape

    def evaluate(self, x: Array) -> ProgramValues:
        """Return objective and constraints."""
        constraints = np.empty(len(self._shape.constraint_lower))
        equations = self.layout.equations
        objective = evaluate_pieces(self.layout.packed, self.rule, x, constraints[:equations])
        evaluate_probes(self.layout.packed, self._packed_probes, x, constraints[equations:])
        return ProgramValues(objective, constraints)

    def differentiate(self, x: Array, multipliers: Array, weight: float) -> ProgramDerivatives:
        """Return them with derivatives."""
        constraints, equations = np.empty(len(self._shape.constraint_lower)), self.layout.equations
        objective = differentiate_pieces(
            self.layout.packed,
            self.rule,
            x,
            multipliers[:equations],
            weight,
            constraints[:equations],
            self._pieces,
        )
        differentiate_probes(
            self.layout.packed,
            self._packed_probes,
            x,
            multipliers[equations:],
            constraints[equations:],
            self._probe_jacobian,
            self._pieces.hessian,
        )
        return ProgramDerivatives(
            objective, constraints, self._pieces.gradient, self._jacobian, self._pieces.hessian.reshape(-1)
        )

    def describe(self, constraint: int) -> str:
        """Say which demand a constraint is, and when."""
        equations = self.layout.equations
        if constraint < equations:
            stage, coordinate, share = self.layout.equation_names[constraint]
            words = f"equation of motion of {self.problem.figure.coordinates[coordinate]}"
        else:
            made = self.probes.constraints[constraint - equations]
            words, stage, share = made.demand, made.stage, made.share
        return f"{words}, {self.problem.stages[stage].name} at {self.nominal_time(stage, share):.3g} s"

    def nominal_time(self, stage: int, share: float) -> float:
        """When a share of a stage comes, with lengths as first guessed."""
        stages = self.problem.stages
        return sum(each.length for each in stages[:stage]) + share * stages[stage].length

    def _find_shape(self) -> ProgramShape:
        layout, packed = self.layout, self.layout.packed
        columns = np.array([piece_columns(packed, int(s), int(k)) for s, k in packed.pieces])
        rows = np.array([_piece_rows(layout, int(s), int(k)) for s, k in packed.pieces])
        count, width = columns.shape
        constraints = self.probes.constraints
        of_probes = layout.equations + self._packed_probes.rows
        self._allocate(count, rows.shape[1], width)
        probe_columns = columns[self._packed_probes.pieces].reshape(-1, width)
        lower_half = np.tril(np.ones((width, width), bool))
        first = np.where(lower_half, columns[:, :, None], -1)
        second = np.broadcast_to(columns[:, None, :], first.shape)
        nothing = np.zeros(0)
        return ProgramShape(
            lower=layout.lower,
            upper=layout.upper,
            scale=layout.scale,
            constraint_lower=np.concatenate(
                [np.zeros(layout.equations), [each.lower for each in constraints], nothing]
            ),
            constraint_upper=np.concatenate(
                [np.zeros(layout.equations), [each.upper for each in constraints], nothing]
            ),
            constraint_scale=np.concatenate([layout.equation_scale, [each.scale for each in constraints], nothing]),
            objective_scale=self._objective_scale(),
            jacobian_rows=np.concatenate(
                [np.repeat(rows.reshape(-1), width), np.repeat(of_probes, width)]
            ),
            jacobian_columns=np.concatenate(
                [np.broadcast_to(columns[:, None, :], (count, rows.shape[1], width)).reshape(-1), probe_columns.reshape(-1)]
            ),
            hessian_rows=first.reshape(-1),
            hessian_columns=second.reshape(-1),
            variable_times=layout.times,
            constraint_times=np.full(layout.equations + len(constraints), -1.0),
        )

    def _allocate(self, pieces: int, rows: int, width: int) -> None:
        """Make room for derivatives; those of pieces and of probes lie behind each other."""
        split, probes = pieces * rows * width, len(self._packed_probes.kinds)
        self._jacobian = np.zeros(split + probes * width)
        self._probe_jacobian = self._jacobian[split:].reshape(probes, width)
        self._pieces = PieceDerivatives(
            self._jacobian[:split].reshape(pieces, rows, width),
            np.zeros((pieces, width, width)),
            np.zeros(len(self.layout.lower)),
        )

    def _objective_scale(self) -> float:
        """What is a large cost: that of a large torque over all the time, or the like."""
        problem, seconds = self.problem, self.layout.seconds
        functions = len(problem.figure.coordinates)
        found = 0.0
        for at, muscle in enumerate(problem.muscles):
            torque = float(self.layout.scales[functions + at])
            found += muscle.torque * torque**2 * seconds + muscle.power * torque**2 / seconds
            found += abs(muscle.work) * torque + muscle.smoothness * torque**2 / seconds
        return found if found > 0.0 else 1.0


def _piece_rows(layout: VariableLayout, stage: int, piece: int) -> list[int]:
    """Constraint of each trial function of a piece, or -1."""
    packed = layout.packed
    found = []
    for i in range(packed.rows.shape[1]):
        for c in range(4):
            row = trial_row(int(packed.kinds[stage, i]), int(packed.counts[stage]), piece, c)
            found.append(-1 if row < 0 or packed.rows[stage, i] < 0 else int(packed.rows[stage, i]) + row)
    return found
