"""Limbs turned in what their ends leave free: the swivel of elbow or knee, and the collar under the shoulder.

An arm or a leg of a hinge below three hinges, whose end stays where it is, may still turn about the line from its root
S to its end W. Its elbow is on a circle about that line,

    x = (d^2 + a^2 - b^2) / 2 d,   r^2 = a^2 - x^2,   d = |W - S|,

x from S along it and of radius r, with a and b the lengths of its two bones. `write_limb` leads it towards where it is
wanted on that circle. The hinge below then has the angle at which the bones a and b reach d,

    a . R(n, angle) b = (d^2 - a^2 - b^2) / 2,

and the three above, which stand at right angles to each other, the rotation L that lays both bones where they belong:

    L = R(n0, p) R(n1, q) R(n2, r):   sin q = s n0 . L n2,   s = n0 . (n1 x n2),

p and r from where L carries n2 and from what it carries to n0. Of two solutions the one is taken that is nearer to the
angles that are there, and within the limits. The plane of a limb that is nearly straight is that of its hinge's axis.

Ints and floats of a limb are those that the constants below name; `state` as `engine.model.kinematics` writes it.
"""

from __future__ import annotations

import math

from engine.ik.layout import BLOCK, BLOCK_FLOATS, BLOCKS_AT, DIRECTION, JOINT, LOCAL, Packed
from engine.ik.layout import TARGET as BLOCK_TARGET
from engine.maths.arrays import Array, IntArray
from engine.maths.triples import (
    Rows,
    Triple,
    across,
    add,
    applied,
    applied_back,
    between,
    cross,
    dot,
    length,
    scaled,
    turned_about,
    unit,
)
from engine.model.compile import AXIS_FLOATS, HEADER, JOINT_FLOATS, JOINT_STRIDE, PARENT, ROW
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.jit import kernel

# Of each limb, joints: of the trunk, of both bones, of the end. Then the degrees of freedom and the coordinates of the
# three hinges, the one below, and the collar's (-1: none); of an ankle whose foot may turn, its two (-1: none);
# the block of the problem that wants the end somewhere (-1: none).
TRUNK, UPPER, LOWER, END, AXES, HINGES, COLLAR, IS_LEG, ANKLE_AXES, ANKLE, GOAL = 0, 1, 2, 3, 4, 8, 12, 14, 15, 17, 19
LIMB_INTS = 20
# Limits of the six in this order, of the ankle's two in place of the collar's; in the trunk's frame where the elbow is
# wanted, what is up and what is forwards; in the end's frame what is forwards and what is up, the point of it that a
# goal holds, and the one that stays while the limb is laid; the ways of the collar's two, or outwards in the trunk's
# frame. Then space: where the point goes that stays, and a foot's two directions.
LOWEST, HIGHEST, POLE, UP, FORWARDS, FOOT, FOOT_UP, HELD, TIP, WAYS = 0, 6, 12, 15, 18, 21, 24, 27, 30, 33
TARGET, AHEAD, ABOVE, WANTED = 36, 39, 42, 45
LIMB_FLOATS = 48

# Of each root: coordinates of its three slides and of its turn about the vertical; the block that wants it somewhere,
# those of the left and the right hand and foot, and the one of an axis of it (-1: none). The slides' axes in the world;
# the sign of the turn.
ROOT_TURN, ROOT_GOAL, ROOT_ENDS, ROOT_AXIS = 3, 4, 5, 9
ROOT_INTS = 10
ROOT_SIGN = 9
ROOT_FLOATS = 10

