"""Soft bodies that float, alone and with what physics simulates."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Actor, Document
from engine.evaluate.evaluator import Evaluator
from engine.physics.parts import PhysicsWorld
from engine.soft.making import FRESH, soft_actor, soft_box
from engine.soft.simulation import SoftSimulation
from engine.soft.stage import SoftStage
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.pushing import soft_state
from engine.water.simulation import WaterSimulation
from engine.water.stage import WaterStage
from tests.engine.physics.scenes import SECOND, actor

TANK = WaterTank(size=(0.8, 0.8, 0.8), resolution=10.0, level=0.4, step=1.0 / 48.0, surface="level_set", spray=False)
FRAME = SECOND // 24


def scene(density: float, *others: Actor) -> Document:
    body = soft_box((0.32, 0.2, 0.32), (2, 1, 2), density=density, young=1e5, **FRESH)
    jelly = soft_actor("jelly", "Jelly", body, position=(0.02, 0.5 - density / 1000.0 * 0.2, 0.0))
    return Document(actors=(tank_actor("tank", "Tank", TANK), jelly, *others), parts=(PhysicsWorld(),))


def soft(evaluator: Evaluator, document: Document) -> SoftSimulation:
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    found = stage.simulation(document)
    assert found is not None
    return found


def water(evaluator: Evaluator, document: Document) -> WaterSimulation:
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    return stage.simulation(document, "tank")


@pytest.mark.parametrize("density", [200.0, 500.0])
def test_a_soft_block_floats_where_archimedes_says(density: float) -> None:
    document, evaluator = scene(density), Evaluator()
    found = soft(evaluator, document)
    heights = [float(found.points(frame * FRAME)[:, 1].mean()) for frame in range(0, 21, 4)]
    assert heights == pytest.approx([0.5 - density / 1000.0 * 0.2] * len(heights), abs=0.012)
    sizes = np.ptp(found.points(20 * FRAME), axis=0)
    assert sizes == pytest.approx((0.32, 0.2, 0.32), abs=0.02)
    forces = water(evaluator, document).moment(20 * FRAME).forces
    weight = density * 0.32 * 0.2 * 0.32 * 9.81
    assert forces[0, 1] == pytest.approx(weight, rel=0.15)


def test_the_same_bytes_come_whoever_is_asked_first() -> None:
    document = scene(400.0, actor("ball", at=(-0.2, 0.65, 0.2)))
    one, other, third = Evaluator(), Evaluator(), Evaluator()
    for frame in range(1, 9):
        one.joint_transforms(document, "ball", frame * FRAME)
        soft(one, document).points(frame * FRAME)
    at = 8 * FRAME
    wanted = soft(one, document).points(at).tobytes()
    assert soft(other, document).points(at).tobytes() == wanted
    moment = water(third, document).moment(at)
    assert moment.positions.tobytes() == water(one, document).moment(at).positions.tobytes()
    assert soft(third, document).points(at).tobytes() == wanted
    assert (
        third.joint_transforms(document, "ball", at).tobytes() == one.joint_transforms(document, "ball", at).tobytes()
    )


def test_the_rigid_motion_of_a_soft_body_is_found() -> None:
    random = np.random.default_rng(2)
    points, masses = random.normal(size=(20, 3)), random.uniform(0.5, 2.0, 20)
    middle = masses @ points / masses.sum()
    turning = np.array((0.3, -1.0, 2.0))
    speeds = np.array((1.0, 2.0, 3.0)) + np.cross(turning, points - middle)
    found = soft_state(points, speeds, masses, points, speeds)
    assert found.middle == pytest.approx(middle)
    assert found.velocity == pytest.approx((1.0, 2.0, 3.0, 0.3, -1.0, 2.0))
    momentum = masses @ np.cross(points - middle, speeds)
    assert found.response[3:, 3:] @ momentum == pytest.approx(turning)
    assert found.response[0, 0] == pytest.approx(1.0 / masses.sum())
