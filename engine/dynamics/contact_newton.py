"""Kernels: Newton's steps for the impulses of all contacts and stops at once.

Signorini's and Coulomb's laws say of each contact that (De Saxce 1992), with w = u + mu |u_t| along the normal,

    x = P(x - r w),   P the nearest place in the cone |x_t| <= mu x_n,   r = 3 / the trace of its own block of W,

and of a joint's row the same, with P between its bounds. What x misses that by, f = x - P(x - r w), is 0 where all laws
hold and nowhere else; f / r is a velocity. P bends at the rims of cones only, so that Newton's step dx,

    (1 - P' (1 - r dw/dx) + weight) dx = -f

is nearly always to be had. The weight keeps dx short where contacts share a load in many ways (a foot has more points
than it needs). Open contacts (P' = 0) have dx = -f and no equation. A step is halved until the sum of f^2 / r falls.

Source: De Saxce and Feng, The bipotential method, 1998, for the law; the rest is Newton's method for what is smooth in
pieces (Alart and Curnier 1991 have it for another form of the same).

x: [N s] or [N m s]; u, w: [m/s] or [rad/s]. The workspace has, for each row: f, dx and W dx, then x - r w and the
unknown of each row or -1; the row of each unknown; then the equations, a line each with its right-hand side at the end.
"""

from __future__ import annotations

import math

from engine.dynamics.cones import answer_of_cone, lay_in_cone
from engine.dynamics.contact_points import CONTACT, FRICTION
from engine.dynamics.contact_sweeps import Laws, add_response
from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

MOST = 144
"""Unknowns that a step can have."""
MISSES, STEP, CHANGE, PLACE, UNKNOWN, ROW_BUFFERS = range(6)
_REGULAR = 1e-13  # of the largest pivot
_PANEL = 4
_STILL = 1e-12  # [m/s] of a velocity along tangents that has no direction


def newton_size(rows: int) -> int:
    """Numbers that steps for so many rows need to work with."""
    return ROW_BUFFERS * rows + MOST + MOST * (MOST + 1)


@inlined
def pace_of(contacts: int, rows: int, row: int, delassus: Array, dead: float) -> float:
    """r of a row, or 0 where nothing moves it."""
    if row >= 3 * contacts:
        own = delassus[row * rows + row]
        return 1.0 / own if own > dead else 0.0
    line = (row - row % 3) * rows + row - row % 3
    normal = delassus[line]
    total = normal + delassus[line + rows + 1] + delassus[line + 2 * (rows + 1)]
    return 3.0 / total if normal > dead else 0.0


@kernel
def measure_misses(
    laws: Laws,
    impulse: Array,
    u: Array,
    out_workspace: Array,
) -> tuple[float, float]:
    """Compute f and x - r w, in the workspace; return the greatest f / r and the sum of f^2 / r."""
    contacts, rows, delassus, contact_table, least, greatest, dead = laws
    misses, place = out_workspace[MISSES * rows :], out_workspace[PLACE * rows :]
    worst, total = 0.0, 0.0
    for contact in range(contacts):
        row, mu = 3 * contact, contact_table[contact * CONTACT + FRICTION]
        r = pace_of(contacts, rows, row, delassus, dead)
        if r == 0.0:
            misses[row] = misses[row + 1] = misses[row + 2] = 0.0
            continue
        lift = mu * math.sqrt(u[row + 1] * u[row + 1] + u[row + 2] * u[row + 2])
        x, y, z = (
            impulse[row] - r * (u[row] + lift),
            impulse[row + 1] - r * u[row + 1],
            impulse[row + 2] - r * u[row + 2],
        )
        place[row], place[row + 1], place[row + 2] = x, y, z
        p, q, s = lay_in_cone((x, y, z), mu)
        p, q, s = impulse[row] - p, impulse[row + 1] - q, impulse[row + 2] - s
        misses[row], misses[row + 1], misses[row + 2] = p, q, s
        worst = max(worst, max(abs(p), max(abs(q), abs(s))) / r)
        total += (p * p + q * q + s * s) / r
    for row in range(3 * contacts, rows):
        r = pace_of(contacts, rows, row, delassus, dead)
        misses[row] = 0.0
        if r > 0.0:
            place[row] = impulse[row] - r * u[row]
            misses[row] = impulse[row] - min(greatest[row], max(least[row], place[row]))
            worst, total = max(worst, abs(misses[row]) / r), total + misses[row] * misses[row] / r
    return worst, total


