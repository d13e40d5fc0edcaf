"""Muscles of a figure, as parts of a document.

A muscle's path goes straight from its origin over via points to its insertion, and bends around wraps where these are
in the way. A via point may be there only while a coordinate lies in a range, or be moved by one (`PointCurve`).
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Literal, get_args

from engine.document.parts import Part
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

WrapShape = Literal["sphere", "cylinder", "ellipsoid", "torus"]
WRAP_SHAPES: tuple[WrapShape, ...] = get_args(WrapShape)
_RADII: dict[str, int] = {"sphere": 1, "cylinder": 1, "ellipsoid": 3, "torus": 2}


@dataclass(frozen=True, kw_only=True)
class PointCurve:
    """One coordinate of a moving point as a cubic spline of a degree of freedom; straight beyond its ends."""

    axis: int  # 0, 1, 2: x, y, z of the joint's frame
    dof: str
    knots: tuple[tuple[float, float], ...]  # of the degree of freedom [rad] or [m], and of the point [m]

    def __post_init__(self) -> None:
        if self.axis not in (0, 1, 2):
            raise InvalidDocument(what="the axis of a moving point", value=self.axis, allowed="0, 1 or 2")
        object.__setattr__(self, "knots", tuple((float(at), float(value)) for at, value in self.knots))
        if not all(map(math.isfinite, (each for knot in self.knots for each in knot))):
            raise InvalidDocument(what="the knots of a moving point", value=self.knots, allowed="finite numbers")
        times = [at for at, _ in self.knots]
        if len(times) < 2 or any(after <= before for before, after in pairwise(times)):
            allowed = "two or more, one after the other"
            raise InvalidDocument(what="the knots of a moving point", value=tuple(times), allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class PathPoint:
    """A point of a path on a joint's body, or on the ground."""

    joint: str | None  # None: the ground on which the figure is placed
    point: Vector3  # [m] in the joint's frame
    curves: tuple[PointCurve, ...] = ()  # which of its coordinates move
    dof: str | None = None  # while this one lies within the range, the point is there; None: always
    lower: float = -math.inf  # [rad] or [m]
    upper: float = math.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3("a point of a path", self.point))
        if not self.lower <= self.upper:
            value = (self.lower, self.upper)
            raise InvalidDocument(what="the range of a point of a path", value=value, allowed="lower at most upper")
        if len({each.axis for each in self.curves}) < len(self.curves):
            axes = tuple(each.axis for each in self.curves)
            raise InvalidDocument(what="the axes of a moving point", value=axes, allowed="each once")


@dataclass(frozen=True, kw_only=True)
class MuscleWrap:
    """A smooth body on a joint around which paths bend.

    A cylinder and a torus have the z axis of the wrap as theirs. A torus is gone through: paths stay inside its ring.
    """

    id: str
    name: str
    joint: str | None
    shape: WrapShape
    radii: tuple[float, ...]  # [m] of a sphere, a cylinder; three of an ellipsoid; of a torus its ring's and its tube's
    centre: Vector3 = (0.0, 0.0, 0.0)  # [m] in the joint's frame
    rotation: Quaternion = IDENTITY
    length: float = math.inf  # [m] of a cylinder, its middle at the centre
    side: Vector3 | None = None  # in the frame of the wrap, on which side paths pass; None: the shorter way

    def __post_init__(self) -> None:
        if self.shape not in WRAP_SHAPES:
            allowed = ", ".join(WRAP_SHAPES)
            raise InvalidDocument(what=f"the shape of wrap {self.id}", value=self.shape, allowed=allowed)
        radii = tuple(finite(f"a radius of wrap {self.id}", each) for each in self.radii)
        if len(radii) != _RADII[self.shape] or min(radii) <= 0.0:
            allowed = f"{_RADII[self.shape]} of more than 0 m"
            raise InvalidDocument(what=f"the radii of wrap {self.id}", value=radii, allowed=allowed)
        if self.shape == "torus" and radii[1] >= radii[0]:
            allowed = "a tube that is thinner than its ring"
            raise InvalidDocument(what=f"the radii of wrap {self.id}", value=radii, allowed=allowed)
        if not self.length > 0.0:
            raise InvalidDocument(what=f"the length of wrap {self.id}", value=self.length, allowed="more than 0 m")
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "centre", vector3(f"the centre of wrap {self.id}", self.centre))
        object.__setattr__(self, "rotation", unit_quaternion(f"the rotation of wrap {self.id}", self.rotation))
        if self.side is not None:
            side = vector3(f"the side of wrap {self.id}", self.side)
            norm = math.hypot(*side)
            if norm < 1e-9:
                raise InvalidDocument(what=f"the side of wrap {self.id}", value=side, allowed="a direction")
            object.__setattr__(self, "side", (side[0] / norm, side[1] / norm, side[2] / norm))


