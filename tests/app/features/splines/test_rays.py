"""Rays through a body: where a click sets a point."""

from __future__ import annotations

import numpy as np
import pytest

from app.features.splines.view.rays import crossings, entry, halfway
from engine.maths.arrays import Array
from engine.soft.parts import SoftBody
from tests.engine.soft.worms import worm_body

WAY = np.array([0.0, 0.0, -1.0])


def corners_of(body: SoftBody) -> Array:
    found: Array = body.positions.array.astype(np.float64)[body.triangles.array]
    return found


def test_a_point_is_set_halfway_between_where_the_ray_enters_and_leaves() -> None:
    body, origin = worm_body(), np.array([0.1, 0.03, 2.0])
    along = crossings(origin, WAY, corners_of(body))
    assert along == pytest.approx([1.92, 2.08], abs=1e-6)
    assert halfway(along, origin, WAY) == pytest.approx((0.1, 0.03, 0.0), abs=1e-6)
    assert entry(along, origin, WAY) == pytest.approx((0.1, 0.03, 0.08), abs=1e-6)


def test_a_ray_beside_the_body_meets_nothing() -> None:
    body, origin = worm_body(), np.array([0.1, 0.5, 2.0])
    along = crossings(origin, WAY, corners_of(body))
    assert halfway(along, origin, WAY) is None
    assert entry(along, origin, WAY) is None


def test_on_a_flat_body_a_point_is_set_where_the_ray_meets_it() -> None:
    flat = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    along = crossings(np.array([0.2, 0.2, 1.0]), WAY, flat)
    assert halfway(along, np.array([0.2, 0.2, 1.0]), WAY) == pytest.approx((0.2, 0.2, 0.0))


def test_a_ray_through_an_edge_of_two_triangles_counts_once() -> None:
    body, origin = worm_body(), np.array([0.0, 0.0, 2.0])
    assert len(crossings(origin, WAY, corners_of(body))) == 2
