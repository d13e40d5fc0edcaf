"""Control points that follow: a damped spring in closed form, windows, the length of windows, shape matching."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.shapes.following import find_turn
from engine.shapes.parts import ShapeMotion
from engine.shapes.tracking import ShapeModel, compile_shapes
from engine.shapes.windows import bound, history_window, impulse_window
from tests.engine.shapes.surfaces import FRAME, a_surface

STILL = np.zeros(2, dtype=np.bool_)


def model_of(**given: object) -> ShapeModel:
    """The ball with every vertex simulated."""
    motion = ShapeMotion(on=True, points=72, **given)  # type: ignore[arg-type]
    return compile_shapes(a_surface(motion=motion), (24, 1))


def swing(t: Array, tension: float, ratio: float) -> Array:
    """(5.1) from 1 at rest, as texts on vibrations have it."""
    w = 2.0 * math.pi * tension
    g = ratio * w
    if ratio < 1.0:
        r = math.sqrt(w * w - g * g)
        return np.asarray(np.exp(-g * t) * (np.cos(r * t) + g / r * np.sin(r * t)))
    if ratio == 1.0:
        return np.asarray(np.exp(-g * t) * (1.0 + g * t))
    r = math.sqrt(g * g - w * w)
    return np.asarray(np.exp(-g * t) * (np.cosh(r * t) + g / r * np.sinh(r * t)))


def jump(t: Array, tension: float, ratio: float) -> Array:
    """What is left after a time of a jump of the keys by 1: e'' + 2 g e' + w^2 e = -k'', k' an impulse."""
    w = 2.0 * math.pi * tension
    g = ratio * w
    if ratio < 1.0:
        r = math.sqrt(w * w - g * g)
        return np.asarray(np.exp(-g * t) * (np.cos(r * t) - g / r * np.sin(r * t)))
    if ratio == 1.0:
        return np.asarray(np.exp(-g * t) * (1.0 - g * t))
    r = math.sqrt(g * g - w * w)
    return np.asarray(np.exp(-g * t) * (np.cosh(r * t) - g / r * np.sinh(r * t)))


@pytest.mark.parametrize("ratio", [0.0, 0.3, 1.0, 2.5])
def test_a_keyed_jump_is_followed_as_a_damped_spring_is_in_closed_form(ratio: float) -> None:
    model = model_of(tension=2.0, ratio=ratio, rigidity=0.0)
    for frames in (1, 4, 9):
        count = frames * FRAME // model.step
        places = np.zeros((count + 2, 72, 3))
        places[:, :, 0] = 0.5
        places[2:] += (1.0, 0.0, 0.0)  # in the first step of the window
        came_to = model.follow(places, np.array([False, True]))[0, 0] - 1.5
        # The step goes straight from one place to the other, so it is as if it had happened all along it.
        fine = np.linspace(0.0, model.dt, 2001)
        t = count * model.dt - fine
        expected = -np.trapezoid(jump(t, 2.0, ratio), fine) / model.dt
        assert came_to == pytest.approx(expected, abs=1e-8)


def test_keys_that_go_straight_are_followed_without_any_error() -> None:
    model = model_of(tension=1.0, ratio=0.1, rigidity=6.0)
    places = model.control_base + np.arange(model.steps + 2)[:, None, None] * np.array((0.01, 0.002, -0.003))
    assert np.abs(model.follow(places, STILL) - places[-1]).max() < 1e-12


def test_gravity_lets_points_sag_by_g_over_w2() -> None:
    model = model_of(tension=1.0, ratio=1.0, gravity=1.0, rigidity=0.0, window=5 * TICKS_PER_SECOND)
    places = np.repeat(model.control_base[None], model.steps + 2, axis=0)
    sag = places[-1] - model.follow(places, STILL)
    assert sag[:, 1] == pytest.approx(9.81 / (2.0 * math.pi) ** 2, rel=1e-9)
    assert np.abs(sag[:, (0, 2)]).max() < 1e-12


def test_goals_of_a_cluster_neither_push_nor_turn_it() -> None:
    model = model_of(tension=0.2, ratio=0.0, rigidity=8.0, clusters=3, window=FRAME)
    rest, masses = model.control_base, model.controls.masses
    moved = rest.copy()
    moved[:9] *= 1.2
    places = np.repeat(rest[None], model.steps + 2, axis=0)
    places[0] = rest - 0.001 * moved  # what gives the points a velocity, while the keys stand
    free = model_of(tension=0.2, ratio=0.0, rigidity=0.0, window=FRAME)
    one, other = model.follow(places, STILL), free.follow(places, STILL)
    assert np.abs(one - other).max() > 1e-6
    momentum = (masses[:, None] * (one - other)).sum(axis=0)
    assert np.abs(momentum).max() < 1e-12


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.2, 2.0])
def test_the_turn_of_a_cluster_is_that_of_the_polar_decomposition(angle: float) -> None:
    random = np.random.default_rng(3)
    axis = np.array((0.6, 0.0, 0.8))
    cross = np.array(((0.0, -axis[2], axis[1]), (axis[2], 0.0, -axis[0]), (-axis[1], axis[0], 0.0)))
    turn = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    stretch = np.diag((1.0, 0.7, 1.4)) + 0.1 * np.ones((3, 3))
    q = random.normal(size=(20, 3))
    x = q @ (turn @ stretch).T
    a, found = x.T @ q, np.eye(3)
    find_turn(a, found, np.zeros((3, 3)))
    u, _, v = np.linalg.svd(a)
    assert np.abs(found - u @ v).max() < 1e-12


def test_points_on_a_line_turn_no_cluster_into_nonsense() -> None:
    for q in (np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]), np.zeros((3, 3))):
        found = np.eye(3)
        find_turn(q.T @ q, found, np.zeros((3, 3)))
        assert np.abs(found - np.eye(3)).max() < 1e-12


@pytest.mark.parametrize("ratio", [0.05, 0.4, 1.0, 3.0])
def test_a_window_forgets_what_came_before_it(ratio: float) -> None:
    tension, least = 3.0, 1e-3
    window = impulse_window(tension, ratio, 2.0, least)
    t = np.linspace(window, window + 3.0, 4000)
    step = 1e-6
    w2 = (2.0 * math.pi * tension) ** 2
    left = 2.0 * np.abs((swing(t + step, tension, ratio) - swing(t - step, tension, ratio)) / (2.0 * step)) / w2
    assert left.max() <= least * (1.0 + 1e-6)
    assert 20.0 * bound(tension, ratio, history_window(tension, ratio, 20.0, least), history=True) == pytest.approx(
        least
    )


def test_a_window_of_5_6_is_the_printed_one_where_that_holds() -> None:
    tension, ratio, speed, least = 3.0, 0.2, 1.5, 1e-4
    w = 2.0 * math.pi * tension
    amplitude = speed / (w * math.sqrt(1.0 - ratio * ratio))
    assert impulse_window(tension, ratio, speed, least) == pytest.approx(math.log(amplitude / least) / (ratio * w))
    assert impulse_window(tension, ratio, speed, 1.0) == 0.0
    assert impulse_window(tension, 0.0, speed, least) == math.inf
