"""Many poses in one call: forward kinematics, and the points and Jacobians of handles.

Poses are solved `LANES` at a time: each number of a frame stands beside the same number of the other poses, so that the
vector units of the machine take several poses in one step, and entering a kernel is paid once. The results are those of
`engine.model.kinematics` but for rounding, and a pose's do not depend on its neighbours. Two threads may each solve a
part, with a state and lanes of their own.

Layout of `lanes`, shape [rows, LANES]: for each joint 12 rows as in the state, for each rate 6 rows of its motion, then
six of one degree of freedom: its coordinate or quaternion (4), and a sine and a cosine.
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.model.compile import (
    AXIS_FLOATS,
    BALL,
    DOF_END,
    DOF_FLOATS,
    DOF_INTS,
    DOF_START,
    DOF_STRIDE,
    HAS_REST,
    HEADER,
    HINGE,
    JOINT_COUNT,
    JOINT_FLOATS,
    JOINT_STRIDE,
    MOTION,
    MOTION_START,
    PARENT,
    ROW,
    Model,
)
from engine.model.jacobian import compute_jacobians
from engine.runtime.jit import kernel

LANES = 64
SPARE = 6  # rows at the end of the lanes
LARGEST = 1e5  # [rad] beyond it the reduction loses digits, and the library's functions are called


def new_lanes(model: Model) -> Array:
    """The work array of `solve_poses`."""
    return np.zeros((model.joint_count * ROW + model.rate_count * MOTION + SPARE, LANES))


@kernel
def compute_sines(angles: Array, factor: float, out_sine: Array, out_cosine: Array) -> None:
    """Sine and cosine of each lane's angle times a factor.

    Cody and Waite's reduction to a quarter turn, then the polynomials of fdlibm (k_sin.c, k_cos.c), without a branch.
    """
    for lane in range(LANES):
        x = factor * angles[lane]
        turn = math.floor(x * 0.6366197723675814 + 0.5)
        r = x - turn * 1.57079632673412561417 - turn * 6.07710050630396597660e-11 - turn * 2.02226624879595063154e-21
        z = r * r
        odd = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
        odd = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * odd)
        sine = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * odd))
        even = 2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
        even = -1.38888888888741095749e-03 + z * (
            2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * even)
        )
        cosine = 1.0 - (0.5 * z - z * z * (4.16666666666666019037e-02 + z * even))
        quarter = turn - 4.0 * math.floor(0.25 * turn)
        swapped = quarter == 1.0 or quarter == 3.0
        out_sine[lane] = (-1.0 if quarter >= 2.0 else 1.0) * (cosine if swapped else sine)
        out_cosine[lane] = (-1.0 if quarter == 1.0 or quarter == 2.0 else 1.0) * (sine if swapped else cosine)
    for lane in range(LANES):
        if abs(angles[lane]) > LARGEST:
            x = factor * angles[lane]
            out_sine[lane], out_cosine[lane] = math.sin(x), math.cos(x)


@kernel
def turn_lanes(lanes: Array, row: int, first: int, second: int) -> None:
    """Turn the frames at `row` about their own axis that is neither column, by the spare sines and cosines."""
    spare = lanes.shape[0] - SPARE
    for line in range(3):
        one, other = row + 3 * line + first, row + 3 * line + second
        for lane in range(LANES):
            s, c = lanes[spare + 4, lane], lanes[spare + 5, lane]
            a, b = lanes[one, lane], lanes[other, lane]
            lanes[one, lane], lanes[other, lane] = c * a + s * b, c * b - s * a


@kernel
def turn_lanes_by_quaternions(lanes: Array, row: int) -> None:
    """Multiply the frames' rotations by the spare unit quaternions from the right."""
    spare = lanes.shape[0] - SPARE
    for lane in range(LANES):
        w, x, y, z = lanes[spare, lane], lanes[spare + 1, lane], lanes[spare + 2, lane], lanes[spare + 3, lane]
        for line in range(3):
            at = row + 3 * line
            a, b, c = lanes[at, lane], lanes[at + 1, lane], lanes[at + 2, lane]
            # v + 2 w (v x u) + 2 (v x u) x u for the row v and u = (x, y, z): the rotation's transpose applied to it.
            p, q, r = b * z - c * y, c * x - a * z, a * y - b * x
            lanes[at, lane] = a + 2.0 * (w * p + q * z - r * y)
            lanes[at + 1, lane] = b + 2.0 * (w * q + r * x - p * z)
            lanes[at + 2, lane] = c + 2.0 * (w * r + p * y - q * x)


