"""Compile: the soft bodies of a document as one model that can be stepped.

Points and segments of splines of all bodies stand one after the other, in the document's order. Bodies are compiled as
they stand in the world where their joints are at rest, since their materials do not care.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from engine.document import Actor, Document
from engine.document.ticks import Rate
from engine.dynamics.stepping import divide_frame
from engine.maths.arrays import Array
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.soft.contact import Collider
from engine.soft.contraction import Contraction
from engine.soft.coupling import Feet
from engine.soft.holding import Holds
from engine.soft.members import SoftMember, bound_splines, material_of, mesh_of
from engine.soft.obstacles import placed
from engine.soft.parts import SoftBody, SoftWorld
from engine.soft.printed import PrintedSplines, implicit_springs, printed_splines
from engine.soft.running import Saved, SoftRun, SoftTerms
from engine.soft.step import SoftOptions, SoftPiece, compile_soft
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
    ground: tuple[Collider, ...]  # one, or none
    gravity: float  # [m/s2]
    holds: tuple[Holds, ...]  # of each body
    contractions: tuple[tuple[Contraction, ...], ...]  # of the splines of each body that pull
    notes: tuple[str, ...]  # of how splines were bound

    @property
    def said(self) -> tuple[str, ...]:
        """Notes on alphas that were held within what they may be, so far."""
        return tuple(note for body in self.contractions for each in body for note in each.said)

    def member(self, actor: str) -> SoftMember:
        """The body of an actor."""
        for each in self.members:
            if each.actor.id == actor:
                return each
        raise UnknownPart(kind="soft body", id=actor, known=tuple(each.actor.id for each in self.members))

    @cached_property
    def feet(self) -> Feet:
        """Points that push, and solids that are pushed."""
        return Feet(
            solids=self.surroundings.solids,
            first=len(self.ground),
            pushing=np.concatenate([np.full(len(each.masses), each.body.pushes) for each in self.members]),
            bodies=tuple(each.points for each in self.members),
            masses=np.concatenate([each.masses for each in self.members]),
        )

    def told(self, document: Document) -> SoftScene:
        """The scene with other activations and nodal forces, and all else as it is."""
        bodies = [body for _, body in soft_actors(document)]
        members = tuple(replace(one, body=body) for one, body in zip(self.members, bodies, strict=True))
        return replace(self, members=members, contractions=tuple(map(_contractions, members)))

    def alphas(self, time: float) -> Array:
        """Give alpha of each segment of all splines at a time [ticks]."""
        found = [np.zeros(0)]
        for member, contractions in zip(self.members, self.contractions, strict=True):
            springs = member.springs
            for number, each in enumerate(contractions):
                found.append(each.at(time, springs.middle[springs.spline == number]))
        return np.concatenate(found)

    def nodal(self, time: float, but: Collection[tuple[str, str]] = ()) -> Array | None:
        """Give the nodal forces of a step that ends at a time [ticks], without some by actor and id, on all points [N],
        shape [point_count, 3]; None where none act at any time."""
        acting = [
            (member, each)
            for member in self.members
            for each in member.body.forces
            if each.times and not each.mute and (member.actor.id, each.id) not in but
        ]
        if not acting:
            return None
        found = np.zeros((self.members[-1].points.stop, 3))
        for member, each in acting:
            forces = each.acting(time)
            if forces is not None:
                found[member.points.start + each.points.array] += forces
        return found

    def standing(self, frames: Frames, time: float) -> Array:
        """Find where all points stand while no body moves."""
        return np.concatenate([each.standing(frames, time) for each in self.holds])

    def placed(self, before: Frames, now: Frames) -> list[Collider]:
        """Place the ground and the obstacles as they are at the end of a step."""
        return [*self.ground, *placed(self.surroundings.solids, before, now, self.dt)]

    def begin(self, points: Array, speeds: Array) -> SoftRun:
        """Make the state that steps begin with."""
        return SoftRun.begin(self.terms, points, speeds)

    def load(self, saved: Saved) -> SoftRun:
        """Make the state that was saved."""
        return SoftRun.load(self.terms, saved)


def compile_scene(document: Document) -> SoftScene:
    """Join the soft bodies of a document, of which there is at least one."""
    law, world = document.part(PhysicsWorld) or PhysicsWorld(), soft_world(document)
    dt, steps = divide_frame(document.rate[0] / document.rate[1], world.step)
    members: list[SoftMember] = []
    pieces: list[SoftPiece] = []
    printed: list[PrintedSplines] = []
    first, segment = 0, 0
    for actor, body in soft_actors(document):
        member, piece = _compiled(document, actor, body, first, segment)
        members.append(member)
        pieces.append(piece)
        printed += printed_splines(member, _stiffness(body))
        first, segment = member.points.stop, member.segments.stop
    options = SoftOptions(
        gravity=(0.0, -law.gravity, 0.0),
        tolerance=world.tolerance,
        iterations=world.iterations,
        together=world.together,
    )
    return SoftScene(
        members=tuple(members),
        terms=SoftTerms(compile_soft(pieces, options), dt, tuple(printed)),
        surroundings=find_surroundings(document),
        world=world,
        rate=document.rate,
        dt=dt,
        steps=steps,
        start=min(each.body.start for each in members),
        gravity=law.gravity,
        ground=(Collider(kind="plane"),) if law.ground else (),
        holds=tuple(Holds(each, each.body.start, each.body.start) for each in members),
        contractions=tuple(map(_contractions, members)),
        notes=tuple(note for each in members for note in each.bound.notes),
    )


def _compiled(
    document: Document, actor: Actor, body: SoftBody, first: int, segment: int
) -> tuple[SoftMember, SoftPiece]:
    mesh, material = mesh_of(body), material_of(body)
    flat = mesh.shape in ("edges", "squares")
    masses = mesh.masses(body.density) * (body.thickness if flat else 1.0)
    bound = bound_splines(body, mesh, masses, _stiffness(body))
    joints = {each.id: document.actor(each.target).figure.joint_index[each.joint] for each in body.attachments}
    points, segments = slice(first, first + len(mesh.points)), slice(segment, segment + bound.springs.segment_count)
    member = SoftMember(actor, body, mesh, masses, bound, points, segments, joints)
    springs = implicit_springs(member)
    piece = SoftPiece(
        mesh=mesh,
        material=material,
        springs=springs,
        touches=body.touches,
        touches_itself=body.touches_itself,
        outside=member.outside,
    )
    return member, piece


def _stiffness(body: SoftBody) -> float:
    """Young's modulus of a body [Pa]; of a flat one per width [N/m]."""
    return body.young * (body.thickness if body.shape in ("edges", "squares") else 1.0)


def _contractions(member: SoftMember) -> tuple[Contraction, ...]:
    return tuple(map(Contraction, member.splines))
