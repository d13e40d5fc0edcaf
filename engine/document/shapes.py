"""Shapes: what a body looks like, as small parametric solids in the body's own frame. Lengths in metres.

A `Loft` is the mannequin's segment: rounded cross-sections along a straight axis, joined by a smooth curve and
closed by rounded ends; a `TriangleMesh` is any surface, as a file gave it; the rest are the usual primitives.
`engine.model.meshes` turns them into triangles.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from engine.document.blobs import Blob
from engine.document.material import Colouring
from engine.document.parts import Part
from engine.document.values import Vector3, finite, vector3
from engine.maths.quaternions import cross
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNIT = 1e-4  # what the square of a normal's length may lack of 1


def _positive(what: str, value: float) -> float:
    number = finite(what, value)
    if number <= 0.0:
        raise InvalidDocument(what=what, value=value, allowed="a length above 0")
    return number


def _check_corners(count: int, places: NDArray[Any]) -> None:
    """The corners of a mesh's triangles are among its vertices."""
    if not 0 <= places.min() <= places.max() < count:
        ends = (int(places.min()), int(places.max()))
        raise InvalidDocument(what="a corner of a mesh's triangles", value=ends, allowed=f"0 to {count - 1}")


def _check_normals(normals: NDArray[Any]) -> None:
    norms = (normals**2).sum(axis=1)
    if abs(norms - 1.0).max() > _UNIT:
        raise InvalidDocument(what="the normals of a mesh", value=float(norms.min()), allowed="directions of norm 1")


@dataclass(frozen=True, kw_only=True)
class Solid:
    """The fields that every shape has."""

    tone: float = 1.0  # brightness beside the rest of the actor: 1 as it is, less is darker

    def __post_init__(self) -> None:
        object.__setattr__(self, "tone", finite("a shape's tone", self.tone))
        if not 0.0 <= self.tone <= 1.0:
            raise InvalidDocument(what="a shape's tone", value=self.tone, allowed="0 to 1")


@dataclass(frozen=True, kw_only=True)
class Section:
    """One cross-section of a loft: two half ellipses, squared off towards a rectangle by `squareness`."""

    along: float  # [m] along the loft's axis
    width: float  # [m] half extent along the loft's `side`
    depth: float  # [m] half extent across it, in front of the centre
    depth_back: float | None = None  # [m] half extent behind the centre; None: as in front
    shift_side: float = 0.0  # [m] offset of the centre along `side`
    shift_front: float = 0.0  # [m] offset of the centre along the direction of the depths
    squareness: float = 0.0  # 0 ellipse, towards 1 rounded rectangle

    def __post_init__(self) -> None:
        for name in ("along", "shift_side", "shift_front", "squareness"):
            object.__setattr__(self, name, finite(f"a section's {name}", getattr(self, name)))
        object.__setattr__(self, "width", _positive("a section's width", self.width))
        object.__setattr__(self, "depth", _positive("a section's depth", self.depth))
        if self.depth_back is not None:
            object.__setattr__(self, "depth_back", _positive("a section's depth behind", self.depth_back))
        if not 0.0 <= self.squareness < 1.0:
            raise InvalidDocument(what="a section's squareness", value=self.squareness, allowed="0 up to 1, 1 excluded")


