"""A figure in space as kernels of this room read it: its rates in a tree, each with what it carries.

A ball of the root becomes three hinges (`balls`). Everything else is taken as it is, and every rate is then the
derivative of a coordinate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.document.figure import Dof, Figure, Joint
from engine.document.frames import Frame
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.dynamics import layout
from engine.dynamics.mechanics import GRAVITY, Mechanics, compile_mechanics, placed
from engine.maths.arrays import Array, IntArray
from engine.maths.quaternions import inverse, product, turned
from engine.model.compile import compile_model, place
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.spacetime.spatial.balls import MOST_TIPPED, NAMES, BallHinges

_ORIGIN = Frame()


class PackedTree(NamedTuple):
    """The figure's packed arrays, and which rate hangs on which."""

    ints: IntArray  # of its mechanics
    floats: Array
    parents: IntArray  # [rates], the rate before each on the way to the root, or -1
    carriers: IntArray  # [joints], the last rate that moves each body, or -1
    starts: IntArray  # [rates + 1], where the relatives of each begin
    relatives: IntArray  # rates before it, itself, and those behind it, in order
    gravity: Array  # [3]
    springs: Array  # [2, rates], stiffness of each coordinate's own spring, and where that rests


@dataclass(frozen=True)
class BodyPoint:
    """A point of a joint's body, in the joint's frame."""

    joint: str
    place: Vector3 = (0.0, 0.0, 0.0)  # [m]


@dataclass(frozen=True, eq=False)
class SpatialFigure:
    """A figure whose coordinates are hinges and slides alone, at one place under one gravity."""

    figure: Figure  # as it is given
    balls: Mapping[str, BallHinges]  # by the id of each ball
    gravity: Vector3 = GRAVITY
    home: Frame = _ORIGIN  # where it stands in the world

    @cached_property
    def hinged(self) -> Figure:
        """Return the figure with hinges for balls."""
        joints = tuple(_hinged(each, self.balls) for each in self.figure.joints)
        return replace(self.figure, joints=joints, limits=(), skins=())

    @cached_property
    def mechanics(self) -> Mechanics:
        """Masses and inertias; freedoms that move no mass are allowed, but no muscle tells how they move."""
        made = compile_mechanics(compile_model(self.hinged), gravity=self.gravity, massless=True)
        return placed(made, self.home.position, self.home.rotation)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates: the ids of degrees of freedom, three for a ball."""
        return self.hinged.coordinates

    def coordinate(self, name: str) -> int:
        """Return the number of a coordinate."""
        if name not in self.hinged.coordinate_index:
            raise UnknownPart(kind="degree of freedom", id=name, known=self.coordinates)
        return self.hinged.coordinate_index[name]

    def joint(self, name: str) -> int:
        """Return the number of a joint."""
        if name not in self.figure.joint_index:
            raise UnknownPart(kind="joint", id=name, known=tuple(self.figure.joint_index))
        return self.figure.joint_index[name]

    @cached_property
    def springs(self) -> Array:
        """Stiffness [N m/rad, N/m] of each coordinate's own spring, and where that rests."""
        return np.array([(dof.spring, dof.neutral) for dof in self.hinged.dofs]).reshape(-1, 2).T.copy()

    @cached_property
    def turns(self) -> tuple[bool, ...]:
        """Which coordinates are angles."""
        return tuple(dof.kind == "hinge" for dof in self.hinged.dofs)

    @cached_property
    def reach(self) -> float:
        """Size of the figure: how far a body's centre or gyration reaches along the joints at most [m]."""
        found, most = np.zeros(self.mechanics.joint_count), 0.0
        for at, (joint, body) in enumerate(zip(self.hinged.joints, self.mechanics.bodies(), strict=True)):
            if joint.parent is not None:
                found[at] = found[self.joint(joint.parent)] + math.hypot(*joint.offset)
            mass, inertia = body[layout.MASS], body[layout.INERTIA : layout.INERTIA + 3]
            gyration = math.sqrt(inertia.max() / mass) if mass > 0.0 else 0.0
            most = max(most, found[at] + math.hypot(*body[layout.CENTRE : layout.CENTRE + 3]) + gyration)
        return most if most > 0.0 else 1.0

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """Limits of all coordinates."""
        return self.mechanics.model.lower, self.mechanics.model.upper

    @property
    def mass(self) -> float:
        """Mass of the whole [kg]."""
        return float(self.mechanics.bodies()[:, layout.MASS].sum())

    @cached_property
    def packed(self) -> PackedTree:
        """Pack it for kernels."""
        mechanics = self.mechanics
        ints, extra = mechanics.ints, len(mechanics.model.ints)
        count, start = mechanics.rate_count, int(ints[extra + layout.KINDS])
        of_rates = ints[start : start + count * layout.RATE_INT_STRIDE].reshape(-1, layout.RATE_INT_STRIDE)
        parents = of_rates[:, layout.PREVIOUS].astype(np.int32)
        first = int(ints[extra + layout.LINK_INTS])
        links = ints[first : first + mechanics.joint_count * layout.LINK_INT_STRIDE]
        carriers = np.full(mechanics.joint_count, -1, np.int32)
        for joint, entry in enumerate(links.reshape(-1, layout.LINK_INT_STRIDE)):
            parent, begin, end = (int(entry[at]) for at in (layout.LINK_PARENT, layout.RATE_START, layout.RATE_END))
            carriers[joint] = end - 1 if end > begin else carriers[parent] if parent >= 0 else -1
        related = np.eye(count, dtype=bool)
        for rate, parent in enumerate(parents):
            if parent >= 0:
                related[rate] |= related[parent] & (np.arange(count) < rate)
        related |= related.T
        starts = np.concatenate([[0], np.cumsum(related.sum(axis=1))]).astype(np.int32)
        relatives = np.nonzero(related)[1].astype(np.int32)
        gravity, springs = np.array(self.gravity), self.springs
        return PackedTree(ints, mechanics.floats, parents, carriers, starts, relatives, gravity, springs)

    def values(self, q: Array) -> dict[str, float]:
        """Return the figure's own coordinates, by name, at coordinates of this one."""
        found: dict[str, float] = {}
        for dof, places in self._places:
            if dof.kind == "ball":
                found.update(zip(dof.coordinates, self.balls[dof.id].turn(q[places].tolist()), strict=True))
            else:
                found[dof.id] = float(q[places[0]])
        return found

    def slopes(self, q: Array, v: Array) -> dict[str, float]:
        """Return by how much the figure's own coordinates change with time, at coordinates and rates of this one."""
        found: dict[str, float] = {}
        for dof, places in self._places:
            if dof.kind == "ball":
                slopes = self.balls[dof.id].slopes(q[places].tolist()) @ v[places]
                found.update(zip(dof.coordinates, slopes.tolist(), strict=True))
            else:
                found[dof.id] = float(v[places[0]])
        return found

    def point_at(self, q: Array, point: BodyPoint) -> Vector3:
        """Where a point is in the world."""
        row = self._frame(q, point.joint)
        x, y, z = (float(each) for each in row[:9].reshape(3, 3) @ np.array(point.place) + row[9:])
        return x, y, z

    def point_of(self, q: Array, joint: str, position: Vector3) -> BodyPoint:
        """Return the point of a joint's body that is at a place of the world."""
        row = self._frame(q, joint)
        x, y, z = (float(each) for each in row[:9].reshape(3, 3).T @ (np.array(position) - row[9:]))
        return BodyPoint(joint, (x, y, z))

    def _frame(self, q: Array, joint: str) -> Array:
        """Find where a joint is: rotation row by row, then position."""
        state = self.mechanics.model.new_state()
        place(state, self.home.position, self.home.rotation)
        compute_forward_kinematics(self.mechanics.model.ints, self.mechanics.model.floats, q, state)
        row: Array = self.mechanics.model.transforms(state)[self.joint(joint)]
        return row

    def at(self, values: Mapping[str, float], near: Array | None = None) -> Array:
        """Return coordinates of this figure at the figure's own, by name; at rest where none is given. Angles of balls
        are as near to those of other coordinates as may be."""
        found = self.mechanics.model.rest.copy()
        for dof, places in self._places:
            if dof.kind != "ball":
                found[places[0]] = values.get(dof.id, found[places[0]])
                continue
            w, x, y, z = (values.get(name, float(name.endswith(".w"))) for name in dof.coordinates)
            found[places] = self.balls[dof.id].angles((w, x, y, z), (found if near is None else near)[places].tolist())
        return found

    def rates_at(self, q: Array, slopes: Mapping[str, float]) -> Array:
        """Return rates of this figure at coordinates of this one, by how its own change with time; 0 where none is
        given."""
        found = np.zeros(len(q))
        for dof, places in self._places:
            given = [slopes.get(name, 0.0) for name in dof.coordinates]
            found[places] = self.balls[dof.id].rates(q[places].tolist(), given) if dof.kind == "ball" else given
        return found

    @cached_property
    def _places(self) -> list[tuple[Dof, IntArray]]:
        """The figure's own freedoms, and where their coordinates are here."""
        return [(dof, np.array([self.coordinate(name) for name in hinge_names(dof)])) for dof in self.figure.dofs]


