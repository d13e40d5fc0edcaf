"""Kernels: impulses that keep bodies apart and hold them by friction: sweeps, then Newton's steps.

With W = J A^-1 J^T over the rows of the contacts (normal, tangent, tangent) and of the joints (dry friction, stops), x
the impulses and b the velocities along the rows without any, less what they may keep (contact.py), u = W x + b:

    normal   0 <= u_n, 0 <= x_n, u_n x_n = 0                      (Signorini)
    tangents |x_t| <= mu x_n, and u_t = 0 or x_t = -mu x_n u_t / |u_t|   (Coulomb, an exact disc)
    joint    least <= x <= greatest; u = 0, or u > 0 and x = least, or u < 0 and x = greatest

How far x is from that is a velocity, the greatest f / r of `contact_newton.py`; the work ends where that is within the
tolerance. It begins with what the last step found, or with nothing where that is nearer. A sweep solves each contact
(`contact_sweeps.py`) and each joint's row, the others as they are (Gauss-Seidel): that is all where few push. A foot
shares its load among six points in many ways, over which sweeps wander by the hundred; and where pushing along the
normal moves a contact mostly along its tangents they go in circles or grow without bound. So Newton's steps for all
rows follow, each shortened until it helps, and the best of all that was come by is taken. Some problems have no
solution (what is led exactly presses a limb into the ground): there it is the least wrong. A row that nothing moves is
left out.

x: [N s] or [N m s]; u, b: [m/s] or [rad/s]. workspace: u, the best x, and that of `contact_newton.py`.
"""

from __future__ import annotations

import math

from engine.dynamics.contact_newton import CHANGE, STEP, find_step, measure_misses, newton_size, pace_of
from engine.dynamics.contact_stops import find_reduced_step, forget_factors, reduced_size
from engine.dynamics.contact_sweeps import Laws, add_response, sweep_contacts
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

_DEAD = 1e-14  # of the largest W_ii
_SWEEPS = 1
_AVERAGE = 5.0  # times the tolerance, that may be missed on average
_WEIGHT, _BLUNT, _BLUNTEST = 1e-5, 1e-2, 1.0  # least weight of Newton's steps; times the root of f^2 / r, up to
_MILD, _STEADY = 1e-4, 1e-3  # [J] of f^2 / r from which on the weight of reduced steps is this, so that factors stay
_HALVES, _FALLS = 6, 0.1  # most halvings of a step; the share of what it would do that it has to
_USUAL = 32.0  # unknowns of a step that counts for one
_STALLS, _SLOW = 4, 0.97  # most steps on end that leave more than this of f^2 / r


def solving_size(rows: int) -> int:
    """Numbers that solving so many rows needs to work with."""
    return 2 * rows + newton_size(rows) + reduced_size()


@kernel
def solve_impulses(
    contacts: int,
    rows: int,
    delassus: Array,
    free: Array,
    contact_table: Array,
    least: Array,
    greatest: Array,
    passes: int,
    tolerance: float,
    on_average: bool,
    workspace: Array,
    out_impulse: Array,
) -> tuple[int, float]:
    """Impulses from those that are there, by as many sweeps and steps as `passes` at most (large steps count more), or
    until the tolerance is met, or `on_average` AVERAGE times it by the root of the mean square of all rows, weighted by
    r; how many there were, and what is missed. `delassus` has `rows` numbers a line."""
    u, best, rest = workspace[:rows], workspace[rows : 2 * rows], workspace[2 * rows :]
    x, dead = out_impulse[:rows], 0.0
    for row in range(rows):
        dead = max(dead, _DEAD * delassus[row * rows + row])
    laws = (contacts, rows, delassus, contact_table, least, greatest, dead)
    enough = 0.0
    for row in range(rows if on_average else 0):
        enough += (_AVERAGE * tolerance) ** 2 * pace_of(contacts, rows, row, delassus, dead)
    best[:], u[:] = 0.0, free[:rows]
    nearest, none = measure_misses(laws, best, u, rest)
    find_velocities(rows, delassus, free, x, u)
    worst, total = measure_misses(laws, x, u, rest)
    if total <= none:
        nearest, best[:] = worst, x
    else:
        total, x[:], u[:] = none, 0.0, free[:rows]
    spent, swept, stalls = 0.0, 0, 0
    if on_average:
        forget_factors(rows, rest)
    while swept < _SWEEPS or (nearest > tolerance and total > enough and spent < passes and stalls < _STALLS):
        before = total
        if swept < _SWEEPS:
            sweep_contacts(laws, u, x)
            worst, total = measure_misses(laws, x, u, rest)
            spent, swept = spent + 1.0, swept + 1
            if not worst < nearest:
                x[:] = best
                find_velocities(rows, delassus, free, x, u)
                worst, total = measure_misses(laws, x, u, rest)
        else:
            worst, total, cost = _step(laws, on_average, total, u, rest, x)
            spent, stalls = spent + cost, 0 if total < _SLOW * before else stalls + 1
        if worst < nearest:
            nearest, best[:] = worst, x
    x[:] = best
    return math.ceil(spent), nearest


@kernel
def _step(
    laws: Laws,
    reduced: bool,
    total: float,
    out_u: Array,
    out_workspace: Array,
    out_impulse: Array,
) -> tuple[float, float, float]:
    """One of Newton's steps, `reduced` by stops or not, shortened until it helps, or a sweep where there is none; what
    is missed then, the sum of f^2 / r, and the work."""
    rows = laws[1]
    weight = _WEIGHT + min(_BLUNTEST, _BLUNT * math.sqrt(total))
    stops = 0
    if reduced:
        weight = _WEIGHT if total < _MILD else _STEADY
        count, stops = find_reduced_step(laws, out_u, weight, out_workspace)
    else:
        count = find_step(laws, out_u, weight, out_workspace)
    if count < 0:
        sweep_contacts(laws, out_u, out_impulse)
        worst, found = measure_misses(laws, out_impulse, out_u, out_workspace)
        return worst, found, 1.0
    step, change = out_workspace[STEP * rows : CHANGE * rows], out_workspace[CHANGE * rows : (CHANGE + 1) * rows]
    share, taken, worst, found = 1.0, 0.0, 0.0, total
    for _ in range(_HALVES + 1):
        for row in range(rows):
            out_impulse[row] += (share - taken) * step[row]
            out_u[row] += (share - taken) * change[row]
        worst, found = measure_misses(laws, out_impulse, out_u, out_workspace)
        if found < (1.0 - _FALLS * share) * total:
            break
        share, taken = 0.5 * share, share
    return worst, found, max(1.0, (count / _USUAL) ** 3 + (0.3 * ((count + stops) / _USUAL) ** 3 if reduced else 0.0))


@kernel
def find_velocities(rows: int, delassus: Array, free: Array, impulse: Array, out_u: Array) -> None:
    """u = W x + b."""
    for row in range(rows):
        out_u[row] = free[row]
    for row in range(rows):
        add_response(rows, row, impulse[row], delassus, out_u)
