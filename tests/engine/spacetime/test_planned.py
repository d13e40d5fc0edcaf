"""Plans of documents: made ready, searched, and read back as motion, torques and words."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.__main__ import main
from engine.document import Document, Placement
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.edits import edit
from engine.formats import sinew
from engine.motion.curves import evaluate_track
from engine.motion.motion import compile_motion
from engine.optimise.options import SolverEffort
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.progress import finish
from engine.spacetime.parts import SpacetimeConstraint, SpacetimeForce, SpacetimeMuscle
from engine.spacetime.planned import CompiledMotion, compiled
from engine.spacetime.search import FROM_EARLIER, FoundMotion
from engine.spacetime.uses import spacetime_of
from tests.spacetime_examples import chain, falling_ball, kneel, lamp_leap, pendulum, pose, two_legs

FALL = 9.80665


def actor_of(document: Document) -> str:
    return document.actors[0].id


def ready(document: Document) -> CompiledMotion:
    return compiled(document, actor_of(document))


def with_plan(document: Document, **given: Any) -> Document:
    actor = document.actors[0]
    plan = spacetime_of(actor)
    assert plan is not None
    return document.with_actor(actor.with_part(replace(plan, **given)))


@pytest.fixture(scope="module")
def leap() -> tuple[CompiledMotion, FoundMotion]:
    made = ready(lamp_leap(0.4, pieces=6))
    return made, made.search.find()


def test_a_ball_that_is_let_go_falls_as_it_must() -> None:
    made = ready(falling_ball())
    found = made.search.find()
    for seconds in np.linspace(0.0, 1.0, 9):
        assert made.pose(found.motion, seconds)["ball.y"] == pytest.approx(10.0 - FALL * seconds**2 / 2.0, abs=1e-12)


def test_a_lamp_lands_where_it_shall(leap: tuple[CompiledMotion, FoundMotion]) -> None:
    made, found = leap
    assert found.report.solved
    assert made.worst(found.report.last.x) == ()
    assert made.point(found.motion, 0.75, "base", (0.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, 0.4), abs=1e-9)
    dragged = edit("set_spacetime_constraint", actor="lamp", constraint="there", position=(0.0, 0.0, 0.45))
    again = ready(dragged.apply(lamp_leap(0.4, pieces=6)))
    nearer = again.search.find(again.search.guess_like(found.motion), FROM_EARLIER)
    assert nearer.report.solved
    assert again.point(nearer.motion, 1.0, "base", (0.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, 0.45), abs=1e-9)
    assert 0 < nearer.report.last.iteration < found.report.last.iteration


def test_blows_stop_what_lands(leap: tuple[CompiledMotion, FoundMotion]) -> None:
    made, found = leap
    blows = made.blows(found.motion)
    assert [each.name for each in blows] == ["the blow at Base"] * 2 + ["the blow along the ground at Base"]
    assert all(each.vector[1] >= 0.0 for each in blows[:2])
    assert blows[0].position == pytest.approx((0.0, 0.0, 0.315), abs=1e-9)
    before, after = 0.75 - 1e-9, 0.75 + 1e-9
    height = [made.point(found.motion, each, "base", (0.0, 0.0, 0.0))[1] for each in (before, after)]
    assert height == pytest.approx([0.0, 0.0], abs=1e-6)
    softer = ready(with_plan(lamp_leap(0.4, pieces=6), constraints=(*made.plan.constraints, _soft_landing(1.2))))
    landed = softer.search.find()
    assert landed.report.solved
    assert max(each.vector[1] for each in softer.blows(landed.motion)) <= 1.2 + 1e-6


def _soft_landing(most: float) -> SpacetimeConstraint:
    return SpacetimeConstraint(id="soft", name="Gently", stage="fly", quantity="impulse", of="base", at=1.0, most=most)


def test_a_kept_layer_is_the_planned_motion(leap: tuple[CompiledMotion, FoundMotion]) -> None:
    made, found = leap
    layer = made.layer(found.motion, id="found")
    document = edit("keep_spacetime", actor="lamp", layer=layer).apply(lamp_leap(0.4, pieces=6))
    lamp = document.actors[0]
    times = [frame_time(frame, document.rate) for frame in range(28)]
    rows = compile_motion(lamp.figure, lamp.layers).at(times)[:, 0]
    for tick, row in zip(times, rows, strict=True):
        planned = made.pose(found.motion, tick / TICKS_PER_SECOND)
        assert row == pytest.approx([planned[name] for name in lamp.figure.coordinates], abs=1e-6)
    again = compiled(document, "lamp")
    assert again.search.guess_like(found.motion) == pytest.approx(found.motion.x, abs=1e-9)


def test_torques_are_written_as_they_are_represented(leap: tuple[CompiledMotion, FoundMotion]) -> None:
    made, found = leap
    for track in made.torques(found.motion):
        for seconds in (0.0, 0.1234, 0.5, 0.9, 1.15):
            tick = np.array([seconds * TICKS_PER_SECOND])
            told = made.torque(found.motion, track.coordinate, seconds, before=seconds == 1.15)
            assert evaluate_track(track, tick)[0, 0] == pytest.approx(told, abs=1e-6)


def test_a_figure_that_is_placed_and_turned_moves_alike(leap: tuple[CompiledMotion, FoundMotion]) -> None:
    _, found = leap
    half = math.sqrt(0.5)
    turned = lamp_leap(0.4, pieces=6)  # its forward is along x now
    lamp = replace(turned.actors[0], placement=Placement(position=(1.0, 0.0, 2.0), rotation=(half, 0.0, half, 0.0)))
    turned = edit("set_spacetime_constraint", actor="lamp", constraint="there", position=(1.4, 0.0, 2.0)).apply(
        turned.with_actor(lamp)
    )
    made = ready(turned)
    again = made.search.find()
    assert again.report.last.objective == pytest.approx(found.report.last.objective, rel=1e-6)
    assert made.point(again.motion, 1.15, "base", (0.0, 0.0, 0.0)) == pytest.approx((1.4, 0.0, 2.0), abs=1e-9)
    assert made.blows(again.motion)[2].vector[2] == pytest.approx(0.0, abs=1e-9)


def test_torques_from_the_motion_cost_about_as_much() -> None:
    explicit, implicit = ready(kneel(pieces=5)), ready(with_plan(kneel(pieces=5), implicit=True))
    one, other = explicit.search.find(), implicit.search.find()
    assert other.report.last.objective == pytest.approx(one.report.last.objective, rel=0.05)
    track = implicit.torques(other.motion)[0]
    assert len(track.keys) == 5 * 4 + 1
    times = [float(other.motion.lengths[0]) * number / 20 for number in (2, 3, 16)]
    assert track.keys[3].value == implicit.torque(other.motion, "rod1.swing", times[1])
    for made, motion in ((implicit, other.motion), (explicit, one.motion)):
        for dof, samples in made.torque_samples(motion, times).items():
            assert samples.tolist() == [made.torque(motion, dof, each) for each in times]


def test_a_force_of_a_given_size_carries_what_it_may() -> None:
    up = SpacetimeForce(id="up", name="Lift", joint="ball", least=2.0 * FALL, most=2.0 * FALL)
    made = ready(with_plan(falling_ball(), forces=(up,)))
    found = made.search.find()
    assert made.pose(found.motion, 1.0)["ball.y"] == pytest.approx(10.0, abs=1e-9)
    assert made.pushes(found.motion, 0.5)[0].vector == pytest.approx((0.0, 2.0 * FALL, 0.0))


def test_the_worst_demands_are_told_with_names_and_times() -> None:
    high = SpacetimeConstraint(
        id="up", name="Reach up", stage="fly", quantity="point", joint="head", position=(0.0, 1.6, 0.2), at=0.5
    )
    document = lamp_leap(0.4, pieces=4)
    plan = spacetime_of(document.actors[0])
    assert plan is not None
    weak = tuple(SpacetimeMuscle(dof=each.dof, least=-1.0, most=1.0) for each in plan.muscles)
    made = ready(with_plan(document, constraints=(*plan.constraints, high), muscles=weak))
    found = made.search.find(effort=SolverEffort(iterations=30))
    worst = made.worst(found.report.last.x)
    assert not found.report.solved
    assert len({each.name for each in worst}) == 3
    assert "the momentum of Base Forward from stage to stage" in {each.name for each in worst}
    assert {each.unit for each in worst} <= {"N s", "N m s", "m", "rad"}
    at_first = made.worst(made.search.straight_line())
    mine = next(each for each in at_first if each.constraint == "up")
    assert (mine.stage, mine.unit) == ("fly", "m")
    assert mine.seconds == pytest.approx(0.575)
    assert str(mine).startswith("Reach up at 0.575 s: missed by ")
    still = ready(with_plan(document, muscles=()))
    assert any("which no muscle drives" in str(each) for each in still.worst(still.search.straight_line()))
    assert mine.position == pytest.approx(
        made.point(made.search.motion(made.search.straight_line()), 0.575, "head", (0.0,) * 3)
    )


@pytest.mark.parametrize(
    ("make", "words", "fatal"),
    [
        (
            lambda: with_plan(pendulum(pieces=4), muscles=()),
            r"No muscle drives Double pendulum.*In line \(1\.000 s\)",
            True,
        ),
        (
            lambda: kneel(pieces=4).with_part(PhysicsWorld(gravity=0.0)),
            "Down has a free length and there is no gravity.*3 s",
            False,
        ),
        (
            lambda: _also(chain(pieces=4), pose("again", "Bent", "stretch", 1.0, {"rod2.swing": 0.5})),
            r"Straight and Bent ask Rod 2 to be at 0° and at 28\.65°, both at 0\.500 s",
            True,
        ),
        (
            lambda: _also(kneel(pieces=4), pose("far", "Too far", "down", 0.5, {"rod2.swing": math.radians(150.0)})),
            r"Too far \(Down at 0\.250 s\) asks Thigh to be at 150°, beyond its bound of 140°",
            True,
        ),
        (
            lambda: with_plan(lamp_leap(pieces=4), whole=9.0),
            r"together are to last 9 s \(Whole length\), but each as it is they last",
            True,
        ),
        (
            lambda: _also(
                falling_ball(),
                SpacetimeConstraint(
                    id="there", name="Land", stage="fall", at=1.0, quantity="point", joint="ball",
                    position=(3.0, 0.0, 0.0),
                ),
            ),
            r"Land.* cannot .*be met",
            True,
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_before_a_search(make: Any, words: str, fatal: bool) -> None:
    faults = ready(make()).checked()
    assert faults
    assert faults[0].fatal is fatal
    assert re.search(words, "\n".join(map(str, faults)))


def test_plans_that_are_well_are_not_complained_of() -> None:
    for document in (falling_ball(), pendulum(pieces=4), chain(pieces=4), kneel(pieces=4), lamp_leap(pieces=4)):
        assert ready(document).checked() == ()


def test_what_does_not_move_in_the_plane_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="moves in the plane"):
        ready(with_plan(lamp_leap(pieces=4), muscles=(SpacetimeMuscle(dof="swivel.turn"),)))
    with pytest.raises(InvalidArguments, match="a hinge"):
        ready(with_plan(lamp_leap(pieces=4), muscles=(SpacetimeMuscle(dof="base.z"),)))
    with pytest.raises(NothingThere, match="No motion of"):
        compiled(edit("remove_spacetime", actor="lamp").apply(lamp_leap(pieces=4)), "lamp")


def _also(document: Document, constraint: SpacetimeConstraint) -> Document:
    return edit("put_spacetime_constraint", actor=actor_of(document), constraint=constraint).apply(document)


def test_a_search_may_begin_with_the_motion_that_is_there(leap: tuple[CompiledMotion, FoundMotion]) -> None:
    made, found = leap
    layer = made.layer(found.motion, id="found")
    document = edit("keep_spacetime", actor="lamp", layer=layer).apply(lamp_leap(0.4, pieces=6))
    again = compiled(document, "lamp")
    motion = again.search.motion(again.present())
    for seconds in (0.1, 0.55, 1.0):
        assert motion.coordinates(seconds) == pytest.approx(found.motion.coordinates(seconds), abs=1e-6)
    assert again.search.find(again.present()).report.solved


def test_minima_come_ranked_and_a_search_may_be_stopped() -> None:
    made = ready(with_plan(chain(pieces=6), guesses=3))
    steps = made.steps()
    search, iterate = next(steps)
    steps.close()
    stopped = made.stopped(search, iterate)
    assert stopped.report.ending == "stopped"
    assert str(stopped.report).startswith("Stopped after 0 iterations. Missed most: ")
    assert made.worst(iterate.x, problem=search.problem)
    assert made.layer(stopped.motion, id="early").tracks
    minima = finish(made.steps())
    objectives = [each.report.last.objective for each in minima]
    assert len(objectives) > 1
    assert objectives == sorted(objectives)


def test_feet_that_stand_stay_where_they_are_and_the_ground_only_pushes() -> None:
    made = ready(two_legs())
    found = made.search.find()
    assert found.report.solved
    for seconds in np.linspace(0.0, 0.4, 9):
        for foot in ("left_foot", "right_foot"):
            assert made.point(found.motion, seconds, foot, (0.1, 0.0, 0.0)) == pytest.approx((0.1, 0.0, 0.0), abs=2e-3)
        pushes = made.pushes(found.motion, seconds)
        assert min(each.vector[1] for each in pushes) >= -1e-6
    weight = sum(joint.body.mass for joint in made.actor.figure.joints if joint.body is not None) * FALL
    means = np.mean([[each.vector[1] for each in made.pushes(found.motion, t)] for t in np.linspace(0.0, 0.4, 81)], 0)
    assert means.sum() == pytest.approx(weight, rel=0.05)  # it rests at both ends


def test_a_project_is_searched_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "kneel.sinew", tmp_path / "out.sinew"
    sinew.write(path, kneel(pieces=4))
    assert main(["spacetime", str(path), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"Kneeling legs: solved after \d+ iterations, .* s: objective 4[\d.]+, violation", printed)
    assert "Down 0.5" in printed
    assert [each.name for each in sinew.read(out).actors[0].layers] == ["Pose", "Planned motion"]
    assert main(["spacetime", str(path), "--guesses", "2"]) == 0
    assert main(["between", str(out), "legs", "0.1", "0.4", str(tmp_path / "filled.sinew")]) == 0
    assert "Kneeling legs: from 0.1 to 0.4 s" in capsys.readouterr().out
    layers = sinew.read(tmp_path / "filled.sinew").actors[0].layers
    assert [each.name for each in layers] == ["Pose", "Planned motion", "Physical in-between"]
    sinew.write(path, with_plan(pendulum(pieces=4), muscles=()))
    assert main(["spacetime", str(path)]) == 1
    assert "No muscle drives Double pendulum" in capsys.readouterr().out
    sinew.write(path, edit("remove_spacetime", actor="pendulum").apply(pendulum(pieces=4)))
    assert main(["spacetime", str(path)]) == 1
    assert "No actor of kneel.sinew plans a motion" in capsys.readouterr().err
