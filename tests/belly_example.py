"""The example "A ragdoll with a belly": a human that is let go in the air, belly down, over a bench.

The belly is a lattice of tetrahedra in front of the trunk, whose back the pelvis and the spine hold. Physics simulates
the human; the belly follows its bones and pushes back on them: it swings, is squashed on the bench and carries him.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Box, Document, Key, Layer, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.maths.arrays import Array, IntArray
from engine.physics.parts import Physics
from engine.queries.examples import human
from engine.soft.flesh import at_rest
from engine.soft.lattice import fill_surface
from engine.soft.making import FRESH, body_of, soft_actor
from engine.soft.meshing import split_cubes
from engine.soft.parts import SoftAttachment, SoftBody, SoftWorld

CENTRE = np.array((0.0, 1.125, 0.045))  # [m] of the belly, on the human as it stands
HALF = np.array((0.14, 0.115, 0.165))  # [m]
DROOP = 0.02  # [m] by which its front hangs lower
CELL = 0.052  # [m]
INSIDE = 0.05  # [m] how far to the front the trunk reaches, which holds what lies in it
HOLDING = (("pelvis", 0.0, 1.06), ("lower_spine", 1.06, 1.15), ("middle_spine", 1.15, 2.0))  # between heights [m]
ROUND, TALL = 32, 20  # vertices around it, and rings of them
LET_GO = SECOND // 5


def belly() -> Document:
    """A human with a belly above a bench."""
    figure = human("human", "Human")
    lie = replace(
        figure.layers[0],
        tracks=(
            _held("pelvis.move_y", 0.75),
            _held("pelvis.tilt", 1.42),
            _held("shoulder_left.flexion", 1.1),
            _held("shoulder_right.flexion", 1.1),
        ),
    )
    parts = (Physics(start=LET_GO, follow=0.6),)
    figure = replace(figure, layers=(lie,), parts=parts)
    bench = Actor(
        id="bench",
        name="Bench",
        figure=prop("Bench", (Box(half=(0.4, 0.21, 0.16), rounding=0.03),), fixed=True),
        placement=Placement(position=(0.0, 0.21, 0.1)),
        layers=(Layer(id="pose"),),
    )
    made = soft_actor("belly", "Belly", belly_of(figure))
    play = Span(start=0, end=3 * SECOND)
    return Document(actors=(figure, made, bench), play=play, rate=(60, 1), parts=(SoftWorld(tolerance=1e-4),))


def belly_of(wearer: Actor) -> SoftBody:
    """Make the belly of a human, in the frame of the ground on which it stands."""
    positions, triangles = _surface()
    mesh = split_cubes(fill_surface(positions, triangles, spacing=CELL, name="the belly"))
    frames = at_rest(wearer.figure)
    inside, attachments = mesh.points[:, 2] < INSIDE, []
    for joint, low, high in HOLDING:
        number = wearer.figure.joint_index[joint]
        own = np.flatnonzero(inside & (mesh.points[:, 1] >= low) & (mesh.points[:, 1] < high)).astype(np.int32)
        places = (mesh.points[own] - frames[number][:, 3]) @ frames[number][:, :3]
        held = SoftAttachment(id=joint, points=Blob(own), places=Blob(places), target=wearer.id, joint=joint)
        attachments.append(held)
    return body_of(
        mesh, surface=(positions, triangles), attachments=tuple(attachments), young=1.5e4, poisson=0.45, density=950.0,
        stiffness_damping=0.01, mass_damping=0.1, friction=0.6, **FRESH,
    )  # fmt: skip


def _held(coordinate: str, value: float) -> Track:
    return Track(coordinate=coordinate, keys=(Key(0, value),))


def _surface() -> tuple[Array, IntArray]:
    """Vertices [m] and triangles of a ball that is drawn long and droops to the front, poles above and below."""
    along, around = math.pi * np.arange(1, TALL) / TALL, 2.0 * math.pi * np.arange(ROUND) / ROUND
    wide, high = np.sin(along)[:, None], np.broadcast_to(np.cos(along)[:, None], (TALL - 1, ROUND))
    ball = np.stack((wide * np.sin(around), high, wide * np.cos(around)), axis=2).reshape(-1, 3)
    ball = np.concatenate((ball, ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0))))
    points = CENTRE + HALF * ball - np.outer(DROOP * np.maximum(ball[:, 2], 0.0) ** 2, (0.0, 1.0, 0.0))
    ring = np.arange((TALL - 1) * ROUND).reshape(TALL - 1, ROUND)
    one, two = ring[:-1], ring[1:]
    sides = np.concatenate(
        (
            np.stack((one, two, np.roll(two, -1, axis=1)), -1),
            np.stack((one, np.roll(two, -1, axis=1), np.roll(one, -1, axis=1)), -1),
        )
    ).reshape(-1, 3)
    top, bottom = len(points) - 2, len(points) - 1
    caps = (
        np.stack((np.full(ROUND, top), ring[0], np.roll(ring[0], -1)), -1),
        np.stack((np.full(ROUND, bottom), np.roll(ring[-1], -1), ring[-1]), -1),
    )
    return points, np.concatenate((sides, *caps)).astype(np.int32)
