"""Ball joints of captured motions, for tests and benchmarks of limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.formats import bvh
from engine.formats.format import Options
from engine.maths.arrays import Array
from tests.engine.shared_data import shared

JUMPS, WALK = "cmu_01_01_forward_jumps", "cmu_12_01_walk"
"""Two takes of one skeleton."""


@dataclass(frozen=True)
class Ball:
    """What the three hinges of a joint went through."""

    joint: str
    axes: Array  # unit, shape [3, 3]
    angles: Array  # [rad], within half a turn, shape [frame_count, 3]


@cache
def balls(clip: str) -> tuple[Ball, ...]:
    """The joints of a take that have three hinges, but for its root."""
    contents = bvh.FORMAT.read(shared("mocap", "bvh", f"{clip}.bvh"), Options())  # type: ignore[misc]
    samples, figure = contents.layers[0].samples, contents.figure
    assert samples is not None
    assert figure is not None
    places = {name: index for index, name in enumerate(samples.coordinates)}
    found = []
    for joint in figure.joints[1:]:
        hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
        if len(hinges) == 3:
            rows = samples.values.array[:, [places[dof.id] for dof in hinges]]
            angles = np.ascontiguousarray(np.mod(rows + math.pi, math.tau) - math.pi)
            found.append(Ball(joint.id, np.array([dof.axis for dof in hinges]), angles))
    return tuple(found)


def some(angles: Array, count: int) -> Array:
    """So many of the samples, evenly."""
    return np.asarray(angles[np.linspace(0, len(angles) - 1, count).astype(int)])
