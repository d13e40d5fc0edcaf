"""The examples of water, some frames of each: nothing stops, the volume is kept, all numbers are finite."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.document.motion import frame_time
from engine.document.validation import validate
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array, IntArray
from engine.queries.examples import example
from engine.soft.parts import SoftBody
from engine.water.moments import DIVERGENCE, VOLUME
from engine.water.stage import WaterStage
from engine.water.uses import water_actors
from tests.example_documents import example_text
from tests.water_examples import WET, duck_mesh

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


def lifted(places: Array, triangles: IntArray, level: float) -> tuple[Array, Array]:
    """Give force [N] and torque [N m] about the origin of still water on a closed surface."""
    a, b, c = (places[triangles[:, n]] for n in range(3))
    middles = (a + b + c) / 3.0
    pressures = 9810.0 * np.maximum(level - middles[:, 1], 0.0)
    forces = -0.5 * pressures[:, None] * np.cross(b - a, c - a)
    return forces.sum(axis=0), np.cross(middles, forces).sum(axis=0)


@pytest.mark.parametrize("axis", [0, 2])  # it rolls about x and pitches about z
def test_a_duck_turns_back_upright_from_either_side(axis: int) -> None:
    mesh, places, triangles = duck_mesh()
    (density,) = (part.density for part in example("duck").build().actors[1].parts if isinstance(part, SoftBody))
    masses = mesh.masses(density)
    weight, middle = 9.81 * masses.sum(), masses @ mesh.points / masses.sum()
    for degrees in (-20.0, -8.0, 8.0, 20.0):
        turned = Rotation.from_rotvec(np.radians(degrees) * np.eye(3)[axis]).apply(places - middle)
        low, high = turned[:, 1].min(), turned[:, 1].max()
        for _ in range(30):
            level = 0.5 * (low + high)
            low, high = (level, high) if lifted(turned, triangles, level)[0][1] < weight else (low, level)
        assert low < 0.03, "its head and its back are above the water"
        torque = lifted(turned, triangles, low)[1][axis]
        assert torque * degrees < 0.0
