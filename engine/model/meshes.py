"""Triangle meshes of a figure's shapes, one merged mesh for all its bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.document import Colouring, Shape, TriangleMesh
from engine.model.solids import surface_of
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles whose vertices each move with one body."""

    positions: NDArray[np.float32]  # [m] in the body's frame, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, shape [vertex_count, 3]
    body: NDArray[np.int32]  # body of each vertex, shape [vertex_count]
    triangles: NDArray[np.uint32]  # counter-clockwise seen from outside, shape [triangle_count, 3]
    # Brightness of each vertex beside the actor's colour, 0 to 1, shape [vertex_count]; not given: 1 everywhere.
    tone: NDArray[np.float32] = field(default_factory=lambda: np.ones(0, dtype=np.float32))
    # What colours the triangles, part by part, each with its number of triangles; none: the actor's colour everywhere.
    colourings: tuple[tuple[Colouring | None, int], ...] = ()

    def __post_init__(self) -> None:
        if len(self.tone) != len(self.positions):
            object.__setattr__(self, "tone", np.ones(len(self.positions), dtype=np.float32))

    @cached_property
    def digest(self) -> str:
        """Digest of the arrays."""
        content = blake2b(digest_size=16)
        for array in (self.positions, self.normals, self.body, self.triangles, self.tone):
            content.update(np.ascontiguousarray(array).tobytes())
        for colouring, count in self.colourings:
            content.update(f"{colouring.digest if colouring is not None else ''} {count} ".encode())
        return content.hexdigest()


def build_mesh(bodies: Sequence[tuple[Shape, ...]]) -> Mesh:
    """The merged mesh of every body's shapes, in body order. A body without shapes has no vertices."""
    listed = [(body, shape) for body, shapes in enumerate(bodies) for shape in shapes]
    if not listed:
        flat, none = np.zeros((0, 3), dtype=np.float32), np.zeros(0, dtype=np.int32)
        return Mesh(positions=flat, normals=flat, body=none, triangles=np.zeros((0, 3), dtype=np.uint32))
    surfaces = [surface_of(shape) for _, shape in listed]
    counts = np.array([len(surface.positions) for surface in surfaces])
    starts = np.cumsum(counts) - counts
    colourings = [shape.colouring if isinstance(shape, TriangleMesh) else None for _, shape in listed]
    mesh = Mesh(
        positions=np.concatenate([surface.positions for surface in surfaces], dtype=np.float32),
        normals=np.concatenate([surface.normals for surface in surfaces], dtype=np.float32),
        body=np.repeat(np.array([body for body, _ in listed], dtype=np.int32), counts),
        triangles=np.concatenate(
            [surface.triangles + np.uint32(start) for surface, start in zip(surfaces, starts, strict=True)]
        ),
        tone=np.repeat(np.array([shape.tone for _, shape in listed], dtype=np.float32), counts),
        colourings=tuple(
            (colouring, len(surface.triangles)) for colouring, surface in zip(colourings, surfaces, strict=True)
        )
        if any(each is not None for each in colourings)
        else (),
    )
    for array in (mesh.positions, mesh.normals, mesh.body, mesh.triangles, mesh.tone):
        array.flags.writeable = False
    return mesh
