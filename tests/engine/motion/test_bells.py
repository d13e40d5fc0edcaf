"""Bells: what they are in the middle and at the ends, and their derivatives, for every kind and any two widths."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.correction import BELL_KINDS, Bell, BellKind
from engine.document.motion import TICKS_PER_SECOND
from engine.motion.bells import bell_matrix, bell_motion
from tests.conformance.gradients import assert_gradient

SECOND = TICKS_PER_SECOND
WIDTHS = ((1.0, 1.0), (0.4, 0.4), (1.0, 0.25), (0.3, 2.0), (0.05, 1.0))
EVERY = [(kind, before, after) for kind in BELL_KINDS for before, after in WIDTHS]


def bell(kind: BellKind, before: float, after: float, time: float = 2.0) -> Bell:
    return Bell(time=round(time * SECOND), before=round(before * SECOND), after=round(after * SECOND), kind=kind)


@pytest.mark.jit_off
@pytest.mark.parametrize(("kind", "before", "after"), EVERY)
def test_a_bell_is_one_and_flat_in_the_middle_and_nothing_from_its_ends_on(
    kind: BellKind, before: float, after: float
) -> None:
    made = bell(kind, before, after)
    outside = (made.start - 5, made.start, made.end, made.end + 5)
    middle, *others = bell_motion(made, (made.time, *outside))
    assert middle[0] == 1.0
    assert middle[1] == 0.0
    assert not np.any(others)
    near = bell_motion(made, (made.start + 1, made.end - 1))
    assert np.abs(near[:, 0]).max() < 1e-24


@pytest.mark.parametrize(("kind", "before", "after"), EVERY)
def test_derivatives_are_those_of_the_values(kind: BellKind, before: float, after: float) -> None:
    made, narrow = bell(kind, before, after), min(before, after)
    for place in (-0.93, -0.5, -0.11, 0.0, 0.2, 0.6, 0.95):
        seconds = np.array([2.0 + place * (before if place < 0.0 else after)])
        for order in range(3):

            def derivative(at: np.ndarray, order: int = order) -> np.ndarray:
                return bell_motion(made, at * SECOND)[:, order]

            found = bell_motion(made, seconds * SECOND)[:, order + 1 : order + 2]
            assert_gradient(derivative, found, seconds, step=3e-4 * narrow, tolerance=1e-6)


@pytest.mark.parametrize(("kind", "before", "after"), EVERY)
def test_a_bell_rises_to_its_middle_and_falls_from_it(kind: BellKind, before: float, after: float) -> None:
    made = bell(kind, before, after)
    rising = bell_motion(made, np.linspace(made.start, made.time, 400))[:, 0]
    falling = bell_motion(made, np.linspace(made.time, made.end, 400))[:, 0]
    assert (np.diff(rising) >= 0.0).all()
    assert (np.diff(falling) <= 0.0).all()
    assert min(rising.min(), falling.min()) >= 0.0


@pytest.mark.parametrize(("kind", "before", "after"), EVERY)
def test_the_third_derivative_has_no_leap(kind: BellKind, before: float, after: float) -> None:
    """It is the acceleration of a wiggle: a leap would be a blow."""
    made = bell(kind, before, after)
    width = min(before, after) * SECOND
    edges = np.array([made.start, made.time - width, made.time, made.time + width, made.end])
    third = np.abs(bell_motion(made, np.linspace(made.start, made.end, 500))[:, 3]).max()
    left, right = bell_motion(made, edges - 1e-6 * width)[:, 3], bell_motion(made, edges + 1e-6 * width)[:, 3]
    assert np.abs(right - left).max() < 1e-4 * third


def test_a_symmetrical_bell_is_its_own_mirror_image_and_an_unsymmetrical_one_that_of_the_other() -> None:
    away = np.linspace(0.0, 1.2, 50) * SECOND
    for kind in BELL_KINDS:
        for before, after in WIDTHS:
            one, other = bell(kind, before, after), bell(kind, after, before)
            np.testing.assert_allclose(
                bell_motion(one, one.time - away)[:, 0], bell_motion(other, other.time + away)[:, 0], rtol=0, atol=1e-12
            )


def test_the_gaussian_is_one_in_its_middle_third() -> None:
    seconds = np.linspace(-0.1, 0.1, 21)
    found = bell_motion(bell("gaussian", 1.0, 1.0), (2.0 + seconds) * SECOND)[:, 0]
    np.testing.assert_allclose(found, np.exp(-4.5 * seconds**2), atol=5e-4)


def test_the_polynomial_is_the_closed_form() -> None:
    seconds = np.linspace(-0.5, 0.5, 31)
    found = bell_motion(bell("polynomial", 0.5, 0.5), (2.0 + seconds) * SECOND)[:, 0]
    np.testing.assert_allclose(found, (1.0 - (seconds / 0.5) ** 2) ** 4, atol=1e-15)


def test_each_side_keeps_near_the_symmetrical_bell_of_its_width() -> None:
    """A slow return is as slow as it was asked for: half of its height is left after not much less."""
    slow, quick = bell("gaussian", 2.0, 2.0), bell("gaussian", 0.2, 2.0)

    def half(made: Bell) -> float:
        times = np.linspace(made.time, made.end, 4000)
        return float((times[bell_motion(made, times)[:, 0] > 0.5][-1] - made.time) / SECOND)

    assert 0.6 * half(slow) < half(quick) < half(slow)


def test_the_matrix_of_interpolation_holds_values_and_rates_of_bells_and_wiggles() -> None:
    bells = [bell("gaussian", 0.4, 0.6, 1.0), bell("polynomial", 0.5, 0.5, 1.3)]
    times = [each.time for each in bells]
    matrix = bell_matrix(bells, times)
    rows = [bell_motion(each, times) for each in bells]
    assert matrix.shape == (2, 2, 2, 2)
    for place, row in enumerate(rows):
        np.testing.assert_array_equal(matrix[0, :, 0, place], row[:, 0])
        np.testing.assert_array_equal(matrix[0, :, 1, place], row[:, 1])
        np.testing.assert_array_equal(matrix[1, :, 0, place], row[:, 1])
        np.testing.assert_array_equal(matrix[1, :, 1, place], row[:, 2])
    wanted = np.array([0.3, -0.2, 0.1, 0.4])
    found = np.linalg.solve(matrix.reshape(4, 4), wanted)
    np.testing.assert_allclose(matrix.reshape(4, 4) @ found, wanted, atol=1e-12)
