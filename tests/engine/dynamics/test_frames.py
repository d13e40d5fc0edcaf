"""The kinematics of the dynamics are those of the model, at angles of any size."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dynamics.frames import compute_sines
from engine.dynamics.layout import MOTIONS, ORIGIN
from engine.dynamics.mechanics import placed
from engine.dynamics.motions import compute_frames
from engine.model.compile import JOINT_COUNT, MOTION, MOTION_START, place
from engine.model.jacobian import compute_jacobian
from engine.model.kinematics import compute_forward_kinematics
from tests.engine.dynamics.examples import FIGURES, mechanics_of, random_state

PLACE = ((1.0, -2.0, 0.5), (0.6, 0.0, 0.8, 0.0))


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e4, 9.9e4, 1e6, 1e12])
def test_sines_are_the_librarys(size: float) -> None:
    q = np.random.default_rng(1).uniform(-size, size, 1000)
    found = np.empty((2, 1000))
    compute_sines(q, found[0], found[1])
    np.testing.assert_allclose(found, [np.sin(q), np.cos(q)], rtol=0, atol=3e-16)


def test_quarter_turns_fall_into_their_quarters() -> None:
    q = np.concatenate([np.arange(-9, 10) * 0.25 * np.pi + shift for shift in (-1e-12, 0.0, 1e-12)])
    found = np.empty((2, len(q)))
    compute_sines(q, found[0], found[1])
    np.testing.assert_allclose(found, [np.sin(q), np.cos(q)], rtol=0, atol=3e-16)


def test_angles_that_are_not_finite_have_no_sines() -> None:
    found = np.empty((2, 3))
    compute_sines(np.array([np.nan, np.inf, -np.inf]), found[0], found[1])
    assert np.isnan(found).all()


@pytest.mark.parametrize("name", FIGURES)
def test_states_are_those_of_the_model(name: str) -> None:
    figure = FIGURES[name]
    mechanics = placed(mechanics_of(figure), *PLACE)
    model, work = mechanics.model, np.full(mechanics.work_size, np.nan)
    wanted = model.new_state()
    place(wanted, *PLACE)
    for seed in range(3):
        q = random_state(figure, mechanics, seed).q
        compute_forward_kinematics(model.ints, model.floats, q, wanted)
        compute_frames(mechanics.ints, mechanics.floats, q, work)
        np.testing.assert_allclose(work[: len(wanted)], wanted, rtol=0, atol=2e-13)


@pytest.mark.parametrize("name", FIGURES)
def test_motions_are_columns_of_the_jacobian_of_the_point_that_moments_are_about(name: str) -> None:
    figure = FIGURES[name]
    mechanics = placed(mechanics_of(figure), *PLACE)
    ints, model, work = mechanics.ints, mechanics.model, mechanics.new_work()
    compute_frames(ints, mechanics.floats, random_state(figure, mechanics, 5).q, work)
    extra, count = len(model.ints), mechanics.rate_count
    origin = work[ints[extra + ORIGIN] :][:3]
    motions = work[ints[extra + MOTIONS] :][: 6 * count].reshape(count, 6)
    np.testing.assert_array_equal(origin, model.transforms(work)[0, 9:])
    jacobian, seen = np.empty((6, count)), np.zeros((count, 6))
    for joint in range(int(ints[JOINT_COUNT])):
        compute_jacobian(model.ints, work, joint, origin.copy(), jacobian)
        moves = np.abs(jacobian).max(axis=0, initial=0.0) > 0.0
        seen[moves] = np.concatenate((jacobian[3:], jacobian[:3])).T[moves]
    np.testing.assert_allclose(motions, seen, rtol=0, atol=1e-13)
    assert int(ints[MOTION_START]) + count * MOTION == int(ints[extra + ORIGIN])
