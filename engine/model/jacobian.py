"""Geometric Jacobians of points, orientations and the centre of mass.

Column of the rate k about the world axis u through the point t, for a handle at p:  a turn moves p with u x (p - t)
and turns with u; a slide moves p with u. The source's two orientation axes follow from it: d i = omega x i, so their
columns are u x i and u x j, zero for a slide (Engell-Norregard 2012, equations 51 and 55; its (48) is printed with the
wrong sign of the cross-product matrix, and is used here as the derivation gives it).

p: a point in the world [m]. Rows of a Jacobian: velocity [m/s] (3), angular velocity [rad/s] (3).
"""

from __future__ import annotations

from engine.maths.arrays import Array, IntArray
from engine.model.compile import (
    DOF_END,
    DOF_INTS,
    DOF_START,
    DOF_STRIDE,
    HEADER,
    JOINT_STRIDE,
    MOTION,
    MOTION_START,
    PARENT,
    ROW,
    SLIDE,
    SLIDE_X,
)
from engine.runtime.jit import entered_kernel, kernel


@entered_kernel
def locate_handle(state: Array, joint: int, local: Array, offset: int, out_p: Array) -> None:
    """World position of a point given in a joint's frame at `local[offset:]`."""
    row = (joint + 1) * ROW
    for line in range(3):
        at = row + 3 * line
        out_p[line] = (
            state[at] * local[offset]
            + state[at + 1] * local[offset + 1]
            + state[at + 2] * local[offset + 2]
            + state[row + 9 + line]
        )


@kernel
def write_column(state: Array, motion: int, slides: bool, p: Array, out_jacobian: Array, rate: int) -> None:
    """One column, six rows."""
    ux, uy, uz = state[motion], state[motion + 1], state[motion + 2]
    if slides:
        out_jacobian[0, rate], out_jacobian[1, rate], out_jacobian[2, rate] = ux, uy, uz
        return
    rx, ry, rz = p[0] - state[motion + 3], p[1] - state[motion + 4], p[2] - state[motion + 5]
    out_jacobian[0, rate], out_jacobian[1, rate], out_jacobian[2, rate] = (
        uy * rz - uz * ry,
        uz * rx - ux * rz,
        ux * ry - uy * rx,
    )
    out_jacobian[3, rate], out_jacobian[4, rate], out_jacobian[5, rate] = ux, uy, uz


@entered_kernel
def compute_jacobian(ints: IntArray, state: Array, joint: int, p: Array, out_jacobian: Array) -> None:
    """Jacobian of a world point that moves with a joint, shape [6, rate_count]; all columns are written."""
    dof_ints, motion_start = ints[DOF_INTS], ints[MOTION_START]
    for line in range(6):
        for rate in range(out_jacobian.shape[1]):
            out_jacobian[line, rate] = 0.0
    at = joint
    while at >= 0:
        entry = HEADER + at * JOINT_STRIDE
        for dof in range(ints[entry + DOF_START], ints[entry + DOF_END]):
            ahead = dof_ints + dof * DOF_STRIDE
            code, rate = ints[ahead], ints[ahead + 2]
            width = 3 if code > SLIDE else 1
            for each in range(rate, rate + width):
                write_column(state, motion_start + each * MOTION, SLIDE_X <= code <= SLIDE, p, out_jacobian, each)
        at = ints[entry + PARENT]


@entered_kernel
def compute_jacobians(
    ints: IntArray, state: Array, joints: IntArray, locals: Array, out_points: Array, out_jacobians: Array
) -> None:
    """Value and Jacobian of several handles: `joints` [n], `locals` [n, 3], points [n, 3], Jacobians [n, 6, rates]."""
    flat = locals.reshape(-1)
    for each in range(joints.shape[0]):
        locate_handle(state, joints[each], flat, 3 * each, out_points[each])
        compute_jacobian(ints, state, joints[each], out_points[each], out_jacobians[each])
