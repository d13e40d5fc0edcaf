from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Body, Document, Dof, Figure, Joint
from engine.document.frames import rest_frames
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.mechanics import compile_mechanics
from engine.edits import edit
from engine.formats.figure_toml import load_skinned_figure
from engine.maths.arrays import Array
from engine.model.compile import ROW, compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import InvalidArguments
from engine.spacetime.between import in_between
from engine.spacetime.examples import leap_of
from engine.spacetime.figures import PlanarFigure
from engine.spacetime.lagrangian import compute_curvature, compute_slopes, new_pairs, pack_figure, set_pairs
from engine.spacetime.motions import place_points
from engine.spacetime.planes import FigurePlane, figure_plane
from engine.spacetime.search import find_motion

GRAVITY = 9.80665
TILTED = (np.cos(0.3), 0.0, 0.0, np.sin(0.3))


def creature(normal: str = "z") -> Figure:
    """A root that slides and turns in a plane, an arm with a hand that also twists, and a tail without a hinge."""
    axes = {"z": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), "x": ((0.0, 0.0, -1.0), (1.0, 0.0, 0.0))}
    across, about = axes[normal]
    back = (-about[0], -about[1], -about[2])
    inertia = (0.02, 0.03, 0.04, 0.001, 0.002, 0.003)
    rest = TILTED if normal == "z" else (1.0, 0.0, 0.0, 0.0)
    return Figure(
        name="Creature",
        joints=(
            Joint(
                id="root",
                name="Root",
                offset=(0.1, 0.9, 0.2),
                dofs=(
                    Dof(id="root.x", name="x", kind="slide", axis=across),
                    Dof(id="root.y", name="y", kind="slide", axis=(0.0, 1.0, 0.0)),
                    Dof(id="root.turn", name="turn", axis=about),
                ),
                body=Body(mass=2.0, centre=(0.05, 0.1, 0.02), inertia=inertia),
            ),
            Joint(
                id="arm",
                name="Arm",
                parent="root",
                offset=(0.3, 0.1, 0.1),
                rest=rest,
                dofs=(Dof(id="arm.swing", name="swing", axis=back, lower=0.2, upper=2.0),),
                body=Body(mass=0.8, centre=(0.2, 0.05, -0.03), inertia=inertia),
            ),
            Joint(
                id="hand",
                name="Hand",
                parent="arm",
                offset=(0.4, 0.0, 0.0),
                dofs=(
                    Dof(id="hand.twist", name="twist", axis=(0.0, 1.0, 0.0)),
                    Dof(id="hand.bend", name="bend", axis=about, lower=-1.0, upper=1.0),
                ),
                body=Body(mass=0.4, centre=(0.1, -0.05, 0.0), inertia=inertia),
            ),
            Joint(
                id="tail",
                name="Tail",
                parent="root",
                offset=(-0.3, 0.0, 0.0),
                body=Body(mass=0.3, centre=(-0.1, 0.0, 0.1), inertia=inertia),
            ),
        ),
    )


def rates(plane: FigurePlane, v: Array) -> dict[str, float]:
    return {each.dof.id: each.sign * v[plane.figure.coordinate(each.coordinate)] for each in plane.freedoms}


@pytest.mark.parametrize(("name", "normal"), [("z", (0.0, 0.0, 1.0)), ("x", (1.0, 0.0, 0.0))])
def test_torques_are_those_of_the_articulated_dynamics(name: str, normal: tuple[float, float, float]) -> None:
    springs = {"arm.swing": (3.0, 0.4), "hand.bend": (2.0, -0.3), "root.x": (7.0, 0.2), "root.y": (5.0, -0.4)}
    figure = creature(name)
    for dof, (spring, neutral) in springs.items():
        document = Document(actors=(Actor(id="me", name="Me", figure=figure),))
        sprung = edit("set_spring", actor="me", dof=dof, spring=spring, neutral=neutral).apply(document)
        figure = sprung.actors[0].figure
    plane = figure_plane(figure, normal)
    n = len(plane.figure.coordinates)
    q, v, a = np.random.default_rng(4).normal(size=(3, n))
    packed, pairs, second = pack_figure(plane.figure, GRAVITY), new_pairs(n - 2), np.zeros((2 * n, 2 * n))
    p, g = np.zeros(n), np.zeros(n)
    set_pairs(packed, q, v, pairs)
    compute_slopes(packed, pairs, v, p, g)
    compute_curvature(packed, pairs, v, second)
    ours = second[n:, n:] @ a + second[n:, :n] @ v - g

    mechanics = compile_mechanics(compile_model(figure))
    index, count = figure.rate_index, mechanics.rate_count
    theirs, full_q, full_v, full_a = (np.zeros(count) for _ in range(4))
    for out, given in ((full_q, plane.values(q)), (full_v, rates(plane, v)), (full_a, rates(plane, a))):
        for dof, value in given.items():
            out[index[dof]] = value
    outside = np.zeros((len(figure.joints), 6))
    compute_inverse_dynamics(
        mechanics.ints, mechanics.floats, full_q, full_v, full_a, outside, mechanics.new_work(), theirs
    )
    values = plane.values(q)
    for each in plane.freedoms:
        stiffness, rest = springs.get(each.dof.id, (0.0, 0.0))
        torque = each.sign * (theirs[index[each.dof.id]] - stiffness * (rest - values[each.dof.id]))
        assert ours[plane.figure.coordinate(each.coordinate)] == pytest.approx(torque, abs=1e-10)


