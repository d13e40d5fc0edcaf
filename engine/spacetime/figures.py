"""Planar figures: limbs in a tree, joined by hinges, the first of them by its origin to a root in the plane.

Winzell 2004, section 4.2. The coordinates q of a figure are the root's x and y [m] and the angle alpha_j of each limb
to its parent [rad]; absolute angles are sums of them (4.8). A limb's frame has its origin b_j where it is joined to its
parent.

Symbols: theta_j absolute angle; b_j, r_j origin and centre of mass of limb j; m_j, k_j mass and radius of gyration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments, UnknownPart

Vector = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Limb:
    """A rigid body: the limb that it is joined to and where, in that limb's frame; its mass."""

    name: str
    parent: str | None = None
    joint: Vector = (0.0, 0.0)  # [m]
    mass: float  # [kg]
    centre: Vector  # [m], of mass
    gyration: float  # [m]
    spring: float = 0.0  # [N m/rad] of its hinge
    rest: float = 0.0  # [rad] to its parent, where that pulls with nothing

    def __post_init__(self) -> None:
        if not (self.mass >= 0.0 and np.isfinite(self.mass)):
            raise InvalidArguments(what=f"the mass of {self.name}", value=self.mass, allowed="0 kg or more")
        if not (self.gyration >= 0.0 and np.isfinite(self.gyration)):
            raise InvalidArguments(
                what=f"the radius of gyration of {self.name}", value=self.gyration, allowed="0 m or more"
            )


@dataclass(frozen=True)
class LimbPoint:
    """A point of a limb, in its frame."""

    limb: str
    place: Vector = (0.0, 0.0)  # [m]


@dataclass(frozen=True)
class PlanarFigure:
    """Limbs, parents before children."""

    limbs: tuple[Limb, ...]
    slides: tuple[Vector, Vector] = ((0.0, 0.0), (0.0, 0.0))  # springs of the root's x and y: [N/m], rest [m]

    def __post_init__(self) -> None:
        if not self.limbs:
            raise InvalidArguments(what="the limbs of a figure", value=(), allowed="at least one")
        if not self.mass > 0.0:
            raise InvalidArguments(what="the mass of a figure", value=self.mass, allowed="more than 0 kg")
        known: set[str | None] = {None}
        for at, limb in enumerate(self.limbs):
            if limb.parent not in known or (limb.parent is None) != (at == 0):
                allowed = "a limb named before it, and none for the first alone"
                raise InvalidArguments(what=f"the parent of {limb.name}", value=limb.parent, allowed=allowed)
            if limb.name in known:
                raise InvalidArguments(what="the name of a limb", value=limb.name, allowed="each name once")
            known.add(limb.name)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the degrees of freedom: x and y of the root, then the limbs."""
        return ("x", "y", *(limb.name for limb in self.limbs))

    def coordinate(self, name: str) -> int:
        """Return the number of a degree of freedom."""
        if name not in self.coordinates:
            raise UnknownPart(kind="degree of freedom", id=name, known=self.coordinates)
        return self.coordinates.index(name)

    def limb(self, name: str) -> int:
        """Return the number of a limb."""
        names = self.coordinates[2:]
        if name not in names:
            raise UnknownPart(kind="limb", id=name, known=names)
        return names.index(name)

    @cached_property
    def parents(self) -> IntArray:
        """Number of each limb's parent, -1 for the first."""
        return np.array([-1 if each.parent is None else self.limb(each.parent) for each in self.limbs], np.int32)

    @property
    def mass(self) -> float:
        """Mass of the whole [kg]."""
        return float(sum(limb.mass for limb in self.limbs))

    def arms(self, point: LimbPoint) -> Array:
        """Vectors d_j, each in the frame of its limb, with point = root + sum of R(theta_j) d_j: [limbs, 2]."""
        found = np.zeros((len(self.limbs), 2))
        at = self.limb(point.limb)
        found[at] = point.place
        while self.parents[at] >= 0:
            joint = self.limbs[at].joint
            at = int(self.parents[at])
            found[at] = joint
        return found

    def centre(self) -> Array:
        """Give the same vectors of the centre of mass."""
        each = [limb.mass * self.arms(LimbPoint(limb.name, limb.centre)) for limb in self.limbs]
        found: Array = np.sum(each, axis=0) / self.mass
        return found


def thin_rod(name: str, length: float, mass: float, *, parent: str | None = None, joint: Vector = (0.0, 0.0)) -> Limb:
    """A rod along the x axis of its frame, from the origin on."""
    return Limb(
        name=name,
        parent=parent,
        joint=joint,
        mass=mass,
        centre=(length / 2.0, 0.0),
        gyration=length / np.sqrt(12.0),
    )


def rod_chain(lengths: Sequence[float], masses: Sequence[float]) -> PlanarFigure:
    """Thin rods, each at the end of the one before."""
    limbs: list[Limb] = []
    for at, (length, mass) in enumerate(zip(lengths, masses, strict=True)):
        parent = limbs[-1].name if limbs else None
        joint = (lengths[at - 1], 0.0) if at else (0.0, 0.0)
        limbs.append(thin_rod(f"rod {at + 1}", length, mass, parent=parent, joint=joint))
    return PlanarFigure(tuple(limbs))
