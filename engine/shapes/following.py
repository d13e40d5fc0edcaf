"""Kernel: control points that follow keyed places through one window, on springs and dampers and by shape matching.

Each point follows its keyed place k(t), which goes straight from step to step, as e = x - k with

    e'' + 2 z w e' + w^2 e = g,    w = 2 pi tension, z the damping ratio, g gravity,

stepped exactly (its matrix over a step is given), so that no step is too long for a spring and k that is straight is
followed without any error. Beside it points of a cluster keep its keyed form (Mueller et al. 2005, Meshless
Deformations Based on Shape Matching, 3.3): goals are R q + c, q the keyed form about its middle, c the middle of x, R
the rotation of the polar decomposition of A = sum m (x - c) q^T, and a point is drawn to the mean of its clusters'
goals by u^2 (goal - x), u = 2 pi rigidity. What moves otherwise than a turning rigid body beside the keys is damped by
2 z u. The two are put together by Strang's splitting, half a step of goals before and after each step of springs, two
halves at once between steps: of second order, as k is read. A point of several clusters gives each an equal share of
its mass, so that goals add neither force nor torque.

R is found by Newton's iteration on tr(R^T A) from the turn of the step before (no turn at a window's beginning).

x: places [m]; v: their rates; k: keyed places at the steps, shape [steps + 1, points, 3].
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

SPRING = 7  # numbers: the matrix of a step (4), what gravity adds to e and e' over a step (2), the step [s]
_TURNS = 12
_STILL = 1e-14


def spring_step(tension: float, ratio: float, gravity: float, dt: float) -> Array:
    """The exact step of a damped spring: e and e' of its end from those of its start; gravity [m/s2] along y."""
    w, decay = 2.0 * math.pi * tension, ratio * 2.0 * math.pi * tension
    gap = decay * decay - w * w
    root = math.sqrt(abs(gap))
    fall = math.exp(-decay * dt)
    if root * dt < 1e-6:
        c, s = 1.0, dt
    elif gap < 0.0:
        c, s = math.cos(root * dt), math.sin(root * dt) / root
    else:
        fall, grown = math.exp((root - decay) * dt), math.exp(-2.0 * root * dt)
        c, s = 0.5 * (1.0 + grown), 0.5 * (1.0 - grown) / root
    ee, ev = fall * (c + decay * s), fall * s
    ve, vv = -w * w * ev, fall * (c - decay * s)
    sag = -gravity / (w * w)
    return np.array([ee, ev, ve, vv, sag * (1.0 - ee), -sag * ve, dt])


@kernel
def find_turn(a: Array, out_r: Array, work: Array) -> None:
    """The rotation nearest to a matrix A = sum m x q^T, from the one given on; shape [3, 3]."""
    for _ in range(_TURNS):
        trace = 0.0
        for i in range(3):
            for j in range(3):
                total = 0.0
                for k in range(3):
                    total += a[i, k] * out_r[j, k]
                work[i, j] = total
            trace += work[i, i]
        gx, gy, gz = work[2, 1] - work[1, 2], work[0, 2] - work[2, 0], work[1, 0] - work[0, 1]
        size = 0.0
        for i in range(3):
            for j in range(3):
                size += abs(work[i, j])
        if size <= 0.0:
            return
        ease = 1e-9 * size
        xx, yy, zz = trace - work[0, 0] + ease, trace - work[1, 1] + ease, trace - work[2, 2] + ease
        xy, xz = -0.5 * (work[0, 1] + work[1, 0]), -0.5 * (work[0, 2] + work[2, 0])
        yz = -0.5 * (work[1, 2] + work[2, 1])
        cxx, cxy, cxz = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
        det = xx * cxx + xy * cxy + xz * cxz
        if det > 1e-12 * size * size * size and xx > 0.0 and xx * yy - xy * xy > 0.0:
            cyy, cyz, czz = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
            tx = (cxx * gx + cxy * gy + cxz * gz) / det
            ty = (cxy * gx + cyy * gy + cyz * gz) / det
            tz = (cxz * gx + cyz * gy + czz * gz) / det
        else:
            tx, ty, tz = gx / size, gy / size, gz / size
        angle = math.sqrt(tx * tx + ty * ty + tz * tz)
        if angle > 1.0:
            tx, ty, tz, angle = tx / angle, ty / angle, tz / angle, 1.0
        if angle < _STILL:
            return
        s, c = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
        for j in range(3):
            x, y, z = out_r[0, j], out_r[1, j], out_r[2, j]
            ax, ay, az = ty * z - tz * y, tz * x - tx * z, tx * y - ty * x
            bx, by, bz = ty * az - tz * ay, tz * ax - tx * az, tx * ay - ty * ax
            out_r[0, j], out_r[1, j], out_r[2, j] = x + s * ax + c * bx, y + s * ay + c * by, z + s * az + c * bz


