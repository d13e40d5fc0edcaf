"""Mirrored poses and motions are reflections, and twice is once back."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import (
    Bell,
    Blob,
    Correction,
    Dof,
    Figure,
    Joint,
    Key,
    Layer,
    Samples,
    Span,
    SpeedRange,
    Term,
    Track,
)
from engine.document.motion import TICKS_PER_SECOND
from engine.document.validation import validate_figure
from engine.document.values import Vector3
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import chain, quaternion_of, rotation_matrix, rotation_vectors
from engine.maths.rotations import ORDERS
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.mirror import mirror_layer, mirror_pose, mirror_rows
from engine.motion.mirror_frames import FLIP
from engine.motion.mirror_map import compile_mirror
from engine.motion.motion import compile_motion
from engine.runtime.errors import InvalidDocument, UnknownPart

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
SECOND = TICKS_PER_SECOND


def axes_of(order: str) -> Array:
    return np.array([AXES[letter] for letter in order])


def turn_of(rng: np.random.Generator) -> Array:
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return rotation_matrix((w, x, y, z))


def hinges(joint: str, axes: Array) -> tuple[Dof, ...]:
    return tuple(
        Dof(id=f"{joint}.{place}", name=str(place), axis=(x, y, z)) for place, (x, y, z) in enumerate(axes.tolist())
    )


def limb(id: str, parent: str, mirror: str, offset: Array, rest: Array, axes: Array) -> Joint:
    x, y, z = offset.tolist()
    dofs, turned = hinges(id, axes), quaternion_of(rest)
    return Joint(id=id, name=id, parent=parent, mirror=mirror, offset=(x, y, z), rest=turned, dofs=dofs)


def symmetric_figure(seed: int, order: str, other: str | None = None, *, ball: bool = False) -> Figure:
    """A spine and pairs of limbs whose frames on the two sides differ by any rotation, with hinges in an order.

    The hinges of the left are those of `other` where it is given, so that angles have to be solved.
    """
    rng = np.random.default_rng(seed)
    slides = tuple(
        Dof(id=f"root.{letter}", name=letter, kind="slide", axis=axis) for letter, axis in sorted(AXES.items())
    )
    turns = (Dof(id="root.turn", name="Turn", kind="ball"),) if ball else hinges("root", axes_of(order))
    joints = [Joint(id="root", name="Root", offset=(0.3, 1.0, 0.1), dofs=(*slides, *turns))]
    relations = {"root": np.eye(3)}
    for place in range(2):
        tilt = float(rng.normal())
        tilted = (math.cos(tilt), math.sin(tilt), 0.0, 0.0)
        y, z = rng.normal(size=2).tolist()
        above = joints[-1] if place else joints[0]
        axes = rng.permutation(axes_of("XYZ")) if place else axes_of(order)
        id = f"spine{place}"
        joints.append(Joint(id=id, name=id, parent=above.id, offset=(0.0, y, z), rest=tilted, dofs=hinges(id, axes)))
        relations[id] = np.eye(3)
    for place in range(4):
        above_left = ("spine0", "root", "l0", "l2")[place]
        above_right = above_left.replace("l", "r") if above_left.startswith("l") else above_left
        right, left, rest = f"r{place}", f"l{place}", turn_of(rng)
        relation = turn_of(rng) if place % 2 else np.eye(3)
        offset = rng.normal(size=3)
        right_axes = axes_of(order) @ turn_of(rng)
        left_axes = (right_axes @ FLIP @ relation) * rng.choice([-1.0, 1.0], size=(3, 1))
        if other is not None:
            left_axes = axes_of(other) @ turn_of(rng)
        across = relations[above_right].T @ FLIP
        joints.append(limb(right, above_right, left, offset, rest, right_axes))
        joints.append(limb(left, above_left, right, across @ offset, across @ rest @ FLIP @ relation, left_axes))
        relations[right] = relation
    figure = Figure(name="Symmetric", joints=tuple(joints))
    validate_figure(figure)
    return figure


def random_pose(figure: Figure, seed: int, reach: float = 1.5) -> tuple[tuple[str, float], ...]:
    rng = np.random.default_rng(seed)
    q = rng.uniform(-reach, reach, len(figure.coordinates))
    for dof in figure.dofs:
        if dof.kind == "ball":
            place = figure.coordinate_index[dof.coordinates[0]]
            q[place : place + 4] /= np.linalg.norm(q[place : place + 4])
    return tuple(zip(figure.coordinates, q.tolist(), strict=True))


def positions(figure: Figure, q: Array) -> Array:
    """Places of the joints and of three points off each of them, to see the rotations: shape [joints, 3]."""
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(q), state)
    return model.transforms(state)[:, 9:].copy()


def q_of(figure: Figure, values: tuple[tuple[str, float], ...]) -> Array:
    q = compile_model(figure).rest.copy()
    for name, value in values:
        q[figure.coordinate_index[name]] = value
    return q


def partners(figure: Figure) -> list[int]:
    return [figure.joint_index[joint.mirror or joint.id] for joint in figure.joints]


def assert_reflected(figure: Figure, q: Array, mirrored: Array, tolerance: float = 1e-9) -> None:
    wanted = positions(figure, q) * (-1.0, 1.0, 1.0)
    np.testing.assert_allclose(positions(figure, mirrored)[partners(figure)], wanted, rtol=0, atol=tolerance)


def gap(one: tuple[tuple[str, float], ...], other: tuple[tuple[str, float], ...]) -> float:
    assert [name for name, _ in one] == [name for name, _ in other]
    return max(abs(a - b) for (_, a), (_, b) in zip(one, other, strict=True))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("ball", [False, True])
def test_every_order_is_reflected_and_comes_back(order: str, ball: bool) -> None:
    figure = symmetric_figure(ORDERS.index(order), order, ball=ball)
    for seed in range(3):
        pose = random_pose(figure, seed, reach=3.0)
        mirrored = mirror_pose(figure, pose)
        assert_reflected(figure, q_of(figure, pose), q_of(figure, mirrored))
        assert gap(mirror_pose(figure, mirrored), pose) < 1e-12
    assert compile_mirror(figure).inexact == ()


@pytest.mark.parametrize("order", ORDERS)
def test_sides_with_different_orders_are_solved_exactly(order: str) -> None:
    other = ORDERS[(ORDERS.index(order) + 5) % 12]
    figure = symmetric_figure(ORDERS.index(order) + 20, order, other)
    assert len(compile_mirror(figure).solved) == 8
    for seed in range(3):
        pose = random_pose(figure, seed, reach=3.0)
        mirrored = mirror_pose(figure, pose)
        assert_reflected(figure, q_of(figure, pose), q_of(figure, mirrored))
        again = mirror_pose(figure, mirrored)
        np.testing.assert_allclose(
            positions(figure, q_of(figure, again)), positions(figure, q_of(figure, pose)), rtol=0, atol=1e-12
        )
        assert gap(mirror_pose(figure, mirror_pose(figure, again)), again) < 1e-12
    assert compile_mirror(figure).inexact == ()


def test_the_human_is_reflected_and_its_movements_keep_their_names() -> None:
    figure = load_figure("human")
    assert compile_mirror(figure).solved == ()
    for seed in range(5):
        pose = random_pose(figure, seed)
        mirrored = mirror_pose(figure, pose)
        assert_reflected(figure, q_of(figure, pose), q_of(figure, mirrored))
        assert gap(mirror_pose(figure, mirrored), pose) < 1e-12
        given, found = dict(pose), dict(mirrored)
        for dof in figure.dofs:
            if "_left." in dof.id:
                assert found[dof.id] == given[dof.id.replace("_left.", "_right.")]


def test_whole_poses_are_mirrored_as_single_ones_and_what_is_not_known_stays_unknown() -> None:
    human = load_figure("human")
    poses = np.random.default_rng(3).uniform(-0.4, 0.4, size=(4, len(human.coordinates)))
    found = mirror_rows(human, poses)
    for row, pose in zip(found, poses, strict=True):
        told = dict(mirror_pose(human, tuple(zip(human.coordinates, pose.tolist(), strict=True))))
        assert row == pytest.approx([told[name] for name in human.coordinates], abs=1e-12)
    left, right = (human.coordinate_index[f"elbow_{side}.flexion"] for side in ("left", "right"))
    poses[:, left] = np.nan
    assert np.isnan(mirror_rows(human, poses)[:, right]).all()
    assert np.isnan(mirror_rows(human, poses)).sum() == len(poses)


def test_a_motion_that_passes_half_a_turn_is_mirrored_without_a_leap() -> None:
    figure = symmetric_figure(20, "XYZ", "ZXY")
    poses = np.tile(q_of(figure, random_pose(figure, 1, reach=0.3)), (60, 1))
    poses[:, figure.coordinate_index["r0.0"]] = np.linspace(0.0, 2.5 * math.pi, 60)
    found = mirror_rows(figure, poses)
    assert np.abs(np.diff(found, axis=0)).max() < 1.5
    for row, pose in zip(found[::20], poses[::20], strict=True):
        assert_reflected(figure, pose, row)


def test_one_side_goes_to_the_other_and_leaves_the_rest() -> None:
    figure = load_figure("human")
    name = next(dof.id for dof in figure.dofs if dof.id.startswith("elbow_left") or dof.id.startswith("forearm_left"))
    assert mirror_pose(figure, ((name, 0.3),)) == ((name.replace("_left", "_right"), 0.3),)
    with pytest.raises(UnknownPart):
        mirror_pose(figure, (("tail.wag", 0.1),))


def test_a_joint_of_too_few_hinges_comes_as_near_as_it_can_and_is_named() -> None:
    right = Joint(id="r", name="R", mirror="l", dofs=hinges("r", axes_of("XYZ")))
    left = Joint(id="l", name="L", mirror="r", dofs=hinges("l", axes_of("XY")))
    figure = Figure(name="Unlike", joints=(right, left))
    assert compile_mirror(figure).inexact == ("l",)
    pose = (("r.0", 0.4), ("r.1", -0.3), ("r.2", 0.2), ("l.0", 0.7), ("l.1", 0.1))
    found = dict(mirror_pose(figure, pose))
    wanted = FLIP @ chain(axes_of("XYZ"), np.array([[0.4, -0.3, 0.2]])) @ FLIP

    def missed(a: float, b: float) -> float:
        return float(
            np.linalg.norm(rotation_vectors(np.swapaxes(chain(axes_of("XY"), np.array([[a, b]])), 1, 2) @ wanted))
        )

    best = missed(found["l.0"], found["l.1"])
    assert best < 0.2
    for da, db in ((1e-4, 0.0), (-1e-4, 0.0), (0.0, 1e-4), (0.0, -1e-4)):
        assert missed(found["l.0"] + da, found["l.1"] + db) > best
    # The other way round three hinges take whatever two can do.
    np.testing.assert_allclose(
        chain(axes_of("XYZ"), np.array([[found["r.0"], found["r.1"], found["r.2"]]])),
        FLIP @ chain(axes_of("XY"), np.array([[0.7, 0.1]])) @ FLIP,
        atol=1e-14,
    )


def keyed(figure: Figure, seed: int, names: tuple[str, ...] | None = None) -> tuple[Track, ...]:
    rng = np.random.default_rng(seed)
    return tuple(
        Track(
            coordinate=name,
            keys=tuple(
                Key(
                    time=int(place * SECOND // 2),
                    value=float(rng.uniform(-0.7, 0.7)),
                    tangent="free",
                    slope_in=float(rng.normal()),
                    slope_out=float(rng.normal()),
                )
                for place in range(4)
            ),
            before="linear",
            after="cycle",
        )
        for name in (figure.coordinates if names is None else names)
    )


def test_keyed_motion_is_reflected_at_all_times_and_comes_back() -> None:
    figure = symmetric_figure(3, "ZXY")
    joints = tuple(joint.id for joint in figure.joints if len(joint.dofs) == 3)
    layer = Layer(id="l", tracks=keyed(figure, 0), quaternions=("spine0", *(id for id in joints if id[0] == "r")))
    mirrored = mirror_layer(figure, layer)
    assert set(mirrored.quaternions) == {"spine0", *(id for id in joints if id[0] == "l")}
    times = np.linspace(-0.3, 2.5, 23) * SECOND
    plain = replace(layer, quaternions=()), replace(mirrored, quaternions=())
    before, after = (compile_motion(figure, (each,)).at(times)[:, 0] for each in plain)
    for q, found in zip(before, after, strict=True):
        assert_reflected(figure, q, found)
    again = mirror_layer(figure, mirrored)
    assert again.quaternions == layer.quaternions
    for new, old in zip(again.tracks, layer.tracks, strict=True):
        assert (new.coordinate, new.before, new.after) == (old.coordinate, old.before, old.after)
        for one, other in zip(new.keys, old.keys, strict=True):
            assert abs(one.value - other.value) < 1e-12
            assert (one.slope_in, one.slope_out, one.time) == (other.slope_in, other.slope_out, other.time)


def test_keys_of_solved_joints_are_exact_with_their_slopes() -> None:
    figure = symmetric_figure(5, "ZXY", "XYZ")
    names = tuple(name for name in figure.coordinates if not name.startswith("root"))
    layer = Layer(id="l", tracks=keyed(figure, 1, names), values=(("root.X", -0.3), ("root.0", 0.3)))
    mirrored = mirror_layer(figure, layer)
    motions = [compile_motion(figure, (each,)) for each in (layer, mirrored)]
    for place in range(1, 3):
        time = place * SECOND / 2
        for side in (-1e-5, 0.0, 1e-5):
            before, after = (motion.at(time + side * SECOND)[0] for motion in motions)
            assert_reflected(figure, before, after, 1e-9 if side == 0.0 else 1e-8)


def mirrored_samples(figure: Figure, samples: Samples) -> Samples:
    found = mirror_layer(figure, Layer(id="samples", samples=samples)).samples
    assert found is not None
    return found


@pytest.mark.parametrize("other", [None, "XYZ"])
def test_samples_are_reflected_in_every_frame(other: str | None) -> None:
    figure = symmetric_figure(7, "ZXY", other, ball=True)
    rng = np.random.default_rng(0)
    rows = np.array([[value for _, value in random_pose(figure, seed)] for seed in range(6)])
    samples = Samples(coordinates=figure.coordinates, values=Blob(rows), rate=(30, 1))
    mirrored = mirrored_samples(figure, samples)
    assert mirrored.coordinates == samples.coordinates
    for q, found in zip(rows, mirrored.values.array, strict=True):
        assert_reflected(figure, q, found)
    if other is None:
        np.testing.assert_allclose(mirrored_samples(figure, mirrored).values.array, rows, rtol=0, atol=1e-12)
    some = tuple(figure.coordinates[place] for place in rng.permutation(len(figure.coordinates)))
    order = [figure.coordinate_index[name] for name in some]
    shuffled = Samples(coordinates=some, values=Blob(rows[:, order]), rate=(30, 1))
    np.testing.assert_array_equal(mirrored_samples(figure, shuffled).values.array, mirrored.values.array[:, order])


def test_one_sides_samples_become_the_others() -> None:
    figure = load_figure("human")
    left = tuple(dof.id for dof in figure.dofs if dof.id.startswith("shoulder_left"))
    values = np.random.default_rng(0).normal(size=(4, len(left)))
    samples = Samples(coordinates=left, values=Blob(values), rate=(30, 1))
    found = mirrored_samples(figure, samples)
    assert found.coordinates == tuple(name.replace("_left", "_right") for name in left)
    np.testing.assert_array_equal(found.values.array, values)


def test_masks_spans_and_speed_curves_go_along() -> None:
    figure = load_figure("human")
    names = tuple(dof.id for dof in figure.dofs if dof.id.startswith("shoulder_left"))
    others = tuple(name.replace("_left", "_right") for name in names)
    ends = (Key(time=0, value=0.0), Key(time=SECOND, value=1.0))
    layer = Layer(
        id="l",
        tracks=keyed(figure, 0, names),
        mask=names,
        span=Span(start=0, end=SECOND),
        speed=(SpeedRange(start=0, end=SECOND, coordinates=names, keys=ends),),
    )
    mirrored = mirror_layer(figure, layer)
    assert mirrored.mask == others
    assert mirrored.span is layer.span
    assert mirrored.speed[0].coordinates == others
    assert mirror_layer(figure, mirrored) == layer


def test_an_added_layer_is_not_shifted() -> None:
    figure = symmetric_figure(3, "ZXY")
    layer = Layer(id="l", values=(("root.X", 0.2), ("root.Y", 0.1)), mode="add")
    assert mirror_layer(figure, layer).values == (("root.X", -0.2), ("root.Y", 0.1))
    found = mirror_layer(figure, replace(layer, mode="replace")).values
    np.testing.assert_allclose([value for _, value in found], [-0.8, 0.1], atol=1e-15)


def test_a_zero_pose_with_all_bones_along_x_is_mirrored_by_its_geometry() -> None:
    def joint(id: str, parent: str | None, offset: Vector3, mirror: str | None = None) -> Joint:
        dofs = hinges(id, axes_of("YXZ"))
        if parent is None:
            dofs = (*(Dof(id=letter, name=letter, kind="slide", axis=AXES[letter]) for letter in "XYZ"), *dofs)
        return Joint(id=id, name=id, parent=parent, offset=offset, mirror=mirror, dofs=dofs)

    joints = [joint("hips", None, (0.0, 0.9, 0.0)), joint("spine", "hips", (0.0, 0.13, 0.0))]
    joints += [joint("chest", "spine", (0.3, 0.0, 0.0)), joint("head", "chest", (0.4, 0.0, 0.0))]
    for side, other, sign in (("left", "right", 1.0), ("right", "left", -1.0)):
        chain: tuple[tuple[str, Vector3], ...] = (
            ("shoulder", (0.1, -0.07 * sign, 0.02)),
            ("arm", (0.13, 0.0, 0.0)),
            ("hand", (0.5, 0.0, 0.0)),
            ("thumb", (0.03, -0.02, 0.05 * sign)),
            ("tip", (0.03, 0.0, 0.0)),
        )
        parent = "chest"
        for name, offset in chain:
            joints.append(joint(f"{name}_{side}", parent, offset, f"{name}_{other}"))
            parent = f"{name}_{side}"
    figure = Figure(name="Bones", joints=tuple(joints))
    validate_figure(figure)
    assert {each.target.id for each in compile_mirror(figure).solved} == {"spine", "shoulder_left", "shoulder_right"}
    for seed in range(5):
        pose = random_pose(figure, seed)
        mirrored = mirror_pose(figure, pose)
        assert_reflected(figure, q_of(figure, pose), q_of(figure, mirrored))
        again = positions(figure, q_of(figure, mirror_pose(figure, mirrored)))
        np.testing.assert_allclose(again, positions(figure, q_of(figure, pose)), rtol=0, atol=1e-12)


def test_a_correction_is_mirrored_with_what_it_corrects() -> None:
    figure = symmetric_figure(3, "ZXY")
    names = [name for name in figure.coordinates if name in compile_mirror(figure).copied][:6]
    term = Term(
        bell=Bell(time=SECOND, before=SECOND // 2, after=SECOND),
        amplitudes=tuple((name, 0.1 * (place + 1)) for place, name in enumerate(names)),
        wiggles=((names[0], 0.05),),
    )
    layer = Layer(id="l", tracks=keyed(figure, 0), correction=Correction(terms=(term,)))
    mirrored = mirror_layer(figure, layer)
    times = np.linspace(0.6, 1.9, 9) * SECOND
    before, after = (compile_motion(figure, (each,)).at(times)[:, 0] for each in (layer, mirrored))
    for q, found in zip(before, after, strict=True):
        assert_reflected(figure, q, found)
    assert mirror_layer(figure, mirrored).correction == layer.correction


def test_a_correction_of_angles_that_have_to_be_solved_is_refused_by_name() -> None:
    figure = symmetric_figure(5, "ZXY", "XYZ")
    name = next(name for name in figure.coordinates if name not in compile_mirror(figure).copied)
    bell = Bell(time=SECOND, before=SECOND, after=SECOND)
    layer = Layer(id="l", correction=Correction(terms=(Term(bell=bell, amplitudes=((name, 0.1),)),)))
    with pytest.raises(InvalidDocument, match="bake the layer first"):
        mirror_layer(figure, layer)
