"""drag_turns: how far joints turn from one answer of a drag to the next.

Where a limb comes to its limits, to a place behind its shoulder, or to where the trunk begins to follow, poses that are
far from each other take turns in being the best. A drag goes from one to the other by and by: the further what is
pulled moves, the further joints may turn beyond what goals ask of them, and the answers after that bring the rest. What
goals do ask of them is the turn of joints that meets them from the pose that is shown, which may be large where a limb
was straight. Beyond reach, a pose that is far is not gone to at all while the one that is near does about as well.

Joints of three hinges go by their least turn, not by their angles, which leap where the hinges are nearly in line. A
turn that takes a hand or a foot nowhere, such as the swivel of an elbow, leaves it where it is on all of the way; what
is lost of other goals, the next solve gives back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array, IntArray
from engine.maths.quaternions import slerp
from engine.maths.rotation_arrays import chain, rotation_vectors, turn
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.ik.problem import Problem
    from engine.ik.solver import Budget
    from engine.locks.found import Found

TURN_PER_METRE = math.radians(5.0) / 1e-2
_STRAIGHT = math.radians(20.0) / 0.1  # [rad/m^(1/2)] that a straight limb bends at its middle for a way along it
LEAST_TURN = math.radians(5.0)  # of what stands still, or hardly moves
_AS_WELL = 1.2  # squares of what is out of reach, for which joints need not turn far
_SQUARE, _NEARNESS = 1e-9, 1e-4


def steadied(
    found: Found,
    figures: Sequence[Figure],
    problem: Problem,
    shown: tuple[Array, ...],
    way: float,
    budget: Budget,
    hold: Callable[[tuple[Array, ...], float], tuple[Array, ...]] | None,
) -> Found:
    """Go from the poses that are shown towards what was found, as far as joints may turn at once. `problem`: with what
    keeps the figures above the floor; `way`: of what is pulled [m]; `hold`: leads to what is held, within a turn."""
    from engine.ik.levenberg import Levenberg
    from engine.ik.solver import solve_within, with_poses, within_limits

    most, reaches = bound(way), found.answer.state == "reached"
    if turn_within(figures, shown, found.poses, most):
        return found
    solver = Levenberg(ease=0.0)
    near = solve_within(problem, shown, solver, forced(way) if reaches else most, budget)
    if not reaches:
        near = near if hold is None else hold(near, most)
        stays = with_poses(found.answer, found.problem, near)
        if stays.squares <= _AS_WELL * found.answer.squares:
            return replace(found, poses=near, answer=stays)
        near, most = shown, 2.0 * most
    worst = turn_between(figures, near, found.poses)
    if worst <= most:
        return found
    poses = within_limits(problem, shown, poses_between(figures, near, found.poses, most / worst))
    if reaches:
        poses = solve_within(problem, poses, solver, most, budget)
    if hold is not None:
        poses = hold(poses, forced(way))
    return replace(found, poses=poses, answer=with_poses(found.answer, found.problem, poses), turns=True)


def bound(way: float) -> float:
    """Bound the turn of a joint [rad] by how far what is pulled has moved [m]."""
    return max(LEAST_TURN, TURN_PER_METRE * way)


def forced(way: float) -> float:
    """Bound the turn of a joint [rad] where goals ask for it: a limb that was straight bends by the root of its way."""
    return max(bound(way), _STRAIGHT * math.sqrt(max(way, 0.01)))


def turn_between(figures: Sequence[Figure], before: Sequence[Array], after: Sequence[Array]) -> float:
    """Find the largest turn of a joint from one pose of each figure to another [rad]."""
    pairs = zip(map(hinges_of, figures), before, after, strict=True)
    return max(hinges.furthest(one, other) for hinges, one, other in pairs)


def turn_within(figures: Sequence[Figure], before: Sequence[Array], after: Sequence[Array], most: float) -> bool:
    """Tell whether no joint turns further from one pose of each figure to another than so much [rad]."""
    pairs = zip(map(hinges_of, figures), before, after, strict=True)
    return all(hinges.furthest(one, other, most) <= most for hinges, one, other in pairs)


def poses_between(
    figures: Sequence[Figure], before: Sequence[Array], after: Sequence[Array], share: float
) -> tuple[Array, ...]:
    """Return poses by a share of the way from some to others."""
    pairs = zip(map(hinges_of, figures), before, after, strict=True)
    return tuple(hinges.between(one, other, share) for hinges, one, other in pairs)


def hinges_of(figure: Figure) -> JointHinges:
    """The hinges of a figure, found once."""
    return _hinges.find(figure.digest, partial(JointHinges.of, figure))


@dataclass(frozen=True, eq=False)
class JointHinges:
    """The hinges of a figure, joint by joint."""

    owners: IntArray  # the place in `joints` of each coordinate; the number of joints: none
    joints: tuple[tuple[IntArray, Array], ...]  # coordinates of a joint's hinges, and their axes
    balls: tuple[slice, ...]  # coordinates of what turns by a quaternion
    lower: Array  # limits of all coordinates
    upper: Array

    @staticmethod
    def of(figure: Figure) -> JointHinges:
        """Gather the hinges of a figure."""
        index, joints, balls = figure.coordinate_index, list[tuple[IntArray, Array]](), []
        owners = np.full(len(index), -1, dtype=np.int32)
        lower, upper = np.full(len(index), -math.inf), np.full(len(index), math.inf)
        for dof in figure.dofs:
            if dof.kind != "ball":
                lower[index[dof.id]] = -math.inf if dof.lower is None else dof.lower
                upper[index[dof.id]] = math.inf if dof.upper is None else dof.upper
        for joint in figure.joints:
            hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
            places = np.array([index[dof.id] for dof in hinges], dtype=np.int32)
            owners[places] = len(joints)
            if hinges:
                joints.append((places, np.array([dof.axis for dof in hinges])))
            firsts = [index[dof.coordinates[0]] for dof in joint.dofs if dof.kind == "ball"]
            balls += [slice(first, first + 4) for first in firsts]
        owners[owners < 0] = len(joints)
        return JointHinges(owners, tuple(joints), tuple(balls), lower, upper)

    def furthest(self, before: Array, after: Array, enough: float = 0.0) -> float:
        """The largest turn of a joint [rad], or one that is not larger than what is enough."""
        ways = np.bincount(self.owners, np.abs(after - before), len(self.joints) + 1)[:-1]
        worst = max((_turn_of(before[each], after[each]) for each in self.balls), default=0.0)
        for joint in np.argsort(-ways).tolist():
            if ways[joint] <= max(worst, enough):
                break  # no turn is larger than its angles together
            worst = max(worst, float(np.linalg.norm(self._turn(joint, before, after))))
        return worst

    def between(self, before: Array, after: Array, share: float) -> Array:
        """The pose by a share of the way: joints of three hinges at right angles by the least turn, within
        their limits."""
        found: Array = before + share * (after - before)
        for ball in self.balls:
            found[ball] = slerp(before[ball].tolist(), after[ball].tolist(), share)
        for joint, (places, axes) in enumerate(self.joints):
            if len(places) != 3 or np.array_equal(before[places], after[places]):
                continue
            if np.abs(axes @ axes.T - np.eye(3)).max() <= _SQUARE:
                way = share * self._turn(joint, before, after)
                angle = float(np.linalg.norm(way))
                if angle > 0.0:
                    turned = chain(axes, before[places][None])[0] @ turn(way / angle, np.array([angle]))[0]
                    limits = np.minimum(self.lower, before)[places], np.maximum(self.upper, before)[places]
                    found[places] = _angles(axes, turned, before[places], found[places], limits)
        return np.minimum(np.maximum(found, np.minimum(self.lower, before)), np.maximum(self.upper, before))

    def _turn(self, joint: int, before: Array, after: Array) -> Array:
        """The vector of the least turn of a joint from one pose to another."""
        places, axes = self.joints[joint]
        rotations = chain(axes, np.stack((before[places], after[places])))
        return np.asarray(rotation_vectors((rotations[0].T @ rotations[1])[None])[0])


def _turn_of(before: Array, after: Array) -> float:
    return 2.0 * math.acos(min(1.0, abs(float(before @ after)) / float(np.linalg.norm(before) * np.linalg.norm(after))))


def _angles(axes: Array, rotation: Array, near: Array, other: Array, limits: tuple[Array, Array]) -> Array:
    """The angles of three hinges at right angles that come nearest to a rotation within limits, `other` ones where
    neither solution does; of solutions that are as near, the one nearer to angles that are there."""
    from engine.ik.natural_limbs import find_angles

    n0, n1, n2 = ((x, y, z) for x, y, z in axes.tolist())
    first, middle, last = ((x, y, z) for x, y, z in rotation.tolist())
    tried = [other]
    for second in (False, True):
        angles = np.array(find_angles(n0, n1, n2, (first, middle, last), second))
        angles -= 2.0 * np.pi * np.round((angles - near) / (2.0 * np.pi))
        tried.append(np.minimum(np.maximum(angles, limits[0]), limits[1]))
    off = np.linalg.norm(chain(axes, np.array(tried)) - rotation, axis=(1, 2))
    far = [float(np.abs(each - near).sum()) for each in tried]
    return tried[int(np.argmin(off + _NEARNESS * np.array(far)))]


_hinges: Bounded[str, JointHinges] = Bounded(8)
