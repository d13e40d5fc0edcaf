"""The problem of a figure, as a part of a document: its motion between times, of least effort that physics allows.

Degrees of freedom, joints, stages, forces and constraints stand by their ids. Times within a stage are shares of its
length, 0 to 1, so that they hold where that is free. Points are in the frame of their joint, directions and positions
in the world. What a problem comes to, a layer of the actor holds (`Spacetime.layer`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, TypeVar, get_args

from engine.document.parts import Part
from engine.document.ticks import TICKS_PER_SECOND, ticks
from engine.document.values import Vector3, finite, vector3
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.part_checks import check_bounds, check_direction, check_distance, check_names, check_share

CurveKind = Literal["hermite", "hat", "single", "constant", "held"]
CurveOf = Literal["coordinate", "torque", "force"]
MeetingQuantity = Literal["point", "velocity", "time", "distance"]
ContactKind = Literal["held", "sliding"]
ConstraintQuantity = Literal[
    "pose",
    "value",
    "rate",
    "torque",
    "point",
    "point_velocity",
    "centre",
    "centre_velocity",
    "momentum",
    "impulse",
]
QUANTITIES: tuple[ConstraintQuantity, ...] = get_args(ConstraintQuantity)
AT_POINTS = ("point", "point_velocity")
IN_SPACE = (
    *AT_POINTS,
    "centre",
    "centre_velocity",
)  # of which a place or velocity, or a size along a direction, is given
OF_DOFS = ("value", "rate", "torque", "momentum")

MOST_PIECES, MOST_SECONDS, MOST_GUESSES = 200, 3600.0, 64
_Named = TypeVar("_Named", bound="SpacetimeStage | SpacetimeForce | SpacetimeConstraint | SpacetimeMeeting")


@dataclass(frozen=True, kw_only=True)
class SpacetimeCurve:
    """How one function of time is represented on a stage, where that is otherwise than usual, and within which bounds.

    A `constant` coordinate stays by whatever force that takes; a `held` one stays by muscles and contacts alone.
    """

    what: CurveOf = "coordinate"
    of: str  # id of a degree of freedom, of which it is the value or the torque, or of a force
    kind: CurveKind = "hermite"
    value: float = 0.0  # of what is constant or held
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        name = f"the {self.what} {self.of}"
        object.__setattr__(self, "value", finite(f"the value of {name}", self.value))
        check_bounds(name, self)
        least, most = self.least, self.most
        outside = (least is not None and self.value < least) or (most is not None and self.value > most)
        if self.kind in ("constant", "held") and outside:
            raise InvalidDocument(what=f"the value of {name}", value=self.value, allowed=f"{least} to {most}")


@dataclass(frozen=True, kw_only=True)
class SpacetimeContact:
    """A point of a joint's body that stands on the ground during a stage: the ground pushes it, within friction."""

    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)
    kind: ContactKind = "held"
    friction: float = 0.8

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3(f"the point of a contact of {self.joint}", self.point))
        friction = finite(f"the friction of a contact of {self.joint}", self.friction)
        if not 0.0 <= friction <= 10.0:
            raise InvalidDocument(what=f"the friction of a contact of {self.joint}", value=friction, allowed="0 to 10")
        object.__setattr__(self, "friction", friction)


