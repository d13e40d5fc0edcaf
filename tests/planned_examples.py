"""The examples of planned motion: soft bodies that are wanted somewhere, and what was found that their splines must do.

`python -m tests.example_documents planned` searches anew and writes them; a search takes a minute or two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.document import Blob, Document, Key, Span
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
from engine.soft.nodal import NodalForces
from engine.soft.parts import SoftWorld
from engine.soft.uses import soft_actors

FAR, HIGH = 0.3, 0.2  # [m] of the mark, and of the centre above where it stands
START, APEX, LANDING = 0.5, 1.0, 1.4  # [s]
RESTS = 0.4  # [s] after it until which the splines come to rest
LONG, RADIUS = 1.0, 0.09  # [m] from one particle to the other, and of the ball that is drawn of each
MASS, STIFF, DAMPED, SECTION = 1.0, 20.0, 0.3, 0.01  # [kg] of each, [N/m], [N s/m] of the spring, [m2]
WEIGHT, STRONGEST = 9.80665 * MASS, 30.0  # [N]
OFF = 0.5  # of the forces, by which the first guess is off
EVERY, BENDS, FRAMES = 4, 8, 40  # frames of their motion: those that are known, where forces may bend, all
KNOWN, TIMES = (tuple(each * SECOND // 30 for each in range(0, FRAMES + 1, apart)) for apart in (EVERY, BENDS))


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
    """Two particles joined by a spring, which forces take along: of their motion the shape in every fourth frame is
    known, and from this the forces are found again, from a guess that is off by a random share (figure 41)."""
    places = np.array(((-0.5 * LONG, 0.0, 0.0), (0.5 * LONG, 0.0, 0.0)))
    mesh = volume_mesh(places, np.array(((0, 1),)), "edges")
    surface = surface_of(_two_balls, (-LONG, -0.2, -0.2), (LONG, 0.2, 0.2), 0.02)
    push = NodalForces(
        id="push", name="Push", points=Blob(np.arange(2, dtype=np.int32)), strongest=STRONGEST, times=TIMES,
        values=Blob(true_forces()),
    )  # fmt: skip
    body = body_of(
        mesh, surface=surface, young=STIFF * LONG / SECTION, density=2.0 * MASS / (LONG * SECTION),
        mass_damping=0.0, stiffness_damping=DAMPED / STIFF, touches=False, forces=(push,),
    )  # fmt: skip
    body = replace(body, thickness=SECTION)
    made = soft_actor("particles", "Two particles", body, position=(0.0, 1.0, 0.0))
    world = SoftWorld(step=1.0 / 60.0, tolerance=1e-7)
    document = Document(actors=(made,), rate=(30, 1), parts=(world,), play=Span(start=0, end=TIMES[-1]))
    for time in KNOWN[1:]:
        id = f"frame_{round(time / SECOND * 30)}"
        document = wanted(document, made.id, id, time / SECOND, (0.0, 0.0, 0.0), whole=True)
        document = edit("set_keyframe_velocity", actor=made.id, keyframe=id, velocity=None).apply(document)
    off = 1.0 + OFF * np.random.default_rng(0).uniform(-1.0, 1.0, (len(TIMES), 2, 3))
    spoiled = {"times": TIMES, "values": Blob(off * true_forces())}
    document = edit("set_nodal_values", actor=made.id, forces="push", **spoiled).apply(document)
    chosen = {"reach": 1e5, "dear": 1e-4, "iterations": 250, "spacing": BENDS / 30.0, "staged": False}
    return found(edit("set_plan_choices", **chosen).apply(document))


def true_forces() -> Array:
    """What acts on both particles while they are seen: it holds them up, swings and turns them [N]."""
    turn = 2.0 * np.pi * np.linspace(0.0, 1.0, len(TIMES))
    found = np.zeros((len(TIMES), 2, 3))
    found[:, 0, :2] = np.stack((7.0 * np.cos(turn), WEIGHT + 9.0 * np.cos(turn)), axis=1)
    found[:, 1, :2] = np.stack((6.0 * np.cos(2.0 * turn), WEIGHT - 6.0 * np.cos(turn)), axis=1)
    return found


def _two_balls(points: Array) -> Array:
    """How far places are from the balls that are drawn of both."""
    return np.minimum(*(ball(points, (0.5 * side * LONG, 0.0, 0.0), RADIUS) for side in (-1.0, 1.0)))


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