@dataclass(frozen=True, kw_only=True)
class PathWrap:
    """A wrap of a muscle, and between which of its points it is minded."""

    wrap: str
    first: int = 0
    last: int = -1  # counted from the end, as in a list


@dataclass(frozen=True, kw_only=True)
class Muscle:
    """A muscle with its tendon: where it goes, and how strong it is."""

    id: str
    name: str
    points: tuple[PathPoint, ...]  # from its origin to its insertion
    wraps: tuple[PathWrap, ...] = ()  # in the order in which its path meets them
    force: float  # [N] at most, isometric, of its fibres
    fibre: float  # [m] length at which its fibres are strongest
    tendon: float  # [m] length from which its tendon pulls
    pennation: float = 0.0  # [rad] of fibres at that length to the tendon
    fastest: float = 10.0  # [fibre lengths/s] at which it shortens without load
    region: str = ""  # for people
    mirror: str | None = None  # the muscle on the other side; None: it is its own mirror image

    def __post_init__(self) -> None:
        if len(self.points) < 2:
            allowed = "two or more, an origin and an insertion"
            raise InvalidDocument(what=f"the points of muscle {self.id}", value=len(self.points), allowed=allowed)
        for name in ("force", "fibre", "fastest"):
            number = finite(f"the {name} of muscle {self.id}", getattr(self, name))
            if number <= 0.0:
                raise InvalidDocument(what=f"the {name} of muscle {self.id}", value=number, allowed="more than 0")
            object.__setattr__(self, name, number)
        tendon = finite(f"the tendon of muscle {self.id}", self.tendon)
        if tendon < 0.0:
            raise InvalidDocument(what=f"the tendon of muscle {self.id}", value=tendon, allowed="0 m and above")
        if not 0.0 <= self.pennation < 0.5 * math.pi:
            allowed = "0 to less than a right angle"
            raise InvalidDocument(what=f"the pennation of muscle {self.id}", value=self.pennation, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class Muscles(Part):
    """The muscles of a figure."""

    muscles: tuple[Muscle, ...] = ()
    wraps: tuple[MuscleWrap, ...] = ()

    def __post_init__(self) -> None:
        for what, ids in (("muscles", [each.id for each in self.muscles]), ("wraps", [each.id for each in self.wraps])):
            repeated = [id for id, count in Counter(ids).items() if count > 1]
            if repeated:
                raise InvalidDocument(what=f"the ids of {what}", value=repeated, allowed="each once")
        known = {each.id for each in self.wraps}
        for muscle in self.muscles:
            for each in muscle.wraps:
                if each.wrap not in known:
                    allowed = ", ".join(sorted(known)) or "none, there are no wraps"
                    raise InvalidDocument(what=f"a wrap of muscle {muscle.id}", value=each.wrap, allowed=allowed)
                last = (
                    range(len(muscle.points))[each.last]
                    if -len(muscle.points) <= each.last < len(muscle.points)
                    else -1
                )
                if not 0 <= each.first < last:
                    allowed = "two points of the muscle, the first before the last"
                    raise InvalidDocument(
                        what=f"the range of wrap {each.wrap} of muscle {muscle.id}",
                        value=(each.first, each.last),
                        allowed=allowed,
                    )

    def muscle(self, id: str) -> Muscle | None:
        """The muscle of that id."""
        return next((each for each in self.muscles if each.id == id), None)
