"""Limits over several angles in problems: what is taken in, its ends, slides along boundaries, drags."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint, Limit
from engine.document.limit import BoxRange, Grid, GridRange
from engine.formats.figure_toml import load_figure
from engine.ik import layout as at
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.maintain import Maintain, Spring
from engine.ik.problem import Participant, compile_problem
from engine.ik.region_kernels import keep_regions, measure_regions
from engine.ik.regions import axes_of, ends_of, regions_of
from engine.ik.solver import Budget, new_work, solve
from engine.ik.solvers import SOLVERS
from engine.ik.stops import refresh_stops, stop_at
from engine.limits.packed import EMPTY
from engine.maths.arrays import Array
from tests.benchmarks import limited
from tests.conformance.goal_sets import spot_at
from tests.engine.ik.regions import keeps_regions, with_fields

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
PATIENT = Budget(iterations=400, milliseconds=60_000.0, starts=0)
DISC = ("swing.x", "swing.z")


def grid(size: int, count: int = 41, reach: float = 2.0) -> Grid:
    spacing = (2.0 * reach / (count - 1),) * size
    return Grid(counts=(count,) * size, lower=(-reach,) * size, spacing=spacing, periodic=(False,) * size)


def limit(dofs: tuple[str, ...], distances: Array, id: str = "region") -> Limit:
    values = GridRange(distances=Blob(np.ascontiguousarray(distances)))
    return Limit(id=id, name=id, dofs=dofs, range=values, grid=grid(len(dofs)))


def nodes(size: int) -> Array:
    axis = np.linspace(-2.0, 2.0, 41)
    return np.stack(np.meshgrid(*(axis,) * size, indexing="ij"), axis=-1)


def disc(radius: float = 0.6) -> Limit:
    """Both angles of the swing together within a radius."""
    return limit(DISC, np.linalg.norm(nodes(2), axis=-1) - radius)


def pendulum(*limits: Limit) -> Figure:
    """A rod that swings about x and z, and a second one that bends about x."""
    swing = tuple(Dof(id=f"swing.{name}", name=name, axis=axis) for name, axis in (("x", X), ("z", Z)))
    rod = Joint(id="rod", name="Rod", dofs=swing)
    tip = Joint(
        id="tip", name="Tip", parent="rod", offset=(0.0, -1.0, 0.0), dofs=(Dof(id="bend", name="Bend", axis=X),)
    )
    return Figure(name="Pendulum", joints=(rod, tip), limits=limits)


def goal(target: tuple[float, float, float], joint: str = "rod") -> PositionGoal:
    return PositionGoal(spot=Spot(actor="me", joint=joint, point=(0.0, -1.0, 0.0)), target=target)


@pytest.mark.parametrize("name", tuple(SOLVERS))
def test_a_solver_slides_along_a_boundary_to_the_nearest_that_it_allows(name: str) -> None:
    """The rod is pulled far to one side of where it stands on the boundary; a solver that only stops there stays."""
    problem = compile_problem([Participant(actor="me", figure=pendulum(disc()))], [goal((1.2, -1.0, 0.0))])
    start = np.array([0.59, 0.05, 0.0])
    answer = solve(problem, [start], SOLVERS[name](), budget=Budget(iterations=5000, milliseconds=60_000.0, starts=0))
    assert keeps_regions(problem, answer)
    near = 0.1 if name == "transpose_by_model" else 0.03  # which takes the way for straight, and steps to and fro
    assert answer.poses[0][:2] == pytest.approx([0.0, 0.6], abs=near)


def test_the_report_names_the_limit_and_its_hinges() -> None:
    problem = compile_problem([Participant(actor="me", figure=pendulum(disc()))], [goal((1.2, -1.0, 0.0))])
    report = solve(problem, [np.zeros(3)], SOLVERS["levenberg"](), budget=PATIENT).report()
    assert report.regions == (("me", "region"),)
    assert report.active == (("me", "swing.x"), ("me", "swing.z"))
    inside = compile_problem(problem.participants, [goal((0.2, -1.0, 0.0))])
    free = solve(inside, [np.zeros(3)], SOLVERS["levenberg"](), budget=PATIENT).report()
    assert free.regions == free.active == ()


def test_the_ends_of_a_region_are_exact_and_bound_its_hinges() -> None:
    figure = pendulum(disc(0.63))
    participants = [Participant(actor="me", figure=figure)]
    ends = ends_of(regions_of(participants, [{"rod"}]))
    assert ends[0, "swing.x"] == pytest.approx((-0.63, 0.63), abs=1e-8)
    problem = compile_problem(participants, [goal((0.0, -1.0, 0.0))])
    assert problem.upper[:2] == pytest.approx([0.63, 0.63], abs=1e-8)
    around = replace(
        disc(), grid=Grid(counts=(41, 41), lower=(-math.pi,) * 2, spacing=(math.tau / 41,) * 2, periodic=(True, True))
    )
    free = ends_of(regions_of([Participant(actor="me", figure=pendulum(around))], [{"rod"}]))
    assert free[0, "swing.x"] == (-math.inf, math.inf)


def test_a_region_that_reaches_the_border_of_its_grid_ends_beyond_it() -> None:
    wide = replace(disc(), range=BoxRange(lower=(-3.0, -3.0), upper=(3.0, 3.0)))
    ends = ends_of(regions_of([Participant(actor="me", figure=pendulum(wide))], [{"rod"}]))
    assert ends[0, "swing.x"] == pytest.approx((-3.0, 3.0), abs=1e-8)


def test_axes_are_told_of_hinges_in_the_order_of_their_joint_alone() -> None:
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    turns = tuple(Dof(id=name, name=name, axis=axis) for name, axis in zip("xyz", axes, strict=True))
    figure = Figure(name="F", joints=(Joint(id="a", name="A", dofs=turns),))
    for dofs, told in ((("x", "z"), np.eye(3)[[0, 2]]), (("x", "y", "z"), np.eye(3)), (("z", "y", "x"), None)):
        ends = BoxRange(lower=(-1.0,) * len(dofs), upper=(1.0,) * len(dofs))
        found = axes_of(figure, Limit(id="l", name="L", dofs=dofs, range=ends, grid=grid(len(dofs), 5)))
        if told is None:
            assert found is None
        else:
            assert found is not None
            assert np.array_equal(found, told)


def test_limits_that_are_off_or_of_what_may_not_move_are_left_out() -> None:
    figure = pendulum(disc())
    off = pendulum(replace(disc(), on=False))
    for each, movable in ((off, None), (figure, frozenset({"bend"}))):
        me = Participant(actor="me", figure=each, movable=movable)
        problem = compile_problem([me], [goal((5.0, -2.0, 0.0), "tip")])
        assert problem.regions.listed == ()
        assert problem.regions.whole is problem.regions.partial is EMPTY
        assert problem.ints[at.FIELDS_END] == 0


def knee() -> Limit:
    """The sum of the swing about x and the bend stays below a half."""
    total = nodes(2).sum(axis=-1)
    return limit(("swing.x", "bend"), (total - 0.5) / math.sqrt(2.0), "knee")


def test_a_hinge_that_no_goal_depends_on_is_taken_as_it_stands() -> None:
    """The goal is the upper rod's, so the lower one stays as it is bent, and the swing goes as far as that allows."""
    problem = compile_problem([Participant(actor="me", figure=pendulum(knee()))], [goal((0.0, -0.5, -2.0))])
    assert [dof for _, dof in problem.columns] == ["swing.x", "swing.z"]
    for name in SOLVERS:
        for bent in (0.3, -0.4):
            answer = solve(problem, [np.array([-0.2, 0.0, bent])], SOLVERS[name](), budget=PATIENT)
            assert answer.poses[0][2] == bent
            assert answer.poses[0][0] == pytest.approx(0.5 - bent, abs=2e-3)
            assert keeps_regions(problem, answer)


