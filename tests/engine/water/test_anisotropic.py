"""Kernels around drops: they integrate to one, are round where drops are even, flat in sheets."""

import math

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.anisotropic import ALONE, RATIO, drop_kernels, spray_field, sum_kernels


def _even(low: Array, high: Array, apart: float) -> Array:
    lines = [np.arange(a, b, apart) + 0.37 * apart for a, b in zip(low, high, strict=True)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)


def test_each_kernel_integrates_to_one() -> None:
    rng = np.random.default_rng(3)
    sheet = np.array((12.0, 12.0, 12.0)) + rng.uniform(-1.0, 1.0, (400, 3)) * (4.0, 0.5, 4.0)
    kernels = drop_kernels(sheet, 2.0, (24, 24, 24))
    assert np.linalg.det(kernels[:, 3:12].reshape(-1, 3, 3)) == pytest.approx(kernels[:, 12])
    kernels[:, :3] = 32.0
    kernels[:, 3:12] /= 5.0  # five times as wide, so that the cells sample it well
    kernels[:, 12] /= 125.0
    for each in (0, 57, 399):
        field = np.zeros((64, 64, 64))
        sum_kernels(kernels[each : each + 1], np.ones(1), field)
        assert field.sum() == pytest.approx(1.0, rel=0.03)


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


def test_field_inside_a_cloud_is_how_much_it_fills() -> None:
    apart = 0.5
    places = _even(np.full(3, 1.0), np.full(3, 15.0), apart)
    radius = (3.0 / (4.0 * math.pi)) ** (1.0 / 3.0) * apart  # fills space
    field = spray_field(places, np.full(len(places), radius), 1.0, (16, 16, 16))
    assert field[6:10, 6:10, 6:10] == pytest.approx(1.0, abs=0.05)
    assert field[0].max() < 0.5


def test_no_places_and_no_width_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="places"):
        drop_kernels(np.array([[np.nan, 0.0, 0.0]]), 1.0, (4, 4, 4))
    with pytest.raises(InvalidArguments, match="width"):
        drop_kernels(np.zeros((1, 3)), 0.0, (4, 4, 4))
