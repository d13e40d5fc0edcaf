"""Steps and line searches of the first-order solvers, against closed forms."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.ik import layout as at
from engine.ik.conjugate_gradient import ConjugateGradient
from engine.ik.dogleg import DogLeg
from engine.ik.dynamic import Euler, RungeKutta, link_scales
from engine.ik.goals import PositionGoal, Spot
from engine.ik.problem import Participant, Preference, Problem, compile_problem
from engine.ik.projected_gradient import ProjectedGradient
from engine.ik.solver import Budget, Solver, new_work, solve
from engine.ik.transpose import Transpose, TransposeByModel
from engine.maths.arrays import Array

Z = (0.0, 0.0, 1.0)


def arm(*lengths: float, kind: str = "hinge", stiffness: float = 1.0) -> Figure:
    """Links along x that turn about z, or slides along x."""
    joints: list[Joint] = []
    for index in range(len(lengths)):
        hinge = Dof(id=f"turn{index}", name="Turn", axis=Z, stiffness=stiffness)
        slide = Dof(id=f"turn{index}", name="Slide", kind="slide", axis=(1.0, 0.0, 0.0), stiffness=stiffness)
        joints.append(
            Joint(
                id=f"link{index}",
                name="Link",
                parent=joints[-1].id if joints else None,
                offset=(lengths[index - 1] if joints else 0.0, 0.0, 0.0),
                dofs=(hinge if kind == "hinge" else slide,),
            )
        )
    return Figure(name="Arm", joints=tuple(joints))


def problem_of(
    figure: Figure, length: float, target: tuple[float, float, float], preference: Preference | None = None
) -> Problem:
    spot = Spot(actor="me", joint=figure.joints[-1].id, point=(length, 0.0, 0.0))
    goal = PositionGoal(spot=spot, target=target)
    return compile_problem(
        [Participant(actor="me", figure=figure)], [goal], tolerance=1e-9, preference=preference or Preference()
    )


def advanced(solver: Solver, problem: Problem, start: Array, count: int = 1) -> tuple[Array, Array]:
    q = problem.gather([start])
    work = new_work(problem, solver)
    solver.advance(problem, q, work, count)
    return q, work


def test_fixed_step_is_twice_the_length_times_jacobian_transpose_error() -> None:
    """Equation 27 with the 2 of equation 26: one link of 0.5 m at rest, pulled sideways by 0.1 m."""
    problem = problem_of(arm(0.5), 0.5, (0.5, 0.1, 0.0))
    q, _ = advanced(Transpose(length=0.125), problem, np.zeros(1))
    assert q[0] == pytest.approx(0.125 * 2.0 * 0.5 * 0.1, rel=1e-12)


def test_step_of_the_model_is_e_z_over_z_z() -> None:
    """Equation 28 for one link: z = J J^T e = L^2 e along y, so dq = e / L."""
    problem = problem_of(arm(0.5), 0.5, (0.5, 0.01, 0.0))
    q, _ = advanced(TransposeByModel(), problem, np.zeros(1))
    assert q[0] == pytest.approx(0.01 / 0.5, rel=1e-12)


def test_stiffer_joints_take_a_smaller_part_of_the_step() -> None:
    soft, stiff = (problem_of(arm(0.5, stiffness=each), 0.5, (0.5, 0.1, 0.0)) for each in (1.0, 4.0))
    assert advanced(Transpose(), soft, np.zeros(1))[0] == pytest.approx(
        4.0 * advanced(Transpose(), stiff, np.zeros(1))[0]
    )


def test_too_long_a_fixed_step_does_not_settle_and_the_sources_does() -> None:
    """The divergence of figure 8: 0.05 in the source's unit is 1.25 per square metre."""
    problem = problem_of(arm(0.6, 0.6, 0.6), 0.6, (0.9, 0.9, 0.0))
    start = np.array([0.1, 0.1, 0.1])
    settled, flipping = (advanced(Transpose(length=each), problem, start, 400)[1] for each in (0.125, 1.25))
    squares = int(problem.ints[at.COUNTS]) + at.SQUARES
    assert settled[squares] < 1e-6
    assert flipping[squares] > 1e-2


