"""Open ends: a current comes and goes, and the water keeps its level; what is in its way leaves a wake."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Box, Document
from engine.evaluate.evaluator import Evaluator
from engine.water.ends import EndZones
from engine.water.grid import WaterGrid
from engine.water.making import tank_actor
from engine.water.moments import VOLUME
from engine.water.parts import WaterTank
from engine.water.stage import WaterStage
from engine.water.step import WaterModel, WaterOptions, start, step
from tests.engine.physics.scenes import SECOND
from tests.water_examples import thing

FRAME = SECOND // 24
SPEED, LEVEL = 0.5, 0.42
STREAM = WaterTank(size=(2.0, 0.6, 0.6), resolution=10.0, level=0.4, current=SPEED, ends="open", step=1.0 / 48.0)


@pytest.mark.parametrize("surface", ["level_set", "particle_level_set"])
def test_a_steady_current_past_nothing_stays_as_it_is(surface: str) -> None:
    grid = WaterGrid(cells=(20, 12, 5), spacing=0.05)
    model = WaterModel(grid=grid, options=WaterOptions(surface=surface), ends=EndZones(grid, SPEED, LEVEL))
    _, y, _ = grid.centres()
    state = model.new_state(np.broadcast_to(y - LEVEL, grid.cells))
    state.u[:] = SPEED
    work = start(model, state)
    volume = 0.0
    for _ in range(24):
        volume = step(model, state, work, 1.0 / 24.0).volume
    wet = np.broadcast_to(y - LEVEL < 0.0, grid.cells)
    assert np.abs(state.u[1:] - SPEED)[wet].max() < 1e-6
    assert max(np.abs(state.v[:, 1:])[wet].max(), np.abs(state.w[:, :, 1:])[wet].max()) < 1e-6
    near = np.abs(y - LEVEL) < 0.1
    assert np.abs(state.phi - (y - LEVEL))[np.broadcast_to(near, grid.cells)].max() < 1e-6
    assert volume == pytest.approx(1.0 * 0.25 * LEVEL, rel=1e-6)


def test_waves_die_down_at_the_ends_and_the_level_is_kept() -> None:
    grid = WaterGrid(cells=(40, 12, 1), spacing=0.05)
    model = WaterModel(grid=grid, options=WaterOptions(surface="level_set"), ends=EndZones(grid, 0.0, 0.3))
    walled = replace(model, ends=None)
    x, y, _ = grid.centres()
    left = []
    for each in (model, walled):
        state = each.new_state(np.broadcast_to(y - 0.3 - 0.06 * np.exp(-(((x - 1.0) / 0.12) ** 2)), grid.cells))
        work, squares = start(each, state), []
        for _ in range(96):
            step(each, state, work, 1.0 / 24.0)
            squares.append(float(((0.5 * (state.u[1:] + state.u[:-1])) ** 2)[state.phi < 0.0].sum()))
        left.append(math.sqrt(sum(squares[-24:])))  # over a second: a single moment may be one of turning back
    assert left[0] < 0.2 * left[1]


def test_a_post_leaves_a_wake_and_the_volume_stays() -> None:
    post = thing("post", "Post", Box(half=(0.1, 0.29, 0.1)), (-0.3, 0.29, 0.0))
    document = Document(actors=(tank_actor("stream", "Stream", STREAM), post))
    stage = Evaluator().stage("water")
    assert isinstance(stage, WaterStage)
    simulation = stage.simulation(document, "stream")
    moments = [simulation.moment(frame * FRAME) for frame in (0, 48, 72, 96)]
    assert simulation.said == ()
    volumes = [each.numbers[VOLUME] for each in moments]
    assert volumes == pytest.approx([volumes[0]] * 4, rel=0.01)
    u = moments[-1].flow[0].astype(float)  # 20 x 6 x 6 cells
    behind, beside = np.nanmean(u[9:11, 1:3, 2:4]), np.nanmean(u[9:11, 1:3, [0, 5]])
    assert behind < 0.5 * SPEED < SPEED < beside
    assert np.nanmean(u[0, :3]) == pytest.approx(SPEED, rel=0.02)
    assert moments[-1].forces[0, 0] > 0.0, "the current pushes it along"
