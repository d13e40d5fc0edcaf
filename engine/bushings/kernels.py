"""Kernels of bushings: strains and by how much these change with rates, and what resists them. The equations are those
of `engine.bushings.forces`, the layout that of `engine.bushings.compile`."""

from __future__ import annotations

import math

import numpy as np

from engine.bushings.compile import BUSHING, COLUMN, FLOATS, FRAMES
from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

SMALL = 1e-4  # [rad]
WORK = 60  # numbers of work memory: two frames, a relative turn, slopes of the rotation vector


@borrowing
@kernel
def measure_bushings(
    count: int, ints: IntArray, floats: Array, state: Array, work: Array, out_strains: Array, out_slopes: Array
) -> None:
    """By how much each is turned [rad] and moved [m], shape [count, 6], and by how much that changes with the rate of
    each column, shape [columns, 6]."""
    for each in range(count):
        entry, at = each * BUSHING, each * FLOATS
        place_frame(state, ints[entry], floats, at, work, 0)
        place_frame(state, ints[entry + 1], floats, at + ROW, work, ROW)
        strain_frames(work, out_strains[each])
        write_turning_slopes(out_strains[each], work)
        for column in range(ints[entry + 2], ints[entry + 3]):
            write_column(ints, count * BUSHING + column * COLUMN, state, work, out_slopes[column])


@borrowing
@kernel
def place_frame(state: Array, row: int, floats: Array, at: int, out_work: Array, to: int) -> None:
    """The frame of a body of the state and one in it as one."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += state[row + 3 * i + k] * floats[at + 3 * k + j]
            out_work[to + 3 * i + j] = total
        total = state[row + 9 + i]
        for k in range(3):
            total += state[row + 3 * i + k] * floats[at + 9 + k]
        out_work[to + 9 + i] = total


@borrowing
@kernel
def strain_frames(work: Array, out_strain: Array) -> None:
    """The rotation vector from the first frame to the second, 0 to pi, and the way between their origins."""
    turn = 2 * ROW  # of work memory: R1^T R2
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += work[3 * k + i] * work[ROW + 3 * k + j]
            work[turn + 3 * i + j] = total
        way = 0.0
        for k in range(3):
            way += work[3 * k + i] * (work[ROW + 9 + k] - work[9 + k])
        out_strain[3 + i] = way
    x = 0.5 * (work[turn + 7] - work[turn + 5])
    y = 0.5 * (work[turn + 2] - work[turn + 6])
    z = 0.5 * (work[turn + 3] - work[turn + 1])
    sine, cosine = math.sqrt(x * x + y * y + z * z), 0.5 * (work[turn] + work[turn + 4] + work[turn + 8] - 1.0)
    if sine > SMALL or cosine > 0.0:
        share = math.atan2(sine, cosine) / sine if sine > SMALL else 1.0
        out_strain[0], out_strain[1], out_strain[2] = share * x, share * y, share * z
        return
    main = 0  # half a turn: the sign of the axis is free
    for i in range(1, 3):
        if work[turn + 4 * i] > work[turn + 4 * main]:
            main = i
    longest, length = math.sqrt(max(0.5 * (work[turn + 4 * main] + 1.0), 0.0)), 0.0
    for i in range(3):
        out_strain[i] = longest if i == main else 0.5 * work[turn + 3 * main + i] / max(longest, SMALL)
        length += out_strain[i] * out_strain[i]
    for i in range(3):
        out_strain[i] *= math.pi / max(math.sqrt(length), SMALL)


@borrowing
@kernel
def write_turning_slopes(strain: Array, work: Array) -> None:
    """(1 - [theta] / 2 + c [theta]^2) R1^T, by which the rotation vector changes as the second body turns."""
    x, y, z = strain[0], strain[1], strain[2]
    squared = x * x + y * y + z * z
    t = math.sqrt(squared)
    c = 1.0 / 12.0 if t < 1e-3 else 1.0 / squared - (1.0 + math.cos(t)) / (2.0 * t * max(math.sin(t), 1e-6))
    a, to = 3 * ROW, 3 * ROW + 9  # of work memory: the matrix, and it times R1^T
    work[a], work[a + 1], work[a + 2] = 1.0 + c * (x * x - squared), 0.5 * z + c * x * y, -0.5 * y + c * x * z
    work[a + 3], work[a + 4], work[a + 5] = -0.5 * z + c * x * y, 1.0 + c * (y * y - squared), 0.5 * x + c * y * z
    work[a + 6], work[a + 7], work[a + 8] = 0.5 * y + c * x * z, -0.5 * x + c * y * z, 1.0 + c * (z * z - squared)
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += work[a + 3 * i + k] * work[3 * j + k]
            work[to + 3 * i + j] = total


@borrowing
@kernel
def write_column(ints: IntArray, entry: int, state: Array, work: Array, out_column: Array) -> None:
    """By how much strains change with one rate: it turns and moves the body that it carries, at the second origin."""
    motion, side, to = ints[entry + 1], float(ints[entry + 3]), 3 * ROW + 9
    if motion < 0:
        for i in range(6):
            out_column[i] = 0.0
        return
    ux, uy, uz = state[motion], state[motion + 1], state[motion + 2]
    vx, vy, vz = ux, uy, uz
    if ints[entry + 2]:
        ux, uy, uz = 0.0, 0.0, 0.0
    else:
        rx, ry, rz = work[ROW + 9] - state[motion + 3], work[ROW + 10] - state[motion + 4], 0.0
        rz = work[ROW + 11] - state[motion + 5]
        vx, vy, vz = uy * rz - uz * ry, uz * rx - ux * rz, ux * ry - uy * rx
    for i in range(3):
        out_column[i] = side * (work[to + 3 * i] * ux + work[to + 3 * i + 1] * uy + work[to + 3 * i + 2] * uz)
        out_column[3 + i] = side * (work[i] * vx + work[3 + i] * vy + work[6 + i] * vz)


@borrowing
@kernel
def fold_columns(folds: IntArray, driven_slopes: Array, out_slopes: Array) -> None:
    """Hand on to the drivers' columns what those of driven rates have."""
    for row in range(folds.shape[0]):
        for i in range(6):
            out_slopes[folds[row, 1], i] += driven_slopes[folds[row, 2]] * out_slopes[folds[row, 0], i]
    for row in range(folds.shape[0]):
        for i in range(6):
            out_slopes[folds[row, 0], i] = 0.0


