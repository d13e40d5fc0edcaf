"""Kernels around drops: they are round where drops are even, flat in sheets."""

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.anisotropic import ALONE, RATIO, drop_kernels


def _even(low: Array, high: Array, apart: float) -> Array:
    lines = [np.arange(a, b, apart) + 0.37 * apart for a, b in zip(low, high, strict=True)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)


def test_kernels_of_a_sheet_tell_their_determinants() -> None:
    rng = np.random.default_rng(3)
    sheet = np.array((12.0, 12.0, 12.0)) + rng.uniform(-1.0, 1.0, (400, 3)) * (4.0, 0.5, 4.0)
    kernels = drop_kernels(sheet, 2.0, (24, 24, 24))
    assert np.linalg.det(kernels[:, 3:12].reshape(-1, 3, 3)) == pytest.approx(kernels[:, 12])


def test_a_drop_alone_has_a_round_kernel_of_its_own_width() -> None:
    kernels = drop_kernels(np.array([[4.0, 5.0, 6.0]]), 2.0, (10, 10, 10))
    assert kernels[0, :3] == pytest.approx([4.0, 5.0, 6.0])
    assert kernels[0, 3:12].reshape(3, 3) == pytest.approx(np.eye(3) / (2.0 * ALONE))
    assert kernels[0, 12] == pytest.approx((2.0 * ALONE) ** -3)


def test_within_an_even_cloud_kernels_are_round_and_of_width_h() -> None:
    """k_s = 1 / (0.15 r^2) brings the variance of an even neighbourhood to one."""
    places = _even(np.full(3, 2.0), np.full(3, 18.0), 0.7)
    middle = np.argmin(np.linalg.norm(places - 10.0, axis=1))
    g = drop_kernels(places, 2.0, (20, 20, 20))[middle, 3:12].reshape(3, 3)
    assert g == pytest.approx(np.eye(3) / 2.0, abs=0.03)


def test_in_a_sheet_kernels_are_flat_within_the_ratio() -> None:
    places = _even(np.array((2.0, 9.9, 2.0)), np.array((18.0, 10.0, 18.0)), 0.5)
    middle = np.argmin(np.linalg.norm(places - (10.0, 10.0, 10.0), axis=1))
    g = drop_kernels(places, 2.0, (20, 20, 20))[middle, 3:12].reshape(3, 3)
    assert g[1, 1] / g[0, 0] == pytest.approx(RATIO, rel=1e-6)
    assert np.abs(g - np.diag(np.diag(g))).max() < 1e-9


def test_no_places_and_no_width_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="places"):
        drop_kernels(np.array([[np.nan, 0.0, 0.0]]), 1.0, (4, 4, 4))
    with pytest.raises(InvalidArguments, match="width"):
        drop_kernels(np.zeros((1, 3)), 0.0, (4, 4, 4))
