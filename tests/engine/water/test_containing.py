"""Walls of a tank that hold what floats in it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiments.floats import box_float, play
from engine.water.grid import WaterGrid
from engine.water.step import WaterModel, WaterState, WaterWork, box_distance, start

CELL = 0.1
GRID = WaterGrid(cells=(10, 8, 8), spacing=CELL, origin=(-0.5, 0.2, 0.0))


def tank() -> tuple[WaterModel, WaterState, WaterWork]:
    model = WaterModel(grid=GRID)
    state = model.new_state(box_distance(GRID, GRID.origin, (1.0, 0.6, 1.0)))
    return model, state, start(model, state)


@pytest.mark.parametrize(("axis", "way"), [(0, -1.0), (0, 1.0), (2, 1.0)])
def test_a_body_that_drifts_against_a_wall_stops_there(axis: int, way: float) -> None:
    body = box_float((0.24, 0.2, 0.22), 500.0, np.array((0.0, 0.6, 0.4)))
    body.velocity[axis] = 1.5 * way
    model, state, work = tank()
    most = 0.0
    for _ in range(60):
        play(model, state, work, body, 0.01, 1)
        points = body.centre + body.points @ body.turn.T
        high = np.array(GRID.origin) + GRID.size
        most = max(most, float((way * points[:, axis]).max() - max(way * high[axis], way * GRID.origin[axis])))
    assert most < 0.03
    assert abs(body.velocity[axis]) < 0.3


def test_a_heavy_body_lies_on_the_floor() -> None:
    body = box_float((0.24, 0.2, 0.22), 3000.0, np.array((0.0, 0.5, 0.4)))
    model, state, work = tank()
    play(model, state, work, body, 0.01, 80)
    assert body.centre[1] == pytest.approx(0.3, abs=0.02)
    assert abs(body.velocity[1]) < 0.05


def test_what_stands_beside_the_tank_is_left_alone() -> None:
    body = box_float((0.24, 0.2, 0.22), 500.0, np.array((0.58, 0.7, 0.4)))
    body.gravity = 0.0
    model, state, work = tank()
    (report,) = play(model, state, work, body, 0.01, 1)
    assert abs(report.wrenches[0, 0]) < 0.3 * abs(report.wrenches[0]).max() + 1e-9
    assert abs(body.velocity[0]) < 0.1
