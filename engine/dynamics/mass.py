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
    KINDS,
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
    PLACE,
    PREVIOUS,
    RATE_END,
    RATE_INT_STRIDE,
    RATE_START,
    RATES,
    extra_of,
)
from engine.dynamics.motions import compute_frames, weigh_link
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, ROW
from engine.runtime.jit import kernel

# A composite inertia stands at LINK_INERTIA: about O (xx, yy, zz, xy, xz, yz), then first moment (3) and mass.
MOMENT, WHOLE = 6, 9


@kernel
def compute_mass_matrix(ints: IntArray, floats: Array, q: Array, work: Array, out_mass: Array) -> None:
    """M, shape [rate_count, rate_count], [kg m2], [kg m] or [kg]; both halves are written."""
    extra = extra_of(ints)
    kinds, motions, factors = ints[extra + KINDS], ints[extra + MOTIONS], ints[extra + FACTORS]
    compute_frames(ints, floats, q, work)
    add_up_links(ints, floats, work)
    write_momenta(ints, work)
    out_mass[:, :] = 0.0
    for rate in range(ints[extra + RATES]):
        at, row, other = (factors + rate * FACTOR_STRIDE) & PLACE, rate & PLACE, rate
        nx, ny, nz, fx, fy, fz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        while other >= 0:
            at, column = (motions + other * MOTION_STRIDE) & PLACE, other & PLACE
            turn = work[at] * nx + work[at + 1] * ny + work[at + 2] * nz
            found = turn + (work[at + 3] * fx + work[at + 4] * fy + work[at + 5] * fz)
            out_mass[row, column], out_mass[column, row] = found, found
            other = ints[(kinds + other * RATE_INT_STRIDE + PREVIOUS) & PLACE]


@kernel
def add_up_links(ints: IntArray, floats: Array, work: Array) -> None:
    """The composite inertia of every joint's subtree about O, from the frames in `work`."""
    extra = extra_of(ints)
    bodies, origin = ints[extra + FLOATS] + BODIES, ints[extra + ORIGIN]
    link_ints, links = ints[extra + LINK_INTS], ints[extra + LINKS]
    ox, oy, oz = work[origin], work[origin + 1], work[origin + 2]
    for joint in range(ints[JOINT_COUNT]):
        body, row = (bodies + joint * BODY_STRIDE) & PLACE, ((joint + 1) * ROW) & PLACE
        at = (links + joint * LINK_STRIDE + LINK_INERTIA) & PLACE
        cx, cy, cz, xx, yy, zz, xy, xz, yz = weigh_link(floats, body, row, work, ox, oy, oz)
        mass = floats[body + MASS]
        x, y, z = mass * cx, mass * cy, mass * cz
        work[at], work[at + 1], work[at + 2] = xx + (y * cy + z * cz), yy + (x * cx + z * cz), zz + (x * cx + y * cy)
        work[at + 3], work[at + 4], work[at + 5] = xy - x * cy, xz - x * cz, yz - y * cz
        work[at + MOMENT], work[at + MOMENT + 1], work[at + MOMENT + 2], work[at + WHOLE] = x, y, z, mass
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        parent = ints[(link_ints + joint * LINK_INT_STRIDE + LINK_PARENT) & PLACE]
        if parent >= 0:
            at = (links + joint * LINK_STRIDE + LINK_INERTIA) & PLACE
            into = (links + parent * LINK_STRIDE + LINK_INERTIA) & PLACE
            for each in range(10):
                work[into + each] += work[at + each]


@kernel
def write_momenta(ints: IntArray, work: Array) -> None:
    """The momentum C s of the subtree of each rate: moment about O, then linear, where its factors begin."""
    extra = extra_of(ints)
    link_ints, links = ints[extra + LINK_INTS], ints[extra + LINKS]
    motions, factors = ints[extra + MOTIONS], ints[extra + FACTORS]
    for joint in range(ints[JOINT_COUNT]):
        entry = (link_ints + joint * LINK_INT_STRIDE) & PLACE
        at = (links + joint * LINK_STRIDE + LINK_INERTIA) & PLACE
        xx, yy, zz, xy, xz, yz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        x, y, z, mass = work[at + MOMENT], work[at + MOMENT + 1], work[at + MOMENT + 2], work[at + WHOLE]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            at = (motions + rate * MOTION_STRIDE) & PLACE
            a, b, c, d, e, f = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
            at = (factors + rate * FACTOR_STRIDE) & PLACE
            work[at] = xx * a + xy * b + xz * c + (y * f - z * e)
            work[at + 1] = xy * a + yy * b + yz * c + (z * d - x * f)
            work[at + 2] = xz * a + yz * b + zz * c + (x * e - y * d)
            work[at + 3] = mass * d + (b * z - c * y)
            work[at + 4] = mass * e + (c * x - a * z)
            work[at + 5] = mass * f + (a * y - b * x)
