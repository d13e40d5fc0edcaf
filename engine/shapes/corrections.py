"""Corrections of a keyed surface, so that its secondary motion meets targets: sums of bells (Rahgoshay 2011, 4.3, 4.6).

    f(t) = sum_j  lambda_j phi_j(t) + beta_j psi_j(t),    psi = phi'

of one term for each target, two where its velocity is asked for. f has four parts, which are added where a person would
change the keys: to the weights of shapes; to the turn of the joint, R exp(f); to its place; and what is left to the
vertices themselves, in the world, of which the simulation sees the control points.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.document.correction import Bell
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import exponential, matrices
from engine.motion.bells import bell_motion
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.tracking import KeyedSurface


@dataclass(frozen=True)
class BellTerm:
    """A term: a bell, or (order 1) its derivative in time."""

    bell: Bell
    order: int = 0


def term_values(terms: Sequence[BellTerm], times: Array) -> Array:
    """Values of terms at times [ticks], shape [len(times), terms]; 0 outside of their bells."""
    found = np.zeros((len(times), len(terms)))
    first, last = float(times.min()), float(times.max())
    for column, each in enumerate(terms):
        if each.bell.start < last and each.bell.end > first:
            found[:, column] = bell_motion(each.bell, times)[:, each.order]
    return found


@dataclass(frozen=True, eq=False)
class ShapeCorrection:
    """Coefficients of the terms, the first index of each array."""

    terms: tuple[BellTerm, ...]
    weights: Array  # shape [terms, shape_count]
    turns: Array  # [rad], rotation vectors about the axes of the turned joint, shape [terms, 3]
    shifts: Array  # [m] in the world, shape [terms, 3]
    points: Array  # [m] of control points, shape [terms, point_count, 3]
    vertices: Array  # [m] of all vertices, shape [terms, vertex_count, 3]


@dataclass(frozen=True, eq=False)
class Corrected:
    """A keyed surface with corrections: a `KeyedSurface` itself."""

    keyed: KeyedSurface
    corrections: tuple[ShapeCorrection, ...]

    def weights(self, times: Array) -> Array:
        """Of each shape."""
        found = self.keyed.weights(times)
        for each in self.corrections:
            values = term_values(each.terms, times)
            if values.any() and each.weights.any():
                found = found + added(values, each.weights)
        return found

    def frames(self, times: Array) -> Array:
        """Of the joint."""
        found = self.keyed.frames(times)
        for each in self.corrections:
            values = term_values(each.terms, times)
            if not values.any() or not (each.turns.any() or each.shifts.any()):
                continue
            turns = matrices(exponential(added(values, each.turns)))
            old, found = found[:, :, :3], found.copy()
            found[:, :, :3] = sum(old[:, :, k, None] * turns[:, None, k] for k in range(3))
            found[:, :, 3] += added(values, each.shifts)
        return found

    def jumps(self, start: float, end: float) -> bool:
        """Tell whether anything may jump."""
        return self.keyed.jumps(start, end)

    def moved(self, times: Array, *, controls: bool) -> Array | None:
        """Add up what stands in the world."""
        total: Array | None = None
        for each in self.corrections:
            values, fields = term_values(each.terms, times), each.points if controls else each.vertices
            if values.any():
                found = added(values, fields)
                total = found if total is None else total + found
        return total


def added(values: Array, coefficients: Array) -> Array:
    """Sum coefficients by the values of their terms, one after the other: the same whatever stands beside."""
    shape = (len(values), *(1 for _ in coefficients.shape[1:]))
    found = np.zeros((len(values), *coefficients.shape[1:]))
    for column, each in zip(values.T, coefficients, strict=True):
        if column.any():
            found += column.reshape(shape) * each
    return found
