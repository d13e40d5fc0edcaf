"""Momenta and energies of a moving figure.

The angular momentum is the one about the centre of mass; the potential energy is minus the sum of share m g . c over
the bodies, so that it is zero where a body lies at the origin of the world.
"""

from __future__ import annotations

from engine.dynamics.layout import (
    BODIES,
    BODY_STRIDE,
    FLOATS,
    LINK_STRIDE,
    LINKS,
    ORIGIN,
    PULL,
    VELOCITY,
    extra_of,
)
from engine.dynamics.layout import MASS as BODY_MASS
from engine.dynamics.motions import compute_frames, move_link, weigh_link
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, ROW
from engine.runtime.jit import kernel

# What `compute_momenta` writes: [kg], [m], [kg m/s], [kg m2/s], [J].
MASS, CENTRE, LINEAR, ANGULAR, KINETIC, POTENTIAL = 0, 1, 4, 7, 10, 11
MOMENTA = 12


@kernel
def compute_momenta(ints: IntArray, floats: Array, q: Array, qd: Array, work: Array, out_momenta: Array) -> None:
    """Mass, centre of mass, momenta and energies, shape [12]; the centre of a figure without mass is not a number."""
    extra = extra_of(ints)
    bodies, links, origin = ints[extra + FLOATS] + BODIES, ints[extra + LINKS], ints[extra + ORIGIN]
    compute_frames(ints, floats, q, work)
    ox, oy, oz = work[origin], work[origin + 1], work[origin + 2]
    total = mx = my = mz = px = py = pz = lx = ly = lz = kinetic = potential = 0.0
    for joint in range(ints[JOINT_COUNT]):
        move_link(ints, joint, qd, qd, False, work)
        body, at = bodies + joint * BODY_STRIDE, links + joint * LINK_STRIDE + VELOCITY
        cx, cy, cz, xx, yy, zz, xy, xz, yz = weigh_link(floats, body, (joint + 1) * ROW, work, ox, oy, oz)
        mass = floats[body + BODY_MASS]
        wx, wy, wz = work[at], work[at + 1], work[at + 2]
        vx = work[at + 3] + (wy * cz - wz * cy)
        vy = work[at + 4] + (wz * cx - wx * cz)
        vz = work[at + 5] + (wx * cy - wy * cx)
        sx, sy, sz = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
        total, mx, my, mz = total + mass, mx + mass * cx, my + mass * cy, mz + mass * cz
        px, py, pz = px + mass * vx, py + mass * vy, pz + mass * vz
        lx = lx + sx + mass * (cy * vz - cz * vy)
        ly = ly + sy + mass * (cz * vx - cx * vz)
        lz = lz + sz + mass * (cx * vy - cy * vx)
        kinetic += 0.5 * (mass * (vx * vx + vy * vy + vz * vz) + (wx * sx + wy * sy + wz * sz))
        at = body + PULL
        height = floats[at] * (cx + ox) + floats[at + 1] * (cy + oy) + floats[at + 2] * (cz + oz)
        potential -= mass * height
    cx, cy, cz = mx / total, my / total, mz / total
    out_momenta[MASS] = total
    out_momenta[CENTRE], out_momenta[CENTRE + 1], out_momenta[CENTRE + 2] = cx + ox, cy + oy, cz + oz
    out_momenta[LINEAR], out_momenta[LINEAR + 1], out_momenta[LINEAR + 2] = px, py, pz
    out_momenta[ANGULAR] = lx - (cy * pz - cz * py)
    out_momenta[ANGULAR + 1] = ly - (cz * px - cx * pz)
    out_momenta[ANGULAR + 2] = lz - (cx * py - cy * px)
    out_momenta[KINETIC], out_momenta[POTENTIAL] = kinetic, potential
