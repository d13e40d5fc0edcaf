"""Patch: a part of a surface that goes with a body, as where a bone can point on the sphere about its joint."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.runtime.quick_dataclass import dataclass

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Patch:
    """Triangles about a joint, turned as a body, and how far outside of the patch each vertex is."""

    owner: str  # id of the actor
    joint: str  # id of the joint that it stands about
    part: str | None  # id of the joint that carries the body; None: it is not turned
    positions: Floats  # [m] from the joint, shape [count, 3]
    normals: Floats  # unit
    beyond: Floats  # [rad], negative inside
    faces: NDArray[np.int32]
