"""The examples of water, some frames of each: nothing stops, the volume is kept, all numbers are finite."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.motion import frame_time
from engine.document.validation import validate
from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import example
from engine.water.moments import DIVERGENCE, VOLUME
from engine.water.stage import WaterStage
from engine.water.uses import water_actors
from tests.example_documents import example_text
from tests.water_examples import WET

FRAMES = 6


@pytest.mark.parametrize("id", WET)
def test_water_of_an_example_keeps_its_volume_and_nothing_is_lost(id: str) -> None:
    document, evaluator = example(id).build(), Evaluator()
    assert example_text(document) == example_text(WET[id]())
    validate(document)
    ((tank, _),) = water_actors(document)
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    for frame in range(0, FRAMES + 1, 3):
        snapshot = evaluator.snapshot(document, frame_time(frame, document.rate))
        assert np.isfinite(snapshot.liquids[0].positions).all()
    assert stage.said(document, tank.id) == ()
    simulation = stage.simulation(document, tank.id)
    first, last = simulation.known(0), simulation.known(FRAMES)
    assert first is not None
    assert last is not None
    assert last.numbers[VOLUME] == pytest.approx(first.numbers[VOLUME], rel=0.03)
    assert last.numbers[DIVERGENCE] < 1e-6


def test_water_about_a_duck_is_no_faster_than_the_duck() -> None:
    document, evaluator = example("duck").build(), Evaluator()
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    simulation = stage.simulation(document, "tank")
    for frame in (7, 8):  # it fell 0.15 m, at up to 1.2 m/s; cells are open to it by less than a thousandth
        flow = simulation.moment(frame_time(frame, document.rate)).flow.astype(np.float64)
        assert np.nanmax(np.linalg.norm(flow[:3], axis=0)) < 1.2
        assert np.nanmax(np.abs(flow[3])) < 5.0  # kPa; 4 of them by depth
