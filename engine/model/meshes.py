"""Triangle meshes of a figure's or a prop's shapes, one merged mesh for all its bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.document import Shape


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles whose vertices each move with one body."""

    positions: NDArray[np.float32]  # [m] in the body's frame, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, shape [vertex_count, 3]
    body: NDArray[np.int32]  # body of each vertex, shape [vertex_count]
    triangles: NDArray[np.uint32]  # counter-clockwise seen from outside, shape [triangle_count, 3]

    @cached_property
    def digest(self) -> str:
        """Digest of the arrays."""
        content = blake2b(digest_size=16)
        for array in (self.positions, self.normals, self.body, self.triangles):
            content.update(np.ascontiguousarray(array).tobytes())
        return content.hexdigest()


def build_mesh(bodies: Sequence[tuple[Shape, ...]]) -> Mesh:
    """The merged mesh of every body's shapes, in body order."""
    raise ValueError(f"no shapes for {len(bodies)} bodies")
