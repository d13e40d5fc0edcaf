"""Pick: the body under the pointer, chosen from a small picture of item numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Vector
from engine.runtime.quick_dataclass import dataclass

Array = NDArray[np.float64]
REACH = 6  # [logical px] a body this far from the pointer is still taken
APART = 0.01  # [m] in front of a figure its ghost has to be to be taken


@dataclass(frozen=True, kw_only=True)
class Pick:
    """A body under the pointer."""

    owner: str  # id of the actor
    part: str  # id of the joint that carries the body
    point_world: Vector  # [m] where the ray through the pointer meets the body
    view: int
    keyed: bool = False  # on the keyed ghost behind a figure with secondary motion
    added: str | None = None  # the id of what stands between bodies, a muscle; no joint carries it


@dataclass(frozen=True)
class PickHit:
    """The nearest body in a small picture about the pointer."""

    part: tuple[str, str]  # owner, joint
    point: Vector  # [m]
    away: float  # [px] from the pointer
    along: float  # [m] along the ray


def in_front(solid: PickHit | None, ghost: PickHit | None) -> PickHit | None:
    """Choose between a figure and its ghost: the nearer to the pointer, then the nearer to the eye; the figure where
    both are in one place."""
    if solid is None or ghost is None:
        return solid or ghost
    if solid.away != ghost.away:
        return solid if solid.away < ghost.away else ghost
    return ghost if ghost.along < solid.along - APART else solid


def nearest_number(numbers: NDArray[np.int64], reach: float) -> tuple[int, int, int] | None:
    """Return the number above 0 nearest to the middle of a square picture and its (column, row); None beyond `reach`
    [px].

    Of those equally near the lowest row and column win, so that the answer repeats.
    """
    rows, columns = np.nonzero(numbers)
    if rows.size == 0:
        return None
    middle = (numbers.shape[0] - 1) / 2
    distances = (rows - middle) ** 2 + (columns - middle) ** 2
    best = int(np.argmin(distances))
    if distances[best] > reach * reach:
        return None
    row, column = int(rows[best]), int(columns[best])
    return int(numbers[row, column]), column, row


def ray_triangles(origin: Array, direction: Array, corners: Array) -> float | None:
    """Return the distance along a ray [in lengths of `direction`] to the first of many triangles, shape [n, 3, 3];
    None: no hit.

    Moeller and Trumbore's test, on both sides of each triangle.
    """
    first = corners[:, 1] - corners[:, 0]
    second = corners[:, 2] - corners[:, 0]
    across = np.cross(direction, second)
    volume = np.einsum("ij,ij->i", first, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        offset = origin - corners[:, 0]
        u = np.einsum("ij,ij->i", offset, across) / volume
        turned = np.cross(offset, first)
        v = turned @ direction / volume
        along = np.einsum("ij,ij->i", second, turned) / volume
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & np.isfinite(along)
    return float(along[hit].min()) if hit.any() else None


class Facets:
    """Triangles that many rays are tested against, shape [n, 3, 3]; those far from a ray are not tried."""

    def __init__(self, corners: Array) -> None:
        self._corners = corners
        self._middles = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
        ways = corners - self._middles[:, None]
        self._reach = np.einsum("ijk,ijk->ij", ways, ways).max(axis=1) * (1.0 + 1e-9)

    def meet(self, origin: Array, direction: Array) -> float | None:
        """Return the distance along a ray, as `ray_triangles` does."""
        away = self._middles - origin
        along = away @ direction / np.linalg.norm(direction)
        near = np.einsum("ij,ij->i", away, away) - along * along <= self._reach + 1e-12
        return ray_triangles(origin, direction, self._corners[near])


def meet(origin: Array, direction: Array, corners: Array) -> float:
    """Return how far along a ray a thing is [m]; one that the ray just misses, as far as the middle of its
    triangles."""
    along = ray_triangles(origin, direction, corners)
    return float((corners.mean(axis=(0, 1)) - origin) @ direction) if along is None else along


def meet_segments(origin: Array, direction: Array, starts: Array, ends: Array) -> float:
    """Return how far along a ray it comes nearest to one of some segments [m], shapes [count, 3]."""
    ways, away = ends - starts, starts - origin
    across, length = ways @ direction, np.einsum("ij,ij->i", ways, ways)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (across * (away @ direction) - np.einsum("ij,ij->i", ways, away)) / (length - across * across)
    points = away + np.clip(np.nan_to_num(share, posinf=0.0, neginf=0.0), 0.0, 1.0)[:, None] * ways
    along = points @ direction
    return float(along[np.argmin(np.linalg.norm(points - along[:, None] * direction, axis=1))])
