"""The rest pose of one figure turned as another's stands, and rotations carried over from there.

A joint's turn from its reference, D = R_a(t) R_a(0)^T in the world, is given to the joint that answers to it:
R_j(t) = D A_j F R_j(0). F turns the target to face where the source faces, and A_j is the least turn that lays its
bone along the source's, so that a T-pose and an A-pose say the same. Feet are turned about the vertical only, since
soles are flat in both rest poses though ankles are not equally high; a hand takes the A_j of its forearm.

An elbow or a knee of one hinge n bends in one plane only. With u the bone above it and d the one below, both for a
hinge at zero, its angle b follows from u . R(n, b) d = u . w, w the direction that d is to take (two solutions, of
which the limits and the smaller turn choose), and the upper limb is turned about u until d lies along w; less where
the limb is nearly straight, and the plane says little.

A joint with less freedom than three turns takes the nearest rotation that it can and the limits of its hinges allow,
and those below it make up for the rest. Where a limit over several angles holds instead, angles are of the turn that
is nearest to its region, and may be outside of it. A joint of a spine that answers by a share to two of the source's
(`Between`) turns as the geodesic from the one's D to the other's has it there. Soles and toes: `engine.ik.soles`;
shoulder blades: `engine.ik.rhythm`. Rotations as matrices, shape [frame_count, 3, 3].
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

import numpy as np

from engine.document import Figure, Joint
from engine.ik.joint_map import Between, JointMap, rest_places
from engine.ik.regions import ends_over
from engine.ik.soles import bend_of, lay_sole
from engine.maths.arrays import Array
from engine.maths.hinge_angles import solve_hinges_gradually, steady_hinges_gradually
from engine.maths.rotation_arrays import (
    chain,
    exponential,
    least_turn,
    matrices,
    quaternions,
    rotation_matrix,
    rotation_vectors,
    turn,
)
from engine.motion.mirror_frames import zero_rotations
from engine.runtime.progress import finish

_BONES = {"thigh": "knee", "knee": "ankle", "upper arm": "elbow", "elbow": "wrist", "ankle": "toes"}
_FOLLOWS = {"wrist": "elbow", "toes": "ankle"}
_UP = np.array((0.0, 1.0, 0.0))
_STRAIGHT, _BENT = 0.1, 0.4  # sines of the bend between which its plane gains its say


def find_alignment(source: Figure, target: Figure, joints: JointMap, places: Mapping[str, Array]) -> dict[str, Array]:
    """A_j F for each target joint that is mapped; `places` are the source's joints in its reference pose [m]."""
    mine = {role: a for role, a, _ in joints.roles}
    yours = {role: b for role, _, b in joints.roles}
    rest = rest_places(target)
    facing = _facing(mine, yours, places, rest)
    turns = {b: facing for _, b in joints.pairs}
    for role, joint in yours.items():
        name, _, side = role.rpartition(" ")
        below = f"{_BONES.get(name, '')} {side}"
        if below in mine and below in yours:
            along = places[mine[below]] - places[mine[role]]
            bone = facing @ (rest[yours[below]] - rest[joint])
            if name == "ankle":
                along, bone = along * (1.0, 0.0, 1.0), bone * (1.0, 0.0, 1.0)
            turns[joint] = least_turn(bone, along) @ facing
    for role, joint in yours.items():
        name, _, side = role.rpartition(" ")
        above = f"{_FOLLOWS.get(name, '')} {side}"
        if above in yours:
            turns[joint] = turns[yours[above]]
    for _, b in joints.pairs:
        parent = target.joint(b).parent
        if b not in yours.values() and parent in turns:
            turns[b] = turns[parent]  # A twist joint goes with its limb.
    return turns


def lean(joints: Mapping[str, str], places: Mapping[str, Array]) -> Array:
    """The largest angle between the vertical and trunk, head and legs [rad], of joints by role at places [m] of shape
    [..., 3]; 0 where none of them is known."""
    pairs = [("neck", "pelvis"), ("head", "neck")]
    pairs += [(f"{above} {side}", f"{below} {side}") for above, below in (("thigh", "knee"), ("knee", "ankle"))
              for side in ("left", "right")]  # fmt: skip
    angles = [np.zeros(next(iter(places.values())).shape[:-1])]
    for above, below in pairs:
        if above in joints and below in joints:
            way = places[joints[above]] - places[joints[below]]
            angles.append(np.arccos(np.clip(way[..., 1] / np.maximum(np.linalg.norm(way, axis=-1), 1e-9), -1.0, 1.0)))
    return np.asarray(np.max(angles, axis=0))


