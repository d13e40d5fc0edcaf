"""Roots that turn like balls, in motions in space: as three hinges that suit the poses, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Document, Dof, Layer
from engine.document.figure import Figure
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import IDENTITY, Quaternion
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.quaternions import product, turn_about, turn_angle, unit
from engine.optimise.options import SolverEffort
from engine.runtime.errors import NothingThere, UnknownPart
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMuscle, SpacetimeStage
from engine.spacetime.planned import CompiledMotion, compiled
from engine.spacetime.spatial.balls import MOST_TIPPED, BallHinges, hinges_for, most_tipped
from engine.spacetime.spatial.tree import freedom_of
from tests.engine.spacetime.spatial_figures import branched

BALL = Dof(id="root.ball", name="Turn", kind="ball")
LEAN = unit((0.5, 0.6, -0.5, 0.2))
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
SIDEWAYS = (0.6, 0.0, 0.8)


def balled() -> Figure:
    figure = branched(2.0)
    root = replace(figure.joints[0], dofs=(*figure.joints[0].dofs[:3], BALL))
    return replace(figure, joints=(root, *figure.joints[1:]))


def flown(
    turns: Sequence[Quaternion], seconds: float, ends: Mapping[str, float], *, pieces: int = 10
) -> CompiledMotion:
    """A flight through some orientations, from rest in the limbs to a pose of theirs."""
    figure, poses = balled(), list[SpacetimeConstraint]()
    limbs = [dof.id for joint in figure.joints[1:] for dof in joint.dofs]
    for at, turn in enumerate(turns):
        values, share = dict(zip(BALL.coordinates, turn, strict=True)), at / (len(turns) - 1)
        if share in (0.0, 1.0):
            values |= {dof: ends.get(dof, 0.0) if share else 0.0 for dof in (*limbs, "root.x", "root.y", "root.z")}
        rates = tuple((dof, 0.0) for dof in limbs) if share in (0.0, 1.0) else ()
        poses.append(
            SpacetimeConstraint(
                id=f"pose{at}", name=f"Pose {at}", stage="fly", at=share, values=tuple(values.items()), rates=rates
            )
        )
    plan = Spacetime(
        plane=None,
        stages=(SpacetimeStage(id="fly", name="Fly", pieces=pieces, length=seconds),),
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in limbs),
        constraints=tuple(poses),
    )
    actor = Actor(id="a", name="A", figure=figure, layers=(Layer(id="pose"),), parts=(plan,))
    return compiled(Document(actors=(actor,)), "a")


@pytest.mark.parametrize("hinges", [BallHinges(), hinges_for([LEAN, product(LEAN, turn_about(SIDEWAYS, 2.5))])])
def test_angles_make_the_orientation_that_they_are_of(hinges: BallHinges) -> None:
    random, small = np.random.default_rng(0), 1e-6
    for _ in range(20):
        angles = random.uniform(-1.0, 1.0, size=3) * (2.5, 1.3, 2.5)
        turn = hinges.turn(angles.tolist())
        assert hinges.angles(turn) == pytest.approx(angles, abs=1e-12)
        far = angles + np.array([2.0 * math.pi, 0.0, -4.0 * math.pi])
        assert hinges.angles(turn, far.tolist()) == pytest.approx(far, abs=1e-12)
        rates = random.normal(size=3)
        more, less = (hinges.turn((angles + side * small * rates).tolist()) for side in (1.0, -1.0))
        changing = (np.array(more) - less) / (2.0 * small)
        assert hinges.slopes(angles.tolist()) @ rates == pytest.approx(changing, abs=1e-9)
        assert hinges.rates(angles.tolist(), changing.tolist()) == pytest.approx(rates, abs=1e-7)


@pytest.mark.parametrize(("axis", "angle"), [(Y, 3.0), (SIDEWAYS, 2.5), (X, 0.3)])
def test_the_first_hinge_is_that_about_which_it_turns_as_a_whole(
    axis: tuple[float, float, float], angle: float
) -> None:
    turns = [LEAN, product(LEAN, turn_about(axis, angle))]
    hinges = hinges_for(turns)
    begin, end = (hinges.angles(each) for each in turns)
    assert np.subtract(end, begin) == pytest.approx([angle, 0.0, 0.0], abs=1e-12)


def test_three_turns_about_different_axes_are_taken_where_they_tip_least() -> None:
    turns = [IDENTITY, turn_about(Y, 1.5), product(turn_about(Y, 1.5), turn_about(X, 1.2))]
    chosen = most_tipped(hinges_for(turns), turns)
    assert chosen < math.radians(50.0)
    assert chosen <= most_tipped(BallHinges(turns[0]), turns)


def test_a_flight_with_a_ball_is_that_with_hinges() -> None:
    """The effort does not depend on how a root's turn is told."""
    ends = {"root.x": 0.3, "arm.swing": 1.0, "tail.bend": 0.7}
    ball = flown([IDENTITY, turn_about(Y, 0.6)], 0.6, ends, pieces=6)
    figure = branched(2.0)
    limbs = [dof.id for joint in figure.joints[1:] for dof in joint.dofs]
    every = [dof.id for dof in figure.dofs]
    poses = tuple(
        SpacetimeConstraint(
            id=name, name=name, stage="fly", at=at,
            values=tuple((dof, {**ends, "root.turn": 0.6}.get(dof, 0.0) if at else 0.0) for dof in every),
            rates=tuple((dof, 0.0) for dof in limbs),
        )
        for name, at in (("a", 0.0), ("b", 1.0))
    )  # fmt: skip
    plan = replace(ball.plan, constraints=poses)
    actor = Actor(id="a", name="A", figure=figure, layers=(Layer(id="pose"),), parts=(plan,))
    hinged = compiled(Document(actors=(actor,)), "a")
    efforts = [each.search.find(effort=SolverEffort()).report.last.objective for each in (ball, hinged)]
    assert efforts[0] == pytest.approx(efforts[1], rel=2e-3)