@dataclass(frozen=True, kw_only=True)
class SpacetimeStage:
    """An interval within which rates are continuous: how long it is, in how many pieces, what stands meanwhile."""

    id: str
    name: str
    pieces: int = 8
    length: float = 0.4  # [s]; where it is free, that which a search begins with
    least_length: float | None = None  # [s]; with both the length is free between them
    most_length: float | None = None
    nailed: bool = False  # the root stays where it is, by whatever force that takes
    contacts: tuple[SpacetimeContact, ...] = ()
    impact: bool = False  # whether the ground may strike at its end, where contacts of the next stage begin
    hardest: float | None = None  # [N s] of each of these blows; None: as hard as it takes
    curves: tuple[SpacetimeCurve, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.pieces <= MOST_PIECES:
            raise InvalidDocument(what=f"the pieces of {self.name}", value=self.pieces, allowed=f"1 to {MOST_PIECES}")
        given = {name: getattr(self, name) for name in ("least_length", "length", "most_length")}
        for name, value in given.items():
            if value is not None:
                object.__setattr__(self, name, finite(f"the {name.replace('_', ' ')} of {self.name}", value))
        least, most = self.lengths
        if not 0.0 < self.length <= MOST_SECONDS:
            allowed = f"more than 0, at most {MOST_SECONDS:g} s"
            raise InvalidDocument(what=f"the length of {self.name}", value=self.length, allowed=allowed)
        if not 0.0 < least <= self.length <= most <= MOST_SECONDS:
            value = (least, self.length, most)
            allowed = f"a shortest above 0, a longest of at most {MOST_SECONDS:g} s, and the length between them"
            raise InvalidDocument(what=f"shortest, length and longest of {self.name}", value=value, allowed=allowed)
        if self.hardest is not None:
            hardest = finite(f"the hardest blow at the end of {self.name}", self.hardest)
            if hardest < 0.0:
                raise InvalidDocument(
                    what=f"the hardest blow at the end of {self.name}", value=hardest, allowed="0 N s or more"
                )
            object.__setattr__(self, "hardest", hardest)
        check_names(f"the curves of {self.name}", ((each.what, each.of) for each in self.curves))
        check_names(f"the contacts of {self.name}", ((each.joint, each.point) for each in self.contacts))

    @property
    def lengths(self) -> tuple[float, float]:
        """The shortest and the longest that it may be [s]."""
        least = self.length if self.least_length is None else self.least_length
        return least, self.length if self.most_length is None else self.most_length

    @property
    def is_free(self) -> bool:
        """True if its length is to be found."""
        return self.lengths[0] < self.lengths[1]


@dataclass(frozen=True, kw_only=True)
class SpacetimeMuscle:
    """Turns a degree of freedom; what that costs: factors of the weights of the whole problem."""

    dof: str
    torque: float = 1.0
    power: float = 1.0
    work: float = 1.0
    smoothness: float = 1.0
    least: float | None = None  # [N m], or [N] of a slide
    most: float | None = None
    kind: Literal["hat", "hermite", "single"] = "hat"

    def __post_init__(self) -> None:
        for name in ("torque", "power", "work", "smoothness"):
            _check_weight(f"the weight of {name} of the muscle of {self.dof}", self, name)
        check_bounds(f"the torque of the muscle of {self.dof}", self)


@dataclass(frozen=True, kw_only=True)
class SpacetimeForce:
    """A force at a point in a direction [N], fixed or within bounds; or a blow of momentum at the end of a stage
    [N s]."""

    id: str
    name: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)
    direction: Vector3 = (0.0, 1.0, 0.0)
    blow: bool = False
    stages: tuple[str, ...] = ()  # on which it is, or at whose end; none: all
    least: float | None = None
    most: float | None = None
    kind: Literal["hat", "hermite", "single"] = "hat"  # of a force; a blow is one number

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3(f"the point of {self.name}", self.point))
        check_direction(f"the direction of {self.name}", self)
        check_bounds(f"the size of {self.name}", self)


@dataclass(frozen=True, kw_only=True)
class SpacetimeConstraint:
    """Says what a quantity has to be at a time of a stage, or over a range of it.

    A `pose` gives degrees of freedom their values and rates. `value`, `rate`, `torque` and `momentum` are of one
    degree of freedom, `impulse` of a blow, or of a joint whose contacts strike. A point, or the centre of mass, has a
    `position` in the world (a velocity there); or, where that is None, a size along `direction` from least to most.
    """

    id: str
    name: str
    stage: str
    quantity: ConstraintQuantity = "pose"
    of: str = ""  # a degree of freedom, a blow, or a joint
    joint: str | None = None
    point: Vector3 = (0.0, 0.0, 0.0)
    position: Vector3 | None = None  # [m] or [m/s]
    direction: Vector3 = (0.0, 1.0, 0.0)
    least: float | None = None
    most: float | None = None
    values: tuple[tuple[str, float], ...] = ()
    rates: tuple[tuple[str, float], ...] = ()
    at: float = 0.0
    until: float | None = None
    on: bool = True

    def __post_init__(self) -> None:
        name = self.name
        check_share(f"the time of {name}", self)
        object.__setattr__(self, "point", vector3(f"the point of {name}", self.point))
        if self.position is not None:
            object.__setattr__(self, "position", vector3(f"the position of {name}", self.position))
        check_direction(f"the direction of {name}", self)
        check_bounds(name, self)
        check_names(f"the values of {name}", (dof for dof, _ in self.values))
        check_names(f"the rates of {name}", (dof for dof, _ in self.rates))
        if (self.quantity in AT_POINTS) != (self.joint is not None):
            allowed = "one where it is of a point, else none"
            raise InvalidDocument(what=f"the joint of {name}", value=self.joint, allowed=allowed)
        if (self.quantity in (*OF_DOFS, "impulse")) != bool(self.of):
            allowed = (
                "a degree of freedom, a blow or a joint for its value, rate, torque, momentum or impulse, else none"
            )
            raise InvalidDocument(what=f"what {name} is of", value=self.of, allowed=allowed)

    @property
    def says_something(self) -> bool:
        """True if it gives any number."""
        if self.quantity == "pose":
            return bool(self.values or self.rates)
        return self.position is not None or self.least is not None or self.most is not None


