"""Programs of spatial problems: torques and all derivatives, against the house's inverse dynamics and differences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine.document.figure import Body, Figure, Joint
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.runtime.errors import EngineError
from engine.spacetime.problem import JointMuscle, MotionStage, Representation
from engine.spacetime.spatial.motions import SpatialMotion
from engine.spacetime.spatial.points import new_point_work, set_torques
from engine.spacetime.spatial.power import new_tree_work
from engine.spacetime.spatial.problem import SpatialCalm, SpatialCone, SpatialDemand, SpatialForce, SpatialProblem
from engine.spacetime.spatial.program import SpatialProgram
from engine.spacetime.spatial.splines import fit_spline, greville, spline_basis
from engine.spacetime.spatial.tree import BodyPoint, spatial_figure
from tests.engine.spacetime.spatial_figures import branched, hinge, sprung

HAT, SINGLE = Representation(kind="hat"), Representation(kind="single")
PUSH = Representation(kind="hat", least=0.0, most=100.0)
FOOT = BodyPoint("hand", (0.1, 0.02, 0.0))
LEAN = (0.3, 0.5, 1.0)
LITTLE = (
    SpatialCalm(point=FOOT, weight=0.02),
    SpatialCalm(point=BodyPoint("root", (0.0, 0.3, 0.1)), weight=0.03),
)
MUSCLES = ("arm.swing", "arm.twist", "hand.bend", "tail.bend")


def everything() -> SpatialProblem:
    """Three stages of free length with all that a problem may have."""
    driven = dict.fromkeys(MUSCLES, HAT)
    strong = Representation(kind="hat", least=-5.0, most=5.0)
    stages = (
        MotionStage(
            name="a",
            pieces=2,
            length=0.4,
            least_length=0.2,
            most_length=0.6,
            muscles={"arm.swing": strong, "arm.twist": HAT, "hand.bend": Representation(kind="constant", value=0.7)},
            forces={"push": PUSH, "pull": SINGLE},
            blows={"hit": SINGLE, "knock": SINGLE},
            coordinates={
                "root.roll": Representation(kind="constant", value=0.1),
                "root.tilt": Representation(kind="held", value=0.2),
            },
        ),
        MotionStage(
            name="b", pieces=3, length=0.5, least_length=0.2, most_length=0.6, muscles=driven, forces={"push": HAT}
        ),
        MotionStage(
            name="c", pieces=1, length=0.3, muscles=driven, coordinates={"root.roll": Representation(least=-1.0)}
        ),
    )
    demands = (
        SpatialDemand(stage="b", quantity="point", point=FOOT, direction=LEAN, at=0.4),
        SpatialDemand(stage="b", quantity="point rate", point=FOOT, direction=LEAN, at=0.4),
        SpatialDemand(stage="b", quantity="centre", direction=LEAN, at=0.7, least=0.0),
        SpatialDemand(stage="b", quantity="centre rate", direction=LEAN, at=0.7, least=0.0),
        SpatialDemand(stage="b", quantity="momentum", of="arm.swing", at=0.9, most=3.0),
        SpatialDemand(stage="a", quantity="rate", of="arm.twist", until=1.0, least=-3.0),
        SpatialDemand(stage="a", of="push", at=0.3, most=30.0),
        SpatialDemand(stage="a", of="arm.twist", at=0.0, least=0.3, most=0.3),
        SpatialDemand(stage="a", quantity="rate", of="arm.twist", at=0.0, least=0.0, most=0.0),
        SpatialDemand(stage="b", of="root.y", at=0.6, least=1.0, most=1.0),
    )
    tail = BodyPoint("tail", (0.0, 0.1, -0.3))
    return SpatialProblem(
        figure=spatial_figure(sprung(branched(2.0))),
        stages=stages,
        demands=demands,
        muscles=(
            JointMuscle(limb="arm.swing", power=0.3, work=0.2, smoothness=0.02),
            JointMuscle(limb="arm.twist"),
            JointMuscle(limb="hand.bend", power=0.1, smoothness=0.01),
            JointMuscle(limb="tail.bend", torque=2.0),
        ),
        forces=(
            SpatialForce(name="push", point=FOOT, direction=(0.2, 1.0, 0.3)),
            SpatialForce(name="pull", point=tail, direction=(1.0, 0.0, 0.3)),
        ),
        blows=(
            SpatialForce(name="hit", point=FOOT, direction=(0.2, 1.0, 0.3)),
            SpatialForce(name="knock", point=BodyPoint("root"), direction=(1.0, 0.0, 0.3)),
        ),
        calm=LITTLE,
        pressing=0.01,
        steadiness=0.02,
    )


class Dense(NamedTuple):
    objective: float
    constraints: Array
    gradient: Array
    jacobian: Array
    hessian: Array


def differentiated(program: SpatialProgram, x: Array, multipliers: Array, weight: float) -> Dense:
    shape, found = program.shape, program.differentiate(x, multipliers, weight)
    jacobian = np.zeros((len(shape.constraint_lower), len(x)))
    used = (shape.jacobian_rows >= 0) & (shape.jacobian_columns >= 0)
    np.add.at(jacobian, (shape.jacobian_rows[used], shape.jacobian_columns[used]), found.jacobian[used])
    hessian = np.zeros((len(x), len(x)))
    used = (shape.hessian_rows >= 0) & (shape.hessian_columns >= 0)
    np.add.at(hessian, (shape.hessian_rows[used], shape.hessian_columns[used]), found.hessian[used])
    hessian += hessian.T - np.diag(np.diag(hessian))
    gradient = np.where(shape.free, found.gradient, 0.0)
    return Dense(found.objective, found.constraints.copy(), gradient, jacobian, hessian)


def test_all_derivatives_are_those_of_differences() -> None:
    program = SpatialProgram(everything())
    shape, random = program.shape, np.random.default_rng(1)
    x = np.clip(0.5 * random.normal(size=len(shape.lower)), shape.lower, shape.upper)
    x[program.layout.packed.lengths] = [0.37, 0.45, 0.3]
    multipliers, weight, small = random.normal(size=len(shape.constraint_lower)), 0.7, 1e-6
    own = differentiated(program, x, multipliers, weight)
    values = program.evaluate(x)
    assert own.objective == pytest.approx(values.objective, rel=1e-12)
    assert own.constraints == pytest.approx(values.constraints, rel=1e-12, abs=1e-12)
    lengths = program.layout.packed.lengths[:2]
    for way in range(14):
        move = np.where(shape.free, random.normal(size=len(x)), 0.0)
        if way < len(lengths):
            move[:] = np.arange(len(x)) == lengths[way]
        more, less = (differentiated(program, x + side * small * move, multipliers, weight) for side in (1.0, -1.0))
        slopes = [weight * each.gradient + multipliers @ each.jacobian for each in (more, less)]
        for slope, one, other in (
            (own.gradient @ move, more.objective, less.objective),
            (own.jacobian @ move, more.constraints, less.constraints),
            (own.hessian @ move, slopes[0], slopes[1]),
        ):
            found = np.where(shape.free, slope, 0.0) if np.shape(slope) == np.shape(x) else slope
            differences = (other - one) / (-2.0 * small)
            kept = np.where(shape.free, differences, 0.0) if np.shape(slope) == np.shape(x) else differences
            assert np.abs(found - kept).max() < 1e-6 * np.abs(kept).max()


IDLE = tuple(JointMuscle(limb=name, torque=0.0) for name in MUSCLES)
SMOOTH = (*(replace(each, smoothness=0.3) for each in IDLE[:3]), IDLE[3])
CALM = (SpatialCalm(point=FOOT), SpatialCalm(point=BodyPoint("tail", (0.0, 0.1, -0.3)), weight=0.3))


@pytest.mark.parametrize("given", [{"calm": CALM, "muscles": IDLE}, {"calm": (), "muscles": SMOOTH}])
def test_the_derivatives_of_each_cost_alone_are_those_of_differences(given: dict[str, Any]) -> None:
    program = SpatialProgram(replace(everything(), pressing=0.0, **given))
    shape, random = program.shape, np.random.default_rng(5)
    x = np.clip(0.5 * random.normal(size=len(shape.lower)), shape.lower, shape.upper)
    x[program.layout.packed.lengths] = [0.37, 0.45, 0.3]
    none, small = np.zeros(len(shape.constraint_lower)), 1e-6
    own, lengths = differentiated(program, x, none, 1.0), program.layout.packed.lengths[:2]
    assert own.objective == pytest.approx(program.evaluate(x).objective, rel=1e-12)
    for way in range(8):
        move = np.where(shape.free, random.normal(size=len(x)), 0.0)
        if way < len(lengths):
            move[:] = np.arange(len(x)) == lengths[way]
        more, less = (differentiated(program, x + side * small * move, none, 1.0) for side in (1.0, -1.0))
        assert own.gradient @ move == pytest.approx((more.objective - less.objective) / (2.0 * small), rel=1e-6)
        curved = np.where(shape.free, (more.gradient - less.gradient) / (2.0 * small), 0.0)
        found = np.where(shape.free, own.hessian @ move, 0.0)
        assert np.abs(found - curved).max() < 1e-6 * np.abs(curved).max()


def test_a_calm_point_costs_its_acceleration() -> None:
    """By second differences of its place, over all three stages."""
    problem = replace(everything(), pressing=0.0, steadiness=0.0, calm=CALM[:1], muscles=IDLE, points=8)
    program, random = SpatialProgram(problem), np.random.default_rng(2)
    shape = program.shape
    x = np.clip(0.3 * random.normal(size=len(shape.lower)), shape.lower, shape.upper)
    x[program.layout.packed.lengths] = [0.37, 0.45, 0.3]
    motion, found, small = SpatialMotion(problem, program.layout, x), 0.0, 3e-4
    places, weights = np.polynomial.legendre.leggauss(8)
    for stage, given in enumerate(problem.stages):
        h = float(motion.lengths[stage]) / given.pieces
        for piece, place, weight in (
            (e, u, w) for e in range(given.pieces) for u, w in zip(places, weights, strict=True)
        ):
            middle = (piece + 0.5 * (place + 1.0)) / given.pieces
            q, v, a = (motion.stage_coordinates(stage, middle, order=order) for order in range(3))
            less, here, more = (
                np.array(problem.figure.point_at(q + t * v + 0.5 * t * t * a, FOOT)) for t in (-small, 0.0, small)
            )
            found += 0.5 * weight * h * float((((more - 2.0 * here + less) / small**2) ** 2).sum())
    assert program.evaluate(x).objective == pytest.approx(found, rel=1e-4)


def test_smoothness_costs_the_slope_of_torques() -> None:
    """Of a rod that turns about the vertical, tau = I q'' is known: of q = t^3 its slope is 6 I everywhere."""
    rod = Body(mass=1.0, centre=(0.3, 0.0, 0.0), inertia=(0.001, 0.03, 0.03, 0.0, 0.0, 0.0))
    joints = (
        Joint(id="base", name="Base"),
        Joint(id="rod", name="Rod", parent="base", dofs=(hinge("turn", (0.0, 1.0, 0.0)),), body=rod),
    )
    stage = MotionStage(name="a", pieces=3, length=0.9, muscles={"turn": HAT})
    muscles = (JointMuscle(limb="turn", torque=0.0, smoothness=2.0),)
    figure = spatial_figure(Figure(name="Rod", joints=joints))
    program = SpatialProgram(SpatialProblem(figure=figure, stages=(stage,), muscles=muscles))
    times = np.linspace(0.0, 0.9, 4)
    path = fit_spline(3, times[:, None] ** 3, (np.array([0.0]), np.array([0.9 * 3.0 * 0.81])))[:, 0]
    x = np.concatenate([path, [0.9]])
    assert program.evaluate(x).objective == pytest.approx(2.0 * 0.9 * (6.0 * (0.03 + 0.09)) ** 2, rel=1e-9)


def test_steps_of_gauss_and_newton_have_the_products_of_first_derivatives_alone() -> None:
    figure = spatial_figure(branched(1.5))
    lengths = MotionStage(name="one", pieces=2, length=0.4, muscles=dict.fromkeys(figure.coordinates, HAT))
    muscles = tuple(JointMuscle(limb=name) for name in figure.coordinates)
    program = SpatialProgram(SpatialProblem(figure=figure, stages=(lengths,), muscles=muscles))
    x = np.random.default_rng(3).normal(size=len(program.shape.lower)) * program.shape.scale
    x[program.layout.packed.lengths] = 0.4
    none = np.zeros(len(program.shape.constraint_lower))

    def least(curved: bool) -> float:
        found = program.differentiate(x, none, 1.0, curved=curved)
        rows, columns = program.shape.hessian_rows, program.shape.hessian_columns
        whole, used = np.zeros((len(x), len(x))), (rows >= 0) & (columns >= 0)
        np.add.at(whole, (rows[used], columns[used]), found.hessian[used])
        values = np.linalg.eigvalsh(
            whole + np.tril(whole, -1).T if np.allclose(whole, np.tril(whole)) else whole + whole.T
        )
        return float(values[0] / values[-1])

    assert least(curved=False) > -1e-12
    assert least(curved=True) < -1e-3, "or nothing is left out"


def sliding(length: MotionStage) -> SpatialProblem:
    """A hand that slides on the ground while the figure flies."""
    forces = tuple(
        SpatialForce(name=name, point=FOOT, direction=way)
        for name, way in (("press", (0.0, 1.0, 0.0)), ("along", (1.0, 0.0, 0.0)), ("across", (0.0, 0.0, 1.0)))
    )
    acting = {"press": HAT, "along": HAT, "across": SINGLE}
    stage = replace(length, forces=acting, muscles=dict.fromkeys(MUSCLES, HAT))
    cone = SpatialCone(stage="a", normals=("press",), tangents=("along", "across"), friction=0.6, slides=True)
    return SpatialProblem(
        figure=spatial_figure(branched(2.0)), stages=(stage,), muscles=IDLE, forces=forces, cones=(cone,)
    )


def test_friction_is_against_the_slide_with_the_derivatives_of_differences() -> None:
    program = SpatialProgram(sliding(MotionStage(name="a", pieces=3, length=0.4, least_length=0.2, most_length=0.6)))
    shape, random = program.shape, np.random.default_rng(4)
    x, multipliers, small = random.normal(size=len(shape.lower)), np.zeros(len(shape.constraint_lower)), 1e-7
    x[: program.layout.packed.columns[:, : 4 * 10].max() + 1] *= 3e-3  # slow, where friction depends on the speed
    x[program.layout.packed.lengths] = 0.37
    rows = [at for at in range(len(multipliers)) if "against the slide" in program.describe(at)]
    assert len(rows) == 8
    multipliers[rows] = random.normal(size=len(rows))
    own = differentiated(program, x, multipliers, 0.0)
    assert own.constraints == pytest.approx(program.evaluate(x).constraints, rel=1e-12, abs=1e-12)
    motion, figure = SpatialMotion(program.problem, program.layout, x), program.problem.figure
    for node, (along, across) in enumerate(zip(rows[::2], rows[1::2], strict=True)):
        q, v = (motion.stage_coordinates(0, node / 3, order=order) for order in (0, 1))
        less, more = (np.array(figure.point_at(q + side * 1e-6 * v, FOOT)) for side in (-1.0, 1.0))
        velocity, sizes = (more - less) / 2e-6, motion.stage_forces(0, node / 3)
        whole = 0.6 * sizes[0] * velocity[[0, 2]] / np.sqrt(velocity[[0, 2]] @ velocity[[0, 2]] + 1e-4)
        assert own.constraints[[along, across]] == pytest.approx(sizes[1:] + whole, rel=1e-6)
    for way in range(8):
        move = np.where(shape.free, random.normal(size=len(x)), 0.0)
        if way == 0:
            move[:] = np.arange(len(x)) == program.layout.packed.lengths[0]
        more_of, less_of = (differentiated(program, x + side * small * move, multipliers, 0.0) for side in (1.0, -1.0))
        slope = (more_of.constraints - less_of.constraints)[rows] / (2.0 * small)
        assert np.abs((own.jacobian @ move)[rows] - slope).max() < 1e-6 * np.abs(slope).max()
        curved = multipliers @ (more_of.jacobian - less_of.jacobian) / (2.0 * small)
        assert np.abs(own.hessian @ move - curved).max() < 1e-5 * np.abs(curved).max()


def test_torques_are_those_of_the_house_less_what_forces_and_springs_do() -> None:
    problem = everything()
    program, figure = SpatialProgram(problem), problem.figure
    work = new_point_work(new_tree_work(figure, 2), len(figure.coordinates), 2)
    random = np.random.default_rng(3)
    for each in (work.q, work.v, work.a, work.sizes):
        each[:] = random.normal(size=len(each))
    set_torques(program.layout.packed, work)
    mechanics, outside = figure.mechanics, np.zeros((figure.mechanics.joint_count, 6))
    state, tau = mechanics.new_work(), np.zeros(mechanics.rate_count)
    for _ in range(2):  # first for where the bodies are
        compute_inverse_dynamics(mechanics.ints, mechanics.floats, work.q, work.v, work.a, outside, state, tau)
        outside[:] = 0.0
        for size, force in zip(work.sizes, problem.forces, strict=True):
            joint = figure.joint(force.point.joint)
            arm = state[(joint + 1) * ROW : (joint + 1) * ROW + 9].reshape(3, 3) @ force.point.place
            outside[joint, :3] += size * np.array(force.direction)
            outside[joint, 3:] += size * np.cross(arm, force.direction)
    for name, stiffness, rest in (("arm.swing", 6.0, 0.4), ("tail.bend", 9.0, -0.3)):
        tau[figure.coordinate(name)] -= stiffness * (rest - work.q[figure.coordinate(name)])
    assert work.tree.tau == pytest.approx(tau, abs=1e-12)


def test_splines_go_through_what_they_are_fitted_to() -> None:
    pieces = 4
    values, slopes = np.random.default_rng(0).normal(size=(pieces + 1, 1)), (np.array([0.3]), np.array([-2.0]))
    found = fit_spline(pieces, values, slopes)[:, 0]
    for node in range(pieces + 1):
        piece = min(node, pieces - 1)
        assert spline_basis(pieces, piece, node - piece)[0] @ found[piece : piece + 4] == pytest.approx(values[node, 0])
    assert pieces * spline_basis(pieces, 3, 1.0)[1] @ found[3:] == pytest.approx(-2.0)
    for piece in range(pieces - 1):
        ends, begins = spline_basis(pieces, piece, 1.0), spline_basis(pieces, piece + 1, 0.0)
        assert ends @ found[piece : piece + 4] == pytest.approx(begins @ found[piece + 1 : piece + 5])
    assert greville(pieces)[[0, 1, 2, -1]] == pytest.approx([0.0, 1.0 / 12.0, 0.25, 1.0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"muscles": (JointMuscle(limb="nobody"),)}, "nobody"),
        ({"stages": ()}, "at least one"),
        (
            {"stages": (MotionStage(name="a", pieces=1, length=1.0, coordinates={"root.x": HAT}),)},
            "representation of root.x",
        ),
        (
            {"stages": (MotionStage(name="a", pieces=1, length=1.0, forces={"push": Representation()}),)},
            "representation of push",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(change: dict[str, Any], words: str) -> None:
    given = everything()
    fields = {name: getattr(given, name) for name in ("figure", "stages", "muscles", "forces")}
    with pytest.raises(EngineError, match=words):
        SpatialProblem(**(fields | change))
