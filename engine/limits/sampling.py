"""Samples between samples, until neighbours in Euler space are at most half a cell apart (14.2, figure 18).

Between two orientations of a joint of three hinges, whose axes stand at right angles one to the next, samples follow
the shorter arc (slerp), in steps that are halved while they are too long, and become angles again on the branch of the
sample before: of the two triples of angles that an orientation has, and their whole turns, the nearest. At gimbal lock
a small turn is a large step of angles; where the orientation stays the same along it, the step is filled by a straight
line of angles, since all of them are poses that the clip went through. Where it does not, the two samples stand on
different branches: the way ends, which is noted. Other hinges (one, two, four, five, or three with axes that are askew)
follow straight lines of angles, the short way round along periodic axes.

Samples as they were given are kept, but for the same one twice in a row; those between that leave the grid are left
out. An orientation here is q(a, b, c) = x(a) y(b + tilt) x(c), in a frame whose x and y are the first two axes: the
joint's own but for a constant turn, which no slerp notices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import Grid
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from engine.runtime.jit import kernel

Notes = tuple[str, ...]

_HALF_CELL = 0.5
_LEAST_STEP = 1.0 / 4096.0  # of the way between two samples
_MOST_BETWEEN = 4096  # samples in one straight line
_SAME = 0.1  # [rad] orientations as near as this count as one, at gimbal lock
_JUMP = math.pi / 4  # [rad] between two samples of a clip
_ACROSS = 1e-6  # cosine of a right angle
# Counters that the kernel returns.
_WRITTEN, _JUMPS, _BRANCHES, _COUNTERS = 0, 1, 2, 3


def sample_between(
    grid: Grid, angles: Array, clips: Sequence[int], *, joins_clips: bool, axes: Array | None
) -> tuple[Array, Notes]:
    """The samples and those between them [rad], shape [count, angle_count], and what a person should know of them.

    `axes`: unit, shape [3, 3], of the hinges of one joint in order; None for hinges of several joints.
    """
    _check(grid, angles)
    starts = np.zeros(len(angles), dtype=np.bool_)
    starts[np.cumsum([0, *clips[:-1]])] = True
    joined = ~starts
    if joins_clips:
        joined[1:] = True
    tilt = find_tilt(axes) if angles.shape[1] == 3 and axes is not None else None
    spacing, periodic = np.array(grid.spacing), np.array(grid.periodic)
    counters = np.zeros(_COUNTERS, dtype=np.int64)
    given = np.array(angles, dtype=np.float64)
    found = np.empty((4 * len(angles) + 1024, angles.shape[1]))
    slerps, turn = tilt is not None, 0.0 if tilt is None else tilt
    _fill_between(given, joined, starts, spacing, periodic, slerps, turn, counters, found)
    if counters[_WRITTEN] > len(found):
        found = np.empty((counters[_WRITTEN], angles.shape[1]))
        _fill_between(given, joined, starts, spacing, periodic, slerps, turn, counters, found)
    found = found[: counters[_WRITTEN]]
    lower = np.array(grid.lower)
    inside = (found >= lower) & (found <= lower + (np.array(grid.counts) - 1) * spacing) | periodic
    return found[inside.all(axis=1)], _notes(counters)


def find_tilt(axes: Array) -> float | None:
    """The angle about the second axis from the first to the third; None where axes are not at right angles."""
    first, second, third = np.asarray(axes, dtype=np.float64).tolist()
    if abs(_dot(first, second)) > _ACROSS or abs(_dot(second, third)) > _ACROSS:
        return None
    (a, b, c), (d, e, f) = first, second
    return math.atan2(-_dot(third, (b * f - c * e, c * d - a * f, a * e - b * d)), _dot(third, first))


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _check(grid: Grid, angles: Array) -> None:
    """Refuse samples that no hinge of this grid has."""
    least, most = angles.min(axis=0).tolist(), angles.max(axis=0).tolist()
    far = max(max(most), -min(least))
    if far > math.tau + 1e-9:
        allowed = "angles within two turns, from -2 pi to 2 pi [rad]"
        raise InvalidDocument(what="a sample of a limit", value=far, allowed=allowed)
    for axis, periodic in enumerate(grid.periodic):
        lower = grid.lower[axis]
        upper = lower + (grid.counts[axis] - 1) * grid.spacing[axis]
        for value in (least[axis], most[axis]):
            if not periodic and not lower <= value <= upper:
                what = f"a sample of a limit, its angle {axis + 1},"
                raise InvalidDocument(what=what, value=value, allowed=f"{lower:g} to {upper:g}, within its grid [rad]")


def _notes(counters: NDArray[np.int64]) -> Notes:
    notes = []
    if counters[_JUMPS]:
        notes.append(
            f"the samples jump by more than {math.degrees(_JUMP):.0f} degrees {_often(counters[_JUMPS])}; "
            "the way between is a guess"
        )
    if counters[_BRANCHES]:
        notes.append(
            f"the angles jump {_often(counters[_BRANCHES])} where the pose does not; those parts are not joined"
        )
    return tuple(notes)


def _often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


@kernel
def _fill_between(
    angles: Array,
    joined: NDArray[np.bool_],
    starts: NDArray[np.bool_],
    spacing: Array,
    periodic: NDArray[np.bool_],
    slerps: bool,
    tilt: float,
    out_counters: NDArray[np.int64],
    out_samples: Array,
) -> None:
    """Write samples and what is between; counts on where the room is used up."""
    size = angles.shape[1]
    here, aside, start, end, between = np.empty(size), np.empty(size), np.empty(4), np.empty(4), np.empty(4)
    out_counters[:] = 0
    for row in range(len(angles)):
        if row > 0 and joined[row]:
            for axis in range(size):
                here[axis] = angles[row - 1, axis]
            if slerps and _apart(here, angles[row], spacing, periodic) > _HALF_CELL:
                _write_orientation(here, tilt, start)
                _write_orientation(angles[row], tilt, end)
                if _turn(start, end) > _JUMP and not starts[row]:
                    out_counters[_JUMPS] += 1
                _follow_arc(
                    start, end, angles[row], spacing, periodic, tilt, here, aside, between, out_counters, out_samples
                )
            else:
                if not slerps and not starts[row] and _is_far(here, angles[row], periodic):
                    out_counters[_JUMPS] += 1
                _follow_line(here, angles[row], spacing, periodic, out_counters, out_samples)
        if row == 0 or not _is_same(angles[row - 1], angles[row]):
            _write(angles[row], out_counters, out_samples)


@kernel
def _is_far(a: Array, b: Array, periodic: NDArray[np.bool_]) -> bool:
    """Tell whether one of the angles jumps."""
    far = False
    for axis in range(len(a)):
        far = far or abs(_difference(b[axis] - a[axis], periodic[axis])) > _JUMP
    return far


@kernel
def _is_same(a: Array, b: Array) -> bool:
    same = True
    for axis in range(len(a)):
        same = same and a[axis] == b[axis]
    return same


@kernel
def _follow_arc(
    start: Array,
    end: Array,
    last: Array,
    spacing: Array,
    periodic: NDArray[np.bool_],
    tilt: float,
    out_here: Array,
    out_aside: Array,
    out_q: Array,
    out_counters: NDArray[np.int64],
    out_samples: Array,
) -> None:
    """Follow the arc from `out_here`, of orientation `start`, to the angles `last`, of orientation `end`."""
    dot = start[0] * end[0] + start[1] * end[1] + start[2] * end[2] + start[3] * end[3]
    sign = -1.0 if dot < 0.0 else 1.0
    half = math.acos(min(1.0, abs(dot)))
    share, step = 0.0, 1.0
    while share < 1.0:
        ahead = min(1.0, share + step)
        left, right = 1.0 - ahead, ahead
        if half > 1e-6:
            left, right = math.sin(left * half) / math.sin(half), math.sin(right * half) / math.sin(half)
        for each in range(4):
            out_q[each] = left * start[each] + sign * right * end[each]
        _write_angles(out_q, tilt, out_here, out_aside)
        if _apart(out_here, out_aside, spacing, periodic) > _HALF_CELL:
            if step > _LEAST_STEP:
                step *= 0.5
                continue
            _cross(out_here, out_aside, spacing, periodic, tilt, out_counters, out_samples)
        for axis in range(3):
            out_here[axis] = out_aside[axis]
        if ahead < 1.0:
            _write(out_here, out_counters, out_samples)
        share = ahead
        step = min(2.0 * step, 1.0)
    if _apart(out_here, last, spacing, periodic) > _HALF_CELL:
        _write(out_here, out_counters, out_samples)
        _cross(out_here, last, spacing, periodic, tilt, out_counters, out_samples)


@kernel
def _cross(
    a: Array,
    b: Array,
    spacing: Array,
    periodic: NDArray[np.bool_],
    tilt: float,
    out_counters: NDArray[np.int64],
    out_samples: Array,
) -> None:
    """A straight line between angles of one orientation, if it keeps that orientation."""
    middle, one, other = np.empty(3), np.empty(4), np.empty(4)
    for axis in range(3):
        middle[axis] = a[axis] + 0.5 * _difference(b[axis] - a[axis], periodic[axis])
    _write_orientation(a, tilt, one)
    _write_orientation(middle, tilt, other)
    if _turn(one, other) <= _SAME:
        _follow_line(a, b, spacing, periodic, out_counters, out_samples)
    else:
        out_counters[_BRANCHES] += 1


@kernel
def _follow_line(
    a: Array,
    b: Array,
    spacing: Array,
    periodic: NDArray[np.bool_],
    out_counters: NDArray[np.int64],
    out_samples: Array,
) -> None:
    count = min(math.ceil(_apart(a, b, spacing, periodic) / _HALF_CELL), _MOST_BETWEEN)
    for each in range(1, count):
        place = out_counters[_WRITTEN]
        if place < len(out_samples):
            for axis in range(len(a)):
                out_samples[place, axis] = a[axis] + each / count * _difference(b[axis] - a[axis], periodic[axis])
        out_counters[_WRITTEN] += 1


@kernel
def _write(angles: Array, out_counters: NDArray[np.int64], out_samples: Array) -> None:
    place = out_counters[_WRITTEN]
    if place < len(out_samples):
        for axis in range(len(angles)):
            out_samples[place, axis] = angles[axis]
    out_counters[_WRITTEN] += 1


@kernel
def _difference(angle: float, periodic: bool) -> float:
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5) if periodic else angle


@kernel
def _apart(a: Array, b: Array, spacing: Array, periodic: NDArray[np.bool_]) -> float:
    """Distance in cells."""
    square = 0.0
    for axis in range(len(a)):
        square += (_difference(b[axis] - a[axis], periodic[axis]) / spacing[axis]) ** 2
    return math.sqrt(square)


@kernel
def _turn(a: Array, b: Array) -> float:
    """The angle between two orientations [rad]."""
    dot = abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
    return 2.0 * math.acos(min(1.0, dot))


@kernel
def _write_orientation(angles: Array, tilt: float, out_q: Array) -> None:
    """x(a) y(b + tilt) x(c)."""
    middle = 0.5 * (angles[1] + tilt)
    plus, minus = 0.5 * (angles[0] + angles[2]), 0.5 * (angles[0] - angles[2])
    out_q[0], out_q[1] = math.cos(middle) * math.cos(plus), math.cos(middle) * math.sin(plus)
    out_q[2], out_q[3] = math.sin(middle) * math.cos(minus), math.sin(middle) * math.sin(minus)


@kernel
def _write_angles(q: Array, tilt: float, near: Array, out_angles: Array) -> None:
    """The angles of an orientation that are nearest to `near`."""
    upper, lower = math.hypot(q[0], q[1]), math.hypot(q[2], q[3])
    middle = 2.0 * math.atan2(lower, upper)
    plus = 0.5 * (near[0] + near[2]) if upper < 1e-14 else math.atan2(q[1], q[0])
    minus = 0.5 * (near[0] - near[2]) if lower < 1e-14 else math.atan2(q[3], q[2])
    least = math.inf
    for branch in range(2):
        other = math.pi if branch else 0.0
        a = near[0] + _difference(plus + minus + other - near[0], True)
        b = near[1] + _difference((-middle if branch else middle) - tilt - near[1], True)
        c = near[2] + _difference(plus - minus - other - near[2], True)
        square = (a - near[0]) ** 2 + (b - near[1]) ** 2 + (c - near[2]) ** 2
        if square < least:
            least = square
            out_angles[0], out_angles[1], out_angles[2] = a, b, c