def test_what_is_kept_turns_as_was_planned_and_is_read_back() -> None:
    """From a lean by most of a turn about an axis of no hinge of its own."""
    end = product(LEAN, turn_about(SIDEWAYS, 2.5))
    made = flown([LEAN, end], 0.8, {"arm.swing": 0.5})
    assert made.checked() == ()
    found = made.search.find()
    assert found.report.solved
    layer = made.layer(found.motion, id="planned")
    lengths = made.lengths(found.motion)
    document = edit("keep_spacetime", actor="a", layer=layer, lengths=lengths).apply(Document(actors=(made.actor,)))
    evaluator = Evaluator()
    for seconds in np.linspace(0.0, 0.8, 41):
        row = evaluator.coordinates(document, "a", [round(seconds * TICKS_PER_SECOND)])[0]
        pose = made.pose(found.motion, seconds)
        planned = [pose[name] for name in made.actor.figure.coordinates]
        assert turn_angle(tuple(row[3:7]), (planned[3], planned[4], planned[5], planned[6])) < 1e-3
        assert row[7:] == pytest.approx(planned[7:], abs=1e-9)
    assert compiled(document, "a").present() == pytest.approx(found.motion.x, abs=5e-3)
    last = made.pose(found.motion, 0.8)
    assert turn_angle(end, tuple(last[name] for name in BALL.coordinates)) < 1e-9  # type: ignore[arg-type]


def test_a_somersault_goes_all_the_way_round_through_its_poses() -> None:
    quarter = [turn_about(X, at * math.pi / 2.0) for at in range(4)]
    made = flown([*quarter, turn_about(X, 2.0 * math.pi)], 0.8, {})
    begin, end = (dict(made.plan.constraints[at].values)["root.ball/first"] for at in (0, -1))
    assert abs(end - begin) == pytest.approx(2.0 * math.pi)


def test_poses_that_no_three_hinges_suit_are_refused_by_name() -> None:
    drawn = np.random.default_rng(0).normal(size=(400, 4)).tolist()
    turns = [unit((w, x, y, z)) for w, x, y, z in drawn]
    assert most_tipped(hinges_for(turns), turns) > MOST_TIPPED
    with pytest.raises(NothingThere, match=r"Pose \d+ tips Root by \d+° .* at most 80°"):
        flown(turns, 1.0, {})


def test_a_pose_may_name_the_four_numbers_of_a_ball_and_no_others() -> None:
    made = flown([IDENTITY, turn_about(Y, 0.6)], 0.6, {})
    pose = replace(made.plan.constraints[0], values=(("root.ball", 1.0),), rates=())
    with pytest.raises(UnknownPart, match=r"root\.ball"):
        edit("put_spacetime_constraint", actor="a", constraint=pose).apply(Document(actors=(made.actor,)))
    assert freedom_of("root.ball/second") == "root.ball"
    assert freedom_of("arm/swing") == "arm/swing"
