"""The mass matrix by composite rigid bodies (Featherstone 1987), in world axes about one point (`motions.py`).

A rate's motion s gives its subtree, moved as one rigid body of inertia C, the momentum C s; then M_ij = s_j . C s_i for
every rate j on the way from there to the root.
"""

from __future__ import annotations

from engine.dynamics.layout import (
    BODIES,
    BODY_STRIDE,
    FACTOR_STRIDE,
    FACTORS,
    FLOATS,
    LINK_INERTIA,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    LINK_STRIDE,
    LINKS,
    MASS,
    MOTION_STRIDE,
    MOTIONS,
    ORIGIN,
    RATE_END,
    RATE_START,
    extra_of,
)
from engine.dynamics.motions import compute_frames, weigh_link
from engine.model.compile import JOINT_COUNT, ROW, Array, IntArray
from engine.runtime.jit import kernel

# A composite inertia stands at LINK_INERTIA: about O (xx, yy, zz, xy, xz, yz), then first moment (3) and mass.
MOMENT, WHOLE = 6, 9


@kernel
def compute_mass_matrix(ints: IntArray, floats: Array, q: Array, work: Array, out_mass: Array) -> None:
    """M, shape [rate_count, rate_count], [kg m2], [kg m] or [kg]; both halves are written."""
    extra = extra_of(ints)
    link_ints, motions, factors = ints[extra + LINK_INTS], ints[extra + MOTIONS], ints[extra + FACTORS]
    compute_frames(ints, floats, q, work)
    add_up_links(ints, floats, work)
    write_momenta(ints, work)
    out_mass[:, :] = 0.0
    for joint in range(ints[JOINT_COUNT]):
        entry = link_ints + joint * LINK_INT_STRIDE
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            at = factors + rate * FACTOR_STRIDE
            nx, ny, nz, fx, fy, fz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
            above, last = joint, rate + 1
            while above >= 0:
                entry_above = link_ints + above * LINK_INT_STRIDE
                for other in range(ints[entry_above + RATE_START], last):
                    at = motions + other * MOTION_STRIDE
                    turn = work[at] * nx + work[at + 1] * ny + work[at + 2] * nz
                    found = turn + (work[at + 3] * fx + work[at + 4] * fy + work[at + 5] * fz)
                    out_mass[rate, other], out_mass[other, rate] = found, found
                above = ints[entry_above + LINK_PARENT]
                if above >= 0:
                    last = ints[link_ints + above * LINK_INT_STRIDE + RATE_END]


@kernel
def add_up_links(ints: IntArray, floats: Array, work: Array) -> None:
    """The composite inertia of every joint's subtree about O, from the frames in `work`."""
    extra = extra_of(ints)
    bodies, origin = ints[extra + FLOATS] + BODIES, ints[extra + ORIGIN]
    link_ints, links = ints[extra + LINK_INTS], ints[extra + LINKS]
    ox, oy, oz = work[origin], work[origin + 1], work[origin + 2]
    for joint in range(ints[JOINT_COUNT]):
        body = bodies + joint * BODY_STRIDE
        row, at = (joint + 1) * ROW, links + joint * LINK_STRIDE + LINK_INERTIA
        cx, cy, cz, xx, yy, zz, xy, xz, yz = weigh_link(floats, body, row, work, ox, oy, oz)
        mass = floats[body + MASS]
        x, y, z = mass * cx, mass * cy, mass * cz
        work[at], work[at + 1], work[at + 2] = xx + (y * cy + z * cz), yy + (x * cx + z * cz), zz + (x * cx + y * cy)
        work[at + 3], work[at + 4], work[at + 5] = xy - x * cy, xz - x * cz, yz - y * cz
        work[at + MOMENT], work[at + MOMENT + 1], work[at + MOMENT + 2], work[at + WHOLE] = x, y, z, mass
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        parent = ints[link_ints + joint * LINK_INT_STRIDE + LINK_PARENT]
        if parent >= 0:
            at, into = links + joint * LINK_STRIDE + LINK_INERTIA, links + parent * LINK_STRIDE + LINK_INERTIA
            for each in range(10):
                work[into + each] += work[at + each]


@kernel
def write_momenta(ints: IntArray, work: Array) -> None:
    """The momentum C s of the subtree of each rate: moment about O, then linear, where its factors begin."""
    extra = extra_of(ints)
    link_ints, links = ints[extra + LINK_INTS], ints[extra + LINKS]
    motions, factors = ints[extra + MOTIONS], ints[extra + FACTORS]
    for joint in range(ints[JOINT_COUNT]):
        entry, at = link_ints + joint * LINK_INT_STRIDE, links + joint * LINK_STRIDE + LINK_INERTIA
        xx, yy, zz, xy, xz, yz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        x, y, z, mass = work[at + MOMENT], work[at + MOMENT + 1], work[at + MOMENT + 2], work[at + WHOLE]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            at = motions + rate * MOTION_STRIDE
            a, b, c, d, e, f = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
            at = factors + rate * FACTOR_STRIDE
            work[at] = xx * a + xy * b + xz * c + (y * f - z * e)
            work[at + 1] = xy * a + yy * b + yz * c + (z * d - x * f)
            work[at + 2] = xz * a + yz * b + zz * c + (x * e - y * d)
            work[at + 3] = mass * d + (b * z - c * y)
            work[at + 4] = mass * e + (c * x - a * z)
            work[at + 5] = mass * f + (a * y - b * x)
