"""Figure: a tree of joints, each with an ordered list of degrees of freedom.

A joint stands at `offset` [m] with orientation `rest` in its parent's frame; its degrees of freedom then turn or
move it one after the other, each in the frame that the one before has left. Ball joints are three hinges in a stated
order. A `ball` degree of freedom is a unit quaternion and stands only in a root: it has four coordinates in `q` and
three in `qd`. The kinds of root (fixed; planar; three slides and three hinges; three slides and a quaternion) are
therefore nothing but lists of degrees of freedom.
A driven degree of freedom keeps its number in `q`, but its value is a function of others (`DrivenBy`).
Ids are unique within the figure; a coordinate is named `<dof id>`, or `<dof id>.w` to `.z` for a ball.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from engine.document.limit import Limit
from engine.document.parts import Part
from engine.document.shapes import Shape
from engine.document.skin import Skin
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import dataclass

Side = Literal["left", "middle", "right"]
Inertia = tuple[float, float, float, float, float, float]
DofKind = Literal["hinge", "slide", "ball"]
DOF_KINDS: tuple[DofKind, ...] = ("hinge", "slide", "ball")


@dataclass(frozen=True, kw_only=True)
class DrivenBy:
    """The part of a coordinate's value that another one gives, which drives it: a cubic spline through knots
    (`engine.maths.splines`), straight beyond its ends."""

    dof: str  # the driver
    at: tuple[float, ...]  # [rad] or [m] of the driver, rising
    values: tuple[float, ...]  # [rad] or [m] of the driven one

    def __post_init__(self) -> None:
        for name in ("at", "values"):
            numbers = tuple(finite(f"a knot by {self.dof}", each) for each in getattr(self, name))
            object.__setattr__(self, name, numbers)
        if len(self.at) < 2 or any(later <= earlier for earlier, later in pairwise(self.at)):
            allowed = "two or more values of the driver, each above the one before"
            raise InvalidDocument(what=f"the knots by {self.dof}", value=self.at, allowed=allowed)
        if len(self.values) != len(self.at):
            allowed = f"{len(self.at)}, one at each knot"
            raise InvalidDocument(
                what=f"how many values the knots by {self.dof} have", value=len(self.values), allowed=allowed
            )

    def value(self, driver: float) -> float:
        """Evaluate the spline where the driver has that value."""
        from engine.maths.splines import spline_value  # here, for numpy comes with it

        return spline_value(self.at, self.values, driver)


@dataclass(frozen=True, kw_only=True)
class Dof:
    """One degree of freedom: a hinge [rad] or a slide [m] about or along `axis`, or a ball (unit quaternion)."""

    id: str
    name: str
    kind: DofKind = "hinge"
    axis: Vector3 = (1.0, 0.0, 0.0)  # unit, in the joint's own frame
    lower: float | None = None  # [rad] or [m]; None: no limit
    upper: float | None = None
    stiffness: float = 1.0  # weight in inverse kinematics, 0 and above
    damping: float = 0.0  # [N m s/rad] or [N s/m]
    spring: float = 0.0  # [N m/rad] or [N/m] of what it pulls back with, as a disc does between two vertebrae
    neutral: float = 0.0  # [rad] or [m] where that pulls with nothing
    driven: tuple[DrivenBy, ...] = ()  # its value is their sum; it has no limits of its own, and no keys

    def __post_init__(self) -> None:
        if self.kind not in DOF_KINDS:
            raise InvalidDocument(what=f"the kind of {self.id}", value=self.kind, allowed=", ".join(DOF_KINDS))
        axis = vector3(f"the axis of {self.id}", self.axis)
        norm = math.hypot(*axis)
        if norm < 1e-9:
            raise InvalidDocument(what=f"the axis of {self.id}", value=axis, allowed="a direction that is not zero")
        if abs(norm - 1.0) > 4e-16:
            axis = (axis[0] / norm, axis[1] / norm, axis[2] / norm)
        object.__setattr__(self, "axis", axis)
        for name in ("lower", "upper"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, finite(f"the {name} limit of {self.id}", value))
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            value = (self.lower, self.upper)
            raise InvalidDocument(what=f"the limits of {self.id}", value=value, allowed="lower at most upper")
        if self.kind == "ball" and (self.lower is not None or self.upper is not None):
            raise InvalidDocument(what=f"the limits of {self.id}", value=self.kind, allowed="none on a ball")
        object.__setattr__(self, "neutral", finite(f"where the spring of {self.id} rests", self.neutral))
        if self.kind == "ball" and self.spring != 0.0:
            raise InvalidDocument(what=f"the spring of {self.id}", value=self.spring, allowed="none on a ball")
        for name in ("stiffness", "damping", "spring"):
            number = finite(f"the {name} of {self.id}", getattr(self, name))
            if number < 0.0:
                raise InvalidDocument(what=f"the {name} of {self.id}", value=number, allowed="0 and above")
            object.__setattr__(self, name, number)
        if self.driven:
            self._check_driven()

    def _check_driven(self) -> None:
        if self.kind == "ball":
            allowed = "a hinge or a slide: a ball is not driven"
            raise InvalidDocument(what=f"the kind of {self.id}", value=self.kind, allowed=allowed)
        if self.lower is not None or self.upper is not None:
            value, allowed = (self.lower, self.upper), "none, for its drivers say where it is"
            raise InvalidDocument(what=f"the limits of {self.id}", value=value, allowed=allowed)
        drivers = [each.dof for each in self.driven]
        if len(set(drivers)) < len(drivers) or self.id in drivers:
            allowed = "other degrees of freedom, each once"
            raise InvalidDocument(what=f"what drives {self.id}", value=drivers, allowed=allowed)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of this degree of freedom's numbers in `q`."""
        return tuple(f"{self.id}.{letter}" for letter in "wxyz") if self.kind == "ball" else (self.id,)

    @cached_property
    def rates(self) -> tuple[str, ...]:
        """Names of its numbers in `qd`; those of a ball are its angular velocity about the axes of the turned body."""
        return self.coordinates[1:] if self.kind == "ball" else self.coordinates

    def at_rest(self, coordinate: str) -> float:
        """The value at rest of one of its coordinates, drivers left aside."""
        return float(coordinate.endswith(".w")) if self.kind == "ball" else self.clamp(0.0)

    def renamed(self, id: str, name: Callable[[str], str]) -> Dof:
        """Give it another id, and what drives it, too."""
        driven = tuple(replace(each, dof=name(each.dof)) for each in self.driven)
        return replace(self, id=id, driven=driven)

    def clamp(self, value: float) -> float:
        """`value` moved to the nearest limit if it lies beyond one."""
        if self.lower is not None and value < self.lower:
            return self.lower
        return self.upper if self.upper is not None and value > self.upper else value


