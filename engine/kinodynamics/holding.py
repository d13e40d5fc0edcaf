"""Kernels: the impulses of touches and stops, touch by touch: Gauss-Seidel over blocks of three rows.

The equations are those of `engine.dynamics.impulses`, u = W x + b. There each row is solved by itself, which takes ever
more sweeps, and comes to chance results, where pushing along the normal moves a touch mostly along its tangents: a
nearly straight arm that pushes its hand along the floor went 25 mm into it, and otherwise with each last digit of its
keys. Here a touch is solved whole, the others as they are. With its 3 x 3 block A of W and what else moves it r:

    r_n >= 0                         it opens: x = 0
    x = -A^-1 r in Coulomb's cone    it sticks
    otherwise                        it slides: u_n = 0, x_t = mu x_n d, d against the velocity along the tangents,
                                     found by repetition

Where it may stick and slide it sticks. Where neither is possible (mu above what the directions allow: it jams) the
normal is that of sticking.

x: [N s] or [N m s]; u, b, r: [m/s] or [rad/s].
"""

from __future__ import annotations

import math

from engine.dynamics.touches import FRICTION, TOUCH
from engine.model.compile import Array
from engine.runtime.jit import kernel

_DEAD = 1e-14  # of the largest W_ii
_SOFT = 1e-10  # of a block's trace: keeps it regular where nothing moves along a tangent
_TURNS, _TURNED = 20, 1e-9  # most repetitions of the direction; the change at which they end
_JAMMED = 1e-3  # of A_nn, that is left of it with the friction that comes along


@kernel
def solve_touches(
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
            grip = touch_table[touch * TOUCH + FRICTION]
            moved = max(moved, _hold(rows, 3 * touch, grip, delassus, free, dead, out_impulse))
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
def _hold(rows: int, row: int, grip: float, delassus: Array, free: Array, dead: float, out_impulse: Array) -> float:
    """One touch; how far that changed its velocities."""
    line = row * rows + row
    a, b, c = delassus[line], delassus[line + 1], delassus[line + 2]
    d, e, f = delassus[line + rows + 1], delassus[line + rows + 2], delassus[line + 2 * rows + 2]
    x, y, z = out_impulse[row], out_impulse[row + 1], out_impulse[row + 2]
    if a <= dead:
        return 0.0
    n = _along(rows, row, delassus, free, out_impulse) - (a * x + b * y + c * z)
    s = _along(rows, row + 1, delassus, free, out_impulse) - (b * x + d * y + e * z)
    t = _along(rows, row + 2, delassus, free, out_impulse) - (c * x + e * y + f * z)
    p = q = r = 0.0
    if n < 0.0:
        soft = _SOFT * (a + d + f)
        g, h = d + soft, f + soft
        one, two, three = g * h - e * e, c * e - b * h, b * e - c * g
        size = a * one + b * two + c * three
        p = -(one * n + two * s + three * t) / size
        q = -(two * n + (a * h - c * c) * s + (b * c - a * e) * t) / size
        r = -(three * n + (b * c - a * e) * s + (a * g - b * b) * t) / size
        if not (p > 0.0 and q * q + r * r <= grip * grip * p * p):
            p, q, r = _slide((a, b, c, d, e, f), (n, s, t), grip, max(p, 0.0), q, r)
    out_impulse[row], out_impulse[row + 1], out_impulse[row + 2] = p, q, r
    return float(max(a * abs(p - x), max(d * abs(q - y), f * abs(r - z))))


@kernel
def _slide(
    block: tuple[float, float, float, float, float, float],
    others: tuple[float, float, float],
    grip: float,
    stuck: float,
    stuck_one: float,
    stuck_two: float,
) -> tuple[float, float, float]:
    """The impulse of a touch that slides; `stuck` is that of one which does not, where it jams."""
    (a, b, c, d, e, f), (n, s, t) = block, others
    p = -n / a
    one, two = -(s + b * p), -(t + c * p)
    size = math.sqrt(one * one + two * two)
    if size == 0.0 or grip == 0.0:
        return p, 0.0, 0.0
    one, two = one / size, two / size
    for _ in range(_TURNS):
        left = a + grip * (b * one + c * two)
        if left <= _JAMMED * a:
            size = math.sqrt(stuck_one * stuck_one + stuck_two * stuck_two)
            share = grip * stuck / size if size > 0.0 else 0.0
            return stuck, share * stuck_one, share * stuck_two
        p = -n / left
        x = -(s + b * p + grip * p * (d * one + e * two))
        y = -(t + c * p + grip * p * (e * one + f * two))
        size = math.sqrt(x * x + y * y)
        if size == 0.0 or x * one + y * two <= 0.0:
            break
        x, y = 0.5 * (one + x / size), 0.5 * (two + y / size)
        size = math.sqrt(x * x + y * y)
        changed = abs(x / size - one) + abs(y / size - two)
        one, two = x / size, y / size
        if changed < _TURNED:
            break
    return p, grip * p * one, grip * p * two
