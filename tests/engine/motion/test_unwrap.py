"""Unwrapping keeps every rotation and finds the continuous angles again."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint, Key, Samples, Track
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.maths.rotations import ORDERS
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.unwrap import (
    flip_offset,
    unwrap_angles,
    unwrap_samples,
    unwrap_tracks,
    unwrap_triples,
    unwrap_values,
)
from tests.engine.figures import random_figure

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def hinges(order: str, signs: tuple[int, int, int] = (1, 1, 1)) -> tuple[Dof, ...]:
    def axis(letter: str, sign: int) -> Vector3:
        x, y, z = AXES[letter]
        return (sign * x, sign * y, sign * z)

    return tuple(
        Dof(id=f"j.{place}", name=letter, axis=axis(letter, sign))
        for place, (letter, sign) in enumerate(zip(order, signs, strict=True))
    )


def one_joint(dofs: tuple[Dof, ...]) -> Figure:
    return Figure(name="Ball joint", joints=(Joint(id="j", name="J", dofs=dofs),))


def rotations(figure: Figure, values: Array) -> Array:
    model = compile_model(figure)
    state = model.new_state()
    rows = []
    for q in np.ascontiguousarray(values):
        compute_forward_kinematics(model.ints, model.floats, q, state)
        rows.append(model.transforms(state).copy())
    return np.array(rows)


def smooth(count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 6.0, count)[:, None]
    return np.asarray(1.4 * np.sin(time * rng.uniform(0.5, 1.5, 3) + rng.uniform(0, 6, 3)) + time * 0.7)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("signs", [(1, 1, 1), (-1, 1, 1), (1, -1, 1), (-1, -1, -1)])
def test_flips_and_turns_are_taken_out_of_every_order(order: str, signs: tuple[int, int, int]) -> None:
    figure = one_joint(hinges(order, signs))
    offset = flip_offset(figure.dofs)
    assert offset is not None
    wanted, rng = smooth(240, 3), np.random.default_rng(5)
    given = wanted.copy()
    flipped = rng.random(len(given)) < 0.4
    flipped[0] = False
    given[flipped] = given[flipped] * (1.0, -1.0, 1.0) + (math.pi, offset, math.pi)
    given[1:] += 2.0 * math.pi * rng.integers(-2, 3, size=given[1:].shape)
    found = unwrap_values(figure, figure.coordinates, given)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rotations(figure, found), rotations(figure, given), rtol=0, atol=1e-12)


def test_skew_outer_axes_flip_about_a_square_middle_axis() -> None:
    dofs = (
        Dof(id="j.0", name="0", axis=(1.0, 0.0, 0.0)),
        Dof(id="j.1", name="1", axis=(0.0, 1.0, 0.0)),
        Dof(id="j.2", name="2", axis=(0.6, 0.0, 0.8)),
    )
    offset, figure = flip_offset(dofs), one_joint(dofs)
    assert offset is not None
    given = np.array([[0.3, -0.4, 1.1]])
    second = given * (1.0, -1.0, 1.0) + (math.pi, offset, math.pi)
    np.testing.assert_allclose(rotations(figure, second), rotations(figure, given), rtol=0, atol=1e-14)


def test_hinges_that_are_not_at_right_angles_only_lose_whole_turns() -> None:
    dofs = tuple(
        Dof(id=f"j.{place}", name="0", axis=axis)
        for place, axis in enumerate([(1.0, 0, 0), (0.5, 0.9, 0), (0, 0, 1.0)])
    )
    assert flip_offset(dofs) is None
    wanted = smooth(50, 1)
    given = wanted.copy()
    given[20:, 1] -= 2.0 * math.pi
    figure = one_joint(dofs)
    np.testing.assert_allclose(unwrap_values(figure, figure.coordinates, given), wanted, rtol=0, atol=1e-13)


@pytest.mark.jit_off
def test_the_whole_sequence_changes_least_not_only_each_step() -> None:
    # Near the middle angle of 90 degrees the nearer of two triples is sometimes the wrong one for what follows.
    rng = np.random.default_rng(2)
    given = rng.uniform(-math.pi, math.pi, size=(9, 3))

    def cost(rows: Array) -> float:
        change = np.diff(rows, axis=0)
        return float(((change - 2 * math.pi * np.rint(change / (2 * math.pi))) ** 2).sum())

    best = math.inf
    for choice in range(2**8):
        rows = given.copy()
        for frame in range(1, 9):
            if choice >> (frame - 1) & 1:
                rows[frame] = rows[frame] * (1.0, -1.0, 1.0) + (math.pi, math.pi, math.pi)
        best = min(best, cost(rows))
    found = unwrap_triples(given, math.pi)
    np.testing.assert_allclose(np.sum(np.diff(found, axis=0) ** 2), best, rtol=1e-12)


@pytest.mark.jit_off
def test_gaps_are_passed_over() -> None:
    wanted = np.linspace(0.0, 9.0, 60)[:, None]
    given = np.angle(np.exp(1j * wanted))
    given[20:25] = np.nan
    found = unwrap_angles(given)
    assert np.isnan(found[20:25]).all()
    np.testing.assert_allclose(np.delete(found, range(20, 25)), np.delete(wanted, range(20, 25)), atol=1e-12)
    triples = smooth(60, 4)
    triples[:3], triples[30, 1] = np.nan, np.nan
    np.testing.assert_array_equal(unwrap_triples(triples, math.pi), triples)


@pytest.mark.jit_off
def test_a_balls_sign_follows_the_frame_before() -> None:
    figure = random_figure(3, ball_root=True)
    coordinates = ("j0.turn.w", "j0.turn.x", "j0.turn.y", "j0.turn.z")
    angle = np.linspace(0.0, 9.0, 40)
    wanted = np.stack((np.cos(angle), np.sin(angle), 0 * angle, 0 * angle), axis=1)
    given = np.where(wanted[:, :1] < 0.0, -wanted, wanted)
    np.testing.assert_array_equal(unwrap_values(figure, coordinates, given), wanted)


def test_continuous_samples_stay_the_identical_object() -> None:
    figure = one_joint(hinges("ZXY"))
    samples = Samples(coordinates=figure.coordinates, values=Blob(smooth(30, 0)), rate=(30, 1))
    assert unwrap_samples(figure, samples) is samples


def test_keys_of_a_joint_change_as_one_and_keep_their_slopes_meaning() -> None:
    figure = one_joint(hinges("ZXY"))
    values = smooth(30, 7)
    slopes = np.random.default_rng(0).normal(size=values.shape)

    def tracks(rows: Array, rates: Array) -> tuple[Track, ...]:
        return tuple(
            Track(
                coordinate=name,
                keys=tuple(
                    Key(time=1000 * frame, value=value, tangent="free", slope_in=slope, slope_out=slope)
                    for frame, (value, slope) in enumerate(zip(rows[:, place], rates[:, place], strict=True))
                ),
            )
            for place, name in enumerate(figure.coordinates)
        )

    wanted = tracks(values, slopes)
    flipped, turned = values.copy(), slopes.copy()
    flipped[2:4] = flipped[2:4] * (1.0, -1.0, 1.0) + (math.pi, math.pi, -math.pi)
    turned[2:4, 1] *= -1.0
    found = unwrap_tracks(figure, tracks(flipped, turned))
    for new, old in zip(found, wanted, strict=True):
        np.testing.assert_allclose([key.value for key in new.keys], [key.value for key in old.keys], atol=1e-12)
        assert [key.slope_in for key in new.keys] == [key.slope_in for key in old.keys]
    assert all(new is old for new, old in zip(unwrap_tracks(figure, wanted), wanted, strict=True))


def test_tracks_with_keys_at_different_times_only_lose_whole_turns() -> None:
    figure = one_joint(hinges("ZXY"))
    keys = (Key(time=0, value=0.1), Key(time=1000, value=0.2 + 2 * math.pi, slope_in=3.0))
    tracks = (
        Track(coordinate="j.0", keys=keys),
        Track(coordinate="j.1", keys=keys[:1]),
        Track(coordinate="j.2", keys=keys[:1]),
    )
    found = unwrap_tracks(figure, tracks)
    assert found[1] is tracks[1]
    assert math.isclose(found[0].keys[1].value, 0.2, abs_tol=1e-14)
    assert found[0].keys[1].slope_in == 3.0
