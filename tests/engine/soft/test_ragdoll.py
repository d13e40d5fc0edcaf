"""A figure of several bones that physics simulates wears a soft part held by more than one of them: both ways."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Blob, Capsule, Document, Joint, Key, Layer, Placement, Track
from engine.document.figure import Dof, Figure
from engine.dynamics.momenta import ANGULAR, CENTRE, LINEAR, MASS, MOMENTA, compute_momenta
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.physics.parts import Physics
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftAttachment, SoftBody
from tests.engine.soft.test_coupling import EXACT, SECOND, WEIGHTLESS, Run

LONG = 0.3  # [m] of a bone
LET_GO = SECOND // 10
BEGIN = 7  # step from which on it is free


def doll() -> Actor:
    """Two bones with a hinge between them, thrown and turning while the second bends."""
    slides = tuple(
        Dof(id=f"hip.move_{name}", name=f"Move {name}", kind="slide", axis=axis)
        for name, axis in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))
    )
    bone = Capsule(start=(0.0, 0.0, 0.0), end=(0.0, LONG, 0.0), radius=0.04)
    hip = Joint(id="hip", name="Hip", dofs=(*slides, Dof(id="hip.turn", name="Turn", kind="ball")), shapes=(bone,))
    hinge = Dof(id="chest.bend", name="Bend", axis=(1.0, 0.0, 0.0))
    chest = Joint(id="chest", name="Chest", parent="hip", offset=(0.0, LONG, 0.0), dofs=(hinge,), shapes=(bone,))
    moving = (("hip.move_x", 0.8), ("chest.bend", 3.0))
    tracks = tuple(
        Track(coordinate=name, keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, speed, interpolation="linear")))
        for name, speed in moving
    )
    return Actor(
        id="doll",
        name="Doll",
        figure=Figure(name="Doll", joints=(hip, chest)),
        placement=Placement(position=(0.0, 1.0, 0.0)),
        layers=(Layer(id="keys", tracks=tracks),),
        parts=(Physics(start=LET_GO),),
    )


def belly(hold: str = "hard", **given: Any) -> Actor:
    """A soft box in front of both bones, its back held by them."""
    options = {"young": 1.5e4, "mass_damping": 0.0, "stiffness_damping": 0.01, "pushes": True, **given}
    made = soft_actor(
        "belly", "Belly", soft_box((0.16, 0.4, 0.16), (2, 4, 2), **options), position=(0.0, 1.0 + LONG, 0.1)
    )
    (body,) = made.parts
    assert isinstance(body, SoftBody)
    points, attachments = body.points.array, []
    for joint, lower, base in (("hip", True, LONG), ("chest", False, 0.0)):
        back = (points[:, 2] < -0.079) & (points[:, 1] < -0.05 if lower else points[:, 1] > 0.05)
        own = np.flatnonzero(back).astype(np.int32)
        places = Blob(points[own] + np.array((0.0, base, 0.1)))
        attachments.append(
            SoftAttachment(
                id=joint, points=Blob(own), places=places, target="doll", joint=joint, hold=hold, tension=20.0
            )
        )
    return made.with_part(replace(body, attachments=tuple(attachments)))


def momenta(run: Run) -> tuple[Array, Array]:
    """Momentum of all, and angular momentum about the origin of the world."""
    now, mechanics, live = run.physics._now, run.physics.scene.mechanics, run.soft._live
    assert now is not None
    assert live is not None
    q, qd = np.split(now.state[: mechanics.coordinate_count + mechanics.rate_count], [mechanics.coordinate_count])
    found = np.empty(MOMENTA)
    compute_momenta(mechanics.ints, mechanics.floats, q, qd, mechanics.new_work(), found)
    linear, centre = found[LINEAR : LINEAR + 3], found[CENTRE : CENTRE + 3]
    assert found[MASS] > 0.5
    masses = run.soft.scene.members[0].masses
    impulses = masses[:, None] * live.speeds
    spin = found[ANGULAR : ANGULAR + 3] + np.cross(centre, linear) + np.cross(live.points, impulses).sum(axis=0)
    return linear + impulses.sum(axis=0), spin


def document(hold: str, step: float) -> Document:
    world = replace(WEIGHTLESS, step=step)
    return Document(actors=(doll(), belly(hold)), parts=(world, EXACT), rate=(60, 1))


def drift(hold: str, step: float) -> float:
    """How far the momentum of all goes off in half a second, over all that there is; what the belly gets is what its
    wearer loses in each step."""
    run = Run(document(hold, step))
    run.to(BEGIN)
    (whole, spin), before = momenta(run), run.soft_momentum()
    bent = run.physics.pose(run.physics.scene.members[0], run.soft.tick(BEGIN))[-1]
    for number in range(BEGIN, BEGIN + 30):
        run.to(number + 1)
        given = sum(rows[:, :3].sum(axis=0) for rows in run.soft._coupled[number].wrenches.values())
        now = run.soft_momentum()
        assert now - before == pytest.approx(-run.soft.scene.dt * given, abs=1e-9 * np.abs(whole).max())
        before = now
    found, turned = momenta(run)
    assert run.soft.stopped is None
    assert abs(run.physics.pose(run.physics.scene.members[0], run.soft.tick(BEGIN + 29))[-1] - bent) > 0.02
    assert turned == pytest.approx(spin, abs=0.1 * np.abs(spin).max()), "of first order in both steppers"
    return float(np.abs(found - whole).max() / np.abs(whole).max())


@pytest.mark.parametrize("hold", ["hard", "spring"])
def test_a_belly_on_two_bones_gives_its_wearer_what_it_takes_and_the_rest_is_of_the_steps(hold: str) -> None:
    coarse, fine = drift(hold, 1.0 / 240.0), drift(hold, 1.0 / 960.0)
    assert coarse < 0.01
    assert fine < 0.4 * coarse


def test_a_heavier_belly_bends_its_wearer_more() -> None:
    def bend(**given: Any) -> float:
        document = Document(actors=(doll(), belly(**given)), parts=(WEIGHTLESS, EXACT), rate=(60, 1))
        return float(Evaluator().coordinates(document, "doll", (SECOND // 2,))[0, -1])

    light, heavy, none = bend(density=100.0), bend(density=3000.0), bend(pushes=False)
    assert abs(light - none) < abs(heavy - none)
    assert abs(heavy - none) > 0.1