@dataclass(frozen=True, kw_only=True)
class Loft(Solid):
    """Sections in rising order of `along`, on the line through `origin` in direction `axis`.

    `side` is the direction of the widths (its part along the axis is dropped); the depths lie along `side` x `axis`,
    which is the loft's front. `caps` are the heights of the rounded start and end, which stand beyond the first and
    last section, as parts of that section's least half extent: 1 is a half sphere, 0 is flat.
    """

    sections: tuple[Section, ...]
    axis: Vector3 = (0.0, 1.0, 0.0)
    side: Vector3 = (1.0, 0.0, 0.0)
    origin: Vector3 = (0.0, 0.0, 0.0)
    caps: tuple[float, float] = (0.6, 0.6)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("axis", "side", "origin"):
            object.__setattr__(self, name, vector3(f"a loft's {name}", getattr(self, name)))
        along = [section.along for section in self.sections]
        if len(along) < 2 or any(second <= first for first, second in pairwise(along)):
            raise InvalidDocument(what="a loft's sections", value=along, allowed="two or more, in rising order")
        if len(self.caps) != 2 or not all(0.0 <= finite("a loft's cap", each) <= 4.0 for each in self.caps):
            raise InvalidDocument(what="a loft's caps", value=self.caps, allowed="two numbers of 0 to 4")
        object.__setattr__(self, "caps", (float(self.caps[0]), float(self.caps[1])))
        norm, across = math.hypot(*self.axis), math.hypot(*cross(self.side, self.axis))
        if norm < 1e-9 or across <= 1e-6 * norm * max(math.hypot(*self.side), 1e-9):
            value = (self.axis, self.side)
            raise InvalidDocument(what="a loft's axis and side", value=value, allowed="two different directions")


@dataclass(frozen=True, kw_only=True)
class Capsule(Solid):
    """A cylinder with round ends, from `start` to `end`."""

    start: Vector3
    end: Vector3
    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "start", vector3("a capsule's start", self.start))
        object.__setattr__(self, "end", vector3("a capsule's end", self.end))
        object.__setattr__(self, "radius", _positive("a capsule's radius", self.radius))


@dataclass(frozen=True, kw_only=True)
class Ellipsoid(Solid):
    """Semi-axes `radii` along the body's x, y, z."""

    radii: Vector3
    centre: Vector3 = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "centre", vector3("an ellipsoid's centre", self.centre))
        object.__setattr__(self, "radii", vector3("an ellipsoid's radii", self.radii))
        for each in self.radii:
            _positive("an ellipsoid's radius", each)


@dataclass(frozen=True, kw_only=True)
class Box(Solid):
    """Half extents along the body's x, y, z, its edges rounded by `rounding`."""

    half: Vector3
    centre: Vector3 = (0.0, 0.0, 0.0)
    rounding: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "centre", vector3("a box's centre", self.centre))
        object.__setattr__(self, "half", vector3("a box's half extents", self.half))
        for each in self.half:
            _positive("a box's half extent", each)
        object.__setattr__(self, "rounding", finite("a box's rounding", self.rounding))
        if not 0.0 <= self.rounding <= min(self.half):
            raise InvalidDocument(what="a box's rounding", value=self.rounding, allowed="0 to the least half extent")


@dataclass(frozen=True, kw_only=True)
class TriangleMesh(Solid, Part):
    """A surface of triangles. An edge is sharp where the vertices of its two triangles stand there twice."""

    positions: Blob  # float32, shape [vertex_count, 3]
    normals: Blob  # unit, float32, shape [vertex_count, 3]
    triangles: Blob  # counter-clockwise from outside, int32, shape [triangle_count, 3]
    colouring: Colouring | None = None  # None: the actor's own colour

    def __post_init__(self) -> None:
        super().__post_init__()
        count = self.positions.shape[0] if self.positions.shape else 0
        wanted = {"positions": ("<f4", (count, 3)), "normals": ("<f4", (count, 3))}
        wanted["triangles"] = ("<i4", (self.triangles.shape[0] if self.triangles.shape else 0, 3))
        for name, form in wanted.items():
            blob: Blob = getattr(self, name)
            if (blob.type, blob.shape) != form:
                value = (blob.type, blob.shape)
                raise InvalidDocument(what=f"the {name} of a mesh", value=value, allowed=f"{form[0]}, shape {form[1]}")
        if not self.triangles.shape[0]:
            raise InvalidDocument(what="the triangles of a mesh", value=0, allowed="one or more")
        if self.colouring is not None:
            self.colouring.check("a mesh", self.triangles.shape[0])
        self.triangles.check(partial(_check_corners, count))
        self.normals.check(_check_normals)


Shape = Loft | Capsule | Ellipsoid | Box | TriangleMesh
