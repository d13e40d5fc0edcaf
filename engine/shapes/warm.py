"""Compiles this room's kernels: shows a surface that swings, as the application does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Blob, Key, Track
from engine.document.correction import Bell
from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.shapes.corrections import BellTerm, term_values
from engine.shapes.keyed import weights_of
from engine.shapes.parts import WEIGHT, BlendShape, BlendShapes, ShapeMotion
from engine.shapes.tracking import compile_shapes


class _Still:
    """A surface that nobody moves."""

    def weights(self, times: Array) -> Array:
        """None."""
        return np.zeros((len(times), 0))

    def frames(self, times: Array) -> Array:
        """At the origin."""
        return np.tile(np.eye(3, 4), (len(times), 1, 1))

    def jumps(self, start: float, end: float) -> bool:
        """Never."""
        return False

    def moved(self, times: Array, *, controls: bool) -> Array | None:
        """Nothing."""
        return None


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each group when it is ready."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)
    keys = Track(coordinate=WEIGHT, keys=(Key(0, 0.0), Key(TICKS_PER_SECOND, 1.0)))
    smile = BlendShape(
        id="smile", name="Smile", vertices=Blob(np.zeros(1, dtype=np.int32)), offsets=Blob(corners[:1]), track=keys
    )
    weights_of((smile,), np.zeros(1))
    bell = Bell(time=0, before=TICKS_PER_SECOND, after=TICKS_PER_SECOND)
    term_values((BellTerm(bell),), np.zeros(1))
    motion = ShapeMotion(on=True, points=4, window=TICKS_PER_SECOND // 20)
    model = compile_shapes(BlendShapes(positions=Blob(corners), triangles=Blob(faces), motion=motion), (24, 1))
    model.vertices(_Still(), 0.0)
    model.answer(np.zeros((model.steps + 2, 1)))
    yield "follow_shape"
