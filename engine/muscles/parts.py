"""Muscles of a figure and their activations over time, as parts of a document.

A muscle's path goes straight from its origin over via points to its insertion, and bends around wraps where these are
in the way. A via point may be there only while a coordinate lies in a range, or be moved by one (`PointCurve`).
`Muscles` is anatomy, which a figure file may carry; `MuscleActivations` is motion, like the keys of joints.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Literal, get_args

from engine.document.conformance import check_fields
from engine.document.motion import Track
from engine.document.parts import Part
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.maths.expressions import parse_expression
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

WrapShape = Literal["sphere", "cylinder", "ellipsoid", "torus"]
WRAP_SHAPES: tuple[WrapShape, ...] = get_args(WrapShape)
_RADII: dict[str, int] = {"sphere": 1, "cylinder": 1, "ellipsoid": 3, "torus": 2}
ForceModel = Literal["linear", "thelen", "de_groote", "thelen_elastic", "de_groote_elastic"]
FORCE_MODELS: tuple[ForceModel, ...] = get_args(ForceModel)
ACTIVATION = "activation"  # what the track of a muscle keys
EXPRESSED = ("t",)  # variables of expressions of activations


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
    lower: float | None = None  # [rad] or [m]; None: without end
    upper: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3("a point of a path", self.point))
        for name in ("lower", "upper"):
            end = getattr(self, name)
            if end is not None:
                object.__setattr__(self, name, finite("an end of the range of a point of a path", end))
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
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
    length: float | None = None  # [m] of a cylinder, its middle at the centre; None: without end
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
        if self.length is not None and not finite(f"the length of wrap {self.id}", self.length) > 0.0:
            raise InvalidDocument(what=f"the length of wrap {self.id}", value=self.length, allowed="more than 0 m")
        object.__setattr__(self, "radii", radii)
        object.__setattr__(self, "centre", vector3(f"the centre of wrap {self.id}", self.centre))
        object.__setattr__(self, "rotation", unit_quaternion(f"the rotation of wrap {self.id}", self.rotation))
        if self.side is not None:
            side = vector3(f"the side of wrap {self.id}", self.side)
            norm = math.hypot(*side)
            if norm < 1e-9:
                raise InvalidDocument(what=f"the side of wrap {self.id}", value=side, allowed="a direction")
            if abs(norm - 1.0) > 4e-16:
                side = (side[0] / norm, side[1] / norm, side[2] / norm)
            object.__setattr__(self, "side", side)


@dataclass(frozen=True, kw_only=True)
class PathWrap:
    """A wrap of a muscle, and between which of its points it is minded."""

    wrap: str
    first: int = 0
    last: int = -1  # counted from the end, as in a list


@dataclass(frozen=True, kw_only=True)
class Muscle(Part):
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
        pennation = finite(f"the pennation of muscle {self.id}", self.pennation)
        if not 0.0 <= pennation < 0.5 * math.pi:
            allowed = "0 to less than a right angle"
            raise InvalidDocument(what=f"the pennation of muscle {self.id}", value=pennation, allowed=allowed)
        object.__setattr__(self, "tendon", tendon)
        object.__setattr__(self, "pennation", pennation)


@dataclass(frozen=True, kw_only=True)
class MuscleSet:
    """Some muscles that a person looks at together."""

    id: str
    name: str
    muscles: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_once(f"the muscles of set {self.name}", self.muscles)


@dataclass(frozen=True, kw_only=True)
class Muscles(Part):
    """The muscles of a figure."""

    muscles: tuple[Muscle, ...] = ()
    wraps: tuple[MuscleWrap, ...] = ()
    sets: tuple[MuscleSet, ...] = ()
    model: ForceModel = "de_groote"  # by which they pull
    pulling: bool = True  # at the bones, while physics simulates the figure

    def __post_init__(self) -> None:
        check_fields(Muscles, (("pulling", self.pulling),), of="muscles")
        if self.model not in FORCE_MODELS:
            allowed = ", ".join(FORCE_MODELS)
            raise InvalidDocument(what="the model of muscles", value=self.model, allowed=allowed)
        _check_once("the ids of muscles", (each.id for each in self.muscles))
        _check_once("the ids of wraps", (each.id for each in self.wraps))
        _check_once("the ids of sets of muscles", (each.id for each in self.sets))
        wraps, muscles = {each.id for each in self.wraps}, {each.id for each in self.muscles}
        for muscle in self.muscles:
            for each in muscle.wraps:
                _check_wrap(muscle, each, wraps)
        for group in self.sets:
            missing = [id for id in group.muscles if id not in muscles]
            if missing:
                allowed = "muscles that are there"
                raise InvalidDocument(what=f"the muscles of set {group.name}", value=missing, allowed=allowed)

    def muscle(self, id: str) -> Muscle | None:
        """The muscle of that id."""
        return next((each for each in self.muscles if each.id == id), None)

    def wrap(self, id: str) -> MuscleWrap | None:
        """The wrap of that id."""
        return next((each for each in self.wraps if each.id == id), None)

    def holds(self, id: str) -> bool:
        """Tell whether it has a muscle of that id."""
        return any(each.id == id for each in self.muscles)

    def summary(self) -> str:
        """Say how many there are."""
        count, wraps = len(self.muscles), len(self.wraps)
        found = f"{count:,} muscle" if count == 1 else f"{count:,} muscles"
        return f"{found}, {wraps:,} {'wrap' if wraps == 1 else 'wraps'}" if wraps else found

    def name_of(self, id: str) -> str | None:
        """Name a muscle."""
        found = self.muscle(id)
        return None if found is None else found.name

    def with_muscle(self, old: Muscle, new: Muscle) -> Muscles:
        """The muscles with one in the place of another."""
        return replace(self, muscles=tuple(new if each is old else each for each in self.muscles))


@dataclass(frozen=True, kw_only=True)
class MuscleActivation(Part):
    """How much a muscle is activated: a constant, keyed, or by an expression, which goes before both."""

    muscle: str
    value: float = 0.0  # where it is not keyed
    track: Track | None = None
    expression: str = ""  # in the time t [s]; what it gives beyond 0 to 1 is held there

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", check_activation(f"the activation of {self.muscle}", self.value))
        if self.expression:
            parse_expression(self.expression, EXPRESSED)
        if self.track is None:
            return
        if self.track.coordinate != ACTIVATION:
            what = f"the track of muscle {self.muscle}"
            raise InvalidDocument(what=what, value=self.track.coordinate, allowed=ACTIVATION)
        for key in self.track.keys:
            check_activation(f"a key of the activation of {self.muscle}", key.value)

    @property
    def is_relaxed(self) -> bool:
        """True if it says no more than that the muscle is relaxed always."""
        return self.track is None and self.value == 0.0 and not self.expression


@dataclass(frozen=True, kw_only=True)
class MuscleActivations(Part):
    """The activations of a figure's muscles; those that are not named are relaxed."""

    activations: tuple[MuscleActivation, ...] = ()  # by the ids of their muscles, rising
    excited: bool = False  # what is keyed are excitations, which activations follow

    def __post_init__(self) -> None:
        check_fields(MuscleActivations, (("excited", self.excited),), of="activations of muscles")
        _check_once("the muscles that are activated", (each.muscle for each in self.activations))
        rising = tuple(sorted(self.activations, key=lambda each: each.muscle))
        object.__setattr__(self, "activations", rising)

    def of(self, muscle: str) -> MuscleActivation | None:
        """The activation of a muscle, where it is not relaxed always."""
        return next((each for each in self.activations if each.muscle == muscle), None)

    def having(self, new: MuscleActivation) -> MuscleActivations:
        """The activations with one put in the place of that of its muscle."""
        kept = tuple(each for each in self.activations if each.muscle != new.muscle)
        return replace(self, activations=kept if new.is_relaxed else (*kept, new))


def check_activation(what: str, value: float) -> float:
    """Give an activation as a number; refuse one outside 0 to 1."""
    number = finite(what, value)
    if not 0.0 <= number <= 1.0:
        raise InvalidDocument(what=what, value=value, allowed="0 to 1")
    return number


def _check_wrap(muscle: Muscle, wrap: PathWrap, known: set[str]) -> None:
    if wrap.wrap not in known:
        allowed = ", ".join(sorted(known)) or "none, there are no wraps"
        raise InvalidDocument(what=f"a wrap of muscle {muscle.id}", value=wrap.wrap, allowed=allowed)
    count = len(muscle.points)
    last = wrap.last + count if wrap.last < 0 else wrap.last
    if not 0 <= wrap.first < last < count:
        allowed = "two points of the muscle, the first before the last"
        what = f"the range of wrap {wrap.wrap} of muscle {muscle.id}"
        raise InvalidDocument(what=what, value=(wrap.first, wrap.last), allowed=allowed)


def _check_once(what: str, found: Iterable[str]) -> None:
    repeated = [each for each, count in Counter(found).items() if count > 1]
    if repeated:
        raise InvalidDocument(what=what, value=repeated, allowed="each once")
