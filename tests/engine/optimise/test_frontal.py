from __future__ import annotations

import numpy as np
import pytest

from engine.maths.arrays import Array, IntArray
from engine.optimise.frontal import (
    NEGATIVE,
    TOO_WIDE,
    WIDEST,
    ZERO,
    FrontalFactor,
    factorise,
    measure_width,
    multiply_symmetric,
    new_factor,
    solve_factored,
)

Packed = tuple[IntArray, IntArray, Array, Array, IntArray]


def packed(matrix: Array) -> Packed:
    starts, places, values = [0], [], []
    last = np.arange(len(matrix))
    for k, row in enumerate(matrix):
        tied = np.flatnonzero(row[:k])
        places += tied.tolist()
        values += row[tied].tolist()
        last[tied] = k
        starts.append(len(places))
    diagonal = np.diag(matrix).copy()
    return (
        np.array(starts, np.int32),
        np.array(places, np.int32),
        np.array(values),
        diagonal,
        last.astype(np.int32),
    )


def saddle(nodes: int, seed: int) -> Array:
    """A matrix with blocks [W J^T; J 0], each node of six variables and five constraints tied to those beside it, in
    the order of time; W is indefinite and has zero rows."""
    rng = np.random.default_rng(seed)
    n, m = 6 * nodes, 5 * nodes
    w, j = np.zeros((n, n)), np.zeros((m, n))
    for node in range(nodes):
        low, high = max(0, 6 * (node - 1)), min(n, 6 * (node + 2))
        j[5 * node : 5 * node + 5, low:high] = rng.normal(size=(5, high - low))
        block = rng.normal(size=(4, 4))
        w[6 * node : 6 * node + 4, 6 * node : 6 * node + 4] = block + block.T
    matrix = np.block([[w, j.T], [j, np.zeros((m, m))]])
    times = np.concatenate([np.repeat(np.arange(nodes), 6), np.repeat(np.minimum(np.arange(nodes) + 1, nodes - 1), 5)])
    order = np.argsort(times + 0.5 * (np.arange(n + m) >= n), kind="stable")
    return matrix[np.ix_(order, order)]


def factored(matrix: Array, width: int | None = None) -> tuple[int, FrontalFactor]:
    starts, places, values, diagonal, last = packed(matrix)
    factor = new_factor(len(matrix), width or len(matrix) + 1)
    pauses, slots = np.ones(len(matrix), np.int32), np.zeros(len(matrix), np.int32)
    return factorise(starts, places, values, diagonal, last, pauses, slots, factor), factor


@pytest.mark.parametrize("seed", range(4))
def test_solution_and_negative_eigenvalues_are_those_of_the_matrix(seed: int) -> None:
    matrix = saddle(12, seed)
    found, factor = factored(matrix)
    right = np.random.default_rng(9).normal(size=len(matrix))
    x = right.copy()
    solve_factored(factor, x)
    assert found == 0
    assert np.abs(matrix @ x - right).max() < 1e-7 * np.abs(x).max()
    assert factor.counts[NEGATIVE] == (np.linalg.eigvalsh(matrix) < 0.0).sum()
    assert factor.counts[ZERO] == 0


def test_the_front_stays_as_narrow_as_what_is_tied_together() -> None:
    starts, places, _, _, last = packed(saddle(40, 0))
    needed = measure_width(starts, places, last)
    assert needed < 40
    _, factor = factored(saddle(40, 0))
    assert factor.counts[WIDEST] < 2 * needed


def test_a_front_without_room_says_so() -> None:
    assert factored(saddle(6, 0), width=5)[0] == TOO_WIDE


def test_zero_pivots_are_counted() -> None:
    matrix = np.diag([1.0, 0.0, -2.0, 0.0])
    _, factor = factored(matrix)
    assert factor.counts[ZERO] == 2
    assert factor.counts[NEGATIVE] == 1


def test_product_is_that_of_the_matrix() -> None:
    matrix = saddle(5, 1)
    starts, places, values, diagonal, _ = packed(matrix)
    x, out = np.random.default_rng(2).normal(size=len(matrix)), np.empty(len(matrix))
    multiply_symmetric(starts, places, values, diagonal, x, out)
    assert np.allclose(out, matrix @ x, rtol=0.0, atol=1e-12)
