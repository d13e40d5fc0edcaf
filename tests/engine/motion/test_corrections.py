"""Corrections of layers: sums of bells and wiggles onto a motion, with exact rates and accelerations, balls too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.document import Bell, Correction, Layer, Span, SpeedRange, Term, Track
from engine.document.correction import Amplitudes, BellKind
from engine.document.motion import Key
from engine.motion.bells import bell_motion
from engine.motion.motion import Motion, compile_motion
from tests.engine.motion.motions import BALL, HIP, SECOND, assert_derivatives, jump, keys, tracks, walker

FIGURE = walker()
X, KNEE = FIGURE.coordinates.index("x"), FIGURE.coordinates.index("knee")
TURN = FIGURE.coordinates.index(BALL[0])
TURNS = BALL[1:]


def term(
    time: float, amplitudes: Amplitudes = (), wiggles: Amplitudes = (), kind: BellKind = "gaussian", after: float = 0.7
) -> Term:
    bell = Bell(time=round(time * SECOND), before=SECOND // 2, after=round(after * SECOND), kind=kind)
    return Term(bell=bell, amplitudes=amplitudes, wiggles=wiggles)


def corrected(*terms: Term, **given: object) -> Layer:
    return Layer(id="correction", mode="add", correction=Correction(terms=terms), **given)  # type: ignore[arg-type]


def over(*layers: Layer) -> Motion:
    return compile_motion(FIGURE, layers)


def keyed(seed: int = 1) -> Layer:
    rng = np.random.default_rng(seed)
    return Layer(id="keyed", tracks=tracks(rng, (*HIP, "x", "knee", *BALL)))


BOTH = term(1.0, (("x", 0.3), ("knee", -0.4)), (("knee", 0.05),))
NEAR = term(1.3, (("knee", 0.2),), kind="polynomial")
BALLED = term(1.1, (("turn.x", 0.5), ("turn.y", -0.9), ("turn.z", 0.2)), (("turn.x", 0.1), ("turn.z", -0.08)))


@pytest.mark.jit_off
def test_a_correction_adds_its_bells_and_their_wiggles() -> None:
    base, times = keyed(), np.array([0.6, 0.9, 1.0, 1.2, 1.5, 1.9]) * SECOND
    found = over(base, corrected(BOTH, NEAR)).at(times) - over(base).at(times)
    one, other = bell_motion(BOTH.bell, times), bell_motion(NEAR.bell, times)
    for order in range(3):
        knee = -0.4 * one[:, order] + 0.05 * one[:, order + 1] + 0.2 * other[:, order]
        np.testing.assert_allclose(found[:, order, X], 0.3 * one[:, order], rtol=0, atol=1e-11)
        np.testing.assert_allclose(found[:, order, KNEE], knee, rtol=0, atol=1e-11)


def test_outside_its_bells_a_correction_leaves_the_very_bytes() -> None:
    base, times = keyed(), np.array([0.0, 0.5, 1.8, 5.0]) * SECOND
    assert over(base, corrected(BOTH, BALLED)).at(times).tobytes() == over(base).at(times).tobytes()
    inside = np.array([SECOND])
    assert over(base, corrected(BOTH)).at(inside).tobytes() != over(base).at(inside).tobytes()


def test_a_ball_is_turned_by_the_rotation_vector_about_its_own_axes() -> None:
    base, time = keyed(), 1.25 * SECOND
    value, rate = bell_motion(BALLED.bell, [time])[0, :2]
    vector = value * np.array([0.5, -0.9, 0.2]) + rate * np.array([0.1, 0.0, -0.08])
    before, after = over(base).at(time)[0], over(base, corrected(BALLED)).at(time)[0]
    below = Rotation.from_quat(before[TURN : TURN + 4], scalar_first=True)
    wanted = (below * Rotation.from_rotvec(vector)).as_quat(scalar_first=True)
    np.testing.assert_allclose(after[TURN : TURN + 4] * np.sign(after[TURN] * wanted[0]), wanted, atol=1e-14)


@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.05, 0.2, 1.0, 4.0])
def test_rates_and_accelerations_are_derivatives_for_turns_of_any_size(size: float) -> None:
    amplitudes = tuple((name, size * number) for name, number in zip(TURNS, (0.5, -0.9, 0.2), strict=True))
    wiggles = tuple((name, 0.1 * size * number) for name, number in zip(TURNS, (0.1, 0.3, -0.8), strict=True))
    motion = over(keyed(), corrected(term(1.0, amplitudes, wiggles), BOTH))
    assert_derivatives(motion, np.array([0.62, 0.8, 1.0, 1.13, 1.4, 1.65]) * SECOND, tolerance=1e-6)


def test_a_weight_that_moves_and_a_layer_below_go_into_the_derivatives() -> None:
    span = Span(start=SECOND // 4, end=2 * SECOND, ease_in=SECOND, ease_out=SECOND // 2)
    layer = corrected(BOTH, BALLED, NEAR, weight=0.7, span=span)
    assert_derivatives(over(keyed(), layer), np.array([0.6, 0.9, 1.2, 1.55, 1.7]) * SECOND, tolerance=1e-6)


def test_a_correction_begins_and_ends_without_a_leap_of_the_acceleration() -> None:
    motion = over(corrected(BOTH, BALLED, NEAR))
    middles = [each.bell.time for each in (BOTH, NEAR, BALLED)]
    for time in (*middles, BOTH.bell.start, BOTH.bell.end, BALLED.bell.end):
        for order in range(3):
            assert jump(motion, float(time), order) < 2e-2


def test_weight_scales_and_a_mute_takes_away() -> None:
    base, time = keyed(), 1.1 * SECOND
    plain = over(base).at(time)
    whole = over(base, corrected(BOTH)).at(time) - plain
    half = over(base, corrected(BOTH, weight=0.5)).at(time) - plain
    np.testing.assert_allclose(half, 0.5 * whole, atol=1e-14)
    np.testing.assert_array_equal(over(base, corrected(BOTH, mute=True)).at(time), plain)


def test_a_mask_keeps_a_correction_away_from_what_it_closes() -> None:
    base, time = keyed(), 1.1 * SECOND
    open_to = tuple(name for name in FIGURE.coordinates if name not in ("x", BALL[2]))
    found = over(base, corrected(BOTH, BALLED, mask=open_to)).at(time) - over(base).at(time)
    assert abs(found[0, KNEE]) > 0.1
    assert not np.any(np.delete(found, KNEE, axis=1))


def test_what_the_layer_gives_beside_its_correction_stays() -> None:
    track = Track(coordinate="knee", keys=keys(np.random.default_rng(3)))
    layer = replace(corrected(BOTH), tracks=(track,))
    time = 1.1 * SECOND
    parts = over(keyed(), replace(layer, correction=None)).at(time) + over(corrected(BOTH)).at(time)
    found = over(keyed(), layer).at(time)
    np.testing.assert_allclose(found[:, [X, KNEE]], parts[:, [X, KNEE]], atol=1e-12)
    replacing = replace(layer, mode="replace")
    found = over(keyed(), replacing).at(time)[:, KNEE]
    wanted = over(Layer(id="t", tracks=(track,)), corrected(BOTH)).at(time)[:, KNEE]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_speed_curves_of_the_layer_do_not_time_its_correction() -> None:
    speed = SpeedRange(
        start=0, end=3 * SECOND, coordinates=("knee",), keys=(Key(0, 0.0), Key(SECOND, 0.1), Key(3 * SECOND, 1.0))
    )
    base, time = replace(keyed(), speed=(speed,)), 1.1 * SECOND
    found = over(replace(base, correction=Correction(terms=(BOTH,)))).at(time) - over(base).at(time)
    np.testing.assert_allclose(found, over(corrected(BOTH)).at(time) - over().at(time), atol=1e-12)


def test_one_time_gives_the_same_bytes_as_many() -> None:
    motion, times = over(keyed(), corrected(BOTH, BALLED, NEAR)), np.linspace(0.3, 2.0, 23) * SECOND
    together = motion.at(times)
    for row, time in zip(together, times, strict=True):
        assert motion.at(time).tobytes() == row.tobytes()