FEET = 0.3  # how much the line between the feet counts for where the pelvis looks, beside that between the hands
SETTING = math.radians(30.0)  # of the arm's elevation, in which the shoulder blade only settles (Inman 1944)
ELEVATION = 0.267  # of the collar by the arm beyond that: its 40 degrees of the whole 180 (Inman 1944)
PROTRACTION = math.radians(18.0)  # of the collar, where the arm points straight forwards
OUTWARDS = math.radians(8.0)  # of a foot, from where the pelvis looks
_LYING = 0.3  # cosine of the pelvis' tilt from which on feet are turned to the ground, ever more
_OUTSIDE = 10.0  # how much heavier an angle weighs that lies outside of its limits
_LITTLE = 0.05  # squared sine of a limb to where its elbow is wanted, below which that says ever less
_NEAR, _ROUNDS = 2e-3, 3  # [m] that a foot may be off its place; how often its leg makes up for its ankle
_OPPOSITE = 1e-3  # 1 + the cosine of a limb's turn, below which no turn is the least


@kernel
def vector_of(numbers: Array, at: int) -> Triple:
    """The vector that begins at a place of an array."""
    return numbers[at], numbers[at + 1], numbers[at + 2]


@kernel
def position_of(state: Array, joint: int) -> Triple:
    """The position of a joint in the world."""
    return vector_of(state, (joint + 1) * ROW + 9)


@kernel
def rotation_of(numbers: Array, at: int) -> Rows:
    """The rotation that lies row by row in an array."""
    return vector_of(numbers, at), vector_of(numbers, at + 3), vector_of(numbers, at + 6)


@kernel
def axis_of(model_floats: Array, joints: int, dof: int) -> Triple:
    """The axis of a degree of freedom, in its joint's frame."""
    return vector_of(model_floats, joints * JOINT_FLOATS + dof * AXIS_FLOATS)


@kernel
def tip_of(limb: IntArray, numbers: Array, at: int, state: Array) -> Triple:
    """A point of a limb's end, in the world."""
    turned = applied(rotation_of(state, (limb[END] + 1) * ROW), vector_of(numbers, at))
    return add(position_of(state, limb[END]), turned)


@kernel
def middle_of(least: float, most: float, now: float) -> float:
    """The middle of the limits of an angle; where those leave more than a turn, the angle that is there."""
    return 0.5 * (least + most) if most - least < 2.0 * math.pi else now


@kernel
def turn_near(angle: float, middle: float) -> float:
    """The angle, but for whole turns, that is nearest to another."""
    return angle - 2.0 * math.pi * math.floor((angle - middle) / (2.0 * math.pi) + 0.5)


@kernel
def find_bend(a: Triple, b: Triple, axis: Triple, reach: float, now: float, least: float, most: float) -> float:
    """Find the angle about `axis` at which |a + R b| is `reach`, within limits and nearest to the one that is there."""
    along = dot(a, axis) * dot(axis, b)
    cosine, sine = dot(a, b) - along, dot(a, cross(axis, b))
    size = math.sqrt(cosine * cosine + sine * sine)
    if size < 1e-12:
        return now
    wanted = (0.5 * (reach * reach - dot(a, a) - dot(b, b)) - along) / size
    half, middle = math.acos(max(-1.0, min(1.0, wanted))), math.atan2(sine, cosine)
    best, worst = now, math.inf
    for sign in (1.0, -1.0):
        angle = turn_near(middle + sign * half, middle_of(least, most, now))
        allowed = min(max(angle, least), most)
        cost = abs(angle - now) + _OUTSIDE * abs(angle - allowed)
        if cost < worst:
            worst, best = cost, allowed
    return best


@kernel
def find_angles(n0: Triple, n1: Triple, n2: Triple, rows: Rows, other: bool) -> Triple:
    """Find the angles of three hinges at right angles whose rotation is `rows`: one solution or the other."""
    sign = 1.0 if dot(n0, cross(n1, n2)) > 0.0 else -1.0
    way = -1.0 if other else 1.0
    carried, brought = applied(rows, n2), applied_back(rows, n0)
    middle = math.asin(max(-1.0, min(1.0, sign * dot(n0, carried))))
    first = math.atan2(way * dot(cross(n0, n2), carried), way * dot(n2, carried))
    last = math.atan2(-way * dot(cross(n2, n0), brought), way * dot(n0, brought))
    return first, (math.pi - middle if other else middle), last


