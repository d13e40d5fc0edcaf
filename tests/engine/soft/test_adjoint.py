"""Gradients of controlled soft bodies against central differences, whose steps are solved to 1e-12."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from engine.maths.arrays import Array
from engine.runtime.errors import Diverged, InvalidArguments
from engine.soft.contact import Collider
from engine.soft.control.controls import Controls, PointForces, spread
from engine.soft.control.descent import DescentChoices, descend
from engine.soft.control.objective import Keyframe, Objective, centre_key, pose_key
from engine.soft.control.problem import ControlProblem, StepSetting
from engine.soft.embedding import embed
from engine.soft.feelers import FIRST
from engine.soft.goals import EFFORTS
from engine.soft.materials import LAWS, SoftMaterial
from engine.soft.meeting import BODY_GRIP
from engine.soft.mesh import VolumeMesh, volume_mesh
from engine.soft.meshing import box, cube_grid, square_grid
from engine.soft.outsides import by_surface
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.step import SoftModel, SoftOptions, SoftPiece, SoftState, StepGiven, compile_soft
from engine.soft.toy_forms import cube_surface

DT = 1.0 / 60.0
CUBE = box((0.2, 0.2, 0.2), (1, 1, 1))
BRICK = cube_grid((1, 1, 1), 0.2).mesh
HEX = volume_mesh(BRICK.points - 0.1, BRICK.cells, "hexahedra")
SQUARES = square_grid((2, 1), 0.1)
FLAT = volume_mesh(SQUARES.points - np.array((0.1, 0.05, 0.0)), SQUARES.cells, "squares")
BARS = volume_mesh(CUBE.points, CUBE.edges, "edges")
GROUND = (Collider(kind="plane"),)
TURN = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
EXACT = SoftOptions(tolerance=1e-12, iterations=200)


def piece(mesh: VolumeMesh, law: str = "corotational", **given: object) -> SoftPiece:
    """A body with a spline along it, damped in both ways."""
    made = SoftMaterial(law=law, young=2e4, poisson=0.3, mass_damping=0.1, stiffness_damping=0.01, thickness=0.1)  # type: ignore[arg-type]
    controls = np.array([[-0.08, 0.0, 0.0], [0.08, -0.02, 0.0]])
    if mesh.shape == "squares":
        controls[:, 1] += 0.01
    drawn = [DrawnSpline(controls=controls, samples=3)]
    springs = None if mesh.shape == "edges" else bind_splines(mesh, mesh.masses(1000.0), drawn, young=2e4).springs
    return SoftPiece(mesh=mesh, material=made, springs=springs, **given)  # type: ignore[arg-type]


def model_of(*pieces: SoftPiece) -> SoftModel:
    """The model, whose steps are solved to 1e-12; what rounding leaves counts as nothing."""
    return replace(compile_soft(pieces, EXACT), floor=1e-11)


def problem_of(
    model: SoftModel,
    count: int,
    colliders: Sequence[Collider] = (),
    *,
    lifted: float = 0.0,
    speed: Sequence[float] = (0.0, 0.0, 0.0),
    knots: int = 0,
    shaken: float = 0.0,
    objective: Objective | None = None,
    given: StepGiven | None = None,
    most_bytes: int = 2**28,
) -> ControlProblem:
    """A problem with all splines and a force on two points."""
    state = model.new_state()
    rng = np.random.default_rng(3)
    flat = np.array([1.0, 1.0, 0.0 if any(each.mesh.planar for each in model.pieces) else 1.0])
    state.x += shaken * rng.standard_normal(state.x.shape) * flat
    state.v += shaken * 20.0 * rng.standard_normal(state.v.shape) * flat + np.array(speed)
    state.x[:, 1] += lifted
    segments, times = len(model.bodies.strings.segments), np.asarray(np.arange(1, count + 1) * DT, np.float64)
    over = spread(times, times if knots == 0 else np.asarray(np.linspace(0.0, count * DT, knots), np.float64))
    controls = Controls(
        spread=over,
        base=np.ones((count, segments)),
        spline_of=np.zeros(segments, np.int32),
        forces=(PointForces(points=np.array([0, 3], np.int32), spread=over),),
        point_count=model.point_count,
    )
    goal = model.rest + np.array([0.2, 0.1, 0.05]) * flat
    if objective is None:
        wanted = pose_key(count, goal, masses=model.masses, velocities=np.zeros_like(goal), time=0.1)
        objective = Objective(keys=(wanted, centre_key(count // 2, goal[0], model.masses)), reach=100.0)
    acting = StepGiven(colliders=colliders) if given is None else given
    return ControlProblem([StepSetting(model, acting)] * count, DT, state, controls, objective, most_bytes=most_bytes)


def missed(problem: ControlProblem, values: Array, seed: int = 0, reach: float = 1.0) -> float:
    """How far the gradient is from central differences along a direction, relatively; the best of three steps."""
    gradient = problem.gradient(problem.run(values))
    way = np.random.default_rng(seed).standard_normal(values.shape)
    ours, found = float(np.sum(gradient * way)), []
    for size in (1e-5, 1e-6, 1e-7):
        ahead, behind = (problem.run(values + sign * reach * size * way).value for sign in (1.0, -1.0))
        found.append((ahead - behind) / (2.0 * reach * size))
    return min(abs(each - ours) for each in found) / abs(ours)


def shaken_values(problem: ControlProblem, seed: int = 1) -> Array:
    """Some values of the controls."""
    rng = np.random.default_rng(seed)
    found = problem.controls.passive()
    return found + np.where(np.arange(len(found))[:, None] < problem.controls.spline_count, 0.2, 2.0) * (
        rng.uniform(-1.0, 1.0, found.shape)
    )


@pytest.mark.parametrize(
    ("mesh", "law"), [*((CUBE, law) for law in LAWS), (HEX, "neo-hookean"), *((FLAT, law) for law in LAWS[:2])]
)
def test_the_gradient_agrees_with_differences(mesh: VolumeMesh, law: str) -> None:
    problem = problem_of(model_of(piece(mesh, law, touches=False)), 4, shaken=0.01)
    assert missed(problem, shaken_values(problem)) <= 1e-6


def test_the_gradient_of_bars_agrees_with_differences() -> None:
    made = SoftMaterial(law="springs", young=2e4, thickness=0.01, stiffness_damping=0.01)
    problem = problem_of(model_of(SoftPiece(mesh=BARS, material=made, touches=False)), 6, shaken=0.01)
    assert missed(problem, shaken_values(problem)) <= 1e-6


@pytest.mark.parametrize("law", ["corotational", "springs"])
@pytest.mark.parametrize("speed", [(1.0, -1.0, 0.5), (0.05, -0.5, 0.0)], ids=["slides", "sticks"])
def test_it_agrees_across_a_touchdown(law: str, speed: tuple[float, float, float]) -> None:
    problem = problem_of(model_of(piece(CUBE, law)), 24, GROUND, lifted=0.13, speed=speed, knots=5)
    values = shaken_values(problem)
    run = problem.run(values)
    assert run.settled, "friction was taken anew in none of the steps"
    assert not run.states[1].grips.any()
    assert run.states[24].grips[:, 0, 0].any(), "it never touched the ground"
    assert missed(problem, values) <= 1e-6


@pytest.mark.parametrize(
    "collider",
    [
        Collider(kind="sphere", radius=0.3, position=(0, -0.3, 0), spin=(0.3, 0.5, 2.0), velocity=(0.1, 0.2, 0.3)),
        Collider(
            kind="box", half=(0.05, 0.3, 0.05), radius=0.01, rotation=TURN, position=(0.08, -0.3, 0.08), spin=(0, 1, 1)
        ),
        Collider(kind="capsule", half=(0.0, 0.05, 0.0), radius=0.1, rotation=TURN, position=(0.08, -0.12, 0.08)),
    ],
    ids=["sphere", "box", "capsule"],
)
def test_it_agrees_on_curved_and_turning_solids(collider: Collider) -> None:
    problem = problem_of(model_of(piece(CUBE)), 12, (collider,), lifted=0.11, speed=(0.3, -0.8, 0.1), knots=4)
    values = shaken_values(problem)
    assert problem.run(values).states[12].grips.any(), "it never touched"
    assert missed(problem, values) <= 1e-6


def test_it_agrees_where_friction_differs_along_a_body_that_turns() -> None:
    made = piece(CUBE)
    uneven = replace(made.material, forward=(1.0, 0.0, 0.2), friction_backward=2.0, friction_sideways=1.5)
    problem = problem_of(
        model_of(replace(made, material=uneven)), 16, GROUND, lifted=0.105, speed=(1.0, -0.5, 0.5), knots=4
    )
    assert missed(problem, shaken_values(problem)) <= 1e-6


def test_it_agrees_for_points_that_are_held_and_pulled() -> None:
    held, pulled = np.array([0, 1], np.int32), np.array([6, 7], np.int32)
    model = model_of(piece(CUBE, held=held, pulled=pulled, pull_stiffness=50.0, pull_damping=2.0))
    at = model.rest
    given = StepGiven(held_at=at[held], targets=at[pulled] + 0.02, target_velocities=np.full((2, 3), 0.1))
    problem = problem_of(model, 6, given=given)
    assert missed(problem, shaken_values(problem)) <= 1e-6


def test_two_creatures_stand_in_one_problem() -> None:
    """Each has its own spline and keyframe; what one wants moves the gradient of its own controls alone."""
    far = volume_mesh(HEX.points + np.array([1.0, 0.0, 0.0]), HEX.cells, "hexahedra")
    springs = bind_splines(
        far, far.masses(1000.0), [DrawnSpline(controls=np.array([[0.92, 0, 0], [1.08, 0, 0]]), samples=3)], young=2e4
    ).springs
    other = replace(piece(HEX, "neo-hookean"), mesh=far, springs=springs)
    model = model_of(piece(CUBE), other)
    points = model.points_of(1)
    key = pose_key(8, model.rest[points], first=points.start, count=model.point_count)
    problem = problem_of(
        model, 8, GROUND, lifted=0.101, knots=3, objective=Objective(keys=(key,), reach=100.0, dear=0.0)
    )
    first = int(model.pieces[0].springs.segment_count)  # type: ignore[union-attr]
    whose = (np.arange(len(problem.controls.spline_of)) >= first).astype(np.int32)
    problem = replace(problem, controls=replace(problem.controls, spline_of=whose))
    values = shaken_values(problem)
    assert missed(problem, values) <= 1e-6
    gradient = problem.gradient(problem.run(values))
    assert not gradient[0].any()
    assert gradient[1].any()


@pytest.mark.parametrize(
    ("mesh", "shift"),
    [(CUBE, (0.03, 0.205, 0.02)), (CUBE, (0.205, 0.02, 0.03)), (FLAT, (0.205, 0.02, 0.0))],
    ids=["stands", "pushes", "flat"],
)
def test_it_agrees_where_bodies_touch_each_other(mesh: VolumeMesh, shift: tuple[float, float, float]) -> None:
    away = np.array(shift)
    other = volume_mesh(mesh.points + away, mesh.cells, mesh.shape)
    drawn = [DrawnSpline(controls=np.array([[-0.08, 0.0, 0.0], [0.08, 0.0, 0.0]]) + away, samples=3)]
    springs = bind_splines(other, other.masses(1000.0), drawn, young=2e4).springs
    model = model_of(piece(mesh), replace(piece(mesh), mesh=other, springs=springs))
    problem = problem_of(model, 10, GROUND, lifted=0.1001, knots=3)
    if shift[0] > 0.1:
        problem.begin.v[model.points_of(1), 0] -= 1.0
    values = shaken_values(problem)
    numbers = np.array([state.grips[:, :, 0] for state in problem.run(values).states.values()])
    assert (numbers >= BODY_GRIP).any(), "the bodies never touched"
    assert missed(problem, values) <= 1e-6


def test_it_agrees_on_the_edge_of_a_box_between_points() -> None:
    surface = cube_surface((0.2, 0.2, 0.2))
    made = piece(CUBE)
    felt = replace(made, outside=by_surface(CUBE, embed(CUBE, surface[0]).weights, *surface))
    peg = Collider(kind="box", half=(0.03, 0.1, 0.02), radius=0.005, position=(0.01, -0.1, 0.02))
    problem = problem_of(model_of(felt), 10, (peg,), lifted=0.106, speed=(0.2, -0.5, 0.1), knots=3)
    values = shaken_values(problem)
    numbers = np.array([state.grips[:, :, 0] for state in problem.run(values).states.values()])
    assert (numbers >= FIRST).any(), "no edge was felt"
    assert missed(problem, values) <= 1e-6


@pytest.mark.parametrize("effort", EFFORTS)
def test_efforts_and_rates_have_their_gradients(effort: str) -> None:
    objective = Objective(keys=(), effort=effort, dear=0.7, calm=2.0, smoothing=0.05)  # type: ignore[arg-type]
    a, way = np.random.default_rng(0).standard_normal((2, 3, 5))

    def value(values: Array) -> float:
        return sum(objective.of_controls(values)[:2])

    ahead, behind = value(a + 1e-6 * way), value(a - 1e-6 * way)
    assert (ahead - behind) / 2e-6 == pytest.approx(float(np.sum(objective.of_controls(a)[2] * way)), rel=1e-8)


def test_states_that_are_stepped_again_give_the_same_gradient() -> None:
    kept = problem_of(model_of(piece(CUBE)), 11, GROUND, lifted=0.101, knots=3)
    again = replace(kept, most_bytes=0)
    values = shaken_values(kept)
    assert (kept.every, again.every) == (1, 4)
    one, two = kept.run(values), again.run(values)
    assert sorted(two.states) == [0, 4, 8]
    np.testing.assert_array_equal(kept.gradient(one), again.gradient(two))
    for left, right in zip(kept.points(one, (3, 8, 11)), again.points(two, (3, 8, 11)), strict=True):
        np.testing.assert_array_equal(left, right)


@dataclass
class _At:
    """A place in a valley."""

    values: Array

    @property
    def value(self) -> float:
        """How high it is."""
        return _valley(self.values)


class _Valley:
    """A valley that bends (Rosenbrock), with a wall beyond which nothing is known."""

    def run(self, values: Array) -> _At:
        """A place in it."""
        if values.max() > 3.0:
            raise Diverged(what="a test", value="far away")
        return _At(values)

    def gradient(self, run: _At) -> Array:
        """How it rises there."""
        x, y = run.values.ravel()
        return np.array([[-2.0 * (1.0 - x) - 400.0 * x * (y - x * x), 200.0 * (y - x * x)]])


def _valley(values: Array) -> float:
    x, y = values.ravel()
    return float((1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2)


@pytest.mark.parametrize("most", [5.0, 0.5])
def test_descent_finds_the_least_value_within_bounds(most: float) -> None:
    lower, upper = np.full((1, 2), -2.0), np.full((1, 2), most)
    first = np.array([[-1.2, 0.4]])
    found = list(descend(_Valley(), first, lower, upper, DescentChoices(iterations=200, gradient=1e-10, fall=0.0)))
    values = [each.run.value for each in found]
    assert all(later < earlier for earlier, later in pairwise(values))
    known = minimize(_valley, first.ravel(), method="L-BFGS-B", bounds=[(-2.0, most)] * 2, options={"ftol": 1e-15})
    assert found[-1].values.ravel() == pytest.approx(known.x, abs=1e-4)
    assert found[-1].run.value <= known.fun + 1e-9


def test_a_search_may_be_stopped_and_any_iterate_kept() -> None:
    problem = problem_of(model_of(piece(CUBE)), 6, knots=3)
    search = descend(problem, problem.controls.passive(), *problem.controls.bounds())
    kept = [next(search) for _ in range(3)]
    search.close()
    assert [each.number for each in kept] == [0, 1, 2]
    assert problem.run(kept[1].values).value == kept[1].run.value


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: spread(np.arange(3.0), np.array([1.0, 1.0])), "ascending"),
        (lambda: Objective(keys=(), calm=-1.0), "not below zero"),
        (lambda: Objective(keys=(), effort="most"), "squares, sparse"),  # type: ignore[arg-type]
        (lambda: pose_key(0, np.zeros((2, 3))), "from 1 on"),
        (lambda: pose_key(1, np.full((2, 3), np.nan)), "finite"),
        (lambda: Keyframe(step=1, rows=pose_key(1, np.zeros((1, 3))).rows, weights=np.ones(1)), "both"),
        (lambda: problem_of(model_of(piece(CUBE)), 2).run(np.zeros((1, 1))), "shape"),
        (
            lambda: problem_of(
                model_of(piece(CUBE)), 2, objective=Objective(keys=(centre_key(5, np.zeros(3), np.ones(8)),))
            ),
            "1 to 2",
        ),
    ],
)
def test_bad_problems_are_refused(make: object, said: str) -> None:
    with pytest.raises(InvalidArguments, match=said):
        make()  # type: ignore[operator]


def test_a_state_is_left_as_it_was() -> None:
    problem = problem_of(model_of(piece(CUBE)), 3)
    before: SoftState = problem.begin
    x = before.x.copy()
    problem.gradient(problem.run(problem.controls.passive()))
    np.testing.assert_array_equal(before.x, x)
