"""Solve symmetric, indefinite systems whose unknowns come in the order of time: a frontal LDL^T with pivots.

Unknown k is brought into a dense square matrix, the front, with what ties it to those before. Once all that it is tied
to have been brought in it may be eliminated, which changes the front alone; so work grows with the number of unknowns
times the square of how many are tied together at a time, whatever the number of stages, and unknowns that last (a
stage's length) stay in the front for as long as they are needed. Pivots are of one or two rows; one that is too small
beside its row (Duff and Reid 1983, The multifrontal solution of indefinite sparse symmetric linear equations, ACM TOMS
9, 302-325) waits for later ones. As many pivots as eigenvalues are negative (Sylvester's law of inertia).

Packed: `starts`, `places`, `values` are the rows of the lower triangle, off the diagonal, row k reading the places j <
k; `diagonal`; `last[j]`, the last row that reads j. A factor is, pivot by pivot, the unknown, the entries of D, and the
multipliers L with the unknowns that they are for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

THRESHOLD = 1e-5  # least pivot, beside the largest number of its row
NEGATIVE, ZERO, PIVOTS, LENGTH, WIDEST = range(5)
TOO_WIDE = -1
_TINY = 1e-300


class FrontalFactor(NamedTuple):
    """Room for a factor, and for the front while it is made."""

    front: Array  # [width, width], its lower half
    rows: Array  # [2, width], rows of the front, whole
    ids: IntArray  # [width], which unknown stands in each row of the front
    waiting: IntArray  # [width], 1 where an unknown may be eliminated
    unknown: IntArray  # [size], of each pivot
    partner: IntArray  # [size], the pivot's second unknown, or -1
    d: Array  # [size, 3], its entries of D: first, second, off the diagonal
    begin: IntArray  # [size + 1], where its multipliers begin
    tied: IntArray  # [room], unknowns that multipliers are for
    multiplier: Array  # [room, 2]
    counts: IntArray  # NEGATIVE, ZERO, PIVOTS, LENGTH, WIDEST


def new_factor(size: int, width: int) -> FrontalFactor:
    """Make room for a factor of so many unknowns, of which so many are tied together at a time."""
    room = size * width + 1
    return FrontalFactor(
        np.zeros((width, width)),
        np.zeros((2, width)),
        np.zeros(width, np.int32),
        np.zeros(width, np.int32),
        np.zeros(size, np.int32),
        np.zeros(size, np.int32),
        np.zeros((size, 3)),
        np.zeros(size + 1, np.int32),
        np.zeros(room, np.int32),
        np.zeros((room, 2)),
        np.zeros(5, np.int32),
    )


@kernel
def measure_width(starts: IntArray, places: IntArray, last: IntArray) -> int:
    """Count how many unknowns the front holds at most, if no pivot waits."""
    size = last.size
    leaving = np.zeros(size, np.int32)
    for k in range(size):
        leaving[last[k]] += 1
    width = widest = 0
    for k in range(size):
        width += 1
        widest = max(widest, width)
        width -= leaving[k]
    return widest


@kernel
def factorise(
    starts: IntArray,
    places: IntArray,
    values: Array,
    diagonal: Array,
    last: IntArray,
    pauses: IntArray,
    slots: IntArray,
    out_factor: FrontalFactor,
) -> int:
    """Factorise; return `TOO_WIDE` where the front needs more room, else 0. `pauses` is 1 after which unknowns to
    eliminate what may be; `slots` is [size], to work with."""
    front, ids, waiting, counts = out_factor.front, out_factor.ids, out_factor.waiting, out_factor.counts
    size, most = diagonal.size, front.shape[0]
    counts[:] = 0
    width = 0
    for k in range(size):
        if width == most:
            return TOO_WIDE
        for a in range(width):
            front[width, a] = 0.0
        ids[width], slots[k] = k, width
        waiting[width] = 0
        front[width, width] = diagonal[k]
        for at in range(starts[k], starts[k + 1]):
            front[width, slots[places[at]]] = values[at]
        width += 1
        counts[WIDEST] = max(counts[WIDEST], width)
        if last[k] == k:
            waiting[width - 1] = 1
        for at in range(starts[k], starts[k + 1]):
            if last[places[at]] == k:
                waiting[slots[places[at]]] = 1
        if pauses[k] == 1:
            width = _eliminate_waiting(width, slots, out_factor)
    while width > 0:
        before = width
        width = _eliminate_waiting(width, slots, out_factor)
        if width == before:
            width = _force_pivot(width, slots, out_factor)
    return 0


@kernel
def _read_row(front: Array, width: int, a: int, out_row: Array) -> None:
    """Copy the whole row a, of which the front holds the lower half."""
    for b in range(a + 1):
        out_row[b] = front[a, b]
    for b in range(a + 1, width):
        out_row[b] = front[b, a]


@kernel
def _eliminate_waiting(width: int, slots: IntArray, factor: FrontalFactor) -> int:
    """Eliminate all that may be and have a pivot that is large enough; return the width left."""
    before = width + 1
    while width < before:
        before = width
        a = 0
        while a < width:
            left = _try_pivot(width, a, slots, factor) if factor.waiting[a] == 1 else width
            a += left == width
            width = left
    return width


@kernel
def _try_pivot(width: int, a: int, slots: IntArray, factor: FrontalFactor) -> int:
    """Eliminate row a, alone or with another, if the pivot is large enough; return the width left."""
    waiting, row = factor.waiting, factor.rows[0]
    _read_row(factor.front, width, a, row)
    largest, most, partner = 0.0, 0.0, -1
    for b in range(width):
        if b != a:
            size = abs(row[b])
            largest = max(largest, size)
            if waiting[b] == 1 and size > most:
                most, partner = size, b
    if abs(row[a]) >= THRESHOLD * largest and abs(row[a]) > _TINY:
        return _take_one(width, a, slots, factor)
    if partner >= 0 and _is_pivot(factor, width, a, partner):
        return _take_two(width, a, partner, slots, factor)
    return width


@kernel
def _is_pivot(factor: FrontalFactor, width: int, a: int, b: int) -> bool:
    """Tell whether rows a and b, of which a has been read, are a pivot of two rows that is large enough."""
    row, other = factor.rows[0], factor.rows[1]
    _read_row(factor.front, width, b, other)
    determinant = row[a] * other[b] - row[b] * row[b]
    if abs(determinant) <= _TINY:
        return False
    first, second = 0.0, 0.0
    for c in range(width):
        if c != a and c != b:
            first = max(first, abs(row[c]))
            second = max(second, abs(other[c]))
    off = abs(row[b])
    most = abs(determinant) / THRESHOLD
    return bool(abs(other[b]) * first + off * second <= most and off * first + abs(row[a]) * second <= most)


@kernel
def _take_one(width: int, a: int, slots: IntArray, factor: FrontalFactor) -> int:
    """Eliminate the row a of the front."""
    ids, counts, row, front = factor.ids, factor.counts, factor.rows[0], factor.front
    _read_row(front, width, a, row)
    pivot = row[a]
    index, at = counts[PIVOTS], counts[LENGTH]
    factor.unknown[index], factor.partner[index] = ids[a], -1
    factor.d[index, 0] = pivot
    counts[NEGATIVE] += pivot < 0.0
    for b in range(width):
        if b != a and row[b] != 0.0:
            share = row[b] / pivot
            factor.tied[at], factor.multiplier[at, 0] = ids[b], share
            at += 1
            for c in range(b + 1):
                front[b, c] -= share * row[c]
    counts[PIVOTS], counts[LENGTH] = index + 1, at
    factor.begin[index + 1] = at
    return _close(width, a, slots, factor)


@kernel
def _take_two(width: int, a: int, b: int, slots: IntArray, factor: FrontalFactor) -> int:
    """Eliminate the rows a and b of the front together."""
    ids, counts, row, other, front = factor.ids, factor.counts, factor.rows[0], factor.rows[1], factor.front
    _read_row(front, width, a, row)
    _read_row(front, width, b, other)
    first, second, off = row[a], other[b], row[b]
    determinant = first * second - off * off
    index, at = counts[PIVOTS], counts[LENGTH]
    factor.unknown[index], factor.partner[index] = ids[a], ids[b]
    factor.d[index, 0], factor.d[index, 1], factor.d[index, 2] = first, second, off
    if determinant < 0.0:
        counts[NEGATIVE] += 1
    elif first < 0.0:
        counts[NEGATIVE] += 2
    for c in range(width):
        if c != a and c != b and (row[c] != 0.0 or other[c] != 0.0):
            one = (second * row[c] - off * other[c]) / determinant
            two = (first * other[c] - off * row[c]) / determinant
            factor.tied[at], factor.multiplier[at, 0], factor.multiplier[at, 1] = ids[c], one, two
            at += 1
            for e in range(c + 1):
                front[c, e] -= one * row[e] + two * other[e]
    counts[PIVOTS], counts[LENGTH] = index + 1, at
    factor.begin[index + 1] = at
    width = _close(width, max(a, b), slots, factor)
    return _close(width, min(a, b), slots, factor)


@kernel
def _close(width: int, a: int, slots: IntArray, factor: FrontalFactor) -> int:
    """Put the last row of the front into the place of row a."""
    front, ids, end = factor.front, factor.ids, width - 1
    if a != end:
        ids[a] = ids[end]
        factor.waiting[a] = factor.waiting[end]
        slots[ids[a]] = a
        front[a, a] = front[end, end]
        for c in range(a):
            front[a, c] = front[end, c]
        for c in range(a + 1, end):
            front[c, a] = front[end, c]
    return end


@kernel
def _force_pivot(width: int, slots: IntArray, factor: FrontalFactor) -> int:
    """Eliminate the largest row or pair that is left, be it small; a row of zeros is counted and left out."""
    front, best, a, b = factor.front, 0.0, 0, 0
    for c in range(width):
        for e in range(c + 1):
            if abs(front[c, e]) > best:
                best, a, b = abs(front[c, e]), c, e
    if best <= _TINY:
        factor.counts[ZERO] += 1
        front[0, 0] = 1.0
        return _take_one(width, 0, slots, factor)
    return _take_one(width, a, slots, factor) if a == b else _take_two(width, a, b, slots, factor)


@kernel
def solve_factored(factor: FrontalFactor, x: Array) -> None:
    """Replace a right side by the solution."""
    count = factor.counts[PIVOTS]
    for index in range(count):
        a, b = factor.unknown[index], factor.partner[index]
        for at in range(factor.begin[index], factor.begin[index + 1]):
            x[factor.tied[at]] -= factor.multiplier[at, 0] * x[a]
            if b >= 0:
                x[factor.tied[at]] -= factor.multiplier[at, 1] * x[b]
    for index in range(count - 1, -1, -1):
        a, b = factor.unknown[index], factor.partner[index]
        if b >= 0:
            first, second, off = factor.d[index, 0], factor.d[index, 1], factor.d[index, 2]
            determinant = first * second - off * off
            one, two = x[a], x[b]
            x[a], x[b] = (second * one - off * two) / determinant, (first * two - off * one) / determinant
        else:
            x[a] /= factor.d[index, 0]
        for at in range(factor.begin[index], factor.begin[index + 1]):
            x[a] -= factor.multiplier[at, 0] * x[factor.tied[at]]
            if b >= 0:
                x[b] -= factor.multiplier[at, 1] * x[factor.tied[at]]


@kernel
def multiply_symmetric(
    starts: IntArray, places: IntArray, values: Array, diagonal: Array, x: Array, out_product: Array
) -> None:
    """A x, of the packed matrix."""
    for k in range(diagonal.size):
        out_product[k] = diagonal[k] * x[k]
    for k in range(diagonal.size):
        for at in range(starts[k], starts[k + 1]):
            j = places[at]
            out_product[k] += values[at] * x[j]
            out_product[j] += values[at] * x[k]