def test_rates_do_not_depend_on_the_scale_of_the_world() -> None:
    """Equation 4.11: ten times as large, the same turn in the same time."""
    turns = []
    for scale in (1.0, 10.0):
        lengths = (0.4 * scale, 0.3 * scale)
        problem = problem_of(arm(*lengths), lengths[1], (0.4 * scale, 0.3 * scale, 0.0))
        turns.append(advanced(Euler(), problem, np.array([0.1, 0.2]), 20)[0])
    np.testing.assert_allclose(turns[0], turns[1], rtol=1e-9)


def test_links_scale_by_their_length_and_the_reach() -> None:
    problem = problem_of(arm(0.4, 0.2), 0.2, (0.3, 0.3, 0.0))
    np.testing.assert_allclose(link_scales(problem), [1.0 / (0.4 * 0.6), 1.0 / (0.2 * 0.6)])


def test_runge_kutta_follows_the_motion_that_has_a_closed_form() -> None:
    """A slide pulled to x = 1: x' = 1 - x, so after the time t it stands at 1 - exp(-t)."""
    problem = problem_of(arm(0.0, kind="slide"), 0.0, (1.0, 0.0, 0.0))
    solver = RungeKutta(tolerance=1e-3)
    q, work, time = problem.gather([np.zeros(1)]), new_work(problem, solver), 0.0
    length = int(problem.ints[at.COUNTS]) + at.LENGTH
    steps = [0.05]
    for _ in range(6):
        solver.advance(problem, q, work, 1)
        time += steps[-1]
        assert q[0] == pytest.approx(1.0 - math.exp(-time), abs=len(steps) * max(steps) ** 4 / 24.0)
        steps.append(float(work[length]))
    assert max(steps) > 2.0 * steps[0]


def test_euler_overshoots_where_runge_kutta_shortens_its_step() -> None:
    """x' = -x with h = 3 runs away; the pair of orders notices."""
    problem = problem_of(arm(0.0, kind="slide"), 0.0, (1.0, 0.0, 0.0))
    squares = int(problem.ints[at.COUNTS]) + at.SQUARES
    assert advanced(Euler(step=3.0), problem, np.zeros(1), 20)[1][squares] > 1e3
    assert advanced(RungeKutta(), problem, np.zeros(1), 60)[1][squares] < 1e-6


@pytest.mark.parametrize("solver", [ProjectedGradient(), ConjugateGradient(), DogLeg(), TransposeByModel()])
def test_wishes_are_followed_where_goals_leave_freedom_and_do_not_disturb_them(solver: Solver) -> None:
    """A tip in the plane leaves one of three turns free; the pull to the rest pose uses it."""
    figure = arm(0.4, 0.4, 0.4)
    start = np.array([1.2, -1.9, 1.5])
    bent = []
    for rest in (0.0, 1.0):
        problem = problem_of(figure, 0.4, (0.7, 0.5, 0.0), preference=Preference(rest=rest))
        answer = solve(problem, [start], solver, budget=Budget(iterations=3000, milliseconds=60_000.0, starts=0))
        assert answer.errors[0] < 1e-4
        bent.append(float(np.linalg.norm(answer.poses[0])))
    assert bent[1] < bent[0]


def test_dogleg_keeps_its_first_step_within_the_radius() -> None:
    problem = problem_of(arm(0.4, 0.4, 0.4), 0.4, (0.0, 1.0, 0.0))
    start = np.array([0.1, 0.2, 0.1])
    short, far = (advanced(DogLeg(radius=each), problem, start)[0] - start for each in (0.05, 3.0))
    assert np.linalg.norm(short) == pytest.approx(0.05)
    assert np.linalg.norm(far) > 0.3


def test_dogleg_ends_quadratically() -> None:
    problem = problem_of(arm(0.4, 0.4), 0.4, (0.5, 0.4, 0.0))
    q, work = problem.gather([np.array([0.3, 0.5])]), new_work(problem, DogLeg())
    errors = []
    for _ in range(8):
        DogLeg().advance(problem, q, work, 1)
        errors.append(math.sqrt(work[int(problem.ints[at.COUNTS]) + at.SQUARES]))
    late = [each for each in errors if 1e-10 < each < 0.05]
    assert late
    assert all(after < 2.0 * before**1.5 for before, after in pairwise(late))
    assert errors[-1] < 1e-9
