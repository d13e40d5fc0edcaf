"""How strongly the relaxed muscles of the skeleton hold its joints, beside what people's joints were measured at.

The curves are those of Riener and Edrich (1999), J. Biomech. 32, 539-544, of whole passive joints, as they stand in
published code (the paper itself was not read for this). They have skin and ligaments in them, muscles alone have not:
so bands are wide, and a straight knee and an extended hip, which ligaments hold, are left out.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from anatomy_reach import LONGEST, MOST, ends

from engine.maths.arrays import Array
from engine.muscles.ranges import range_of
from tests.engine.muscles.anatomy import Pose, anatomy, coordinates

APART = 2.5  # times as much, or as little


def torques(q: Array, activation: float = 0.0) -> Array:
    """Torques of each muscle about each rate [N m], with that activation, still."""
    muscled = anatomy()
    lengths, gradient = muscled.measure(q)
    still = np.zeros_like(lengths)
    return -gradient * muscled.forces(lengths, still, still + activation)[:, None]


def passive(pose: Pose, coordinate: str) -> float:
    """What all relaxed muscles do about a coordinate [N m]."""
    return float(torques(coordinates(pose)).sum(axis=0)[anatomy().model.figure.rate_index[coordinate]])


def ankle(dorsiflexion: float, knee: float) -> float:
    """Riener and Edrich's passive torque about the ankle, of dorsiflexion [N m], of degrees."""
    stretched = math.exp(2.1016 + 0.0843 * dorsiflexion - 0.0176 * knee)
    return math.exp(-7.9763 - 0.1949 * dorsiflexion + 0.0008 * knee) - stretched + 1.792


def knee(flexion: float, hip: float) -> float:
    """Riener and Edrich's passive torque about the knee, of flexion [N m], the ankle at right angles."""
    behind = math.exp(1.8 - 0.0352 * flexion + 0.0217 * hip) + math.exp(2.22 - 0.15 * flexion)
    return behind - math.exp(-3.971 + 0.0495 * flexion - 0.0128 * hip) - 4.82


def hip(flexion: float, knee: float) -> float:
    """Riener and Edrich's passive torque about the hip, of flexion [N m]."""
    before = math.exp(1.4655 - 0.0034 * knee - 0.0750 * flexion)
    return before - math.exp(1.3403 - 0.0226 * knee + 0.0305 * flexion) + 8.072


def near(ours: float, measured: float, slack: float) -> bool:
    """Tell whether a torque is a measured one, give or take."""
    low, high = sorted((measured / APART, measured * APART))
    return low - slack <= ours <= high + slack


@pytest.mark.parametrize("bent", [0, 30, 60, 90])
def test_relaxed_calves_hold_the_ankle_as_they_do_in_people(bent: int) -> None:
    for up in (-20, -10, 0, 5, 10, 15, 20, 25):
        ours = passive({"talus.dorsiflexion": up, "tibia.flexion": bent}, "talus_left.dorsiflexion")
        assert near(ours, ankle(up, bent), 3.0), (up, ours, ankle(up, bent))


def test_with_a_straight_knee_they_take_10_to_25_newton_metres_and_with_a_bent_one_less() -> None:
    straight, bent = ({"tibia.flexion": degrees, "talus.dorsiflexion": 12.0} for degrees in (0.0, 90.0))
    taut, slack = (-passive(pose, "talus_left.dorsiflexion") for pose in (straight, bent))
    assert 10.0 < taut < 25.0
    assert slack < 0.6 * taut


@pytest.mark.parametrize("raised", [0, 30, 60, 90])
def test_relaxed_thighs_hold_the_knee_as_they_do_in_people(raised: int) -> None:
    for bent in (15, 30, 45, 60, 90, 110):
        ours = passive({"femur.flexion": raised, "tibia.flexion": bent}, "tibia_left.flexion")
        assert near(ours, knee(bent, raised), 4.0), (bent, ours, knee(bent, raised))


@pytest.mark.parametrize("bent", [0, 30])
def test_relaxed_hamstrings_hold_the_hip_as_they_do_in_people(bent: int) -> None:
    for raised in (60, 75, 90, 110):
        ours = passive({"femur.flexion": raised, "tibia.flexion": bent}, "femur_left.flexion")
        assert near(ours, hip(raised, bent), 8.0), (raised, ours, hip(raised, bent))


def test_no_fibre_is_stretched_further_at_the_ends_of_joints_than_the_rule_allows() -> None:
    muscled, figure = anatomy(), anatomy().model.figure
    still = np.zeros(len(muscled.muscles.muscles))
    longest = still.copy()
    for pose in ends(figure):
        q = muscled.model.rest.copy()
        for id, value in pose.items():
            q[figure.coordinate_index[id]] = value
        np.maximum(longest, muscled.fibres(muscled.lengths(q), still, still), out=longest)
    found = {each.id: length for each, length in zip(muscled.muscles.muscles, longest.tolist(), strict=True)}
    assert {id: length for id, length in found.items() if length > LONGEST + 2e-3} == {}


def test_relaxed_muscles_hold_no_joint_with_a_third_of_what_they_can() -> None:
    muscled, figure = anatomy(), anatomy().model.figure
    taut = {}
    for dof in figure.dofs:
        if dof.kind != "hinge" or dof.driven or "_right" in dof.id:
            continue
        rate, places = figure.rate_index[dof.id], np.linspace(*range_of(dof), 5)
        poses = np.tile(muscled.model.rest, (5, 1))
        poses[:, figure.coordinate_index[dof.id]] = places
        strong = [(torques(q, 1.0) - torques(q))[:, rate] for q in poses]
        for end, way in ((0, 1.0), (-1, -1.0)):
            held = way * torques(poses[end])[:, rate]
            most = max(float(np.maximum(way * each, 0.0).sum()) for each in strong)
            share = float(np.maximum(held, 0.0).sum()) / max(most, 1e-9)
            if most > 1e-3 and share > MOST:
                taut[dof.id, end] = round(share, 2)
    assert taut == {}
