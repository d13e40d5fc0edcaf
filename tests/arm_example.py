"""The example "An arm": flesh about stiff bones and five muscles, as figure 23 of Engell-Norregard 2012 has them.

Its surface is modelled here: rings about an axis, from the shoulder over the elbow to the finger tips. A lattice of
cubes of 15 mm fills it, about 7,000 tetrahedra. The shoulder is held, the arm lies on a table: the muscles lift the
forearm, bend the wrist, and let it down again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.interpolate import PchipInterpolator

from engine.document import Actor, Blob, Box, Document, Key, Layer, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.maths.arrays import Array, IntArray
from engine.soft.lattice import USUAL_FACTOR, fill_surface
from engine.soft.making import body_of, soft_actor
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import split_cubes
from engine.soft.parts import ALPHA, ActivationSpline, SoftAttachment, SoftBody, SoftWorld

ROUND, SMOOTH = 28, 48  # vertices of a ring, and rings
CELL = 0.0156  # [m]
# Along the axis [m] from the elbow on: half widths of the ring across and upward.
RINGS = (
    (-0.36, 0.05, 0.054), (-0.3, 0.052, 0.056), (-0.22, 0.046, 0.053), (-0.14, 0.043, 0.05), (-0.06, 0.041, 0.044),
    (0.0, 0.042, 0.042), (0.06, 0.045, 0.042), (0.12, 0.043, 0.04), (0.18, 0.037, 0.034), (0.24, 0.031, 0.026),
    (0.28, 0.034, 0.02), (0.33, 0.042, 0.018), (0.39, 0.04, 0.015), (0.43, 0.026, 0.012),
)  # fmt: skip
LEAN = 0.88  # of these
BONES = ((-0.36, -0.009), (0.009, 0.235), (0.265, 0.37))  # from where to where along the axis
BONE = 0.012  # [m] from the middle of a bone to that of a cell that belongs to it
JOINT = 0.03, 0.03  # [m] so far from the elbow along the axis bones are so wide to each side: it bends one way alone
CAPSULE = 0.03, 5.0  # [m] so far from the elbow flesh is so many times as stiff, as ligaments would make it
MUSCLES: tuple[tuple[str, str, tuple[Vector3, ...], tuple[tuple[float, float], ...]], ...] = (
    ("deltoid", "Deltoid", ((0.0, 0.045, -0.34), (0.0, 0.042, -0.25), (0.0, 0.03, -0.15)),
     ((0.5, 1.0), (1.5, 0.95), (3.0, 0.95), (4.5, 1.0))),
    ("long_head", "Biceps, long head",
     ((0.03, 0.02, -0.28), (0.03, 0.032, -0.15), (0.03, 0.026, -0.02), (0.03, 0.02, 0.09)),
     ((0.5, 1.0), (1.7, 0.9), (3.0, 0.9), (5.2, 1.0))),
    ("short_head", "Biceps, short head",
     ((-0.03, 0.02, -0.28), (-0.03, 0.032, -0.15), (-0.03, 0.026, -0.02), (-0.03, 0.02, 0.09)),
     ((0.5, 1.0), (1.7, 0.9), (3.0, 0.9), (5.2, 1.0))),
    ("triceps", "Triceps", ((0.0, -0.035, -0.3), (0.0, -0.036, -0.17), (0.0, -0.03, -0.03)),
     ((0.5, 1.0), (1.7, 1.08), (3.0, 1.08), (4.4, 0.98), (5.2, 1.0))),
    ("flexor", "Flexor of the wrist", ((0.0, 0.024, 0.09), (0.0, 0.02, 0.18), (0.0, 0.013, 0.25), (0.0, 0.01, 0.33)),
     ((1.5, 1.0), (2.2, 0.88), (3.0, 0.88), (3.6, 1.0))),
)  # fmt: skip
STIFF = {"deltoid": 8.0, "long_head": 8.0, "short_head": 8.0, "triceps": 2.0, "flexor": 8.0}  # times the flesh
WALL = -0.38  # [m] from the elbow
AT: Vector3 = (0.0, 0.85, 0.0)  # [m] where the elbow is


def arm() -> Document:
    """An arm that lifts its hand off a table and lets it down."""
    keys = tuple(_muscle(*each) for each in MUSCLES)
    body = replace(flesh_of_arm(), splines=keys)
    held = np.flatnonzero(body.points.array[:, 2] < -0.25).astype(np.int32)
    places = Blob(body.points.array[held] - np.array((0.0, 0.0, WALL)))
    shoulder = SoftAttachment(id="shoulder", points=Blob(held), places=places, target="shoulder", joint="body")
    body = replace(body, attachments=(shoulder,))
    pose = (Layer(id="pose"),)
    trunk = Actor(
        id="shoulder",
        name="Shoulder",
        figure=prop("Shoulder", (Box(half=(0.09, 0.11, 0.02), rounding=0.01),), fixed=True),
        placement=Placement(position=(AT[0], AT[1], AT[2] + WALL)),
        layers=pose,
    )
    table = Actor(
        id="table",
        name="Table",
        figure=prop("Table", (Box(half=(0.25, 0.02, 0.42), rounding=0.008),), fixed=True),
        placement=Placement(position=(0.0, AT[1] - 0.07, 0.14)),
        layers=pose,
    )
    made = soft_actor("arm", "Arm", body, position=AT)
    return Document(
        actors=(trunk, made, table),
        play=Span(start=0, end=6 * SECOND),
        rate=(60, 1),
        parts=(SoftWorld(tolerance=1e-2),),
    )


def flesh_of_arm(cell: float = CELL) -> SoftBody:
    """The body without muscles, its elbow at the origin."""
    positions, triangles = surface_of_arm()
    mesh = split_cubes(fill_surface(positions, triangles, spacing=cell, name="the arm"))
    return body_of(
        _with_bones(mesh),
        surface=(positions, triangles),
        young=5e4,
        stiffness_damping=0.02,
        mass_damping=0.5,
        friction=0.5,
    )


def surface_of_arm() -> tuple[Array, IntArray]:
    """Vertices [m] and triangles of the skin, closed, anticlockwise from outside."""
    angle = 2.0 * math.pi * np.arange(ROUND) / ROUND
    round_it = np.stack((np.cos(angle), np.sin(angle), np.zeros(ROUND)), axis=1)
    along = np.array(RINGS)
    places = np.linspace(along[0, 0], along[-1, 0], SMOOTH)
    widths = LEAN * PchipInterpolator(along[:, 0], along[:, 1:])(places)
    rings = [round_it * (wide, deep, 0.0) + (0.0, 0.0, z) for z, (wide, deep) in zip(places, widths, strict=True)]
    count = len(rings)
    index = np.arange(count * ROUND).reshape(count, ROUND)
    one, two = index[:-1], index[1:]
    on = np.roll(one, -1, axis=1), np.roll(two, -1, axis=1)
    sides = np.concatenate((np.stack((one, on[0], two), -1), np.stack((on[0], on[1], two), -1))).reshape(-1, 3)
    ends = count * ROUND, count * ROUND + 1
    first, last = index[0], index[-1]
    caps = [np.stack((np.full(ROUND, ends[0]), np.roll(first, -1), first), -1)]
    caps.append(np.stack((np.full(ROUND, ends[1]), last, np.roll(last, -1)), -1))
    tips = np.array(((0.0, 0.0, RINGS[0][0] - 0.02), (0.0, 0.0, RINGS[-1][0] + 0.01)))
    return np.concatenate((*rings, tips)), np.concatenate((sides, *caps)).astype(np.int32)


def _with_bones(mesh: VolumeMesh) -> VolumeMesh:
    """Stiffen the cells about the bones."""
    middles = mesh.points[mesh.cells].mean(axis=1)
    across = abs(middles[:, 0])
    across = np.where(abs(middles[:, 2]) < JOINT[0], np.maximum(across - JOINT[1] + BONE, 0.0), across)
    aside = np.hypot(across, middles[:, 1])
    along = [np.maximum(np.maximum(start - middles[:, 2], middles[:, 2] - end), 0.0) for start, end in BONES]
    away = np.hypot(aside, np.min(along, axis=0))
    flesh = np.where(abs(middles[:, 2]) < CAPSULE[0], CAPSULE[1], 1.0)
    return mesh.with_factors(np.where(away < BONE, USUAL_FACTOR, flesh))


def _muscle(id: str, name: str, points: tuple[Vector3, ...], told: tuple[tuple[float, float], ...]) -> ActivationSpline:
    keys = tuple(Key(round(time * SECOND), value) for time, value in (*told, (6.0, 1.0)))
    return ActivationSpline(
        id=id,
        name=name,
        points=points,
        samples=6,
        stiffness=STIFF[id],
        region="radius",
        radius=0.035,
        activation="keys",
        track=Track(coordinate=ALPHA, keys=keys, after="cycle"),
    )
