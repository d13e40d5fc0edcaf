"""Muscles drive what physics simulates: against an integration of their own, balance of forces, and edits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.document import Actor, Body, Document, Dof, Figure, Joint, Key, Layer, Track
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.dynamics.resistance import DAMPING, RATE_WIDTH
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.model.compile import ROW, compile_model
from engine.motion.changed import changed_span
from engine.muscles.compiled import MuscledFigure
from engine.muscles.driving import MuscleDrive
from engine.muscles.parts import (
    ACTIVATION,
    FORCE_MODELS,
    ForceModel,
    Muscle,
    MuscleActivation,
    MuscleActivations,
    Muscles,
    PathPoint,
)
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.scene import compile_scene
from engine.runtime.errors import Diverged
from tests.engine.muscles.muscled import tree, vector

G, MASS, LENGTH = 9.80665, 2.0, 0.3
NEAR, FAR = 0.05, 0.25  # [m] of the joint: where the flexor inserts below it, where it begins above
EVER = 1e-9


def arm(mass: float = MASS) -> Figure:
    """A mass on a rod that hangs from a post at 0 and swings about x."""
    body = Body(mass=mass, centre=(0.0, -LENGTH, 0.0), inertia=(0.0,) * 6)
    bend = Dof(id="bend", name="Bend", axis=(1.0, 0.0, 0.0))
    rod = Joint(id="rod", name="Rod", parent="post", dofs=(bend,), body=body)
    return Figure(name="Arm", joints=(Joint(id="post", name="Post"), rod))


def pulls(id: str, ahead: float, force: float = 400.0) -> Muscle:
    """A muscle in front of the joint, or behind it."""
    points = (PathPoint(joint="post", point=(0.0, FAR, ahead)), PathPoint(joint="rod", point=(0.0, -NEAR, ahead)))
    return Muscle(id=id, name=id, points=points, force=force, fibre=0.12, tendon=0.18)


FLEXOR, EXTENSOR = pulls("flexor", 0.03), pulls("extensor", -0.03)


def document(
    *activations: MuscleActivation,
    muscles: tuple[Muscle, ...] = (FLEXOR,),
    model: ForceModel = "de_groote",
    step: float = 0.001,
    gravity: float = G,
    mass: float = MASS,
    begin: float = 0.0,
) -> Document:
    layer = Layer(id="keys", name="Keys", values=(("bend", begin),))
    parts = (Physics(), Muscles(muscles=muscles, model=model), MuscleActivations(activations=activations))
    actor = Actor(id="me", name="Me", figure=arm(mass), layers=(layer,), parts=parts)
    return Document(actors=(actor,), parts=(PhysicsWorld(ground=False, step=step, gravity=gravity),))


def bends(made: Document, times: tuple[float, ...], evaluator: Evaluator | None = None) -> Array:
    found = (evaluator or Evaluator()).rows_at(made, [round(time * SECOND) for time in times])
    return np.array([rows["me"][ROW] for rows in found])


def constant(muscle: str, value: float) -> MuscleActivation:
    return MuscleActivation(muscle=muscle, value=value)


def torque_of(muscle: Muscle, model: ForceModel, angle: float, rate: float, activation: float) -> float:
    """What a muscle does about the joint, by geometry of its own and the forces of its model."""
    (_, y, z), (_, below, ahead) = (each.point for each in muscle.points)
    end = np.array(
        (below * math.cos(angle) - ahead * math.sin(angle), below * math.sin(angle) + ahead * math.cos(angle))
    )
    way = end - (y, z)
    length = float(np.hypot(*way))
    change = float(way @ (-end[1], end[0])) / length
    figure = MuscledFigure(compile_model(arm()), Muscles(muscles=(muscle,), model=model))
    (force,) = figure.forces(np.array([length]), np.array([change * rate]), np.array([activation]))
    return -change * float(force)


@pytest.mark.parametrize("model", FORCE_MODELS)
def test_an_arm_moves_as_its_equation_of_motion_has_it_and_comes_nearer_with_shorter_steps(model: ForceModel) -> None:
    made = document(constant("flexor", 0.4), model=model)
    scene = compile_scene(made)
    damping = float(scene.articulation((True,)).table.reshape(-1, RATE_WIDTH)[0, DAMPING])

    def motion(_: float, state: Array) -> list[float]:
        angle, rate = state
        weight = -MASS * G * LENGTH * math.sin(angle)
        torque = torque_of(FLEXOR, model, angle, rate, 0.4)
        return [rate, (weight + torque - damping * rate) / (MASS * LENGTH**2)]

    times = (0.1, 0.2, 0.4)
    exact = solve_ivp(motion, (0.0, 0.4), [0.0, 0.0], t_eval=times, rtol=1e-9, atol=1e-10).y[0]
    off = [
        float(np.abs(bends(document(constant("flexor", 0.4), model=model, step=step), times) - exact).max())
        for step in (0.004, 0.001)
    ]
    assert abs(exact[-1]) > 0.2
    assert off[1] < 0.02 * abs(exact[-1])
    assert off[1] < 0.4 * off[0], "of first order: a quarter"


def test_it_comes_to_rest_where_muscles_and_weight_balance_however_long_the_step_is() -> None:
    for step in (0.001, 0.02):
        made = document(constant("flexor", 0.5), constant("extensor", 0.3), muscles=(FLEXOR, EXTENSOR), step=step)
        one, two = bends(made, (5.9, 6.0))
        assert one == pytest.approx(two, abs=1e-3)
        weight = -MASS * G * LENGTH * math.sin(two)
        torque = sum(torque_of(each, "de_groote", two, 0.0, a) for each, a in ((FLEXOR, 0.5), (EXTENSOR, 0.3)))
        assert abs(weight) > 0.3
        assert weight + torque == pytest.approx(0.0, abs=1e-2 * abs(weight))


def test_strong_muscles_on_a_light_bone_stay_calm_in_long_steps() -> None:
    strong = tuple(replace(each, force=20_000.0) for each in (FLEXOR, EXTENSOR))
    made = document(
        constant("flexor", 1.0), constant("extensor", 0.9), muscles=strong, step=0.02, mass=0.02, gravity=0.0
    )
    found = bends(made, tuple(0.1 * each for each in range(1, 31)))
    assert np.isfinite(found).all()
    assert np.abs(found).max() < math.pi, "the stronger one turns it up, and no further"
    assert np.abs(np.diff(found[-8:])).max() < 1e-4


def test_what_pulls_and_when_follows_keys_and_edits_from_there_on() -> None:
    keys = Track(
        coordinate=ACTIVATION,
        keys=tuple(Key(round(t * SECOND), v, "linear") for t, v in ((0.0, 0.0), (0.5, 0.0), (0.6, 0.8))),
    )
    made, evaluator = document(MuscleActivation(muscle="flexor", track=keys)), Evaluator()
    before = bends(made, (0.45, 1.0), evaluator)
    assert before[1] < before[0] - 0.2
    later = edit("set_muscle_keys", actor="me", muscle="flexor", keys=(Key(round(0.8 * SECOND), 0.1),)).apply(made)
    ((_, start, _),) = changed_span(made, later)
    assert start is not None
    assert start > 0.5 * SECOND
    after = bends(later, (0.45, 1.0), evaluator)
    assert after == pytest.approx(bends(later, (0.45, 1.0)), abs=0.0), "as from the start, to the byte"
    assert after[0] == before[0]
    assert after[1] > before[1] + 0.1
    idle = edit("set_muscle_model", actor="me", pulling=False).apply(made)
    assert bends(idle, (1.0,), evaluator) == pytest.approx(0.0, abs=EVER)
    still = edit("remove_muscles", actor="me").apply(made)
    assert bends(still, (1.0,), evaluator) == pytest.approx(0.0, abs=EVER)


def test_a_muscle_that_is_far_too_short_for_its_path_is_named() -> None:
    made = document(muscles=(replace(FLEXOR, name="Biceps", fibre=0.03, tendon=0.05),))
    with pytest.raises(Diverged, match=r"the pull of Biceps \[N\] became .* give it longer fibres or a longer tendon"):
        bends(made, (0.1,))


def test_muscles_that_hold_on_to_the_ground_drive_a_root() -> None:
    slide = Dof(id="up", name="Up", kind="slide", axis=(0.0, 1.0, 0.0))
    body = Body(mass=1.0, centre=(0.0, 0.0, 0.0), inertia=(1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0))
    figure = Figure(name="Weight", joints=(Joint(id="weight", name="Weight", dofs=(slide,), body=body),))
    points = (PathPoint(joint=None, point=(0.0, 0.3, 0.0)), PathPoint(joint="weight", point=(0.0, 0.0, 0.0)))
    rope = Muscle(id="rope", name="Rope", points=points, force=100.0, fibre=0.12, tendon=0.18)
    parts = (Physics(), Muscles(muscles=(rope,)), MuscleActivations(activations=(constant("rope", 0.5),)))
    actor = Actor(id="me", name="Me", figure=figure, layers=(Layer(id="keys"),), parts=parts)
    made = Document(actors=(actor,), parts=(PhysicsWorld(ground=False, gravity=0.0),))
    assert bends(made, (0.2,))[0] > 0.02


def test_what_falls_is_the_torque_of_the_gradient_and_giving_bounds_its_matrix() -> None:
    """Against finite differences of the whole matrix, on random figures."""
    random, dt = np.random.default_rng(5), 0.01
    figure = tree(random)
    names = [joint.id for joint in figure.joints]
    muscles = tuple(
        Muscle(
            id=f"m{each}", name="M", force=300.0, fibre=0.2, tendon=0.05,
            points=tuple(PathPoint(joint=str(one), point=vector(random, 0.1)) for one in random.choice(names, 3)),
        )
        for each in range(8)
    )  # fmt: skip
    q, qd = random.normal(size=len(figure.coordinates)) * 0.4, random.normal(size=len(figure.dofs)) * 0.3
    long = MuscledFigure(compile_model(figure), Muscles(muscles=muscles)).lengths(q).tolist()
    fitting = (replace(each, fibre=0.6 * size, tendon=0.4 * size) for each, size in zip(muscles, long, strict=True))
    made = MuscledFigure(compile_model(figure), Muscles(muscles=tuple(fitting)))
    active = MuscleActivations(activations=tuple(constant(each.id, 0.6) for each in muscles))
    drive = MuscleDrive(made, active)
    torque, giving = drive.torques(0.0, q, qd, dt)
    lengths, gradient = made.measure(q)
    rates = gradient @ qd
    forces = made.forces(lengths + dt * rates, rates, np.full(8, 0.6))
    assert torque == pytest.approx(-gradient.T @ forces, abs=1e-9)
    step = 1e-6
    columns = [
        (drive.torques(0.0, q, qd - step * unit, dt)[0] - drive.torques(0.0, q, qd + step * unit, dt)[0]) / (2.0 * step)
        for unit in np.eye(len(qd))
    ]
    matrix = dt * np.array(columns).T
    assert matrix == pytest.approx(matrix.T, abs=1e-6)
    assert np.linalg.eigvalsh(np.diag(giving) - matrix).min() > -1e-6
