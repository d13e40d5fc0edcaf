"""What each function of the library gives is what the engine gives; what cannot be is said by an EngineError."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sinew
from engine.document import Box, Document, Placement, prop
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal, Spot
from engine.muscles.uses import muscles_of
from engine.queries.examples import example
from engine.runtime.progress import QUIET, is_quiet

HAND = (-0.3, 1.2, 0.4)


@pytest.fixture(scope="module")
def human() -> Document:
    return sinew.figure("human")


def test_a_figure_of_a_file_is_the_same_as_the_one_that_ships(human: Document, tmp_path: Path) -> None:
    path = tmp_path / "human.figure.toml"
    assert sinew.save(human, path) == ("motion",)
    assert sinew.figure(path).actors[0].figure.joints == human.actors[0].figure.joints
    with pytest.raises(sinew.EngineError, match="there is no figure 'humann'; did you mean 'human'"):
        sinew.figure("humann")


def test_a_pose_keeps_limits_and_leaves_the_scene_that_was_given(human: Document) -> None:
    digest = human.digest
    posed = sinew.pose(human, {"knee_left.flexion": 99.0})
    reached = sinew.evaluate(posed).coordinates["knee_left.flexion"]
    assert reached == posed.actors[0].figure.coordinate_dof["knee_left.flexion"].upper
    assert human.digest == digest
    with pytest.raises(sinew.EngineError, match="there is no coordinate 'knee'"):
        sinew.pose(human, {"knee": 1.0})


@pytest.mark.usefixtures("unhurried")
def test_a_goal_is_reached_what_is_held_stays_and_the_report_is_true(human: Document) -> None:
    before = sinew.evaluate(human).points
    solved, report = sinew.solve(human, {"hand_right": HAND}, held=("foot_left", "foot_right"))
    after = sinew.evaluate(solved).points
    assert report.state == "reached"
    assert math.dist(after["hand_right"], HAND) == pytest.approx(report.missed[0].by, abs=1e-9)
    assert math.dist(after["hand_right"], HAND) < 1e-3
    for foot in ("foot_left", "foot_right"):
        np.testing.assert_allclose(after[foot], before[foot], atol=1e-8)
    again, _ = sinew.solve(human, {"hand_right": HAND}, held=("foot_left", "foot_right"))
    assert again == solved


@pytest.mark.usefixtures("unhurried")
def test_any_goal_and_any_solver_may_be_asked_for(human: Document) -> None:
    goal = PositionGoal(spot=Spot(actor="human", joint="wrist_left"), target=(0.3, 1.2, 0.4))
    solved, report = sinew.solve(human, [goal], solver="ccd", extent="branch")
    assert report.missed[0].by < 1e-3
    assert math.dist(sinew.evaluate(solved).points["wrist_left"], goal.target) < 1e-3
    with pytest.raises(sinew.EngineError, match="there is no solver 'magic'"):
        sinew.solve(human, [goal], solver="magic")
    with pytest.raises(sinew.EngineError, match="there is no end-effector or joint 'hand'; did you mean"):
        sinew.solve(human, {"hand": HAND})


@pytest.mark.usefixtures("unhurried")
def test_a_body_is_posed_naturally_if_asked_to_and_its_setting_stays(human: Document) -> None:
    place = (0.55, 1.5, 0.0)
    collars = []
    for natural in (1.0, 0.0):
        solved, report = sinew.solve(human, {"hand_left": place}, natural=natural)
        assert report.state == "reached"
        assert solved.actors[0].natural == human.actors[0].natural
        collars.append(sinew.evaluate(solved).coordinates["collar_left.elevation"])
    assert collars[0] < 0.5 * collars[1]


@pytest.mark.usefixtures("unhurried")
def test_what_cannot_be_reached_ends_at_the_nearest(human: Document) -> None:
    _, report = sinew.solve(human, {"hand_right": (0.0, 1.0, 9.0)})
    assert report.state == "nearest"
    assert report.missed[0].by > 7.0


def test_what_is_evaluated_is_what_the_window_shows() -> None:
    scene = example("jump").build()
    seen = sinew.evaluate(scene, 0.75)
    shown = Evaluator().snapshot(scene, round(0.75 * 705_600_000), skins=False).bodies[0]
    for place, joint in enumerate(shown.parts):
        np.testing.assert_allclose(seen.joints[joint], shown.transforms[place], atol=1e-6)


def test_measuring_agrees_with_evaluating_and_is_saved(tmp_path: Path) -> None:
    scene = example("jump").build()
    actor = scene.actors[0]
    name = f"place.y:{actor.id}.hand_right"
    found = sinew.measure(scene, [name], start=0.0, end=0.5, rate=(10, 1))
    assert found.times.tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert found[name][3] == pytest.approx(sinew.evaluate(scene, 0.3).points["hand_right"][1], abs=1e-12)
    found.save(tmp_path / "hand.csv")
    assert (tmp_path / "hand.csv").stat().st_size > 0
    with pytest.raises(sinew.EngineError, match="there is no quantity 'place'"):
        found["place"]
    with pytest.raises(sinew.EngineError, match="there is no such folder"):
        found.save(tmp_path / "nowhere" / "hand.csv")


def test_a_scene_comes_back_from_its_file(human: Document, tmp_path: Path) -> None:
    assert sinew.save(human, tmp_path / "a.sinew") == ()
    assert sinew.load(tmp_path / "a.sinew") == human
    with pytest.raises(sinew.EngineError, match=r"no format that Sinew writes ends in '.xyz'"):
        sinew.save(human, tmp_path / "a.xyz")
    with pytest.raises(sinew.EngineError, match="nowhere"):
        sinew.load(tmp_path / "nowhere.sinew")


def test_a_figure_brings_its_muscles() -> None:
    (skeleton,) = sinew.figure("anatomy").actors
    muscles = muscles_of(skeleton)
    assert muscles is not None
    assert len(muscles.muscles) == 823


def test_actors_are_named_and_without_a_name_the_first_figure_is_meant(human: Document) -> None:
    (one,) = human.actors
    box = replace(one, id="box", name="Box", figure=prop("Box", (Box(half=(0.1, 0.1, 0.1)),)))
    other = replace(one, id="ben", name="Ben", placement=Placement(position=(1.0, 0.0, 0.0)))
    scene = replace(human, actors=(box, one, other))
    assert sinew.evaluate(scene).points["head"][0] == pytest.approx(0.0, abs=1e-9)
    assert sinew.evaluate(scene, actor="ben").points["head"][0] == pytest.approx(1.0)
    with pytest.raises(sinew.EngineError, match="there is no actor 'bem'; did you mean 'ben'"):
        sinew.evaluate(scene, actor="bem")
    with pytest.raises(sinew.EngineError, match="the actors of the scene"):
        sinew.evaluate(Document())


@pytest.mark.parametrize(
    "call",
    [
        lambda scene: sinew.evaluate(scene, math.nan),
        lambda scene: sinew.simulate(scene, 1.0, stepper="magic"),
        lambda scene: sinew.render(scene, "a.png", time=0.0, span=(0.0, 1.0)),
        lambda scene: sinew.solve(scene, {"hand_right": (0.0, math.inf, 0.0)}),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(call: Callable[[Document], object], human: Document) -> None:
    with pytest.raises(sinew.EngineError):
        call(human)


def test_quiet_is_the_variable_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(QUIET, "")
    assert not is_quiet()
    sinew.quiet()
    assert is_quiet()
    assert os.environ["SINEW_QUIET"] == "1"
    sinew.quiet(False)
    assert not is_quiet()


def test_a_soft_body_is_made_of_a_mesh_file_falls_and_is_written_over_time(tmp_path: Path) -> None:
    from engine.formats import obj
    from engine.formats.format import Contents, FileMesh, Options
    from engine.model.solids import surface_of
    from engine.runtime.errors import EngineError

    shape = surface_of(Box(half=(0.2, 0.1, 0.1)))
    mesh = FileMesh(name="Brick", positions=shape.positions, triangles=shape.triangles.astype("i4"))
    obj.write(tmp_path / "brick.obj", Contents(surfaces=(mesh,)), Options(unit=1.0))
    scene = sinew.soft_body(tmp_path / "brick.obj", unit=1.0, along=4, young=5e4, position=(0.0, 1.0, 0.0))
    scene = sinew.soft_body("cylinder", scene=scene, along=3, size=(0.1, 0.2, 0.1), position=(1.0, 0.5, 0.0))
    assert [actor.id for actor in scene.actors] == ["brick", "cylinder"]
    before, _ = sinew.surface(scene, 0.0, actor="brick")
    after, triangles = sinew.surface(scene, 0.5, actor="brick")
    assert before[:, 1].mean() == pytest.approx(1.0, abs=0.01)
    assert after[:, 1].mean() < 0.5
    assert triangles.max() < len(after)
    chart = sinew.measure(scene, ["soft_kinetic:brick"], end=0.5)
    assert chart["soft_kinetic:brick"][-1] > 1.0
    with pytest.raises(EngineError, match="Density"):
        sinew.soft_body("box", density=0.0)