@kernel
def find_step(
    laws: Laws,
    u: Array,
    weight: float,
    out_workspace: Array,
) -> int:
    """Compute dx and W dx, in the workspace, from what `measure_misses` left there; return the number of unknowns, -1
    where there is no step."""
    contacts, rows, delassus, contact_table, _, _, dead = laws
    misses, step = out_workspace[MISSES * rows : STEP * rows], out_workspace[STEP * rows : CHANGE * rows]
    change = out_workspace[CHANGE * rows : PLACE * rows]
    unknown, rest = out_workspace[UNKNOWN * rows : ROW_BUFFERS * rows], out_workspace[ROW_BUFFERS * rows :]
    count, _ = list_unknowns(laws, False, out_workspace)
    if count < 0:
        return -1
    change[:] = 0.0
    for row in range(rows):
        step[row] = -misses[row] if unknown[row] < 0.0 else 0.0
        add_response(rows, row, step[row], delassus, change)
    chosen, equations = rest[:MOST], rest[MOST:]
    for contact in range(contacts):
        row = 3 * contact
        if unknown[row] >= 0.0:
            r, mu = pace_of(contacts, rows, row, delassus, dead), contact_table[contact * CONTACT + FRICTION]
            for axis in range(3):
                line, to = (row + axis) * rows, int(unknown[row + axis]) * (count + 1)
                for other in range(count):
                    equations[to + other] = delassus[line + int(chosen[other])]
            write_equations(row, rows, r, mu, weight, count, u, out_workspace)
    for row in range(3 * contacts, rows):
        if unknown[row] >= 0.0:
            r, to = pace_of(contacts, rows, row, delassus, dead), int(unknown[row]) * (count + 1)
            for other in range(count):
                equations[to + other] = r * delassus[row * rows + int(chosen[other])]
            equations[to + int(unknown[row])] += weight
            equations[to + count] = -misses[row] - r * change[row]
    if not eliminate(count, equations):
        return -1
    for each in range(count):
        row = int(chosen[each])
        step[row] = equations[each * (count + 1) + count]
        add_response(rows, row, step[row], delassus, change)
    return count


