"""Small symmetric matrices against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.maths.symmetric import decompose_symmetric, factor_cholesky, solve_cholesky


def lower(matrix: Array) -> Array:
    """Flat, with nonsense above the diagonal."""
    return np.ascontiguousarray(np.tril(matrix) + np.triu(np.full(matrix.shape, 7.0), 1)).ravel()


def decompose(matrix: Array) -> tuple[Array, Array]:
    size = len(matrix)
    values, vectors, spare = np.empty(size), np.empty(size * size), np.empty(size)
    assert decompose_symmetric(lower(matrix), size, values, vectors, spare)
    return values, vectors.reshape(size, size)


def deficient(size: int, rank: int, seed: int) -> Array:
    half = np.random.default_rng(seed).normal(size=(size, rank))
    return np.asarray(half @ half.T)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("seed", [0, 1])
def test_eigenvalues_are_numpys_and_the_vectors_give_the_matrix_back(size: int, seed: int) -> None:
    noise = np.random.default_rng(seed).normal(size=(size, size))
    matrix = noise + noise.T
    values, vectors = decompose(matrix)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-12 * size)
    np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, matrix, atol=1e-12 * size)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(size), atol=1e-13 * size)


@pytest.mark.parametrize("matrix", [np.zeros((4, 4)), np.eye(5), np.diag([3.0, 0.0, 1e-9, 2.0]), np.ones((6, 6))])
def test_eigenvalues_of_matrices_that_repeat_themselves(matrix: Array) -> None:
    values, vectors = decompose(matrix)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-14)
    np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, matrix, atol=1e-14)


def test_truncated_eigenvalues_are_numpys_pseudo_inverse() -> None:
    matrix = deficient(12, 7, 3)
    values, vectors = decompose(matrix)
    kept = values > 1e-9 * values[-1]
    assert int(kept.sum()) == 7
    inverse = vectors[:, kept] @ np.diag(1.0 / values[kept]) @ vectors[:, kept].T
    np.testing.assert_allclose(inverse, np.linalg.pinv(matrix, rcond=1e-9), atol=1e-9)


@pytest.mark.parametrize("size", [1, 4, 21])
def test_cholesky_solves_what_numpy_solves(size: int) -> None:
    matrix, right = deficient(size, size + 3, 1), np.linspace(1.0, 2.0, size)
    factor, x = np.zeros(size * size), right.copy()
    assert factor_cholesky(lower(matrix), size, factor) > 0.0
    solve_cholesky(factor, size, x)
    np.testing.assert_allclose(x, np.linalg.solve(matrix, right), rtol=1e-9)


def test_cholesky_leaves_out_rows_of_zeros() -> None:
    matrix = np.zeros((4, 4))
    matrix[np.ix_([0, 2], [0, 2])] = [[2.0, 0.5], [0.5, 1.0]]
    factor, x = np.zeros(16), np.array([1.0, 5.0, 2.0, 6.0])
    assert factor_cholesky(lower(matrix), 4, factor) > 0.5
    solve_cholesky(factor, 4, x)
    np.testing.assert_allclose(x[[0, 2]], np.linalg.solve([[2.0, 0.5], [0.5, 1.0]], [1.0, 2.0]), atol=1e-15)
    np.testing.assert_array_equal(x[[1, 3]], 0.0)


def test_cholesky_says_how_near_to_singular_a_matrix_is() -> None:
    factor = np.zeros(9)
    assert factor_cholesky(lower(deficient(3, 3, 2)), 3, factor) > 1e-6
    assert factor_cholesky(lower(deficient(3, 2, 2)), 3, factor) < 1e-12
