"""What the muscles of the anatomy figure are written in: lines from bone to bone, places on bones, and the bones as
solids that lines go round.

A `Line` is one muscle of the left side or of the middle, as `anatomy_muscles_*.py` author it: points on bones in their
frames, the area of its fibres or its force, and which share of its length they have. `place` writes a point of the
trunk in the frame of the skeleton at rest, as `anatomy_trunk.py` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from anatomy_joints import FROM_OPENSIM, SACROILIAC, rest_places
from anatomy_landmarks import landmarks
from anatomy_limbs import AC, FIBULA
from anatomy_solids import Distance, Point
from anatomy_trunk import RIBS, SKULL_JOINT, VERTEBRAE

Spot = tuple[str, Point]  # a bone, and a place in its frame [m]
PassedWrap = str | tuple[str, int, int]  # a wrap, and between which points it is minded
Move = tuple[str, str, tuple[tuple[float, float], ...]]  # an axis, what moves a point along it, knots [degrees, m]


@dataclass(frozen=True)
class Wrap:
    """A body that paths go round, on the left."""

    id: str
    bone: str
    shape: str
    radii: tuple[float, ...]
    centre: Point
    turns: tuple[tuple[str, float], ...] = ()  # axis and degrees, one after the other
    length: float | None = None
    side: Point | None = None
    rotation: tuple[float, ...] | None = None  # a quaternion in the place of turns
    source: str = "estimated"


@dataclass(frozen=True)
class Line:
    """A muscle of the left side, or of the middle."""

    id: str
    region: str
    points: tuple[Spot, ...]
    source: str
    area: float = 0.0  # [cm2] of its fibres, where no force is given
    force: float = 0.0  # [N]
    share: float = 0.6  # of fibres in its length at rest, where none are given
    at: float = 1.0  # length of its fibres at rest over that at which they are strongest
    fibre: float = 0.0  # [m]
    tendon: float = 0.0  # [m]
    pennation: float = 0.0  # [degrees]
    wraps: tuple[PassedWrap, ...] = ()
    both: bool = True
    eased: bool = True  # ends are put on their bones
    added: bool = True  # points are added where the line would run through a bone
    moves: tuple[tuple[int, Move], ...] = ()  # points by their numbers; of a line to which none are added
    name: str = ""


@dataclass(frozen=True)
class Region:
    """Some muscles and the wraps that they go round."""

    lines: tuple[Line, ...]
    wraps: tuple[Wrap, ...] = field(default_factory=tuple)


@cache
def places() -> dict[str, Point]:
    """Where the frame of each bone stands at rest, were nothing turned."""
    return rest_places()


def place(bone: str, x: float, y: float, z: float) -> Spot:
    """A point of the trunk [m] on a bone."""
    a, b, c = places()[bone]
    return bone, (x - a, y - b, z - c)


def blade(x: float, y: float, z: float) -> Spot:
    """A point of the shoulder blade where it was measured [m]."""
    return "scapula", (x - AC[0], y - AC[1], z - AC[2])


def mark(name: str, *shift: float) -> Spot:
    """A landmark, moved by so much [m]."""
    bone, (x, y, z) = _landmarks()[name]
    a, b, c = (*shift, 0.0, 0.0, 0.0)[:3]
    return bone, (x + a, y + b, z + c)


@cache
def _landmarks() -> dict[str, Spot]:
    return landmarks()


def vertebra(name: str) -> str:
    """The bone of a vertebra by its short name, such as L3, T12 or C1."""
    return {"L": "lumbar", "T": "thoracic", "C": "cervical"}[name[0]] + name[1:]


def spine(name: str, x: float = 0.003, up: float = 0.0) -> Spot:
    """The tip of a vertebra's spine, a little to the left."""
    if name == "C1":
        return place("cervical1", x, 0.661 + up, -0.085)
    bone, (a, b, c) = _landmarks()[f"spine of {vertebra(name)}"]
    return bone, (a + x, b + up, c)


def transverse(name: str, out: float = 1.0, back: float = 0.0) -> Spot:
    """The tip of a vertebra's left transverse process, or nearer to the middle; so far behind it [m]."""
    if name == "C1":
        return place("cervical1", 0.0305 * out, 0.661, -0.058 - back)
    index = next(k for k, each in enumerate(VERTEBRAE) if each.id == vertebra(name))
    each = VERTEBRAE[index]
    above = VERTEBRAE[index + 1].joint if index + 1 < len(VERTEBRAE) else SKULL_JOINT[1:]
    neck, loins = name[0] == "C", name[0] == "L"
    depth = 0.0155 if neck else 0.028 if loins else 0.0255
    middle, tall = 0.5 * (each.joint[0] + above[0]), above[0] - each.joint[0]
    centre = each.z[1] - 0.5 * depth
    arch = centre - 0.5 * depth - (0.013 if neck else 0.016)
    z = centre - 0.2 * depth - 0.003 if neck else arch + 0.004 if loins else arch - 0.006
    return place(each.id, (each.half - 0.003) * out, middle + 0.2 * tall, z - back)


def body(name: str, x: float = 0.006, up: float = 0.0, back: float = 0.0) -> Spot:
    """The front of a vertebra's body, so far to the left, up and behind [m]."""
    bone, (a, b, c) = _landmarks()[f"body of {vertebra(name)}"]
    return bone, (a + x, b + up, c - back)


def rib(number: int, along: float, up: float = 0.0) -> Spot:
    """A point along a rib, 0 at its head and 1 where its cartilage begins; so far above its middle [m]."""
    points = np.array(RIBS[number - 1])
    at = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
    x, y, z = (float(np.interp(along * at[-1], at, points[:, axis])) for axis in range(3))
    return place(f"rib{number}", x, y + up, z)


def from_table(bone: str, x: float, y: float, z: float) -> Spot:
    """A point of a right-sided body of Rajagopal2016, in its axes, on the left bone here."""
    if bone == "hip_bone":
        a, b, c = FROM_OPENSIM["sacrum"]
        return bone, (z - a - SACROILIAC[0], y - b - SACROILIAC[1], x - c - SACROILIAC[2])
    a, b, c = FROM_OPENSIM.get(bone, (0.0, 0.0, 0.0))
    if bone == "fibula":  # there, a part of the tibia
        a, b, c = (p + q for p, q in zip(FROM_OPENSIM["tibia"], FIBULA, strict=True))
    return bone, (z - a, y - b, x - c)


@dataclass(frozen=True)
class Solid:
    """A bone as a distance in its frame, and its box there [m]."""

    distance: Distance
    low: Point
    high: Point