@dataclass(frozen=True, kw_only=True)
class SpacetimeMeeting:
    """Says how a point of the actor shall be beside a point of another actor, or how fast, or at what `distance`; or
    (`time`) that the moment comes for both at once.

    The moment is a share of a stage of the actor whose plan it stands in; for the other it is what its plan has at the
    same time, with lengths as they are first guessed. Lengths that are free are found so that it comes for both at
    once. Where it is `offset` from the other's point, in the world; or, where that is None, by a size along `direction`
    from `least` to `most`. A distance is from `least` to `most`, whichever way. With a `blow` they push each other
    there, at an end of their stages: in any direction; or, where there is no offset, along the direction, this actor
    its way.
    """

    id: str
    name: str
    stage: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)
    other: str  # id of the other actor
    other_joint: str
    other_point: Vector3 = (0.0, 0.0, 0.0)
    quantity: MeetingQuantity = "point"
    offset: Vector3 | None = (0.0, 0.0, 0.0)  # [m] or [m/s]
    direction: Vector3 = (0.0, 1.0, 0.0)
    least: float | None = None
    most: float | None = None
    at: float = 0.0
    until: float | None = None
    blow: bool = False
    hardest: float | None = None  # [N s] of the blow along each direction; None: as hard as it takes
    on: bool = True

    def __post_init__(self) -> None:
        name = self.name
        check_share(f"the time of {name}", self)
        for each in ("point", "other_point"):
            object.__setattr__(self, each, vector3(f"a point of {name}", getattr(self, each)))
        if self.offset is not None:
            object.__setattr__(self, "offset", vector3(f"the offset of {name}", self.offset))
        check_direction(f"the direction of {name}", self)
        check_bounds(name, self)
        if self.quantity == "distance":
            check_distance(name, self)
        if self.blow and (self.quantity != "point" or self.until is not None or self.at not in (0.0, 1.0)):
            allowed = "one of points that meet, where a stage begins or ends"
            raise InvalidDocument(what=f"the blow of {name}", value=(self.quantity, self.at), allowed=allowed)
        if self.hardest is not None:
            hardest = finite(f"the hardest blow of {name}", self.hardest)
            if hardest < 0.0:
                raise InvalidDocument(what=f"the hardest blow of {name}", value=hardest, allowed="0 N s or more")
            object.__setattr__(self, "hardest", hardest)


@dataclass(frozen=True, kw_only=True)
class SpacetimeCalm:
    """A point that shall be calm, such as a head: its squared acceleration costs `weight` times its integral (7.1)."""

    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)
    weight: float = 1.0  # [N2 s4], beside squared torques

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3(f"the calm point of {self.joint}", self.point))
        _check_weight(f"the weight of the calm point of {self.joint}", self, "weight")


