"""The springs of activation splines in the preconditioner: the identity of Woodbury with sparse rows on one side.

With A the factored rest, n the directions of the segments at rest, U = w n their rows and K their stiffness,

    (A + U K U^T)^-1 = A^-1 - Z S U^T A^-1,   Z = A^-1 U,   S = (K^-1 + U^T A^-1 U)^-1

U^T is applied by the sparse weights of the virtual points, Z S is kept dense, in rows of single precision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.jit import kernel
from engine.soft.lanes import PLACE
from engine.soft.strings import DAMPING, STIFFNESS, Strings

if TYPE_CHECKING:
    from collections.abc import Callable

Singles = NDArray[np.float32]

MOST_STRINGS = 512
_FOUR = 4  # rows at a time


class StringInverse(NamedTuple):
    """The term that springs subtract."""

    starts: IntArray  # of the weights of each virtual point, shape [row_count + 1]
    places: IntArray  # where the points are in the vectors of the preconditioner
    weights: Singles
    segments: IntArray
    ways: Singles  # n, shape [count, 3]
    rows: Singles  # of Z S, shape [count, rounded up to four, size]
    sums: Singles  # room, shape [row_count, 3]
    shares: Singles  # room, a number for each row


def no_strings() -> StringInverse:
    """Give that of no springs."""
    none, flat = np.zeros((0, 3), dtype=np.float32), np.zeros(0, dtype=np.float32)
    whole = np.zeros((0, 2), dtype=np.int32)
    return StringInverse(np.zeros(1, np.int32), whole.ravel(), flat, whole, none, none, none, flat)


def invert_strings(
    strings: Strings,
    rest: Array,
    position: IntArray,
    size: int,
    dt: float,
    solve: Callable[[Singles], Singles],
    invert: Callable[[Array], None],
) -> StringInverse:
    """Work it out; `position` of each point in vectors of a size, -1 where it has none; `solve` applies A^-1."""
    count = len(strings.segments)
    if not 0 < count <= MOST_STRINGS:
        return no_strings()
    taken: BoolArray = position[strings.points] >= 0
    kept = np.concatenate((np.zeros(1, np.int64), np.cumsum(taken)))
    points = np.add.reduceat(
        np.concatenate((strings.weights[:, None] * rest[strings.points], np.zeros((1, 3)))), strings.starts[:-1]
    )
    ways = points[strings.segments[:, 1]] - points[strings.segments[:, 0]]
    ways = ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-12)
    rows, found = np.zeros((count, size)), np.zeros((count, size))
    for each, ends in enumerate(strings.segments.tolist()):
        for end, sign in zip(ends, (-1.0, 1.0), strict=True):
            own = np.arange(strings.starts[end], strings.starts[end + 1])
            own = own[taken[own]]
            parts = sign * strings.weights[own, None] * ways[each]
            np.add.at(rows[each], position[strings.points[own], None] + np.arange(3), parts)
        found[each] = solve(rows[each].astype(np.float32))
    stiffness = strings.springs[:, STIFFNESS] + strings.springs[:, DAMPING] / dt
    inner = rows @ found.T
    inner = 0.5 * (inner + inner.T) + np.diag(1.0 / np.maximum(stiffness, 1e-9))
    full = -(-count // _FOUR) * _FOUR
    whole = np.eye(full)
    whole[:count, :count] = inner
    invert(whole)
    whole = 0.5 * (whole + whole.T)[:, :count]
    whole[count:] = 0.0
    return StringInverse(
        kept[strings.starts].astype(np.int32),
        np.ascontiguousarray(position[strings.points[taken]], dtype=np.int32),
        strings.weights[taken].astype(np.float32),
        strings.segments,
        ways.astype(np.float32),
        (whole @ found).astype(np.float32),
        np.zeros((len(strings.starts) - 1, 3), dtype=np.float32),
        np.zeros(full, dtype=np.float32),
    )


@kernel
def subtract_strings(strings: StringInverse, out: Singles) -> None:
    """Subtract Z S U^T times a vector from it."""
    sums, shares = strings.sums, strings.shares
    for row in range(strings.starts.shape[0] - 1):
        a, b, c = np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for each in range(strings.starts[row], strings.starts[row + 1]):
            at, weight = strings.places[each] & PLACE, strings.weights[each]
            a += weight * out[at]
            b += weight * out[at + 1]
            c += weight * out[at + 2]
        sums[row, 0], sums[row, 1], sums[row, 2] = a, b, c
    for each in range(strings.segments.shape[0]):
        i, j, ways = strings.segments[each, 0], strings.segments[each, 1], strings.ways
        a = ways[each, 0] * (sums[j, 0] - sums[i, 0])
        b = ways[each, 1] * (sums[j, 1] - sums[i, 1])
        shares[each] = a + b + ways[each, 2] * (sums[j, 2] - sums[i, 2])
    rows = strings.rows
    for each in range(0, rows.shape[0], 4):
        p, q, r, s = shares[each], shares[each + 1], shares[each + 2], shares[each + 3]
        for at in range(rows.shape[1]):
            out[at] -= (rows[each, at] * p + rows[each + 1, at] * q) + (rows[each + 2, at] * r + rows[each + 3, at] * s)
