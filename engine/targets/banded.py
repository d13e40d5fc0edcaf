"""Least steps of many unknowns where each equation reads few of them: H H^T + mu 1 within its profile.

The equations of a node read columns that follow one another, so H is kept as one block of rows for each node, and
H H^T, of which nodes that read nothing in common have no part, as blocks from the first node that one is tied to up to
itself. Cholesky's factor has the same profile. Work and memory grow with the number of nodes, not with its square or
cube, and each function yields between short slices.

Symbols: H answers; mu damping.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

_BLOCKS = 4  # products of blocks between two yields


@dataclass(frozen=True, eq=False)
class Band:
    """The equations of one node: numbers for the columns from `first` on."""

    values: Array  # [equations, columns]
    first: int

    @property
    def last(self) -> int:
        """The column after its own."""
        return self.first + int(self.values.shape[1])


@dataclass(frozen=True, eq=False)
class Profile:
    """The lower half of a symmetric matrix: of each node a row of blocks, from those of its first tie to its own."""

    rows: list[Array]  # [own equations, equations from the first tie on]
    ties: list[int]
    ends: list[int]  # of the equations of each node; one more, 0, at first

    def block(self, node: int, other: int) -> slice:
        """Return the columns of another node in the row of one, as a slice."""
        begin = self.ends[self.ties[node]]
        return slice(self.ends[other] - begin, self.ends[other + 1] - begin)


def multiply_bands(bands: Sequence[Band]) -> Generator[None, None, Profile]:
    """H H^T."""
    ends = [0, *np.cumsum([len(band.values) for band in bands]).tolist()]
    ties = [_first_tied(bands, node) for node in range(len(bands))]
    found = Profile([], ties, ends)
    for node, own in enumerate(bands):
        row = np.zeros((len(own.values), ends[node + 1] - ends[ties[node]]))
        for other in range(ties[node], node + 1):
            theirs = bands[other]
            first, last = max(own.first, theirs.first), min(own.last, theirs.last)
            if first < last:
                mine = own.values[:, first - own.first : last - own.first]
                row[:, found.block(node, other)] = mine @ theirs.values[:, first - theirs.first : last - theirs.first].T
            if (other - ties[node]) % _BLOCKS == 0:
                yield
        found.rows.append(row)
    return found


def _first_tied(bands: Sequence[Band], node: int) -> int:
    own = bands[node]
    return next(
        other
        for other in range(node + 1)
        if other == node or (bands[other].last > own.first and bands[other].first < own.last)
    )


def factor_bands(squares: Profile, mu: float) -> Generator[None, None, Profile]:
    """L with L L^T = H H^T + mu 1."""
    found = Profile([], squares.ties, squares.ends)
    for node, given in enumerate(squares.rows):
        row = given.copy()
        tie = squares.ties[node]
        for other in range(tie, node):
            block, start = squares.block(node, other), max(tie, squares.ties[other])
            done = slice(squares.block(node, start).start, block.start)
            theirs, place = found.rows[other], squares.block(other, start).start
            width = done.stop - done.start
            left = row[:, block] - row[:, done] @ theirs[:, place : place + width].T
            triangle = theirs[:, squares.block(other, other)]
            row[:, block] = np.linalg.solve(triangle, left.T).T
            if (other - tie) % _BLOCKS == 0:
                yield
        own = squares.block(node, node)
        before = row[:, : own.start]
        square = row[:, own] - before @ before.T
        square[np.diag_indices_from(square)] += mu
        row[:, own] = np.linalg.cholesky(square)
        found.rows.append(row)
        yield
    return found


def solve_bands(factor: Profile, e: Array) -> Array:
    """(H H^T + mu 1)^-1 e."""
    y, ends = e.copy(), factor.ends
    for node, row in enumerate(factor.rows):
        own, mine = slice(ends[node], ends[node + 1]), factor.block(node, node)
        y[own] -= row[:, : mine.start] @ y[ends[factor.ties[node]] : ends[node]]
        y[own] = np.linalg.solve(row[:, mine], y[own])
    for node in range(len(factor.rows) - 1, -1, -1):
        row, own, mine = factor.rows[node], slice(ends[node], ends[node + 1]), factor.block(node, node)
        y[own] = np.linalg.solve(row[:, mine].T, y[own])
        y[ends[factor.ties[node]] : ends[node]] -= row[:, : mine.start].T @ y[own]
    return y