@borrowing
@kernel
def resist_rates(
    count: int, ints: IntArray, floats: Array, strains: Array, slopes: Array, qd: Array, dt: float, work: Array,
    out_loads: Array, out_sums: Array,
) -> None:  # fmt: skip
    """Write  K q + D q'  of six axes of each, shape [count, 6], and add  -J^T  times that to the torques on all rates,
    the first row, and the bound of  dt J^T (D + dt K) J  to what they fall by, the second."""
    columns = count * BUSHING
    for each in range(count):
        gains, first, last = each * FLOATS + FRAMES, ints[each * BUSHING + 2], ints[each * BUSHING + 3]
        for i in range(6):
            out_loads[each, i], work[i] = 0.0, 0.0
        for column in range(first, last):
            rate = qd[ints[columns + column * COLUMN]]
            for i in range(6):
                out_loads[each, i] += slopes[column, i] * rate
                work[i] += abs(slopes[column, i])
        for i in range(6):
            stiff, damped = floats[gains + i], floats[gains + 6 + i]
            out_loads[each, i] = stiff * strains[each, i] + damped * out_loads[each, i]
            work[i] *= dt * (damped + dt * stiff)
        for column in range(first, last):
            torque, falls = 0.0, 0.0
            for i in range(6):
                torque += slopes[column, i] * out_loads[each, i]
                falls += work[i] * abs(slopes[column, i])
            out_sums[0, ints[columns + column * COLUMN]] -= torque
            out_sums[1, ints[columns + column * COLUMN]] += falls


def new_work() -> Array:
    """Work memory of `measure_bushings`."""
    return np.empty(WORK)
