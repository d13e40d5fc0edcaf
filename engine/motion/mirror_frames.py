"""The reflection of the world that takes each joint's frame to its partner's, with every coordinate at zero.

Usually it is S = diag(-1, 1, 1) throughout: the pose at zero is symmetric. Files with a bone along the same axis of
every frame are not so: there a limb's zero pose may point anywhere, and only its geometry tells how its two sides
answer. Where S misses that geometry by far, each joint gets the one of the 24 signed permutations W with determinant
-1 that minimises the sum over the tree of |W A_j o_c - A_p o_c'|^2, for children c with offsets o and their partners
c', plus a price wherever a joint's W is not its parent's: a minimum over all assignments, found from the leaves down.

A_j: the world rotation of joint j at zero, p its partner. The reflection of the partner is the transpose.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from engine.document import Figure, Joint
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix

FLIP = np.diag((-1.0, 1.0, 1.0))
_GROSS = 0.1  # share of all squared lengths that S may miss before other reflections are tried
_PRICE = 0.1  # of another reflection than the parent's, in mean squared lengths
_LATER = 0.01  # more for each joint further down, so that a change comes as early as it can


def _signed_permutations() -> Array:
    found = [FLIP]
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        matrix = np.eye(3)[list(order)] * np.array(signs)[:, None]
        if np.linalg.det(matrix) < 0.0 and not np.array_equal(matrix, FLIP):
            found.append(matrix)
    return np.array(found)


REFLECTIONS = _signed_permutations()
"""All 24, S first."""

_TRANSPOSED = [int(np.flatnonzero((REFLECTIONS == each.T).all(axis=(1, 2)))[0]) for each in REFLECTIONS]
_OWN = np.array([bool((each == each.T).all()) and np.trace(each) == 1.0 for each in REFLECTIONS])


def zero_rotations(figure: Figure) -> dict[str, Array]:
    """A_j of every joint."""
    rotations: dict[str, Array] = {}
    for joint in figure.joints:
        above = np.eye(3) if joint.parent is None else rotations[joint.parent]
        rotations[joint.id] = above @ rotation_matrix(joint.rest)
    return rotations


def find_reflections(figure: Figure, rotations: dict[str, Array]) -> dict[str, Array]:
    """W of every joint."""
    costs = _misses(figure, rotations)
    lengths = np.array([np.dot(joint.offset, joint.offset) for joint in figure.joints if joint.parent is not None])
    if sum(cost[0] for cost in costs.values()) <= _GROSS * lengths.sum():
        return dict.fromkeys(rotations, FLIP)
    depth: dict[str, int] = {}
    for joint in figure.joints:
        depth[joint.id] = 0 if joint.parent is None else depth[joint.parent] + 1
    prices = {id: _PRICE * float(lengths.mean()) * (1.0 + _LATER * each) for id, each in depth.items()}
    # Of every pair only the joint that is listed first is assigned.
    leading = [joint for joint in figure.joints if _leader(figure, joint) is joint]
    for joint in reversed(leading):
        if joint.parent is not None:
            cost = np.minimum(costs[joint.id], costs[joint.id].min() + prices[joint.id])
            parent = figure.joint(joint.parent)
            leader = _leader(figure, parent)
            costs[leader.id] = costs[leader.id] + (cost if leader is parent else cost[_TRANSPOSED])
    chosen: dict[str, int] = {}
    for joint in leading:
        cost, above = costs[joint.id], 0 if joint.parent is None else chosen[joint.parent]
        chosen[joint.id] = above if cost[above] <= cost.min() + prices[joint.id] else int(np.argmin(cost))
        if joint.mirror is not None:
            chosen[joint.mirror] = _TRANSPOSED[chosen[joint.id]]
    return {id: REFLECTIONS[label] for id, label in chosen.items()}


def _leader(figure: Figure, joint: Joint) -> Joint:
    """The joint of a pair that is listed first."""
    if joint.mirror is None or figure.joint_index[joint.mirror] > figure.joint_index[joint.id]:
        return joint
    return figure.joint(joint.mirror)


def _misses(figure: Figure, rotations: dict[str, Array]) -> dict[str, Array]:
    """Measure how far each reflection is from exchanging each joint's own children [m2], shape [24]; infinite where it
    is not allowed."""
    misses = {joint.id: np.zeros(len(REFLECTIONS)) for joint in figure.joints}
    for joint in figure.joints:
        if joint.mirror is None:
            misses[joint.id][~_OWN] = np.inf
        if joint.parent is not None:
            parent, partner = figure.joint(joint.parent), figure.joint(joint.mirror or joint.id)
            here = rotations[parent.id] @ joint.offset
            there = rotations[parent.mirror or parent.id] @ partner.offset
            misses[parent.id] += np.sum((REFLECTIONS @ here - there) ** 2, axis=1)
    return misses
