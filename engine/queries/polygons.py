"""Polygons on the sphere that a joint limit may begin with: around directions, or as a cone.

Around directions it is their convex hull, with room and few corners: where all lie within a wide cone, the hull of
their central projection, which keeps great circles straight. Else, where no hull is, a star about their middle. Its
corners are counter-clockwise seen from outside. Directions are unit, shape [count, 3]; no kernel is loaded by this.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.document.limit import ConeRange
from engine.document.values import Vector3

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ROOM = math.radians(3.0)  # around directions, and beyond twists
MOST_CORNERS = 12
_WIDEST = math.radians(80.0)  # from the middle of directions that are projected
_FARTHEST = math.radians(170.0)  # of a corner from the middle
_SECTORS = 16
_FINE = 0.01  # directions nearer to each other count once
_THROUGH = 0.2  # [rad] twists that leave no wider gap go all the way round


def cone_corners(cone: ConeRange) -> tuple[Vector3, ...]:
    """Directions around the boundary of a cone."""
    import numpy as np

    from engine.limits.cones import across

    axis = np.array(cone.axis)
    first, second = across(axis)
    turns = np.arange(MOST_CORNERS) * math.tau / MOST_CORNERS
    swings = np.cos(turns)[:, None] * cone.swing[0] * first + np.sin(turns)[:, None] * cone.swing[1] * second
    angles = np.linalg.norm(swings, axis=1)[:, None]
    found = np.cos(np.minimum(angles, _FARTHEST)) * axis
    return _as_corners(found + np.sin(np.minimum(angles, _FARTHEST)) * np.cross(swings / angles, axis))


def corners_around(directions: Array) -> tuple[Vector3, ...]:
    """A polygon that holds all of some directions, and a little more."""
    import numpy as np

    _, chosen = np.unique(np.round(directions / _FINE), axis=0, return_index=True)
    few = directions[chosen]
    middle = few.mean(axis=0)
    middle = few[0] if np.linalg.norm(middle) < 1e-3 else middle / np.linalg.norm(middle)
    east, north = _beside(middle)
    rings = [few]
    aside = np.cross(north, few)
    aside /= np.maximum(np.linalg.norm(aside, axis=1), 1e-9)[:, None]
    for turn in np.arange(6) * math.tau / 6:
        rings.append(few + math.tan(ROOM) * (math.cos(turn) * aside + math.sin(turn) * np.cross(few, aside)))
    around = np.concatenate(rings)
    if (around @ middle / np.linalg.norm(around, axis=1)).min() < math.cos(_WIDEST):
        return _as_corners(_star(few, middle, east, north))
    flat = np.stack((around @ east, around @ north), axis=1) / (around @ middle)[:, None]
    corners = _fewer(_hull(flat))
    return _as_corners(middle + corners[:, :1] * east + corners[:, 1:] * north)


def ends_of_twists(twists: Array) -> tuple[float, float]:
    """Between which angles twists lie, with some room; whole turns round where they leave no gap."""
    import numpy as np

    sorted_twists = np.sort(np.remainder(twists, math.tau))
    gaps = np.diff(np.concatenate((sorted_twists, sorted_twists[:1] + math.tau)))
    widest = int(np.argmax(gaps))
    if gaps[widest] <= _THROUGH + 2.0 * ROOM:
        return -math.pi, math.pi
    lower = float(sorted_twists[(widest + 1) % len(gaps)]) - ROOM
    upper = lower + math.tau - float(gaps[widest]) + 2.0 * ROOM
    turn = math.tau * round(0.5 * (lower + upper) / math.tau)
    return lower - turn, upper - turn


def _hull(points: Array) -> Array:
    import numpy as np
    from scipy.spatial import ConvexHull

    return np.asarray(points[ConvexHull(points).vertices])  # counter-clockwise in the plane


def _fewer(corners: Array) -> Array:
    """Sides taken away, their neighbours going on to where they meet, until few enough are left; all stays within."""
    found = [tuple(each) for each in corners.tolist()]
    while len(found) > MOST_CORNERS:
        best: tuple[float, int, tuple[float, float]] | None = None
        for at in range(len(found)):
            before, start, end, after = (found[(at + shift) % len(found)] for shift in (-1, 0, 1, 2))
            meeting = _meeting(before, start, end, after)
            if meeting is not None and math.hypot(*meeting) < math.tan(_WIDEST + ROOM):
                more = abs(
                    (end[0] - start[0]) * (meeting[1] - start[1]) - (end[1] - start[1]) * (meeting[0] - start[0])
                )
                best = min(best or (math.inf, 0, meeting), (more, at, meeting))
        if best is None:
            break
        _, at, meeting = best
        found[at] = meeting
        del found[(at + 1) % len(found)]
    return _rows(found)


def _meeting(
    before: tuple[float, float], start: tuple[float, float], end: tuple[float, float], after: tuple[float, float]
) -> tuple[float, float] | None:
    """Find the intersection of the sides before and after one, beyond it; None where they diverge."""
    ax, ay, bx, by = start[0] - before[0], start[1] - before[1], end[0] - after[0], end[1] - after[1]
    across = ax * by - ay * bx
    if abs(across) < 1e-12:
        return None
    cx, cy = end[0] - start[0], end[1] - start[1]
    along, back = (cx * by - cy * bx) / across, (cx * ay - cy * ax) / across
    return (start[0] + along * ax, start[1] + along * ay) if along >= 0.0 and back >= 0.0 else None


def _star(directions: Array, middle: Array, east: Array, north: Array) -> Array:
    """Draw a star as far from the middle, to each side, as the directions there and in the sectors beside it."""
    import numpy as np

    away = np.arccos(np.clip(directions @ middle, -1.0, 1.0)) + 2.0 * ROOM
    bearings = np.arctan2(directions @ north, directions @ east)
    sectors = np.floor(np.remainder(bearings, math.tau) / math.tau * _SECTORS).astype(int) % _SECTORS
    reach = np.full(_SECTORS, 2.0 * ROOM)
    np.maximum.at(reach, sectors, away)
    reach = np.minimum(np.maximum(reach, np.maximum(np.roll(reach, 1), np.roll(reach, -1))), _FARTHEST)[:, None]
    turns = ((np.arange(_SECTORS) + 0.5) * math.tau / _SECTORS)[:, None]
    return np.asarray(np.cos(reach) * middle + np.sin(reach) * (np.cos(turns) * east + np.sin(turns) * north))


def _beside(middle: Array) -> tuple[Array, Array]:
    """Two directions across one; turning from the first to the second is counter-clockwise seen from outside."""
    import numpy as np

    nearest = np.eye(3)[int(np.argmin(np.abs(middle)))]
    east = nearest - middle * (nearest @ middle)
    east /= np.linalg.norm(east)
    return east, np.cross(middle, east)


def _rows(points: list[tuple[float, ...]]) -> Array:
    import numpy as np

    return np.array(points)


def _as_corners(directions: Array) -> tuple[Vector3, ...]:
    import numpy as np

    unit = directions / np.linalg.norm(directions, axis=1)[:, None]
    return tuple((x, y, z) for x, y, z in unit.tolist())
