"""Controls of soft bodies over a motion: activations of splines, and forces on points, as values at knots in time.

Between knots values go straight, so that alphas of splines are just what keys of a document say that are joined by
straight lines. With a knot at the end of every step they are the source's alpha^t, one for each step.
"""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

PASSIVE = 1.0  # alpha of a spline that does nothing
_NO_POINTS = np.zeros(0, dtype=np.int32)


class Spread(NamedTuple):
    """How steps lie between knots: straight from one to the next, held before the first and after the last."""

    knot: IntArray  # at or before the end of each step, shape [step_count]
    share: Array  # of the way to the next, from 0 to 1
    knot_count: int

    def along(self, values: Array) -> Array:
        """Give values in each step, shape [row_count, step_count]: as keys of a document give them, to the bit."""
        first, second = values[:, self.knot], values[:, np.minimum(self.knot + 1, self.knot_count - 1)]
        return np.where(self.share == 1.0, second, first + self.share * (second - first))

    def gathered(self, covectors: Array) -> Array:
        """Turn covectors of values in each step into those of the values at knots."""
        found = np.zeros((len(covectors), self.knot_count))
        after = np.minimum(self.knot + 1, self.knot_count - 1)
        for row, each in zip(found, covectors, strict=True):
            row += np.bincount(self.knot, (1.0 - self.share) * each, self.knot_count)
            row += np.bincount(after, self.share * each, self.knot_count)
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Controls:
    """Choices over a motion: rows of values at knots, those of splines first, then x, y and z of forces on points."""

    spread: Spread  # of the knots over the steps
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
        if len(self.spread.knot) != steps or len(self.spline_of) != segments:
            value = (len(self.spread.knot), self.base.shape, self.spline_of.shape)
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
        return self.spline_count + 3 * len(self.points), self.spread.knot_count

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
        along, count = self.spread.along(values), self.spline_count
        alphas = self.base.copy()
        chosen = self.spline_of >= 0
        alphas[:, chosen] = along[self.spline_of[chosen]].T
        if not len(self.points):
            return alphas, None
        forces = np.zeros((len(alphas), self.point_count, 3))
        forces[:, self.points] = along[count:].T.reshape(len(alphas), -1, 3)
        return alphas, forces.reshape(len(alphas), -1)

    def gathered(self, alphas: Array, forces: Array) -> Array:
        """Turn covectors of alphas and forces in each step into those of the values."""
        rows = np.zeros((self.shape[0], len(alphas)))
        for row in range(self.spline_count):
            rows[row] = alphas[:, self.spline_of == row].sum(axis=1)
        if len(self.points):
            own = forces.reshape(len(alphas), -1, 3)[:, self.points]
            rows[self.spline_count :] = own.reshape(len(alphas), -1).T
        return self.spread.gathered(rows)


def spread(times: Array, knots: Array) -> Spread:
    """Spread knots over times, both ascending and in one unit."""
    if not (len(knots) and (np.diff(knots) > 0.0).all()):
        raise InvalidArguments(what="the times of controls", value=knots, allowed="one or more, ascending")
    at = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, max(len(knots) - 2, 0)).astype(np.int32)
    ends = knots[np.minimum(at + 1, len(knots) - 1)]
    share = np.clip((times - knots[at]) / np.where(ends > knots[at], ends - knots[at], 1.0), 0.0, 1.0)
    return Spread(at, np.asarray(share), len(knots))