def hinge_names(dof: Dof) -> tuple[str, ...]:
    """Names of the coordinates that a degree of freedom has here: three for a ball."""
    return tuple(f"{dof.id}/{each}" for each in NAMES) if dof.kind == "ball" else (dof.id,)


def freedom_of(name: str) -> str:
    """The degree of freedom of a coordinate: of a hinge in place of a ball, the ball."""
    dof, _, which = name.rpartition("/")
    return dof if which in NAMES else name


def spatial_figure(
    figure: Figure, *, base: Mapping[str, Quaternion] | None = None, gravity: Vector3 = GRAVITY
) -> SpatialFigure:
    """Read a figure in space; `base` says from which orientation the three hinges of a ball count, by its id."""
    if not figure.dofs:
        raise InvalidArguments(what=f"the degrees of freedom of {figure.name}", value=(), allowed="at least one")
    given = base or {}
    balls = {dof.id: BallHinges(given.get(dof.id, IDENTITY)) for dof in figure.dofs if dof.kind == "ball"}
    made = SpatialFigure(figure, balls, gravity)
    if not made.mass > 0.0:
        raise InvalidArguments(what=f"the mass of {figure.name}", value=made.mass, allowed="more than 0 kg")
    return made


def _hinged(joint: Joint, balls: Mapping[str, BallHinges]) -> Joint:
    """Put hinges in place of a joint's ball; its base goes before all freedoms, whose axes are seen from there then."""
    rest, dofs = joint.rest, list[Dof]()
    for dof in joint.dofs:
        if dof.kind != "ball":
            dofs.append(dof)
            continue
        hinges = balls[dof.id]
        rest = product(rest, hinges.base)
        dofs = [replace(each, axis=turned(inverse(hinges.base), each.axis)) for each in dofs]
        for at, (id, axis) in enumerate(zip(hinge_names(dof), hinges.axes, strict=True)):
            lower, upper = (-MOST_TIPPED, MOST_TIPPED) if at == 1 else (None, None)
            dofs.append(Dof(id=id, name=f"{dof.name}, {NAMES[at]} axis", axis=axis, lower=lower, upper=upper))
    return replace(joint, rest=rest, dofs=tuple(dofs))
