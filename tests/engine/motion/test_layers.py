"""Layers over each other: replace, add, weights, spans, masks, mute and solo, balls; and what is compiled again."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.document import Key, Layer, Span, SpeedRange, Track
from engine.motion.motion import Motion, active_layers, compile_motion
from tests.engine.motion.motions import (
    BALL,
    HIP,
    SECOND,
    assert_derivatives,
    jump,
    random_layer,
    samples,
    tracks,
    walker,
)

FIGURE = walker()
X, KNEE = FIGURE.coordinates.index("x"), FIGURE.coordinates.index("knee")


def over(*layers: Layer) -> Motion:
    return compile_motion(FIGURE, layers)


def quaternion(axis: tuple[float, float, float], angle: float) -> tuple[tuple[str, float], ...]:
    numbers = Rotation.from_rotvec(np.multiply(axis, angle)).as_quat(scalar_first=True)
    return tuple(zip(BALL, numbers.tolist(), strict=True))


BASE = Layer(id="base", values=(("x", 1.0), ("knee", 0.5), *quaternion((0.0, 1.0, 0.0), 0.4)))


@pytest.mark.jit_off
def test_tracks_come_before_samples_and_samples_before_constants() -> None:
    rng = np.random.default_rng(1)
    take = samples(rng, ("x", "knee"))
    layer = Layer(
        id="l",
        values=(("x", 5.0), ("knee", 6.0), ("hip.0", 7.0)),
        samples=take,
        tracks=(Track(coordinate="x", keys=(Key(0, -1.0),)),),
    )
    found = over(layer).at(float(take.time(2)))[0]
    assert (found[X], found[KNEE], found[5]) == (-1.0, take.values.array[2, 1], 7.0)


@pytest.mark.jit_off
def test_replacing_and_adding_by_weight() -> None:
    top = Layer(id="top", values=(("x", 3.0),), weight=0.25)
    assert over(BASE, top).at(0.0)[0, X] == 1.5
    assert over(BASE, replace(top, mode="add")).at(0.0)[0, X] == 1.75
    assert over(BASE, replace(top, weight=1.0)).at(0.0)[0, X] == 3.0
    assert over(BASE, replace(top, weight=0.0)).at(0.0)[0, X] == 1.0


@pytest.mark.jit_off
def test_a_span_limits_a_layer_and_its_eases_are_smooth() -> None:
    span = Span(start=SECOND, end=4 * SECOND, ease_in=SECOND, ease_out=2 * SECOND)
    motion = over(BASE, Layer(id="top", values=(("x", 3.0),), span=span))
    times = np.array([0.99, 1.0, 1.5, 2.0, 3.0, 4.0, 4.01]) * SECOND
    np.testing.assert_allclose(motion.at(times)[:, 0, X], [1, 1, 2, 3, 2, 1, 1], atol=1e-12)


def test_eases_have_no_leap_in_rate_or_acceleration() -> None:
    span = Span(start=SECOND, end=4 * SECOND, ease_in=SECOND, ease_out=2 * SECOND)
    moving = tracks(np.random.default_rng(2), ("x", *BALL), "linear", "linear")
    motion = over(BASE, Layer(id="top", tracks=moving, span=span, weight=0.8))
    knots = {key.time for track in moving for key in track.keys}
    for time in (SECOND, 2 * SECOND, 4 * SECOND):
        assert min(abs(time - knot) for knot in knots) > 1e-3 * SECOND
        assert jump(motion, float(time), 1) < 1e-5
        assert jump(motion, float(time), 2) < 1e-3


@pytest.mark.jit_off
def test_a_mask_touches_only_what_it_names_and_a_ball_only_whole() -> None:
    top = Layer(id="top", values=(("x", 3.0), ("knee", 3.0), *quaternion((1.0, 0.0, 0.0), 1.0)))
    for mask, changed in (
        (("x",), {"x"}),
        ((), set()),
        (BALL, set(BALL)),
        (("knee", "turn.w"), {"knee"}),
    ):
        found = over(BASE, replace(top, mask=mask)).at(0.0)[0]
        below, above = over(BASE).at(0.0)[0], over(BASE, top).at(0.0)[0]
        wanted = [above[place] if name in changed else below[place] for place, name in enumerate(FIGURE.coordinates)]
        assert found.tolist() == wanted


@pytest.mark.jit_off
def test_muted_layers_do_not_count_and_soloed_ones_count_alone() -> None:
    one, two, three = (Layer(id=id, values=(("x", value),)) for id, value in (("1", 1.0), ("2", 2.0), ("3", 3.0)))
    assert over(one, two, replace(three, mute=True)).at(0.0)[0, X] == 2.0
    assert over(replace(one, solo=True), two, three).at(0.0)[0, X] == 1.0
    both = (replace(one, solo=True), two, replace(three, solo=True))
    assert [layer.id for layer in active_layers(both)] == ["1", "3"]
    assert over(replace(one, solo=True, mute=True), two).at(0.0)[0, X] == 0.0


@pytest.mark.parametrize("flip", [1.0, -1.0])
@pytest.mark.jit_off
def test_balls_blend_on_the_shorter_side_and_multiply_when_added(flip: float) -> None:
    numbers = tuple((name, flip * value) for name, value in quaternion((0.0, 1.0, 0.0), 1.0))
    below = Rotation.from_rotvec([0.0, 0.4, 0.0])
    half = over(BASE, Layer(id="t", values=numbers, weight=0.5)).at(0.0)[0, 1:5]
    found = Rotation.from_quat(half, scalar_first=True)
    np.testing.assert_allclose(found.as_rotvec(), [0.0, 0.7, 0.0], atol=1e-12)
    other = tuple((name, flip * value) for name, value in quaternion((1.0, 0.0, 0.0), 0.6))
    added = over(BASE, Layer(id="t", values=other, mode="add")).at(0.0)[0, 1:5]
    wanted = below * Rotation.from_rotvec([0.6, 0.0, 0.0])
    assert (Rotation.from_quat(added, scalar_first=True) * wanted.inv()).magnitude() < 1e-12


@pytest.mark.parametrize("seed", range(30))
def test_rates_are_derivatives_through_any_layers(seed: int) -> None:
    """Away from leaps: times at which the value itself is steady to both sides."""
    rng = np.random.default_rng(100 + seed)
    motion = over(*(random_layer(rng, str(each), FIGURE) for each in range(3)))
    step = 2e-5
    times = rng.uniform(-SECOND, 5 * SECOND, size=30)
    checked = 0
    for time in times:
        around = motion.at(time + np.linspace(-4, 4, 33) * step * SECOND)
        bends = np.abs(np.diff(around[:, 2], axis=0)).max()
        if bends < 0.01 * (1.0 + np.abs(around[:, 2]).max()):
            assert_derivatives(motion, np.array([time]), step=step, tolerance=1e-4)
            checked += 1
    assert checked >= 5


WAYS = list(product(("stepped", "linear", "cubic", "weighted"), ("replace", "add"), (None, "slerp", "spline")))


@pytest.mark.parametrize(("interpolation", "mode", "quaternions"), WAYS)
def test_rates_are_derivatives_in_every_way_together(interpolation: str, mode: str, quaternions: str | None) -> None:
    """Each with and without a span with eases, a mask and a speed curve, at half weight; between the keys."""
    rng = np.random.default_rng(WAYS.index((interpolation, mode, quaternions)))
    below = Layer(id="below", samples=replace(samples(rng, FIGURE.coordinates, count=21), start=0))
    span = Span(start=SECOND // 4, end=7 * SECOND // 2, ease_in=SECOND, ease_out=SECOND)
    speed = SpeedRange(start=0, end=4 * SECOND, coordinates=("x", "knee"), keys=(Key(0, 0.0), Key(4 * SECOND, 1.0)))
    layer = Layer(
        id="above",
        tracks=tuple(Track(coordinate=name, keys=even_keys(rng, name, interpolation)) for name in FIGURE.coordinates),
        mode=mode,  # type: ignore[arg-type]
        weight=0.5,
        quaternions=("hip",) if quaternions else (),
        quaternion_mode=quaternions or "spline",  # type: ignore[arg-type]
    )
    times = np.array([0.37, 1.53, 2.41, 3.13]) * SECOND
    for spanned, masked, timed in product((None, span), (None, (*HIP, "x")), ((), (speed,))):
        motion = over(below, replace(layer, span=spanned, mask=masked, speed=timed))
        assert_derivatives(motion, times, step=1e-4, tolerance=2e-5)


def even_keys(rng: np.random.Generator, name: str, interpolation: str) -> tuple[Key, ...]:
    """A key each second."""
    shift = 1.0 if name.endswith(".w") else 0.0
    weight = 0.5 if interpolation == "weighted" else 1.0 / 3.0
    kind: Any = "cubic" if interpolation == "weighted" else interpolation
    return tuple(
        Key(each * SECOND, shift + float(0.3 * rng.normal()), kind, weight_in=weight, weight_out=weight)
        for each in range(5)
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_same_bytes_one_by_one_in_any_order_and_all_at_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion = over(*(random_layer(rng, str(each), FIGURE) for each in range(4)))
    times = rng.uniform(-SECOND, 6 * SECOND, size=20)
    single = [motion.at(time).tobytes() for time in times[::-1]]
    assert motion.at(times).tobytes() == b"".join(single[::-1])


def test_only_what_changed_is_compiled_again() -> None:
    rng = np.random.default_rng(8)
    one, two = (Layer(id=id, tracks=tracks(rng, HIP)) for id in ("one", "two"))
    before = over(one, two)
    edited = replace(two, tracks=(*two.tracks[:2], Track(coordinate=HIP[2], keys=(Key(0, 0.1),))))
    after = compile_motion(FIGURE, (one, edited), before)
    assert after.layers[0] is before.layers[0]
    assert after.layers[1].tracks[HIP[0]] is before.layers[1].tracks[HIP[0]]
    assert after.layers[1].tracks[HIP[2]] is not before.layers[1].tracks[HIP[2]]
    fresh = over(one, edited)
    times = np.linspace(0, 3 * SECOND, 9)
    assert after.at(times).tobytes() == fresh.at(times).tobytes()


@pytest.mark.jit_off
def test_constant_layers_need_no_kernel_and_values_beyond_limits_are_left() -> None:
    motion = over(BASE, Layer(id="t", values=(("knee", 99.0),)))
    assert motion.layers == ()
    assert motion.at(0.0)[0, KNEE] == 99.0
    assert not motion.at([0.0, 5.0])[:, 1:].any()
