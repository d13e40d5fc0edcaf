"""Compiles this room's kernels by calling each with the types that the application uses, on regions of a few nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.document.blobs import Blob
from engine.document.limit import (
    BoxRange,
    ConeRange,
    Grid,
    Limit,
    MeshRange,
    PolygonRange,
    Range,
    SampledRange,
    Stroke,
)
from engine.limits.field import compile_field
from engine.limits.packed import pack_limits
from engine.limits.query import measure_pose, project_angles, project_pose, slope_at, value_at
from engine.limits.soft import resist_pose
from engine.limits.wrapping import icosphere, shrink_wrap

_DOFS = ("a", "b", "c")
_COUNT = 6


def warm() -> Iterator[str]:
    """Build, brush, wrap, pack and ask a field of each kind; yields what is ready."""
    points, faces = icosphere(1)
    samples = SampledRange(angles=Blob(np.array([[0.0, 0.0, 0.0], [0.5, 0.4, 0.3]])), clips=(2,))
    directions = ((0.5, -1.0, 0.5), (-0.5, -1.0, 0.5), (0.0, -1.0, -0.5))
    ranges: dict[str, Range] = {
        "samples": samples,
        "box": BoxRange(lower=(-0.5,) * 3, upper=(0.5,) * 3),
        "cone": ConeRange(),
        "polygon": PolygonRange(axis=(0.0, -1.0, 0.0), corners=directions),
        "mesh": MeshRange(positions=Blob(points), faces=Blob(faces)),
    }
    for name, own in ranges.items():
        field = compile_field(_limit(own), np.eye(3))
        yield name
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)])
    lines = MeshRange(positions=Blob(corners), faces=Blob(np.array([(0, 1), (1, 2), (2, 0)], dtype=np.int32)))
    compile_field(_limit(lines, 2), None)
    yield "line"
    shrink_wrap(field.grid, field.values, 0)
    yield "wrapping"
    stroke = Stroke(kind="pull", points=((1.0, 0.0, 0.0),), radius=0.8)
    compile_field(replace(_limit(ranges["mesh"]), strokes=(stroke,)), np.eye(3))
    yield "brush"
    packed = pack_limits([(field, (0, 1, 2))])
    q, found = np.full(3, 2.0), np.empty(3)
    project_pose(packed.ints, packed.floats, q, found)
    measure_pose(packed.ints, packed.floats, q)
    resist_pose(packed.ints, packed.floats, q, np.zeros((1, 2)), found)
    value_at(packed.ints, packed.floats, 0, q)
    slope_at(packed.ints, packed.floats, 0, q, found)
    project_angles(packed.ints, packed.floats, 0, q, found)
    yield "projection"


def _limit(own: Range, size: int = 3) -> Limit:
    spacing = 3.0 / (_COUNT - 1)
    grid = Grid(counts=(_COUNT,) * size, lower=(-1.5,) * size, spacing=(spacing,) * size, periodic=(False,) * size)
    return Limit(id="warm", name="Warm", dofs=_DOFS[:size], range=own, grid=grid, margin=0.2)