def test_the_slopes_of_springs_are_those_of_differences() -> None:
    figure = figure_plane(creature()).figure
    limbs = (*figure.limbs[:1], *(replace(each, spring=2.0 + at, rest=0.3) for at, each in enumerate(figure.limbs[1:])))
    packed, n = pack_figure(PlanarFigure(limbs, ((7.0, 0.2), (5.0, -0.4))), GRAVITY), len(figure.coordinates)
    q, v = np.random.default_rng(6).normal(size=(2, n))
    pairs, second, small = new_pairs(n - 2), np.zeros((2 * n, 2 * n)), 1e-6

    def slopes(at: Array) -> Array:
        p, g = np.zeros(n), np.zeros(n)
        set_pairs(packed, at, v, pairs)
        compute_slopes(packed, pairs, v, p, g)
        return g

    differences = [(slopes(q + small * each) - slopes(q - small * each)) / (2.0 * small) for each in np.eye(n)]
    set_pairs(packed, q, v, pairs)
    compute_curvature(packed, pairs, v, second)
    assert second[:n, :n] == pytest.approx(np.array(differences), abs=1e-6)


def test_coordinates_and_values_belong_to_each_other() -> None:
    plane = figure_plane(creature())
    q = np.random.default_rng(5).normal(size=len(plane.figure.coordinates))
    assert plane.coordinates(plane.values(q)) == pytest.approx(q)
    assert [each.dof.id for each in plane.freedoms] == ["root.x", "root.y", "root.turn", "arm.swing", "hand.bend"]
    assert plane.limbs == {"root": "root", "arm": "arm", "hand": "hand", "tail": "root"}
    assert plane.figure.mass == pytest.approx(3.5)


def test_limits_become_bounds_seen_from_rest() -> None:
    plane = figure_plane(creature())
    given = plane.representations()
    assert (given["arm"].least, given["arm"].most) == pytest.approx((-1.8, 0.0))
    assert (given["hand"].least, given["hand"].most) == (-1.0, 1.0)
    assert np.isinf(given["root"].most)
    fixed = Figure(name="Post", joints=(Joint(id="post", name="Post", offset=(0.5, 0.2, 0.0), body=Body(mass=1.0)),))
    held = figure_plane(fixed).representations()
    assert [(held[name].kind, held[name].value) for name in ("x", "y", "post")] == [
        ("constant", 0.5),
        ("constant", 0.2),
        ("constant", 0.0),
    ]


def test_a_point_at_rest_is_where_the_figure_has_it() -> None:
    figure = creature()
    plane = figure_plane(figure)
    place = (0.1, 0.2, 0.3)
    arms = plane.figure.arms(plane.point("hand", place))[None]
    seen = place_points(plane.figure, arms, plane.coordinates({}))[0]
    assert seen == pytest.approx(rest_frames(figure)["hand"].at(place)[:2])


def test_points_move_as_the_figure_moves_them() -> None:
    figure = creature()
    plane, model = figure_plane(figure), compile_model(figure)
    q = np.random.default_rng(6).normal(size=len(plane.figure.coordinates))
    values, state = plane.values(q), model.new_state()
    given = np.array([values.get(name, 0.0) for name in figure.coordinates])
    compute_forward_kinematics(model.ints, model.floats, given, state)
    place = (0.1, -0.2, 0.05)
    for number, joint in enumerate(figure.joints):
        row = state[(number + 1) * ROW : (number + 2) * ROW]
        there = row[:9].reshape(3, 3) @ place + row[9:12]
        seen = place_points(plane.figure, plane.figure.arms(plane.point(joint.id, place))[None], q)[0]
        assert seen == pytest.approx(there[:2], abs=1e-12)


def test_a_normal_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="normal"):
        figure_plane(creature(), (0.0, 0.0, 0.0))


def test_an_in_between_leads_from_pose_to_pose_within_limits() -> None:
    post = creature().joints[0]
    joints = (replace(post, dofs=()), *creature().joints[1:])
    plane = figure_plane(replace(creature(), joints=joints))
    begin, end = {"arm.swing": 0.3, "hand.bend": 0.2}, {"arm.swing": 1.7, "hand.bend": -0.6}
    found = find_motion(in_between(plane, begin, end, 0.6, begin_rates={"arm.swing": 1.5}))
    assert found.report.solved
    motion = found.motion
    assert plane.values(motion.coordinates(0.0)) == pytest.approx(begin, abs=1e-8)
    assert plane.values(motion.coordinates(0.6)) == pytest.approx(end, abs=1e-8)
    assert rates(plane, motion.coordinates(0.0, order=1)) == pytest.approx(
        {"arm.swing": 1.5, "hand.bend": 0.0}, abs=1e-7
    )
    swings = [plane.values(motion.coordinates(time))["arm.swing"] for time in np.linspace(0.0, 0.6, 61)]
    assert min(swings) >= 0.2 - 1e-6
    assert max(swings) <= 2.0 + 1e-6


def test_the_lamp_that_ships_leaps() -> None:
    figure = load_skinned_figure("lamp")
    plane = figure_plane(figure, (-1.0, 0.0, 0.0))
    given = {"lower_arm.lean": -0.1, "upper_arm.bend": 0.35, "head.nod": 0.0}
    q = plane.coordinates(given)
    moved = [each.coordinate for each in plane.freedoms]
    pose = {name: float(q[plane.figure.coordinate(name)]) for name in moved}
    bounds = {name: plane.representations()[name] for name in moved}
    edges = plane.point("base", (0.0, 0.0, -0.095)), plane.point("base", (0.0, 0.0, 0.095))
    found = find_motion(leap_of(plane.figure, edges, pose, bounds, 0.25, lengths=(0.4, 0.3, 0.4), pieces=8))
    assert found.report.solved
    end = found.motion.coordinates(1.1)
    assert end[:3] == pytest.approx([0.25, 0.0, 0.0], abs=1e-9)
    assert plane.values(end) == pytest.approx(given, abs=1e-8)
