"""The examples of planned motion: soft bodies that are wanted somewhere, and what was found that their splines must do.

`python -m tests.example_documents planned` searches anew and writes them; a search takes a minute or two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.document import Document, Key, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.runtime.progress import finish
from engine.soft.commands.keyframe_here import KeyframeHere
from engine.soft.control.planned import plan_of, said_of, search_plan
from engine.soft.forms import ball, surface_of
from engine.soft.goals import SoftPlan
from engine.soft.making import body_of, soft_actor
from engine.soft.mesh import volume_mesh
from engine.soft.meshing import cube_grid
from engine.soft.parts import ALPHA, ActivationSpline, SoftWorld
from engine.soft.uses import soft_actors

FAR, HIGH = 0.3, 0.2  # [m] of the mark, and of the centre above where it stands
START, APEX, LANDING = 0.5, 1.0, 1.4  # [s]
RESTS = 0.4  # [s] after it until which the splines come to rest
LONG, SIDE = 0.3, 0.08  # [m] from one particle to the other, and of the cube that each of them is
TRUE = ((0.2, 1.0), (0.4, 0.6), (0.5, 1.5), (0.6, 1.0), (0.9, 1.0), (1.0, 0.8), (1.2, 1.0))
"""[s] and alphas of the motion that two particles are seen in."""
EVERY, FRAMES = 4, 36  # frames of it that are known


def leap() -> Document:
    """A table in a plane that jumps to a mark by its splines: high into the air, then onto it in its shape at rest."""
    document = example("table").build()
    ((actor, body),) = soft_actors(document)
    splines = tuple(replace(each, activation="constant", alpha=1.0, track=None, expression="") for each in body.splines)
    document = document.with_actor(actor.with_part(replace(body, splines=splines)))
    world = SoftWorld(step=1.0 / 120.0, tolerance=1e-6)
    document = replace(document, play=Span(start=0, end=3 * SECOND)).with_part(world)
    document = edit("set_plan_choices", tolerance=1e-6, iterations=40).apply(document)
    document = edit("set_plan_start", actor=actor.id, start=ticks(START)).apply(document)
    document = wanted(document, actor.id, "air", APEX, (0.5 * FAR, HIGH, 0.0))
    document = wanted(document, actor.id, "mark", LANDING, (FAR, 0.0, 0.0), whole=True)
    document = found(document)
    document = found(edit("set_plan_choices", staged=False).apply(document))
    rest = (Key(ticks(LANDING + RESTS), 1.0),)
    for each in body.splines:
        document = edit("set_activation_keys", actor=actor.id, spline=each.id, keys=rest).apply(document)
    return document


def two_particles() -> Document:
    """Two particles joined by a spring, which hop by it: of a motion every fourth frame is known, and what the spring
    does is found again (after figure 41)."""
    cube = cube_grid((1, 1, 1), SIDE).mesh
    low = cube.points - 0.5 * SIDE
    places, cells = (low, low + np.array((0.0, LONG, 0.0))), (cube.cells, cube.cells + len(low))
    mesh = volume_mesh(np.concatenate(places), np.concatenate(cells), "hexahedra")
    keys = tuple(Key(ticks(time), alpha, interpolation="linear") for time, alpha in TRUE)
    spring = ActivationSpline(
        id="spring", name="Spring", points=((0.0, 0.0, 0.0), (0.0, LONG, 0.0)), samples=2, stiffness=4.0,
        activation="keys", track=Track(coordinate=ALPHA, keys=keys),
    )  # fmt: skip
    surface = surface_of(_two_balls, (-SIDE, -SIDE, -SIDE), (SIDE, LONG + SIDE, SIDE), 0.01)
    body = body_of(mesh, surface=surface, splines=(spring,), young=5e4, stiffness_damping=0.01, material="corotational")
    made = soft_actor("particles", "Two particles", body, position=(0.0, 0.5 * SIDE + 0.002, 0.0))
    world = SoftWorld(step=1.0 / 120.0, tolerance=1e-7)
    document = Document(actors=(made,), rate=(30, 1), parts=(world,), play=Span(start=0, end=2 * SECOND))
    for frame in range(2 * EVERY, FRAMES + 1, EVERY):
        id = f"frame_{frame}"
        document = wanted(document, made.id, id, frame / 30.0, (0.0, 0.0, 0.0), whole=True)
        document = edit("set_keyframe_velocity", actor=made.id, keyframe=id, velocity=None).apply(document)
    document = edit("remove_activation_keys", actor=made.id, spline="spring").apply(document)
    document = edit("set_plan_start", actor=made.id, start=ticks(TRUE[0][0])).apply(document)
    chosen = {"reach": 1e5, "dear": 0.0, "most": 2.0, "iterations": 150, "staged": False}
    return found(edit("set_plan_choices", **chosen).apply(document))


def _two_balls(points: Array) -> Array:
    """How far places are from two balls, a little larger than the cubes that carry them."""
    return np.minimum(*(ball(points, (0.0, high, 0.0), 0.52 * SIDE) for high in (0.0, LONG)))


def wanted(document: Document, actor: str, id: str, time: float, way: Vector3, *, whole: bool = False) -> Document:
    """The document in which a body is to be so far from where it is at a time [s]."""
    change = KeyframeHere(id=id, actor=actor, time=ticks(time), whole=whole)
    document = finish(change.work_through(Evaluator(), document)).apply(document)
    plan = document.actor(actor).part(SoftPlan)
    keyframe = None if plan is None else plan.keyframe(id)
    assert keyframe is not None
    x, y, z = (np.array(keyframe.position) + np.array(way)).tolist()
    return edit("move_soft_keyframe", actor=actor, keyframe=id, position=(x, y, z)).apply(document)


def found(document: Document) -> Document:
    """The document with what a search finds."""
    plan, last = plan_of(Evaluator(), document), None
    for last in search_plan(plan):
        print(f"{last.share:4.0%} {last.iterate.run.value:.5g}", "; ".join(said_of(plan, last.iterate.run)), flush=True)
    assert last is not None
    return plan.edit(last.iterate.values).apply(document)


def ticks(time: float) -> int:
    """A time [s] in ticks."""
    return round(time * SECOND)


PLANNED: dict[str, Callable[[], Document]] = {"leap": leap, "two_particles": two_particles}
