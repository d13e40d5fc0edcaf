"""Compile: the soft bodies of a document as one model that can be stepped.

Points and segments of splines of all bodies stand one after the other, in the document's order. Bodies are compiled as
they stand in the world where their joints are at rest, since their materials do not care.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from engine.document import Document
from engine.document.ticks import Rate
from engine.dynamics.stepping import divide_frame
from engine.maths.arrays import Array
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import UnknownPart
from engine.soft.contact import Collider
from engine.soft.contraction import Contraction
from engine.soft.members import SoftMember, bound_splines, material_of, mesh_of
from engine.soft.obstacles import placed
from engine.soft.parts import SoftWorld
from engine.soft.running import Running, Saved, SoftTerms
from engine.soft.surroundings import Surroundings, find_surroundings
from engine.soft.uses import soft_actors, soft_world

Frames = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class SoftScene:
    """The bodies, joined to one model."""

    members: tuple[SoftMember, ...]
    terms: SoftTerms  # what steps are made with
    surroundings: Surroundings
    world: SoftWorld
    rate: Rate
    dt: float  # [s] of a step
    steps: int  # in a frame
    start: int  # [ticks]
    contractions: tuple[tuple[Contraction, ...], ...]  # of the splines of each body that pull
    notes: tuple[str, ...]  # of how splines were bound

    @property
    def said(self) -> tuple[str, ...]:
        """What was held of what the splines were told, so far."""
        return tuple(note for body in self.contractions for each in body for note in each.said)

    def member(self, actor: str) -> SoftMember:
        """The body of an actor."""
        for each in self.members:
            if each.actor.id == actor:
                return each
        raise UnknownPart(kind="soft body", id=actor, known=tuple(each.actor.id for each in self.members))

    def told(self, document: Document) -> SoftScene:
        """The scene with other activations, and all else as it is."""
        bodies = [body for _, body in soft_actors(document)]
        members = tuple(replace(one, body=body) for one, body in zip(self.members, bodies, strict=True))
        return replace(self, members=members, contractions=tuple(map(_contractions, members)))

    def alphas(self, time: float) -> Array:
        """What each segment of a spline is told at a time [ticks]."""
        found = [np.zeros(0)]
        for member, contractions in zip(self.members, self.contractions, strict=True):
            springs = member.springs
            for number, each in enumerate(contractions):
                found.append(each.at(time, springs.middle[springs.spline == number]))
        return np.concatenate(found)

    def placed(self, before: Frames, now: Frames) -> list[Collider]:
        """Place the obstacles as they are at the end of a step."""
        return placed(self.surroundings.solids, before, now, self.dt)

    def begin(self, points: Array, speeds: Array) -> Running:
        """Make the state that steps begin with."""
        return Running(self.terms, points, speeds)

    def load(self, saved: Saved) -> Running:
        """Make the state that was saved."""
        return Running.load(self.terms, saved)
