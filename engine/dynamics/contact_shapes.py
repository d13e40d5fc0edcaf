"""Shapes for contact: the ground, a plane n.x = height, and each other within the figure.

Points of bodies against the plane and pairs of capsules have numbers that never change, so that an impulse of one step
finds its contact again in the next.

Pairs leave out bodies of one joint, neighbours (the nearest body with a shape above), and capsules that overlap, or
nearly so, in the rest pose: bones that are within 2 cm, since tissue holds these apart.

The packed arrays are laid out as in `contact_points.py`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np

from engine.document import Figure
from engine.document.values import Vector3, finite, vector3
from engine.dynamics.contact_points import (
    BALL,
    CAPSULE_FLOATS,
    CAPSULES,
    HEADER,
    MOST,
    PAIRS,
    PLACED_CAPSULE,
    POINTS,
    TOGETHER,
    closest_points,
    runs_of_points,
)
from engine.dynamics.outlines import Point, is_bone, points_of, stadiums_of
from engine.maths.arrays import Array, IntArray
from engine.model.compile import Model
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

_MOST = 128
# [m] that capsules stand apart at rest, to be taken for ones that may touch; that bones do, since what is nearer is
# held apart by discs, cartilage and muscle.
_CLEAR, _CLEAR_OF_BONES = 0.005, 0.02
_NEVER = -1e12  # [m] radius of a ball that comes to nothing


@dataclass(frozen=True, kw_only=True)
class Ground:
    """A plane that bodies stand on, and its friction."""

    normal: Vector3 = (0.0, 1.0, 0.0)
    height: float = 0.0  # [m] along the normal
    friction: float = 0.8  # mu

    def __post_init__(self) -> None:
        normal = vector3("the normal of the ground", self.normal)
        norm = math.hypot(*normal)
        if norm < 1e-9:
            raise InvalidArguments(
                what="the normal of the ground", value=normal, allowed="a direction that is not zero"
            )
        object.__setattr__(self, "normal", (normal[0] / norm, normal[1] / norm, normal[2] / norm))
        object.__setattr__(self, "height", finite("the height of the ground", self.height))
        check_friction("the friction of the ground", self.friction)


@dataclass(frozen=True, eq=False)
class Shapes:
    """Points and capsules that may touch, packed; read-only."""

    ints: IntArray
    floats: Array

    @property
    def point_count(self) -> int:
        """Number of points of bodies that may touch the ground."""
        return int(self.ints[POINTS])

    @property
    def pair_count(self) -> int:
        """Number of pairs of capsules that may touch."""
        return int(self.ints[PAIRS])

    @property
    def placed_size(self) -> int:
        """Numbers that capsules and groups of them take in the world."""
        capsules = int(self.ints[CAPSULES])
        return PLACED_CAPSULE * (capsules + math.ceil(capsules / TOGETHER))

    @property
    def most(self) -> int:
        """Largest number of contacts in a step; the deepest are taken where there are more."""
        return int(self.ints[MOST])

    @property
    def owners_of_points(self) -> IntArray:
        """The body of each point."""
        return self.ints[HEADER : HEADER + self.point_count]

    def off_ground(self, bodies: Collection[int]) -> Shapes:
        """Keep points of some bodies off the ground, by balls around them that come to nothing; all are numbered as
        before."""
        floats, owners = self.floats.copy(), self.owners_of_points
        runs = runs_of_points(self.ints)
        count = int(self.ints[runs])
        firsts = self.ints[runs + 1 : runs + 1 + count]
        balls = floats[len(floats) - BALL * count :].reshape(-1, BALL)
        balls[np.isin(owners[firsts], sorted(bodies)), -1] = _NEVER
        floats.flags.writeable = False
        return Shapes(self.ints, floats)


def compile_shapes(
    model: Model,
    *,
    ground: Ground | None,
    bodies: bool,
    friction: float,
    actor_of: Sequence[int] | None = None,
    led: frozenset[int] = frozenset(),
    filled: bool = False,
) -> Shapes:
    """Points for the ground, and pairs of capsules if `bodies` may touch each other, with that friction.

    Where the figure is several actors `actor_of` numbers that of each joint: bodies of two actors may touch wherever
    they stand at rest. Those that are `led` along their keys touch neither the ground nor each other. Boxes are
    `filled` with capsules, or one thin one each; a mesh counts as a box where it is all that its actor has.
    """
    check_friction("the friction between bodies", friction)
    joints = model.figure.joints
    actors = [0] * len(joints) if actor_of is None else list(actor_of)
    free = [(at, joint) for at, joint in enumerate(joints) if actors[at] not in led]
    shaped = Counter(actors[at] for at, joint in enumerate(joints) if joint.shapes)
    many = [shaped[each] > 1 for each in actors]
    points = [(at, each) for at, joint in free for each in points_of(joint, one_of_many=many[at])] if ground else []
    outlined = enumerate(joints) if bodies else ()
    capsules = [
        (at, each) for at, joint in outlined for each in stadiums_of(joint, filled=filled, one_of_many=many[at])
    ]
    table = np.array([(*each.start, *each.end, each.radius) for _, each in capsules]).reshape(-1, CAPSULE_FLOATS)
    owners = np.array([at for at, _ in capsules], dtype=np.int32)
    bones = frozenset(at for at, joint in enumerate(joints) if many[at] and is_bone(joint))
    pairs = _pairs(model, owners, table, actors, led, bones)
    plane = Ground() if ground is None else ground
    most = min(_MOST, len(points) + len(pairs))
    ints = [
        np.array([len(points), len(capsules), len(pairs), most, ground is not None], dtype=np.int32),
        np.array([at for at, _ in points], dtype=np.int32),
        owners,
        np.array(pairs, dtype=np.int32).ravel(),
        _runs(pairs),
        _runs_of_points([at for at, _ in points]),
    ]
    floats = [
        np.array([*plane.normal, plane.height, plane.friction, friction]),
        np.array([(*each.centre, *each.radii) for _, each in points]).ravel(),
        table.ravel(),
        _balls(points),
    ]
    shapes = Shapes(np.concatenate(ints), np.concatenate(floats))
    shapes.ints.flags.writeable = shapes.floats.flags.writeable = False
    return shapes


def check_friction(what: str, value: float) -> None:
    """Refuse what is no coefficient of friction."""
    if not 0.0 <= value < math.inf:
        raise InvalidArguments(what=what, value=value, allowed="0 and above")


def _pairs(
    model: Model,
    owners: IntArray,
    table: Array,
    actors: Sequence[int],
    led: frozenset[int],
    bones: frozenset[int],
) -> list[tuple[int, int]]:
    """Capsules of bodies that are no neighbours and stand apart at rest, or are of two actors. Of two bones none touch
    where some do not stand apart."""
    above, state = _shaped_above(model.figure), model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest, state)
    rows = model.transforms(state)[owners]
    turns, places = rows[:, :9].reshape(-1, 3, 3), rows[:, 9:]
    starts = np.einsum("nij,nj->ni", turns, table[:, :3]) + places
    ends = np.einsum("nij,nj->ni", turns, table[:, 3:6]) + places
    found, near = [], set[tuple[int, int]]()
    for one in range(len(owners)):
        for two in range(one + 1, len(owners)):
            a, b = int(owners[one]), int(owners[two])
            if actors[a] != actors[b]:
                if actors[a] not in led or actors[b] not in led:
                    found.append((one, two))
                continue
            if a == b or above[b] == a or above[a] == b or actors[a] in led:
                continue
            lines = [tuple(each.tolist()) for each in (starts[one], ends[one], starts[two], ends[two])]
            both = a in bones and b in bones
            clear = _CLEAR_OF_BONES if both else _CLEAR
            if math.dist(*closest_points(*lines)) > table[one, 6] + table[two, 6] + clear:
                found.append((one, two))
            elif both:
                near.add((a, b))
    return [(one, two) for one, two in found if (int(owners[one]), int(owners[two])) not in near] if near else found


def _runs(pairs: list[tuple[int, int]]) -> IntArray:
    """Count the runs of pairs that share the first capsule and the group of the second, and of each the first pair, the
    first capsule and the group; at last where the pairs end."""
    runs = [
        (at, one, two // TOGETHER)
        for at, (one, two) in enumerate(pairs)
        if at == 0 or pairs[at - 1][0] != one or pairs[at - 1][1] // TOGETHER != two // TOGETHER
    ]
    return np.array([len(runs), *(number for run in runs for number in run), len(pairs)], dtype=np.int32)


def _runs_of_points(owners: list[int]) -> IntArray:
    """Count the runs of points of one body, and the first of each; at last where the points end."""
    firsts = [at for at, owner in enumerate(owners) if at == 0 or owners[at - 1] != owner]
    return np.array([len(firsts), *firsts, len(owners)], dtype=np.int32)


def _balls(points: list[tuple[int, Point]]) -> Array:
    """Centre and radius of a ball around each body's points."""
    found = []
    for _, run in groupby(points, key=itemgetter(0)):
        centres, reach = zip(*((each.centre, max(each.radii)) for _, each in run), strict=True)
        places = np.array(centres)
        middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
        found.append((*middle, float((np.linalg.norm(places - middle, axis=1) + np.array(reach)).max())))
    return np.array(found, dtype=np.float64).ravel()


def _shaped_above(figure: Figure) -> list[int]:
    """Find for each joint the nearest one above that has a shape, -1 for none."""
    found: list[int] = []
    for joint in figure.joints:
        at = -1 if joint.parent is None else figure.joint_index[joint.parent]
        while at >= 0 and not figure.joints[at].shapes:
            at = found[at]
        found.append(at)
    return found
