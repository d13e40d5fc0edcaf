"""Forward kinematics.

For joint j with parent p:  X_j = X_p T(offset) R(rest) D_1(q) ... D_k(q), where D is a rotation about a hinge's axis
(Rodrigues; a plane rotation of two columns when the axis is x, y or z), a translation along a slide's axis, or a
ball's rotation. Buffers as `engine.model.compile` lays them out.

q: coordinates [rad, m], shape [coordinate_count].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

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
    HINGE_X,
    HINGE_Y,
    HINGE_Z,
    JOINT_COUNT,
    JOINT_FLOATS,
    JOINT_STRIDE,
    MOTION,
    MOTION_START,
    PARENT,
    ROW,
    SLIDE_X,
)
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import entered_kernel, kernel


@borrowing
@kernel
def turn_columns(state: Array, row: int, first: int, second: int, angle: float) -> None:
    """Turn the frame at `row` about its own axis that is neither column: columns (a, b) become (ca + sb, cb - sa)."""
    cosine, sine = math.cos(angle), math.sin(angle)
    for line in range(3):
        a, b = state[row + 3 * line + first], state[row + 3 * line + second]
        state[row + 3 * line + first] = cosine * a + sine * b
        state[row + 3 * line + second] = cosine * b - sine * a


@borrowing
@kernel
def turn_quaternion(state: Array, row: int, w: float, x: float, y: float, z: float) -> None:
    """Multiply the frame's rotation by a unit quaternion from the right."""
    xx, xy, xz = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    yx, yy, yz = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    zx, zy, zz = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)
    for line in range(3):
        at = row + 3 * line
        a, b, c = state[at], state[at + 1], state[at + 2]
        state[at] = a * xx + b * yx + c * zx
        state[at + 1] = a * xy + b * yy + c * zy
        state[at + 2] = a * xz + b * yz + c * zz


@borrowing
@kernel
def move_along(state: Array, row: int, x: float, y: float, z: float) -> None:
    """Move the frame's position by a vector given in the frame itself."""
    for line in range(3):
        at = row + 3 * line
        state[row + 9 + line] += state[at] * x + state[at + 1] * y + state[at + 2] * z


@borrowing
@kernel
def write_motion(state: Array, row: int, x: float, y: float, z: float, motion: int) -> None:
    """The world axis of a direction in the frame, and the frame's origin, for a column of a Jacobian."""
    for line in range(3):
        at = row + 3 * line
        state[motion + line] = state[at] * x + state[at + 1] * y + state[at + 2] * z
        state[motion + 3 + line] = state[row + 9 + line]


@borrowing
@kernel
def apply_dof(code: int, floats: Array, axis: int, q: Array, at: int, out_state: Array, row: int, motion: int) -> None:
    """Apply one degree of freedom to the frame at `row` and write its motion."""
    if code == BALL:
        turn_quaternion(out_state, row, q[at], q[at + 1], q[at + 2], q[at + 3])
        for each in range(3):
            x, y, z = 1.0 if each == 0 else 0.0, 1.0 if each == 1 else 0.0, 1.0 if each == 2 else 0.0
            write_motion(out_state, row, x, y, z, motion + each * MOTION)
        return
    if code == HINGE or code >= SLIDE_X:
        write_motion(out_state, row, floats[axis], floats[axis + 1], floats[axis + 2], motion)
    else:
        for line in range(3):
            out_state[motion + line] = out_state[row + 3 * line + code]
            out_state[motion + 3 + line] = out_state[row + 9 + line]
    if code == HINGE_X:
        turn_columns(out_state, row, 1, 2, q[at])
    elif code == HINGE_Y:
        turn_columns(out_state, row, 2, 0, q[at])
    elif code == HINGE_Z:
        turn_columns(out_state, row, 0, 1, q[at])
    elif code == HINGE:
        sine = math.sin(0.5 * q[at])
        x, y, z = floats[axis], floats[axis + 1], floats[axis + 2]
        turn_quaternion(out_state, row, math.cos(0.5 * q[at]), sine * x, sine * y, sine * z)
    else:
        for line in range(3):
            out_state[row + 9 + line] += q[at] * out_state[motion + line]


@borrowing
@entered_kernel
def compute_forward_kinematics(ints: IntArray, floats: Array, q: Array, out_state: Array) -> None:
    """World transform of every joint from its coordinates; row 0 of the state, the placement, is read."""
    dof_ints, dof_floats, motion_start = ints[DOF_INTS], ints[DOF_FLOATS], ints[MOTION_START]
    for joint in range(ints[JOINT_COUNT]):
        entry = HEADER + joint * JOINT_STRIDE
        parent_row, row, fixed = (ints[entry + PARENT] + 1) * ROW, (joint + 1) * ROW, joint * JOINT_FLOATS
        for each in range(ROW):
            out_state[row + each] = out_state[parent_row + each]
        move_along(out_state, row, floats[fixed], floats[fixed + 1], floats[fixed + 2])
        if ints[entry + HAS_REST]:
            for line in range(3):
                at = row + 3 * line
                a, b, c = out_state[at], out_state[at + 1], out_state[at + 2]
                for column in range(3):
                    out_state[at + column] = (
                        a * floats[fixed + 3 + column] + b * floats[fixed + 6 + column] + c * floats[fixed + 9 + column]
                    )
        for dof in range(ints[entry + DOF_START], ints[entry + DOF_END]):
            ahead = dof_ints + dof * DOF_STRIDE
            axis, motion = dof_floats + dof * AXIS_FLOATS, motion_start + ints[ahead + 2] * MOTION
            apply_dof(ints[ahead], floats, axis, q, ints[ahead + 1], out_state, row, motion)


@borrowing
@kernel
def write_transforms(state: Array, out_transforms: NDArray[np.float32]) -> bool:
    """Joint rows as drawable transforms, shape [joint_count, 3, 4]; False if any number is not finite."""
    finite = True
    for joint in range(out_transforms.shape[0]):
        row = (joint + 1) * ROW
        for line in range(3):
            for column in range(3):
                out_transforms[joint, line, column] = state[row + 3 * line + column]
            out_transforms[joint, line, 3] = state[row + 9 + line]
        for each in range(ROW):
            finite = finite and math.isfinite(state[row + each])
    return finite
