"""Angles of a chain of hinges for a given rotation, for many frames at once.

R = R0(a) R1(b) R2(c) about any axes n0, n1, n2 that allow it: n0 . R1(b) n2 = n0 . R n2 has two solutions
b = atan2(B, A) +- acos((n0 . R n2 - C) / |(A, B)|) with C = (n0 . n1)(n1 . n2), A = n0 . n2 - C, B = n0 . (n1 x n2)
(Piovan and Bullo, On coordinate-free rotation decomposition, IEEE Trans. Robotics 28, 2012); a and c then turn the
projections of one axis onto those of another. The pair with the smaller angles is taken and polished by Gauss-Newton
on the rotation vector of what is missing, which also keeps it accurate where the outer axes are in line. Any other
number of hinges goes to the nearest rotation by the same iteration.

Rotations of shape [frame_count, 3, 3], axes [hinge_count, 3], angles [frame_count, hinge_count] in radians.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_vectors, turn
from engine.runtime.progress import finish

_ROUNDS = 40
_SMALL = 1e-3  # cost of an angle that a smaller one could take the place of [1/rad^2]
_LEAP, _STEP = 8.0, 0.3  # cost of a leap [1/rad^2] beside the misses of frames, and the step that is none [rad]
_SQUARE = 1e-12  # cosine of axes that count as being at right angles
_TOGETHER = 400  # frames of one slice
_SINGULAR = 1e-7  # share of the largest singular value below which a direction counts as lost


def solve_hinges(axes: Array, rotations: Array) -> Array:
    """Angles whose turns are the rotations, or come nearest to them."""
    return finish(solve_hinges_gradually(axes, rotations))


def solve_hinges_gradually(axes: Array, rotations: Array) -> Generator[None, None, Array]:
    """Find those angles in slices."""
    if len(axes) == 3:
        return (yield from polish_gradually(axes, rotations, _three_hinges(axes, rotations)))
    if len(axes) == 2:
        third = np.cross(axes[0], axes[1])
        if np.linalg.norm(third) > 1e-6:
            start = _three_hinges(np.vstack((axes, third / np.linalg.norm(third))), rotations)[:, :2]
            return (yield from polish_gradually(axes, rotations, start))
    start = np.zeros((len(rotations), len(axes)))
    for each in range(min(len(axes), 1)):
        n = axes[each]
        along = np.einsum("i,fij,j->f", n, rotations, n)
        skew = rotations[:, (2, 0, 1), (1, 2, 0)] - rotations[:, (1, 2, 0), (2, 0, 1)]
        start[:, each] = np.arctan2(skew @ n, np.trace(rotations, axis1=1, axis2=2) - along)
    return start if len(axes) <= 1 else (yield from polish_gradually(axes, rotations, start))


def steady_hinges(axes: Array, rotations: Array, ends: Array) -> Array:
    """Angles of three hinges between their ends, shape [3, 2], near the rotations and with few leaps: of the two
    solutions of each frame, each clipped at either end, those are taken that together miss the rotations and leap least
    over all frames."""
    return finish(steady_hinges_gradually(axes, rotations, ends))


def steady_hinges_gradually(axes: Array, rotations: Array, ends: Array) -> Generator[None, None, Array]:
    """Find those angles in slices."""
    polished = []
    for each in _both(axes, rotations):
        polished.append((yield from polish_gradually(axes, rotations, each)))
    both = np.array(polished)
    ranged: NDArray[np.bool_] = np.asarray(np.isfinite(ends).all(axis=1))
    middle = np.zeros(3)
    middle[ranged] = ends[ranged].mean(axis=1)
    both -= np.where(ranged, 2.0 * np.pi * np.rint((both - middle) / (2.0 * np.pi)), 0.0)
    # What is beyond one end is beyond the other one a turn further on: each angle may stop at either.
    further = both - np.where(ranged, 2.0 * np.pi * np.sign(both - middle), 0.0)
    ways = [np.where(mask, further, both) for mask in np.ndindex(2, 2, 2)]
    both = np.clip(np.concatenate(ways), ends[:, 0], ends[:, 1])
    count = len(rotations)
    missed = []
    for each in both:
        missed.append(_missed(axes, each, rotations))
        yield
    miss = np.array(missed) + _SMALL * np.sum(both**2, axis=2)
    leaps = np.empty((len(both), len(both), count - 1))  # from the first index to the second
    for place, each in enumerate(both):
        steps = both[:, 1:] - each[:-1]
        steps -= np.where(ranged, 0.0, 2.0 * np.pi * np.rint(steps / (2.0 * np.pi)))
        leaps[place] = _LEAP * np.sum(np.maximum(np.abs(steps) - _STEP, 0.0) ** 2, axis=2)
        yield
    every = np.arange(len(both))
    cost, came = miss[:, 0], np.zeros((count, len(both)), np.int64)
    for frame in range(1, count):
        if frame % _TOGETHER == 0:
            yield
        ways_here = cost[:, None] + leaps[:, :, frame - 1]
        came[frame] = np.argmin(ways_here, axis=0)
        cost = ways_here[came[frame], every] + miss[:, frame]
    chosen = np.zeros(count, np.int64)
    chosen[-1] = int(np.argmin(cost))
    for frame in range(count - 1, 0, -1):
        chosen[frame - 1] = came[frame, chosen[frame]]
    return np.asarray(both[chosen, np.arange(count)])


def _missed(axes: Array, angles: Array, rotations: Array) -> Array:
    """The squared angles by which turns miss the rotations [rad^2]."""
    after = np.broadcast_to(np.eye(3), (len(angles), 3, 3))
    for each in range(len(axes) - 1, -1, -1):
        after = turn(axes[each], angles[:, each]) @ after
    return np.asarray(np.sum(rotation_vectors(np.swapaxes(after, 1, 2) @ rotations) ** 2, axis=1))


def polish(axes: Array, rotations: Array, start: Array) -> Array:
    """Angles near `start` that come nearest to the rotations."""
    return finish(polish_gradually(axes, rotations, start))


def polish_gradually(axes: Array, rotations: Array, start: Array) -> Generator[None, None, Array]:
    """Find those angles round by round."""
    angles = start.copy()
    for _ in range(_ROUNDS):
        yield
        columns, after = np.empty((len(angles), 3, len(axes))), np.broadcast_to(np.eye(3), (len(angles), 3, 3))
        for each in range(len(axes) - 1, -1, -1):
            columns[:, :, each] = np.einsum("fji,j->fi", after, axes[each])
            after = turn(axes[each], angles[:, each]) @ after
        missing = rotation_vectors(np.swapaxes(after, 1, 2) @ rotations)
        step = np.einsum("fij,fj->fi", np.linalg.pinv(columns, rcond=_SINGULAR), missing)
        angles += step
        if np.abs(step).max(initial=0.0) < 1e-14:
            break
    return angles


def _three_hinges(axes: Array, rotations: Array) -> Array:
    """The solutions with the smaller angles."""
    best, other = _both(axes, rotations)
    nearer = np.sum(other**2, axis=1) < np.sum(best**2, axis=1) - 1e-9
    best[nearer] = other[nearer]
    return np.asarray(best)


def _both(axes: Array, rotations: Array) -> Array:
    """Both solutions, shape [2, frame_count, 3]."""
    n0, n1, n2 = axes
    constant = (n0 @ n1) * (n1 @ n2)
    cosine, sine = float(n0 @ n2 - constant), float(n0 @ np.cross(n1, n2))
    along, across = rotations @ n2 @ n0, np.linalg.norm(np.cross(n0, rotations @ n2), axis=1)
    if abs(n0 @ n1) + abs(n1 @ n2) < _SQUARE:
        # The same angle as by the arc cosine, which would be lost to rounding where the outer axes are nearly in line.
        reach = np.arctan2(across, along)
    else:
        reach = np.arccos(np.clip((along - constant) / max(np.hypot(cosine, sine), 1e-300), -1.0, 1.0))
    solutions = []
    for sign in (1.0, -1.0):
        middle = np.arctan2(sine, cosine) + sign * reach
        between = turn(n1, middle)
        first = _angle_between(n0, between @ n2, rotations @ n2)
        rest = np.swapaxes(turn(n0, first) @ between, 1, 2) @ rotations
        # Where the outer axes are in line any first angle will do, and the last one takes what is left.
        side = np.cross(n2, (1.0, 0.0, 0.0) if abs(n2[0]) < 0.8 else (0.0, 1.0, 0.0))
        last = _angle_between(n2, np.broadcast_to(side, (*first.shape, 3)), rest @ side)
        found = np.stack((first, middle, last), axis=1)
        solutions.append(found - 2.0 * np.pi * np.rint(found / (2.0 * np.pi)))
    return np.array(solutions)


def _angle_between(axis: Array, start: Array, end: Array) -> Array:
    """The turns about an axis that take the projections of vectors onto those of others; 0 where there are none."""
    start, end = np.cross(axis, start), np.cross(axis, end)
    sine, cosine = np.cross(start, end) @ axis, np.einsum("fi,fi->f", start, end)
    return np.asarray(np.where(np.hypot(sine, cosine) < 1e-24, 0.0, np.arctan2(sine, cosine)))
