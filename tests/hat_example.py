"""The example "The hat": a figure that walks under a door frame in a floppy hat (Rahgoshay 2011, 4.6).

The hat is a cone of tetrahedra whose lowest rings the head holds; its skin, with a brim, is carried by these cells. Its
secondary motion has no history. A target of its tip makes the figure stoop: the hat clears the frame.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Box, Document, Layer, Placement, Span, Target, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array, IntArray
from engine.queries.examples import human, shipped_part
from engine.runtime.progress import finish
from engine.soft.making import body_of, soft_actor
from engine.soft.mesh import volume_mesh
from engine.soft.meshing import cylinder
from engine.soft.parts import SoftAttachment, SoftBody
from engine.targets.commands.meet_targets import MeetTargets

HEIGHT, LAYERS = 0.44, 11  # [m] of the cone, rings of cells
WIDE, DEEP, TIP = 0.088, 0.112, 0.12  # [m] radii at the head, and what is left of them at the tip
BENT = 0.14  # [m] that the tip hangs back
ON_HEAD = (0.0, 0.085, -0.002)  # [m] the middle of the brim, in the head's frame
HELD = 0.075  # [m] up to which the head holds the hat
BRIM = 1.75  # times the radius
FRAME_AT, UNDER, LINTEL = 2.9, 1.91, 0.12  # [m] where the door frame stands, how high it is within, how thick
LOW: Vector3 = (0.02, 1.86, 3.1)  # [m] where the tip is to be as it passes below
THERE = 156 * SECOND // 60  # when that is
ROUND = 20  # segments of the skin
WINDOW = 1.0


def hat() -> Document:
    """A walk under a door frame, its target met."""
    document = walking()
    met = MeetTargets(actor="human", id="correction").work_through(Evaluator(), document)
    return finish(met).edit.apply(document)


def walking() -> Document:
    """A walk under a door frame, the target of the tip not met yet."""
    walker = human("human", "Human")
    legs = tuple(
        OwnGains(joint=joint.id, exact=True)
        for joint in walker.figure.joints
        if joint.id.split("_")[0] in ("hip", "knee", "ankle", "ball", "toe", "toes", "foot")
    )
    target = Target(
        id="tip", kind="point", time=THERE, joint="head", point=_on_head(_tip()), position=LOW, carried="hat", spot=0,
        width=SECOND // 2,
    )  # fmt: skip
    secondary = Secondary(gains=Gains(tension=6.0, damping=1.0, gravity=0.0), own=legs, targets=(target,))
    walk = shipped_part("motions/walk/1")
    assert isinstance(walk, Layer)
    walker = replace(walker, layers=(walk, Layer(id="pose")), secondary=secondary)
    return Document(actors=(walker, _worn(), _frame()), play=Span(start=0, end=4 * SECOND))


def _worn() -> Actor:
    body = hat_body()
    held = np.flatnonzero(body.points.array[:, 1] < HELD).astype(np.int32)
    places = body.points.array[held] + np.array(ON_HEAD)
    attachment = SoftAttachment(id="worn", points=Blob(held), places=Blob(places), target="human", joint="head")
    body = replace(body, attachments=(attachment,), stepped="over_window", window=WINDOW)
    return soft_actor("hat", "Hat", body, position=(0.0, 1.6, FRAME_AT))


def hat_body() -> SoftBody:
    """Make the hat, the middle of its brim in the origin."""
    straight = cylinder(1.0, HEIGHT, rings=1, layers=LAYERS, axis=1)
    points = straight.points + np.array((0.0, 0.5 * HEIGHT, 0.0))
    mesh = volume_mesh(_shaped(points), straight.cells, "tetrahedra", name="the hat")
    return body_of(
        mesh, surface=_skin(), young=2500.0, poisson=0.3, density=60.0, stiffness_damping=0.06, mass_damping=3.0,
        touches=False,
    )  # fmt: skip


def _shaped(points: Array) -> Array:
    """Taper and bend a cylinder of radius 1 that stands on the origin."""
    share = points[:, 1] / HEIGHT
    radius = TIP + (1.0 - TIP) * (1.0 - share) ** 0.85
    back = BENT * np.clip((share - 0.25) / 0.75, 0.0, None) ** 2
    return np.stack((WIDE * radius * points[:, 0], points[:, 1], DEEP * radius * points[:, 2] - back), axis=1)


def _tip() -> Vector3:
    x, y, z = _shaped(np.array(((0.0, HEIGHT, 0.0),)))[0].tolist()
    return (x, y, z)


def _on_head(point: Vector3) -> Vector3:
    x, y, z = (np.array(point) + np.array(ON_HEAD)).tolist()
    return (x, y, z)


def _skin() -> tuple[Array, IntArray]:
    """Make the cone from its tip down, and the brim around it; the tip is the first vertex."""
    angles = 2.0 * np.pi * np.arange(ROUND) / ROUND
    ring = np.stack((np.cos(angles), np.zeros(ROUND), np.sin(angles)), axis=1)
    heights = HEIGHT * np.linspace(0.985, 0.0, 2 * LAYERS)
    cone = [_shaped(ring + np.array((0.0, height, 0.0))) for height in heights]
    outer = [cone[-1] * wide + np.array((0.0, down, 0.0)) for wide, down in ((1.4, -0.004), (BRIM, -0.02))]
    lower = [outer[1] - np.array((0.0, 0.006, 0.0)), cone[-1] * 0.95 - np.array((0.0, 0.006, 0.0))]
    rings = [*cone, *outer, *lower]
    triangles = [(0, 1 + (each + 1) % ROUND, 1 + each) for each in range(ROUND)]
    for row in range(len(rings) - 1):
        first, second = 1 + row * ROUND, 1 + (row + 1) * ROUND
        for each in range(ROUND):
            other = (each + 1) % ROUND
            triangles += [(first + each, first + other, second + other), (first + each, second + other, second + each)]
    points = np.concatenate((np.array((_tip(),)), *rings))
    return points, np.array(triangles, dtype=np.int32)


def _frame() -> Actor:
    """A door frame across the way."""
    half, post, tall = 0.55, 0.05, 0.5 * UNDER
    shapes = (
        Box(centre=(-half - post, tall, 0.0), half=(post, tall, 0.5 * LINTEL)),
        Box(centre=(half + post, tall, 0.0), half=(post, tall, 0.5 * LINTEL)),
        Box(centre=(0.0, UNDER + 0.07, 0.0), half=(half + 2.0 * post, 0.07, 0.5 * LINTEL)),
    )
    figure = prop("Door frame", shapes, fixed=True)
    return Actor(
        id="frame", name="Door frame", figure=figure, placement=Placement(position=(0.0, 0.0, FRAME_AT)),
        layers=(Layer(id="pose"),),
    )  # fmt: skip
