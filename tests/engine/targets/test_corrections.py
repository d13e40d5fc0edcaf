"""Corrections: they take what is wanted at targets, move balls about their own axes, and are what a layer evaluates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Layer
from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.motion.motion import compile_motion
from engine.targets.corrections import (
    Basis,
    Bump,
    Corrections,
    add_to_motion,
    rate_names,
)
from tests.engine.figures import random_figure

KINDS = ("gaussian", "polynomial")


def bell(seconds: float, before: float, after: float, kind: str = "gaussian") -> Bell:
    """A bell whose time and widths are given in seconds."""
    ticks = [round(each * TICKS_PER_SECOND) for each in (seconds, before, after)]
    return Bell(time=ticks[0], before=ticks[1], after=ticks[2], kind="gaussian" if kind == "gaussian" else "polynomial")


def some(kind: str, seed: int = 0, rates: int = 4) -> Corrections:
    """Three bumps in close proximity, the second with a slope."""
    times = (1.0, 1.2, 1.5)
    bumps = tuple(Bump(bell=bell(each, 0.5, 0.7, kind), slope=each == 1.2) for each in times)
    return Corrections(Basis(bumps), np.random.default_rng(seed).normal(size=(4, rates)))


@pytest.mark.parametrize("kind", KINDS)
def test_corrections_take_the_values_and_slopes_that_are_wanted(kind: str) -> None:
    made = some(kind)
    times = np.array([bump.bell.time for bump in made.basis.bumps], dtype=np.float64)
    found = made.at(times)
    for row, (index, order) in enumerate(made.basis.rows):
        assert np.allclose(found[order, index], made.wanted[row], rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_rates_and_accelerations_are_the_derivatives(kind: str) -> None:
    made, h = some(kind), 2e-5
    times = np.linspace(0.6, 2.1, 40) * TICKS_PER_SECOND
    ahead, here, back = (made.at(times + step * h * TICKS_PER_SECOND) for step in (1.0, 0.0, -1.0))
    for order in (0, 1):
        slopes = (ahead[order] - back[order]) / (2.0 * h)
        assert np.allclose(slopes, here[order + 1], rtol=1e-4, atol=1e-4 * np.abs(here[order + 1]).max())


def test_nothing_is_left_beyond_the_bells() -> None:
    made = some("gaussian")
    assert not made.at(np.array([0.4, 2.3]) * TICKS_PER_SECOND).any()


def test_bumps_a_tick_apart_go_between_what_is_wanted_and_do_not_blow_up() -> None:
    first = bell(1.0, 0.5, 0.5)
    basis = Basis((Bump(bell=first), Bump(bell=replace(first, time=first.time + 1))))
    made = Corrections(basis, np.array([[1.0], [-1.0]]))
    assert np.abs(made.coefficients).max() < 10.0
    assert abs(made.at(np.array([float(first.time)]))[0, 0, 0]) < 1e-3


def test_what_is_known_goes_over_to_the_same_times_of_another_basis() -> None:
    made = some("polynomial")
    bumps = (*made.basis.bumps[1:], Bump(bell=bell(2.5, 0.4, 0.4)))
    moved = made.on(Basis(bumps))
    assert np.array_equal(moved.wanted[:3], made.wanted[1:])
    assert not moved.wanted[3].any()


@pytest.mark.parametrize("seed", range(3))
def test_a_layer_with_the_correction_moves_the_figure_by_the_same(seed: int) -> None:
    model = compile_model(random_figure(seed, ball_root=True))
    made = replace_rates(some("gaussian", seed, model.rate_count), 0.4)
    layer = Layer(id="f", mode="add", correction=made.document(rate_names(model.figure)))
    base = Layer(id="below", values=resting(model.figure.coordinates, seed))
    times = np.linspace(0.7, 2.0, 23) * TICKS_PER_SECOND
    below = compile_motion(model.figure, (base,)).at(times)
    layered = compile_motion(model.figure, (base, layer)).at(times)
    own = add_to_motion(model.ints, below, made.at(times))
    for order in range(3):
        size = max(1.0, float(np.abs(layered[:, order]).max()))
        assert np.abs(own[:, order] - layered[:, order]).max() < 1e-9 * size


def test_a_ball_that_turns_has_the_rates_of_the_product() -> None:
    model = compile_model(random_figure(5, ball_root=True))
    made = replace_rates(some("polynomial", 5, model.rate_count), 0.9)
    h = 1e-5

    def motion(times: Array) -> Array:
        return add_to_motion(model.ints, turning(model.figure.coordinates, model.rest, times), made.at(times))

    times = np.linspace(0.7, 2.0, 17) * TICKS_PER_SECOND
    ahead, here, back = (motion(times + step * h * TICKS_PER_SECOND) for step in (1.0, 0.0, -1.0))
    for order in (0, 1):
        slopes = (ahead[:, order] - back[:, order]) / (2.0 * h)
        assert np.allclose(slopes, here[:, order + 1], rtol=1e-4, atol=1e-4 * np.abs(here[:, order + 1]).max())


def replace_rates(made: Corrections, size: float) -> Corrections:
    """The same, made smaller."""
    return Corrections(made.basis, size * made.wanted)


def resting(coordinates: tuple[str, ...], seed: int) -> tuple[tuple[str, float], ...]:
    """A constant pose, its ball of norm 1."""
    rng = np.random.default_rng(seed)
    found = {
        name: float(value) for name, value in zip(coordinates, rng.uniform(-0.5, 0.5, len(coordinates)), strict=True)
    }
    ball = [name for name in coordinates if name.startswith("j0.turn")]
    norm = float(np.linalg.norm([found[name] for name in ball]))
    return tuple((name, found[name] / norm if name in ball else found[name]) for name in coordinates)


def turning(coordinates: tuple[str, ...], rest: Array, times: Array) -> Array:
    """A figure whose ball turns about z at 2 rad/s."""
    motion = np.zeros((len(times), 3, len(rest)))
    motion[:, 0] = rest
    w, z = (coordinates.index(name) for name in ("j0.turn.w", "j0.turn.z"))
    t = times / TICKS_PER_SECOND
    motion[:, :, w] = np.stack((np.cos(t), -np.sin(t), -np.cos(t)), axis=1)
    motion[:, :, z] = np.stack((np.sin(t), np.cos(t), -np.sin(t)), axis=1)
    return motion
