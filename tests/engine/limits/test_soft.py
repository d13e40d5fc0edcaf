"""What resists near a limit: none far inside, smooth, the slope of an energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document.limit import BoxRange
from engine.limits.field import compile_field
from engine.limits.packed import pack_limits
from engine.limits.soft import resist_angles, resist_pose
from engine.maths.arrays import Array, IntArray
from tests.engine.limits.regions import bounded, curve_field, limit_of, packed, values_at


def line() -> tuple[IntArray, Array]:
    """One hinge between -1 and 1."""
    grid = bounded((41,), [-2.0], [2.0])
    limits = packed(compile_field(limit_of(BoxRange(lower=(-1.0,), upper=(1.0,)), grid, margin=0.0)))
    return limits.ints, limits.floats


def torque_at(angle: float, onset: float = 0.2, resistance: float = 30.0) -> tuple[float, float]:
    torque = np.empty(1)
    energy = resist_angles(*line(), 0, np.array([angle]), resistance, onset, torque)
    return energy, float(torque[0])


def test_it_rises_from_nothing_at_the_onset_to_the_resistance_at_the_boundary() -> None:
    assert torque_at(0.79) == (0.0, 0.0)
    assert torque_at(1.0)[1] == pytest.approx(-30.0, abs=1e-6)
    assert torque_at(0.9)[1] == pytest.approx(-7.5, abs=1e-6)
    assert torque_at(-0.9)[1] == pytest.approx(7.5, abs=1e-6)
    assert torque_at(1.3)[1] == pytest.approx(-30.0 * 4.0, abs=1e-6)
    torques = [-torque_at(angle)[1] for angle in np.linspace(0.8, 1.9, 60)]
    assert (np.diff(torques) > 0.0).all()


@pytest.mark.parametrize("angle", [0.8, 1.0])
def test_its_slope_has_no_step(angle: float) -> None:
    below, at, above = (torque_at(angle + step)[1] for step in (-1e-5, 0.0, 1e-5))
    assert (above - at) == pytest.approx(at - below, abs=3e-6)


def test_without_an_onset_it_acts_outside_alone() -> None:
    assert torque_at(0.999, onset=0.0) == (0.0, 0.0)
    assert torque_at(1.1, onset=0.0)[1] == pytest.approx(-30.0, abs=1e-6)


def test_the_torque_is_the_slope_of_the_energy() -> None:
    field = curve_field(0)
    limits, torque, other = packed(field), np.empty(3), np.empty(3)
    points = np.random.default_rng(0).uniform(-1.5, 1.5, size=(4000, 3))
    points = points[np.abs(values_at(field, points)) < 0.3]
    assert len(points) > 200
    for point in points[:300]:
        resist_angles(limits.ints, limits.floats, 0, point, 12.0, 0.15, torque)
        for axis in range(3):
            step = 1e-7 * np.eye(3)[axis]
            ends = [
                resist_angles(limits.ints, limits.floats, 0, point + sign * step, 12.0, 0.15, other)
                for sign in (1.0, -1.0)
            ]
            assert torque[axis] == pytest.approx(-(ends[0] - ends[1]) / 2e-7, abs=1e-5)


def test_a_pose_adds_up_its_fields_at_their_places() -> None:
    field = curve_field(0, count=16)
    hinge = compile_field(limit_of(BoxRange(lower=(-1.0,), upper=(1.0,)), bounded((41,), [-2.0], [2.0]), margin=0.0))
    limits = pack_limits([(hinge, [2]), (field, [4, 1, 0])])
    q, gains = np.array([1.0, -1.5, 1.1, 9.0, 0.7]), np.array([[30.0, 0.2], [5.0, 0.4]])
    torques, alone = np.full(5, 100.0), np.empty(3)
    energy = resist_pose(limits.ints, limits.floats, q, gains, torques)
    single = packed(field)
    wanted = resist_angles(single.ints, single.floats, 0, q[[4, 1, 0]], 5.0, 0.4, alone)
    assert torques[[4, 1, 0]] == pytest.approx(100.0 + alone, abs=1e-12)
    assert torques[2] == pytest.approx(100.0 + torque_at(1.1)[1], abs=1e-9)
    assert torques[3] == 100.0
    assert energy == pytest.approx(wanted + torque_at(1.1)[0], abs=1e-12)
    assert math.isfinite(energy)