def test_a_pose_that_no_allowed_one_is_beside_stays_as_it_is_where_it_is_limited() -> None:
    nowhere = limit(("swing.x", "bend"), np.broadcast_to(np.abs(nodes(1))[:, 0] - 0.3, (41, 41)).copy(), "bend")
    figure = pendulum(nowhere)
    problem = compile_problem([Participant(actor="me", figure=figure)], [goal((2.0, -0.5, -2.0))])
    answer = solve(problem, [np.array([0.1, 0.0, 1.5])], SOLVERS["levenberg"](), budget=PATIENT)
    assert (answer.poses[0][0], answer.poses[0][2]) == (0.1, 1.5)
    assert answer.poses[0][1] > 0.3


def test_regions_that_share_a_hinge_hold_together_in_every_solver() -> None:
    problem = compile_problem(
        [Participant(actor="me", figure=pendulum(disc(), knee()))], [goal((2.0, -1.0, -3.0), "tip")]
    )
    assert problem.regions.whole.field_count == 2
    for name in SOLVERS:
        answer = solve(problem, [np.array([1.5, 0.3, 1.0])], SOLVERS[name](), budget=Budget(iterations=60, starts=2))
        assert keeps_regions(problem, answer)


def test_a_drag_slides_along_a_boundary_and_never_leaves_it() -> None:
    task = goal((0.0, -1.0, 0.0))
    problem = compile_problem([Participant(actor="me", figure=pendulum(disc()))], [], tasks=[task])
    dragging = Maintain().start(problem, [np.zeros(3)])
    buffers = dragging.problem.regions.buffers
    for step in range(200):
        angle = 0.03 * step
        target = (3.0 * math.sin(angle), -1.0, 3.0 * math.cos(angle))
        pose = dragging.step((Spring(task=0, target=target),), 1.0 / 60.0)[0]
        assert measure_regions(buffers, pose) <= 1e-9
    assert np.linalg.norm(pose[:2]) == pytest.approx(0.6, abs=0.02)
    assert pose[1] * math.sin(angle) > 0.0


