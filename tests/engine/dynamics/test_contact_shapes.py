"""Where bodies touch: nearest places, points of shapes, pairs that are looked at."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from engine.document import Box, Capsule, Dof, Ellipsoid, Figure, Joint
from engine.document.blobs import Blob
from engine.document.props import prop
from engine.document.shapes import Loft, Section, Shape, TriangleMesh
from engine.dynamics.articulation import compile_articulation, stand
from engine.dynamics.contact_points import (
    CAPSULE_FLOATS,
    CONTACT,
    CONTACT_INTS,
    FLOAT_HEADER,
    HEADER,
    closest_points,
    find_contacts,
)
from engine.dynamics.contact_shapes import Ground, compile_shapes
from engine.dynamics.mechanics import compile_mechanics
from engine.dynamics.motions import compute_frames
from engine.dynamics.outlines import stadiums_of
from engine.dynamics.stepping import SemiImplicitEuler
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import compile_model
from engine.model.solids import surface_of
from engine.runtime.errors import InvalidArguments
from tests.engine.dynamics.contacts import flail, thing

Triple = tuple[float, float, float]


def triple(values: Array) -> Triple:
    x, y, z = values.tolist()
    return x, y, z


def distance(a: Triple, b: Triple, c: Triple, d: Triple) -> float:
    return math.dist(*closest_points(a, b, c, d))


def test_no_two_places_of_two_segments_are_nearer_than_those_found() -> None:
    rng, share = np.random.default_rng(2), np.linspace(0.0, 1.0, 60)
    for _ in range(60):
        a, b, c, d = (triple(each) for each in rng.normal(size=(4, 3)))
        one = np.array(a) + share[:, None] * (np.array(b) - a)
        two = np.array(c) + share[:, None] * (np.array(d) - c)
        tried = np.linalg.norm(one[:, None] - two[None], axis=2).min()
        found = distance(a, b, c, d)
        assert found <= tried + 1e-12
        assert found > tried - 0.05


def test_parallel_and_vanishing_segments_have_their_distance() -> None:
    o, x, y = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.3, 2.0, 0.0)
    assert distance(o, x, (0.2, 1.0, 0.0), (0.8, 1.0, 0.0)) == pytest.approx(1.0)
    assert distance(o, x, (2.0, 1.0, 0.0), (3.0, 1.0, 0.0)) == pytest.approx(math.sqrt(2.0))
    assert distance(o, o, y, y) == pytest.approx(math.hypot(0.3, 2.0))
    assert distance(o, x, y, y) == pytest.approx(2.0)
    assert distance(y, y, o, x) == pytest.approx(2.0)


LOFT = Loft(
    sections=(
        Section(along=0.0, width=0.10, depth=0.07),
        Section(along=0.15, width=0.12, depth=0.08),
        Section(along=0.3, width=0.08, depth=0.06),
    ),
    caps=(1.0, 0.5),
)
CUBE = np.array(list(product((-0.1, 0.1), repeat=3)), dtype=np.float32)


def mesh() -> TriangleMesh:
    """The corners of a cube, of which one triangle is enough here."""
    up = np.tile(np.array([[0.0, 1.0, 0.0]], dtype=np.float32), (8, 1))
    return TriangleMesh(positions=Blob(CUBE), normals=Blob(up), triangles=Blob(np.array([[0, 1, 2]], dtype=np.int32)))


@pytest.mark.parametrize(
    ("shape", "allowed"),
    [
        (Capsule(start=(0.0, -0.2, 0.1), end=(0.1, 0.3, 0.0), radius=0.05), 2e-3),
        (Box(half=(0.1, 0.2, 0.3), centre=(0.1, 0.0, 0.0)), 1e-12),
        (Box(half=(0.1, 0.2, 0.3), rounding=0.05), 4e-3),
        (Ellipsoid(radii=(0.1, 0.2, 0.3), centre=(0.0, 0.1, 0.0)), 6e-3),
        (mesh(), 1e-9),
        (LOFT, 0.02),
    ],
)
def test_a_shape_stands_on_the_ground_as_its_surface_does(shape: Shape, allowed: float) -> None:
    seen = surface_of(shape).positions
    rng = np.random.default_rng(5)
    for _ in range(20):
        w, x, y, z = (each := rng.normal(size=4)) / np.linalg.norm(each)
        made = compile_articulation(thing(shape), rotation=(w, x, y, z), bodies=False)
        lowest = (seen @ rotation_matrix((w, x, y, z)).T)[:, 1].min()
        lifted = stand(made, made.mechanics.model.rest, gap=0.0)
        start = len(made.mechanics.model.floats) + 10
        assert lifted.mechanics.floats[start] - made.mechanics.floats[start] == pytest.approx(-lowest, abs=allowed)


@pytest.mark.parametrize(("apart", "count"), [(0.08, 0), (0.104, 0), (0.106, 1)])
def test_capsules_that_overlap_or_nearly_so_at_rest_are_no_pairs(apart: float, count: int) -> None:
    bar = Capsule(start=(0.0, 0.0, 0.0), end=(0.3, 0.0, 0.0), radius=0.05)
    turn = (Dof(id="turn", name="Turn"),)
    joints = (
        Joint(id="post", name="Post"),
        Joint(id="low", name="Low", parent="post", shapes=(bar,)),
        Joint(id="high", name="High", parent="post", offset=(0.0, apart, 0.0), dofs=turn, shapes=(bar,)),
    )
    shapes = compile_shapes(compile_model(Figure(name="Two", joints=joints)), ground=None, bodies=True, friction=0.5)
    assert shapes.pair_count == count


def test_neighbours_are_no_pairs() -> None:
    figure = load_figure("human")
    model = compile_model(figure)
    shapes = compile_shapes(model, ground=None, bodies=True, friction=0.5)
    points, capsules, pairs = (int(each) for each in shapes.ints[:3])
    assert points == 0
    owners = shapes.ints[5 : 5 + capsules]
    table = shapes.ints[5 + capsules : 5 + capsules + 2 * pairs].reshape(pairs, 2)
    named = {tuple(sorted(figure.joints[owner].id for owner in owners[pair])) for pair in table}
    assert ("knee_left", "knee_right") in named
    assert ("head", "wrist_left") in named
    for joint in figure.joints:
        assert tuple(sorted((joint.id, joint.parent or ""))) not in named


def test_a_wide_loft_is_two_capsules_and_a_flat_box_a_thin_one() -> None:
    wide = Loft(sections=(Section(along=0.0, width=0.2, depth=0.05), Section(along=0.3, width=0.2, depth=0.05)))
    two = stadiums_of(Joint(id="a", name="A", shapes=(wide,)))
    assert len(two) == 2
    assert two[0].radius == pytest.approx(0.05)
    assert abs(two[0].start[0] - two[1].start[0]) == pytest.approx(0.3)
    (one,) = stadiums_of(Joint(id="b", name="B", shapes=(Box(half=(0.3, 0.02, 0.1)),)))
    assert one.radius == pytest.approx(0.02)
    assert math.dist(one.start, one.end) == pytest.approx(0.56)


def test_touches_beyond_the_room_leave_the_deepest() -> None:
    balls = tuple(
        Ellipsoid(radii=(0.01, 0.01, 0.01), centre=(0.1 * x, 0.0002 * ((7 * x + 3 * z) % 11), 0.1 * z))
        for x in range(13)
        for z in range(13)
    )
    made = compile_articulation(thing(balls[0]), bodies=False)
    assert made.shapes.most == 1
    made = compile_articulation(prop("Nails", balls), bodies=False)
    made = stand(made, made.mechanics.model.rest)
    assert made.shapes.point_count == 169
    assert made.shapes.most == 128
    state, stepper = made.new_state(), SemiImplicitEuler()
    work = stepper.start(made, state)
    stepper.step(made, state, work, 0.001)
    assert work.contact_count == 128
    lowest = np.array([each.centre[1] for each in balls])
    order = np.argsort(lowest, kind="stable")
    borne = np.flatnonzero(np.abs(state.impulses).sum(axis=1) > 0.0)
    assert set(borne) <= set(order[lowest[order] <= np.sort(lowest)[127]])
    assert len(borne) > 0


def test_a_ground_or_friction_that_makes_no_sense_is_refused_by_name() -> None:
    with pytest.raises(InvalidArguments, match=r"friction of the ground is -0\.1"):
        Ground(friction=-0.1)
    with pytest.raises(InvalidArguments, match="friction of the ground is nan"):
        Ground(friction=math.nan)
    with pytest.raises(InvalidArguments, match="normal of the ground"):
        Ground(normal=(0.0, 0.0, 0.0))
    with pytest.raises(InvalidArguments, match="friction between bodies is inf"):
        compile_articulation(flail(), friction=math.inf)
    made = compile_articulation(flail(), ground=None)
    with pytest.raises(InvalidArguments, match="lowest point"):
        stand(made, made.mechanics.model.rest)


@pytest.mark.parametrize("seed", range(4))
def test_no_pair_that_touches_is_missed_and_none_comes_in_besides(seed: int) -> None:
    """Against all pairs of capsules, one by one, in poses in which many touch."""
    mechanics = compile_mechanics(compile_model(load_figure("human")))
    model, joints = mechanics.model, mechanics.joint_count
    shapes = compile_shapes(model, ground=None, bodies=True, friction=0.5)
    q = model.rest + 0.4 * np.random.default_rng(seed).normal(size=len(model.rest))
    work, still, margin = mechanics.new_work(), np.zeros(6 * joints), 0.004
    compute_frames(mechanics.ints, mechanics.floats, q, work)
    touches, bodies = np.zeros(shapes.most * CONTACT), np.zeros(shapes.most * CONTACT_INTS, dtype=np.int32)
    room = np.zeros(shapes.placed_size)
    count = find_contacts(
        mechanics.ints, (shapes.ints, shapes.floats), (work, still, margin, 0.01), room, (touches, bodies)
    )
    assert 3 < count < shapes.most
    _, capsules, pairs = (int(each) for each in shapes.ints[:3])
    owners = shapes.ints[HEADER : HEADER + capsules]
    table = shapes.floats[FLOAT_HEADER:].reshape(capsules, CAPSULE_FLOATS)
    frames = model.transforms(work)[owners]
    turns, places = frames[:, :9].reshape(-1, 3, 3), frames[:, 9:]
    ends = [np.einsum("nij,nj->ni", turns, table[:, at : at + 3]) + places for at in (0, 3)]
    wanted = []
    for index, (one, two) in enumerate(shapes.ints[HEADER + capsules :][: 2 * pairs].reshape(pairs, 2)):
        lines = [tuple(end[each].tolist()) for each in (one, two) for end in ends]
        if math.dist(*closest_points(*lines)) < table[one, 6] + table[two, 6] + margin:
            wanted.append(index)
    assert bodies[: count * CONTACT_INTS : CONTACT_INTS].tolist() == wanted


@pytest.mark.parametrize("half", [(0.3, 0.2, 1e-4), (5.0, 5.0, 1e-6), (0.6, 0.1, 1e-300)])
def test_a_sheet_is_filled_with_few_capsules_however_thin_it_is(half: Triple) -> None:
    """As paper, or a floor that is a mesh without thickness: as many as thicknesses across were 16 GB of them."""
    found = stadiums_of(Joint(id="a", name="A", shapes=(Box(half=half),)), filled=True)
    assert 2 <= len(found) <= 150
    ends = np.array([(each.start, each.end) for each in found])
    assert np.isfinite(ends).all()
    across = 1  # the longest axis is the first
    assert ends[:, :, across].max() == pytest.approx(half[across], abs=1e-3)
    gaps = np.diff(np.unique(ends[:, 0, across].round(9)))
    assert gaps.max() <= 2.0 * half[across] / 48 + 1e-9