@kernel
def middle_of(points: Array, members: IntArray, shares: Array, first: int, last: int) -> tuple[float, float, float]:
    """The mean of the points of a cluster by their masses."""
    x = y = z = total = 0.0
    for at in range(first, last):
        p, m = members[at], shares[at]
        x += m * points[p, 0]
        y += m * points[p, 1]
        z += m * points[p, 2]
        total += m
    return x / total, y / total, z / total


@kernel
def pull_to_goals(
    starts: IntArray,
    members: IntArray,
    shares: Array,
    goal: Array,
    keyed: Array,
    keyed_rate: Array,
    x: Array,
    turns: Array,
    work: Array,
    out_v: Array,
) -> None:
    """Change rates by the goals of all clusters: of half a step, or of a whole one where the first number of `work` is
    2. goal: u^2 dt / 2, and the shares of other motion that half a step and a whole one damp away; work: rows of a
    matrix, then the change of each point."""
    halves = work[0, 0]
    pull, damp = halves * goal[0], goal[1] if halves == 1.0 else goal[2]
    matrix, change = work[:3], work[3:]
    change[:] = 0.0
    for cluster in range(len(starts) - 1):
        first, last = starts[cluster], starts[cluster + 1]
        cx, cy, cz = middle_of(x, members, shares, first, last)
        qx, qy, qz = middle_of(keyed, members, shares, first, last)
        a, r = np.zeros((3, 3)), turns[cluster]
        for at in range(first, last):
            p, m = members[at], shares[at]
            dx, dy, dz = m * (x[p, 0] - cx), m * (x[p, 1] - cy), m * (x[p, 2] - cz)
            ex, ey, ez = keyed[p, 0] - qx, keyed[p, 1] - qy, keyed[p, 2] - qz
            a[0, 0] += dx * ex
            a[0, 1] += dx * ey
            a[0, 2] += dx * ez
            a[1, 0] += dy * ex
            a[1, 1] += dy * ey
            a[1, 2] += dy * ez
            a[2, 0] += dz * ex
            a[2, 1] += dz * ey
            a[2, 2] += dz * ez
        find_turn(a, r, matrix)
        # The rigid motion beside the keys: its mean, its turn from angular momentum by the inertia.
        ux = uy = uz = total = 0.0
        for at in range(first, last):
            p, m = members[at], shares[at]
            ux += m * (out_v[p, 0] - keyed_rate[p, 0])
            uy += m * (out_v[p, 1] - keyed_rate[p, 1])
            uz += m * (out_v[p, 2] - keyed_rate[p, 2])
            total += m
        ux, uy, uz = ux / total, uy / total, uz / total
        lx = ly = lz = xx = yy = zz = xy = xz = yz = 0.0
        for at in range(first, last):
            p, m = members[at], shares[at]
            dx, dy, dz = x[p, 0] - cx, x[p, 1] - cy, x[p, 2] - cz
            sx = out_v[p, 0] - keyed_rate[p, 0] - ux
            sy = out_v[p, 1] - keyed_rate[p, 1] - uy
            sz = out_v[p, 2] - keyed_rate[p, 2] - uz
            lx += m * (dy * sz - dz * sy)
            ly += m * (dz * sx - dx * sz)
            lz += m * (dx * sy - dy * sx)
            xx += m * (dy * dy + dz * dz)
            yy += m * (dx * dx + dz * dz)
            zz += m * (dx * dx + dy * dy)
            xy -= m * dx * dy
            xz -= m * dx * dz
            yz -= m * dy * dz
        cxx, cxy, cxz = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
        det = xx * cxx + xy * cxy + xz * cxz
        wx = wy = wz = 0.0
        size = xx + yy + zz
        if det > 1e-9 * size * size * size:
            cyy, cyz, czz = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
            wx = (cxx * lx + cxy * ly + cxz * lz) / det
            wy = (cxy * lx + cyy * ly + cyz * lz) / det
            wz = (cxz * lx + cyz * ly + czz * lz) / det
        for at in range(first, last):
            p = members[at]
            part = shares[at] / goal[3 + p]
            dx, dy, dz = x[p, 0] - cx, x[p, 1] - cy, x[p, 2] - cz
            ex, ey, ez = keyed[p, 0] - qx, keyed[p, 1] - qy, keyed[p, 2] - qz
            for axis in range(3):
                aim = r[axis, 0] * ex + r[axis, 1] * ey + r[axis, 2] * ez
                here = dx if axis == 0 else (dy if axis == 1 else dz)
                turning = wy * dz - wz * dy if axis == 0 else (wz * dx - wx * dz if axis == 1 else wx * dy - wy * dx)
                mean = ux if axis == 0 else (uy if axis == 1 else uz)
                other = out_v[p, axis] - keyed_rate[p, axis] - mean - turning
                change[p, axis] += part * (pull * (aim - here) - damp * other)
    for p in range(len(x)):
        for axis in range(3):
            out_v[p, axis] += change[p, axis]


