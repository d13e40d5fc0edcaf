"""A skeleton of a hundred bones: what of it touches what, and how it falls."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.document.blobs import Blob
from engine.document.props import prop
from engine.document.shapes import Ellipsoid, TriangleMesh
from engine.dynamics import layout
from engine.dynamics.articulation import Articulation, State, compile_articulation, stand
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, HEADER, find_contacts, reach_down
from engine.dynamics.contact_shapes import Ground, compile_shapes
from engine.dynamics.mechanics import compile_mechanics
from engine.dynamics.motions import compute_frames
from engine.dynamics.outlines import points_of, stadiums_of
from engine.dynamics.resistance import Resistance
from engine.dynamics.stepping import SemiImplicitEuler
from engine.formats.figure_toml import load_figure
from engine.model.compile import compile_model
from engine.model.solids import surface_of
from tests.engine.dynamics.contacts import energy, run

G = 9.80665


def bone(half: tuple[float, float, float]) -> TriangleMesh:
    """A mesh that lies aslant to the axes of its joint."""
    surface, turn = surface_of(Ellipsoid(radii=half)), np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    places, normals = ((each @ turn.T).astype(np.float32) for each in (surface.positions, surface.normals))
    return TriangleMesh(
        positions=Blob(places), normals=Blob(normals), triangles=Blob(surface.triangles.astype(np.int32))
    )


@pytest.fixture(scope="module")
def skeleton() -> Articulation:
    """The skeleton, which stands."""
    made = compile_articulation(load_figure("anatomy"), resistance=Resistance())
    return stand(made, made.mechanics.model.rest)


def test_a_bone_is_one_capsule_along_it_and_a_mesh_alone_is_its_box() -> None:
    joint = Joint(id="a", name="A", shapes=(bone((0.02, 0.2, 0.03)),))
    (one,) = stadiums_of(joint, filled=True, one_of_many=True)
    assert one.radius == pytest.approx(0.02, rel=0.03)
    length = np.linalg.norm(np.subtract(one.end, one.start))
    assert length + 2.0 * one.radius == pytest.approx(0.4, rel=0.03)
    assert np.add(one.start, one.end) == pytest.approx([0.0, 0.0, 0.0], abs=0.01)
    assert len(stadiums_of(joint, filled=True)) > 5


def test_few_points_of_a_bone_reach_as_far_as_many() -> None:
    joint = Joint(id="a", name="A", shapes=(bone((0.02, 0.2, 0.03)),))
    many, few = (
        np.array([each.centre for each in points_of(joint, one_of_many=one_of_many)]) for one_of_many in (False, True)
    )
    assert len(few) < 0.7 * len(many)
    for way in many:
        assert (few @ way).max() > (many @ way).max() - 0.003 * np.linalg.norm(way) - 1e-9


def test_bones_that_tissue_holds_apart_do_not_touch_and_others_may(skeleton: Articulation) -> None:
    figure, shapes = skeleton.mechanics.model.figure, skeleton.shapes
    capsules = int(shapes.ints[1])
    owners = shapes.ints[HEADER + shapes.point_count :][:capsules]
    pairs = shapes.ints[HEADER + shapes.point_count + capsules :][: 2 * shapes.pair_count].reshape(-1, 2)
    named = {tuple(sorted(figure.joints[owner].id for owner in owners[pair])) for pair in pairs}
    assert ("femur_left", "femur_right") in named
    assert ("femur_left", "hand_left") in named
    assert ("rib5_left", "rib6_left") not in named
    assert ("lumbar3", "lumbar4") not in named
    assert shapes.pair_count < 10_000  # a million, of filled boxes


@pytest.mark.parametrize("seed", range(3))
def test_balls_around_points_leave_out_none_that_comes_to_the_ground(skeleton: Articulation, seed: int) -> None:
    """Against all points, one by one, while bodies move."""
    mechanics, rng = skeleton.mechanics, np.random.default_rng(seed)
    shapes = compile_shapes(mechanics.model, ground=Ground(height=0.3), bodies=False, friction=0.5)
    work, still = mechanics.new_work(), np.zeros(6 * mechanics.joint_count)
    q = mechanics.model.rest + 0.3 * rng.normal(size=len(mechanics.model.rest))
    compute_frames(mechanics.ints, mechanics.floats, q, work)
    found, bodies = np.zeros(2000 * CONTACT), np.zeros(2000 * CONTACT_INTS, dtype=np.int32)
    packed = shapes.ints, shapes.floats
    count = find_contacts(mechanics.ints, packed, (work, still, 0.01, 0.001), np.zeros(1), (found, bodies))
    gaps = [reach_down(*packed, index, work)[1] for index in range(shapes.point_count)]
    wanted = [index for index, gap in enumerate(gaps) if gap < 0.01]
    assert 0 < count < shapes.point_count
    assert bodies[: count * CONTACT_INTS : CONTACT_INTS].tolist() == wanted


def test_nails_of_which_more_touch_than_push_bear_their_weight() -> None:
    balls = tuple(
        Ellipsoid(radii=(0.01, 0.01, 0.01), centre=(0.1 * x, 0.0, 0.1 * z)) for x in range(6) for z in range(6)
    )
    made = compile_articulation(prop("Nails", balls), bodies=False)
    made = stand(made, made.mechanics.model.rest, gap=0.02)
    state, dt = made.new_state(), 0.002
    state.qd[3:] = 0.3, 0.0, 0.2
    work = run(made, state, 1.0, dt)
    assert work.contact_count == 36
    assert np.abs(state.qd).max() < 1e-3
    weight = float(made.mechanics.bodies()[:, layout.MASS].sum()) * G
    wanted = pytest.approx([0.0, weight * dt, 0.0], abs=1e-3 * weight * dt)
    assert state.impulses.sum(axis=0) == wanted
    assert state.impulses[:, 1].min() >= 0.0


def test_a_relaxed_skeleton_collapses_without_energy_from_nowhere_and_stays_within_its_limits(
    skeleton: Articulation,
) -> None:
    state, dt = skeleton.new_state(), 0.001
    stepper = SemiImplicitEuler(tolerance=1e-4)
    work = stepper.start(skeleton, state)
    told = [energy(skeleton, work)]
    for _ in range(400):
        stepper.step(skeleton, state, work, dt)
        told.append(energy(skeleton, work))
    assert max(np.diff(told)) < 1e-6
    assert told[-1] < told[0] - 30.0
    figure = skeleton.mechanics.model.figure
    for dof in figure.dofs:
        value = float(state.q[figure.coordinate_index[dof.coordinates[0]]])
        if dof.lower is not None and dof.upper is not None:
            assert dof.lower - 0.02 < value < dof.upper + 0.02, dof.id
    assert _lowest(skeleton, state) > -0.003


def _lowest(made: Articulation, state: State) -> float:
    mechanics, shapes = made.mechanics, made.shapes
    work = mechanics.new_work()
    compute_frames(mechanics.ints, mechanics.floats, state.q, work)
    return min(reach_down(shapes.ints, shapes.floats, index, work)[1] for index in range(shapes.point_count))


def test_a_hinge_that_two_bones_share_needs_no_pair() -> None:
    shape = bone((0.02, 0.1, 0.02))
    joints = (
        Joint(id="a", name="A", shapes=(shape,)),
        Joint(id="b", name="B", parent="a", offset=(0.0, 0.5, 0.0), dofs=(Dof(id="t", name="T"),), shapes=(shape,)),
    )
    mechanics = compile_mechanics(compile_model(Figure(name="Two", joints=joints)))
    assert compile_shapes(mechanics.model, ground=None, bodies=True, friction=0.5).pair_count == 0
