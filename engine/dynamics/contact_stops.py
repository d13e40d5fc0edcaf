"""Kernels: Newton's steps of `contact_newton.py` where many joints are at their stops.

The row of a stop that pushes says that its velocity is to be 0: (W + weight / r) dx = -f / r, whatever the others do,
and is symmetric. So all of these are eliminated first, at half the work, and stay so while the same rows push. What is
left are the equations of the contacts, with W less what gives way at the stops: a dozen where there were a hundred.

The workspace has, behind that of `contact_newton.py`: the number of stops that are eliminated, the number of all rows
of the factors, the weight that is in them; these rows, stops first; the right-hand side; the factors, upper half, a
line each: first the lines of stops as they were when their turn came, then what is left of W.
"""

from __future__ import annotations

from engine.dynamics.contact_newton import (
    CHANGE,
    MISSES,
    MOST,
    PLACE,
    ROW_BUFFERS,
    STEP,
    UNKNOWN,
    eliminate,
    list_unknowns,
    pace_of,
    write_equations,
)
from engine.dynamics.contact_points import CONTACT, FRICTION
from engine.dynamics.contact_sweeps import Laws, add_response
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

MOST_ROWS = 320
"""Unknowns of contacts and stops that a step can have; MOST of them of contacts."""
_BEHIND = MOST + MOST * (MOST + 1)  # what `contact_newton.py` has behind its rows
_STOPS, _COUNT, _WEIGHT, _ROWS = 0, 1, 2, 3
_RIGHT, _FACTORS = _ROWS + MOST_ROWS, _ROWS + 2 * MOST_ROWS
_PANEL = 4


def reduced_size() -> int:
    """Numbers that this takes beside what `newton_size` says."""
    return _FACTORS + MOST_ROWS * MOST_ROWS


@kernel
def forget_factors(rows: int, out_workspace: Array) -> None:
    """Begin with other equations: no factors are known."""
    out_workspace[ROW_BUFFERS * rows + _BEHIND + _COUNT] = -1.0


