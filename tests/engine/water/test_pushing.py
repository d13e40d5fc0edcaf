"""Water and what physics simulates, in one scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Box, Document
from engine.document.props import prop
from engine.evaluate.evaluator import Evaluator
from engine.physics.parts import PhysicsWorld
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.simulation import WaterSimulation
from engine.water.stage import WaterStage
from tests.engine.physics.scenes import SECOND, actor

HALF = (0.16, 0.1, 0.16)
TANK = WaterTank(size=(0.8, 0.8, 0.8), resolution=10.0, level=0.35, step=1.0 / 48.0, surface="level_set", spray=False)
FRAME = SECOND // 24


def scene(density: float, *, height: float = 0.4, tank: WaterTank = TANK) -> Document:
    figure = prop("Crate", (Box(half=HALF),))
    joint = replace(figure.joints[0], density=density)
    floating = actor("crate", replace(figure, joints=(joint,)), at=(0.03, height, 0.0))
    return Document(actors=(tank_actor("tank", "Tank", tank), floating), parts=(PhysicsWorld(step=1.0 / 96.0),))


def water(evaluator: Evaluator, document: Document) -> WaterSimulation:
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    return stage.simulation(document, "tank")


def place(evaluator: Evaluator, document: Document, frame: int) -> np.ndarray:
    return evaluator.joint_transforms(document, "crate", frame * FRAME)[0]


def test_a_crate_floats_where_archimedes_says() -> None:
    document, evaluator = scene(500.0, height=0.35), Evaluator()
    found = [place(evaluator, document, frame)[1, 3] for frame in range(0, 25, 3)]
    assert found == pytest.approx([0.35] * len(found), abs=0.01)
    simulation = water(evaluator, document)
    assert not simulation.said
    weight = 500.0 * 8.0 * float(np.prod(HALF)) * 9.81
    assert simulation.moment(24 * FRAME).forces[0, :3] == pytest.approx((0.0, weight, 0.0), abs=0.1 * weight)


def test_without_a_tank_that_feels_it_the_crate_falls() -> None:
    document, evaluator = scene(500.0, height=0.5, tank=replace(TANK, touches=False)), Evaluator()
    assert place(evaluator, document, 24)[1, 3] == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("first", ["physics", "water"])
def test_a_frame_alone_is_the_same_bytes_whoever_is_asked_first(first: str) -> None:
    document, one, other = scene(400.0), Evaluator(), Evaluator()
    for frame in range(1, 7):
        place(one, document, frame)
        water(one, document).moment(frame * FRAME)
    if first == "water":
        water(other, document).moment(6 * FRAME)
    assert place(other, document, 6).tobytes() == place(one, document, 6).tobytes()
    moments = [water(each, document).moment(6 * FRAME) for each in (one, other)]
    assert moments[0].positions.tobytes() == moments[1].positions.tobytes()
    assert moments[0].pushes.tobytes() == moments[1].pushes.tobytes()
    assert moments[0].pushes.any()


def test_a_frame_that_is_gone_is_stepped_again_with_physics() -> None:
    document, evaluator = scene(400.0), Evaluator()
    simulation = water(evaluator, document)
    before = simulation.moment(6 * FRAME).positions.tobytes()
    early = simulation.moment(3 * FRAME).positions.tobytes()
    for frame in list(simulation._kept.kept):
        simulation._kept.drop(frame)
    assert simulation.moment(3 * FRAME).positions.tobytes() == early
    assert simulation.moment(6 * FRAME).positions.tobytes() == before


def test_a_crate_let_go_later_stands_in_the_water_until_then() -> None:
    document, evaluator = scene(400.0, height=0.3), Evaluator()
    owner = document.actor("crate")
    late = document.with_actor(owner.with_part(replace(owner.parts[0], start=4 * FRAME)))  # type: ignore[type-var]
    assert place(evaluator, late, 4)[1, 3] == pytest.approx(0.3, abs=1e-3)
    assert place(evaluator, late, 10)[1, 3] > 0.31
