"""Shortest paths over ellipsoids and through tori, by geodesics.

On a surface phi(x) = 0 with outward normal n = g/|g|, g = grad phi, a taut string is a geodesic of unit speed,

    x' = v,   v' = -(v.H v / |g|) n,   H the second derivatives of phi,

which leaves p and reaches s along straight lines that touch the surface. Its start x0, direction v0 and length L have
four freedoms (along and across the string, turning, length) for four equations, the components of x0 - p and s - x1
along normal and binormal b = n x v: Newton's method, with derivatives by Jacobi fields a'' + K a = 0, K the curvature
of Gauss = (g.adj(H) g) / |g|^4 (Scholz et al. 2016 have wrapping by such fields). On an ellipsoid it begins with the
great circle of the sphere that it is when scaled; in a torus around the tube, where the straight line comes nearest to
the ring.

Runge-Kutta of the fourth order, in steps of at most STEP of the least radius of curvature.
In the frame of the wrap; `out` as in `round_wraps`. floats[at:]: the radii (3), the side (3).
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.muscles.layout import ELLIPSOID
from engine.muscles.round_wraps import wrap_circle, wrap_sphere
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

STEP = 0.04  # [rad]
NEWTON = 40  # iterations at most
CLOSE = 1e-11  # of the smallest radius, to which lines touch
# Places in the work memory: x, v, a, a', r, r' of a geodesic; their rates; g and H; the start; the equations.
X, V, A, AD, R, RD = 0, 3, 6, 7, 8, 9
STATE = 10
GRADIENT, HESSIAN, RATE, NEXT, START, JACOBIAN, SCALED, KEPT, STEP_TAKEN, BEGUN, STRING = (
    10, 13, 19, 29, 39, 45, 65, 75, 82, 86, 92,
)  # fmt: skip
NODES, SWEEPS = 16, 400
WORK = STRING + 3 * (NODES + 1)
LEAST_SHARE = 1e-3  # of a step


@borrowing
@inlined
def describe_surface(kind: int, floats: Array, at: int, x: float, y: float, z: float, work: Array) -> float:
    """Write g and H (xx, yy, zz, xy, xz, yz); return phi."""
    g, h = GRADIENT, HESSIAN
    if kind == ELLIPSOID:
        a, b, c = 1.0 / (floats[at] ** 2), 1.0 / (floats[at + 1] ** 2), 1.0 / (floats[at + 2] ** 2)
        work[g], work[g + 1], work[g + 2] = 2.0 * a * x, 2.0 * b * y, 2.0 * c * z
        work[h], work[h + 1], work[h + 2] = 2.0 * a, 2.0 * b, 2.0 * c
        work[h + 3] = work[h + 4] = work[h + 5] = 0.0
        phi: float = a * x * x + b * y * y + c * z * z - 1.0
        return phi
    ring, tube = floats[at], floats[at + 1]
    rho = math.sqrt(x * x + y * y)
    ux, uy, away = x / rho, y / rho, rho - ring
    turning = away / rho
    work[g], work[g + 1], work[g + 2] = 2.0 * away * ux, 2.0 * away * uy, 2.0 * z
    work[h] = 2.0 * (ux * ux + turning * uy * uy)
    work[h + 1] = 2.0 * (uy * uy + turning * ux * ux)
    work[h + 2] = 2.0
    work[h + 3] = 2.0 * (ux * uy - turning * ux * uy)
    work[h + 4] = work[h + 5] = 0.0
    phi = away * away + z * z - tube * tube
    return phi


@borrowing
@inlined
def curvature(work: Array) -> float:
    """Return Gauss's curvature where g and H are of."""
    gx, gy, gz = work[GRADIENT], work[GRADIENT + 1], work[GRADIENT + 2]
    xx, yy, zz = work[HESSIAN], work[HESSIAN + 1], work[HESSIAN + 2]
    xy, xz, yz = work[HESSIAN + 3], work[HESSIAN + 4], work[HESSIAN + 5]
    gg = gx * gx + gy * gy + gz * gz
    adjoint = (
        gx * gx * (yy * zz - yz * yz)
        + gy * gy * (xx * zz - xz * xz)
        + gz * gz * (xx * yy - xy * xy)
        + 2.0 * gx * gy * (xz * yz - xy * zz)
        + 2.0 * gx * gz * (xy * yz - xz * yy)
        + 2.0 * gy * gz * (xy * xz - yz * xx)
    )
    gauss: float = adjoint / (gg * gg)
    return gauss


