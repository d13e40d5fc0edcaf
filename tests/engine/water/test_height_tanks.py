"""Height fields in documents: the speed of waves, what bodies displace, where these float, what is kept."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Box, Document, Ellipsoid
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import LiquidSurface
from engine.physics.parts import PhysicsWorld
from engine.water.compile import compile_tank
from engine.water.covering import cover_columns
from engine.water.height_running import HeightRun
from engine.water.making import tank_actor
from engine.water.moments import MOMENTUM, VOLUME
from engine.water.parts import WaterTank
from engine.water.stage import WaterStage
from engine.water.surroundings import BodyPlaces
from tests.engine.physics.scenes import SECOND
from tests.water_examples import thing

FRAME = SECOND // 24
POND = WaterTank(size=(4.0, 1.0, 3.0), resolution=8.0, level=0.5, surface="height_field")


def pond(*things: Actor, tank: WaterTank = POND) -> Document:
    return Document(actors=(tank_actor("pond", "Pond", tank), *things), parts=(PhysicsWorld(step=1.0 / 96.0),))


def stage_of(evaluator: Evaluator) -> WaterStage:
    stage = evaluator.stage("water")
    assert isinstance(stage, WaterStage)
    return stage


def numbers(evaluator: Evaluator, document: Document, frames: Iterable[int]) -> np.ndarray:
    simulation = stage_of(evaluator).simulation(document, "pond")
    return np.array([simulation.moment(frame * FRAME).numbers for frame in frames])


def test_a_standing_wave_runs_at_the_root_of_g_times_depth() -> None:
    tank = replace(POND, begins="wave", wave_length=8.0, wave_height=0.02)
    document = pond(tank=tank)
    run = compile_tank(document, document.actors[0], np.zeros(3)).begin(BodyPlaces({}, {}))
    assert isinstance(run, HeightRun)
    slope, times = [], []
    for _ in range(80):
        for _ in run.step(BodyPlaces({}, {}), BodyPlaces({}, {}), 1.0 / 24.0):
            pass
        slope.append(float(run._water.depth[0, 0] - run._water.depth[-1, 0]))
        times.append(run.seconds)
    turns = [
        a + (b - a) * y / (y - z) for a, b, y, z in zip(times, times[1:], slope, slope[1:], strict=False) if y * z < 0
    ]
    speed = 2.0 * 4.0 / (2.0 * (turns[1] - turns[0]))
    assert speed == pytest.approx(math.sqrt(9.81 * 0.5), rel=0.02)


def test_thickness_is_the_displaced_volume_wherever_a_body_lies_between_columns() -> None:
    ball = thing("ball", "Ball", Ellipsoid(radii=(0.3, 0.3, 0.3)), (0.07, 0.62, -0.11))
    scene = compile_tank(pond(ball), pond().actors[0], np.zeros(3))
    (body,) = scene.bodies
    points = body.points + np.array((0.07, 0.62, -0.11))
    found = np.zeros((32, 24))
    cover_columns(points, body.mesh.triangles, np.full((32, 24), 0.5), np.array((-2.0, -1.5, 0.125)), found)
    high = 0.5 - 0.62 + 0.3  # of the cap that is below the level
    cap = math.pi * high * high * (3.0 * 0.3 - high) / 3.0
    assert found.sum() * 0.125**2 == pytest.approx(cap, rel=0.03)
    assert found.min() > -1e-12
    assert found.max() < high + 1e-12


@pytest.mark.parametrize(("density", "wide"), [(300.0, 0.4), (600.0, 0.3), (60.0, 0.3)])
def test_a_box_floats_where_archimedes_says_and_makes_waves(density: float, wide: float) -> None:
    box = thing("box", "Box", Box(half=(wide, 0.1, wide)), (0.03, 0.62, 0.02), density=density)
    document, evaluator = pond(box), Evaluator()
    rises = [water_top(evaluator, document, frame) for frame in (0, 8)]
    assert rises[0] == pytest.approx(0.5, abs=1e-6)
    assert rises[1] > 0.501, "it falls in, and a wave runs off"
    heights = [evaluator.joint_transforms(document, "box", frame * FRAME)[0][1, 3] for frame in range(36, 85, 4)]
    displaced = 4.0 * wide * wide * 0.2 * density / 1000.0
    draft = 0.6 + displaced / (4.0 * 3.0) - np.array(heights)  # the pond rises by what the box displaces
    assert draft.mean() == pytest.approx(0.2 * density / 1000.0, rel=0.05)
    found = numbers(evaluator, document, (0, 8, 40, 84))
    assert found[:, VOLUME] == pytest.approx(6.0, rel=1e-12), "of water, to the last drop"
    assert not stage_of(evaluator).said(document, "pond")


def water_top(evaluator: Evaluator, document: Document, frame: int) -> float:
    found: LiquidSurface = evaluator.snapshot(document, frame * FRAME).liquids[0]
    return float(found.positions[:, 1].max())


def test_a_led_body_makes_waves_and_is_pushed_up_by_what_it_displaces() -> None:
    stone = thing("stone", "Stone", Box(half=(0.2, 0.1, 0.2)), (0.0, 0.3, 0.0))
    document, evaluator = pond(stone), Evaluator()
    simulation = stage_of(evaluator).simulation(document, "pond")
    moment = simulation.moment(6 * FRAME)
    assert moment.forces[0, :3] == pytest.approx((0.0, 1000.0 * 9.81 * 0.032, 0.0), rel=1e-3, abs=1e-6)
    assert moment.numbers[VOLUME] == pytest.approx(6.0 - 0.032, rel=1e-5), "it stood in the water from the beginning"
    assert np.ptp(moment.positions[moment.normals[:, 1] > 0.9, 1]) < 1e-6, "still water stays still"


def test_a_wave_maker_keeps_the_volume_and_a_current_goes_through() -> None:
    driven = pond(tank=replace(POND, stroke=0.1, period=1.5))
    found = numbers(Evaluator(), driven, (0, 5, 9, 18, 30))
    assert found[:, VOLUME] == pytest.approx(found[0, VOLUME], rel=1e-12)
    assert np.abs(found[1:, MOMENTUM]).max() > 10.0
    flowing = pond(tank=replace(POND, current=0.4, ends="open"))
    found = numbers(Evaluator(), flowing, (0, 30))
    assert found[:, VOLUME] == pytest.approx(6.0, rel=1e-9)
    assert found[1, MOMENTUM] == pytest.approx(6.0 * 1000.0 * 0.4, rel=1e-6)


def test_a_frame_alone_is_the_same_bytes_as_in_sequence_and_as_of_a_checkpoint() -> None:
    box = thing("box", "Box", Box(half=(0.3, 0.1, 0.2)), (0.5, 0.7, 0.02), density=400.0)
    document, one, other = pond(box), Evaluator(), Evaluator()
    for frame in range(7):
        last = one.snapshot(document, frame * FRAME).liquids[0]
    assert other.snapshot(document, 6 * FRAME).liquids[0].positions.tobytes() == last.positions.tobytes()


def test_a_planar_pond_is_a_channel() -> None:
    box = thing("box", "Box", Box(half=(0.3, 0.1, 0.2)), (0.0, 0.51, 0.02), density=400.0)
    document, evaluator = pond(box, tank=replace(POND, planar=True)), Evaluator()
    heights = [evaluator.joint_transforms(document, "box", frame * FRAME)[0][1, 3] for frame in (60, 72)]
    rise = 0.6 * (0.08 - 0.09) / 4.0  # it stands in the water from the beginning, 9 cm deep
    assert heights == pytest.approx([0.5 + rise + 0.1 - 0.08] * 2, abs=0.004)
