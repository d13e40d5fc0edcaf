"""Shortest paths around circles, spheres and cylinders, in closed form.

Around a circle of radius r a taut string from p to s leaves p along a tangent, arccos(r/|p|) beyond its direction as
seen from the centre, follows the circle, and leaves it likewise for s. Around a sphere it does so in the plane of p, s
and the centre; around a cylinder as seen along its axis, along which it rises evenly, since it is straight on the
cylinder unrolled. The straight line stays where it misses the body, on the given side of the centre if there is one.

All in the frame of the wrap. `out`: the tangent points t1 and t2 (6 numbers), and the length between them (1) [m].
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

OUT = 7
TURN = 2.0 * math.pi


@borrowing
@inlined
def wrap_circle(
    px: float, py: float, sx: float, sy: float, radius: float, side_x: float, side_y: float, out: Array
) -> bool:
    """Write t1, t2 (4 numbers) and the arc; return False where the line is straight. A side of (0, 0): the shorter."""
    pp, ss, square = px * px + py * py, sx * sx + sy * sy, radius * radius
    if pp <= square or ss <= square:
        return False
    dx, dy = sx - px, sy - py
    dd = dx * dx + dy * dy
    share = min(max(-(px * dx + py * dy) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    nx, ny = px + share * dx, py + share * dy
    sided = side_x != 0.0 or side_y != 0.0
    if nx * nx + ny * ny >= square and (not sided or nx * side_x + ny * side_y >= 0.0):
        return False
    way = 1.0 if px * sy - py * sx >= 0.0 else -1.0
    angle = _lean_on(px, py, sx, sy, radius, way, out)
    if sided and (out[0] + out[2]) * side_x + (out[1] + out[3]) * side_y < 0.0:
        angle = _lean_on(px, py, sx, sy, radius, -way, out)
        if angle < 0.0:
            angle += TURN
    if angle < 0.0:
        return False
    out[4] = radius * angle
    return True


@borrowing
@inlined
def _lean_on(px: float, py: float, sx: float, sy: float, radius: float, way: float, out: Array) -> float:
    """Write t1 and t2 of a string that goes around that way (1: from x to y); return the angle between them, within
    half a turn. The tangent from p is the direction of p turned by arccos(r/|p|)."""
    pp, ss = px * px + py * py, sx * sx + sy * sy
    near, beside = radius * radius / pp, way * radius * math.sqrt(pp - radius * radius) / pp
    out[0], out[1] = near * px - beside * py, near * py + beside * px
    near, beside = radius * radius / ss, way * radius * math.sqrt(ss - radius * radius) / ss
    out[2], out[3] = near * sx + beside * sy, near * sy - beside * sx
    return way * math.atan2(out[0] * out[3] - out[1] * out[2], out[0] * out[2] + out[1] * out[3])


@borrowing
@kernel
def wrap_sphere(
    px: float, py: float, pz: float, sx: float, sy: float, sz: float, floats: Array, at: int, out: Array
) -> bool:
    """Bend around a sphere; `floats[at:]`: its radius (1), two numbers unused, the side (3)."""
    length = math.sqrt(px * px + py * py + pz * pz)
    if length <= floats[at]:
        return False
    ux, uy, uz = px / length, py / length, pz / length
    along = sx * ux + sy * uy + sz * uz
    vx, vy, vz = sx - along * ux, sy - along * uy, sz - along * uz
    across = math.sqrt(vx * vx + vy * vy + vz * vz)
    side_x, side_y, side_z = floats[at + 3], floats[at + 4], floats[at + 5]
    if across <= 1e-9 * length:  # through the middle: any plane will do, that of the side is meant
        lean = side_x * ux + side_y * uy + side_z * uz
        vx, vy, vz = side_x - lean * ux, side_y - lean * uy, side_z - lean * uz
        if vx * vx + vy * vy + vz * vz < 1e-18:
            if abs(ux) < 0.9:
                vx, vy, vz = 1.0 - ux * ux, -ux * uy, -ux * uz
            else:
                vx, vy, vz = -uy * ux, 1.0 - uy * uy, -uy * uz
        norm = math.sqrt(vx * vx + vy * vy + vz * vz)
    else:
        norm = across
    vx, vy, vz = vx / norm, vy / norm, vz / norm
    side_u = side_x * ux + side_y * uy + side_z * uz
    side_v = side_x * vx + side_y * vy + side_z * vz
    if not wrap_circle(length, 0.0, along, across, floats[at], side_u, side_v, out):
        return False
    first_u, first_v, last_u, last_v, arc = out[0], out[1], out[2], out[3], out[4]
    out[0], out[1], out[2] = first_u * ux + first_v * vx, first_u * uy + first_v * vy, first_u * uz + first_v * vz
    out[3], out[4], out[5] = last_u * ux + last_v * vx, last_u * uy + last_v * vy, last_u * uz + last_v * vz
    out[6] = arc
    return True


@borrowing
@kernel
def wrap_cylinder(
    px: float, py: float, pz: float, sx: float, sy: float, sz: float, floats: Array, at: int, out: Array
) -> bool:
    """Bend around a cylinder along z; `floats[at:]`: its radius, half its length, one unused, the side (3)."""
    if not wrap_circle(px, py, sx, sy, floats[at], floats[at + 3], floats[at + 4], out):
        return False
    first_x, first_y, last_x, last_y, arc = out[0], out[1], out[2], out[3], out[4]
    before = math.hypot(first_x - px, first_y - py)
    after = math.hypot(sx - last_x, sy - last_y)
    rise = (sz - pz) / (before + arc + after)
    first_z, last_z = pz + rise * before, pz + rise * (before + arc)
    if abs(first_z) > floats[at + 1] and abs(last_z) > floats[at + 1] and first_z * last_z > 0.0:
        return False
    out[0], out[1], out[2], out[3], out[4], out[5] = first_x, first_y, first_z, last_x, last_y, last_z
    out[6] = arc * math.sqrt(1.0 + rise * rise)
    return True