@borrowing
@inlined
def bend(work: Array, vx: float, vy: float, vz: float, wx: float, wy: float, wz: float) -> float:
    """Return v.H w / |g|: how the surface bends along v and w."""
    h, g = HESSIAN, GRADIENT
    hx = work[h] * wx + work[h + 3] * wy + work[h + 4] * wz
    hy = work[h + 3] * wx + work[h + 1] * wy + work[h + 5] * wz
    hz = work[h + 4] * wx + work[h + 5] * wy + work[h + 2] * wz
    bent: float = (vx * hx + vy * hy + vz * hz) / math.sqrt(work[g] ** 2 + work[g + 1] ** 2 + work[g + 2] ** 2)
    return bent


@borrowing
@kernel
def write_rates(kind: int, floats: Array, at: int, work: Array, state: int) -> None:
    """Write the rates of a geodesic and its fields, from the state at `work[state:]`."""
    x, v, rate = state + X, state + V, RATE
    describe_surface(kind, floats, at, work[x], work[x + 1], work[x + 2], work)
    gx, gy, gz = work[GRADIENT], work[GRADIENT + 1], work[GRADIENT + 2]
    norm = math.sqrt(gx * gx + gy * gy + gz * gz)
    pull = -bend(work, work[v], work[v + 1], work[v + 2], work[v], work[v + 1], work[v + 2]) / norm
    gauss = curvature(work)
    work[rate], work[rate + 1], work[rate + 2] = work[v], work[v + 1], work[v + 2]
    work[rate + 3], work[rate + 4], work[rate + 5] = pull * gx, pull * gy, pull * gz
    work[rate + A], work[rate + AD] = work[state + AD], -gauss * work[state + A]
    work[rate + R], work[rate + RD] = work[state + RD], -gauss * work[state + R]


@borrowing
@kernel
def follow_geodesic(kind: int, floats: Array, at: int, length: float, least_radius: float, work: Array) -> None:
    """Follow a geodesic from the start at `work[START:]`, its fields too, to the state at `work[0:]`."""
    for each in range(6):
        work[each] = work[START + each]
    work[A], work[AD], work[R], work[RD] = 1.0, 0.0, 0.0, 1.0
    count = 1 + int(abs(length) / (STEP * least_radius))
    step = length / count
    total = SCALED
    for _ in range(count):
        write_rates(kind, floats, at, work, 0)
        for each in range(STATE):
            work[total + each] = work[RATE + each]
            work[NEXT + each] = work[each] + 0.5 * step * work[RATE + each]
        write_rates(kind, floats, at, work, NEXT)
        for each in range(STATE):
            work[total + each] += 2.0 * work[RATE + each]
            work[NEXT + each] = work[each] + 0.5 * step * work[RATE + each]
        write_rates(kind, floats, at, work, NEXT)
        for each in range(STATE):
            work[total + each] += 2.0 * work[RATE + each]
            work[NEXT + each] = work[each] + step * work[RATE + each]
        write_rates(kind, floats, at, work, NEXT)
        for each in range(STATE):
            work[each] += step / 6.0 * (work[total + each] + work[RATE + each])


@borrowing
@kernel
def settle(kind: int, floats: Array, at: int, work: Array) -> None:
    """Bring the start onto the surface, its direction into it, of unit length."""
    s = START
    for _ in range(4):
        phi = describe_surface(kind, floats, at, work[s], work[s + 1], work[s + 2], work)
        gg = work[GRADIENT] ** 2 + work[GRADIENT + 1] ** 2 + work[GRADIENT + 2] ** 2
        for line in range(3):
            work[s + line] -= phi / gg * work[GRADIENT + line]
    describe_surface(kind, floats, at, work[s], work[s + 1], work[s + 2], work)
    gg = work[GRADIENT] ** 2 + work[GRADIENT + 1] ** 2 + work[GRADIENT + 2] ** 2
    along = (work[s + 3] * work[GRADIENT] + work[s + 4] * work[GRADIENT + 1] + work[s + 5] * work[GRADIENT + 2]) / gg
    norm = 0.0
    for line in range(3):
        work[s + 3 + line] -= along * work[GRADIENT + line]
        norm += work[s + 3 + line] ** 2
    norm = math.sqrt(norm)
    for line in range(3):
        work[s + 3 + line] /= norm


@borrowing
@inlined
def along_frame(work: Array, at: int, x: float, y: float, z: float) -> float:
    """Return the component of a vector along that at `work[at:]`."""
    along: float = work[at] * x + work[at + 1] * y + work[at + 2] * z
    return along


