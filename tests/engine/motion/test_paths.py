"""Rotations between keys: no leap in angular velocity, keys left alone, all twelve orders, gimbal lock."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from engine.document import Figure, Key, Layer, Track
from engine.document.motion import Extrapolation
from engine.maths.arrays import Array
from engine.maths.rotations import ORDERS
from engine.motion.motion import Motion, compile_motion
from engine.motion.paths import hinges_of
from tests.engine.motion.motions import (
    BALL,
    EXTRAPOLATIONS,
    HIP,
    SECOND,
    assert_derivatives,
    jump,
    keys,
    tracks,
    walker,
)

FIGURE = walker()
HIP_AT = slice(5, 8)


def hip_layer(seed: int, *, mode: str = "spline", code: Extrapolation = "hold", scale: float = 0.4) -> Layer:
    rng = np.random.default_rng(seed)
    made = tuple(Track(coordinate=name, keys=keys(rng, scale=scale), before=code, after=code) for name in HIP)
    return Layer(id="hip", tracks=made, quaternions=("hip",), quaternion_mode=mode)  # type: ignore[arg-type]


def moving(layer: Layer, figure: Figure = FIGURE) -> Motion:
    return compile_motion(figure, (layer,))


def key_times(layer: Layer) -> list[int]:
    return sorted({key.time for track in layer.tracks for key in track.keys})


def rotation(angles: Array, order: str = "ZYX") -> Rotation:
    return Rotation.from_euler(order, angles)


def angular_velocity(motion: Motion, time: float, order: str = "ZYX") -> Array:
    """About the axes of the turned frame, by the axes of the hinges."""
    q, rates, _ = motion.at(time)[:, HIP_AT]
    total = np.zeros(3)
    for place in range(3):
        later = Rotation.identity()
        for after in range(place + 1, 3):
            later = later * Rotation.from_euler(order[after], q[after])
        total += rates[place] * later.inv().apply(np.eye(3)["XYZ".index(order[place])])
    return total


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("mode", ["slerp", "spline"])
def test_switching_to_quaternions_leaves_the_keys_and_does_not_leap(order: str, mode: str) -> None:
    layer = hip_layer(1, mode=mode, scale=0.8)
    for backwards in (False, True):
        figure = walker(order, backwards=backwards)
        turned, plain = moving(layer, figure), moving(replace(layer, quaternions=()), figure)
        for time in key_times(layer):
            assert turned.at(time)[0].tobytes() == plain.at(time)[0].tobytes()
            near = turned.at([time - 1.0, time + 1.0])[:, 0]
            np.testing.assert_allclose(near, [plain.at(time)[0]] * 2, atol=1e-6)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", range(2))
def test_the_spline_has_no_leap_of_angular_velocity_at_keys(seed: int, order: str) -> None:
    layer = hip_layer(seed, scale=0.3)
    lift = 0.8 if order[0] == order[2] else 0.0  # away from gimbal lock, where angles are no measure of a velocity
    raised = tuple(replace(key, value=key.value + lift) for key in layer.tracks[1].keys)
    layer = replace(layer, tracks=(layer.tracks[0], replace(layer.tracks[1], keys=raised), layer.tracks[2]))
    motion = moving(layer, walker(order))
    worst = 0.0
    for time in key_times(layer)[1:-1]:
        at = angular_velocity(motion, time, order)
        for side in (-1.0, 1.0):
            near, far = (angular_velocity(motion, time + side * each, order) for each in (1.0, 2.0))
            worst = max(worst, float(np.abs(2.0 * near - far - at).max()))
    assert worst < 1e-9


@pytest.mark.jit_off
def test_slerp_turns_evenly_about_one_axis() -> None:
    made = tuple(
        Track(coordinate=name, keys=(Key(0, first), Key(SECOND, last)))
        for name, first, last in zip(HIP, (0.1, 0.2, -0.4), (0.9, -0.3, 0.5), strict=True)
    )
    motion = moving(Layer(id="l", tracks=made, quaternions=("hip",), quaternion_mode="slerp"))
    peer = Slerp([0.0, 1.0], rotation(np.array([[0.1, 0.2, -0.4], [0.9, -0.3, 0.5]])))
    shares = np.linspace(0.05, 0.95, 7)
    found = rotation(motion.at(shares * SECOND)[:, 0, HIP_AT])
    assert (found * peer(shares).inv()).magnitude().max() < 1e-12
    velocities = np.array([angular_velocity(motion, share * SECOND) for share in shares])
    np.testing.assert_allclose(velocities, velocities[[0] * 7], atol=1e-12)


@pytest.mark.parametrize("code", EXTRAPOLATIONS)
@pytest.mark.parametrize("mode", ["slerp", "spline"])
def test_rates_are_derivatives_inside_and_beyond(code: Extrapolation, mode: str) -> None:
    layer = hip_layer(2, code=code, mode=mode)
    knots = np.array(key_times(layer), dtype=np.float64)
    inside = knots[:-1] + 0.4 * np.diff(knots)
    length = knots[-1] - knots[0]
    times = np.concatenate((inside[:4] - length, inside, inside[-4:] + length))
    assert_derivatives(moving(layer), times, step=2e-4, tolerance=1e-6)


@pytest.mark.parametrize("order", ["ZYX", "XYX", "YZX"])
def test_rates_are_derivatives_in_other_orders(order: str) -> None:
    layer = hip_layer(3)
    first, last = key_times(layer)[0], key_times(layer)[-1]
    times = np.linspace(first + 0.013 * SECOND, last - 0.017 * SECOND, 9)
    assert_derivatives(moving(layer, walker(order, backwards=True)), times, step=1e-4, tolerance=2e-5)


@pytest.mark.parametrize("code", EXTRAPOLATIONS)
def test_splines_are_smooth_at_their_ends(code: Extrapolation) -> None:
    layer = hip_layer(4, code=code)
    if code == "cycle":
        closed = tuple(
            replace(each, keys=(replace(each.keys[0], time=0), *each.keys[1:-1], Key(4 * SECOND, each.keys[0].value)))
            for each in layer.tracks
        )
        layer = replace(layer, tracks=closed)
    motion = moving(layer)
    first, last = key_times(layer)[0], key_times(layer)[-1]
    for end in (first, last, last + (last - first)):
        before, after = angular_velocity(motion, end - 2.0), angular_velocity(motion, end + 2.0)
        assert np.abs(before - after).max() < 1e-6
        if code != "cycle_offset":  # its Euler curves gain otherwise than its rotations
            assert jump(motion, end, 0) < 1e-6


@pytest.mark.jit_off
def test_a_turning_walk_keeps_turning() -> None:
    half = 0.25
    made = tuple(
        Track(coordinate=name, keys=(Key(0, first), Key(SECOND, last)), after="cycle_offset")
        for name, first, last in zip(BALL, (1.0, 0.0, 0.0, 0.0), (np.cos(half), 0.0, np.sin(half), 0.0), strict=True)
    )
    motion = moving(Layer(id="l", tracks=made))
    for cycles in (1, 2, 3, 10):
        found = Rotation.from_quat(motion.at(float(cycles * SECOND))[0, 1:5], scalar_first=True)
        assert (found.inv() * Rotation.from_rotvec([0.0, 2.0 * half * cycles, 0.0])).magnitude() < 1e-9


@pytest.mark.parametrize("code", EXTRAPOLATIONS)
def test_a_keyed_ball_stays_a_rotation_with_true_rates(code: Extrapolation) -> None:
    layer = Layer(id="l", tracks=tracks(np.random.default_rng(8), BALL, code, code))
    motion = moving(layer)
    first, last = key_times(layer)[0], key_times(layer)[-1]
    times = np.linspace(first - 0.7 * SECOND, last + 0.9 * SECOND, 11) + 0.0123 * SECOND
    found = motion.at(times)[:, 0, 1:5]
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-14)
    assert_derivatives(motion, times, step=1e-4, tolerance=1e-5)
    for time in key_times(layer)[1:-1]:
        assert jump(motion, time, 1) < 1e-5


@pytest.mark.jit_off
def test_stepped_keys_stand_and_flat_keys_rest() -> None:
    made = tuple(
        Track(
            coordinate=name,
            keys=(Key(0, 0.3 * place, "stepped"), Key(SECOND, 0.5, tangent="flat"), Key(2 * SECOND, 0.1 + place)),
        )
        for place, name in enumerate(HIP)
    )
    motion = moving(Layer(id="l", tracks=made, quaternions=("hip",)))
    wanted = np.array([[0, 0.3, 0.6], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(motion.at(0.99 * SECOND)[:, HIP_AT], wanted, atol=1e-12)
    assert np.abs(motion.at(float(SECOND))[1]).max() < 1e-12


@pytest.mark.parametrize("order", ORDERS)
def test_gimbal_lock_stays_finite_and_keeps_its_keys(order: str) -> None:
    lock = 0.5 * np.pi if order[0] != order[2] else 0.0
    values = ((0.4, lock - 1.0, -0.2), (0.7, lock, 0.3), (0.2, lock + 1.0, 0.9))
    made = tuple(
        Track(coordinate=name, keys=tuple(Key(each * SECOND, row[place]) for each, row in enumerate(values)))
        for place, name in enumerate(HIP)
    )
    motion = moving(Layer(id="l", tracks=made, quaternions=("hip",)), walker(order))
    assert motion.at(float(SECOND))[0, HIP_AT].tolist() == list(values[1])
    times = SECOND + np.concatenate((-np.logspace(0, 8, 60), [0.0], np.logspace(0, 8, 60)))
    found = motion.at(times)
    assert np.isfinite(found).all()
    turned = rotation(found[:, 0, HIP_AT], order)
    assert (turned[1:] * turned[:-1].inv()).magnitude().max() < 0.5
    held = tuple(Track(coordinate=name, keys=(Key(0, value),)) for name, value in zip(HIP, values[1], strict=True))
    still = moving(Layer(id="l", tracks=held, quaternions=("hip",)), walker(order))
    np.testing.assert_allclose(still.at(5.0)[0, HIP_AT], values[1], atol=1e-7)


@pytest.mark.jit_off
def test_joints_that_cannot_be_rotations_stay_on_their_curves() -> None:
    assert hinges_of(FIGURE.joint("knee")) is None
    assert hinges_of(FIGURE.joint("hip")) is not None
    two = Layer(id="l", tracks=hip_layer(1).tracks[:2], quaternions=("hip", "knee", "nobody"))
    times = np.linspace(0.0, 3.0, 9) * SECOND
    assert moving(two).at(times).tobytes() == moving(replace(two, quaternions=())).at(times).tobytes()
    given = replace(two, values=((HIP[2], 0.3),))
    assert moving(given).at(times).tobytes() != moving(replace(given, quaternions=())).at(times).tobytes()
