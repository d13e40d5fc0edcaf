"""Rehearsals of bakes: on few cells, when they are worth it, of the flow that comes, and no byte of a bake by them."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Box, Document
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.water import bakes, rehearsal
from engine.water.compile import compile_tank
from engine.water.making import tank_actor
from engine.water.moments import KINETIC, SUB_STEPS
from engine.water.pace import Expected, FramePace
from engine.water.parts import WaterTank
from engine.water.rehearsal import CELLS, Rehearsal, coarser
from engine.water.simulation import WaterSimulation
from engine.water.stage import WaterStage
from tests.water_examples import thing

DAM = WaterTank(size=(1.0, 1.0, 1.0), resolution=9.0, begins="dam", level=0.0, block_length=0.4, block_height=0.7)


def scene_of(tank: WaterTank) -> Document:
    """A document with one tank."""
    return Document(actors=(tank_actor("tank", "Tank", tank),))


def simulation_of(document: Document) -> WaterSimulation:
    """Its water."""
    stage = Evaluator().stage("water")
    assert isinstance(stage, WaterStage)
    found = stage.simulation(document, "tank")
    assert found is not None
    return found


class Told(FramePace):
    """A pace that keeps what it was told."""

    expected: Expected | None = None

    def expect(self, expected: Expected) -> None:
        """Keep it."""
        super().expect(expected)
        self.expected = expected


def paced(frames: int, seconds: float) -> Told:
    """A pace of frames that take so long."""
    now = [0.0]
    pace = Told(frames, clock=lambda: now[0])
    for _ in range(5):
        now[0] += seconds
        pace.note(1.0)
    return pace


def run_out(steps: Generator[None, None, None]) -> int:
    """Go on to the end; how many steps there were."""
    return sum(1 for _ in steps)


@pytest.mark.parametrize(
    "given", [{}, {"size": (4.0, 1.0, 0.5)}, {"planar": True, "resolution": 200.0}, {"ends": "open", "level": 0.4}]
)
def test_a_rehearsal_has_few_cells_in_the_same_tank(given: dict[str, object]) -> None:
    fine = replace(DAM, **{"resolution": 40.0, **given})  # type: ignore[arg-type]
    scene = compile_tank(scene_of(fine), tank_actor("tank", "Tank", fine), np.array((1.0, 2.0, 3.0)))
    found = coarser(scene, alone=False)
    assert found is not None
    assert math.prod(found.grid.cells) == pytest.approx(CELLS, rel=0.25)
    h, sides = found.grid.spacing, slice(0, 2 if fine.planar else 3)
    assert found.grid.size[sides] == pytest.approx(scene.grid.size[sides], abs=h)
    assert found.grid.origin[:2] == pytest.approx(scene.grid.origin[:2], abs=0.5 * h)
    assert coarser(found, alone=False) is None, "it has few cells itself"


def test_a_pond_is_not_rehearsed() -> None:
    pond = replace(DAM, surface="height_field", resolution=100.0)
    assert coarser(compile_tank(scene_of(pond), tank_actor("tank", "Tank", pond), np.zeros(3)), alone=False) is None


def test_what_is_rehearsed_is_the_flow_that_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "CELLS", 6**3)
    simulation, count = simulation_of(scene_of(DAM)), 20
    short, long = paced(count, 1.0), paced(count, 10.0)
    assert run_out(Rehearsal(simulation, 0, count, short).when_worth(5)) == 0, "it ends in half a minute"
    twice = Rehearsal(simulation, 0, count, long)
    assert run_out(twice.when_worth(5)) == count - 1
    assert run_out(twice.when_worth(6)) == 0
    assert short.expected is None
    assert long.expected is not None
    expected: Array = long.expected(1.0)
    known = np.array([simulation.moment(simulation.tick(frame)).numbers for frame in range(count)])
    assert expected.sum() == pytest.approx(known[:, SUB_STEPS].sum(), rel=0.35)
    speeds, truth = long.expected(4.0)[1:], np.sqrt(known[:-1, KINETIC])  # each step's are those before it
    assert np.corrcoef(speeds, truth)[0, 1] > 0.9
    assert (long.expected(2.0) >= expected).all()


def test_pushed_bodies_are_left_out_and_led_ones_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    box = thing("box", "Box", Box(half=(0.1, 0.2, 0.1)), (0.2, 0.2, 0.0), density=400.0)
    for floats in (True, False):
        held = box if floats else thing("box", "Box", Box(half=(0.1, 0.2, 0.1)), (0.2, 0.2, 0.0))
        simulation = simulation_of(replace(scene_of(DAM), actors=(*scene_of(DAM).actors, held)))
        monkeypatch.setattr(rehearsal, "CELLS", 5**3)
        found = coarser(simulation.scene, alone=simulation.alongside is not None)
        assert found is not None
        assert bool(found.bodies) is not floats


def test_a_bake_that_is_rehearsed_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document, end = scene_of(DAM), frame_time(7, (30, 1))
    files = []
    for worth in (math.inf, 0.0):
        folder = tmp_path / f"{worth}"
        folder.mkdir()
        monkeypatch.setattr(bakes, "folder_of_bakes", lambda folder=folder: folder)
        monkeypatch.setattr(rehearsal, "WORTH", worth)
        monkeypatch.setattr(rehearsal, "CELLS", 5**3)
        told = [each.left for each in Evaluator().stage("water").bake(document, "tank", end)]
        assert told[-1] == pytest.approx(0.0, abs=1e-9)
        files.append((next(folder.iterdir()).read_bytes(), len(told)))
    (plain, few), (rehearsed, more) = files
    assert rehearsed == plain
    assert more == few + 7, "a breath for each frame that is rehearsed"