@kernel
def write_hinges(limb: IntArray, numbers: Array, n0: Triple, n1: Triple, n2: Triple, rows: Rows, out_q: Array) -> None:
    """Write the angles of the three hinges whose rotation is `rows`, of both solutions the nearer one."""
    worst, best = math.inf, (0.0, 0.0, 0.0)
    for other in (False, True):
        angles, cost = find_angles(n0, n1, n2, rows, other), 0.0
        found = (0.0, 0.0, 0.0)
        for each in range(3):
            least, most, now = numbers[LOWEST + each], numbers[HIGHEST + each], out_q[limb[HINGES + each]]
            angle = turn_near(angles[each], middle_of(least, most, now))
            allowed = min(max(angle, least), most)
            cost += abs(angle - now) + _OUTSIDE * abs(angle - allowed)
            found = (
                allowed if each == 0 else found[0],
                allowed if each == 1 else found[1],
                allowed if each == 2 else found[2],
            )
        if cost < worst:
            worst, best = cost, found
    for each in range(3):
        out_q[limb[HINGES + each]] = best[each]


@kernel
def find_pole(
    limb: IntArray, numbers: Array, state: Array, root: Triple, tip: Triple, hinge: Triple, line: Triple, share: float
) -> Triple:
    """Find the unit direction from the line S W to where the elbow points, by a share on the way from where it does,
    turned with the limb by as little as leads its `tip` onto the line, to where it is wanted: for an elbow a direction
    of the trunk's, for a knee that in which pelvis and foot look. `hinge`: the axis about which the limb bends."""
    trunk = rotation_of(state, (limb[TRUNK] + 1) * ROW)
    wanted = applied(trunk, vector_of(numbers, POLE))
    if limb[IS_LEG]:
        foot = applied(rotation_of(state, (limb[END] + 1) * ROW), vector_of(numbers, FOOT))
        wanted = add(wanted, vector_of(numbers, AHEAD) if limb[ANKLE] >= 0 else foot)
    wanted, before = across(wanted, line), unit(between(root, tip))
    part = share * min(1.0, dot(wanted, wanted) / _LITTLE)
    there, both = unit(cross(before, hinge)), 1.0 + dot(before, line)
    if both > _OPPOSITE:
        there = add(there, scaled(add(before, line), -dot(there, line) / both))
    there = across(there, line)
    if length(there) < 1e-6:
        return unit(wanted)
    pole = add(scaled(unit(there), 1.0 - part), scaled(unit(wanted), part))
    return unit(pole) if length(pole) > 1e-6 else unit(there)


