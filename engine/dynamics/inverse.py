"""Inverse dynamics by the recursive Newton-Euler method: which forces and torques give a figure's motion.

Outward velocities and accelerations, inward the forces that the bodies need: tau = s . (sum over the subtree of f).
Source: Featherstone 1987; world axes about one point, see `motions.py`.

outside: [joint_count, 6], force [N] and torque about the joint's origin [N m] on each body, world axes.
tau: [N m] for a hinge, [N] for a slide, [rate_count]; a ball's in its own frame.
"""

from __future__ import annotations

from engine.dynamics.layout import (
    BIAS,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    LINK_STRIDE,
    LINKS,
    MOTION_STRIDE,
    MOTIONS,
    PLACE,
    RATE_END,
    RATE_START,
    extra_of,
)
from engine.dynamics.motions import compute_frames, load_link, move_link
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT
from engine.runtime.jit import kernel


@kernel
def compute_inverse_dynamics(
    ints: IntArray, floats: Array, q: Array, qd: Array, qdd: Array, outside: Array, work: Array, out_tau: Array
) -> None:
    """The generalised forces that give the accelerations `qdd`; with gravity, as the root's own where it is free."""
    extra = extra_of(ints)
    link_ints, links, motions = ints[extra + LINK_INTS], ints[extra + LINKS], ints[extra + MOTIONS]
    compute_frames(ints, floats, q, work)
    for joint in range(ints[JOINT_COUNT]):
        move_link(ints, joint, qd, qdd, True, work)
        load_link(ints, floats, joint, outside, False, work)
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry = (link_ints + joint * LINK_INT_STRIDE) & PLACE
        at = (links + joint * LINK_STRIDE + BIAS) & PLACE
        nx, ny, nz, fx, fy, fz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            at = (motions + rate * MOTION_STRIDE) & PLACE
            turn = work[at] * nx + work[at + 1] * ny + work[at + 2] * nz
            out_tau[rate & PLACE] = turn + (work[at + 3] * fx + work[at + 4] * fy + work[at + 5] * fz)
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            at = (links + parent * LINK_STRIDE + BIAS) & PLACE
            work[at], work[at + 1], work[at + 2] = work[at] + nx, work[at + 1] + ny, work[at + 2] + nz
            work[at + 3], work[at + 4], work[at + 5] = work[at + 3] + fx, work[at + 4] + fy, work[at + 5] + fz
