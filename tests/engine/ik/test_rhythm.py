"""The rhythm of the shoulder: blades go with arms on the way from the human to the skeleton, and are no matter back."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.document import Blob, Figure, Layer, Samples
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.joint_map import guess_map, map_of
from engine.ik.retarget import Retarget, Retargeting
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.mirror_frames import zero_rotations
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks

HUMAN, SKELETON = load_figure("human"), load_figure("anatomy")
STILL = Retarget(keep_contacts=False)


def raised(figure: Figure, coordinate: str, *degrees: float) -> Layer:
    """A frame for each value of a coordinate."""
    values = np.zeros((len(degrees), len(figure.coordinates)))
    values[:, figure.coordinate_index[coordinate]] = np.radians(degrees)
    return Layer(id="a", samples=Samples(coordinates=figure.coordinates, values=Blob(values), rate=(10, 1)))


def carried(layer: Layer, source: Figure, target: Figure, options: Retarget = STILL) -> Array:
    assert layer.samples is not None
    last = layer.samples.time(layer.samples.frame_count - 1)
    return Retargeting(source, (layer,), target, rate=(10, 1), start=0, end=last, options=options).values


def column(values: Array, name: str) -> Array:
    return np.degrees(values[:, SKELETON.coordinate_index[name]])


@pytest.mark.parametrize("side", ["left", "right"])
def test_an_arm_that_is_raised_all_the_way_turns_its_blade_by_a_third_of_that(side: str) -> None:
    values = carried(raised(HUMAN, f"shoulder_{side}.abduction", 0.0, 20.0, 60.0, 100.0, 150.0), HUMAN, SKELETON)
    found = column(values, f"scapula_{side}.upward_rotation")
    assert found[0] == pytest.approx(0.0, abs=0.5)  # the human stands with its arms further away
    assert 0.0 < found[1] < 0.25 * 20.0  # it waits at first
    steps = np.diff(found) / np.array([20.0, 40.0, 40.0, 50.0])
    assert (np.diff(steps) > 0.0).all()
    assert steps[-1] == pytest.approx(0.391, abs=0.04)
    assert (150.0 + 14.0 - found[-1]) / found[-1] == pytest.approx(2.2, abs=0.15)  # the arm stands 14 away at rest
    assert np.abs(column(values, f"scapula_{side}.tilt")).max() < 0.01
    other = "right" if side == "left" else "left"
    assert np.ptp(column(values, f"scapula_{other}.upward_rotation")) < 1e-6


def test_an_arm_that_swings_through_moves_its_blade_smoothly() -> None:
    values = carried(raised(HUMAN, "shoulder_left.flexion", *range(-30, 31, 5)), HUMAN, SKELETON)
    found = column(values, "scapula_left.upward_rotation")
    assert np.abs(np.diff(found, 2)).max() < 0.6
    assert found.max() < 8.0


def test_a_shrug_lifts_the_blade_and_turns_it_by_no_more_than_the_arm_asks_for() -> None:
    values = carried(raised(HUMAN, "collar_left.elevation", 0.0, 20.0), HUMAN, SKELETON)
    blades = rows_of(SKELETON, values, "scapula_left")
    turned = np.degrees(np.arccos(0.5 * (np.trace(blades[0][:9].reshape(3, 3).T @ blades[1][:9].reshape(3, 3)) - 1.0)))
    assert turned < 6.0  # the arm goes along with the collar bone, by 20
    assert blades[1][10] - blades[0][10] > 0.03


def test_collar_bones_that_the_source_has_not_go_with_its_arms() -> None:
    stick = load_figure("stick")
    values = carried(raised(stick, "shoulder_left.abduction", 0.0, 90.0), stick, SKELETON)
    assert 5.0 < column(values, "clavicle_left.elevation")[1] < 9.0
    assert column(values, "clavicle_left.protraction")[1] < -10.0
    assert column(values, "scapula_left.upward_rotation")[1] > 10.0
    assert column(values, "scapula_left.tilt")[1] > 5.0  # backwards


def test_a_blade_that_is_left_out_of_the_map_keeps_its_rest() -> None:
    pairs = tuple(pair for pair in guess_map(HUMAN, SKELETON).pairs if pair[1] != "scapula_left")
    layer = raised(HUMAN, "shoulder_left.abduction", 0.0, 90.0)
    joints = map_of(HUMAN, SKELETON, pairs)
    assert [each.joint for each in joints.rhythms] == ["scapula_right"]
    values = carried(layer, HUMAN, SKELETON, replace(STILL, joints=joints))
    assert not column(values, "scapula_left.upward_rotation").any()


def test_a_skeleton_gives_its_blades_to_a_skeleton() -> None:
    joints = guess_map(SKELETON, SKELETON)
    assert joints.rhythms == ()
    assert ("scapula_left", "scapula_left") in joints.pairs
    values = carried(raised(SKELETON, "scapula_left.upward_rotation", 0.0, 25.0), SKELETON, SKELETON)
    assert column(values, "scapula_left.upward_rotation")[1] == pytest.approx(25.0, abs=1e-6)


@cache
def there_and_back(name: str) -> tuple[Array, Array, Retargeting, Retargeting]:
    """A motion that ships, on the human; back from the skeleton; both ways."""
    layers, end = load_motion(name).layers, TICKS_PER_SECOND
    there = Retargeting(HUMAN, layers, SKELETON, rate=(30, 1), start=0, end=end, options=STILL)
    back = Retargeting(SKELETON, (there.layer(id="back"),), HUMAN, rate=(30, 1), start=0, end=end, options=STILL)
    own = compile_motion(HUMAN, layers).at(frame_ticks((30, 1), 0, end))[:, 0]
    return own, back.values, there, back


@pytest.mark.parametrize("name", ["walk", "wave", "jump"])
def test_what_goes_to_the_skeleton_and_back_is_the_same_within_a_degree(name: str) -> None:
    own, found, _, back = there_and_back(name)
    hinges = [dof for dof in HUMAN.dofs if dof.kind == "hinge"]
    kept = {dof.id for dof in hinges if HUMAN.dof_joint[dof.id].id not in back.joints.unmatched}
    if name == "jump":
        kept -= {"ankle_left.dorsiflexion", "ankle_right.dorsiflexion"}  # by -43 degrees; the skeleton's stop at -40
    off = {dof: float(np.degrees(np.abs(own - found)[:, HUMAN.coordinate_index[dof]].max())) for dof in kept}
    assert {dof: round(far, 2) for dof, far in off.items() if far > 1.0} == {}
    assert len(kept) >= 44


LIMBS = {("upper arm", "elbow"): 0.1, ("elbow", "wrist"): 8.0, ("thigh", "knee"): 0.1, ("knee", "ankle"): 1.0}


@pytest.mark.parametrize("name", ["walk", "wave"])
def test_limbs_of_the_skeleton_point_where_those_of_the_human_do(name: str) -> None:
    """But for forearms that hang nearly straight: those of the skeleton stand away by the carrying angle."""
    own, _, there, _ = there_and_back(name)
    mine, yours = ({role: (a, b)[end] for role, a, b in there.joints.roles} for end in (0, 1))
    for limb, allowed in LIMBS.items():
        for side in ("left", "right"):
            above, below = (f"{role} {side}" for role in limb)
            one, two = (
                ends(HUMAN, own, mine[above], mine[below]),
                ends(SKELETON, there.values, yours[above], yours[below]),
            )
            angles = np.degrees(np.arccos(np.clip(np.sum(one * two, axis=1), -1.0, 1.0)))
            assert angles.max() < allowed, (above, angles.max())


def test_soles_lie_and_toes_bend_as_they_did() -> None:
    own, _, there, _ = there_and_back("walk")
    for side in ("left", "right"):
        one = normals(HUMAN, own, f"ankle_{side}")
        two = normals(SKELETON, there.values, f"calcaneus_{side}")
        assert np.degrees(np.arccos(np.clip(np.sum(one * two, axis=1), -1.0, 1.0))).max() < 1.0
        bends = [np.degrees(values[:, figure.coordinate_index[f"toes_{side}.flexion"]])
                 for figure, values in ((HUMAN, own), (SKELETON, there.values))]  # fmt: skip
        assert np.ptp(bends[0]) > 40.0
        np.testing.assert_allclose(np.abs(bends[1]), np.abs(bends[0]), atol=0.6)


def normals(figure: Figure, values: Array, joint: str) -> Array:
    """What of a foot is up where its figure stands at rest, in each frame."""
    up = zero_rotations(figure)[joint].T @ (0.0, 1.0, 0.0)
    return np.array([row[:9].reshape(3, 3) @ up for row in rows_of(figure, values, joint)])


def ends(figure: Figure, values: Array, above: str, below: str) -> Array:
    """Directions from one joint to another."""
    way = rows_of(figure, values, below)[:, 9:] - rows_of(figure, values, above)[:, 9:]
    return np.asarray(way / np.linalg.norm(way, axis=1)[:, None])


def rows_of(figure: Figure, values: Array, joint: str) -> Array:
    """Rotation and place of a joint in each frame."""
    model, found = compile_model(figure), []
    state = model.new_state()
    for q in np.ascontiguousarray(values):
        compute_forward_kinematics(model.ints, model.floats, q, state)
        found.append(model.transforms(state)[figure.joint_index[joint]].copy())
    return np.array(found)
