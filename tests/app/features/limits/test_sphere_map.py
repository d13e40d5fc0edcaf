"""The sphere laid flat: places keep distance and side from the middle, ways are great circles, and the back is told."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from app.features.limits.sphere_map import FINE, SphereMap, is_turned
from engine.document.values import Vector3

MAP = SphereMap((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))  # an arm that hangs
Z: Vector3 = (0.0, 0.0, 1.0)


@pytest.mark.parametrize("place", [(0.0, 0.0), (0.3, -0.2), (-2.0, 1.5), (0.0, 3.1)])
def test_a_place_becomes_a_direction_and_the_same_place_again(place: tuple[float, float]) -> None:
    direction = MAP.direction(place)
    assert math.hypot(*direction) == pytest.approx(1.0)
    assert MAP.flat(direction) == pytest.approx(place, abs=1e-9)
    away = math.acos(max(-1.0, min(1.0, -direction[1])))
    assert away == pytest.approx(math.hypot(*place), abs=1e-6)


def test_the_front_is_a_quarter_turn_above_the_middle_and_the_back_of_the_sphere_is_the_rim() -> None:
    assert MAP.flat(Z) == pytest.approx((0.0, math.pi / 2))
    assert math.hypot(*MAP.flat((0.0, 1.0, 0.0))) == pytest.approx(math.pi)
    assert MAP.direction((9.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0), abs=1e-12)


def test_a_side_is_the_shortest_way_in_fine_steps() -> None:
    start, end = MAP.direction((1.0, 0.0)), MAP.direction((0.0, 1.0))
    side = MAP.side(start, end)
    assert side[0] == pytest.approx((1.0, 0.0))
    assert side[-1] == pytest.approx((0.0, 1.0))
    middle = math.hypot(*side[len(side) // 2])
    assert middle != pytest.approx(math.sqrt(0.5), abs=0.02), "no straight line of the map"
    steps = [math.dist(a, b) for a, b in pairwise(side)]
    assert max(steps) < 1.4 * FINE


def test_a_polygon_round_the_back_has_the_rim_inside() -> None:
    around = [MAP.direction((math.cos(turn), math.sin(turn))) for turn in (0.0, 1.5, 3.0, 4.5)]
    assert not is_turned(MAP.outline(around))
    assert is_turned(MAP.outline(around[::-1]))
    assert len(MAP.outline(around)) > 4 * 30