@borrowing
@kernel
def write_frame(kind: int, floats: Array, at: int, work: Array, state: int, frame: int) -> None:
    """Write n, v, b at `work[frame:]` (9), from x and v at `work[state:]`; g and H stay those there."""
    describe_surface(kind, floats, at, work[state], work[state + 1], work[state + 2], work)
    gx, gy, gz = work[GRADIENT], work[GRADIENT + 1], work[GRADIENT + 2]
    norm = math.sqrt(gx * gx + gy * gy + gz * gz)
    nx, ny, nz = gx / norm, gy / norm, gz / norm
    vx, vy, vz = work[state + 3], work[state + 4], work[state + 5]
    work[frame], work[frame + 1], work[frame + 2] = nx, ny, nz
    work[frame + 3], work[frame + 4], work[frame + 5] = vx, vy, vz
    work[frame + 6], work[frame + 7], work[frame + 8] = ny * vz - nz * vy, nz * vx - nx * vz, nx * vy - ny * vx


@borrowing
@kernel
def solve_four(work: Array, at: int) -> None:
    """Solve four equations by elimination: rows of four and a right side at `work[at:]` become the answer there."""
    for column in range(4):
        best = column
        for row in range(column + 1, 4):
            if abs(work[at + 5 * row + column]) > abs(work[at + 5 * best + column]):
                best = row
        for each in range(5):
            kept = work[at + 5 * column + each]
            work[at + 5 * column + each] = work[at + 5 * best + each]
            work[at + 5 * best + each] = kept
        for row in range(4):
            if row != column:
                share = work[at + 5 * row + column] / work[at + 5 * column + column]
                for each in range(column, 5):
                    work[at + 5 * row + each] -= share * work[at + 5 * column + each]
    for row in range(4):
        work[at + row] = work[at + 5 * row + 4] / work[at + 5 * row + row]


@borrowing
@kernel
def write_equations(
    kind: int, floats: Array, at: int, p: Array, length: float, least_radius: float, work: Array
) -> float:
    """Write the four equations of Newton's step for the start at hand, p then s in `p`; return how far they miss."""
    f, j = SCALED, JACOBIAN
    follow_geodesic(kind, floats, at, length, least_radius, work)
    write_frame(kind, floats, at, work, START, f)
    x, y, z = work[START] - p[0], work[START + 1] - p[1], work[START + 2] - p[2]
    rn, rv, rb = along_frame(work, f, x, y, z), along_frame(work, f + 3, x, y, z), along_frame(work, f + 6, x, y, z)
    vv = bend(work, work[f + 3], work[f + 4], work[f + 5], work[f + 3], work[f + 4], work[f + 5])
    vb = bend(work, work[f + 3], work[f + 4], work[f + 5], work[f + 6], work[f + 7], work[f + 8])
    bb = bend(work, work[f + 6], work[f + 7], work[f + 8], work[f + 6], work[f + 7], work[f + 8])
    work[j], work[j + 1], work[j + 2], work[j + 3] = vv * rv + vb * rb, vb * rv + bb * rb, 0.0, 0.0
    work[j + 4] = -rn
    work[j + 5], work[j + 6], work[j + 7], work[j + 8] = -vb * rn, 1.0 - bb * rn, -rv, 0.0
    work[j + 9] = -rb
    write_frame(kind, floats, at, work, 0, f)
    x, y, z = p[3] - work[0], p[4] - work[1], p[5] - work[2]
    en, ev, eb = along_frame(work, f, x, y, z), along_frame(work, f + 3, x, y, z), along_frame(work, f + 6, x, y, z)
    vv = bend(work, work[f + 3], work[f + 4], work[f + 5], work[f + 3], work[f + 4], work[f + 5])
    vb = bend(work, work[f + 3], work[f + 4], work[f + 5], work[f + 6], work[f + 7], work[f + 8])
    bb = bend(work, work[f + 6], work[f + 7], work[f + 8], work[f + 6], work[f + 7], work[f + 8])
    for each in range(4):
        moved = 1.0 if each == 0 or each == 3 else 0.0
        across = work[A] if each == 1 else (work[R] if each == 2 else 0.0)
        turned = work[AD] if each == 1 else (work[RD] if each == 2 else 0.0)
        bend_v, bend_b = moved * vv + across * vb, moved * vb + across * bb
        work[j + 10 + each] = bend_v * ev + bend_b * eb
        work[j + 15 + each] = -turned * ev - bend_b * en - across
    work[j + 14], work[j + 19] = -en, -eb
    return max(abs(rn), abs(rb), abs(en), abs(eb))


