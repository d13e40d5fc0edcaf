"""Kernels of driven coordinates; `engine.model.driven` has the equations and the layout."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.model.driven import (
    COORDINATE,
    DRIVEN,
    DRIVER,
    DRIVER_RATE,
    END,
    ENTRIES,
    ENTRY,
    FIRST,
    FLOATS,
    HEADER,
    KNOTS,
    OF_RATE,
    RATE,
    STRIDE,
    DrivenCoordinates,
)
from engine.runtime.jit import entered_kernel, kernel


def follow(driven: DrivenCoordinates | None, q: Array) -> Array:
    """The pose with its driven coordinates where they belong; the same object where they are there already."""
    if driven is None:
        return q
    found = np.array(q, dtype=np.float64)
    write_driven(driven.ints, driven.floats, found)
    return q if np.array_equal(found, q) else found


def slopes_of(driven: DrivenCoordinates, q: Array) -> Array:
    """f' of every entry in a pose."""
    found = np.empty(driven.entry_count)
    write_slopes(driven.ints, driven.floats, q, 1, found)
    return found


@kernel
def evaluate_spline(floats: Array, at: int, count: int, x: float, order: int) -> float:
    """Value of a spline, or its first or second derivative by `order`."""
    piece = 0
    while piece < count - 2 and x >= floats[at + piece + 1]:
        piece += 1
    held = min(max(x, floats[at]), floats[at + count - 1])
    row, d = at + count + 4 * piece, held - floats[at + piece]
    if order == 2:
        second: float = 2.0 * floats[row + 2] + 6.0 * d * floats[row + 3]
        return second if held == x else 0.0
    first: float = floats[row + 1] + d * (2.0 * floats[row + 2] + d * 3.0 * floats[row + 3])
    if order == 1:
        return first
    there: float = floats[row] + d * (floats[row + 1] + d * (floats[row + 2] + d * floats[row + 3]))
    there += (x - held) * first
    return there


@entered_kernel
def write_slopes(ints: IntArray, floats: Array, q: Array, order: int, out_slopes: Array) -> None:
    """The first or second derivative of every entry."""
    for each in range(ints[ENTRIES]):
        entry = HEADER + ints[DRIVEN] * STRIDE + each * ENTRY
        at, count = ints[entry + FLOATS], ints[entry + KNOTS]
        out_slopes[each] = evaluate_spline(floats, at, count, q[ints[entry + DRIVER]], order)


@entered_kernel
def write_driven(ints: IntArray, floats: Array, out_q: Array) -> None:
    """Put the driven coordinates of a pose where their drivers want them."""
    for each in range(ints[DRIVEN]):
        head, total = HEADER + each * STRIDE, 0.0
        for number in range(ints[head + FIRST], ints[head + END]):
            entry = HEADER + ints[DRIVEN] * STRIDE + number * ENTRY
            at, count = ints[entry + FLOATS], ints[entry + KNOTS]
            total += evaluate_spline(floats, at, count, out_q[ints[entry + DRIVER]], 0)
        out_q[ints[head + COORDINATE]] = total


@kernel
def write_driven_motion(ints: IntArray, floats: Array, out_motion: Array) -> None:
    """Driven coordinates with their rates and accelerations, shape [times, 3, coordinate_count]."""
    for time in range(out_motion.shape[0]):
        for each in range(ints[DRIVEN]):
            head, value, rate, bend = HEADER + each * STRIDE, 0.0, 0.0, 0.0
            for number in range(ints[head + FIRST], ints[head + END]):
                entry = HEADER + ints[DRIVEN] * STRIDE + number * ENTRY
                at, count, driver = ints[entry + FLOATS], ints[entry + KNOTS], ints[entry + DRIVER]
                x, speed = out_motion[time, 0, driver], out_motion[time, 1, driver]
                slope = evaluate_spline(floats, at, count, x, 1)
                value += evaluate_spline(floats, at, count, x, 0)
                rate += slope * speed
                bend += slope * out_motion[time, 2, driver]
                bend += evaluate_spline(floats, at, count, x, 2) * speed * speed
            place = ints[head + COORDINATE]
            out_motion[time, 0, place] = value
            out_motion[time, 1, place] = rate
            out_motion[time, 2, place] = bend


@kernel
def write_driven_rates(ints: IntArray, slopes: Array, out_qd: Array) -> None:
    """Rates of the driven coordinates, or any other change of the pose to first order."""
    for each in range(ints[DRIVEN]):
        head, total = HEADER + each * STRIDE, 0.0
        for number in range(ints[head + FIRST], ints[head + END]):
            entry = HEADER + ints[DRIVEN] * STRIDE + number * ENTRY
            total += slopes[number] * out_qd[ints[entry + DRIVER_RATE]]
        out_qd[ints[head + RATE]] = total


@entered_kernel
def fold_rates(ints: IntArray, slopes: Array, out_rows: Array) -> None:
    """Hand on to the drivers what rows of one number for each rate have for driven ones, shape [rows, rate_count]:
    gradients, torques, Jacobians."""
    for row in range(out_rows.shape[0]):
        for each in range(ints[ENTRIES]):
            entry = HEADER + ints[DRIVEN] * STRIDE + each * ENTRY
            out_rows[row, ints[entry + DRIVER_RATE]] += slopes[each] * out_rows[row, ints[entry + OF_RATE]]
        for each in range(ints[DRIVEN]):
            out_rows[row, ints[HEADER + each * STRIDE + RATE]] = 0.0


@kernel
def fold_entries(folds: IntArray, slopes: Array, out_numbers: Array) -> None:
    """Hand on to the drivers' numbers what driven ones have; `folds`: place of the driven one, of its driver, and the
    number of its f', shape [n, 3]."""
    for row in range(folds.shape[0]):
        out_numbers[folds[row, 1]] += slopes[folds[row, 2]] * out_numbers[folds[row, 0]]
    for row in range(folds.shape[0]):
        out_numbers[folds[row, 0]] = 0.0


@kernel
def fold_states(ints: IntArray, floats: Array, q: Array, out_rows: Array) -> None:
    """Fold a row of rates for each of some poses, shape [poses, rate_count]."""
    slopes = np.empty(ints[ENTRIES])
    for pose in range(q.shape[0]):
        write_slopes(ints, floats, q[pose], 1, slopes)
        fold_rates(ints, slopes, out_rows[pose : pose + 1])
