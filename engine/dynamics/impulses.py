"""Impulses that keep bodies apart and hold them by friction: projected Gauss-Seidel.

With W = J A^-1 J^T over the rows of the touches (normal, tangent, tangent) and of the joints (dry friction, stops), x
the impulses and b the velocities along the rows without any, less what they may keep (contact.py), u = W x + b:

    normal   0 <= u_n, 0 <= x_n, u_n x_n = 0                      (Signorini)
    tangents |x_t| <= mu x_n, and u_t = 0 or x_t = -mu x_n u_t / |u_t|   (Coulomb, an exact disc)
    joint    least <= x <= greatest; u = 0, or u > 0 and x = least, or u < 0 and x = greatest

Sweeps go on until none changes a velocity by more than the tolerance. The next step begins with what this one found, so
bodies at rest take few. A row that nothing moves (W_ii = 0) is left out.

x: [N s] or [N m s]; u, b: [m/s] or [rad/s].
"""

from __future__ import annotations

import math

from engine.dynamics.touches import FRICTION, TOUCH
from engine.model.compile import Array
from engine.runtime.jit import kernel

_DEAD = 1e-14  # of the largest W_ii


@kernel
def solve_impulses(
    touches: int,
    rows: int,
    delassus: Array,
    free: Array,
    touch_table: Array,
    least: Array,
    greatest: Array,
    passes: int,
    tolerance: float,
    out_impulse: Array,
) -> int:
    """Impulses from those that are there; sweeps taken. `delassus` has `rows` numbers a line."""
    largest = 0.0
    for row in range(rows):
        largest = max(largest, delassus[row * rows + row])
    dead = _DEAD * largest
    for sweep in range(passes):
        moved = 0.0
        for touch in range(touches):
            row = 3 * touch
            moved = max(moved, _push(rows, row, delassus, free, dead, out_impulse))
            most = touch_table[touch * TOUCH + FRICTION] * out_impulse[row]
            moved = max(moved, _grip(rows, row + 1, most, delassus, free, dead, out_impulse))
        for row in range(3 * touches, rows):
            w = delassus[row * rows + row]
            if w > dead:
                before, u = out_impulse[row], _along(rows, row, delassus, free, out_impulse)
                out_impulse[row] = min(greatest[row], max(least[row], before - u / w))
                moved = max(moved, w * abs(out_impulse[row] - before))
        if moved <= tolerance:
            return sweep + 1
    return passes


@kernel
def _along(rows: int, row: int, delassus: Array, free: Array, impulse: Array) -> float:
    """The velocity along a row."""
    total, line = free[row], row * rows
    for other in range(rows):
        total += delassus[line + other] * impulse[other]
    return float(total)


@kernel
def _push(rows: int, row: int, delassus: Array, free: Array, dead: float, out_impulse: Array) -> float:
    """One normal; how far that changed its velocity."""
    w = delassus[row * rows + row]
    if w <= dead:
        return 0.0
    before = out_impulse[row]
    out_impulse[row] = max(0.0, before - _along(rows, row, delassus, free, out_impulse) / w)
    return float(w * abs(out_impulse[row] - before))


@kernel
def _grip(rows: int, row: int, most: float, delassus: Array, free: Array, dead: float, out_impulse: Array) -> float:
    """Both tangents of a touch, within the disc of radius `most`; how far that changed their velocities."""
    a, b = delassus[row * rows + row], delassus[row * rows + row + 1]
    c = delassus[(row + 1) * rows + row + 1]
    x, y = out_impulse[row], out_impulse[row + 1]
    if max(a, c) <= dead:
        return 0.0
    u, v = _along(rows, row, delassus, free, out_impulse), _along(rows, row + 1, delassus, free, out_impulse)
    area = a * c - b * b
    if area > 1e-10 * a * c:
        new_x, new_y = x - (c * u - b * v) / area, y - (a * v - b * u) / area
    else:
        new_x, new_y = x - u / (a + c), y - v / (a + c)
    size = math.sqrt(new_x * new_x + new_y * new_y)
    if size > most:
        # The nearest step that is safe for the disc: down the slope by the larger curvature, then back onto it.
        steep = max(a, c) + abs(b)
        new_x, new_y = x - u / steep, y - v / steep
        size = math.sqrt(new_x * new_x + new_y * new_y)
        if size > most:
            share = most / size
            new_x, new_y = share * new_x, share * new_y
    out_impulse[row], out_impulse[row + 1] = new_x, new_y
    return float(max(a * abs(new_x - x), c * abs(new_y - y)))