@borrowing
@kernel
def move_start(kind: int, floats: Array, at: int, most: float, most_turn: float, work: Array) -> float:
    """Move the start by the step at `work[JACOBIAN:]`, shortened to `most` [m] and `most_turn` [rad]; return by how
    much the length changes."""
    j, s, f = JACOBIAN, START, SCALED
    along, across, turn = work[j], work[j + 1], work[j + 2]
    longer: float = work[j + 3]
    share = max(abs(along) / most, abs(across) / most, abs(longer) / (2.0 * most), abs(turn) / most_turn, 1.0)
    along, across, turn, longer = along / share, across / share, turn / share, longer / share
    write_frame(kind, floats, at, work, s, f)
    cosine, sine = math.cos(turn), math.sin(turn)
    for line in range(3):
        v, b = work[f + 3 + line], work[f + 6 + line]
        work[s + line] += along * v + across * b
        work[s + 3 + line] = cosine * v + sine * b
    settle(kind, floats, at, work)
    return longer


@borrowing
@kernel
def begin_on_ellipsoid(p: Array, floats: Array, at: int, work: Array, out: Array) -> float:
    """Write the start that the scaled sphere has; return the length of its arc, below 0 where the line is straight."""
    a, b, c = floats[at], floats[at + 1], floats[at + 2]
    sphere = SCALED
    work[sphere], work[sphere + 1], work[sphere + 2] = 1.0, 0.0, 0.0
    work[sphere + 3], work[sphere + 4], work[sphere + 5] = (
        floats[at + 3] * a,
        floats[at + 4] * b,
        floats[at + 5] * c,
    )
    if not wrap_sphere(p[0] / a, p[1] / b, p[2] / c, p[3] / a, p[4] / b, p[5] / c, work, sphere, out):
        return -1.0
    angle, sine = out[6], math.sin(out[6])
    tx, ty, tz = out[0] - p[0] / a, out[1] - p[1] / b, out[2] - p[2] / c
    norm = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / norm, ty / norm, tz / norm
    work[START], work[START + 1], work[START + 2] = a * out[0], b * out[1], c * out[2]
    work[START + 3], work[START + 4], work[START + 5] = a * tx, b * ty, c * tz
    length, lx, ly, lz = 0.0, work[START], work[START + 1], work[START + 2]
    for each in range(1, 9):
        cosine, sine = math.cos(angle * each / 8.0), math.sin(angle * each / 8.0)
        x, y, z = (
            a * (cosine * out[0] + sine * tx),
            b * (cosine * out[1] + sine * ty),
            c * (cosine * out[2] + sine * tz),
        )
        length += math.sqrt((x - lx) ** 2 + (y - ly) ** 2 + (z - lz) ** 2)
        lx, ly, lz = x, y, z
    return length


@borrowing
@kernel
def begin_in_torus(p: Array, floats: Array, at: int, work: Array, out: Array) -> float:
    """Write the start that a cylinder along the ring has, where the straight line comes nearest to the ring; return the
    length of its arc, below 0 where the line is straight."""
    ring, tube = floats[at], floats[at + 1]
    dx, dy, dz = p[3] - p[0], p[4] - p[1], p[5] - p[2]
    dd = dx * dx + dy * dy + dz * dz
    share = min(max(-p[2] / dz, 0.0), 1.0) if dz != 0.0 else 0.5
    cx, cy = ring, 0.0
    for _ in range(12):
        x, y = p[0] + share * dx, p[1] + share * dy
        rho = math.sqrt(x * x + y * y)
        if rho > 1e-12:
            cx, cy = ring * x / rho, ring * y / rho
        share = min(max(((cx - p[0]) * dx + (cy - p[1]) * dy - p[2] * dz) / dd, 0.0), 1.0)
    ex, ey = cx / ring, cy / ring
    pu, su = ring - (p[0] * ex + p[1] * ey), ring - (p[3] * ex + p[4] * ey)
    if not wrap_circle(pu, p[2], su, p[5], tube, 1.0, 0.0, out):
        return -1.0
    before = math.hypot(out[0] - pu, out[1] - p[2])
    after = math.hypot(su - out[2], p[5] - out[3])
    start, rise = -p[0] * ey + p[1] * ex, (-dx * ey + dy * ex) / (before + out[4] + after)
    along = start + rise * before
    x0, z0 = ring - out[0], out[1]
    wu, wz = (out[0] - pu) / before, (out[1] - p[2]) / before
    work[START], work[START + 1], work[START + 2] = x0 * ex - along * ey, x0 * ey + along * ex, z0
    work[START + 3], work[START + 4], work[START + 5] = -wu * ex - rise * ey, -wu * ey + rise * ex, wz
    length: float = out[4] * math.sqrt(1.0 + rise * rise)
    return length


