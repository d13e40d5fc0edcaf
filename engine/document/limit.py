"""Limit: which angles some hinges of a figure may have together, as a region of their Euler space.

A limit is over the angles [rad] of one to five hinges, in the order that `dofs` tells: the turns of one joint, or of
several where one depends on another (a knee on its hip). What a person made is kept: the range (samples of clips, a
box, a cone, a polygon on the sphere, a mesh, or numbers on a grid), the grid, the margin around it, and the strokes of
brushes; the signed distance that solvers ask is worked out of those (`engine.limits`) and found again by their digest.
Where a limit is on, it alone holds for its hinges, in place of the lower and upper limit of each.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from engine.document.blobs import Blob
from engine.document.parts import Part
from engine.document.values import Vector3, finite, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.once import once
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ANGLES = 5
MOST_NODES = 1 << 26  # of a grid; beyond, its size is said and it is refused
PADDING = 2  # cells that a grid has around its range and margin, where it has 8 nodes and more
BrushKind = Literal["pull", "push", "smooth"]
BRUSHES: tuple[BrushKind, ...] = ("pull", "push", "smooth")
Angles = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class SampledRange:
    """The poses that clips went through, in the order of time, clip after clip."""

    angles: Blob  # [rad], float64, shape [sample_count, len(dofs)]
    clips: tuple[int, ...]  # samples of each clip; they add up to sample_count
    keeps_holes: bool = False  # else what the samples enclose is inside
    joins_clips: bool = True  # samples between the end of one clip and the start of the next

    def __post_init__(self) -> None:
        _check_rows("the samples of a limit", self.angles)
        if any(count < 1 for count in self.clips) or sum(self.clips) != self.angles.shape[0]:
            allowed = f"counts of 1 and above that add up to {self.angles.shape[0]}"
            raise InvalidDocument(what="the clips of a limit", value=self.clips, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class BoxRange:
    """Each angle between its own ends."""

    lower: Angles  # [rad]
    upper: Angles

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", _angles("the lower ends of a limit", self.lower))
        object.__setattr__(self, "upper", _angles("the upper ends of a limit", self.upper))
        if len(self.lower) != len(self.upper) or any(a > b for a, b in zip(self.lower, self.upper, strict=True)):
            value = (self.lower, self.upper)
            raise InvalidDocument(what="the ends of a limit", value=value, allowed="lower at most upper, one each")


@dataclass(frozen=True, kw_only=True)
class ConeRange:
    """Swing within an elliptic cone about `axis`, twist about it between its ends. For joints of three hinges."""

    axis: Vector3 = (0.0, -1.0, 0.0)  # unit, in the joint's own frame at rest: where the bone points
    swing: tuple[float, float] = (math.pi / 3, math.pi / 3)  # [rad] about its `swing_axes`
    twist: tuple[float, float] = (-math.pi / 3, math.pi / 3)  # [rad]

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _direction("the axis of a cone", self.axis))
        _check_ends("the twist of a cone", self.twist)
        if not all(0.0 < finite("the swing of a cone", each) <= math.pi for each in self.swing):
            raise InvalidDocument(what="the swing of a cone", value=self.swing, allowed="above 0, at most pi [rad]")


@dataclass(frozen=True, kw_only=True)
class PolygonRange:
    """Directions of the bone, as a polygon on the sphere, and its twist. For joints of three hinges."""

    axis: Vector3  # unit, in the joint's own frame at rest: where the bone points
    corners: tuple[Vector3, ...]  # unit directions in the same frame, counter-clockwise seen from outside
    twist: tuple[float, float] = (-math.pi / 3, math.pi / 3)  # [rad]

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", _direction("the axis of a polygon", self.axis))
        corners = tuple(_direction("a corner of a polygon", each) for each in self.corners)
        object.__setattr__(self, "corners", corners)
        _check_ends("the twist of a polygon", self.twist)
        if len(corners) < 3:
            raise InvalidDocument(what="the corners of a polygon", value=len(corners), allowed="three and more")


@dataclass(frozen=True, kw_only=True)
class MeshRange:
    """The inside of a closed surface in Euler space. For two (a closed line) or three hinges."""

    positions: Blob  # [rad], float64, shape [vertex_count, len(dofs)]
    faces: Blob  # int32, shape [face_count, len(dofs)]: triangles counter-clockwise from outside, or edges

    def __post_init__(self) -> None:
        _check_rows("the vertices of a limit's mesh", self.positions)
        if self.faces.type != "<i4" or len(self.faces.shape) != 2 or self.faces.shape[1] != self.positions.shape[1]:
            allowed = "int32 rows, as many corners as angles"
            value = (self.faces.type, self.faces.shape)
            raise InvalidDocument(what="the faces of a limit's mesh", value=value, allowed=allowed)
        count = self.positions.shape[0]

        def check(faces: NDArray[Any]) -> None:
            if faces.size and not 0 <= faces.min() <= faces.max() < count:
                raise InvalidDocument(
                    what="a corner of a limit's mesh", value=int(faces.max()), allowed=f"0 to {count - 1}"
                )

        self.faces.check(check)


@dataclass(frozen=True, kw_only=True)
class GridRange:
    """Signed distances at the nodes of the limit's grid, negative inside, as a file gave them."""

    distances: Blob  # [rad], float64, shape as the grid's counts