@kernel
def write_limb(
    model_ints: IntArray,
    model_floats: Array,
    limb: IntArray,
    numbers: Array,
    share: float,
    state: Array,
    out_q: Array,
) -> None:
    """Lay a limb anew by its four hinges: its end at its target, its elbow where it is wanted. `state` holds the frames
    of the pose that it has."""
    joints = model_ints[0]
    upper, lower = limb[UPPER] * JOINT_FLOATS, limb[LOWER] * JOINT_FLOATS
    n0, n1, n2, n3 = (
        axis_of(model_floats, joints, limb[AXES]),
        axis_of(model_floats, joints, limb[AXES + 1]),
        axis_of(model_floats, joints, limb[AXES + 2]),
        axis_of(model_floats, joints, limb[AXES + 3]),
    )
    root, tip = position_of(state, limb[UPPER]), tip_of(limb, numbers, TIP, state)
    way = between(root, vector_of(numbers, TARGET))
    reach, line = length(way), unit(way)
    # Both bones in the frame of the upper one, the lower as it is with its hinge at zero.
    now, rest, turned = (
        out_q[limb[HINGES + 3]],
        rotation_of(model_floats, lower + 3),
        rotation_of(state, (limb[LOWER] + 1) * ROW),
    )
    other = applied(rest, applied_back(turned, between(position_of(state, limb[LOWER]), tip)))
    bone, axis = vector_of(model_floats, lower), applied(rest, n3)
    if length(bone) < 1e-6 or length(other) < 1e-6 or reach < 1e-6:
        return
    least, most = numbers[LOWEST + 3], numbers[HIGHEST + 3]
    side = 1.0 if dot(cross(bone, turned_about(other, axis, middle_of(least, most, now))), axis) >= 0.0 else -1.0
    bend = find_bend(bone, other, axis, reach, now, least, most)
    pole = find_pole(limb, numbers, state, root, tip, scaled(applied(turned, n3), side), line, share)
    # Own axes of the limb, from S to W and along its hinge as far as that stands across, and the same in the world.
    along = unit(add(bone, turned_about(other, axis, bend)))
    plane, normal = unit(across(scaled(axis, side), along)), unit(cross(pole, line))
    third, its = cross(along, plane), cross(line, normal)
    # L^T of the rotation in the frame that the three hinges turn: rows of its columns.
    parent = model_ints[HEADER + limb[UPPER] * JOINT_STRIDE + PARENT]
    above, fixed = rotation_of(state, (parent + 1) * ROW), rotation_of(model_floats, upper + 3)
    there = applied_back(fixed, applied_back(above, line))
    normal = applied_back(fixed, applied_back(above, normal))
    its = applied_back(fixed, applied_back(above, its))
    rows = (
        add(add(scaled(along, there[0]), scaled(plane, normal[0])), scaled(third, its[0])),
        add(add(scaled(along, there[1]), scaled(plane, normal[1])), scaled(third, its[1])),
        add(add(scaled(along, there[2]), scaled(plane, normal[2])), scaled(third, its[2])),
    )
    write_hinges(limb, numbers, n0, n1, n2, rows, out_q)
    out_q[limb[HINGES + 3]] = bend


@kernel
def write_collar(limb: IntArray, numbers: Array, share: float, state: Array, out_q: Array) -> None:
    """Raise and advance a collar with its arm, by a share of what is left: by `ELEVATION` of the angle between the
    upper arm and hanging down beyond `SETTING`, and forwards with the arm."""
    trunk = rotation_of(state, (limb[TRUNK] + 1) * ROW)
    arm = unit(applied_back(trunk, between(position_of(state, limb[UPPER]), position_of(state, limb[LOWER]))))
    raised = math.acos(max(-1.0, min(1.0, -dot(arm, vector_of(numbers, UP)))))
    wanted = (ELEVATION * max(0.0, raised - SETTING), PROTRACTION * dot(arm, vector_of(numbers, FORWARDS)))
    for each in range(2):
        at, sign = limb[COLLAR + each], numbers[WAYS + each]
        value = min(max(sign * wanted[each], numbers[LOWEST + 4 + each]), numbers[HIGHEST + 4 + each])
        out_q[at] += share * (value - out_q[at])


@kernel
def level_foot(limb: IntArray, numbers: Array, target: Triple, share: float, state: Array) -> None:
    """Write how a foot is wanted that may turn, flat on the ground and a little outwards of where the pelvis looks, by
    a share of the way, and where its ankle then goes."""
    trunk, foot = rotation_of(state, (limb[TRUNK] + 1) * ROW), rotation_of(state, (limb[END] + 1) * ROW)
    ahead = add(
        scaled(applied(trunk, vector_of(numbers, FORWARDS)), math.cos(OUTWARDS)),
        scaled(applied(trunk, vector_of(numbers, WAYS)), math.sin(OUTWARDS)),
    )
    upright = applied(trunk, vector_of(numbers, UP))[1]
    part = share * max(0.0, min(1.0, (upright - _LYING) / (1.0 - _LYING)))
    ahead = unit((ahead[0], 0.0, ahead[2]))
    own, up = applied(foot, vector_of(numbers, FOOT)), applied(foot, vector_of(numbers, FOOT_UP))
    ahead = unit(add(scaled(own, 1.0 - part), scaled(ahead, part)))
    up = unit(across(add(scaled(up, 1.0 - part), (0.0, part, 0.0)), ahead))
    side, at = cross(up, ahead), vector_of(numbers, HELD)
    x = dot(at, cross(vector_of(numbers, FOOT_UP), vector_of(numbers, FOOT)))
    y, z = dot(at, vector_of(numbers, FOOT_UP)), dot(at, vector_of(numbers, FOOT))
    place = add(target, scaled(add(add(scaled(side, x), scaled(up, y)), scaled(ahead, z)), -1.0))
    for line in range(3):
        numbers[TARGET + line], numbers[AHEAD + line], numbers[ABOVE + line] = place[line], ahead[line], up[line]


