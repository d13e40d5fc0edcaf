"""The impulses of touches and stops: the laws that hold of them, also where a foot shares its load in many ways."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.dynamics.cones import answer_of_cone, lay_in_cone
from engine.dynamics.contact_points import CONTACT, FRICTION
from engine.dynamics.contact_sweeps import sweep_contacts
from engine.dynamics.impulses import find_velocities, solve_impulses, solving_size
from engine.maths.arrays import Array

MU, TOLERANCE, PASSES, SWEEPS = 0.8, 2e-5, 16, 60
PLATE = np.array([(0.03, 0.0, 0.10), (-0.03, 0.0, 0.10), (0.03, 0.0, 0.02), (-0.03, 0.0, 0.0), (0.0, 0.0, -0.1)])


def foot(seed: int) -> tuple[Array, Array]:
    """W and b of five points of a plate that hangs on a stiff leg: it hardly gives way along that, slanting, line."""
    rng = np.random.default_rng(seed)
    jacobian = np.zeros((15, 6))
    for each, (x, y, z) in enumerate(PLATE + rng.normal(scale=0.002, size=PLATE.shape)):
        across = np.array([(0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0)])
        jacobian[3 * each : 3 * each + 3] = np.hstack((np.eye(3), across))[[1, 2, 0]]
    gives = np.diag(1.0 / np.array([1.0, 1.0, 1.0, 0.004, 0.005, 0.002]))
    leg = np.concatenate((np.array([0.4, 1.0, 0.3]) + 0.2 * rng.normal(size=3), 0.1 * rng.normal(size=3)))
    along = gives @ leg
    gives = gives - 0.98 * np.outer(along, along) / (leg @ along)
    return jacobian @ gives @ jacobian.T, jacobian @ (rng.normal(scale=0.3, size=6) - (0.0, 0.5, 0.0, 0.0, 0.0, 0.0))


def misses(matrix: Array, free: Array, impulse: Array, mu: float = MU) -> float:
    """By how much velocities and impulses of touches miss the laws of Signorini and Coulomb [m/s]."""
    u, worst = matrix @ impulse + free, 0.0
    for row in range(0, len(free), 3):
        w = np.trace(matrix[row : row + 3, row : row + 3]) / 3.0
        worst = max(worst, abs(min(u[row], w * impulse[row])))
        held = w * impulse[row + 1 : row + 3]
        ahead, radius = held - u[row + 1 : row + 3], mu * w * impulse[row]
        size = float(np.linalg.norm(ahead))
        worst = max(worst, float(np.abs(held - (ahead if size <= radius else ahead * radius / size)).max()))
    return worst


def solved(
    matrix: Array, free: Array, start: Array | None = None, mu: float = MU, joints: tuple[tuple[float, float], ...] = ()
) -> tuple[Array, int, float]:
    """Impulses, how many steps they took, and what the solver says that they miss."""
    rows = len(free)
    table, impulse = np.zeros(rows * CONTACT), np.zeros(rows) if start is None else start.copy()
    table[FRICTION::CONTACT] = mu
    least, greatest = np.full(rows, -math.inf), np.full(rows, math.inf)
    touches = (rows - len(joints)) // 3
    if joints:
        least[3 * touches :], greatest[3 * touches :] = np.array(joints).T
    steps, missed = solve_impulses(
        touches,
        rows,
        np.ascontiguousarray(matrix).ravel(),
        free,
        table,
        least,
        greatest,
        PASSES,
        TOLERANCE,
        False,
        np.zeros(solving_size(rows)),
        impulse,
    )
    return impulse, int(steps), float(missed)


def swept(matrix: Array, free: Array) -> Array:
    """What 60 sweeps over the touches come to."""
    rows = len(free)
    table, impulse, u, none = np.zeros(rows * CONTACT), np.zeros(rows), np.empty(rows), np.zeros(rows)
    table[FRICTION::CONTACT] = MU
    flat = np.ascontiguousarray(matrix).ravel()
    find_velocities(rows, flat, free, impulse, u)
    for _ in range(SWEEPS):
        sweep_contacts((rows // 3, rows, flat, table, none, none, 0.0), u, impulse)
    return impulse


def test_a_foot_that_shares_its_load_in_many_ways_is_solved_in_a_few_steps() -> None:
    """Of 200 feet on a nearly stiff leg; what sweeps over the touches leave of them is the measure."""
    ours, theirs, steps, told = [], [], [], []
    for seed in range(200):
        matrix, free = foot(seed)
        impulse, count, missed = solved(matrix, free)
        ours.append(misses(matrix, free, impulse))
        theirs.append(misses(matrix, free, swept(matrix, free)))
        steps.append(count)
        told.append(missed)
    unsolved, unswept = (np.mean(np.array(each) > 2.0 * TOLERANCE) for each in (ours, theirs))
    assert unsolved < 0.05
    assert unswept > 0.25
    assert max(ours) < max(theirs)
    assert np.quantile(steps, 0.9) < PASSES
    solved_well = np.array(told) <= TOLERANCE
    assert (np.array(ours)[solved_well] < 4.0 * TOLERANCE).all()


def test_what_is_solved_already_stays_as_it_is() -> None:
    matrix, free = foot(0)
    impulse, _, missed = solved(matrix, free)
    assert missed <= TOLERANCE
    again, steps, _ = solved(matrix, free, impulse)
    assert steps == 1
    assert np.abs(matrix @ (again - impulse)).max() < 2.0 * TOLERANCE


@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_one_touch_slides_as_coulomb_says(mu: float) -> None:
    """A ball of 2 kg that comes down at 1 m/s and goes along at 3."""
    impulse, _, _ = solved(0.5 * np.eye(3), np.array([-1.0, 3.0, 4.0]), mu=mu)
    assert impulse == pytest.approx([2.0, -0.6 * mu * 2.0, -0.8 * mu * 2.0], abs=1e-4)


def test_one_touch_that_friction_can_hold_stands_still() -> None:
    impulse, _, _ = solved(0.5 * np.eye(3), np.array([-1.0, 0.3, 0.4]))
    assert impulse == pytest.approx([2.0, -0.6, -0.8], abs=1e-4)


def test_joints_push_within_their_bounds() -> None:
    matrix, free = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-3.0, -6.0])
    impulse, _, _ = solved(matrix, free, joints=((0.0, 1.0), (0.0, math.inf)))
    assert impulse == pytest.approx([0.0, 3.0], abs=1e-4)
    assert (matrix @ impulse + free)[0] >= 0.0
    both, _, _ = solved(matrix, np.array([-3.0, -3.0]), joints=((0.0, 0.5), (0.0, math.inf)))
    assert both == pytest.approx([0.5, 1.25], abs=1e-4)


def test_what_has_no_solution_ends_with_numbers() -> None:
    """What is pushed out goes along, and friction against that drags it in; held, it still goes in."""
    matrix, free = np.outer((0.1, -1.0, 0.0), (0.1, -1.0, 0.0)) + np.diag((0.0, 0.0, 1.0)), np.array([-1.0, 0.0, 0.0])
    impulse, steps, missed = solved(matrix, free)
    assert np.isfinite(impulse).all()
    assert missed > TOLERANCE
    assert steps <= PASSES + 1
    assert solved(matrix, free, impulse)[2] <= missed * (1.0 + 1e-9)


@pytest.mark.parametrize("mu", [0.0, 0.5, 1.3])
def test_what_is_laid_into_a_cone_is_the_nearest_there_and_answers_as_it_says(mu: float) -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        x = rng.normal(size=3)
        found = np.array(lay_in_cone(tuple(x), mu))
        assert math.hypot(found[1], found[2]) <= mu * found[0] + 1e-12
        others = rng.normal(size=(40, 3))
        others[:, 0] = np.hypot(others[:, 1], others[:, 2]) / mu if mu > 0.0 else np.abs(others[:, 0])
        others[:, 1:] *= mu > 0.0
        assert np.linalg.norm(x - found) <= np.linalg.norm(x - others, axis=1).min() + 1e-12
        answer, h = np.array(answer_of_cone(tuple(x), mu)).reshape(3, 3), 1e-6
        for axis in range(3):
            step = h * np.eye(3)[axis]
            ahead, back = (np.array(lay_in_cone(tuple(x + sign * step), mu)) for sign in (1.0, -1.0))
            assert answer[:, axis] == pytest.approx((ahead - back) / (2.0 * h), abs=1e-5)
