"""Quantities of a motion that can be measured. No kernel and no numpy here: panels read this table.

Units are those of the engine: "rad/m" stands for rad where the coordinate is a hinge, m where it is a slide, 1 for the
numbers of a ball's quaternion; "N m/N" for N where it is a slide, else N m. A ball has its torques, powers and works at
its x, y and z, about the axes of the frame that it has turned. Vectors are in the world's axes; `length` is their
Euclidean norm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.document import Actor, Dof
from engine.document.measured_forces import MeasuredForces
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.systems import load, systems

Owner = Literal["coordinate", "point", "joint", "figure", "system"]
AXES = ("x", "y", "z")
VECTOR = (*AXES, "length")
GRAVITY = 9.80665  # [m/s2] the standard acceleration of free fall (CGPM 1901)


@dataclass(frozen=True)
class Kind:
    """One kind of quantity: what a person reads, its unit, what it is a quantity of, and how it is found."""

    label: str
    unit: str
    of: Owner
    note: str
    components: tuple[str, ...] = ()  # none: a single number
    of_pose: bool = False  # whether the pose alone gives it, so that it is never by differences
    of_forces: bool = False  # whether it is by inverse dynamics
    sum_of: str = ""  # the kind whose integral over time it is, from the first time that is wanted


KINDS: dict[str, Kind] = {
    "value": Kind("Value", "rad/m", "coordinate", "The coordinate q as it is seen.", of_pose=True),
    "anatomical": Kind(
        "Anatomical angle",
        "rad",
        "coordinate",
        "The angle counted from where the joint's frame is its parent's, in the joint's own order and signs (flexion, "
        "abduction, rotation; Grood and Suntay 1983).",
        of_pose=True,
    ),
    "rate": Kind("Rate", "rad/m/s", "coordinate", "Its rate of change q'."),
    "acceleration": Kind("Acceleration", "rad/m/s2", "coordinate", "Its second derivative q''."),
    "margin": Kind(
        "Distance to limit",
        "rad/m",
        "coordinate",
        "The lesser of q - lower and upper - q, or the distance to the limit over several angles; below 0 beyond it.",
        of_pose=True,
    ),
    "resistance": Kind(
        "Limit torque",
        "N m",
        "coordinate",
        "tau = -r s^2 dphi/dq, s = 1 + phi / onset: what its limits over several angles resist with, up to the "
        "resistance r at their boundary.",
        of_pose=True,
    ),
    "spring": Kind(
        "Spring torque or force",
        "N m/N",
        "coordinate",
        "tau = k (q0 - q), what the degree of freedom's own spring pulls with, such as that of a disc; part of the "
        "torque of inverse dynamics.",
        of_pose=True,
    ),
    "place": Kind("Position", "m", "point", "p, in the world.", VECTOR, of_pose=True),
    "velocity": Kind("Velocity", "m/s", "point", "v = dp/dt.", VECTOR),
    "point_acceleration": Kind("Acceleration", "m/s2", "point", "a = dv/dt.", VECTOR),
    "turning": Kind("Angular velocity", "rad/s", "joint", "omega of the joint's body.", VECTOR),
    "centre": Kind("Centre of mass", "m", "figure", "C = sum(m c) / M.", VECTOR, of_pose=True),
    "centre_velocity": Kind("Velocity of centre of mass", "m/s", "figure", "dC/dt = P / M.", VECTOR),
    "momentum": Kind("Momentum", "kg m/s", "figure", "P = sum(m v) over the bodies.", VECTOR),
    "spin": Kind(
        "Angular momentum",
        "kg m2/s",
        "figure",
        "L = sum(m (c - C) x v + R I R^T omega), about the centre of mass.",
        VECTOR,
    ),
    "kinetic": Kind("Kinetic energy", "J", "figure", "T = sum(m v.v + omega.(R I R^T omega)) / 2."),
    "potential": Kind(
        "Potential energy", "J", "figure", "U = M g C_y, g = 9.80665 m/s2, above the floor.", of_pose=True
    ),
    "energy": Kind("Mechanical energy", "J", "figure", "T + U."),
    "torque": Kind(
        "Torque or force",
        "N m/N",
        "coordinate",
        "tau = M(q) q'' + C(q, q') + G(q), inverse dynamics: all that must act along the coordinate for the motion "
        "that is seen; muscles, motors, friction and limits together.",
        of_forces=True,
    ),
    "power": Kind(
        "Power", "W", "coordinate", "P = tau q': above 0 where it drives, below 0 where it brakes.", of_forces=True
    ),
    "work": Kind(
        "Work",
        "J",
        "coordinate",
        "W = integral of P dt, from the first time that is plotted.",
        of_forces=True,
        sum_of="power",
    ),
    "residual_force": Kind(
        "Residual force",
        "N",
        "figure",
        "F = sum(m (a - g)) over the bodies: what must act on the figure from outside. Of a root that is fixed its "
        "support gives it; of one that moves freely nothing explains it, unless a contact does.",
        VECTOR,
        of_forces=True,
    ),
    "residual_torque": Kind(
        "Residual torque",
        "N m",
        "figure",
        "N = sum((c - p) x m (a - g) + d(R I R^T omega)/dt), about the root's origin p: what must turn the figure from "
        "outside.",
        VECTOR,
        of_forces=True,
    ),
    **{
        each.name: Kind(
            each.label, each.unit, "system", each.note, each.components, of_pose=each.of_pose, sum_of=each.sum_of
        )
        for system in systems()
        for each in system.measured
    },
}


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """One curve: a kind of quantity of one part of an actor, and which of its numbers."""

    kind: str
    actor: str
    part: str = ""  # id of a coordinate, a joint or a handle; empty of a whole figure
    handle: bool = False  # whether a point is a handle's, not a joint's origin
    component: str = ""  # x, y, z or length of a vector

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidArguments(what="the kind of a quantity", value=self.kind, allowed=", ".join(KINDS))
        if self.handle and KINDS[self.kind].of not in ("point", "joint"):
            raise InvalidArguments(what=f"what {self.kind} is of", value="a handle", allowed=KINDS[self.kind].of)
        allowed = KINDS[self.kind].components or ("",)
        if self.component not in allowed:
            allowed_text = ", ".join(allowed) if KINDS[self.kind].components else "none: it is one number"
            raise InvalidArguments(what=f"the component of {self.kind}", value=self.component, allowed=allowed_text)


def parts_of(kind: str, actor: Actor) -> Mapping[str, str]:
    """Name what of an actor has a quantity that a system measures, by ids; an empty id is the whole actor."""
    for system in systems():
        if system.measurable is not None and any(each.name == kind for each in system.measured):
            found: Mapping[str, str] = load(system.measurable)(actor, kind)
            return found
    return {}


def unit_of(quantity: Quantity, actor: Actor) -> str:
    """The unit of a quantity of that actor."""
    unit = KINDS[quantity.kind].unit
    if KINDS[quantity.kind].of != "coordinate":
        return unit
    turn, effort = {"hinge": ("rad", "N m"), "slide": ("m", "N"), "ball": ("1", "N m")}[
        coordinate_of(quantity, actor).kind
    ]
    return unit.replace("rad/m", turn, 1).replace("N m/N", effort)


def has_rate(dof: Dof, coordinate: str) -> bool:
    """Tell whether something turns or slides along a coordinate: of a ball's four along x, y and z."""
    return dof.kind != "ball" or not coordinate.endswith(".w")


