"""The example "An arm": flesh about stiff bones and five muscles, as figure 23 of Engell-Norregard 2012 has them.

Its surface is modelled here: rings about a bent axis, from the shoulder over the elbow to the finger tips. A lattice of
cubes of 15 mm fills it, about 7,000 tetrahedra. The shoulder is held, the forearm rests on a table: the muscles lift it,
bend the wrist, and let it down again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Box, Document, Key, Layer, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.maths.arrays import Array, IntArray
from engine.soft.lattice import USUAL_FACTOR, fill_surface
from engine.soft.making import body_of, soft_actor
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import split_cubes
from engine.soft.parts import ALPHA, ActivationSpline, SoftAttachment, SoftBody, SoftWorld

ROUND = 28  # vertices of a ring
CELL = 0.0172  # [m]
ELBOW = 0.05  # [m] radius of the bend
# Along the axis: height and way ahead [m], half widths of the ring across and in the plane of the bend.
UPPER = ((0.36, 0.058, 0.062), (0.3, 0.056, 0.06), (0.22, 0.048, 0.054), (0.14, 0.045, 0.052), (0.06, 0.043, 0.046))
LOWER = ((0.07, 0.046, 0.044), (0.13, 0.044, 0.042), (0.2, 0.037, 0.034), (0.26, 0.031, 0.026), (0.3, 0.036, 0.02),
         (0.36, 0.042, 0.018), (0.42, 0.034, 0.014), (0.46, 0.018, 0.01))  # fmt: skip
BONES: tuple[tuple[Vector3, Vector3], ...] = (
    ((0.0, 0.36, 0.0), (0.0, 0.035, 0.0)),
    ((0.0, 0.0, 0.045), (0.0, 0.0, 0.25)),
    ((0.0, 0.0, 0.285), (0.0, 0.0, 0.4)),
)
BONE = 0.012  # [m] from the middle of a bone to that of a cell that belongs to it
MUSCLES: tuple[tuple[str, str, tuple[Vector3, ...], tuple[tuple[float, float], ...]], ...] = (
    ("deltoid", "Deltoid", ((0.0, 0.34, 0.045), (0.0, 0.25, 0.045), (0.0, 0.16, 0.025)),
     ((0.5, 1.0), (1.5, 0.8), (3.0, 0.8), (4.5, 1.0))),
    ("biceps", "Biceps", ((0.0, 0.3, 0.03), (0.0, 0.16, 0.038), (0.0, 0.06, 0.045), (0.0, 0.022, 0.09)),
     ((0.5, 1.0), (1.5, 0.6), (3.0, 0.6), (4.5, 1.0))),
    ("brachialis", "Brachialis", ((0.012, 0.16, 0.025), (0.008, 0.06, 0.035), (0.0, 0.015, 0.08)),
     ((0.5, 1.0), (1.5, 0.65), (3.0, 0.65), (4.5, 1.0))),
    ("triceps", "Triceps", ((0.0, 0.3, -0.035), (0.0, 0.16, -0.035), (0.0, 0.03, -0.03)),
     ((0.5, 1.0), (3.0, 1.0), (4.0, 0.85), (5.0, 1.0))),
    ("flexor", "Flexor of the wrist", ((0.0, -0.02, 0.08), (0.0, -0.022, 0.18), (0.0, -0.014, 0.27), (0.0, -0.01, 0.34)),
     ((1.5, 1.0), (2.2, 0.75), (3.0, 0.75), (3.6, 1.0))),
)  # fmt: skip
AT: Vector3 = (0.0, 1.06, 0.0)  # [m] where the elbow is


def arm() -> Document:
    """An arm that lifts its hand off a table and lets it down."""
    keys = tuple(_muscle(*each) for each in MUSCLES)
    body = replace(flesh_of_arm(), splines=keys)
    held = np.flatnonzero(body.points.array[:, 1] > 0.3).astype(np.int32)
    places = Blob(body.points.array[held])
    shoulder = SoftAttachment(id="shoulder", points=Blob(held), places=places, target="shoulder", joint="body")
    body = replace(body, attachments=(shoulder,))
    pose = (Layer(id="pose"),)
    trunk = Actor(
        id="shoulder", name="Shoulder", figure=prop("Shoulder", ()), placement=Placement(position=AT), layers=pose
    )
    table = Actor(
        id="table",
        name="Table",
        figure=prop("Table", (Box(half=(0.25, 0.03, 0.2), rounding=0.008),), fixed=True),
        placement=Placement(position=(0.0, AT[1] - 0.085, 0.32)),
        layers=pose,
    )
    made = soft_actor("arm", "Arm", body, position=AT)
    return Document(
        actors=(trunk, made, table), play=Span(start=0, end=6 * SECOND), rate=(60, 1), parts=(SoftWorld(tolerance=1e-3),)
    )


def flesh_of_arm(cell: float = CELL) -> SoftBody:
    """The body without muscles, its elbow at the origin."""
    positions, triangles = surface_of_arm()
    mesh = split_cubes(fill_surface(positions, triangles, spacing=cell, name="the arm"))
    return body_of(
        _with_bones(mesh), surface=(positions, triangles), young=5e4, stiffness_damping=0.02, mass_damping=0.5, friction=0.5
    )


def surface_of_arm() -> tuple[Array, IntArray]:
    """Vertices [m] and triangles of the skin, closed, anticlockwise from outside."""
    rings = [_ring((0.0, y, 0.0), (0.0, 0.0, 1.0), wide, deep) for y, wide, deep in UPPER]
    for turn in np.linspace(0.15, 0.85, 5) * 0.5 * math.pi:
        c, s = math.cos(turn), math.sin(turn)
        middle = (0.0, ELBOW * (1.0 - s), ELBOW * (1.0 - c))
        rings.append(_ring(middle, (0.0, s, c), 0.045, 0.047))
    rings += [_ring((0.0, 0.0, z), (0.0, 1.0, 0.0), wide, deep) for z, wide, deep in LOWER]
    count = len(rings)
    index = np.arange(count * ROUND).reshape(count, ROUND)
    one, two = index[:-1], index[1:]
    on = np.roll(one, -1, axis=1), np.roll(two, -1, axis=1)
    sides = np.concatenate((np.stack((one, on[0], two), -1), np.stack((on[0], on[1], two), -1))).reshape(-1, 3)
    ends = count * ROUND, count * ROUND + 1
    first, last = index[0], index[-1]
    caps = [np.stack((np.full(ROUND, ends[0]), np.roll(first, -1), first), -1)]
    caps.append(np.stack((np.full(ROUND, ends[1]), last, np.roll(last, -1)), -1))
    tips = np.array(((0.0, UPPER[0][0] + 0.02, 0.0), (0.0, 0.0, LOWER[-1][0] + 0.008)))
    return np.concatenate((*rings, tips)), np.concatenate((sides, *caps)).astype(np.int32)


def _ring(middle: Vector3, deep_way: Vector3, wide: float, deep: float) -> Array:
    """A ring about the axis: across it lies along x."""
    angle = 2.0 * math.pi * np.arange(ROUND) / ROUND
    across = np.outer(wide * np.cos(angle), (1.0, 0.0, 0.0))
    return np.array(middle) + across + np.outer(deep * np.sin(angle), deep_way)


def _with_bones(mesh: VolumeMesh) -> VolumeMesh:
    """Stiffen the cells about the bones."""
    middles, away = mesh.points[mesh.cells].mean(axis=1), np.full(len(mesh.cells), np.inf)
    for start, end in (np.array(each) for each in BONES):
        way = end - start
        share = np.clip((middles - start) @ way / (way @ way), 0.0, 1.0)
        away = np.minimum(away, np.linalg.norm(middles - start - share[:, None] * way, axis=1))
    return mesh.with_factors(np.where(away < BONE, USUAL_FACTOR, 1.0))


def _muscle(
    id: str, name: str, points: tuple[Vector3, ...], told: tuple[tuple[float, float], ...]
) -> ActivationSpline:
    keys = tuple(Key(round(time * SECOND), value) for time, value in (*told, (6.0, 1.0)))
    return ActivationSpline(
        id=id,
        name=name,
        points=points,
        samples=9,
        stiffness=8.0,
        region="radius",
        radius=0.035,
        activation="keys",
        track=Track(coordinate=ALPHA, keys=keys, after="cycle"),
    )