@kernel
def direct_lanes(lanes: Array, row: int, x: float, y: float, z: float, out: int) -> None:
    """The world direction of a vector given in the frames, into three rows, and the frames' origins into three more."""
    for line in range(3):
        at = row + 3 * line
        for lane in range(LANES):
            lanes[out + line, lane] = lanes[at, lane] * x + lanes[at + 1, lane] * y + lanes[at + 2, lane] * z
            lanes[out + 3 + line, lane] = lanes[row + 9 + line, lane]


@kernel
def apply_dof_to_lanes(code: int, floats: Array, axis: int, lanes: Array, row: int, motion: int) -> None:
    """Apply a degree of freedom as in `engine.model.kinematics.apply_dof`; the coordinates stand in spare rows."""
    spare = lanes.shape[0] - SPARE
    if code == BALL:
        turn_lanes_by_quaternions(lanes, row)
        direct_lanes(lanes, row, 1.0, 0.0, 0.0, motion)
        direct_lanes(lanes, row, 0.0, 1.0, 0.0, motion + MOTION)
        direct_lanes(lanes, row, 0.0, 0.0, 1.0, motion + 2 * MOTION)
        return
    x, y, z = floats[axis], floats[axis + 1], floats[axis + 2]
    if code < HINGE:
        for line in range(3):
            for lane in range(LANES):
                lanes[motion + line, lane] = lanes[row + 3 * line + code, lane]
                lanes[motion + 3 + line, lane] = lanes[row + 9 + line, lane]
        compute_sines(lanes[spare], 1.0, lanes[spare + 4], lanes[spare + 5])
        turn_lanes(lanes, row, (code + 1) % 3, (code + 2) % 3)
    elif code == HINGE:
        direct_lanes(lanes, row, x, y, z, motion)
        compute_sines(lanes[spare], 0.5, lanes[spare + 4], lanes[spare + 5])
        for lane in range(LANES):
            sine = lanes[spare + 4, lane]
            lanes[spare, lane] = lanes[spare + 5, lane]
            lanes[spare + 1, lane], lanes[spare + 2, lane], lanes[spare + 3, lane] = sine * x, sine * y, sine * z
        turn_lanes_by_quaternions(lanes, row)
    else:
        direct_lanes(lanes, row, x, y, z, motion)
        for line in range(3):
            for lane in range(LANES):
                lanes[row + 9 + line, lane] += lanes[spare, lane] * lanes[motion + line, lane]


@kernel
def place_lanes(floats: Array, fixed: int, has_rest: bool, lanes: Array, parent: int, row: int) -> None:
    """The frames at `parent`, which may be `row` itself, moved by a joint's offset and turned by its rest."""
    x, y, z = floats[fixed], floats[fixed + 1], floats[fixed + 2]
    for line in range(3):
        at = parent + 3 * line
        for lane in range(LANES):
            way = lanes[at, lane] * x + lanes[at + 1, lane] * y + lanes[at + 2, lane] * z
            lanes[row + 9 + line, lane] = lanes[parent + 9 + line, lane] + way
    if has_rest:
        xx, xy, xz = floats[fixed + 3], floats[fixed + 4], floats[fixed + 5]
        yx, yy, yz = floats[fixed + 6], floats[fixed + 7], floats[fixed + 8]
        zx, zy, zz = floats[fixed + 9], floats[fixed + 10], floats[fixed + 11]
        for line in range(3):
            at, to = parent + 3 * line, row + 3 * line
            for lane in range(LANES):
                a, b, c = lanes[at, lane], lanes[at + 1, lane], lanes[at + 2, lane]
                lanes[to, lane] = a * xx + b * yx + c * zx
                lanes[to + 1, lane] = a * xy + b * yy + c * zy
                lanes[to + 2, lane] = a * xz + b * yz + c * zz
    elif parent != row:
        lanes[row : row + 9] = lanes[parent : parent + 9]