def caution_of(quantity: Quantity, actor: Actor) -> str:
    """Return the caution that readers of its numbers need; empty: none."""
    root = actor.figure.joints[0]
    if not KINDS[quantity.kind].of_forces or not any(dof.kind == "slide" for dof in root.dofs):
        return ""
    if actor.part(MeasuredForces) is not None:
        return ""
    return (
        f"The ground's force on {actor.name} is not known: the residual at the root holds it too, and joints that bear "
        "it are told without it."
    )


def coordinate_of(quantity: Quantity, actor: Actor) -> Dof:
    """The degree of freedom that a quantity of a coordinate is about."""
    known = actor.figure.coordinate_dof
    if quantity.part not in known:
        raise UnknownPart(kind="coordinate", id=quantity.part, known=tuple(known))
    return known[quantity.part]


def label_of(quantity: Quantity, actor: Actor) -> str:
    """Compose the label of a legend: "Left knee Flexion", "Left hand, velocity x"."""
    kind = KINDS[quantity.kind]
    what = f"{kind.label.lower()} {quantity.component}".strip()
    if kind.of == "system":
        name = parts_of(quantity.kind, actor).get(quantity.part, "")
        return f"{name or actor.name}, {what}"
    if kind.of == "figure":
        return f"{actor.name}, {what}"
    if kind.of == "coordinate":
        dof = coordinate_of(quantity, actor)
        if quantity.kind == "torque":
            what = "force" if dof.kind == "slide" else "torque"
        joint = next(each.name for each in actor.figure.joints if dof in each.dofs)
        letter = quantity.part.rpartition(".")[2] if dof.kind == "ball" else ""
        name = f"{joint}, {dof.name} {letter}".strip()
        return name if quantity.kind == "value" else f"{name}, {what}"
    if quantity.handle:
        return f"{_handle(quantity, actor)}, {what}"
    return f"{actor.figure.joint(quantity.part).name}, {what}"


def _handle(quantity: Quantity, actor: Actor) -> str:
    names = {handle.id: handle.name for handle in actor.figure.handles}
    if quantity.part not in names:
        raise UnknownPart(kind="handle", id=quantity.part, known=tuple(names))
    return names[quantity.part]
