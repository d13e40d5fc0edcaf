"""Poses from which, or at which, a figure that stands falls: against a mass on a leg without weight."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from engine.document import Actor, Capsule, Document, Figure, Joint
from engine.maths.arrays import Array
from engine.physics.parts import PhysicsWorld
from engine.spacetime.commands.overhang import overhang
from engine.spacetime.parts import SpacetimeContact, SpacetimeStage

HEIGHT, GRAVITY = 1.0, 10.0
RATE = math.sqrt(GRAVITY / HEIGHT)
END, APART = 1000, 1
TICKS = 705_600_000


@dataclass
class Moving:
    """What is asked of an evaluator: places of the centre of mass at the two times, and speeds there [m, m/s]."""

    places: tuple[float, float]
    speeds: tuple[float, float]

    def centre_of_mass(self, document: Document, actor: str, time: int) -> Array:
        last = time > END // 2
        since = (time - (END if last else 0)) / TICKS
        return np.array([0.0, HEIGHT, self.places[last] + self.speeds[last] * since])

    def joint_transforms(self, document: Document, actor: str, time: int) -> Array:
        return np.eye(4)[None, :3]


@pytest.fixture
def document() -> Document:
    sole = Joint(id="sole", name="Sole", shapes=(Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 1.0, 0.0), radius=0.1),))
    actor = Actor(id="me", name="Me", figure=Figure(name="Me", joints=(sole,)))
    return Document(actors=(actor,), parts=(PhysicsWorld(gravity=GRAVITY),))


def found(document: Document, places: tuple[float, float], speeds: tuple[float, float]) -> tuple[int, float] | None:
    """The pose that hangs over, and how far [m], of a sole from -0.1 to 0.2 m."""
    corners = [(x, 0.0, z) for x in (-0.1, 0.1) for z in (-0.1, 0.2)]
    contacts = tuple(SpacetimeContact(joint="sole", point=each) for each in corners)
    stages = (SpacetimeStage(id="stage", name="Stage", contacts=contacts),)
    hangs = overhang(Moving(places, speeds), document, "me", (0, END), stages, APART)  # type: ignore[arg-type]
    return None if hangs is None else (hangs.time, hangs.beyond)


def test_at_rest_it_is_how_far_the_centre_of_mass_lies_beside_the_support(document: Document) -> None:
    still = (0.0, 0.0)
    assert found(document, (0.0, 0.19), still) is None
    assert found(document, (0.0, 0.35), still) == (END, pytest.approx(0.15))
    assert found(document, (-0.3, 0.0), still) == (0, pytest.approx(0.2))


def test_who_falls_may_come_to_where_it_fell(document: Document) -> None:
    """A mass that topples, c'' = w^2 (c - p), is never beyond; one that would have to turn back is."""
    p, share = 0.2, math.cosh(RATE * 0.5)
    begin, speed = 0.25, 0.0
    end, fast = p + (begin - p) * share, RATE * (begin - p) * math.sinh(RATE * 0.5)
    assert found(document, (begin, end), (speed, fast)) is None
    assert found(document, (begin, end), (speed, 0.0)) is not None


def test_a_speed_back_over_the_support_saves_what_begins_beside_it(document: Document) -> None:
    assert found(document, (0.4, 0.0), (-0.3 * RATE, 0.0)) is None
    assert found(document, (0.4, 0.0), (-0.1 * RATE, 0.0)) == (0, pytest.approx(0.1, abs=1e-6))


def test_what_flies_is_nailed_or_weighs_nothing_cannot_fall(document: Document) -> None:
    moving = Moving((0.0, 1.0), (0.0, 0.0))
    contact = SpacetimeContact(joint="sole", point=(0.0, 0.0, 0.0))
    stands = SpacetimeStage(id="stage", name="Stage", contacts=(contact,))
    for stages in ((replace(stands, contacts=()),), (stands, replace(stands, id="next", contacts=(), nailed=True))):
        assert overhang(moving, document, "me", (0, END), stages, APART) is None  # type: ignore[arg-type]
    weightless = replace(document, parts=(PhysicsWorld(gravity=0.0),))
    assert overhang(moving, weightless, "me", (0, END), (stands,), APART) is None  # type: ignore[arg-type]
    assert overhang(moving, document, "me", (0, END), (stands,), APART) is not None  # type: ignore[arg-type]