@kernel
def write_ankle(
    model_ints: IntArray, model_floats: Array, limb: IntArray, numbers: Array, state: Array, out_q: Array
) -> None:
    """Turn a foot as it is wanted, as far as its two hinges can."""
    joints, at = model_ints[0], limb[END] * JOINT_FLOATS
    parent = model_ints[HEADER + limb[END] * JOINT_STRIDE + PARENT]
    above, fixed = rotation_of(state, (parent + 1) * ROW), rotation_of(model_floats, at + 3)
    n0, n1 = axis_of(model_floats, joints, limb[ANKLE_AXES]), axis_of(model_floats, joints, limb[ANKLE_AXES + 1])
    foot, up = vector_of(numbers, FOOT), vector_of(numbers, FOOT_UP)
    own = foot, up, cross(foot, up)
    ahead = applied_back(fixed, applied_back(above, vector_of(numbers, AHEAD)))
    over = applied_back(fixed, applied_back(above, vector_of(numbers, ABOVE)))
    side = cross(ahead, over)
    rows = (
        add(add(scaled(own[0], ahead[0]), scaled(own[1], over[0])), scaled(own[2], side[0])),
        add(add(scaled(own[0], ahead[1]), scaled(own[1], over[1])), scaled(own[2], side[1])),
        add(add(scaled(own[0], ahead[2]), scaled(own[1], over[2])), scaled(own[2], side[2])),
    )
    angles = find_angles(n0, n1, cross(n0, n1), rows, False)
    for each in range(2):
        least, most = numbers[LOWEST + 4 + each], numbers[HIGHEST + 4 + each]
        out_q[limb[ANKLE + each]] = min(max(angles[each], least), most)


@kernel
def follow_feet(limbs: IntArray, numbers: Array, state: Array) -> bool:
    """Move the targets of ankles by how far their feet missed what holds them; False where none did."""
    missed = False
    for limb in range(limbs.shape[0]):
        row = numbers[limb]
        if limbs[limb, ANKLE] >= 0:
            way = between(tip_of(limbs[limb], row, HELD, state), vector_of(row, WANTED))
            missed = missed or length(way) > _NEAR
            for line in range(3):
                row[TARGET + line] += way[line]
    return missed