def test_constraints_hold_while_a_region_stops_a_part_of_what_is_dragged() -> None:
    held = goal((0.0, -math.cos(0.3), -math.sin(0.3)))
    figure = pendulum(disc(), knee())
    task = goal((0.0, -2.0, -2.0), "tip")
    problem = compile_problem([Participant(actor="me", figure=figure)], [held], tasks=[task])
    dragging = Maintain().start(problem, [np.array([0.3, 0.0, -0.5])])
    for _ in range(60):
        pose = dragging.step((Spring(task=0, target=(0.0, -0.5, -2.5)),), 1.0 / 60.0)[0]
        assert measure_regions(dragging.problem.regions.buffers, pose) <= 1e-9
    assert dragging.report().worst <= 2e-6
    assert pose[2] == pytest.approx(0.2, abs=0.01)


def test_a_smooth_motion_within_sampled_regions_seldom_needs_another_start() -> None:
    """Hands and feet are led through poses that are allowed, by joints many of which stand at a boundary."""
    figure = load_figure("human")
    way = limited.poses(figure)
    problem = limited.problem(with_fields(figure, "sampled", way))
    pose, work, others = way[0], new_work(problem, Levenberg()), 0
    for frame in way[:300]:
        spots = [spot_at(figure, frame, Spot(actor="me", joint=joint))[0] for joint in limited.LED]
        problem.set_targets(np.array(spots))
        answer = solve(problem, [pose], Levenberg(), budget=Budget(milliseconds=60_000.0), work=work)
        others += answer.starts > 0
        pose = answer.poses[0]
        assert answer.state == "reached"
        assert keeps_regions(problem, answer)
    assert others <= 8  # 12 with boundaries taken for the planes that they look like where a step begins


def test_limits_that_allow_no_pose_together_are_solved_all_the_same() -> None:
    """The figure can still be posed: limits are data, and a person may be half way through changing them."""
    low = limit(("swing.x", "bend"), nodes(2)[..., 0] + 0.5, "low")
    figure = pendulum(replace(disc(), range=BoxRange(lower=(0.2, -1.0), upper=(1.0, 1.0))), low)
    problem = compile_problem([Participant(actor="me", figure=figure)], [goal((0.5, -1.5, -0.5), "tip")])
    assert problem.regions.whole.field_count == 2
    answer = solve(problem, [np.zeros(3)], SOLVERS["levenberg"](), budget=PATIENT)
    assert problem.regions.values(answer.q)[1] <= 1e-9


def test_partial_regions_that_share_a_hinge_do_not_push_each_other_out() -> None:
    """z may be up to 0.53 beside the one, 0.2 to 0.4 or from 0.6 on beside the other: going far, it stays below."""
    z = nodes(2)[..., 1]
    below = limit(DISC, z - 0.53, "below")
    two = np.minimum(np.abs(nodes(2)[..., 0] - 0.3) - 0.1, 0.6 - nodes(2)[..., 0])
    figure = pendulum(below, limit(("swing.z", "bend"), two, "two"))
    me = Participant(actor="me", figure=figure, movable=frozenset({"swing.z"}))
    problem = compile_problem([me], [goal((1.0, -1.0, 0.0), "tip")])
    assert problem.regions.partial.field_count == 2
    start, moved = np.array([0.0, 0.3, 0.0]), np.array([0.0, 0.8, 0.0])
    assert measure_regions(problem.regions.buffers, start) <= 0.0
    keep_regions(problem.ints, problem.regions.buffers, start, moved)
    assert measure_regions(problem.regions.buffers, moved) <= 0.0


def test_a_stop_whose_boundary_was_left_is_told_of_as_it_goes() -> None:
    """What was worked out with it has to be worked out anew, though no stop is left."""
    problem = compile_problem([Participant(actor="me", figure=pendulum(disc()))], [goal((0.0, -1.0, 0.0))])
    ints, work, mobility = problem.ints, problem.new_work(), np.ones(len(problem.columns))
    place = stop_at(ints, 0) + at.ACTIVE
    work[place] = 1.0
    assert refresh_stops(ints, problem.regions.buffers, np.zeros(3), mobility, work)
    assert work[place] == 0.0
    assert not refresh_stops(ints, problem.regions.buffers, np.zeros(3), mobility, work)