def _facing(
    mine: Mapping[str, str], yours: Mapping[str, str], places: Mapping[str, Array], rest: Mapping[str, Array]
) -> Array:
    """The turn about the vertical that lays the target's hips (shoulders) along the source's."""
    for role in ("thigh", "upper arm"):
        if f"{role} left" in mine and f"{role} right" in mine:
            level = (1.0, 0.0, 1.0)
            across = (places[mine[f"{role} left"]] - places[mine[f"{role} right"]]) * level
            own = (rest[yours[f"{role} left"]] - rest[yours[f"{role} right"]]) * level
            return least_turn(own, across)
    return np.eye(3)


def carry_over(
    target: Figure, joints: JointMap, turns: Mapping[str, Array], source_turns: Mapping[str, Array], frames: int
) -> Array:
    """Coordinates of the target by rotations alone, slides at rest, shape [frame_count, coordinate_count]; D of each
    source joint in `source_turns`."""
    return finish(carry_over_gradually(target, joints, turns, source_turns, frames))


def carry_over_gradually(
    target: Figure,
    joints: JointMap,
    turns: Mapping[str, Array],
    source_turns: Mapping[str, Array],
    frames: int,
    going: Mapping[str, Array] | None = None,
) -> Generator[float, None, Array]:
    """Find those coordinates in slices; yields the share of the joints that is done. `going`: D of those joints of the
    target that go with an arm (`engine.ik.rhythm`)."""
    source_of, between = {b: a for a, b in joints.pairs}, {each.joint: each for each in joints.between}
    zero, world = zero_rotations(target), dict[str, Array]()
    values = np.zeros((frames, len(target.coordinates)))
    lower_of, bends = _hinged(target, joints), dict[str, Array]()
    laid = {each.ankle: each for each in joints.soles}
    for each in joints.toes:
        axis = turns[each.joint] @ zero[each.joint] @ np.array(target.joint(each.joint).dofs[0].axis)
        bends[each.joint] = bend_of(each, source_turns, axis)[:, None]
    ends = {dof.id: (-np.inf if dof.lower is None else dof.lower, np.inf if dof.upper is None else dof.upper)
            for dof in target.dofs} | ends_over(target, target.limits_on)  # fmt: skip
    for number, joint in enumerate(target.joints):
        above = np.broadcast_to(np.eye(3), (frames, 3, 3)) if joint.parent is None else world[joint.parent]
        base = above @ rotation_matrix(joint.rest)
        wanted = None
        if joint.id in source_of:
            own = None if going is None else going.get(joint.id)
            led = _turned(source_turns, source_of, between, joint.id) if own is None else own
            whole = led @ (turns[joint.id] @ zero[joint.id])
            if joint.id in lower_of:
                below = target.joint(lower_of[joint.id])
                bone = _lower_bone(target, joints, below.id)
                along = (
                    source_turns[source_of[below.id]]
                    @ (turns[below.id] @ bone)
                    / max(float(np.linalg.norm(bone)), 1e-9)
                )
                whole, bent = _bend(below, ends[below.dofs[0].id], zero[below.id].T @ bone, whole, along)
                bends[below.id] = bent[:, None]
            wanted = np.swapaxes(base, 1, 2) @ whole
            if joint.id in laid:
                up = np.einsum("fji,fj->fi", base, source_turns[laid[joint.id].foot] @ (turns[joint.id] @ _UP))
                bends |= lay_sole(target, laid[joint.id], up, zero, ends)
        if joint.id in bends:
            wanted = chain(np.array([dof.axis for dof in joint.dofs]), bends[joint.id])
        taken = yield from _at(number / len(target.joints), _take(target, joint, wanted, ends, values))
        world[joint.id] = base @ taken
    return values


def _turned(
    turns: Mapping[str, Array], source_of: Mapping[str, str], between: Mapping[str, Between], joint: str
) -> Array:
    """D of the source joint that a target's joint answers to, or what lies between those of two."""
    each = between.get(joint)
    if each is None:
        return turns[source_of[joint]]
    lower, upper = turns[each.lower], turns[each.upper]
    way = rotation_vectors(np.swapaxes(lower, 1, 2) @ upper)
    return np.asarray(lower @ matrices(exponential(each.share * way)))


