"""Toys stand on the floor, on legs that are apart, and the snake has a direction."""

from __future__ import annotations

import numpy as np
import pytest

from engine.soft.toys import Toy, toy


@pytest.mark.parametrize("kind", ["table", "stool", "snake"])
def test_a_toy_is_centred_and_stands_on_the_floor(kind: Toy) -> None:
    body, height = toy(kind)
    points = body.points.array
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    assert middle == pytest.approx(np.zeros(3), abs=1e-9)
    assert points[:, 1].min() == pytest.approx(-height)
    assert body.positions.shape[0] > 0


def test_the_table_is_planar_with_two_legs_and_the_stool_has_four() -> None:
    table, height = toy("table")
    assert table.planar
    feet = np.unique(np.round(table.points.array[table.points.array[:, 1] < 1e-6 - height, 0], 6))
    assert len(np.flatnonzero(np.diff(feet) > 0.06)) == 1
    stool, height = toy("stool")
    on_floor = stool.points.array[stool.points.array[:, 1] < 1e-6 - height]
    assert len({(x > 0.0, z > 0.0) for x, _, z in on_floor.tolist()}) == 4
    assert np.abs(on_floor[:, (0, 2)]).min() > 0.03


def test_the_snake_slides_forwards_more_easily_than_back_or_to_the_side() -> None:
    body, _ = toy("snake")
    assert body.heading == (0.0, 0.0, 1.0)
    assert body.forward < body.backward == body.sideways
