"""Controls of soft bodies over a motion: activations of splines, and forces on points, as values at knots in time.

Between knots values go straight, so that alphas of splines are just what keys of a document say that are joined by
straight lines. With a knot at the end of every step they are the source's alpha^t, one for each step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

PASSIVE = 1.0  # alpha of a spline that does nothing


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
class PointForces:
    """Forces on points that may be chosen: three rows of values for each, x, y and z."""

    points: IntArray  # of the scene
    spread: Spread  # of the knots over the steps
    strongest: float = np.inf  # [N] along each axis
    unit: float = 1.0  # [N] that counts as one unit of effort

    def __post_init__(self) -> None:
        if not (self.strongest > 0.0 and self.unit > 0.0):
            value = (self.strongest, self.unit)
            raise InvalidArguments(what="the bounds of forces", value=value, allowed="more than 0 N")

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return 3 * len(self.points)


@dataclass(frozen=True, kw_only=True, eq=False)
class Controls:
    """Choices over a motion: rows of values at knots, those of splines first, then those of forces."""

    spread: Spread  # of the knots over the steps
    base: Array  # alphas of all segments where nobody chooses, shape [step_count, segment_count]
    spline_of: IntArray  # which row each segment follows, -1 where none; shape [segment_count]
    forces: tuple[PointForces, ...] = ()
    point_count: int = 0  # of the scene
    others: Array | None = None  # forces [N] on all points that nobody chooses, shape [step_count, 3 point_count]
    least: float = 0.1  # alpha
    most: float = 3.0

    def __post_init__(self) -> None:
        steps, segments = self.base.shape
        if len(self.spread.knot) != steps or len(self.spline_of) != segments:
            value = (len(self.spread.knot), self.base.shape, self.spline_of.shape)
            raise InvalidArguments(what="the shapes of controls", value=value, allowed="as many steps and segments")
        if not 0.0 <= self.least <= PASSIVE <= self.most:
            value = (self.least, self.most)
            raise InvalidArguments(what="the bounds of controls", value=value, allowed="least <= 1 <= most")

    @property
    def spline_count(self) -> int:
        """Number of rows of splines."""
        return int(self.spline_of.max(initial=-1)) + 1

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and knots."""
        return self.spline_count + sum(each.row_count for each in self.forces), self.spread.knot_count

    @property
    def force_rows(self) -> tuple[slice, ...]:
        """The rows of each of the forces."""
        found, first = list[slice](), self.spline_count
        for each in self.forces:
            found.append(slice(first, first + each.row_count))
            first += each.row_count
        return tuple(found)

    @property
    def pushes(self) -> bool:
        """True if there are forces."""
        return bool(self.forces) or self.others is not None

    def passive(self) -> Array:
        """Give the values that do nothing."""
        found = np.zeros(self.shape)
        found[: self.spline_count] = PASSIVE
        return found

    def bounds(self) -> tuple[Array, Array]:
        """Give the least and the most of each value."""
        lower, upper = np.full(self.shape, self.least), np.full(self.shape, self.most)
        for rows, each in zip(self.force_rows, self.forces, strict=True):
            lower[rows], upper[rows] = -each.strongest, each.strongest
        return lower, upper

    def units(self) -> Array:
        """Give what counts as one unit of effort of each row, as a column."""
        found = np.ones((self.shape[0], 1))
        for rows, each in zip(self.force_rows, self.forces, strict=True):
            found[rows] = each.unit
        return found

    def acting(self, values: Array) -> tuple[Array, Array | None]:
        """Give alphas of all segments and forces [N] on all points in each step: shapes [step_count, segment_count] and
        [step_count, 3 point_count]; no forces where there are none."""
        alphas = self.base.copy()
        if self.spline_count:
            along, chosen = self.spread.along(values[: self.spline_count]), self.spline_of >= 0
            alphas[:, chosen] = along[self.spline_of[chosen]].T
        if not self.pushes:
            return alphas, None
        forces = np.zeros((len(alphas), 3 * self.point_count)) if self.others is None else self.others.copy()
        by_point = forces.reshape(len(alphas), -1, 3)
        for rows, each in zip(self.force_rows, self.forces, strict=True):
            by_point[:, each.points] += each.spread.along(values[rows]).T.reshape(len(alphas), -1, 3)
        return alphas, forces

    def gathered(self, alphas: Array, forces: Array) -> Array:
        """Turn covectors of alphas and forces in each step into those of the values."""
        found, count = np.zeros(self.shape), self.spline_count
        rows = np.zeros((count, len(alphas)))
        for row in range(count):
            rows[row] = alphas[:, self.spline_of == row].sum(axis=1)
        found[:count] = self.spread.gathered(rows)
        for own, each in zip(self.force_rows, self.forces, strict=True):
            felt = forces.reshape(len(alphas), -1, 3)[:, each.points].reshape(len(alphas), -1)
            found[own] = each.spread.gathered(np.ascontiguousarray(felt.T))
        return found


def spread(times: Array, knots: Array) -> Spread:
    """Spread knots over times, both ascending and in one unit."""
    if not (len(knots) and (np.diff(knots) > 0.0).all()):
        raise InvalidArguments(what="the times of controls", value=knots, allowed="one or more, ascending")
    at = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, max(len(knots) - 2, 0)).astype(np.int32)
    ends = knots[np.minimum(at + 1, len(knots) - 1)]
    share = np.clip((times - knots[at]) / np.where(ends > knots[at], ends - knots[at], 1.0), 0.0, 1.0)
    return Spread(at, np.asarray(share), len(knots))


def held(times: Array, knots: Array) -> Spread:
    """Spread knots over the ends of steps [same unit] so that a value stays from its knot to the next one."""
    straight = spread(times, knots)
    at = np.clip(np.searchsorted(knots, times, side="left") - 1, 0, max(len(knots) - 2, 0)).astype(np.int32)
    return Spread(at, np.zeros(len(times)), straight.knot_count)
