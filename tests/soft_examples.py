"""The examples of soft bodies, made by code: bodies of cells, splines in them, and what these are told.

`python -m tests.example_documents made` writes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Box, Capsule, Document, Key, Layer, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.physics.parts import PhysicsWorld
from engine.soft.making import body_of, box_mesh, soft_actor, soft_box, soft_cylinder
from engine.soft.mesh import volume_mesh
from engine.soft.meshing import lattice_mesh, split_cubes, square_grid
from engine.soft.parts import ALPHA, ActivationSpline, SoftAttachment, SoftBody, SoftWorld
from engine.soft.toy_forms import (
    arm_surface,
    cube_surface,
    cylinder_surface,
    lizard_surface,
    snake_surface,
    stool_surface,
    table_surface,
)
from tests.arm_example import arm
from tests.belly_example import belly
from tests.curl_example import curl, lift
from tests.flesh_example import fleshed
from tests.hat_example import hat
from tests.muscled_body_example import muscled_body
from tests.seesaw_example import seesaw

TEN = Span(start=0, end=10 * SECOND)
CUBE = 0.1  # [m] of the stool's cells
SEAT, LEG = 5, 2  # cells
POSE = (Layer(id="pose"),)
SHOULDER = (-0.25, 0.0, 0.0)  # [m] of the arm
WIDE = 0.08  # [m] of snakes
BENDS = (0.13, 0.185, 0.24)  # alphas of letters that curl: C, O, and both halves of S
BEGINNINGS = (
    (-0.48, 0.78, 115.0),
    (0.11, 0.77, 115.0),
    (1.0, 0.61, 140.0),
)  # [m] and [deg]: x, z, heading from x to -z
COARSE = SoftWorld(step=1.0 / 30.0, tolerance=1e-3)
EXACT = SoftWorld(step=1.0 / 60.0, tolerance=1e-5)  # of bodies afloat, which what a step leaves would turn


def jelly() -> Document:
    """A cube of jelly that falls on a log and rolls off it."""
    size = (0.4, 0.4, 0.4)
    body = soft_box(
        size, (4, 4, 4), surface=cube_surface(size), young=2.5e4, poisson=0.4, stiffness_damping=0.02, friction=0.6
    )
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
    body = _snake_body("1 {} 0.3 * cos(2 * pi * (t + s))", friction=0.1, sideways=10.0)  # s is 0 at the tail
    made = soft_actor("snake", "Snake", body, position=(0.0, 0.5 * WIDE + 0.005, 0.0))
    return Document(actors=(made,), play=TEN, parts=(COARSE,))


def word() -> Document:
    """Three snakes that crawl together and curl up to spell a word, COS, as it is read from above: each is bent by its
    splines to a curve of its own, to the right where the left one is longer."""
    curled = "ramp(t, 2, 5)"
    bends = {
        "c": f"{BENDS[0]} * {curled}",
        "o": f"{BENDS[1]} * {curled}",
        "s": f"{BENDS[2]} * max(-1, min(1, 8 * (s - 0.5))) * {curled}",
    }
    actors = []
    for (letter, bend), (x, z, heading) in zip(bends.items(), BEGINNINGS, strict=True):
        told = f"1 {{0}} 0.3 * (1 - ramp(t, 1.5, 2.5)) * cos(2 * pi * (t + s)) {{0}} {bend}"
        body = _snake_body(told, friction=0.1, sideways=4.0, young=5e4)
        turn = 0.5 * math.radians(heading)
        actors.append(
            soft_actor(
                letter, f"Snake {letter.upper()}", body, position=(x, 0.5 * WIDE + 0.005, z),
                rotation=(math.cos(turn), 0.0, math.sin(turn), 0.0),
            )
        )  # fmt: skip
    return Document(actors=tuple(actors), play=Span(start=0, end=8 * SECOND), parts=(COARSE,))


def _snake_body(told: str, **options: Any) -> SoftBody:
    """Make a snake along x with a spline on each side, which are told the same with + and with -."""
    length = 1.0

    def side(id: str, name: str, z: float, sign: str) -> ActivationSpline:
        way = zip((-0.5, -0.25, 0.0, 0.25, 0.5), (-0.55, -0.2, 0.0, 0.0, -0.3), (0.5, 1.0, 1.0, 1.0, 0.9), strict=True)
        points = tuple((x * length, 0.5 * y * WIDE, z * wide) for x, y, wide in way)  # inside of what is drawn
        return _told(id, name, points, 13, told.format(sign))

    return soft_box(
        (length, WIDE, WIDE),
        (16, 1, 2),
        surface=snake_surface(length, 0.5 * WIDE, 0.0112),
        heading=(1.0, 0.0, 0.0),
        stiffness_damping=0.02,
        splines=(side("left", "Left", -0.25 * WIDE, "+"), side("right", "Right", 0.25 * WIDE, "-")),
        **options,
    )


def overlap() -> Document:
    """Two cylinders of two splines each that share points, one behind the other and one across the other: contracted
    one after the other, then both (figure 33). Nothing else acts, and nothing moves as a whole."""
    cases = {
        "along": (((-0.55, 0.0, 0.0), (0.15, 0.0, 0.0)), ((-0.15, 0.0, 0.0), (0.55, 0.0, 0.0))),
        "across": (((-0.55, 0.0, 0.0), (0.55, 0.0, 0.0)), ((0.1, -0.12, 0.0), (0.1, 0.12, 0.0))),
    }
    actors = []
    for number, (name, both) in enumerate(cases.items()):
        splines = tuple(
            _told(f"{name}_{turn}", ("First", "Second")[turn], points, 7 if points[0][0] < 0.0 else 4,
                  f"1 - 0.4 * (ramp(t, {0.5 + 1.5 * turn}, {0.9 + 1.5 * turn}) - ramp(t, {1.3 + 1.5 * turn}, "
                  f"{1.7 + 1.5 * turn}) + ramp(t, 3.5, 3.9) - ramp(t, 4.3, 4.7))")
            for turn, points in enumerate(both)
        )  # fmt: skip
        body = soft_cylinder(
            0.15, 1.2, rings=2, layers=12, axis=0, surface=cylinder_surface(0.15, 1.2, 0, along=36), young=1e5,
            density=100.0, stiffness_damping=0.01, splines=splines,
        )  # fmt: skip
        actors.append(soft_actor(name, f"Overlap {name}", body, position=(0.0, 1.1 - 0.6 * number, 0.0)))
    return _afloat(actors, 5)


def regions() -> Document:
    """Three cylinders with the same spline, whose points act on all within 0.1, 0.2 and 0.3 m (figure 34)."""
    actors = []
    for number, (name, radius) in enumerate((("Small", 0.1), ("Middle", 0.2), ("Large", 0.3))):
        told = "1 - 0.5 * (ramp(t, 0.5, 1) - ramp(t, 2.5, 3))"
        spline = _told(f"spline{number}", "Spline", ((-0.35, 0.0, 0.0), (0.35, 0.0, 0.0)), 8, told)
        body = soft_cylinder(
            0.125, 1.0, rings=2, layers=16, axis=0, surface=cylinder_surface(0.125, 1.0, 0, along=32), young=1e5,
            density=100.0, stiffness_damping=0.01, splines=(replace(spline, region="radius", radius=radius),),
        )  # fmt: skip
        actors.append(soft_actor(name.lower(), f"{name} region", body, position=(0.0, 1.2 - 0.4 * number, 0.0)))
    return _afloat(actors, 4)


def _afloat(actors: list[Actor], seconds: int) -> Document:
    world = PhysicsWorld(gravity=0.0, ground=False)
    return Document(actors=tuple(actors), play=Span(start=0, end=seconds * SECOND), parts=(EXACT, world))


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
    surface = stool_surface(SEAT * CUBE, (LEG + 1) * CUBE, CUBE, CUBE, 0.022)
    body = body_of(mesh, surface=surface, young=2e5, density=300.0, stiffness_damping=0.02, splines=tuple(splines))
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
        surface=table_surface(count * CUBE, height * CUBE, 2 * CUBE, CUBE, 2 * CUBE, 0.2, 0.025),
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
        way = ((-5.5, 0.5), (-2.0, 1.0), (1.5, 1.0), (5.0, 0.9))
        points = tuple((x * side, 0.5 * side, z * wide * side) for x, wide in way)
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
        surface=lizard_surface(side, (-1.5 * side, 3.5 * side), 0.0108),
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
        surface=arm_surface(length, width, 0.012),
        young=1.2e5,
        stiffness_damping=0.03,
        splines=(muscle,),
        attachments=(
            SoftAttachment(
                id="shoulder",
                points=Blob(held),
                places=Blob(mesh.points[held] - np.array(SHOULDER)),
                target="shoulder",
                joint="body",
            ),
        ),
    )
    at = (0.0, 0.5, 0.0)
    shoulder = Actor(
        id="shoulder", name="Shoulder", figure=prop("Shoulder", ()),
        placement=Placement(position=(at[0] + SHOULDER[0], at[1], at[2])), layers=POSE,
    )  # fmt: skip
    crate = Actor(
        id="crate",
        name="Crate",
        figure=prop("Crate", (Box(half=(0.1, 0.175, 0.15), rounding=0.01),), fixed=True),
        placement=Placement(position=(0.25, 0.175, 0.0)),
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
    "word": word,
    "stool": stool,
    "table": table,
    "lizard": lizard,
    "biceps": biceps,
    "overlap": overlap,
    "regions": regions,
    "hat": hat,
    "seesaw": seesaw,
    "curl": curl,
    "body": muscled_body,
    "lift": lift,
    "arm": arm,
    "belly": belly,
    "flesh": fleshed,
}
