"""Driven coordinates in steps: rows along which no speed is left, and a pose that lies on their splines afterwards.

With q_d = sum f_k(q_k) (`engine.model.driven`), the row of a driven coordinate is J = e_d - sum f_k' e_k, and J v' = 0
for the rates after the step: an impulse without bounds, beside those of contacts and stops. It hands on to the drivers
all that the driven body takes, its inertia too. f' is that of the drivers' q + dt qd, where the step leads: so v' has
f'' qd^2 dt in it. That is right to first order, as the steps are; what is left, of second, is set right after the step:
q_d is put on its splines, and its rate with it.

The packed splines stand behind the rates in an articulation's table: how many are driven, how many entries there are;
of each driven coordinate its rate, its place in q, its entries, from and to; of each entry the driver's rate and place,
how many knots it has, where in the table they begin; then those, and four coefficients for each piece.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.layout import (
    FACTOR_STRIDE,
    FACTORS,
    INVERSE,
    KINDS,
    MOTION_STRIDE,
    MOTIONS,
    PREVIOUS,
    RATE_INT_STRIDE,
    extra_of,
)
from engine.maths.arrays import Array, IntArray
from engine.model import driven as tables
from engine.model.compile import RATE_COUNT
from engine.model.driven import DrivenCoordinates
from engine.model.driven_kernels import evaluate_spline
from engine.runtime.jit import kernel, lazy_kernel

DRIVEN, ENTRIES, HEADS = range(3)
RATE, PLACE, FIRST, END = range(4)
DRIVER_RATE, DRIVER, KNOTS, FLOATS = range(4)
STRIDE = 4  # of a driven coordinate, and of an entry


def pack_driven(driven: DrivenCoordinates | None, start: int) -> Array:
    """Pack driven coordinates for a table in which they stand from `start` on; nothing where there are none."""
    if driven is None:
        return np.zeros(0)
    count, entries = int(driven.ints[tables.DRIVEN]), driven.entry_count
    heads = driven.ints[tables.HEADER :][: count * tables.STRIDE].reshape(count, tables.STRIDE)
    rows = driven.ints[tables.HEADER + count * tables.STRIDE :].reshape(entries, tables.ENTRY)
    floats = start + HEADS + STRIDE * (count + entries)
    columns = [tables.DRIVER_RATE, tables.DRIVER, tables.KNOTS, tables.FLOATS]
    listed = rows[:, columns] + np.array([0, 0, 0, floats])
    order = [tables.RATE, tables.COORDINATE, tables.FIRST, tables.END]
    return np.concatenate(([count, entries], heads[:, order].ravel(), listed.ravel(), driven.floats))


@lazy_kernel
def write_coupled(table: Array, start: int, rates: int, q: Array, qd: Array, dt: float, out_rows: Array) -> int:
    """Write the row of each driven coordinate where a step of dt from q at these rates leads, shape [driven,
    rate_count]; return how many there are."""
    count = int(table[start + DRIVEN])
    for each in range(count * rates):
        out_rows[each] = 0.0
    for each in range(count):
        head = start + HEADS + each * STRIDE
        out_rows[each * rates + int(table[head + RATE])] = 1.0
        for number in range(int(table[head + FIRST]), int(table[head + END])):
            entry = start + HEADS + (count + number) * STRIDE
            at, knots, rate = int(table[entry + FLOATS]), int(table[entry + KNOTS]), int(table[entry + DRIVER_RATE])
            x = q[int(table[entry + DRIVER])] + dt * qd[rate]
            out_rows[each * rates + rate] -= evaluate_spline(table, at, knots, x, 1)
    return count


@lazy_kernel
def follow_splines(table: Array, start: int, out_q: Array, out_qd: Array) -> None:
    """Put the driven coordinates of a pose on their splines, and their rates."""
    count = int(table[start + DRIVEN])
    for each in range(count):
        head, value, rate = start + HEADS + each * STRIDE, 0.0, 0.0
        for number in range(int(table[head + FIRST]), int(table[head + END])):
            entry = start + HEADS + (count + number) * STRIDE
            at, knots, x = int(table[entry + FLOATS]), int(table[entry + KNOTS]), out_q[int(table[entry + DRIVER])]
            value += evaluate_spline(table, at, knots, x, 0)
            rate += evaluate_spline(table, at, knots, x, 1) * out_qd[int(table[entry + DRIVER_RATE])]
        out_q[int(table[head + PLACE])] = value
        out_qd[int(table[head + RATE])] = rate


@kernel
def add_turn(ints: IntArray, rate: int, impulse: float, rows: int, row: int, dynamics: Array, out_pulls: Array) -> None:
    """Add an impulse at a rate to what a row brings to all rates on the way inward to the root."""
    extra = extra_of(ints)
    motions, factors, kinds = ints[extra + MOTIONS], ints[extra + FACTORS], ints[extra + KINDS] + PREVIOUS
    reached, one, y = ints[RATE_COUNT] * rows, rate, impulse
    a = b = c = d = e = f = 0.0
    while one >= 0:
        if one != rate:
            at = motions + one * MOTION_STRIDE
            y = a * dynamics[at] + b * dynamics[at + 1] + c * dynamics[at + 2]
            y += d * dynamics[at + 3] + e * dynamics[at + 4] + f * dynamics[at + 5]
        out_pulls[one * rows + row] += y
        out_pulls[reached + one] = 1.0
        at = factors + one * FACTOR_STRIDE
        y *= dynamics[at + INVERSE]
        a, b, c = a - y * dynamics[at], b - y * dynamics[at + 1], c - y * dynamics[at + 2]
        d, e, f = d - y * dynamics[at + 3], e - y * dynamics[at + 4], f - y * dynamics[at + 5]
        one = ints[kinds + one * RATE_INT_STRIDE]
