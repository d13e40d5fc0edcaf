"""The examples of soft bodies go where they are to go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import example
from engine.soft.simulation import SoftSimulation
from engine.soft.stage import SoftStage
from tests.engine.soft.pierced import depths
from tests.seesaw_example import HALF, THICK
from tests.soft_examples import MADE

LENGTHS = {"snake": 1.0, "stool": 0.5, "table": 0.9, "lizard": 0.72}  # [m] along the way that it goes
WITHIN = {"snake": 2.5, "stool": 5.0, "table": 6.0, "lizard": 4.5}  # [s] in which it goes as far as it is long


def simulation(document: Document) -> SoftSimulation:
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    found = stage.simulation(document)
    assert found is not None
    return found


def way(document: Document, seconds: float) -> float:
    """How far the middle of the one body has gone along x [m]."""
    found = simulation(document)
    middles = [found.points(time)[:, 0].mean() for time in (0, round(seconds * SECOND))]
    assert found.stopped is None
    return float(middles[1] - middles[0])


LATE = {"stool", "lizard"}  # in a deep run: those that are slowest, of which snake and table have another


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.deep] if name in LATE else []) for name in LENGTHS]
)
def test_a_toy_goes_its_own_length_in_ten_seconds(name: str) -> None:
    assert WITHIN[name] <= 10.0
    assert way(example(name).build(), WITHIN[name]) > LENGTHS[name]


def test_the_snake_goes_the_way_that_its_waves_say() -> None:
    document = example("snake").build()
    for spline, sign in (("left", "+"), ("right", "-")):
        told = f"1 {sign} 0.3 * cos(2 * pi * (t - s))"
        document = edit("set_activation", actor="snake", spline=spline, expression=told).apply(document)
    assert way(document, 1.5) < -0.3


def test_the_biceps_lifts_the_hand_off_the_crate_and_lets_it_down() -> None:
    found = simulation(example("biceps").build())
    body = found.scene.members[0]
    hand = np.flatnonzero(body.mesh.points[:, 0] > 0.25)
    heights = [found.points(round(time * SECOND))[hand, 1].mean() for time in (0.5, 2.5, 6.0)]
    assert heights[1] > heights[0] + 0.15
    assert heights[2] == pytest.approx(heights[0], abs=0.03)
    assert heights[2] > 0.35, "on the crate"


def test_the_jelly_comes_to_rest() -> None:
    found = simulation(example("jelly").build())
    one, other = found.points(5 * SECOND), found.points(6 * SECOND)
    assert np.abs(other - one).max() < 0.02
    assert other[:, 1].min() > -0.02


def test_the_arm_lifts_its_hand_off_the_table() -> None:
    found = simulation(example("arm").build())
    body = found.scene.members[0]
    assert 6_500 <= len(body.mesh.cells) <= 7_500
    assert len(body.splines) == 5
    hand = np.flatnonzero(body.mesh.points[:, 2] > 0.38)
    low, high = (found.points(round(time * SECOND))[hand].mean(axis=0) for time in (0.6, 1.7))
    assert high[1] > low[1] + 0.1
    assert abs(high[0]) < 0.05, "it bends one way"
    assert len(found.moment(round(0.6 * SECOND)).touches.points) > 50


def test_the_jelly_throws_the_ball_up_by_the_seesaw() -> None:
    document, evaluator = example("seesaw").build(), Evaluator()
    heights = [evaluator.rows(document, round(time * SECOND))["ball"][13] for time in (0.3, 1.0)]
    assert heights[0] < 0.0
    assert heights[1] > 0.5
    deepest = max(plank_in_jelly(document, evaluator, round(time * SECOND)) for time in (0.6, 0.7, 0.75, 0.8, 0.9, 1.0))
    assert 0.0 < deepest < 0.008, "its end presses into the jelly and does not go in"
    still = document.with_actor(
        document.actor("jelly").with_part(replace(document.actor("jelly").parts[0], pushes=False))  # type: ignore[type-var]
    )
    assert evaluator.rows(still, SECOND)["ball"][13] < 0.1


def plank_in_jelly(document: Document, evaluator: Evaluator, time: int) -> float:
    """How deep the edge at the end of the plank is inside the jelly [m]."""
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    stepped = stage.stepped(document, "jelly")
    member = stepped.scene.member("jelly")
    frame = evaluator.joint_transforms(document, "seesaw", time)[1]
    edge = [(HALF, high, z) for high in (-THICK, THICK) for z in np.linspace(-0.16, 0.16, 17)]
    return float(depths(member.mesh, stepped.points(time), np.array(edge) @ frame[:, :3].T + frame[:, 3]).max())


def test_three_snakes_curl_up_to_a_word() -> None:
    found = simulation(example("word").build())
    turned = dict[str, tuple[float, float]]()
    for member in found.scene.members:
        along, points = member.mesh.points[:, 0].round(6), found.of(member, 5 * SECOND)
        line = np.array([points[along == each].mean(axis=0) for each in np.unique(along)])
        ways = np.diff(line, axis=0)
        headings = np.degrees(np.unwrap(np.arctan2(-ways[:, 2], ways[:, 0])))
        turned[member.actor.id] = (headings[8] - headings[0], headings[-1] - headings[8])
    assert sum(turned["c"]) == pytest.approx(-220.0, abs=30.0)
    assert sum(turned["o"]) == pytest.approx(-335.0, abs=20.0)
    assert turned["s"] == pytest.approx((190.0, -190.0), abs=25.0)


def test_cylinders_afloat_contract_and_stay_where_they_are() -> None:
    for name in ("overlap", "regions"):
        found = simulation(example(name).build())
        for member in found.scene.members:
            before, after = (found.of(member, time) for time in (0, SECOND))
            assert member.masses @ after / member.masses.sum() == pytest.approx(
                member.masses @ before / member.masses.sum(), abs=2e-3
            )
            if name == "regions":
                assert np.ptp(after[:, 0]) < 0.85 * np.ptp(before[:, 0])


@pytest.mark.parametrize("name", [*LENGTHS, "jelly", "word", "biceps", "overlap", "regions", "arm", "flesh", "seesaw"])
def test_an_example_is_what_code_makes_of_it(name: str) -> None:
    assert example(name).build() == MADE[name]()
