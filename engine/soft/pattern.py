"""Patterns: which points are joined, as 3 by 3 block sparse rows of a symmetric matrix; made once, filled in place.

Of each pair of joined points (i < j) the block (i, j) is stored, in the row of i; a row begins with its own diagonal
block. Blocks are row by row, values[9 place: 9 place + 9].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray, LongArray


class Pattern(NamedTuple):
    """Rows of a symmetric matrix of blocks."""

    starts: IntArray  # of each row, and the end; shape [point_count + 1]
    columns: IntArray  # shape [block_count]


def join_points(count: int, pairs: IntArray) -> Pattern:
    """Make the pattern of `count` points of which `pairs` are joined; shape [pair_count, 2]."""
    low, high = np.minimum(pairs[:, 0], pairs[:, 1]).astype(np.int64), np.maximum(pairs[:, 0], pairs[:, 1])
    own = np.arange(count, dtype=np.int64)
    keys = np.unique(np.concatenate([low * count + high, own * count + own]))
    starts = np.searchsorted(keys, np.arange(count + 1, dtype=np.int64) * count)
    return Pattern(starts.astype(np.int32), (keys % count).astype(np.int32))


def places_of(pattern: Pattern, low: IntArray, high: IntArray) -> IntArray:
    """Find the blocks of pairs of points, low <= high, all of them joined."""
    keys, count = _keys(pattern), len(pattern.starts) - 1
    wanted = low.astype(np.int64) * count + high
    places = np.searchsorted(keys, wanted)
    assert np.array_equal(keys[places], wanted)
    return places.astype(np.int32)


def _keys(pattern: Pattern) -> LongArray:
    count = len(pattern.starts) - 1
    rows = np.repeat(np.arange(count, dtype=np.int64), np.diff(pattern.starts))
    return np.asarray(rows * count + pattern.columns, dtype=np.int64)


def dense(pattern: Pattern, values: Array) -> Array:
    """Write the whole matrix out, for tests and small bodies; shape [3 point_count, 3 point_count]."""
    count = len(pattern.starts) - 1
    full = np.zeros((count, 3, count, 3))
    blocks = values.reshape(-1, 3, 3)
    for row in range(count):
        for place in range(pattern.starts[row], pattern.starts[row + 1]):
            column = pattern.columns[place]
            full[row, :, column] = blocks[place]
            if column != row:
                full[column, :, row] = blocks[place].T
    return full.reshape(3 * count, 3 * count)
