"""Water and what physics simulates, in one scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest

from engine.document import Box, Document, Dof, Figure
from engine.document.props import prop
from engine.evaluate.evaluator import Evaluator
from engine.evaluation import MovingBodies
from engine.physics.parts import PhysicsWorld
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.simulation import WaterSimulation
from engine.water.stage import WaterStage
from tests.engine.physics.scenes import SECOND, actor, simulation

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
    found: np.ndarray = evaluator.joint_transforms(document, "crate", frame * FRAME)[0]
    return found


def test_a_crate_floats_where_archimedes_says() -> None:
    document, evaluator = scene(500.0, height=0.35), Evaluator()
    found = [place(evaluator, document, frame)[1, 3] for frame in range(0, 13, 3)]
    assert found == pytest.approx([0.35] * len(found), abs=0.01)
    simulation = water(evaluator, document)
    assert not simulation.said
    weight = 500.0 * 8.0 * float(np.prod(HALF)) * 9.81
    assert simulation.moment(12 * FRAME).forces[0, :3] == pytest.approx((0.0, weight, 0.0), abs=0.1 * weight)


def test_a_light_raft_that_is_nudged_comes_to_rest() -> None:
    figure = prop("Raft", (Box(half=(0.225, 0.1, 0.225)),))  # its edges lie 0.6 of a cell beyond faces of the grid
    raft = actor("crate", replace(figure, joints=(replace(figure.joints[0], density=50.0),)), at=(0.0, 0.491, 0.0))
    tank = replace(TANK, size=(1.0, 0.65, 1.0), resolution=16.0, level=0.4, step=1.0 / 60.0)
    document, evaluator = (
        Document(actors=(tank_actor("tank", "Tank", tank), raft), parts=(PhysicsWorld(),)),
        Evaluator(),
    )
    found = [float(place(evaluator, document, frame)[1, 3]) for frame in range(41)]
    assert np.ptp(found[28:]) < 0.002
    assert found[-1] == pytest.approx(0.49, abs=0.003)


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


def hinged() -> Figure:
    """Two planks that a hinge joins."""
    plank = prop("Plank", (Box(half=(0.12, 0.05, 0.12)),)).joints[0]
    hinge = Dof(id="hinge", name="Hinge", kind="hinge", axis=(0.0, 0.0, 1.0))
    second = replace(
        plank, id="second", name="Second", parent=plank.id, offset=(0.28, 0.0, 0.0), dofs=(hinge,), density=500.0
    )
    return Figure(name="Planks", joints=(replace(plank, density=500.0), second))


def test_planks_on_a_hinge_float_together_and_answer_by_their_joint() -> None:
    planks = actor("planks", hinged(), at=(-0.14, 0.35, 0.0))
    document = Document(actors=(tank_actor("tank", "Tank", TANK), planks), parts=(PhysicsWorld(step=1.0 / 96.0),))
    evaluator, seen = Evaluator(), list[np.ndarray]()
    frames = evaluator.joint_transforms(document, "planks", 9 * FRAME)
    assert frames[:, 1, 3] == pytest.approx((0.35, 0.35), abs=0.01)
    assert np.abs(frames[:, 0, 1]).max() < 0.1

    def look(moving: MovingBodies) -> Mapping[str, np.ndarray]:
        joints = [("planks", 0), ("planks", 1)]
        found = moving.responses(joints)
        for column in range(12):
            wrench = np.zeros((2, 6))
            wrench[column // 6, column % 6] = 1.0 / moving.dt
            assert found[:, column] == pytest.approx(moving.respond({"planks": wrench})["planks"].ravel(), abs=1e-10)
        seen.append(found)
        return {}

    alone = simulation(Document(actors=(planks,)), PhysicsWorld(ground=False))
    alone.pushers = (Looking(look),)
    alone.pose(alone.scene.members[0], SECOND // 100)
    assert np.abs(seen[0][:6, 6:]).max() > 1e-2, "one plank answers to a push of the other"


@dataclass
class Looking:
    """Somebody who pushes nothing."""

    look: Callable[[MovingBodies], Mapping[str, np.ndarray]]

    def push(self, moving: MovingBodies) -> Mapping[str, np.ndarray]:
        """Look."""
        return self.look(moving)

    def has_pushed(self, time: int) -> bool:
        """Tell that it needs not be asked again."""
        return True
