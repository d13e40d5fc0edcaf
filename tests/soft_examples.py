"""The examples of soft bodies, made by code: bodies of cells, splines in them, and what these are told.

`python -m tests.example_documents made` writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Box, Capsule, Document, Key, Layer, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.soft.making import body_of, box_mesh, soft_actor, soft_box
from engine.soft.mesh import volume_mesh
from engine.soft.meshing import lattice_mesh, split_cubes, square_grid
from engine.soft.parts import ALPHA, ActivationSpline, SoftAttachment, SoftWorld
from tests.arm_example import arm
from tests.flesh_example import fleshed
from tests.hat_example import hat
from tests.seesaw_example import seesaw

TEN = Span(start=0, end=10 * SECOND)
CUBE = 0.1  # [m] of the stool's cells
SEAT, LEG = 5, 2  # cells
POSE = (Layer(id="pose"),)
COARSE = SoftWorld(step=1.0 / 30.0, tolerance=1e-3)


def jelly() -> Document:
    """A cube of jelly that falls on a log and rolls off it."""
    body = soft_box((0.4, 0.4, 0.4), (4, 4, 4), young=2.5e4, poisson=0.4, stiffness_damping=0.02, friction=0.6)
    cube = soft_actor(
        "jelly", "Jelly", body, position=(0.0, 1.2, 0.0), rotation=(0.9659258262890683, 0.0, 0.0, 0.25881904510252074)
    )
    log = Actor(
        id="log",
        name="Log",
        figure=prop("Log", (Capsule(start=(0.0, 0.0, -0.4), end=(0.0, 0.0, 0.4), radius=0.25),), fixed=True),
        placement=Placement(position=(0.12, 0.25, 0.0)),
        layers=POSE,
    )
    return Document(actors=(cube, log), play=Span(start=0, end=4 * SECOND), parts=(SoftWorld(),))


def snake() -> Document:
    """A snake that crawls: waves run down two splines, one against the other, and it slides ahead alone."""
    length, width = 1.0, 0.08

    def side(id: str, name: str, z: float, sign: str) -> ActivationSpline:
        points = tuple((x, 0.0, z) for x in np.linspace(-0.5 * length, 0.5 * length, 5).tolist())
        told = f"1 {sign} 0.3 * cos(2 * pi * (t + s))"  # s is 0 at the tail: waves run to it
        return ActivationSpline(
            id=id, name=name, points=points, samples=13, stiffness=3.0, activation="expression", expression=told
        )

    body = soft_box(
        (length, width, width),
        (16, 1, 2),
        friction=0.1,
        heading=(1.0, 0.0, 0.0),
        sideways=10.0,
        stiffness_damping=0.02,
        splines=(side("left", "Left", -0.25 * width, "+"), side("right", "Right", 0.25 * width, "-")),
    )
    made = soft_actor("snake", "Snake", body, position=(0.0, 0.5 * width + 0.005, 0.0))
    return Document(actors=(made,), play=TEN, parts=(COARSE,))


def stool() -> Document:
    """A stool that walks: impulses contract the fronts of its rear legs and of its front legs in turn."""
    kept = np.zeros((SEAT, LEG + 1, SEAT), dtype=np.bool_)
    kept[:, LEG] = True
    splines, half = [], 0.5 * SEAT
    for number, (i, k) in enumerate(((0, 0), (0, SEAT - 1), (SEAT - 1, 0), (SEAT - 1, SEAT - 1))):
        kept[i, :LEG, k] = True
        x, z = (i + 0.8 - half) * CUBE, (k + 0.5 - half) * CUBE
        begin = 0.3 if i == 0 else 0.8
        splines.append(
            ActivationSpline(
                id=f"leg{number}",
                name=f"{'Rear' if i == 0 else 'Front'} {'left' if k == 0 else 'right'} leg",
                points=((x, 0.05 * CUBE, z), (x, (LEG + 0.5) * CUBE, z)),
                samples=5,
                stiffness=6.0,
                activation="expression",
                expression=f"1 - 0.4 * pulse(t, {begin}, 0.5, 1)",
            )
        )
    mesh = split_cubes(lattice_mesh(kept, CUBE, (-half * CUBE, 0.0, -half * CUBE)))
    body = body_of(mesh, young=2e5, density=300.0, stiffness_damping=0.02, splines=tuple(splines))
    return Document(actors=(soft_actor("stool", "Stool", body, position=(0.0, 0.005, 0.0)),), play=TEN, parts=(COARSE,))


def table() -> Document:
    """A planar table that walks: its legs are lifted in turn while its back grows longer and shorter."""
    count, height, low = 9, 4, 2
    kept = np.zeros((count, height), dtype=np.bool_)
    kept[:, low:] = kept[1:3] = kept[-3:-1] = True
    grid = square_grid((count, height), CUBE, kept=kept)
    mesh = volume_mesh(grid.points - np.array((0.5 * count * CUBE, 0.0, 0.0)), grid.cells, "squares")

    def pulls(id: str, name: str, start: Vector3, end: Vector3, samples: int, told: str) -> ActivationSpline:
        return ActivationSpline(
            id=id,
            name=name,
            points=(start, end),
            samples=samples,
            stiffness=6.0,
            activation="expression",
            expression=told,
        )

    out, top = (0.5 * count - 2.0) * CUBE, (height - 1) * CUBE
    body = body_of(
        mesh,
        thickness=0.2,
        material="corotational",
        young=3e5,
        density=300.0,
        stiffness_damping=0.02,
        splines=(
            pulls(
                "rear", "Rear leg", (-out, 0.005, 0.0), (-out, top, 0.0), 5, "1 - 0.5 * max(0, -cos(2 * pi * t / 0.7))"
            ),
            pulls(
                "front", "Front leg", (out, 0.005, 0.0), (out, top, 0.0), 5, "1 - 0.5 * max(0, cos(2 * pi * t / 0.7))"
            ),
            pulls("back", "Back", (-out, top, 0.0), (out, top, 0.0), 7, "1 + 0.4 * sin(2 * pi * t / 0.7)"),
        ),
    )
    return Document(actors=(soft_actor("table", "Table", body, position=(0.0, 0.005, 0.0)),), play=TEN, parts=(COARSE,))


def lizard() -> Document:
    """A lizard of six splines: two bend its back, one swings each leg, those across from each other together."""
    kept = np.zeros((12, 1, 6), dtype=np.bool_)
    kept[:, :, 2:4] = True
    feet = {"rear_left": (4, 0), "rear_right": (4, 4), "front_left": (9, 0), "front_right": (9, 4)}
    for i, k in feet.values():
        kept[i, :, k : k + 2] = True
    side, far = 0.06, 0.36
    splines = []
    for name, z, sign in (("left", -0.5, "+"), ("right", 0.5, "-")):
        points = tuple((x * side, 0.5 * side, z * side) for x in (-5.5, -2.0, 1.5, 5.0))
        told = f"1 {sign} 0.25 * cos(2 * pi * (t + 0.7 * s))"
        splines.append(_told(f"back_{name}", f"Back {name}", points, 9, told))
    for name, (i, k) in feet.items():
        out = -1.0 if k == 0 else 1.0
        x, sign = (i - 6 + 0.2) * side, "+" if name in ("front_left", "rear_right") else "-"
        points = ((x, 0.5 * side, out * 0.8 * side), (x, 0.5 * side, out * 2.9 * side))
        told = f"1 {sign} 0.4 * sin(2 * pi * t)"
        splines.append(_told(name, name.replace("_", " ").capitalize() + " leg", points, 5, told))
    mesh = split_cubes(lattice_mesh(kept, side, (-far, 0.0, -0.5 * far)))
    body = body_of(
        mesh,
        young=3e4,
        friction=0.15,
        heading=(1.0, 0.0, 0.0),
        backward=6.0,
        sideways=6.0,
        stiffness_damping=0.02,
        splines=tuple(splines),
    )
    made = soft_actor("lizard", "Lizard", body, position=(0.0, 0.005, 0.0))
    return Document(actors=(made,), play=TEN, parts=(COARSE,))


def biceps() -> Document:
    """An arm of flesh about two stiff bones, held at its shoulder: a spline across the elbow bends it and lets it sink
    onto a crate."""
    length, width = 0.6, 0.12
    mesh = box_mesh((length, width, width), (15, 3, 3))
    middles = mesh.points[mesh.cells].mean(axis=1)
    bone = (np.abs(middles[:, 1:]) < 0.021).all(axis=1) & (np.abs(middles[:, 0]) > 0.06)
    mesh = mesh.with_factors(np.where(bone, 100.0, 1.0))
    keys = tuple(
        Key(round(time * SECOND), value) for time, value in ((0.5, 1.0), (1.5, 0.6), (3.0, 0.6), (4.0, 1.0), (6.0, 1.0))
    )
    muscle = ActivationSpline(
        id="biceps",
        name="Biceps",
        points=((-0.22, 0.03, 0.0), (-0.1, 0.05, 0.0), (0.0, 0.05, 0.0), (0.14, 0.03, 0.0)),
        samples=9,
        stiffness=6.0,
        region="radius",
        radius=0.06,
        activation="keys",
        track=Track(coordinate=ALPHA, keys=keys, after="cycle"),
    )
    held = np.flatnonzero(mesh.points[:, 0] < -0.5 * length + 0.05).astype(np.int32)
    body = body_of(
        mesh,
        young=1.2e5,
        stiffness_damping=0.03,
        splines=(muscle,),
        attachments=(
            SoftAttachment(
                id="shoulder", points=Blob(held), places=Blob(mesh.points[held]), target="shoulder", joint="body"
            ),
        ),
    )
    at = (0.0, 0.5, 0.0)
    shoulder = Actor(
        id="shoulder", name="Shoulder", figure=prop("Shoulder", ()), placement=Placement(position=at), layers=POSE
    )
    crate = Actor(
        id="crate",
        name="Crate",
        figure=prop("Crate", (Box(half=(0.1, 0.15, 0.15), rounding=0.01),), fixed=True),
        placement=Placement(position=(0.25, 0.2, 0.0)),
        layers=POSE,
    )
    arm = soft_actor("arm", "Arm", body, position=at)
    return Document(
        actors=(shoulder, arm, crate), play=Span(start=0, end=6 * SECOND), parts=(replace(COARSE, step=1.0 / 60.0),)
    )


def _told(id: str, name: str, points: tuple[Vector3, ...], samples: int, told: str) -> ActivationSpline:
    return ActivationSpline(
        id=id, name=name, points=points, samples=samples, stiffness=3.0, activation="expression", expression=told
    )


MADE: dict[str, Callable[[], Document]] = {
    "jelly": jelly,
    "snake": snake,
    "stool": stool,
    "table": table,
    "lizard": lizard,
    "biceps": biceps,
    "hat": hat,
    "seesaw": seesaw,
    "arm": arm,
    "flesh": fleshed,
}
