"""Centre of mass, contacts and support polygon against closed forms, the mass tables and forward kinematics."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.document import Actor, Box, Document, Ellipsoid, Figure, Joint, Layer, Placement, prop
from engine.evaluate import rest_snapshot
from engine.evaluate.balance import with_balance
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.hulls import hull, margin_of
from engine.model.compile import compile_model, place
from engine.model.inertia import masses_of, total_mass
from engine.model.kinematics import compute_forward_kinematics
from engine.model.snapshot import Balance


def balance_of(*joints: Joint, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Balance:
    figure = Figure(name="Boxes", joints=joints)
    document = Document(actors=(Actor(id="a", name="A", figure=figure, placement=Placement(position=at)),))
    (found,) = with_balance(rest_snapshot(document)).balances
    return found


def human_document() -> Document:
    return Document(actors=(Actor(id="human", name="Human", figure=load_figure("human"), layers=(Layer(id="pose"),)),))


def test_a_box_on_the_floor_stands_inside_by_half_its_shorter_side() -> None:
    found = balance_of(Joint(id="box", name="Box", shapes=(Box(half=(0.3, 0.1, 0.2)),)), at=(1.0, 0.1, -2.0))
    assert np.abs(np.array(found.centre) - (1.0, 0.1, -2.0)).max() < 1e-6
    assert found.mass == pytest.approx(8 * 0.3 * 0.1 * 0.2 * 1000.0)
    corners = {(round(float(x), 6), round(float(z), 6)) for x, _, z in found.support}
    assert corners == {(0.7, -2.2), (1.3, -2.2), (1.3, -1.8), (0.7, -1.8)}
    assert found.margin == pytest.approx(0.2, abs=1e-6)
    assert found.text == "balanced, 200 mm inside"


def test_the_polygon_runs_counter_clockwise_seen_from_above() -> None:
    found = balance_of(Joint(id="box", name="Box", shapes=(Box(half=(0.3, 0.1, 0.2)),)), at=(0.0, 0.1, 0.0))
    a, b, c = found.support[:3].astype(float)
    assert np.cross(b - a, c - b)[1] > 0.0


def test_a_box_on_an_arm_falls_by_as_much_as_the_two_masses_say() -> None:
    """A cube of side 2a stands on the floor; one of the same mass hangs d beside it: the centre is at d / 2."""
    half, away = 0.1, 0.5
    cube = Box(half=(half, half, half))
    found = balance_of(
        Joint(id="foot", name="Foot", shapes=(cube,)),
        Joint(id="arm", name="Arm", parent="foot", offset=(away, 0.3, 0.0), shapes=(cube,)),
        at=(0.0, half, 0.0),
    )
    assert found.centre == pytest.approx((away / 2, half + 0.15, 0.0), abs=1e-6)
    assert found.margin == pytest.approx(half - away / 2, abs=1e-6)
    assert not found.holds
    assert found.text == "off balance by 150 mm"
    assert len(found.contacts) == 4, "only the foot touches"


def test_two_feet_span_what_lies_between_them() -> None:
    cube = Box(half=(0.1, 0.1, 0.1))
    found = balance_of(
        Joint(id="left", name="Left", shapes=(cube,)),
        Joint(id="right", name="Right", parent="left", offset=(-0.6, 0.0, 0.0), shapes=(cube,)),
        at=(0.3, 0.1, 0.0),
    )
    assert found.centre == pytest.approx((0.0, 0.1, 0.0), abs=1e-6)
    assert found.margin == pytest.approx(0.1, abs=1e-6)
    assert np.ptp(found.support[:, 0]) == pytest.approx(0.8, abs=1e-6)


def test_what_is_above_the_floor_is_in_the_air_and_what_sank_in_still_touches() -> None:
    box = Joint(id="box", name="Box", shapes=(Box(half=(0.1, 0.1, 0.1)),))
    assert balance_of(box, at=(0.0, 0.105, 0.0)).margin is None
    assert balance_of(box, at=(0.0, 0.105, 0.0)).text == "in the air"
    assert balance_of(box, at=(0.0, 0.103, 0.0)).holds
    assert balance_of(box, at=(0.0, 0.05, 0.0)).margin == pytest.approx(0.1, abs=1e-6)


def test_a_ball_touches_at_a_point_however_it_is_turned() -> None:
    figure = prop("Ball", (Ellipsoid(radii=(0.12, 0.12, 0.12)),))
    for angle in np.linspace(0.0, 3.0, 7):
        turned = (math.cos(angle / 2), math.sin(angle / 2) * 0.6, 0.0, math.sin(angle / 2) * 0.8)
        placement = Placement(position=(0.0, 0.12, 0.0), rotation=turned)
        document = Document(actors=(Actor(id="a", name="A", figure=figure, placement=placement),))
        (found,) = with_balance(rest_snapshot(document)).balances
        assert found.margin is not None
        assert np.abs(found.contacts[:, [0, 2]]).max() < 0.05


def test_hidden_actors_and_bodies_without_mass_have_none() -> None:
    box = Figure(name="Box", joints=(Joint(id="box", name="Box", shapes=(Box(half=(0.1, 0.1, 0.1)),)),))
    bare = Figure(name="Bare", joints=(Joint(id="only", name="Only"),))
    actors = (Actor(id="a", name="A", figure=box, visible=False), Actor(id="b", name="B", figure=bare))
    assert with_balance(rest_snapshot(Document(actors=actors))).balances == ()


def test_the_human_agrees_with_its_bodies_and_with_the_mass_tables() -> None:
    document = human_document()
    actor = document.actors[0]
    model = compile_model(actor.figure)
    rng = np.random.default_rng(5)
    values = tuple((dof.id, dof.clamp(float(rng.normal(0.0, 0.4)))) for dof in actor.figure.dofs if dof.kind == "hinge")
    document = document.with_actor(replace(actor, layers=(Layer(id="pose", values=values),)))
    evaluator = Evaluator()
    (found,) = with_balance(evaluator.snapshot(document, 0)).balances
    q, state = model.rest.copy(), model.new_state()
    for name, value in values:
        q[actor.figure.coordinate_index[name]] = value
    place(state, actor.placement.position, actor.placement.rotation)
    compute_forward_kinematics(model.ints, model.floats, q, state)
    masses, rows = masses_of(actor.figure), model.transforms(state)
    centres = np.einsum("jab,jb->ja", rows[:, :9].reshape(-1, 3, 3), masses[:, 1:4]) + rows[:, 9:]
    centre = np.average(centres, axis=0, weights=masses[:, 0])
    assert np.abs(np.array(found.centre) - centre).max() < 1e-6
    assert found.mass == pytest.approx(total_mass(actor.figure), rel=1e-12)


def test_a_standing_human_is_balanced_over_both_feet() -> None:
    (found,) = with_balance(Evaluator().snapshot(human_document(), 0)).balances
    assert found.holds
    assert found.margin is not None
    assert 0.02 < found.margin < 0.15
    assert 0.5 < found.centre[1] / 1.75 < 0.6, "about 55 to 57% of the height"


@pytest.mark.parametrize("seed", range(8))
def test_the_hull_holds_every_point_and_turns_left_at_each_corner(seed: int) -> None:
    points = np.round(np.random.default_rng(seed).normal(size=(40, 2)), 1)
    corners = hull(points)
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    assert (turns > 0.0).all()
    assert min(margin_of(each, corners) for each in points) > -1e-12
    order = list(range(len(points)))
    Random(seed).shuffle(order)
    assert (hull(points[order]) == corners).all()


def test_points_in_a_line_or_alone_hold_nothing_up() -> None:
    line = hull(np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]))
    assert line.tolist() == [[0.0, 0.0], [1.0, 0.0]]
    assert margin_of(np.array([0.5, 0.25]), line) == pytest.approx(-0.25)
    assert margin_of(np.array([3.0, 4.0]), hull(np.zeros((2, 2)))) == pytest.approx(-5.0)
