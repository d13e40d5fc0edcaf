"""Controls of soft bodies over a motion: activations of splines, and forces on points, as values at knots in time.

Between knots values go straight, so that alphas of splines are just what keys of a document say that are joined by
straight lines. With a knot at the end of every step they are the source's alpha^t, one for each step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments

PASSIVE = 1.0  # alpha of a spline that does nothing
_NO_POINTS = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, kw_only=True, eq=False)
class Controls:
    """Choices over a motion: rows of values at knots, those of splines first, then x, y and z of forces on points."""

    basis: Array  # how much each knot counts in each step, shape [step_count, knot_count]
    base: Array  # alphas of all segments where nobody chooses, shape [step_count, segment_count]
    spline_of: IntArray  # which row each segment follows, -1 where none; shape [segment_count]
    points: IntArray = field(default_factory=lambda: _NO_POINTS)  # that forces act on
    point_count: int = 0  # of the scene
    least: float = 0.1  # alpha
    most: float = 3.0
    force: float = 1.0  # [N] that counts as one unit of effort
    strongest: float = np.inf  # [N] along each axis

    def __post_init__(self) -> None:
        steps, segments = self.base.shape
        if self.basis.ndim != 2 or len(self.basis) != steps or len(self.spline_of) != segments:
            value = (self.basis.shape, self.base.shape, self.spline_of.shape)
            raise InvalidArguments(what="the shapes of controls", value=value, allowed="as many steps and segments")
        if not (0.0 <= self.least <= PASSIVE <= self.most and self.force > 0.0 and self.strongest >= 0.0):
            bounds = (self.least, self.most, self.force, self.strongest)
            raise InvalidArguments(
                what="the bounds of controls", value=bounds, allowed="least <= 1 <= most, forces above 0"
            )

    @property
    def spline_count(self) -> int:
        """Number of rows of splines."""
        return int(self.spline_of.max(initial=-1)) + 1

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and knots."""
        return self.spline_count + 3 * len(self.points), self.basis.shape[1]

    def passive(self) -> Array:
        """Give the values that do nothing."""
        found = np.zeros(self.shape)
        found[: self.spline_count] = PASSIVE
        return found

    def bounds(self) -> tuple[Array, Array]:
        """Give the least and the most of each value."""
        lower, upper = np.full(self.shape, -self.strongest), np.full(self.shape, self.strongest)
        lower[: self.spline_count], upper[: self.spline_count] = self.least, self.most
        return lower, upper

    def units(self) -> Array:
        """Give what counts as one unit of effort of each row, as a column."""
        found = np.full((self.shape[0], 1), self.force)
        found[: self.spline_count] = 1.0
        return found

    def acting(self, values: Array) -> tuple[Array, Array | None]:
        """Give alphas of all segments and forces [N] on all points in each step: shapes [step_count, segment_count] and
        [step_count, 3 point_count]; no forces where there are none to choose."""
        along, count = values @ self.basis.T, self.spline_count
        alphas = self.base.copy()
        chosen = self.spline_of >= 0
        alphas[:, chosen] = along[self.spline_of[chosen]].T
        if not len(self.points):
            return alphas, None
        forces = np.zeros((len(self.basis), self.point_count, 3))
        forces[:, self.points] = along[count:].T.reshape(len(self.basis), -1, 3)
        return alphas, forces.reshape(len(self.basis), -1)

    def gathered(self, alphas: Array, forces: Array) -> Array:
        """Turn covectors of alphas and forces in each step into those of the values."""
        found = np.zeros(self.shape)
        for row in range(self.spline_count):
            found[row] = alphas[:, self.spline_of == row].sum(axis=1) @ self.basis
        if len(self.points):
            own = forces.reshape(len(self.basis), -1, 3)[:, self.points]
            found[self.spline_count :] = own.reshape(len(self.basis), -1).T @ self.basis
        return found


def hat_basis(times: Array, knots: Array) -> Array:
    """Compute how much each knot counts at each time where values go straight from knot to knot, and are held before
    the first and after the last; shape [time_count, knot_count]."""
    if not (len(knots) and (np.diff(knots) > 0.0).all()):
        raise InvalidArguments(what="the times of controls", value=knots, allowed="one or more, ascending")
    return np.stack([np.interp(times, knots, row) for row in np.eye(len(knots))], axis=1)
