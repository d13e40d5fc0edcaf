"""A figure of a document seen as a planar one: which of its hinges turn within a plane, the rest being held.

The plane is vertical, or any whose normal is given; in it, x is horizontal and y up where the normal is horizontal. Of
each joint that has one, the first hinge about the normal becomes a limb's angle; in the root, slides along x and y its
place. All other degrees of freedom, and what others drive, are held at rest, or where they are said to be, and joints
without such a hinge belong to the limb that carries them. Limbs stand at rest with angle 0, so alpha = sign (value -
rest).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.document.figure import Body, Dof, Figure, Joint
from engine.document.frames import Frame, fixed_frame
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.maths.quaternions import turn_about, turned
from engine.model.inertia import body_of
from engine.runtime.errors import InvalidArguments
from engine.spacetime.figures import Limb, LimbPoint, PlanarFigure
from engine.spacetime.problem import Representation

_PARALLEL = 1e-6


@dataclass(frozen=True)
class PlanarFreedom:
    """A coordinate of the planar figure that is a degree of freedom of the figure: value = rest + sign (q - base)."""

    coordinate: str
    dof: Dof
    sign: float
    rest: float
    base: float = 0.0

    def value(self, q: float) -> float:
        """Return the degree of freedom's value at a coordinate's."""
        return self.rest + self.sign * (q - self.base)

    def coordinate_at(self, value: float) -> float:
        """Return the coordinate at a value of the degree of freedom."""
        return self.base + self.sign * (value - self.rest)

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the coordinate, from the limits."""
        lower = -np.inf if self.dof.lower is None else self.dof.lower
        upper = np.inf if self.dof.upper is None else self.dof.upper
        ends = sorted((self.base + self.sign * (lower - self.rest), self.base + self.sign * (upper - self.rest)))
        return float(ends[0]), float(ends[1])


@dataclass(frozen=True, eq=False)
class FigurePlane:
    """The planar figure, and how it belongs to the figure."""

    figure: PlanarFigure
    across: Array  # x of the plane, in the figure's frame
    up: Array
    freedoms: tuple[PlanarFreedom, ...]
    base: tuple[float, float]  # where the root stands in the plane at rest
    limbs: Mapping[str, str]  # the limb that each joint belongs to
    places: Mapping[str, tuple[Frame, tuple[float, float]]]  # frame of each joint at rest, origin of its limb then

    def representations(self) -> dict[str, Representation]:
        """Bound coordinates by the figure's limits, and hold those that are no degrees of freedom."""
        own = {each.coordinate: each for each in self.freedoms}
        found: dict[str, Representation] = {}
        for name in self.figure.coordinates:
            if name in own:
                least, most = own[name].bounds
                found[name] = Representation(least=least, most=most)
            else:
                value = self.base["xy".index(name)] if name in ("x", "y") else 0.0
                found[name] = Representation(kind="constant", value=value)
        return found

    def values(self, q: Array) -> dict[str, float]:
        """Values of the figure's degrees of freedom, by id, at coordinates of the planar figure."""
        return {each.dof.id: each.value(float(q[self.figure.coordinate(each.coordinate)])) for each in self.freedoms}

    def coordinates(self, values: Mapping[str, float]) -> Array:
        """Coordinates of the planar figure at values of degrees of freedom, by id; at rest where none is given."""
        found = np.zeros(len(self.figure.coordinates))
        found[:2] = self.base
        for each in self.freedoms:
            found[self.figure.coordinate(each.coordinate)] = each.coordinate_at(values.get(each.dof.id, each.rest))
        return found

    def point(self, joint: str, place: Vector3) -> LimbPoint:
        """Return a point of a joint's body, in its frame, as one of a limb."""
        frame, origin = self.places[joint]
        x, y = self._seen(frame.at(place))
        return LimbPoint(self.limbs[joint], (x - origin[0], y - origin[1]))

    def _seen(self, place: Vector3) -> tuple[float, float]:
        return float(self.across @ place), float(self.up @ place)


def figure_plane(
    figure: Figure,
    normal: Vector3 = (0.0, 0.0, 1.0),
    *,
    upward: Vector3 = (0.0, 1.0, 0.0),
    held: Mapping[str, float] | None = None,
) -> FigurePlane:
    """See a figure in the plane of a normal, in its own frame, y of the plane being as far upward as may be; `held`
    says where coordinates are that do not move in it."""
    across, up, axis = _basis(normal, upward)
    gathered: dict[str, list[tuple[Joint, Frame]]] = {}
    limbs: dict[str, str] = {}
    origins: dict[str, tuple[float, float]] = {}
    parents: dict[str, str | None] = {}
    places: dict[str, tuple[Frame, tuple[float, float]]] = {}
    freedoms: list[PlanarFreedom] = []
    for joint in figure.joints:
        above = Frame() if joint.parent is None else places[joint.parent][0]
        at, origin, found = _walk(joint, above.holding(fixed_frame(joint)), axis, across, up, held or {})
        hinge = next((each for each in found if each.coordinate == joint.id), None)
        if joint.parent is None or hinge is not None:
            limbs[joint.id] = joint.id
            origins[joint.id] = float(across @ origin), float(up @ origin)
            parents[joint.id] = None if joint.parent is None else limbs[joint.parent]
            freedoms += found if joint.parent is None else [each for each in found if each is hinge]
        else:
            limbs[joint.id] = limbs[str(joint.parent)]
        gathered.setdefault(limbs[joint.id], []).append((joint, at))
        places[joint.id] = at, origins[limbs[joint.id]]
    made = [_limb(name, parents[name], origins, each, across, up, axis) for name, each in gathered.items()]
    hinges = {each.coordinate: each for each in freedoms}
    made = [_sprung(limb, hinges[limb.name]) if limb.name in hinges else limb for limb in made]
    base = origins[figure.joints[0].id]
    placed = tuple(_based(each, base) for each in freedoms)
    x, y = (_slide_spring(placed, name) for name in ("x", "y"))
    return FigurePlane(PlanarFigure(tuple(made), (x, y)), across, up, placed, base, limbs, places)