@kernel
def list_unknowns(laws: Laws, apart: bool, out_workspace: Array) -> tuple[int, int]:
    """Number the rows of contacts that are not open, and of joints within their bounds; -1 where these are too many.
    Those of joints are counted `apart` and have no number, or go on."""
    contacts, rows, delassus, contact_table, least, greatest, dead = laws
    place, unknown = out_workspace[PLACE * rows : UNKNOWN * rows], out_workspace[UNKNOWN * rows : ROW_BUFFERS * rows]
    chosen, count, stops = out_workspace[ROW_BUFFERS * rows :], 0, 0
    for row in range(rows):
        unknown[row] = -1.0
        if pace_of(contacts, rows, row, delassus, dead) == 0.0:
            continue
        if row < 3 * contacts:
            first = row - row % 3
            along = math.sqrt(place[first + 1] * place[first + 1] + place[first + 2] * place[first + 2])
            free = contact_table[row // 3 * CONTACT + FRICTION] * along <= -place[first]
        else:
            free = not least[row] < place[row] < greatest[row]
        if free:
            continue
        if apart and row >= 3 * contacts:
            unknown[row], stops = 0.0, stops + 1
            continue
        if count == MOST:
            return -1, 0
        chosen[count], unknown[row] = row, count
        count += 1
    return count, stops


@kernel
def write_equations(
    row: int, rows: int, r: float, mu: float, weight: float, count: int, u: Array, out_workspace: Array
) -> None:
    """Write the three equations of a contact that is not open, in the place of its lines of W."""
    misses, change = out_workspace[MISSES * rows : STEP * rows], out_workspace[CHANGE * rows : PLACE * rows]
    place, unknown = out_workspace[PLACE * rows : UNKNOWN * rows], out_workspace[UNKNOWN * rows : ROW_BUFFERS * rows]
    equations = out_workspace[ROW_BUFFERS * rows + MOST :]
    x, y = u[row + 1], u[row + 2]
    size = math.sqrt(x * x + y * y)
    x, y = (mu * x / size, mu * y / size) if size > _STILL else (0.0, 0.0)
    answer = answer_of_cone((place[row], place[row + 1], place[row + 2]), mu)
    at = int(unknown[row]) * (count + 1)
    a, b, c, d, e, f, g, h, i = answer
    a, b, c, d, e, f = r * a, r * (b + a * x), r * (c + a * y), r * d, r * (e + d * x), r * (f + d * y)
    g, h, i = r * g, r * (h + g * x), r * (i + g * y)
    for other in range(count):
        n, s, t = equations[at + other], equations[at + count + 1 + other], equations[at + 2 * count + 2 + other]
        equations[at + other] = a * n + b * s + c * t
        equations[at + count + 1 + other] = d * n + e * s + f * t
        equations[at + 2 * count + 2 + other] = g * n + h * s + i * t
    for axis in range(3):
        a, b, c = answer[3 * axis], answer[3 * axis + 1], answer[3 * axis + 2]
        n, s, t = r * a, r * (b + a * x), r * (c + a * y)
        to = int(unknown[row + axis]) * (count + 1)
        own = to + int(unknown[row])
        equations[own] -= a
        equations[own + 1] -= b
        equations[own + 2] -= c
        equations[own + axis] += 1.0 + weight
        moved = n * change[row] + s * change[row + 1] + t * change[row + 2]
        equations[to + count] = -misses[row + axis] - moved


@kernel
def eliminate(count: int, out_equations: Array) -> bool:
    """Solve the equations, the solution at the ends of the lines; whether they are regular. Columns are eliminated
    PANEL at a time from the lines below, which are gone through once for all of them."""
    width, largest = count + 1, 0.0
    for first in range(0, count, _PANEL):
        end = min(count, first + _PANEL)
        for column in range(first, end):
            pivot = column
            for row in range(column + 1, count):
                if abs(out_equations[row * width + column]) > abs(out_equations[pivot * width + column]):
                    pivot = row
            size = abs(out_equations[pivot * width + column])
            largest = max(largest, size)
            if not size > _REGULAR * largest:
                return False
            if pivot != column:
                _swap(out_equations, column * width + first, pivot * width + first, width - first)
            for row in range(column + 1, count):
                at = row * width
                share = out_equations[at + column] / out_equations[column * width + column]
                out_equations[at + column] = share
                for place in range(column + 1, end):
                    out_equations[at + place] -= share * out_equations[column * width + place]
        _carry_on(first, end, count, out_equations)
    for row in range(count - 1, -1, -1):
        total = out_equations[row * width + count]
        for other in range(row + 1, count):
            total -= out_equations[row * width + other] * out_equations[other * width + count]
        out_equations[row * width + count] = total / out_equations[row * width + row]
    return True


@kernel
def _swap(out_numbers: Array, one: int, two: int, count: int) -> None:
    """Exchange two runs of numbers."""
    for place in range(count):
        out_numbers[one + place], out_numbers[two + place] = out_numbers[two + place], out_numbers[one + place]


@kernel
def _carry_on(first: int, end: int, count: int, out_equations: Array) -> None:
    """Take the lines of a panel's columns from those below, by the shares that stand in the columns."""
    width = count + 1
    for row in range(first + 1, end):
        for column in range(first, row):
            _take(out_equations, row * width + column, column * width, row * width, end, width)
    if end - first < _PANEL:
        return
    a, b = out_equations[first * width + end : (first + 1) * width], out_equations[(first + 1) * width + end :]
    c, d = out_equations[(first + 2) * width + end :], out_equations[(first + 3) * width + end :]
    for row in range(end, count):
        at = row * width + first
        p, q, r, s = out_equations[at], out_equations[at + 1], out_equations[at + 2], out_equations[at + 3]
        lower = out_equations[at + _PANEL : (row + 1) * width]
        for place in range(len(lower)):
            lower[place] = lower[place] - p * a[place] - q * b[place] - r * c[place] - s * d[place]


@kernel
def _take(out_equations: Array, share: int, upper: int, lower: int, begin: int, end: int) -> None:
    """Take a share of a line from one below it."""
    size = out_equations[share]
    for place in range(begin, end):
        out_equations[lower + place] -= size * out_equations[upper + place]
