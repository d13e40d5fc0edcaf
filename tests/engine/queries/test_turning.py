"""How what turns as one rotation is drawn: as the engine evaluates it, in any order and mode, beyond its keys, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Key, Layer, Track
from engine.document.motion import Extrapolation, Tangent
from engine.maths.rotations import ORDERS
from engine.motion.motion import compile_motion
from engine.queries.outline import Outline
from engine.queries.turning import turning_of_ball, turning_of_joint
from tests.engine.motion.motions import BALL, EXTRAPOLATIONS, HIP, SECOND, keys, mixed_keys, tracks, walker

AROUND = np.linspace(-4.0 * SECOND, 12.0 * SECOND, 301)


def hip_layer(seed: int, code: Extrapolation, mode: str = "spline") -> Layer:
    rng = np.random.default_rng(seed)
    made = tuple(Track(coordinate=name, keys=mixed_keys(rng, 4), before=code, after=code) for name in HIP)
    return Layer(id="hip", tracks=made, quaternions=("hip",), quaternion_mode=mode)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", EXTRAPOLATIONS)
@pytest.mark.parametrize("mode", ["slerp", "spline"])
@pytest.mark.parametrize("order", ORDERS)
def test_the_angles_of_a_joint_are_those_that_the_engine_gives(order: str, mode: str, code: Extrapolation) -> None:
    figure, layer = walker(order, backwards=mode == "slerp"), hip_layer(ORDERS.index(order), code, mode)
    turning = turning_of_joint(figure.joints[1], layer)
    assert turning is not None
    times = np.concatenate((AROUND, turning.time))
    off = turning.at(times) - compile_motion(figure, (layer,)).at(times)[:, 0, 5:8]
    turns = np.rint(off / (2.0 * np.pi))
    np.testing.assert_allclose(off, 2.0 * np.pi * turns, atol=1e-9)
    near = np.stack([each.values_at(times) for each in turning.sources if isinstance(each, Outline)], axis=1)
    away = np.abs(np.abs(turning.at(times) - near) - np.pi)
    assert away[turns != 0.0].max(initial=0.0) < 1e-9, "whole turns are free where both ways are equally far"


@pytest.mark.parametrize("code", EXTRAPOLATIONS)
def test_the_numbers_of_a_ball_are_those_that_the_engine_gives(code: Extrapolation) -> None:
    figure, layer = walker(), Layer(id="root", tracks=tracks(np.random.default_rng(3), BALL, code, code))
    turning = turning_of_ball(figure.joints[0].dofs[1], layer)
    assert turning is not None
    expected = compile_motion(figure, (layer,)).at(AROUND)[:, 0, 1:5]
    np.testing.assert_allclose(turning.at(AROUND), expected, atol=1e-9)


def test_an_angle_without_keys_and_a_single_key_do_as_well() -> None:
    figure = walker()
    turned = Track(coordinate="hip.0", keys=keys(np.random.default_rng(1)))
    for made in (turned, replace(turned, keys=turned.keys[:1])):
        layer = Layer(id="hip", values=(("hip.1", 0.3), ("hip.2", -0.2)), tracks=(made,), quaternions=("hip",))
        turning = turning_of_joint(figure.joints[1], layer)
        assert turning is not None
        expected = compile_motion(figure, (layer,)).at(AROUND)[:, 0, 5:8]
        np.testing.assert_allclose(turning.at(AROUND), expected, atol=1e-9)


def test_a_line_goes_from_edge_to_edge_through_every_key_and_holds_what_is_stepped() -> None:
    made = tuple(
        Track(coordinate=name, keys=(Key(0, 0.1), Key(SECOND, 0.9, interpolation="stepped"), Key(2 * SECOND, -0.4)))
        for name in HIP
    )
    turning = turning_of_joint(walker().joints[1], Layer(id="hip", tracks=made, quaternions=("hip",)))
    assert turning is not None
    line = turning.line(-SECOND, 3.0 * SECOND, SECOND / 100.0)
    assert (line[0, 0], line[-1, 0]) == (-SECOND, 3.0 * SECOND)
    assert {0.0, SECOND, 2.0 * SECOND} <= set(line[:, 0].tolist())
    held = (line[:, 0] >= SECOND) & (line[:, 0] < 2.0 * SECOND)
    assert held.sum() > 20
    np.testing.assert_allclose(line[held, 1:], 0.9, atol=1e-12)
    assert turning.line(-SECOND, 3.0 * SECOND, SECOND / 100.0) is line


def test_only_joints_that_are_joined_turn_as_one_and_the_same_curves_give_the_same_path() -> None:
    layer, hip = hip_layer(2, "hold"), walker().joints[1]
    assert turning_of_joint(hip, replace(layer, quaternions=())) is None
    muted = tuple(replace(track, mute=True) for track in layer.tracks)
    assert turning_of_joint(hip, replace(layer, tracks=muted)) is None
    turning = turning_of_joint(hip, layer)
    assert turning is not None
    known = {id(track): source for track, source in zip(layer.tracks, turning.sources, strict=True)}
    again = turning_of_joint(hip, layer, lambda track: known[id(track)], turning)  # type: ignore[arg-type, return-value]
    assert again is turning
    slower = turning_of_joint(hip, replace(layer, quaternion_mode="slerp"), old=turning)
    assert slower is not turning


def test_keys_that_are_set_on_it_stand_where_it_is_and_go_on_as_those_before() -> None:
    made = tuple(
        Track(coordinate=name, keys=(Key(0, value, interpolation="linear"), Key(2 * SECOND, -value)))
        for name, value in zip(HIP, (0.2, 0.7, -1.1), strict=True)
    )
    layer = Layer(id="hip", tracks=made, quaternions=("hip",))
    turning = turning_of_joint(walker().joints[1], layer)
    assert turning is not None
    expected = compile_motion(walker(), (layer,)).at(float(SECOND))[0, 5:8]
    found = turning.keys_at(SECOND)
    assert [name for name, _ in found] == list(HIP)
    assert {(key.time, key.interpolation) for _, key in found} == {(SECOND, "linear")}
    np.testing.assert_allclose([key.value for _, key in found], expected, atol=1e-12)


@pytest.mark.parametrize("tangent", ["flat", "free"])
def test_keys_that_are_there_stay_and_new_ones_beside_them_rest_where_they_do(tangent: Tangent) -> None:
    there = Key(SECOND, 0.7, tangent=tangent, slope_in=0.2, slope_out=0.2)
    made = tuple(
        Track(coordinate=name, keys=(Key(0, 0.2 * place), *((there,) if place == 0 else ()), Key(2 * SECOND, -0.4)))
        for place, name in enumerate(HIP)
    )
    layer = Layer(id="hip", tracks=made, quaternions=("hip",))
    hip = walker().joints[1]
    turning = turning_of_joint(hip, layer)
    assert turning is not None
    found = turning.keys_at(SECOND)
    assert [name for name, _ in found] == list(HIP[1:])
    assert {key.tangent for _, key in found} == {"flat" if tangent == "flat" else "auto"}
    new = dict(found)
    both = tuple(replace(track, keys=(track.keys[0], new[track.coordinate], track.keys[1])) for track in made[1:])
    after = turning_of_joint(hip, replace(layer, tracks=(made[0], *both)))
    assert after is not None
    np.testing.assert_allclose(after.at(AROUND), turning.at(AROUND), atol=1e-12)
    assert after.keys_at(SECOND) == ()
