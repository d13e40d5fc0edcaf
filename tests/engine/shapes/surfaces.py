"""Small surfaces with blend shapes, and actors that have them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Document, Key, Layer, Track
from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array, IntArray
from engine.shapes.faces import shaped_actor
from engine.shapes.parts import WEIGHT, BlendShape, BlendShapes, ShapeMotion, ShapeTarget

FRAME = TICKS_PER_SECOND // 24
ROWS, AROUND, RADIUS = 7, 10, 0.1


def ball() -> tuple[Array, IntArray]:
    """A closed ball of some 70 vertices about the origin."""
    angles = np.pi * np.arange(1, ROWS + 1) / (ROWS + 1)
    turns = 2.0 * np.pi * np.arange(AROUND) / AROUND
    rings = [
        (RADIUS * np.sin(a) * np.sin(t), RADIUS * np.cos(a), RADIUS * np.sin(a) * np.cos(t))
        for a in angles
        for t in turns
    ]
    points = np.array([(0.0, RADIUS, 0.0), *rings, (0.0, -RADIUS, 0.0)])
    last, faces = len(points) - 1, []
    for each in range(AROUND):
        after = (each + 1) % AROUND
        faces.append((0, 1 + each, 1 + after))
        below = 1 + (ROWS - 1) * AROUND
        faces.append((last, below + after, below + each))
        for ring in range(ROWS - 1):
            a, b = 1 + ring * AROUND + each, 1 + ring * AROUND + after
            faces += [(a, a + AROUND, b), (b, a + AROUND, b + AROUND)]
    return points, np.array(faces, dtype=np.int32)


def a_shape(id: str, *, at: int = 25, along: tuple[float, float, float] = (0.0, 0.0, 0.03), **given: Any) -> BlendShape:
    """A bump about a vertex of the ball."""
    points, _ = ball()
    share = np.exp(-(np.linalg.norm(points - points[at], axis=1) ** 2) / 0.003)
    chosen = np.flatnonzero(share > 1e-3)
    offsets = (share[chosen, None] * np.array(along)).astype(np.float32)
    return BlendShape(
        id=id, name=id.capitalize(), vertices=Blob(chosen.astype(np.int32)), offsets=Blob(offsets), **given
    )


def keyed(*pairs: tuple[float, float]) -> Track:
    """Keys of a weight, at frames of 24 a second."""
    return Track(coordinate=WEIGHT, keys=tuple(Key(round(frame * FRAME), value) for frame, value in pairs))


def a_surface(
    *shapes: BlendShape, motion: ShapeMotion | None = None, targets: tuple[ShapeTarget, ...] = ()
) -> BlendShapes:
    """The ball with shapes."""
    points, faces = ball()
    return BlendShapes(
        positions=Blob(points.astype(np.float32)), triangles=Blob(faces), shapes=shapes,
        motion=motion or ShapeMotion(), targets=targets,
    )  # fmt: skip


def ball_actor(
    id: str = "ball", surface: BlendShapes | None = None, **tracks: tuple[tuple[float, float], ...]
) -> Actor:
    """An actor that is a ball with a smile; `move_x` and the like are keys of its joint, at frames."""
    made = shaped_actor(id, "Ball", surface or a_surface(a_shape("smile")))
    listed = tuple(
        Track(coordinate=f"body.{name}", keys=tuple(Key(round(frame * FRAME), value) for frame, value in pairs))
        for name, pairs in tracks.items()
    )
    return replace(made, layers=(Layer(id="pose", tracks=listed),))


def swinging(
    *targets: ShapeTarget, rigidity: float = 0.0, clusters: int = 1, points: int = 30, **tracks: Any
) -> Document:
    """A ball that smiles from frame 2 to 8 while its joint is moved aside, with secondary motion."""
    motion = ShapeMotion(on=True, rigidity=rigidity, clusters=clusters, points=points, window=12 * FRAME)
    smile, brow = a_shape("smile", track=keyed((2, 0.0), (8, 1.0), (16, 0.2))), a_shape("brow", at=40, weight=0.3)
    tracks = tracks or {"move_x": ((0.0, 0.0), (10.0, 0.2), (20.0, 0.0))}
    return Document(actors=(ball_actor("ball", a_surface(smile, brow, motion=motion, targets=targets), **tracks),))