@dataclass(frozen=True, kw_only=True)
class Spacetime(Part):
    """Stages in sequence, what drives the figure, what is demanded of its motion, and what is to be least."""

    start: int = 0  # [ticks]
    plane: Vector3 | None = (0.0, 0.0, 1.0)  # normal of the plane of the motion, in the actor's frame; None: in space
    stages: tuple[SpacetimeStage, ...]
    muscles: tuple[SpacetimeMuscle, ...] = ()
    forces: tuple[SpacetimeForce, ...] = ()
    constraints: tuple[SpacetimeConstraint, ...] = ()
    calm: tuple[SpacetimeCalm, ...] = ()
    torque: float = option(
        1.0, label="Torque", least=0.0, most=1e6, note="Weight of the integral of tau^2 (4.20).", folded=False
    )
    power: float = option(
        0.0, label="Power", least=0.0, most=1e6, note="Weight of the integral of (tau alpha')^2 (4.19).", folded=False
    )
    work: float = option(
        0.0, label="Work", least=0.0, most=1e6, note="Weight of the integral of tau alpha' (4.18).", folded=False
    )
    smoothness: float = option(
        0.0, label="Smoothness", least=0.0, most=1e6, note="Weight of the integral of tau'^2.", folded=False
    )
    whole: float = option(
        0.0,
        label="Whole length",
        unit="s",
        least=0.0,
        most=MOST_SECONDS,
        note="All stages together, however their free lengths share it; 0: as long as each of them is.",
    )
    form: str = option(
        "hull",
        label="Bounds",
        choices=("hull", "samples"),
        labels=("Everywhere", "At samples"),
        note="Everywhere: of the control points of each piece, which it never leaves. At samples: between which it may "
        "(4.4.2).",
    )
    implicit: bool = option(
        False,
        label="Torques from the motion",
        note="Muscles are not represented: their torques are computed from the motion, and joints without one are "
        "constraints (4.4.3).",
    )
    solver: str = option(
        "interior_point",
        label="Solver",
        choices=("interior_point", "ipopt"),
        labels=("Interior point", "IPOPT"),
        note="IPOPT is the field's usual choice, for comparison; it needs CasADi: pip install casadi.",
    )
    guesses: int = option(
        0,
        label="Other guesses",
        least=0,
        most=MOST_GUESSES,
        note="So many drawn guesses beside the straight line: they end in different minima, which are ranked.",
    )
    layer: str | None = None  # id of the layer that holds what was kept
    meetings: tuple[SpacetimeMeeting, ...] = ()

    def __post_init__(self) -> None:
        check_options(self)
        ticks("the start of a planned motion", self.start)
        if self.plane is not None:
            object.__setattr__(self, "plane", vector3("the normal of the plane", self.plane))
            if math.hypot(*self.plane) < 1e-9:
                allowed = "a direction that is not zero"
                raise InvalidDocument(what="the normal of the plane", value=self.plane, allowed=allowed)
        if not self.stages:
            raise InvalidDocument(what="the stages of a planned motion", value=(), allowed="one or more")
        for what, ids in (
            ("stages", [each.id for each in self.stages]),
            ("muscles", [each.dof for each in self.muscles]),
            ("forces", [each.id for each in self.forces]),
            ("constraints", [each.id for each in self.constraints]),
            ("meetings", [each.id for each in self.meetings]),
        ):
            check_names(f"the {what} of a planned motion", ids)
        for named in (each for force in self.forces for each in force.stages):
            self.stage(named)
        for stage in (*(each.stage for each in self.constraints), *(each.stage for each in self.meetings)):
            self.stage(stage)
        ticks("the end of a planned motion", self.end)

    def holds(self, id: str) -> bool:
        groups = (self.stages, self.constraints, self.forces, self.meetings)
        return any(each.id == id for group in groups for each in group)

    def stage(self, id: str) -> SpacetimeStage:
        """The stage of an id."""
        return _find("stage", id, self.stages)

    def force(self, id: str) -> SpacetimeForce:
        """The force or blow of an id."""
        return _find("force", id, self.forces)

    def constraint(self, id: str) -> SpacetimeConstraint:
        """The constraint of an id."""
        return _find("constraint", id, self.constraints)

    def meeting(self, id: str) -> SpacetimeMeeting:
        """The meeting of an id."""
        return _find("meeting", id, self.meetings)

    def muscle(self, dof: str) -> SpacetimeMuscle:
        """The muscle of a degree of freedom."""
        found = next((each for each in self.muscles if each.dof == dof), None)
        if found is None:
            raise UnknownPart(kind="muscle", id=dof, known=tuple(each.dof for each in self.muscles))
        return found

    @property
    def seconds(self) -> float:
        """Length of all stages, as they are first guessed."""
        return math.fsum(each.length for each in self.stages)

    @property
    def end(self) -> int:
        """The tick at which the last stage ends, as lengths are first guessed."""
        return self.borders[-1]

    @property
    def borders(self) -> tuple[int, ...]:
        """The ticks at which stages begin, and that at which the last ends."""
        sums = [math.fsum(each.length for each in self.stages[:count]) for count in range(len(self.stages) + 1)]
        return tuple(self.start + round(each * TICKS_PER_SECOND) for each in sums)

    def time(self, stage: str, share: float) -> int:
        """The tick of a share of a stage, as lengths are first guessed."""
        at = self.stages.index(self.stage(stage))
        return self.borders[at] + round(share * self.stages[at].length * TICKS_PER_SECOND)


def _find(kind: str, id: str, among: Iterable[_Named]) -> _Named:
    known = {each.id: each for each in among}
    if id not in known:
        raise UnknownPart(kind=kind, id=id, known=tuple(known))
    return known[id]


def _check_weight(what: str, owner: object, name: str) -> None:
    value = finite(what, getattr(owner, name))
    if not 0.0 <= value <= 1e9:
        raise InvalidDocument(what=what, value=value, allowed="0 to 1e9")
    object.__setattr__(owner, name, value)
