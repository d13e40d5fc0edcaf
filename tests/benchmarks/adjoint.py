"""Gradients of controlled soft bodies beside the forward run that they are of, by body, tolerance and number of steps.

A gradient is counted with the run that it needs: the run forward, and the way back. Bodies stand on the ground, or
swing from where they are held; their splines contract and extend by seed, in each step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import median
from time import process_time

import numpy as np

from engine.document import Span
from engine.document.ticks import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.soft.control.controls import Controls, spread
from engine.soft.control.objective import Objective, pose_key
from engine.soft.control.planning import MotionKey, plan_motion
from engine.soft.control.problem import ControlProblem, StepSetting
from engine.soft.goals import SoftPlanChoices
from engine.soft.materials import SoftMaterial
from engine.soft.meshing import cylinder
from engine.soft.parts import SoftWorld
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.step import SoftOptions, SoftPiece, StepGiven, compile_soft
from engine.soft.uses import soft_actors
from tests.benchmarks.harness import Row

NAME = "adjoint"
ALLOWED = 4.0
ROUNDS = 5
STEPS = 60
LONGER = 4


@dataclass(frozen=True)
class Timed:
    """Seconds of runs and of the ways back."""

    forward: float
    backward: float


def measure() -> Iterator[Row]:
    """The rows."""
    for name in ("table", "stool", "lizard"):
        for tolerance in (1e-4, 1e-7):
            yield _row(f"{name}, on the ground, to {tolerance:g}", timed(standing(name, tolerance), STEPS))
    for rings, layers in ((2, 14), (3, 25)):
        problem = swinging(rings, layers)
        cells = len(problem(1).settings[0].model.pieces[0].mesh.cells)
        yield _row(f"cantilever, {cells:,} tetrahedra, to 1e-4", timed(problem, STEPS))
    problem = swinging(2, 14)
    short, long = timed(problem, STEPS), timed(problem, LONGER * STEPS)
    yield Row(
        what=f"gradient a step, {LONGER * STEPS} steps beside {STEPS}",
        measured=(long.forward + long.backward) / (LONGER * STEPS) * 1e3,
        unit="ms",
        asked="linear in steps",
        peer=f"{STEPS} steps",
        peer_measured=(short.forward + short.backward) / STEPS * 1e3,
        allowed=1.25,
    )
    again = timed(lambda count: replace(problem(count), most_bytes=0), LONGER * STEPS)
    yield Row(
        what="gradient a step, states stepped again from checkpoints",
        measured=(again.forward + again.backward) / (LONGER * STEPS) * 1e3,
        unit="ms",
        peer="a run forward",
        peer_measured=again.forward / (LONGER * STEPS) * 1e3,
        allowed=ALLOWED,
        note=f"one state in {math.ceil(math.sqrt(LONGER * STEPS))} is kept",
    )


def _row(what: str, found: Timed) -> Row:
    return Row(
        what=what,
        measured=(found.forward + found.backward) / STEPS * 1e3,
        unit="ms a step",
        asked="at most 4 runs",
        peer="a run forward",
        peer_measured=found.forward / STEPS * 1e3,
        allowed=ALLOWED,
        note=f"the way back alone {found.backward / found.forward:.2f}",
    )


def timed(make: Callable[[int], ControlProblem], count: int) -> Timed:
    """Measure processor time of runs of so many steps and of their gradients, in turn; the medians."""
    problem = make(count)
    values = seeded(problem)
    problem.gradient(problem.run(values))
    forward, backward = [], []
    for _ in range(ROUNDS):
        began = process_time()
        run = problem.run(values)
        forward.append(process_time() - began)
        began = process_time()
        problem.gradient(run)
        backward.append(process_time() - began)
    return Timed(median(forward), median(backward))


def seeded(problem: ControlProblem) -> Array:
    """Contractions that a seed makes."""
    rng = np.random.default_rng(0)
    return problem.controls.passive() + 0.2 * rng.uniform(-1.0, 1.0, problem.controls.shape)


def standing(name: str, tolerance: float) -> Callable[[int], ControlProblem]:
    """Make the problem of an example's body on the ground, from half a second on, in steps of 1/60 s."""
    document = example(name).build()
    ((actor, body),) = soft_actors(document)
    still = replace(body, splines=tuple(replace(each, activation="constant", alpha=1.0) for each in body.splines))
    document = document.with_actor(actor.with_part(still)).with_part(SoftWorld(step=1.0 / 60.0))

    def problem(count: int) -> ControlProblem:
        start = TICKS_PER_SECOND // 2
        span = Span(start=start, end=start + count * TICKS_PER_SECOND // 60)
        key = MotionKey(actor=actor.id, time=span.end, centre=(0.3, 0.3, 0.0))
        ids = [each.id for each in still.splines]
        choices = SoftPlanChoices(tolerance=tolerance)
        return plan_motion(
            Evaluator(), document, splines={actor.id: ids}, keys=[key], span=span, choices=choices
        ).problem

    return problem


def swinging(rings: int, layers: int) -> Callable[[int], ControlProblem]:
    """Make the problem of a cantilever with a spline in it."""
    mesh = cylinder(0.1, 1.0, rings=rings, layers=layers, axis=0)
    held = np.flatnonzero(mesh.points[:, 0] < mesh.points[:, 0].min() + 1e-9).astype(np.int32)
    material = SoftMaterial(young=1e5, poisson=0.4, density=1000.0, stiffness_damping=0.01)
    drawn = DrawnSpline(controls=np.array([[-0.4, 0.05, 0.0], [0.4, 0.05, 0.0]]), samples=8)
    springs = bind_splines(mesh, mesh.masses(1000.0), [drawn], young=1e5).springs
    piece = SoftPiece(mesh=mesh, material=material, held=held, springs=springs, touches=False)
    model = compile_soft([piece], SoftOptions(tolerance=1e-4))

    def problem(count: int) -> ControlProblem:
        segments, times = len(model.bodies.strings.segments), np.arange(1.0, count + 1.0)
        controls = Controls(
            spread=spread(times, times), base=np.ones((count, segments)), spline_of=np.zeros(segments, np.int32)
        )
        objective = Objective(keys=(pose_key(count, model.rest, masses=model.masses),))
        setting = StepSetting(model, StepGiven())
        return ControlProblem([setting] * count, 1.0 / 60.0, model.new_state(), controls, objective)

    return problem
