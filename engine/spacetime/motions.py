"""A solution as a motion: what every function is at any time, where limbs are, and how a motion is written down.

Symbols: q coordinates, v rates; u place on a piece.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.maths.arrays import Array
from engine.spacetime.bases import COEFFICIENTS, basis, basis_bend, basis_slope
from engine.spacetime.figures import PlanarFigure
from engine.spacetime.layout import VariableLayout
from engine.spacetime.problem import MotionProblem


@dataclass(frozen=True, eq=False)
class PlannedMotion:
    """The variables of a problem, read as functions of time; before and after, they are held."""

    problem: MotionProblem
    layout: VariableLayout
    x: Array

    @property
    def lengths(self) -> Array:
        """Lengths of the stages [s]."""
        found: Array = self.x[self.layout.packed.lengths]
        return found

    @property
    def duration(self) -> float:
        """Length of the whole [s]."""
        return float(self.lengths.sum())

    def place(self, time: float, *, before: bool = False) -> tuple[int, int, float]:
        """Stage, piece and u of a time; of the stage that ends, where two meet and `before` is asked for."""
        stage, share = stage_at(self.lengths, time, before=before)
        pieces = self.problem.stages[stage].pieces
        piece = min(int(share * pieces), pieces - 1)
        return stage, piece, share * pieces - piece

    def functions(self, time: float, *, order: int = 0, before: bool = False) -> Array:
        """All functions of the problem at a time, or their derivatives of order 1 or 2."""
        stage, piece, u = self.place(time, before=before)
        return self._read(stage, piece, u, order)

    def stage_functions(self, stage: int, share: float, *, order: int = 0) -> Array:
        """Return them at a share of a stage."""
        pieces = self.problem.stages[stage].pieces
        piece = min(int(share * pieces), pieces - 1)
        return self._read(stage, piece, share * pieces - piece, order)

    def _read(self, stage: int, piece: int, u: float, order: int) -> Array:
        bases = (basis, basis_slope, basis_bend)[order](u)
        step = self.lengths[stage] / self.problem.stages[stage].pieces
        packed = self.layout.packed
        found = np.empty(packed.kinds.shape[1])
        for i, (kind, first) in enumerate(zip(packed.kinds[stage], packed.firsts[stage], strict=True)):
            start, count = int(first + kind * piece), COEFFICIENTS[int(kind)]
            found[i] = self.x[start : start + count] @ bases[kind, :count]
        read: Array = found / step**order
        return read

    def coordinates(self, time: float, *, order: int = 0, before: bool = False) -> Array:
        """Return q, or its rates or accelerations."""
        return self.functions(time, order=order, before=before)[: len(self.problem.figure.coordinates)]

    def function(self, name: str, time: float, *, order: int = 0) -> float:
        """One function, by its name."""
        return float(self.functions(time, order=order)[self.problem.function(name)])


def stage_at(lengths: Array, time: float, *, before: bool = False) -> tuple[int, float]:
    """Find the stage of a time and the share of it that has passed; where two meet, of the later one, or of the one
    that ends there if `before` is asked for."""
    begins = np.concatenate([[0.0], np.cumsum(lengths)])
    after = np.searchsorted(begins, time, side="left" if before else "right")
    stage = int(np.clip(after - 1, 0, len(lengths) - 1))
    return stage, float(np.clip((time - begins[stage]) / lengths[stage], 0.0, 1.0))


def place_points(figure: PlanarFigure, arms: Array, q: Array) -> Array:
    """Place points of the figure, given by their arms [points, limbs, 2] (`PlanarFigure.arms`): [points, 2]."""
    theta = np.empty(len(q) - 2)
    for j, parent in enumerate(figure.parents):
        theta[j] = q[2 + j] + (theta[parent] if parent >= 0 else 0.0)
    c, s = np.cos(theta), np.sin(theta)
    x = q[0] + arms[:, :, 0] @ c - arms[:, :, 1] @ s
    y = q[1] + arms[:, :, 0] @ s + arms[:, :, 1] @ c
    return np.stack([x, y], axis=-1)