Range = SampledRange | BoxRange | ConeRange | PolygonRange | MeshRange | GridRange


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Nodes at `lower + i * spacing`; along a periodic axis the last neighbours the first."""

    counts: tuple[int, ...]
    lower: Angles  # [rad]
    spacing: Angles  # [rad]
    periodic: tuple[bool, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", _angles("the first node of a grid", self.lower))
        object.__setattr__(self, "spacing", _angles("the spacing of a grid", self.spacing))
        size = len(self.counts)
        if not (1 <= size <= MOST_ANGLES and size == len(self.lower) == len(self.spacing) == len(self.periodic)):
            raise InvalidDocument(what="the axes of a grid", value=size, allowed=f"1 to {MOST_ANGLES}, all alike")
        if any(count < 2 for count in self.counts) or math.prod(self.counts) > MOST_NODES:
            value = f"{' x '.join(map(str, self.counts))}, {math.prod(self.counts) * 8 / 1e6:.0f} MB"
            allowed = f"2 nodes and more along each axis, {MOST_NODES:,} in all"
            raise InvalidDocument(what="the nodes of a grid", value=value, allowed=allowed)
        for count, spacing, periodic in zip(self.counts, self.spacing, self.periodic, strict=True):
            if spacing <= 0.0 or (periodic and abs(count * spacing - math.tau) > 1e-9):
                allowed = "above 0; 2 pi in all along a periodic axis"
                raise InvalidDocument(what="the spacing of a grid", value=spacing, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class Stroke(Part):
    """One stroke of a brush through Euler space; it changes the field within `radius` of its line."""

    kind: BrushKind
    points: tuple[Angles, ...]  # [rad], in order
    radius: float  # [rad]
    strength: float = 1.0  # 0 to 1

    def __post_init__(self) -> None:
        if self.kind not in BRUSHES:
            raise InvalidDocument(what="the kind of a stroke", value=self.kind, allowed=", ".join(BRUSHES))
        points = tuple(_angles("a point of a stroke", each) for each in self.points)
        object.__setattr__(self, "points", points)
        if not points or len({len(each) for each in points}) != 1:
            raise InvalidDocument(what="the points of a stroke", value=len(points), allowed="one and more, alike")
        if not (finite("the radius of a stroke", self.radius) > 0.0):
            raise InvalidDocument(what="the radius of a stroke", value=self.radius, allowed="above 0 [rad]")
        if not 0.0 <= finite("the strength of a stroke", self.strength) <= 1.0:
            raise InvalidDocument(what="the strength of a stroke", value=self.strength, allowed="0 to 1")

    def mirrored(self, axis: int, about: float = 0.0) -> Stroke:
        """Mirror the stroke to the other side of an angle [rad]: a symmetric stroke is two of them."""
        if not 0 <= axis < len(self.points[0]):
            raise InvalidDocument(what="the angle to mirror in", value=axis, allowed=f"0 to {len(self.points[0]) - 1}")
        points = tuple((*each[:axis], 2.0 * about - each[axis], *each[axis + 1 :]) for each in self.points)
        return replace(self, points=points)


@dataclass(frozen=True, kw_only=True)
class Limit(Part):
    """A range over the angles of some hinges, its grid, and what was brushed onto it."""

    id: str
    name: str
    dofs: tuple[str, ...]  # ids of hinges of the figure
    range: Range
    grid: Grid
    margin: float = 0.0  # [rad] the source's epsilon: what lies this near the range is inside, too
    strokes: tuple[Stroke, ...] = ()
    resistance: float = 0.0  # [N m] that it resists with at the boundary, rising from 0 at `onset` inside it
    onset: float = 0.2  # [rad]
    on: bool = True

    def __post_init__(self) -> None:
        size = len(self.dofs)
        if not 1 <= size <= MOST_ANGLES or len(set(self.dofs)) != size:
            allowed = f"1 to {MOST_ANGLES} hinges, each once"
            raise InvalidDocument(what=f"the hinges of {self.name}", value=self.dofs, allowed=allowed)
        for name in ("margin", "resistance", "onset"):
            number = finite(f"the {name} of {self.name}", getattr(self, name))
            object.__setattr__(self, name, number)
            if number < 0.0:
                raise InvalidDocument(what=f"the {name} of {self.name}", value=number, allowed="0 and above")
        if len(self.grid.counts) != size or angles_of(self.range) not in (None, size):
            value = (size, len(self.grid.counts), angles_of(self.range))
            allowed = "hinges, axes of the grid and angles of the range alike"
            raise InvalidDocument(what=f"the angles of {self.name}", value=value, allowed=allowed)
        if isinstance(self.range, GridRange) and self.range.distances.shape != self.grid.counts:
            shape = self.range.distances.shape
            raise InvalidDocument(what=f"the field of {self.name}", value=shape, allowed=str(self.grid.counts))
        if any(len(stroke.points[0]) != size for stroke in self.strokes):
            raise InvalidDocument(what=f"the strokes of {self.name}", value="other angles", allowed=f"{size} each")

    @once
    def field_digest(self) -> str:
        """The digest of what its field is worked out of: with another name, hinge or resistance it is the same."""
        dofs = tuple(map(str, range(len(self.dofs))))
        return replace(self, id="", name="", dofs=dofs, resistance=0.0, onset=0.0, on=True).digest


def angles_of(range: Range) -> int | None:
    """Count the angles of a range; None where its grid tells."""
    if isinstance(range, SampledRange):
        return range.angles.shape[1]
    if isinstance(range, BoxRange):
        return len(range.lower)
    if isinstance(range, MeshRange):
        return range.positions.shape[1]
    return None if isinstance(range, GridRange) else 3


def swing_axes(axis: Vector3) -> tuple[Vector3, Vector3]:
    """The two directions across a cone's axis that its swings are about; the first is nearest to x, y or z.

    Of those that are as near the earlier one, whatever rounding made of the axis.
    """
    sizes = [round(abs(each), 9) for each in axis]
    nearest = sizes.index(min(sizes))
    x, y, z = axis
    a, b, c = (float(each == nearest) - axis[each] * axis[nearest] for each in range(3))
    length = math.hypot(a, b, c)
    a, b, c = a / length, b / length, c / length
    return (a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)


def _angles(what: str, values: Angles) -> Angles:
    return tuple(finite(what, each) for each in values)


def _direction(what: str, value: Vector3) -> Vector3:
    x, y, z = vector3(what, value)
    norm = math.hypot(x, y, z)
    if norm < 1e-9:
        raise InvalidDocument(what=what, value=value, allowed="a direction that is not zero")
    return (x, y, z) if abs(norm - 1.0) <= 4e-16 else (x / norm, y / norm, z / norm)


def _check_ends(what: str, ends: tuple[float, float]) -> None:
    lower, upper = (finite(what, each) for each in ends)
    if not -math.tau <= lower <= upper <= math.tau:
        raise InvalidDocument(what=what, value=ends, allowed="lower at most upper, within two turns [rad]")


def _check_rows(what: str, blob: Blob) -> None:
    if blob.type != "<f8" or len(blob.shape) != 2 or not 1 <= blob.shape[1] <= MOST_ANGLES or blob.shape[0] < 1:
        allowed = f"float64 rows of 1 to {MOST_ANGLES} angles, one row and more"
        raise InvalidDocument(what=what, value=(blob.type, blob.shape), allowed=allowed)
