"""Compiles the kernels by which soft bodies are moved and shown: keys of activations, and what colours a surface."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Document, Key, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.motion.curves import evaluate_track
from engine.soft.compile import compile_scene
from engine.soft.fields import surface_fields
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import ALPHA


def warm() -> Iterator[str]:
    """Read a curve, and measure a small body."""
    keys = (Key(0, 1.0), Key(TICKS_PER_SECOND, 0.5))
    evaluate_track(Track(coordinate=ALPHA, keys=keys), np.array([0.5 * TICKS_PER_SECOND]))
    yield "evaluate_times"
    box = soft_actor("box", "Box", soft_box((0.1, 0.1, 0.1), (1, 1, 1)))
    (member,) = compile_scene(Document(actors=(box,))).members
    surface_fields(member, member.mesh.points)
    yield "measure_cells"
