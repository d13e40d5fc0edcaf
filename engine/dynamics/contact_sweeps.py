"""Kernels: the impulse of one contact, solved whole, while those of the others stay as they are, for each in turn.

Row by row (a normal, then its tangents) the solution takes ever more sweeps, and comes to chance results, where pushing
along the normal moves a contact mostly along its tangents: a nearly straight arm that pushes its hand along the floor
went 25 mm into it, and otherwise with each last digit of its keys. With the 3 x 3 block A of W and what else moves the
touch, r:

    r_n >= 0                         it opens: x = 0
    x = -A^-1 r in Coulomb's cone    it sticks
    otherwise                        it slides: u_n = 0, x_t = mu x_n d, d against the velocity along the tangents,
                                     found by repetition

Where it may stick and slide it sticks. Where neither is possible (mu above what the directions allow: it jams) the
normal is that of sticking.

x: impulse [N s]; u, r: velocities [m/s].
"""

from __future__ import annotations

import math

from engine.dynamics.contact_points import CONTACT, FRICTION, Triple
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

Block = tuple[float, float, float, float, float, float]
"""The symmetric block of a contact: nn, ns, nt, ss, st, tt."""
Laws = tuple[int, int, Array, Array, Array, Array, float]
"""What impulses have to keep to: the numbers of contacts and of rows, W (`rows` numbers a line), the table of contacts,
the bounds of rows, and the W_ii of a row up to which nothing moves it."""
_SOFT = 1e-10  # of a block's trace: keeps it regular where nothing moves along a tangent
_TURNS, _TURNED = 20, 1e-9  # most repetitions of the direction; the change at which they end
_JAMMED = 1e-3  # of A_nn, that is left of it with the friction that comes along


@kernel
def sweep_contacts(
    laws: Laws,
    out_u: Array,
    out_impulse: Array,
) -> None:
    """Solve every contact and every joint's row once, each with what the ones before came to."""
    contacts, rows, delassus, contact_table, least, greatest, dead = laws
    for contact in range(contacts):
        row, line = 3 * contact, 3 * contact * rows + 3 * contact
        a, b, c = delassus[line], delassus[line + 1], delassus[line + 2]
        d, e, f = delassus[line + rows + 1], delassus[line + rows + 2], delassus[line + 2 * rows + 2]
        if a <= dead:
            continue
        x, y, z = out_impulse[row], out_impulse[row + 1], out_impulse[row + 2]
        n = out_u[row] - (a * x + b * y + c * z)
        s = out_u[row + 1] - (b * x + d * y + e * z)
        t = out_u[row + 2] - (c * x + e * y + f * z)
        p, q, r = solve_contact((a, b, c, d, e, f), (n, s, t), contact_table[contact * CONTACT + FRICTION])
        out_impulse[row], out_impulse[row + 1], out_impulse[row + 2] = p, q, r
        add_response(rows, row, p - x, delassus, out_u)
        add_response(rows, row + 1, q - y, delassus, out_u)
        add_response(rows, row + 2, r - z, delassus, out_u)
    for row in range(3 * contacts, rows):
        w = delassus[row * rows + row]
        if w > dead:
            x = out_impulse[row]
            out_impulse[row] = min(greatest[row], max(least[row], x - out_u[row] / w))
            add_response(rows, row, out_impulse[row] - x, delassus, out_u)


@kernel
def add_response(rows: int, row: int, size: float, delassus: Array, out_u: Array) -> None:
    """Add the velocities, along all rows, that an impulse along one causes; W is symmetric."""
    if size != 0.0:
        line = delassus[row * rows : (row + 1) * rows]
        for other in range(rows):
            out_u[other] += size * line[other]


@kernel
def solve_contact(block: Block, others: Triple, grip: float) -> Triple:
    """Compute the impulse of a contact which the others move by r."""
    (a, b, c, d, e, f), (n, s, t) = block, others
    if n >= 0.0:
        return 0.0, 0.0, 0.0
    soft = _SOFT * (a + d + f)
    g, h = d + soft, f + soft
    one, two, three = g * h - e * e, c * e - b * h, b * e - c * g
    size = a * one + b * two + c * three
    p = -(one * n + two * s + three * t) / size
    q = -(two * n + (a * h - c * c) * s + (b * c - a * e) * t) / size
    r = -(three * n + (b * c - a * e) * s + (a * g - b * b) * t) / size
    if p > 0.0 and q * q + r * r <= grip * grip * p * p:
        return p, q, r
    return _slide(block, others, grip, (max(p, 0.0), q, r))


@kernel
def _slide(block: Block, others: Triple, grip: float, stuck: Triple) -> Triple:
    """Compute the impulse of a contact that slides; `stuck` is that of one which does not, where it jams."""
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
            size = math.sqrt(stuck[1] * stuck[1] + stuck[2] * stuck[2])
            share = grip * stuck[0] / size if size > 0.0 else 0.0
            return stuck[0], share * stuck[1], share * stuck[2]
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
