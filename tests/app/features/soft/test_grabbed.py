"""The spot that a hand has taken of a surface goes with it."""

from __future__ import annotations

import numpy as np
import pytest

from app.features.soft.grabbed import grab

SQUARE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=np.float32)
HALVES = np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)


def test_a_spot_inside_a_triangle_is_found_and_goes_where_its_corners_go() -> None:
    spot = grab(SQUARE, HALVES, (0.25, 0.75, 0.0))
    assert spot.corners == (0, 2, 3)
    assert spot.on(SQUARE) == pytest.approx((0.25, 0.75, 0.0))
    assert spot.on(2.0 * SQUARE + 1.0) == pytest.approx((1.5, 2.5, 1.0))


def test_a_point_beside_the_surface_takes_the_spot_that_is_nearest() -> None:
    assert grab(SQUARE, HALVES, (0.9, 0.1, 0.2)).on(SQUARE) == pytest.approx((0.9, 0.1, 0.0))
    assert grab(SQUARE, HALVES, (1.0, 0.5, 0.0)).on(SQUARE) == pytest.approx((1.0, 0.5, 0.0))


def test_a_triangle_without_area_is_no_trouble() -> None:
    flat = np.concatenate((HALVES, [(0, 0, 1)])).astype(np.int32)
    assert grab(SQUARE, flat, (0.25, 0.75, 0.0)).corners == (0, 2, 3)