@dataclass(frozen=True, kw_only=True)
class Body:
    """Mass properties in the joint's own frame."""

    mass: float  # [kg]
    centre: Vector3 = (0.0, 0.0, 0.0)  # [m]
    inertia: Inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # [kg m2] about the centre: xx, yy, zz, xy, xz, yz

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", finite("a body's mass", self.mass))
        object.__setattr__(self, "centre", vector3("a body's centre", self.centre))
        if self.mass < 0.0:
            raise InvalidDocument(what="a body's mass", value=self.mass, allowed="0 and above")
        object.__setattr__(self, "inertia", tuple(finite("a body's inertia", each) for each in self.inertia))
        if not _is_inertia(self.inertia):
            allowed = "principal moments of 0 and above, none larger than the sum of the others"
            raise InvalidDocument(what="a body's inertia", value=self.inertia, allowed=allowed)


def _is_inertia(inertia: Inertia) -> bool:
    """Tell whether some mass has these moments: half the trace less the tensor is positive definite but for
    rounding."""
    xx, yy, zz, xy, xz, yz = inertia
    half = 0.5 * (xx + yy + zz)
    slack = 1e-6 * abs(half) + 1e-15
    a, b, c = half - xx + slack, half - yy + slack, half - zz + slack
    minor = a * b - xy * xy
    whole = c * minor - a * yz * yz - b * xz * xz - 2.0 * xy * yz * xz
    return a > 0.0 and minor > 0.0 and whole > 0.0


@dataclass(frozen=True, kw_only=True)
class Handle:
    """A named place on a body: an end-effector, a marker, the end of a bone."""

    id: str
    name: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)  # [m] in the joint's frame

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3(f"the point of handle {self.id}", self.point))


@dataclass(frozen=True, kw_only=True)
class Joint(Part):
    """A joint and the body that it carries."""

    id: str
    name: str
    parent: str | None = None
    offset: Vector3 = (0.0, 0.0, 0.0)  # [m] in the parent's frame
    rest: Quaternion = IDENTITY  # in the parent's frame
    dofs: tuple[Dof, ...] = ()
    shapes: tuple[Shape, ...] = ()
    body: Body | None = None  # None: computed from the shapes and the density
    density: float = 1000.0  # [kg/m3]
    side: Side = "middle"
    mirror: str | None = None  # the joint on the other side; None: this one is its own mirror image
    group: str = ""  # for people: "Left arm"

    def __post_init__(self) -> None:
        if finite(f"the density of {self.id}", self.density) < 0.0:
            raise InvalidDocument(what=f"the density of {self.id}", value=self.density, allowed="0 and above")
        object.__setattr__(self, "offset", vector3(f"the offset of {self.id}", self.offset))
        object.__setattr__(self, "rest", unit_quaternion(f"the rest orientation of {self.id}", self.rest))