@kernel
def lay_limbs(
    packed: Packed,
    roots: IntArray,
    root_numbers: Array,
    limbs: IntArray,
    numbers: Array,
    share: float,
    reaches: bool,
    state: Array,
    out_q: Array,
) -> None:
    """Lay each limb of a pose as bodies do, by a share of the way, its end where it is or, where it `reaches`, where
    its goal is, behind the roots where theirs are: first the collars with their arms and where feet go, then the
    limbs, then the ankles."""
    model_ints, model_floats, _, floats = packed[:4]
    count, raised, turns = limbs.shape[0], False, False
    for root in range(roots.shape[0] if reaches else 0):
        place_root(packed, roots[root], root_numbers[root], share, state, out_q)
    compute_forward_kinematics(model_ints, model_floats, out_q, state)
    for limb in range(count):
        row, goal, turns_foot = numbers[limb], limbs[limb, GOAL], limbs[limb, ANKLE] >= 0
        tip = tip_of(limbs[limb], row, HELD if turns_foot else TIP, state)
        if reaches and goal >= 0:
            tip = vector_of(floats, goal * BLOCK_FLOATS + BLOCK_TARGET)
        for line in range(3):
            row[TARGET + line] = row[WANTED + line] = tip[line]
        if turns_foot:
            level_foot(limbs[limb], row, tip, share, state)
            turns = True
        if limbs[limb, COLLAR] >= 0:
            write_collar(limbs[limb], row, share, state, out_q)
            raised = True
    if raised:
        compute_forward_kinematics(model_ints, model_floats, out_q, state)
    for limb in range(count):
        write_limb(model_ints, model_floats, limbs[limb], numbers[limb], share, state, out_q)
    rounds = 0 if not turns else _ROUNDS if reaches else 1
    for done in range(rounds):
        # An ankle that is at its limit lifts the heel (or the toes): its leg makes up for that.
        compute_forward_kinematics(model_ints, model_floats, out_q, state)
        for limb in range(count):
            if limbs[limb, ANKLE] >= 0:
                write_ankle(model_ints, model_floats, limbs[limb], numbers[limb], state, out_q)
        if done == rounds - 1:
            break
        compute_forward_kinematics(model_ints, model_floats, out_q, state)
        if not follow_feet(limbs, numbers, state):
            break
        for limb in range(count):
            if limbs[limb, ANKLE] >= 0:
                write_limb(model_ints, model_floats, limbs[limb], numbers[limb], share, state, out_q)


@kernel
def place_root(packed: Packed, root: IntArray, numbers: Array, share: float, state: Array, out_q: Array) -> None:
    """Turn a root about the vertical as its goal wants, else as the lines from right to left hand and foot have turned,
    by a share, then move it to where its goal is."""
    model_ints, model_floats, ints, floats = packed[:4]
    compute_forward_kinematics(model_ints, model_floats, out_q, state)
    before, after = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if root[ROOT_AXIS] >= 0:
        block = root[ROOT_AXIS]
        joint = ints[ints[BLOCKS_AT] + block * BLOCK + JOINT]
        turned = rotation_of(state, (joint + 1) * ROW)
        before = applied(turned, vector_of(floats, block * BLOCK_FLOATS + DIRECTION))
        after = vector_of(floats, block * BLOCK_FLOATS + BLOCK_TARGET)
    elif root[ROOT_ENDS] >= 0:
        for each in range(4):
            block = root[ROOT_ENDS + each]
            weight = (1.0 if each < 2 else FEET) * (1.0 if each % 2 == 0 else -1.0)
            before = add(before, scaled(spot_of(ints, floats, block, state), weight))
            after = add(after, scaled(vector_of(floats, block * BLOCK_FLOATS + BLOCK_TARGET), weight))
    x, z = before[0] * after[0] + before[2] * after[2], before[2] * after[0] - before[0] * after[2]
    if x * x + z * z > _LITTLE * _LITTLE * dot(before, before) * dot(after, after):
        way = math.atan2(z, x)
        out_q[root[ROOT_TURN]] += numbers[ROOT_SIGN] * share * way
        compute_forward_kinematics(model_ints, model_floats, out_q, state)
    if root[ROOT_GOAL] >= 0:
        block = root[ROOT_GOAL]
        left = between(spot_of(ints, floats, block, state), vector_of(floats, block * BLOCK_FLOATS + BLOCK_TARGET))
        moved = applied_back(rotation_of(numbers, 0), left)
        for line in range(3):
            out_q[root[line]] += moved[line]


@kernel
def spot_of(ints: IntArray, floats: Array, block: int, state: Array) -> Triple:
    """The spot that a block of a problem is about, in the world."""
    joint = ints[ints[BLOCKS_AT] + block * BLOCK + JOINT]
    local = vector_of(floats, block * BLOCK_FLOATS + LOCAL)
    return add(position_of(state, joint), applied(rotation_of(state, (joint + 1) * ROW), local))
