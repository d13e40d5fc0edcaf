"""A soft body touches the parts of its wearer that hold no point of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.document import Actor, Capsule, Document, Joint, Key, Layer, Track
from engine.document.figure import Dof, Figure
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.physics.parts import PhysicsWorld
from engine.soft.parts import SoftWorld
from engine.soft.simulation import SoftSimulation
from engine.soft.stage import SoftStage
from engine.soft.surroundings import find_surroundings
from tests.engine.soft.driven import SECOND, flag

RADIUS = 0.03


def wearer() -> Actor:
    """A bone that holds a slab at its end, and a rod on the bone that is lowered onto the slab."""
    hold = Joint(id="arm", name="Arm", shapes=(Capsule(start=(0.0, 0.0, 0.0), end=(0.25, 0.0, 0.0), radius=0.02),))
    sink = Dof(id="sink", name="Sink", kind="slide", axis=(0.0, -1.0, 0.0))
    bar = Capsule(start=(0.37, 0.12, -0.1), end=(0.37, 0.12, 0.1), radius=RADIUS)
    rod = Joint(id="rod", name="Rod", parent="arm", dofs=(sink,), shapes=(bar,))
    keys = (Key(0, 0.0), Key(SECOND // 2, 0.08))
    layer = Layer(id="keys", tracks=(Track(coordinate="sink", keys=keys),))
    return Actor(id="arm", name="Arm", figure=Figure(name="Arm", joints=(hold, rod)), layers=(layer,))


def worn(*more: Actor, **given: Any) -> Document:
    body = flag(stepped="from_start", young=4e4, stiffness_damping=0.03, **given)
    return Document(actors=(wearer(), body, *more), parts=(PhysicsWorld(ground=False, gravity=0.0), SoftWorld()))


def simulation(document: Document) -> SoftSimulation:
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    found = stage.simulation(document)
    assert found is not None
    return found


def nearest(points: Array) -> float:
    """How near points come to the middle of the lowered rod [m]."""
    away = points[:, :2] - np.array((0.37, 0.04))
    return float(np.linalg.norm(away, axis=1).min())


def test_the_part_that_holds_a_body_is_left_out_and_others_are_touched() -> None:
    (solid,) = find_surroundings(worn(touches_wearer=True)).solids
    assert (solid.actor, solid.joint, solid.spared) == ("arm", 1, ())
    assert find_surroundings(worn()).solids == ()
    points, through = (simulation(worn(touches_wearer=each)).points(round(0.7 * SECOND))[:] for each in (True, False))
    assert nearest(points) > 0.9 * RADIUS
    assert nearest(through) < 0.8 * RADIUS


def test_each_body_goes_through_what_holds_it_alone() -> None:
    other = replace(flag(stepped="from_start", touches_wearer=True), id="other")
    (body,) = other.parts
    free = other.with_part(replace(body, attachments=()))  # type: ignore[type-var]
    solids = find_surroundings(worn(free, touches_wearer=True)).solids
    assert [(each.joint, each.spared) for each in solids] == [(0, (0,)), (1, ())]
    legacy = find_surroundings(worn(free)).solids
    assert [(each.joint, each.spared) for each in legacy] == [(0, (0,)), (1, (0,))]
