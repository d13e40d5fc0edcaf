"""Pseudo-inverses of small semidefinite matrices against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.maths.semidefinite import factor_semidefinite, solve_semidefinite
from tests.engine.maths.test_symmetric import deficient, lower

LEAST = 1e-11


def solve(matrix: Array, columns: Array) -> tuple[int, Array]:
    """The rank, and the answers to some columns."""
    size = len(matrix)
    factor, order, gram = np.full(size * size, np.nan), np.full(2 * size, np.nan), np.full(size * size, np.nan)
    rank = factor_semidefinite(lower(matrix), size, LEAST, factor, order, gram)
    out = np.array(columns.T)
    for column in out:
        solve_semidefinite(factor, order, gram, size, rank, np.full(2 * size, np.nan), column)
    return rank, out.T


def inverse(matrix: Array) -> tuple[int, Array]:
    """The rank, and the pseudo-inverse."""
    return solve(matrix, np.eye(len(matrix)))


@pytest.mark.parametrize(
    ("size", "rank"), [(1, 1), (3, 3), (3, 2), (3, 0), (7, 1), (12, 6), (30, 30), (30, 25), (30, 3)]
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_is_numpys(size: int, rank: int, seed: int) -> None:
    matrix = deficient(size, rank, seed)
    found, out = inverse(matrix)
    assert found == rank
    np.testing.assert_allclose(out, np.linalg.pinv(matrix, rcond=1e-10, hermitian=True), atol=1e-9, rtol=1e-6)


def test_rows_of_zeros_and_equal_rows_are_left_out() -> None:
    matrix = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 2.0], [0.0, 2.0, 2.0]])
    found, out = inverse(matrix)
    assert found == 1
    np.testing.assert_allclose(out, [[0.0, 0.0, 0.0], [0.0, 0.125, 0.125], [0.0, 0.125, 0.125]])


def test_what_is_nearly_singular_is_kept_and_solved_as_exactly_as_it_can_be() -> None:
    """Directions of 1e-9 of the largest count; the answer leaves next to nothing."""
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(20, 20)))[0]
    values = np.array([10.0**-power for power in np.linspace(0.0, 9.0, 17)] + [0.0, 0.0, 0.0])
    matrix = turn @ np.diag(values) @ turn.T
    asked = matrix @ np.random.default_rng(4).normal(size=(20, 1))
    found, out = solve(0.5 * (matrix + matrix.T), asked)
    assert found == 17
    assert np.abs(matrix @ out - asked).max() < 1e-12
    assert np.abs(turn[:, 17:].T @ out).max() < 1e-5


def test_rows_that_contradict_each_other_come_as_near_as_can_be() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.3, 2.0]])
    _, out = inverse(rows @ rows.T)
    asked = np.array([0.1, 0.3, 0.0])
    step = rows.T @ (out @ asked)
    np.testing.assert_allclose(step, np.linalg.lstsq(rows, asked, rcond=None)[0], atol=1e-12)
