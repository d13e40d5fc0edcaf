"""Left and right told by ids, and what that does for captures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Figure, Joint, Layer, Samples
from engine.document.validation import validate_figure
from engine.formats import asfamc, bvh
from engine.formats.figure_toml import load_figure
from engine.formats.format import Options
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.cleanup import despike_gradually, smooth_gradually
from engine.motion.mirror_map import compile_mirror
from engine.motion.motion import compile_motion
from engine.motion.reduce import Tolerance, reduce_gradually
from engine.motion.resample import resample
from engine.motion.sides import pair_sides
from engine.motion.unwrap import unwrap_values
from engine.runtime.progress import finish
from tests.engine.motion.test_mirror import mirrored_samples
from tests.engine.shared_data import shared


def tree(*ids: str) -> Figure:
    return Figure(
        name="T",
        joints=(Joint(id="root", name="Root"), *(Joint(id=id, name=id, parent="root") for id in ids)),
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftArm", "RightArm"),
        ("arm_left", "arm_right"),
        ("LEFT ARM", "RIGHT ARM"),
        ("lfemur", "rfemur"),
        ("LHipJoint", "RHipJoint"),
        ("Arm.L", "Arm.R"),
        ("upper_l_arm", "upper_r_arm"),
        ("ArmL", "ArmR"),
        ("mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"),
    ],
)
def test_usual_ids_are_pairs(left: str, right: str) -> None:
    figure = pair_sides(tree("lowerback", right, "thorax", left, "head"))
    validate_figure(figure)
    assert (figure.joint(left).mirror, figure.joint(left).side) == (right, "left")
    assert (figure.joint(right).mirror, figure.joint(right).side) == (left, "right")
    assert [joint.id for joint in figure.joints if joint.mirror is None] == ["root", "lowerback", "thorax", "head"]


def test_limbs_on_different_parents_are_no_pair() -> None:
    figure = tree("LeftArm", "Head")
    odd = replace(figure, joints=(*figure.joints, Joint(id="RightArm", name="", parent="Head")))
    assert pair_sides(odd) is odd
    assert pair_sides(tree("LeftArm")).joints[1].mirror is None


def test_what_a_figure_says_stays() -> None:
    human = load_figure("human")
    assert pair_sides(human) is human


def positions(figure: Figure, values: Array) -> Array:
    model = compile_model(figure)
    state, rows = model.new_state(), []
    for q in np.ascontiguousarray(values):
        compute_forward_kinematics(model.ints, model.floats, q, state)
        rows.append(model.transforms(state).copy())
    return np.array(rows)


def clip(name: str) -> tuple[Figure, Samples]:
    path = shared("mocap", "bvh" if name.endswith("bvh") else "asfamc", name)
    contents = (bvh.read if name.endswith("bvh") else asfamc.read_motion)(path, Options())
    assert contents.figure is not None
    samples = contents.layers[0].samples
    assert samples is not None
    return pair_sides(contents.figure), samples


CLIPS = ("cmu_12_01_walk.bvh", "cmu_jumping_jacks_30fps.bvh", "rokoko_dance.bvh", "cmu_01_01_forward_jumps.amc")


@pytest.mark.parametrize("name", CLIPS)
def test_real_captures_are_mirrored_and_come_back(name: str) -> None:
    figure, samples = clip(name)
    assert sum(joint.mirror is not None for joint in figure.joints) >= 12
    assert compile_mirror(figure).inexact == ()
    columns = [figure.coordinate_index[name] for name in samples.coordinates]
    rows = np.tile(compile_model(figure).rest, (40, 1))
    chosen = np.linspace(0, samples.frame_count - 1, 40).astype(int)
    mirrored = mirrored_samples(figure, samples)
    assert mirrored.coordinates == samples.coordinates
    places = []
    for each in (samples, mirrored, mirrored_samples(figure, mirrored)):
        rows[:, columns] = each.values.array[chosen]
        places.append(positions(figure, rows))
    partners = [figure.joint_index[joint.mirror or joint.id] for joint in figure.joints]
    np.testing.assert_allclose(places[2], places[0], rtol=0, atol=1e-11)
    # The two sides of a person who was measured are not of equal length.
    gap = places[1][:, partners, 9:] - places[0][:, :, 9:] * (-1.0, 1.0, 1.0)
    assert np.linalg.norm(gap, axis=2).max() < 0.05


@pytest.mark.parametrize("name", CLIPS)
def test_real_captures_stay_within_the_tolerance_with_a_tenth_of_the_keys(name: str) -> None:
    figure, samples = clip(name)
    tolerance = Tolerance(degrees=0.5, millimetres=2.0)
    found = finish(reduce_gradually(figure, samples, tolerance))
    ticks = [samples.time(frame) for frame in range(samples.frame_count)]
    columns = [figure.coordinate_index[name] for name in samples.coordinates]
    curves = compile_motion(figure, (Layer(id="l", tracks=found.tracks),)).at(ticks)[:, 0, columns]
    gap = np.abs(curves - unwrap_values(figure, samples.coordinates, samples.values.array)).max(axis=0)
    slides = np.array([figure.coordinate_dof[name].kind == "slide" for name in samples.coordinates])
    assert gap[slides].max(initial=0.0) <= 2e-3
    assert gap[~slides].max() <= math.radians(0.5)
    share = 0.1 if samples.rate[0] > 60 * samples.rate[1] else 0.4
    assert found.key_count <= share * samples.values.array.size


def test_unwrapping_a_real_capture_turns_no_body() -> None:
    for name in CLIPS:
        figure, samples = clip(name)
        columns = [figure.coordinate_index[each] for each in samples.coordinates]
        rows = np.tile(compile_model(figure).rest, (samples.frame_count, 1))
        rows[:, columns] = samples.values.array
        before = positions(figure, rows)
        rows[:, columns] = unwrapped = unwrap_values(figure, samples.coordinates, samples.values.array)
        np.testing.assert_allclose(positions(figure, rows), before, rtol=0, atol=1e-12)
        assert np.abs(np.diff(unwrapped, axis=0)).max() <= np.abs(np.diff(samples.values.array, axis=0)).max() + 1e-12


def test_a_real_walk_has_few_spikes_and_is_hardly_changed_by_the_usual_low_pass() -> None:
    figure, samples = clip("cmu_12_01_walk.bvh")
    _, report = finish(despike_gradually(figure, samples))
    assert report.spikes.mean() < 5e-3
    smooth = finish(smooth_gradually(figure, samples, cutoff=10.0))
    unwrapped = unwrap_values(figure, samples.coordinates, samples.values.array)
    assert np.sqrt(np.mean((smooth.values.array - unwrapped) ** 2)) < math.radians(1.0)
    slow = resample(figure, samples, rate=(30, 1))
    assert np.sqrt(np.mean((slow.values.array[5:-5] - unwrapped[::4][5:-5]) ** 2)) < math.radians(1.0)
