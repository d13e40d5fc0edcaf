"""Motions in space: physics of flight, feet that stand, a throw; the same in a plane; played back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Box, Document, Layer
from engine.document.figure import Body, Dof, DrivenBy, Figure, Joint
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.momenta import ANGULAR, LINEAR, MASS, MOMENTA, compute_momenta
from engine.edits import edit
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES
from engine.optimise.options import SolverEffort
from engine.runtime.progress import finish
from engine.spacetime.between import in_between
from engine.spacetime.compile import find_plan
from engine.spacetime.parts import Spacetime, SpacetimeCalm, SpacetimeConstraint, SpacetimeContact, SpacetimeStage
from engine.spacetime.planes import figure_plane
from engine.spacetime.planned import CompiledMotion, compiled
from engine.spacetime.problem import JointMuscle
from engine.spacetime.search import find_best, find_motion
from engine.spacetime.spatial.between import spatial_between
from engine.spacetime.spatial.contacts import FloorContact, with_contacts
from engine.spacetime.spatial.examples import HAND, arm_throw
from engine.spacetime.spatial.motions import SpatialMotion
from engine.spacetime.spatial.playback import played_off, tell_playback
from engine.spacetime.spatial.search import FoundSpatialMotion, SpatialSearch, find_spatial_motion
from engine.spacetime.spatial.space import FigureSpace
from engine.spacetime.spatial.tree import BodyPoint, spatial_figure
from tests.engine.spacetime.spatial_figures import branched, hinge, sprung
from tests.spacetime_examples import kneel, two_legs

TUCK = {
    "root.x": 0.3,
    "root.turn": 0.6,
    "root.tilt": 0.3,
    "arm.swing": 1.0,
    "arm.twist": -0.5,
    "hand.bend": 0.8,
    "tail.bend": 0.7,
}


def momenta(motion: SpatialMotion, time: float) -> Array:
    mechanics, found = motion.problem.figure.mechanics, np.zeros(MOMENTA)
    q, v = (motion.coordinates(time, order=order) for order in (0, 1))
    compute_momenta(mechanics.ints, mechanics.floats, q, v, mechanics.new_work(), found)
    return found


@pytest.fixture(scope="module")
def flight() -> FoundSpatialMotion:
    figure = spatial_figure(branched(2.0))
    return find_spatial_motion(spatial_between(figure, {}, TUCK, 0.6, pieces=10))


def test_in_flight_momentum_changes_by_gravity_alone(flight: FoundSpatialMotion) -> None:
    assert flight.report.solved
    motion = flight.motion
    found = np.array([momenta(motion, time) for time in np.linspace(0.0, 0.6, 13)])
    fall = found[:, MASS] * 9.80665 * np.linspace(0.0, 0.6, 13)
    linear = found[:, LINEAR : LINEAR + 3] + np.outer(fall, [0.0, 1.0, 0.0])
    assert np.ptp(linear, axis=0).max() < 2e-3 * np.abs(found[:, LINEAR : LINEAR + 3]).max()
    angular = found[:, ANGULAR : ANGULAR + 3]
    assert np.ptp(angular, axis=0).max() < 5e-3 * np.abs(angular).max()


def test_it_ends_as_it_was_asked_to(flight: FoundSpatialMotion) -> None:
    values = flight.motion.values(0.6)
    assert [values[name] for name in TUCK] == pytest.approx(list(TUCK.values()), abs=1e-9)
    assert flight.motion.coordinates(0.6, order=1)[6:] == pytest.approx(np.zeros(4), abs=1e-8)


def test_its_torques_do_what_was_planned(flight: FoundSpatialMotion) -> None:
    assert played_off(flight.motion, 0, 60) < 0.01


def test_springs_of_joints_do_their_part_of_a_flight(flight: FoundSpatialMotion) -> None:
    figure = spatial_figure(sprung(branched(2.0)))
    found = find_spatial_motion(spatial_between(figure, {}, TUCK, 0.6, pieces=10))
    assert found.report.solved
    assert played_off(found.motion, 0, 60) < 0.02
    q, v, a = (found.motion.coordinates(0.3, order=order) for order in range(3))
    mechanics, tau = figure.mechanics, np.zeros(len(q))
    outside = np.zeros((mechanics.joint_count, 6))
    compute_inverse_dynamics(mechanics.ints, mechanics.floats, q, v, a, outside, mechanics.new_work(), tau)
    given = figure.springs[0] * (figure.springs[1] - q)
    assert np.abs(given).max() > 1.0
    assert found.motion.stage_torques(0, 0.5) == pytest.approx(tau - given, abs=1e-9)


def test_what_others_drive_has_no_freedom_in_a_plan() -> None:
    """The hand follows the arm: it is held as it is, and no pose says anything of it."""
    follows = DrivenBy(dof="arm.swing", at=(-1.0, 1.0), values=(-0.5, 0.5))
    bare = branched(2.0)
    hand = replace(
        bare.joint("hand"), dofs=(replace(bare.joint("hand").dofs[0], lower=None, upper=None, driven=(follows,)),)
    )
    figure = replace(bare, joints=tuple(hand if each.id == "hand" else each for each in bare.joints))
    actor = Actor(id="me", name="Me", figure=figure)
    pose = SpacetimeConstraint(
        id="end", name="End", stage="s", quantity="pose", at=1.0, values=(("hand.bend", 0.4), ("arm.swing", 0.8))
    )
    plan = Spacetime(layer="found", stages=(SpacetimeStage(id="s", name="S", length=0.5),), constraints=(pose,))
    held = dict.fromkeys(figure.coordinates, 0.0)
    space = FigureSpace(actor, held, plan)
    assert space.representations()["hand.bend"].kind == "constant"
    assert space.representations()["arm.swing"].kind != "constant"
    assert space.seen(plan).constraints[0].values == (("arm.swing", 0.8),)
    assert "hand.bend" not in space.written
    plane = figure_plane(replace(figure, joints=(figure.joints[0], replace(hand, parent="root"))), (0.0, 1.0, 0.0))
    assert all(each.dof.id != "hand.bend" for each in plane.freedoms)


def test_the_same_problem_has_the_same_bytes(flight: FoundSpatialMotion) -> None:
    again = find_spatial_motion(flight.motion.problem)
    assert again.motion.x.tobytes() == flight.motion.x.tobytes()


def test_a_search_from_a_found_motion_stays_there(flight: FoundSpatialMotion) -> None:
    search = SpatialSearch(flight.motion.problem)
    assert search.guess_like(flight.motion) == pytest.approx(flight.motion.x, abs=1e-9)


def test_a_motion_in_a_plane_is_that_of_the_planar_form() -> None:
    rod = Body(mass=1.0, centre=(0.3, 0.0, 0.0), inertia=(0.001, 0.03, 0.03, 0.0, 0.0, 0.0))
    joints = [Joint(id="base", name="Base", body=Body(mass=1.0, inertia=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0)))]
    for at, id in enumerate(("one", "two", "three")):
        offset = (0.6 if at else 0.0, 0.0, 0.0)
        dofs = (hinge(id, (0.0, 0.0, 1.0), 3.0),)
        joints.append(Joint(id=id, name=id, parent=joints[-1].id, offset=offset, dofs=dofs, body=rod))
    figure = Figure(name="Chain", joints=tuple(joints))
    begin, end, weak = {"one": -1.2, "two": 0.4}, {"one": -0.8, "two": 0.1, "three": 0.3}, (0.0, -2.0, 0.0)
    planar = find_motion(in_between(figure_plane(figure), begin, end, 0.5, pieces=40, gravity=2.0))
    problem = spatial_between(spatial_figure(figure, gravity=weak), begin, end, 0.5, pieces=40)
    plain = tuple(JointMuscle(limb=each.limb) for each in problem.muscles)
    found = SpatialSearch(replace(problem, muscles=plain)).find(effort=SolverEffort())
    assert planar.report.solved
    assert found.report.solved
    assert found.report.last.objective == pytest.approx(planar.report.last.objective, rel=5e-4)
    for time in np.linspace(0.0, 0.5, 11):
        angles = planar.motion.coordinates(time)[3:]
        assert found.motion.coordinates(time) == pytest.approx(angles, abs=5e-3)


def test_what_is_asked_beyond_a_bound_or_twice_is_missed() -> None:
    problem = spatial_between(spatial_figure(branched(2.0)), {}, {"arm.swing": 1.0}, 0.5, pieces=5)
    end = next(each for each in problem.demands if (each.of, each.quantity, each.at) == ("arm.swing", "value", 1.0))
    others = tuple(each for each in problem.demands if each != end)
    far, other = (replace(end, least=value, most=value) for value in (2.5, 1.5))
    for demands, most in (((*others, far), 2.0), ((*problem.demands, other), 1.0)):
        found = find_spatial_motion(replace(problem, demands=demands))
        assert not found.report.solved
        assert found.report.unmet[0].amount == pytest.approx(0.5, abs=1e-3)
        assert found.motion.values(0.5)["arm.swing"] == pytest.approx(most, abs=1e-3)


def test_a_hand_throws_as_fast_as_it_is_asked_to() -> None:
    found = find_spatial_motion(arm_throw((0.5, 2.0, 5.0)))
    assert found.report.solved
    figure = found.motion.problem.figure
    lower, upper = figure.bounds
    path = np.array([found.motion.coordinates(time) for time in np.linspace(0.0, 0.6, 121)])
    assert (path >= lower - 1e-6).all()
    assert (path <= upper + 1e-6).all()
    assert played_off(found.motion, 0, 240) < 0.01
    small = 1e-5
    places = [figure.point_at(found.motion.coordinates(time), HAND) for time in (0.6 - small, 0.6)]
    assert (np.array(places[1]) - np.array(places[0])) / small == pytest.approx([0.5, 2.0, 5.0], abs=1e-2)


def test_what_stands_is_pushed_and_held_within_friction() -> None:
    """A trunk that stands on three points, and swings its arm."""
    figure = spatial_figure(branched(2.0))
    problem = spatial_between(figure, {}, {"arm.swing": 0.5}, 0.5, pieces=5)
    corners = [(x, -0.2, z) for x, z in ((-0.2, -0.3), (0.2, -0.3), (0.0, 0.3))]
    contacts = []
    for at, corner in enumerate(corners):
        point = BodyPoint("root", corner)
        place = figure.point_at(figure.at({}), point)
        contacts.append(FloorContact(name=f"leg {at}", point=point, place=place, friction=0.5))
    held = with_contacts(problem, [("between", contacts)])
    found = find_spatial_motion(replace(held, pressing=1e-6))
    assert found.report.solved
    weight = figure.mass * 9.80665
    for time in np.linspace(0.0, 0.5, 11):
        q, sizes = found.motion.coordinates(time), found.motion.forces(time)
        for contact in contacts:
            assert figure.point_at(q, contact.point) == pytest.approx(contact.place, abs=1e-4)
        assert sizes.min() >= -1e-9
        push = sum(size * np.array(force.direction) for size, force in zip(sizes, held.forces, strict=True))
        assert push[1] == pytest.approx(weight, rel=0.7)
    assert found.motion.stage_coordinates(0, 1.0, order=1)[:6] == pytest.approx(np.zeros(6), abs=1e-7)


def test_what_slides_is_slowed_against_its_way_along_both_directions_of_the_ground() -> None:
    """A block on three feet, pushed off aslant: it goes straight on, slower by mu g, and is turned by nothing."""
    friction, speed, seconds = 0.4, np.array([0.9, -1.2]), 0.3
    shape = Box(half=(0.3, 0.05, 0.3))
    free = tuple(
        Dof(id=f"b.{name}", name=name, kind="slide", axis=axis) for name, axis in zip("xyz", AXES, strict=True)
    )
    figure = Figure(
        name="Block",
        joints=(
            Joint(
                id="block", name="Block", dofs=(*free, Dof(id="b.turn", name="Turn", kind="ball")), shapes=(shape,),
                body=Body(mass=5.0, inertia=(0.2, 0.3, 0.2, 0.0, 0.0, 0.0)),
            ),
        ),
    )  # fmt: skip
    feet = tuple(
        SpacetimeContact(joint="block", point=(x, -0.05, z), kind="sliding", friction=friction)
        for x, z in ((-0.3, -0.2), (0.3, -0.2), (0.0, 0.3))
    )
    values = (0.0, 0.05, 0.0, 1.0, 0.0, 0.0, 0.0)
    begin = SpacetimeConstraint(
        id="begin", name="Begin", stage="slide", values=tuple(zip(figure.coordinates, values, strict=True)),
        rates=(("b.x", speed[0]), ("b.y", 0.0), ("b.z", speed[1]), *((f"b.turn.{each}", 0.0) for each in "wxyz")),
    )  # fmt: skip
    plan = Spacetime(
        plane=None, stages=(SpacetimeStage(id="slide", name="Slide", pieces=6, length=seconds, contacts=feet),),
        constraints=(begin,),
    )  # fmt: skip
    actor = Actor(id="a", name="Block", figure=figure, layers=(Layer(id="pose"),), parts=(plan,))
    made = compiled(Document(actors=(actor,)), "a")
    found = made.search.find()
    assert found.report.solved, found.report
    size = float(np.hypot(*speed))
    for time in np.linspace(0.05, seconds, 6):
        gone = size * time - 0.5 * friction * 9.80665 * time**2
        pose = made.pose(found.motion, time)
        assert [pose["b.x"], pose["b.z"]] == pytest.approx(speed / size * gone, abs=2e-4)
        assert pose["b.turn.w"] == pytest.approx(1.0, abs=1e-6)
        pushes = np.array([each.vector for each in made.pushes(found.motion, time)])
        assert pushes.sum(axis=0) == pytest.approx(
            5.0 * 9.80665 * np.array([-friction * speed[0] / size, 1.0, -friction * speed[1] / size]), abs=0.2
        )


def test_a_ball_turns_as_three_hinges_do() -> None:
    body = Body(mass=1.0, inertia=(0.1, 0.2, 0.3, 0.0, 0.0, 0.0))
    dofs = (Dof(id="b.turn", name="Turn", kind="ball"),)
    ball = Figure(name="Ball", joints=(Joint(id="b", name="B", dofs=dofs, body=body),))
    turned = np.array([0.9, 0.1, -0.3, 0.2]) / np.linalg.norm([0.9, 0.1, -0.3, 0.2])
    half = float(np.sqrt(0.5))
    figure = spatial_figure(ball, base={"b.turn": (half, half, 0.0, 0.0)})
    names = ball.dofs[0].coordinates
    values = figure.values(figure.at(dict(zip(names, turned.tolist(), strict=True))))
    assert [values[name] for name in names] == pytest.approx(turned, abs=1e-12)
    assert len(figure.coordinates) == 3


@pytest.mark.parametrize("make", [kneel, two_legs])
def test_a_plan_of_a_document_may_be_in_space(make: Callable[[], Document]) -> None:
    document = make()
    actor = document.actors[0].id
    plan = compiled(edit("set_spacetime_plane", actor=actor, plane=None).apply(document), actor)
    assert not any(each.fatal for each in plan.checked())
    found = plan.search.find()
    assert found.report.solved
    assert plan.worst(found.report.last.x) == ()
    layer = plan.layer(found.motion, id="planned")
    end = {each.coordinate: each.keys[-1].value for each in layer.tracks}
    for name, value in plan.pose(found.motion, found.motion.duration).items():
        assert end.get(name, value) == pytest.approx(value, abs=1e-9)
    for contact in plan.plan.stages[0].contacts:
        stands = [plan.point(found.motion, t, contact.joint, contact.point) for t in np.linspace(0.0, 0.4, 33)]
        assert np.ptp(stands, axis=0).max() < 2e-3, "between pieces, too"
    assert len(plan.torques(found.motion)) == len(plan.plan.muscles)
    assert all(each.vector[1] >= -1e-6 for each in plan.pushes(found.motion, 0.1) if each.name.startswith("the push"))


def test_a_plan_in_space_keeps_a_point_calm_and_its_torques_smooth() -> None:
    document = kneel(pieces=6)
    actor = document.actors[0].id
    plan = replace(find_plan(document, actor)[1], plane=None)

    def found(**given: Any) -> tuple[CompiledMotion, SpatialMotion]:
        changed = edit("put_spacetime", actor=actor, spacetime=replace(plan, **given)).apply(document)
        made = compiled(changed, actor)
        assert made.checked() == ()
        result = made.search.find(effort=SolverEffort())
        assert result.report.solved
        return made, result.motion

    head = SpacetimeCalm(joint="rod3", point=(0.63, 0.0, 0.0), weight=1.0)

    def hurry(made: CompiledMotion, motion: SpatialMotion) -> float:
        """The mean of the squared acceleration of the head."""
        times = np.linspace(0.0, motion.duration, 201)
        places = np.array([made.point(motion, each, head.joint, head.point) for each in times])
        return float((np.diff(places, 2, axis=0) / times[1] ** 2).__pow__(2).sum(axis=1).mean())

    def jerk(made: CompiledMotion, motion: SpatialMotion) -> float:
        """The mean of the squared slopes of torques."""
        times = np.linspace(0.0, motion.duration, 201)
        table = np.array(list(made.torque_samples(motion, times.tolist()).values()))
        return float((np.diff(table) / times[1]).__pow__(2).sum(axis=0).mean())

    plain = found()
    assert hurry(*found(calm=(head,))) < 0.8 * hurry(*plain)
    assert jerk(*found(smoothness=0.1)) < 0.8 * jerk(*plain)


def test_it_is_said_of_what_its_torques_alone_would_not_do(flight: FoundSpatialMotion) -> None:
    """A flight that is held up on its way by nothing comes off it, and one that is thrown far off goes astray."""
    motion, words = flight.motion, " Played back from its torques alone Fly "
    assert finish(tell_playback(motion, ["Fly"])) == ""
    height = motion.layout.packed.columns[5, 4 * motion.problem.figure.coordinate("root.y") + 1]
    for bump, said in ((0.03, r"comes \d+\.\d% off: .*"), (3.0, "goes astray, .*")):
        x = motion.x.copy()
        x[height] += bump
        told = finish(tell_playback(SpatialMotion(motion.problem, motion.layout, x), ["Fly"]))
        assert re.fullmatch(words + said + r"\.", told), told


def test_drawn_guesses_in_space_are_searched_on_fewer_pieces_and_the_best_minimum_is_first() -> None:
    search = SpatialSearch(arm_throw(pieces=6))
    found = find_best(search, seeds=range(4), keep=4)
    assert all(each.report.solved for each in found)
    efforts = [each.report.last.objective for each in found]
    assert efforts == sorted(efforts)
    assert efforts[0] <= search.find().report.last.objective * 1.03
    assert not np.array_equal(search.drawn(0), search.drawn(1))