@dataclass(frozen=True, kw_only=True)
class Figure(Part):
    """Joints, parents before children, and the surfaces that follow them."""

    name: str
    joints: tuple[Joint, ...]
    handles: tuple[Handle, ...] = ()
    skins: tuple[Skin, ...] = ()  # drawn instead of the joints' shapes
    limits: tuple[Limit, ...] = ()  # over the angles of some hinges together

    @property
    def is_prop(self) -> bool:
        """True if the figure has one joint: no parts move against each other."""
        return len(self.joints) == 1

    @cached_property
    def dofs(self) -> tuple[Dof, ...]:
        """All degrees of freedom in joint order."""
        return tuple(dof for joint in self.joints for dof in joint.dofs)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the numbers of `q`, in order."""
        return tuple(name for dof in self.dofs for name in dof.coordinates)

    @cached_property
    def rates(self) -> tuple[str, ...]:
        """Names of the numbers of `qd`, in order."""
        return tuple(name for dof in self.dofs for name in dof.rates)

    @cached_property
    def rate_index(self) -> dict[str, int]:
        """Place of each rate in `qd`."""
        return {name: index for index, name in enumerate(self.rates)}

    @cached_property
    def coordinate_index(self) -> dict[str, int]:
        """Place of each coordinate in `q`."""
        return {name: index for index, name in enumerate(self.coordinates)}

    @cached_property
    def coordinate_dof(self) -> dict[str, Dof]:
        """The degree of freedom that each coordinate belongs to."""
        return {name: dof for dof in self.dofs for name in dof.coordinates}

    @cached_property
    def joint_index(self) -> dict[str, int]:
        """Place of each joint."""
        return {joint.id: index for index, joint in enumerate(self.joints)}

    @cached_property
    def dof_joint(self) -> dict[str, Joint]:
        """The joint that each degree of freedom belongs to."""
        return {dof.id: joint for joint in self.joints for dof in joint.dofs}

    @cached_property
    def driven(self) -> tuple[Dof, ...]:
        """The degrees of freedom whose values follow others, in joint order."""
        return tuple(dof for dof in self.dofs if dof.driven)

    @cached_property
    def rest(self) -> dict[str, float]:
        """Each coordinate of the rest pose: 0, or the nearest limit where 0 lies beyond it; the identity of a ball;
        of what is driven, what its drivers make of it."""
        found = {name: dof.at_rest(name) for name, dof in self.coordinate_dof.items()}
        for dof in self.driven:
            found[dof.id] = sum(each.value(found[each.dof]) for each in dof.driven)
        return found

    @cached_property
    def limits_on(self) -> tuple[Limit, ...]:
        """The limits that hold."""
        return tuple(limit for limit in self.limits if limit.on)

    @cached_property
    def limited(self) -> frozenset[str]:
        """The hinges for which a limit holds in place of their own lower and upper ones."""
        return frozenset(dof for limit in self.limits_on for dof in limit.dofs)

    def limit(self, id: str) -> Limit:
        """The limit of that id."""
        for limit in self.limits:
            if limit.id == id:
                return limit
        raise UnknownPart(kind="joint limit", id=id, known=tuple(limit.id for limit in self.limits))

    def hinges_beside(self, dof: str) -> tuple[str, ...]:
        """The hinges of the joint that has one, in its order."""
        return tuple(each.id for each in self.dof_joint[dof].dofs if each.kind == "hinge")

    def depends(self, limit: Limit) -> bool:
        """Tell whether a limit is over the hinges of several joints, as that of a knee which depends on its hip."""
        return len({self.dof_joint[dof].id for dof in limit.dofs}) > 1

    def above(self, id: str) -> tuple[str, ...]:
        """The joint of that id and those between it and its root, the root last."""
        found = [id]
        while (parent := self.joint(found[-1]).parent) is not None:
            found.append(parent)
        return tuple(found)

    def below(self, id: str) -> tuple[str, ...]:
        """The joints that hang on that one, near or far, in the order of the figure."""
        found = {self.joint(id).id}
        for joint in self.joints:
            if joint.parent in found:
                found.add(joint.id)
        return tuple(joint.id for joint in self.joints if joint.id in found and joint.id != id)

    def joint(self, id: str) -> Joint:
        """The joint of that id."""
        index = self.joint_index.get(id)
        if index is None:
            raise UnknownPart(kind="joint", id=id, known=tuple(self.joint_index))
        return self.joints[index]