def _at(share: float, steps: Generator[None, None, Array]) -> Generator[float, None, Array]:
    """Say of every slice that so much is done before."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return np.asarray(stop.value)
        yield share


def _hinged(target: Figure, joints: JointMap) -> dict[str, str]:
    """The elbow or knee below each upper limb, where it is a single hinge."""
    yours = {role: b for role, _, b in joints.roles}
    found = {}
    for role, joint in yours.items():
        name, _, side = role.rpartition(" ")
        below = yours.get(f"{_BONES[name]} {side}") if name in ("thigh", "upper arm") else None
        lower = None if below is None else target.joint(below)
        if lower is not None and lower.parent == joint and [dof.kind for dof in lower.dofs] == ["hinge"]:
            found[joint] = lower.id
    return found


def _lower_bone(target: Figure, joints: JointMap, joint: str) -> Array:
    """Return the vector from an elbow or knee to the joint that ends it, in the world with every coordinate at zero
    [m]."""
    role = next(role for role, _, b in joints.roles if b == joint)
    name, _, side = role.rpartition(" ")
    end = next((b for each, _, b in joints.roles if each == f"{_BONES[name]} {side}"), None)
    rest = rest_places(target)
    return np.zeros(3) if end is None else rest[end] - rest[joint]


def _bend(below: Joint, ends: tuple[float, float], end: Array, rotations: Array, along: Array) -> tuple[Array, Array]:
    """World rotations of an upper limb, turned about its bone, and angles of the hinge below, between its ends, that
    point the lower limb along `along`; `end` is the lower bone in its joint's own frame."""
    bone = np.array(below.offset) / max(float(np.linalg.norm(below.offset)), 1e-9)
    fixed, dof = rotation_matrix(below.rest), below.dofs[0]
    hinge, lower = fixed @ np.array(dof.axis), fixed @ (end / max(float(np.linalg.norm(end)), 1e-9))
    wanted = np.einsum("fji,fj->fi", rotations, along)
    constant = float((bone @ hinge) * (hinge @ lower))
    cosine, sine = float(bone @ lower) - constant, float(bone @ np.cross(hinge, lower))
    reach = np.arccos(np.clip((wanted @ bone - constant) / max(float(np.hypot(cosine, sine)), 1e-9), -1.0, 1.0))
    best, turns, bends = np.full(len(along), np.inf), np.zeros(len(along)), np.zeros(len(along))
    for sign in (1.0, -1.0):
        angle = np.arctan2(sine, cosine) + sign * reach
        angle -= 2.0 * np.pi * np.rint(angle / (2.0 * np.pi))
        allowed = np.clip(angle, *ends)
        start, stop = np.cross(bone, turn(hinge, angle) @ lower), np.cross(bone, wanted)
        about = np.arctan2(np.cross(start, stop) @ bone, np.sum(start * stop, axis=1))
        worse = np.abs(angle - allowed) * 10.0 + np.abs(about)
        nearer = worse < best
        best[nearer], turns[nearer], bends[nearer] = worse[nearer], about[nearer], allowed[nearer]
    bent = np.linalg.norm(np.cross(bone, wanted), axis=1)
    share = np.clip((bent - _STRAIGHT) / (_BENT - _STRAIGHT), 0.0, 1.0)
    return np.asarray(rotations @ turn(bone, turns * share * share * (3.0 - 2.0 * share))), bends


def _take(
    target: Figure, joint: Joint, wanted: Array | None, ends: Mapping[str, tuple[float, float]], out_values: Array
) -> Generator[None, None, Array]:
    """Write a joint's angles, the nearest that there are; the rotation that they make."""
    rotation = np.broadcast_to(np.eye(3), (len(out_values), 3, 3))
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
    if hinges:
        axes = np.array([dof.axis for dof in hinges])
        angles = np.zeros((len(out_values), len(hinges)))
        if wanted is not None:
            ranges = np.array([ends[dof.id] for dof in hinges])
            steady = len(hinges) == 3 and np.isfinite(ranges).any() and not target.limited & {dof.id for dof in hinges}
            if steady:
                angles = yield from steady_hinges_gradually(axes, wanted, ranges)
            else:
                angles = yield from solve_hinges_gradually(axes, wanted)
        for place, dof in enumerate(hinges):
            column, (lower, upper) = angles[:, place], ends[dof.id]
            if np.isinf(lower) and np.isinf(upper):
                column = np.unwrap(column)
            elif dof.id in target.limited:
                column = column - np.rint((column - 0.5 * (lower + upper)) / (2.0 * np.pi)) * 2.0 * np.pi
            angles[:, place] = column if dof.id in target.limited else np.clip(column, lower, upper)
            out_values[:, target.coordinate_index[dof.id]] = angles[:, place]
        rotation = chain(axes, angles)
    for dof in joint.dofs:
        if dof.kind == "ball":
            places = [target.coordinate_index[name] for name in dof.coordinates]
            out_values[:, places] = (1.0, 0.0, 0.0, 0.0)
            if wanted is not None:
                out_values[:, places] = quaternions(wanted)
                rotation = wanted
    return np.asarray(rotation)