@borrowing
@kernel
def touch(kind: int, floats: Array, at: int, work: Array, node: int) -> bool:
    """Push a node of the string out of the body; return False where it is outside."""
    touches = False
    for _ in range(3):
        phi = describe_surface(kind, floats, at, work[node], work[node + 1], work[node + 2], work)
        if phi >= 0.0:
            return touches
        touches = True
        gg = work[GRADIENT] ** 2 + work[GRADIENT + 1] ** 2 + work[GRADIENT + 2] ** 2
        for line in range(3):
            work[node + line] -= phi / gg * work[GRADIENT + line]
    return touches


@borrowing
@kernel
def begin_by_string(kind: int, floats: Array, at: int, p: Array, length: float, work: Array) -> float:
    """Write the start that a string of NODES pieces has which begins at the start at hand and is pulled taut until it
    lies still; return the length of it that touches."""
    string, last = STRING, STRING + 3 * NODES
    for each in range(NODES + 1):
        share = each / NODES
        for line in range(3):
            bowed = work[START + line] + 0.5 * length * work[START + 3 + line]
            straight = (1.0 - share) * p[line] + share * p[3 + line]
            work[string + 3 * each + line] = straight + 4.0 * share * (1.0 - share) * (
                bowed - 0.5 * (p[line] + p[3 + line])
            )
    first, final = -1, -1
    for _ in range(SWEEPS):
        first, final = -1, -1
        for each in range(1, NODES):
            node = string + 3 * each
            for line in range(3):
                work[node + line] = 0.5 * (work[node - 3 + line] + work[node + 3 + line])
            if touch(kind, floats, at, work, node):
                first, final = each if first < 0 else first, each
    if first < 0:
        return -1.0
    length, one = 0.0, string + 3 * first
    for line in range(3):
        work[START + line] = work[one + line]
        work[START + 3 + line] = work[one + 3 + line] - work[one - 3 + line]
    for node in range(one, min(string + 3 * final, last - 3), 3):
        x, y, z = work[node + 3] - work[node], work[node + 4] - work[node + 1], work[node + 5] - work[node + 2]
        length += math.sqrt(x * x + y * y + z * z)
    return length


@borrowing
@kernel
def tighten(kind: int, p: Array, floats: Array, at: int, length: float, work: Array) -> float:
    """Bring the start to that of the geodesic by Newton's method, steps shortened until they miss by less; return its
    length, not a number where none was found."""
    shortest = floats[at + 1]
    least_radius = shortest
    if kind == ELLIPSOID:
        shortest = min(floats[at], floats[at + 1], floats[at + 2])
        least_radius = shortest * shortest / max(floats[at], floats[at + 1], floats[at + 2])
    settle(kind, floats, at, work)
    kept, step, share, before = KEPT, STEP_TAKEN, 1.0, math.inf
    for _ in range(NEWTON):
        missed = write_equations(kind, floats, at, p, length, least_radius, work)
        if missed < CLOSE * shortest:
            outward = 0.0
            for line in range(3):
                outward += work[START + 3 + line] * (work[START + line] - p[line])
            return length if length > 0.0 and outward > 0.0 else math.nan
        if missed < before:
            before, share = missed, min(2.0 * share, 1.0)
            solve_four(work, JACOBIAN)
            for each in range(4):
                work[step + each] = work[JACOBIAN + each]
            for each in range(6):
                work[kept + each] = work[START + each]
            work[kept + 6] = length
        elif share < LEAST_SHARE:
            return math.nan
        else:
            share *= 0.3
            for each in range(6):
                work[START + each] = work[kept + each]
            length = work[kept + 6]
        for each in range(4):
            work[JACOBIAN + each] = share * work[step + each]
        length += move_start(kind, floats, at, 0.5 * shortest, 0.3, work)
    return math.nan


@borrowing
@kernel
def wrap_geodesic(kind: int, p: Array, floats: Array, at: int, work: Array, out: Array) -> bool:
    """Bend the line from p to s, both in `p` (6), over an ellipsoid or within a torus; return False where it is
    straight."""
    length = (
        begin_on_ellipsoid(p, floats, at, work, out) if kind == ELLIPSOID else begin_in_torus(p, floats, at, work, out)
    )
    if length < 0.0:
        return False
    for each in range(6):
        work[BEGUN + each] = work[START + each]
    found = tighten(kind, p, floats, at, length, work)
    if not found > 0.0:
        for each in range(6):
            work[START + each] = work[BEGUN + each]
        length = begin_by_string(kind, floats, at, p, length, work)
        found = tighten(kind, p, floats, at, length, work) if length >= 0.0 else math.nan
    if not found > 0.0:
        return False
    for line in range(3):
        out[line], out[3 + line] = work[START + line], work[line]
    out[6] = found
    return True