@kernel
def find_reduced_step(laws: Laws, u: Array, weight: float, out_workspace: Array) -> tuple[int, int]:
    """Compute dx and W dx, in the workspace, from what `measure_misses` left there; return the numbers of unknowns of
    contacts and of stops, the first -1 where there is no step."""
    contacts, rows, delassus, contact_table, _, _, dead = laws
    misses, step = out_workspace[MISSES * rows : STEP * rows], out_workspace[STEP * rows : CHANGE * rows]
    change = out_workspace[CHANGE * rows : PLACE * rows]
    unknown = out_workspace[UNKNOWN * rows : ROW_BUFFERS * rows]
    rest, own = out_workspace[ROW_BUFFERS * rows :], out_workspace[ROW_BUFFERS * rows + _BEHIND :]
    count, stops = list_unknowns(laws, True, out_workspace)
    if count < 0 or count + stops > MOST_ROWS:
        return -1, 0
    change[:] = 0.0
    for row in range(rows):
        step[row] = -misses[row] if unknown[row] < 0.0 else 0.0
        add_response(rows, row, step[row], delassus, change)
    chosen, equations = rest[:MOST], rest[MOST:]
    total = _list_rows(contacts, rows, stops, chosen, count, unknown, weight, own)
    if total < 0:
        total = count + stops
        _write_factors(laws, stops, total, weight, own)
    right = own[_RIGHT : _RIGHT + total]
    right[:] = 0.0
    for each in range(stops):
        row = int(own[_ROWS + each])
        right[each] = -misses[row] / pace_of(contacts, rows, row, delassus, dead) - change[row]
    _eliminate_right(stops, total, own)
    for each in range(count):
        at = _FACTORS + (stops + each) * MOST_ROWS + stops
        for other in range(each, count):
            equations[each * (count + 1) + other] = equations[other * (count + 1) + each] = own[at + other]
        change[int(chosen[each])] -= right[stops + each]
    for first in range(0, count, 3):
        row = int(chosen[first])
        r, mu = pace_of(contacts, rows, row, delassus, dead), contact_table[row // 3 * CONTACT + FRICTION]
        write_equations(row, rows, r, mu, weight, count, u, out_workspace)
    for each in range(count):
        change[int(chosen[each])] += right[stops + each]
    if not eliminate(count, equations):
        return -1, 0
    for each in range(count):
        row = int(chosen[each])
        step[row] = equations[each * (count + 1) + count]
        add_response(rows, row, step[row], delassus, change)
    _find_stops(stops, total, count, equations, own)
    for each in range(stops):
        row = int(own[_ROWS + each])
        step[row] = right[each]
        add_response(rows, row, step[row], delassus, change)
    return count, stops


@kernel
def _list_rows(
    contacts: int, rows: int, stops: int, chosen: Array, count: int, unknown: Array, weight: float, out_own: Array
) -> int:
    """List the rows of stops that push, then those of contacts; how many, or -1 if the factors are those of others."""
    known = out_own[_COUNT] == count + stops and out_own[_STOPS] == stops and out_own[_WEIGHT] == weight
    place = 0
    for row in range(3 * contacts, rows):
        if unknown[row] >= 0.0:
            known = known and out_own[_ROWS + place] == row
            out_own[_ROWS + place] = row
            place += 1
    for each in range(count):
        known = known and out_own[_ROWS + place] == chosen[each]
        out_own[_ROWS + place] = chosen[each]
        place += 1
    return place if known else -1


@kernel
def _write_factors(laws: Laws, stops: int, total: int, weight: float, out_own: Array) -> None:
    """Eliminate the stops from W over the rows that are listed."""
    contacts, rows, delassus, _, _, _, dead = laws
    out_own[_STOPS], out_own[_COUNT], out_own[_WEIGHT] = stops, total, weight
    for each in range(total):
        row, line = int(out_own[_ROWS + each]), out_own[_FACTORS + each * MOST_ROWS :]
        for other in range(each, total):
            line[other] = delassus[row * rows + int(out_own[_ROWS + other])]
        if each < stops:
            line[each] += weight / pace_of(contacts, rows, row, delassus, dead)
    for first in range(0, stops, _PANEL):
        end = min(stops, first + _PANEL)
        for column in range(first, end):
            upper = out_own[_FACTORS + column * MOST_ROWS :]
            for row in range(column + 1, end):
                share, lower = upper[row] / upper[column], out_own[_FACTORS + row * MOST_ROWS :]
                for place in range(row, total):
                    lower[place] -= share * upper[place]
        if end - first == _PANEL:
            _take_four(first, total, out_own)
        else:
            for column in range(first, end):
                upper = out_own[_FACTORS + column * MOST_ROWS :]
                for row in range(end, total):
                    share, lower = upper[row] / upper[column], out_own[_FACTORS + row * MOST_ROWS :]
                    for place in range(row, total):
                        lower[place] -= share * upper[place]


@kernel
def _take_four(first: int, total: int, out_own: Array) -> None:
    """Take four lines from all below them, which are gone through once."""
    a, b = out_own[_FACTORS + first * MOST_ROWS :], out_own[_FACTORS + (first + 1) * MOST_ROWS :]
    c, d = out_own[_FACTORS + (first + 2) * MOST_ROWS :], out_own[_FACTORS + (first + 3) * MOST_ROWS :]
    e, f, g, h = 1.0 / a[first], 1.0 / b[first + 1], 1.0 / c[first + 2], 1.0 / d[first + 3]
    for row in range(first + _PANEL, total):
        p, q, r, s = a[row] * e, b[row] * f, c[row] * g, d[row] * h
        at = _FACTORS + row * MOST_ROWS
        lower, i, j = out_own[at + row : at + total], a[row:total], b[row:total]
        k, m = c[row:total], d[row:total]
        for place in range(len(lower)):
            lower[place] = lower[place] - p * i[place] - q * j[place] - r * k[place] - s * m[place]


@kernel
def _eliminate_right(stops: int, total: int, out_own: Array) -> None:
    """Take the stops' right-hand sides from those of the rows behind them."""
    right = out_own[_RIGHT : _RIGHT + total]
    for column in range(stops):
        upper = out_own[_FACTORS + column * MOST_ROWS :]
        share = right[column] / upper[column]
        for row in range(column + 1, total):
            right[row] -= share * upper[row]


@kernel
def _find_stops(stops: int, total: int, count: int, equations: Array, out_own: Array) -> None:
    """Compute dx of the stops from that of the contacts, in the right-hand side."""
    right = out_own[_RIGHT : _RIGHT + total]
    for each in range(count):
        right[stops + each] = equations[each * (count + 1) + count]
    for column in range(stops - 1, -1, -1):
        upper, found = out_own[_FACTORS + column * MOST_ROWS :], right[column]
        for row in range(column + 1, total):
            found -= upper[row] * right[row]
        right[column] = found / upper[column]
