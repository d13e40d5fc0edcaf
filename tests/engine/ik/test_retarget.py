"""Retargeting: maps of joints, alignment of rest poses, contacts that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.commands.bring_in import bring_in
from engine.document import Blob, Dof, Figure, Joint, Layer, Limit, Samples
from engine.document.limit import BoxRange, Grid
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.contacts import Stillness, ease_contact, find_contacts
from engine.ik.heels import spans_without
from engine.ik.joint_map import ARM, LEG, JointMap, find_roles, guess_map
from engine.ik.retarget import Retarget, Retargeting
from engine.maths.arrays import Array
from engine.maths.hinge_angles import steady_hinges
from engine.maths.rotation_arrays import turn
from engine.model.batch import solve_transforms
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks
from engine.runtime.errors import InvalidArguments, UnknownPart
from tests.engine.ik.skeletons import NAMES, named
from tests.engine.shared_data import shared

HELD = 0.005  # [m] that a held foot may slide or sink


def tall_human() -> Figure:
    """A human of 1.1 times the size with legs longer still, and wider hips."""
    joints = []
    for joint in load_figure("human").joints:
        factor = 1.1 * (1.15 if joint.group.lower().endswith("leg") else 1.0)
        x, y, z = joint.offset
        joints.append(replace(joint, offset=(factor * x, factor * y, factor * z)))
    return replace(load_figure("human"), name="Tall", joints=tuple(joints))


@cache
def pair(name: str) -> Retargeting:
    """One of the three pairs, on its way."""
    if name == "capture to human":
        actor = bring_in(shared("mocap", "bvh", "cmu_12_01_walk.bvh")).actor
        assert actor is not None
        samples = actor.layers[0].samples
        assert samples is not None
        assert actor.figure is not None
        end = samples.time(samples.frame_count - 1)
        return Retargeting(
            actor.figure, actor.layers, load_figure("human"), rate=samples.rate, start=samples.time(1), end=end
        )
    target = tall_human() if name == "human to tall human" else load_figure("stick")
    walk = load_motion("walk")
    assert walk.figure is not None
    return Retargeting(walk.figure, walk.layers, target, rate=(60, 1), start=0, end=2 * TICKS_PER_SECOND)


PAIRS = ("human to tall human", "human to stick figure", "capture to human")


def layer_values(layer: Layer) -> Array:
    assert layer.samples is not None
    return np.asarray(layer.samples.values.array)


def spot_points(found: Retargeting, values: Array, joint: str, point: tuple[float, float, float]) -> Array:
    model = compile_model(found.target)
    state, points = model.new_state(), []
    for q in np.ascontiguousarray(values):
        compute_forward_kinematics(model.ints, model.floats, q, state)
        row = model.transforms(state)[found.target.joint_index[joint]]
        points.append(row[:9].reshape(3, 3) @ np.array(point) + row[9:])
    return np.array(points)


@pytest.mark.parametrize("name", PAIRS)
def test_held_feet_neither_slide_nor_sink(name: str) -> None:
    found = pair(name)
    values = layer_values(found.layer(id="x"))
    assert len(found.contacts) >= 4
    for contact in found.contacts:
        points = spot_points(found, values, contact.spot.joint, contact.spot.point)
        held = points[contact.span[0] : contact.span[1] + 1]
        assert np.ptp(held[:, [0, 2]], axis=0).max() < HELD
        assert np.abs(held[:, 1]).max() < HELD


@pytest.mark.parametrize(("name", "most"), list(zip(PAIRS, (2.5, 6.0, 3.0), strict=True)))
def test_knees_bend_as_the_sources_do_while_feet_are_held(name: str, most: float) -> None:
    """22, 26 and 7 degrees off where feet that leave were drawn back, and hips stayed where they were carried."""
    found = pair(name)
    values = found.values
    source = knee_angles(found._source_at, found._source, found._mine)
    rows = solve_transforms(compile_model(found.target), np.ascontiguousarray(values))
    assert np.abs(knee_angles(rows, found.target, found._yours) - source).max() < most


def test_a_heel_rises_where_the_ankles_limit_would_bend_the_knee() -> None:
    """A crouch before a jump: 6 degrees off where the heel was held down; its foot goes on by its ball."""
    jump = load_motion("jump")
    assert jump.figure is not None
    found = Retargeting(jump.figure, jump.layers, load_figure("human"), rate=(60, 1), start=0, end=2 * TICKS_PER_SECOND)
    rows = solve_transforms(compile_model(found.target), np.ascontiguousarray(found.values))
    source = knee_angles(found._source_at, found._source, found._mine)
    assert np.abs(knee_angles(rows, found.target, found._yours) - source).max() < 2.0
    assert max(found.slip()) < HELD
    roles = [role for role, _ in found._spots]
    held = {roles[[spot for _, spot in found._spots].index(each.spot)]: each.span for each in found.contacts[::-1]}
    assert held["heel left"][1] < 20 < held["ball left"][1]
    heights = found._spot_points(rows)[:27, roles.index("heel left"), 1]  # while the source's heel stands
    assert 0.003 < heights.max() < 0.04
    assert np.abs(np.diff(heights)).max() < 0.008


@pytest.mark.parametrize(
    ("left", "spans"),
    [([], [(2, 20)]), ([8, 12], [(2, 5), (15, 20)]), ([3], [(6, 20)]), ([20], [(2, 17)]), (range(30), [])],
)
def test_what_remains_of_a_span_without_some_frames(left: Sequence[int], spans: list[tuple[int, int]]) -> None:
    mask = np.zeros(30, bool)
    mask[list(left)] = True
    assert list(spans_without((2, 20), mask, 2)) == spans


def knee_angles(rows: Array, figure: Figure, roles: dict[str, str]) -> Array:
    """Degrees between thigh and shank, of both legs in each frame."""
    found = []
    for side in ("left", "right"):
        hip, knee, ankle = (
            rows[:, figure.joint_index[roles[f"{role} {side}"]], 9:] for role in ("thigh", "knee", "ankle")
        )
        turned = ((knee - hip) * (ankle - knee)).sum(axis=1)
        lengths = np.linalg.norm(knee - hip, axis=1) * np.linalg.norm(ankle - knee, axis=1)
        found.append(np.degrees(np.arccos(np.minimum(turned / lengths, 1.0))))
    return np.array(found)


def test_what_a_heel_lifts_at_the_end_of_a_contact_is_none_of_it() -> None:
    heights = np.concatenate((np.zeros(20), np.linspace(0.0, 0.05, 20)))
    points = np.stack((np.zeros(40), heights, np.zeros(40)), axis=1)
    assert find_contacts(points, 0.0, 100.0, 1.0, Stillness()) == [(0, 23)]


@pytest.mark.parametrize("name", PAIRS)
def test_limits_hold(name: str) -> None:
    found = pair(name)
    values, model = layer_values(found.layer(id="x")), compile_model(found.target)
    assert (values >= model.lower - 1e-9).all()
    assert (values <= model.upper + 1e-9).all()


@pytest.mark.parametrize("name", PAIRS)
def test_a_frame_alone_equals_the_frame_in_sequence(name: str) -> None:
    found = pair(name)
    values = layer_values(found.layer(id="x"))
    for frame in (found.frame_count - 1, 3, found.frame_count // 2):
        assert found.frame(frame).tobytes() == values[frame].tobytes()


def test_same_figure_keeps_its_motion_where_nothing_has_to_be_held() -> None:
    wave = load_motion("wave")
    assert wave.figure is not None
    given = Retargeting(
        wave.figure,
        wave.layers,
        wave.figure,
        rate=(30, 1),
        start=0,
        end=TICKS_PER_SECOND,
        options=Retarget(keep_contacts=False),
    )
    rolled = np.array([given.frame(frame) for frame in range(given.frame_count)])
    fingers = set(given.joints.unmatched)
    kept = [
        given.target.coordinate_index[dof.id]
        for joint in given.target.joints
        for dof in joint.dofs
        if joint.id not in fingers
    ]
    own = compile_motion(wave.figure, wave.layers).at(frame_ticks((30, 1), 0, TICKS_PER_SECOND))[:, 0]
    np.testing.assert_allclose(rolled[:, kept], own[:, kept], atol=1e-6)


@pytest.mark.parametrize("limb", [("upper arm", "elbow", 1.0), ("elbow", "wrist", 1.0), ("thigh", "knee", 8.0)])
def test_limbs_of_a_capture_in_t_pose_point_where_they_did(limb: tuple[str, str, float]) -> None:
    found = pair("capture to human")
    actor = bring_in(shared("mocap", "bvh", "cmu_12_01_walk.bvh")).actor
    assert actor is not None
    assert actor.figure is not None
    source = {role: a for role, a, _ in found.joints.roles}
    target = {role: b for role, _, b in found.joints.roles}
    above, below, allowed = limb
    samples = actor.layers[0].samples
    assert samples is not None
    poses = np.zeros((found.frame_count, len(actor.figure.coordinates)))
    for name, column in zip(samples.coordinates, samples.values.array[1:].T, strict=True):
        poses[:, actor.figure.coordinate_index[name]] = column
    for side in ("left", "right"):
        ways = []
        for figure, roles, values in (
            (actor.figure, source, poses),
            (found.target, target, layer_values(found.layer(id="x"))),
        ):
            both = replace_target(found, figure)
            way = spot_points(both, values, roles[f"{below} {side}"], (0.0, 0.0, 0.0))
            way = way - spot_points(both, values, roles[f"{above} {side}"], (0.0, 0.0, 0.0))
            ways.append(way / np.linalg.norm(way, axis=1)[:, None])
        angles = np.degrees(np.arccos(np.clip(np.sum(ways[0] * ways[1], axis=1), -1.0, 1.0)))
        assert np.median(angles) < allowed


def replace_target(found: Retargeting, figure: Figure) -> Retargeting:
    """The same, as if it were about another figure, for `spot_points`."""
    other = object.__new__(Retargeting)
    other.target = figure
    return other if figure is not found.target else found


def test_words_sides_and_order_tell_a_shoulder_from_a_collar_bone() -> None:
    stick, human = find_roles(load_figure("stick")), find_roles(load_figure("human"))
    assert stick["upper arm left"] == "shoulder_left"
    assert "collar left" not in stick
    assert (human["collar left"], human["upper arm left"]) == ("collar_left", "shoulder_left")
    assert (human["thigh right"], human["toes right"]) == ("hip_right", "toes_right")
    found = guess_map(load_figure("human"), load_figure("stick"))
    assert {b: a for a, b in found.pairs}["spine"] == "upper_spine"
    assert "upper_spine -> spine" in found.text


@pytest.mark.parametrize("program", NAMES)
def test_every_limb_is_known_by_the_names_that_programs_give(program: str) -> None:
    figure = named(program)
    base, _, upper, leg, arm = (each.split() for each in NAMES[program])
    wanted = dict(zip((f"{role} left" for role in (*LEG, *ARM)), (*leg, *arm), strict=True))
    wanted |= {"pelvis": base[-1], "head": upper[-1]}
    roles = find_roles(figure)
    assert {role: roles.get(role) for role in wanted} == wanted
    found = guess_map(figure, load_figure("human"))
    followed = {b: a for a, b in found.pairs}
    assert (followed["shoulder_left"], followed["knee_left"], followed["pelvis"]) == (arm[1], leg[1], base[-1])


def limbed(names: dict[str, str]) -> Figure:
    """A trunk with two legs and two arms of which only sides are told."""
    free = tuple(Dof(id=f"slide{axis}", name="s", kind="slide", axis=tuple(np.eye(3)[axis])) for axis in range(3))
    joints = [Joint(id="base", name="Base", offset=(0.0, 1.0, 0.0), dofs=free)]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        above = "base"
        for name, x, y in (("a", 0.1, 0.0), ("b", 0.0, -0.45), ("c", 0.0, -0.45)):
            id = f"{names.get(name, name)}_{side}"
            joints.append(Joint(id=id, name=id, parent=above, offset=(sign * x, y, 0.0)))
            above = id
        above = "base"
        for name, x, y in (("k", 0.05, 0.4), ("m", 0.15, 0.0), ("n", 0.3, 0.0), ("o", 0.25, 0.0)):
            id = f"{names.get(name, name)}_{side}"
            joints.append(Joint(id=id, name=id, parent=above, offset=(sign * x, y, 0.0)))
            above = id
    return Figure(name="Limbed", joints=tuple(joints))


def test_bones_tell_limbs_that_have_no_words() -> None:
    roles = find_roles(limbed({}))
    assert [roles[f"{role} left"] for role in ("thigh", "knee", "ankle")] == ["a_left", "b_left", "c_left"]
    arm = [roles[f"{role} right"] for role in ("collar", "upper arm", "elbow", "wrist")]
    assert arm == ["k_right", "m_right", "n_right", "o_right"]


def test_acclaim_names_tell_limbs_where_bones_alone_would_mislead() -> None:
    figure = bring_in(shared("mocap", "asfamc", "cmu_01_01_forward_jumps.amc")).actor
    assert figure is not None
    assert figure.figure is not None
    roles = find_roles(figure.figure)
    arm = [roles[f"{role} left"] for role in ("collar", "upper arm", "elbow", "wrist")]
    assert arm == ["lclavicle", "lhumerus", "lradius", "lwrist"]
    assert [roles[f"{role} right"] for role in ("thigh", "knee", "ankle")] == ["rfemur", "rtibia", "rfoot"]


def test_contacts_are_found_with_hysteresis_and_short_ones_dropped() -> None:
    rate, still = 100.0, Stillness(speed=0.2, height=0.03, slack=2.0, shortest=0.1)
    heights = np.full(300, 0.2)
    heights[50:150] = 0.01
    heights[90:95] = 0.05  # above the first threshold, below the second
    heights[200:205] = 0.0
    points = np.zeros((300, 3))
    points[:, 1] = np.convolve(heights, np.ones(3) / 3.0, mode="same")
    (span,) = find_contacts(points, 0.0, rate, 1.0, replace(still, speed=5.0))
    assert abs(span[0] - 51) <= 2
    assert abs(span[1] - 148) <= 2
    points[60:140, 0] = np.arange(80) * 0.005  # 0.5 m/s
    assert all(end < 60 or start > 139 for start, end in find_contacts(points, 0.0, rate, 1.0, still))


def test_contacts_take_hold_and_let_go_smoothly() -> None:
    share = ease_contact((20, 40), 80, 100.0, 0.1)
    np.testing.assert_array_equal(share[20:41], 1.0)
    np.testing.assert_array_equal(share[:11], 0.0)
    assert share[15] == pytest.approx(0.5)
    assert np.abs(np.diff(share)).max() < 0.16


def test_a_map_by_hand_is_followed() -> None:
    walk = load_motion("walk")
    assert walk.figure is not None
    joints = JointMap(pairs=(("pelvis", "pelvis"), ("shoulder_left", "shoulder_right")))
    options = Retarget(joints=joints, keep_contacts=False)
    found = Retargeting(
        walk.figure, walk.layers, load_figure("stick"), rate=(30, 1), start=0, end=TICKS_PER_SECOND, options=options
    )
    values = layer_values(found.layer(id="x"))
    moved = {
        name.split(".")[0] for name, column in zip(found.target.coordinates, values.T, strict=True) if np.ptp(column)
    }
    assert moved == {"pelvis", "shoulder_right"}


def test_maps_and_figures_that_make_no_sense_are_refused() -> None:
    stick, human = load_figure("stick"), load_figure("human")
    with pytest.raises(UnknownPart, match="nowhere"):
        JointMap(pairs=(("nowhere", "pelvis"),)).check(human, stick)
    with pytest.raises(InvalidArguments, match="joint map"):
        JointMap(pairs=(("pelvis", "pelvis"), ("head", "pelvis"))).check(human, stick)
    with pytest.raises(InvalidArguments, match="share a limb"):
        guess_map(load_figure("lamp"), stick)
    with pytest.raises(InvalidArguments, match="frame"):
        pair("human to stick figure").frame(-1)


def test_reference_frame_takes_the_place_of_the_rest_pose() -> None:
    stick = load_figure("stick")
    values = np.zeros((3, len(stick.coordinates)))
    raised = stick.coordinate_index["shoulder_left.abduction"]
    values[:, raised] = 1.0
    samples = Samples(coordinates=stick.coordinates, values=Blob(values), rate=(30, 1))
    layer = Layer(id="a", samples=samples)
    options = Retarget(reference=1, keep_contacts=False)
    found = Retargeting(stick, [layer], stick, rate=(30, 1), start=0, end=samples.time(2), options=options)
    # The reference stands as told, so its own bones say nothing and the target follows what it sees: a raised arm.
    assert found.frame(2)[raised] == pytest.approx(1.0, abs=1e-9)


def flexed(figure: Figure, lower: float, upper: float) -> Limit:
    """A limit of the left knee alone."""
    spacing = (upper - lower + 0.4) / 40
    grid = Grid(counts=(41,), lower=(lower - 0.2,), spacing=(spacing,), periodic=(False,))
    ends = BoxRange(lower=(lower,), upper=(upper,))
    return Limit(id="knee", name="Knee", dofs=("knee_left.flexion",), range=ends, grid=grid)


@pytest.mark.parametrize(("lower", "upper"), [(0.0, 2.0), (0.3, 0.5)])
def test_a_limit_that_is_on_holds_in_place_of_the_ends_of_its_hinges(lower: float, upper: float) -> None:
    walk = load_motion("walk")
    assert walk.figure is not None
    joints = tuple(
        replace(each, dofs=(replace(each.dofs[0], lower=0.0, upper=0.1),)) if each.id == "knee_left" else each
        for each in walk.figure.joints
    )
    target = replace(walk.figure, joints=joints, limits=(flexed(walk.figure, lower, upper),))
    options = Retarget(keep_contacts=False)
    given = Retargeting(
        walk.figure, walk.layers, target, rate=(10, 1), start=0, end=2 * TICKS_PER_SECOND, options=options
    )
    bent = given.carried[:, target.coordinate_index["knee_left.flexion"]]
    assert 0.4 < bent.max() <= upper
    assert lower <= bent.min()


def test_a_shoulder_whose_limits_are_passed_is_led_around_them() -> None:
    axes, ends = np.eye(3), np.array([(-1.0, 3.0), (-0.7, 2.2), (-1.5, 1.2)])
    spun = np.linspace(0.0, 2.0 * np.pi, 240)  # about the last axis: most of the way is out of its range
    found = steady_hinges(axes, np.array([turn(axes[2], each[None])[0] for each in spun]), ends)
    assert (found >= ends[:, 0]).all()
    assert (found <= ends[:, 1]).all()
    leaps = np.abs(np.diff(found, axis=0)).max(axis=1) > 0.3
    assert leaps.sum() <= 3
    inside = spun < 1.2
    np.testing.assert_allclose(found[inside, 2], spun[inside], atol=1e-9)


def test_a_capture_whose_rest_pose_lies_takes_its_most_upright_frame_for_it() -> None:
    """All bones along x at rest, as some programs write them: the figure that they move stands in its frames."""
    standing = named("Mixamo")
    free = tuple(Dof(id=f"turn_{axis}", name="Turn", axis=tuple(np.eye(3)[axis])) for axis in range(3))
    joints = []
    for joint in standing.joints:
        x, y, z = joint.offset
        dofs = tuple(replace(dof, id=f"{joint.id}.{dof.id}") for dof in free)
        joints.append(replace(joint, offset=(-y, x, z), dofs=dofs))
    lying = replace(standing, joints=tuple(joints))
    values = np.zeros((3, len(lying.coordinates)))
    values[:, lying.coordinate_index["mixamorig:Hips.turn_2"]] = np.array((-0.2, 0.0, 0.1)) - np.pi / 2
    layer = Layer(id="capture", samples=Samples(coordinates=lying.coordinates, values=Blob(values), rate=(30, 1)))
    end = layer.samples.time(2) if layer.samples is not None else 0
    found = Retargeting(lying, [layer], load_figure("human"), rate=(30, 1), start=0, end=end)
    assert found.reference == 1
    pelvis = [name for name in found.target.coordinates if name.startswith("pelvis.") and "move" not in name]
    turned = [found.target.coordinate_index[name] for name in pelvis]
    np.testing.assert_allclose(found.carried[1][turned], 0.0, atol=1e-6)


def test_it_begins_in_slices_and_comes_to_the_same() -> None:
    walk, target = load_motion("walk"), load_figure("human")
    assert walk.figure is not None
    clip = {"rate": (60, 1), "start": 0, "end": TICKS_PER_SECOND // 4}
    made = list[Retargeting]()

    def slices() -> Iterator[float]:
        made.append(Retargeting(walk.figure, walk.layers, target, at_once=False, **clip))  # type: ignore[arg-type]
        yield from made[0].begin()

    shares = list(slices())
    assert len(shares) > 100, "each of the joints is found in several slices"
    assert shares == sorted(shares)
    at_once = Retargeting(walk.figure, walk.layers, target, **clip)  # type: ignore[arg-type]
    assert np.array_equal(made[0].carried, at_once.carried)


def test_feet_are_held_where_the_floor_of_a_capture_rises_and_falls() -> None:
    dance = bring_in(shared("mocap", "bvh", "rokoko_dance.bvh")).actor
    assert dance is not None
    samples = dance.layers[0].samples
    assert samples is not None
    first, last = samples.time(0), samples.time(300)
    found = Retargeting(dance.figure, dance.layers, load_figure("human"), rate=samples.rate, start=first, end=last)
    slide, sink = found.slip()
    assert len(found.contacts) >= 4
    assert {each.spot.joint for each in found.contacts} == {"ankle_left", "ankle_right"}
    assert max(float(each.place[1]) for each in found.contacts) > 0.05, "[m]: it stands higher there"
    assert slide < HELD
    assert sink < HELD