def _basis(normal: Vector3, upward: Vector3) -> tuple[Array, Array, Array]:
    axis = np.asarray(normal, float)
    size = float(np.linalg.norm(axis))
    if not size > _PARALLEL:
        raise InvalidArguments(what="the normal of a plane", value=normal, allowed="a direction that is not zero")
    axis = axis / size
    for direction in (upward, (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)):
        up = np.array(direction) - (axis @ direction) * axis
        if np.linalg.norm(up) >= 1e-3:
            break
    up /= np.linalg.norm(up)
    return np.cross(up, axis), up, axis


def _walk(
    joint: Joint, frame: Frame, axis: Array, across: Array, up: Array, held: Mapping[str, float]
) -> tuple[Frame, Array, list[PlanarFreedom]]:
    """Go along a joint's degrees of freedom at rest: the frame behind them, where it turns in the plane, and those
    that are the plane's."""
    found: list[PlanarFreedom] = []
    origin: Array | None = None
    for dof in joint.dofs:
        rest = 0.0 if dof.kind == "ball" else dof.clamp(0.0)
        along = np.array(turned(frame.rotation, dof.axis))
        freedom: PlanarFreedom | None = None
        if dof.driven:
            pass  # it has no freedom of its own
        elif dof.kind == "hinge" and origin is None and abs(abs(axis @ along) - 1.0) < _PARALLEL:
            origin = np.array(frame.position)
            freedom = PlanarFreedom(joint.id, dof, float(np.sign(axis @ along)), rest)
        elif dof.kind == "slide" and origin is None and joint.parent is None:
            for name, direction in (("x", across), ("y", up)):
                if abs(abs(direction @ along) - 1.0) < _PARALLEL and all(each.coordinate != name for each in found):
                    freedom = PlanarFreedom(name, dof, float(np.sign(direction @ along)), rest)
        if freedom is not None:
            found.append(freedom)
        frame = frame.holding(_moved(dof, rest if freedom is not None else held.get(dof.id, rest), held))
    return frame, np.array(frame.position) if origin is None else origin, found


def _moved(dof: Dof, value: float, held: Mapping[str, float]) -> Frame:
    """Return what a degree of freedom does at a value; a ball, at those of its own coordinates."""
    if dof.kind == "ball":
        numbers = [held.get(name, float(name.endswith(".w"))) for name in dof.coordinates]
        return Frame(rotation=(numbers[0], numbers[1], numbers[2], numbers[3]))
    x, y, z = (value * each for each in dof.axis)
    return Frame(position=(x, y, z)) if dof.kind == "slide" else Frame(rotation=turn_about(dof.axis, value))


def _based(freedom: PlanarFreedom, base: tuple[float, float]) -> PlanarFreedom:
    if freedom.coordinate not in ("x", "y"):
        return freedom
    return PlanarFreedom(
        freedom.coordinate, freedom.dof, freedom.sign, freedom.rest, base["xy".index(freedom.coordinate)]
    )


def _sprung(limb: Limb, hinge: PlanarFreedom) -> Limb:
    """A limb with the spring of its hinge."""
    if hinge.dof.spring == 0.0:
        return limb
    return replace(limb, spring=hinge.dof.spring, rest=hinge.coordinate_at(hinge.dof.neutral))


def _slide_spring(freedoms: Sequence[PlanarFreedom], name: str) -> tuple[float, float]:
    """Stiffness and rest of the spring of a root's slide; nothing where it has none."""
    found = next((each for each in freedoms if each.coordinate == name and each.dof.spring > 0.0), None)
    return (0.0, 0.0) if found is None else (found.dof.spring, found.coordinate_at(found.dof.neutral))


def _limb(
    name: str,
    parent: str | None,
    origins: Mapping[str, tuple[float, float]],
    bodies: list[tuple[Joint, Frame]],
    across: Array,
    up: Array,
    axis: Array,
) -> Limb:
    """Sum the bodies of a limb."""
    origin = np.array(origins[name])
    mass, first, second = 0.0, np.zeros(2), 0.0
    for joint, frame in bodies:
        body = body_of(joint)
        centre = np.array(frame.at(body.centre))
        seen = np.array([across @ centre, up @ centre]) - origin
        mass += body.mass
        first += body.mass * seen
        second += body.mass * float(seen @ seen) + _about(body, frame, axis)
    centre = first / mass if mass > 0.0 else first
    about = max(0.0, second - mass * float(centre @ centre))
    place = (0.0, 0.0) if parent is None else tuple((origin - np.array(origins[parent])).tolist())
    return Limb(
        name=name,
        parent=parent,
        joint=(float(place[0]), float(place[1])),
        mass=mass,
        centre=(float(centre[0]), float(centre[1])),
        gyration=float(np.sqrt(about / mass)) if mass > 0.0 else 0.0,
    )


def _about(body: Body, frame: Frame, axis: Array) -> float:
    """Moment of inertia of a body about its centre and the plane's normal."""
    xx, yy, zz, xy, xz, yz = body.inertia
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    w, x, y, z = frame.rotation
    local = np.array(turned((w, -x, -y, -z), (float(axis[0]), float(axis[1]), float(axis[2]))))
    return float(local @ inertia @ local)
