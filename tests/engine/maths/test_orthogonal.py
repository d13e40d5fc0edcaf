"""One-sided Jacobi against numpy's singular values."""

from __future__ import annotations

import numpy as np
import pytest

from engine.maths.orthogonal import measure_row, orthogonalise_rows


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 3), (18, 51), (5, 2)])
def test_rows_become_singular_vectors_times_values(height: int, width: int) -> None:
    rng = np.random.default_rng(height)
    matrix, right = rng.normal(size=(height, width)), rng.normal(size=height)
    stride = width + height + 1
    rows = np.hstack([matrix, np.eye(height), right[:, None]]).ravel()
    assert orthogonalise_rows(height, width, stride, rows) < 15
    values = sorted((measure_row(width, row * stride, rows) for row in range(height)), reverse=True)
    wanted = np.linalg.svd(matrix, compute_uv=False)
    assert np.allclose(values[: len(wanted)], wanted, rtol=1e-12)
    assert max(values[len(wanted) :], default=0.0) < 1e-12
    turned = rows.reshape(height, stride)
    turn = turned[:, width:-1]
    assert np.abs(turn @ turn.T - np.eye(height)).max() < 1e-13
    assert np.abs(turn @ matrix - turned[:, :width]).max() < 1e-12
    assert np.abs(turn @ right - turned[:, -1]).max() < 1e-12


def test_small_singular_values_keep_their_relative_accuracy() -> None:
    rows = np.array([1.0, 1.0, 1.0, 1.0 + 2e-9])
    orthogonalise_rows(2, 2, 2, rows)
    small = min(measure_row(2, 0, rows), measure_row(2, 2, rows))
    assert small == pytest.approx(1e-9, rel=1e-6)


def test_rows_without_numbers_stay_zero() -> None:
    rows = np.zeros(6)
    assert orthogonalise_rows(2, 3, 3, rows) == 0
    assert not rows.any()
