"""Planar tanks in documents: one cell deep, drawn as a slab; bodies that cross the plane are prisms to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Box, Document
from engine.evaluate.evaluator import Evaluator
from engine.physics.parts import PhysicsWorld
from engine.water.making import tank_actor
from engine.water.moments import SUB_STEPS, VOLUME, WaterMoment
from engine.water.parts import WaterTank
from engine.water.stage import WaterStage
from tests.engine.physics.scenes import SECOND
from tests.water_examples import thing

FRAME = SECOND // 24
TANK = WaterTank(
    size=(1.2, 0.8, 0.4), planar=True, resolution=20.0, level=0.4, surface="level_set", spray=False, step=1.0 / 48.0
)


def sheet(*things: Actor, tank: WaterTank = TANK) -> Document:
    return Document(actors=(tank_actor("tank", "Tank", tank), *things), parts=(PhysicsWorld(step=1.0 / 96.0),))


def moment(evaluator: Evaluator, document: Document, frame: int) -> WaterMoment:
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    assert not stage.said(document, "tank")
    return stage.simulation(document, "tank").moment(frame * FRAME)


def test_it_is_one_cell_deep_and_seen_and_measured_as_deep_as_it_says() -> None:
    assert TANK.cells == (24, 16, 1)
    document, evaluator = sheet(tank=replace(TANK, surface="particle_level_set", spray=True)), Evaluator()
    found, (seen,) = moment(evaluator, document, 3), evaluator.snapshot(document, 3 * FRAME).liquids
    assert seen.positions.min(axis=0) == pytest.approx((-0.6, 0.0, -0.2), abs=1e-3)
    assert seen.positions.max(axis=0) == pytest.approx((0.6, 0.4, 0.2), abs=1e-3)
    assert found.numbers[VOLUME] == pytest.approx(1.2 * 0.4 * 0.4, rel=1e-6)
    assert found.flow.shape == (4, 24, 16, 1)


def test_a_dam_in_a_plane_keeps_its_volume() -> None:
    dam = replace(TANK, begins="dam", level=0.05, block_length=0.4, block_height=0.6, surface="particle_level_set")
    evaluator, document = Evaluator(), sheet(tank=dam)
    found = [moment(evaluator, document, frame) for frame in (0, 6, 12)]
    assert [each.numbers[VOLUME] for each in found] == pytest.approx([found[0].numbers[VOLUME]] * 3, rel=0.02)
    assert found[2].positions[:, 0].max() == pytest.approx(0.6, abs=1e-2), "it has come to the other wall"
    assert found[2].numbers[SUB_STEPS] >= 1


@pytest.mark.parametrize("deep", [0.05, pytest.param(0.3, marks=pytest.mark.deep)])
def test_a_box_that_crosses_the_plane_floats_by_archimedes_however_deep_it_is(deep: float) -> None:
    box = thing("box", "Box", Box(half=(0.16, 0.08, deep)), (0.03, 0.41, 0.01), density=500.0)
    document, evaluator = sheet(box), Evaluator()
    rise = 0.32 * (0.08 - 0.07) / 1.2  # it stands in the water from the beginning, 7 cm deep
    places = [evaluator.joint_transforms(document, "box", frame * FRAME)[0] for frame in range(24, 49, 8)]
    assert [each[1, 3] for each in places] == pytest.approx([0.4 + rise] * 4, abs=0.006)
    assert [each[2, 3] for each in places] == pytest.approx([0.01] * 4, abs=1e-6), "nothing pushes it out of the plane"
    lift = moment(evaluator, document, 48).forces[0]
    weight = 500.0 * 0.32 * 0.16 * 2.0 * deep * 9.81
    assert lift[1] == pytest.approx(weight, rel=0.15)
    assert lift[2:5] == pytest.approx((0.0, 0.0, 0.0))


def test_a_led_block_is_felt_where_it_crosses_the_plane_alike_whatever_its_depth() -> None:
    found = []
    for deep, away in ((0.05, 0.0), (0.2, 0.0), (0.05, 0.15)):
        block = thing("block", "Block", Box(half=(0.06, 0.2, deep)), (0.1, 0.2, away))
        dam = replace(TANK, begins="dam", level=0.1, block_length=0.4, block_height=0.6)
        found.append(moment(Evaluator(), sheet(block, tank=dam), 8))
    assert found[0].positions.tobytes() == found[1].positions.tobytes()
    assert found[1].forces[0, 0] == pytest.approx(4.0 * found[0].forces[0, 0], rel=1e-9)
    assert not found[2].forces.any(), "it stands beside the plane"
    assert np.abs(found[0].forces[0, 0]) > 1.0