@kernel
def solve_lanes(ints: IntArray, floats: Array, poses: Array, state: Array, out_lanes: Array) -> None:
    """Forward kinematics of up to LANES poses; lanes beyond them repeat the last."""
    dof_ints, dof_floats, motions = ints[DOF_INTS], ints[DOF_FLOATS], ints[JOINT_COUNT] * ROW
    spare, last = out_lanes.shape[0] - SPARE, poses.shape[0] - 1
    for joint in range(ints[JOINT_COUNT]):
        entry, row = HEADER + joint * JOINT_STRIDE, joint * ROW
        parent = ints[entry + PARENT] * ROW
        if parent < 0:
            parent = row
            for each in range(ROW):
                out_lanes[row + each] = state[each]
        place_lanes(floats, joint * JOINT_FLOATS, ints[entry + HAS_REST] != 0, out_lanes, parent, row)
        for dof in range(ints[entry + DOF_START], ints[entry + DOF_END]):
            ahead = dof_ints + dof * DOF_STRIDE
            code, first = ints[ahead], ints[ahead + 1]
            for each in range(4 if code == BALL else 1):
                for lane in range(LANES):
                    out_lanes[spare + each, lane] = poses[min(lane, last), first + each]
            axis, motion = dof_floats + dof * AXIS_FLOATS, motions + ints[ahead + 2] * MOTION
            apply_dof_to_lanes(code, floats, axis, out_lanes, row, motion)


@kernel
def solve_poses(
    ints: IntArray,
    floats: Array,
    poses: Array,
    joints: IntArray,
    locals: Array,
    state: Array,
    lanes: Array,
    out_transforms: Array,
    out_points: Array,
    out_jacobians: Array,
) -> None:
    """Transforms of every joint, and the handles `joints` [n] at `locals` [n, 3], for `poses` [count, coordinates].

    Written: transforms [count, joints, 12], points [count, n, 3], Jacobians [count, n, 6, rates]. The placement is read
    from row 0 of the state, the rest of which is overwritten; without handles (n = 0) this is kinematics alone.
    """
    rows, motion_start = ints[JOINT_COUNT] * ROW, ints[MOTION_START]
    for first in range(0, poses.shape[0], LANES):
        count = min(LANES, poses.shape[0] - first)
        solve_lanes(ints, floats, poses[first : first + count], state, lanes)
        for lane in range(count):
            transforms = out_transforms[first + lane].reshape(-1)
            for each in range(rows):
                transforms[each] = lanes[each, lane]
            if joints.shape[0] > 0:
                for each in range(rows):
                    state[ROW + each] = lanes[each, lane]
                for each in range(rows, lanes.shape[0] - SPARE):
                    state[motion_start + each - rows] = lanes[each, lane]
                compute_jacobians(ints, state, joints, locals, out_points[first + lane], out_jacobians[first + lane])


def solve_transforms(model: Model, poses: Array) -> Array:
    """World transforms of every joint, the figure standing at the origin, shape [count, joint_count, 12]."""
    nothing, places = np.empty((len(poses), 0, 3)), np.empty((0, 3))
    transforms = np.empty((len(poses), model.joint_count, ROW))
    solve_poses(
        model.ints,
        model.floats,
        np.ascontiguousarray(poses),
        np.empty(0, dtype=np.int32),
        places,
        model.new_state(),
        new_lanes(model),
        transforms,
        nothing,
        np.empty((len(poses), 0, 6, model.rate_count)),
    )
    return transforms