@kernel
def follow_shape(
    keyed: Array,
    spring: Array,
    starts: IntArray,
    members: IntArray,
    shares: Array,
    goal: Array,
    work: Array,
    out_x: Array,
    out_v: Array,
) -> bool:
    """Follow keyed places from the first to the last; x and v are given at the first. goal: as above, then the mass of
    each point; no clusters where there is no rigidity. True if every number is finite."""
    count, dt = out_x.shape[0], spring[6]
    turns = np.zeros((max(len(starts) - 1, 1), 3, 3))
    for cluster in range(len(turns)):
        for axis in range(3):
            turns[cluster, axis, axis] = 1.0
    rate, mean, clustered = np.zeros((count, 3)), np.empty((count, 3)), len(starts) > 1
    for step in range(len(keyed) - 1):
        before, after = keyed[step], keyed[step + 1]
        for p in range(count):
            for axis in range(3):
                now = (after[p, axis] - before[p, axis]) / dt
                mean[p, axis] = now if step == 0 else 0.5 * (rate[p, axis] + now)
                rate[p, axis] = now
        if clustered:
            work[0, 0] = 1.0 if step == 0 else 2.0  # the half before, with the half after the step before
            pull_to_goals(starts, members, shares, goal, before, mean, out_x, turns, work, out_v)
        for p in range(count):
            for axis in range(3):
                e, speed = out_x[p, axis] - before[p, axis], out_v[p, axis] - rate[p, axis]
                moved, faster = spring[0] * e + spring[1] * speed, spring[2] * e + spring[3] * speed
                if axis == 1:
                    moved += spring[4]
                    faster += spring[5]
                out_x[p, axis], out_v[p, axis] = after[p, axis] + moved, rate[p, axis] + faster
    if clustered:
        work[0, 0] = 1.0
        pull_to_goals(starts, members, shares, goal, keyed[-1], rate, out_x, turns, work, out_v)
    for p in range(count):
        for axis in range(3):
            if not math.isfinite(out_x[p, axis]):
                return False
    return True
