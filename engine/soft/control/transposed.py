"""Transposed derivatives of an implicit step by where it began, without a matrix.

The state x' after a step is where the gradient g(x'; x, v, alpha) of its energy (`assembly.py`) vanishes. For a vector
y of the points these kernels add -(dg/dx)^T y, and the same by v and by alphas, of all that the energy sums but
contact, which is in `transposed_contact.py`:

    inertia, damping of the mass    M y / dt^2 + a M y / dt  by x,  M y / dt  by v
    springs, c (|d'| - |d|)^2 / 2dt            c / dt (e'.y_d) e       along the directions e', e after and before
    splines, likewise; and by alpha            k l0 (e'.B y)
    viscous cells, P = V F' S(G' - G) / dt     V / dt F S(sym(F'^T Y)) b_a,  Y = sum y_a b_a^T
    springs to targets                         c / dt y

`stiffen_viscous` adds what the matrix of `assembly.py` leaves out and a derivative may not: the change of F' at a held
viscous stress S, V / dt (b_a.S b_b) 1 for two corners.
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.assembly import Around, SoftBodies
from engine.soft.cells import VISCOUS, CellBatches, Springs
from engine.soft.lanes import FLAT, PLACE, REST_ROWS, VISCOUS_LAMBDA, VISCOUS_MU, VOLUME, L
from engine.soft.strings import (
    ALPHA,
    DAMPING,
    REST_LENGTH,
    STIFFNESS,
    Strings,
    along,
    gather_rows,
    push_ends,
    spread_rows,
)
from engine.soft.virtual_springs import LEAST_ALPHA, MOST_ALPHA

WAYS = 6
"""Numbers of a segment that `transpose_strings` keeps: its directions after and before the step."""


@kernel
def transpose_step(
    bodies: SoftBodies,
    around: Around,
    places: tuple[Array, Array],
    y: Array,
    dt: float,
    ways: Array,
    out_x: Array,
    out_v: Array,
    out_alphas: Array,
) -> None:
    """Add what a vector gives by x, v and alphas, contact left out. `places`: of all points after and before the step;
    `ways`: room, shape [segment_count, WAYS]."""
    after, before = places
    for point in range(bodies.masses.shape[0]):
        inert, drag = bodies.masses[point] / dt, bodies.drags[point] / dt
        for each in range(3 * point, 3 * point + 3):
            out_v[each] += inert * y[each]
            out_x[each] += (inert / dt + drag) * y[each]
    transpose_springs(bodies.springs, after, before, y, dt, out_x)
    transpose_strings(bodies.strings, after, before, y, dt, ways, out_x, out_alphas)
    transpose_cells(bodies.tetrahedra, 4, 0, after, before, y, dt, out_x)
    transpose_cells(bodies.samples, 4, 1, after, before, y, dt, out_x)
    transpose_cells(bodies.bricks, 8, 8, after, before, y, dt, out_x)
    for each in range(around.pulled.shape[0]):
        at, slow = 3 * around.pulled[each], around.pulls[each, 4] / dt
        for way in range(3):
            out_x[at + way] += slow * y[at + way]


@kernel
def transpose_springs(springs: Springs, after: Array, before: Array, y: Array, dt: float, out_x: Array) -> None:
    """Add what damped springs along edges give."""
    for each in range(springs.nodes.shape[0]):
        slow = springs.values[each, 2] / dt
        if slow == 0.0:
            continue
        i, j = 3 * springs.nodes[each, 0], 3 * springs.nodes[each, 1]
        a, b, c = after[j] - after[i], after[j + 1] - after[i + 1], after[j + 2] - after[i + 2]
        length = max(math.sqrt(a * a + b * b + c * c), 1e-12)
        u, v, w = before[j] - before[i], before[j + 1] - before[i + 1], before[j + 2] - before[i + 2]
        earlier = max(math.sqrt(u * u + v * v + w * w), 1e-12)
        felt = a * (y[j] - y[i]) + b * (y[j + 1] - y[i + 1]) + c * (y[j + 2] - y[i + 2])
        felt *= slow / (length * earlier)
        out_x[i] -= felt * u
        out_x[i + 1] -= felt * v
        out_x[i + 2] -= felt * w
        out_x[j] += felt * u
        out_x[j + 1] += felt * v
        out_x[j + 2] += felt * w


@kernel
def transpose_strings(
    strings: Strings, after: Array, before: Array, y: Array, dt: float, ways: Array, out_x: Array, out_alphas: Array
) -> None:
    """Add what the springs of splines give, by x and by their alphas; these count only within what they may be."""
    count = strings.segments.shape[0]
    if count == 0:
        return
    for turn in range(2):
        gather_rows(strings, after if turn == 0 else before)
        for each in range(count):
            a, b, c = along(strings, each)
            length, k = max(math.sqrt(a * a + b * b + c * c), 1e-12), 3 * turn
            ways[each, k], ways[each, k + 1], ways[each, k + 2] = a / length, b / length, c / length
    gather_rows(strings, y)
    for each in range(count):
        springs = strings.springs[each]
        a, b, c = along(strings, each)
        felt = ways[each, 0] * a + ways[each, 1] * b + ways[each, 2] * c
        slow = springs[DAMPING] / dt * felt
        push_ends(strings, each, slow * ways[each, 3], slow * ways[each, 4], slow * ways[each, 5])
        if LEAST_ALPHA < springs[ALPHA] < MOST_ALPHA:
            out_alphas[each] += springs[STIFFNESS] * springs[REST_LENGTH] * felt
    spread_rows(strings, out_x)


@inlined
def read_cell(
    cells: CellBatches, corners: int, samples: int, batch: int, lane: int, sample: int, slopes: Array
) -> float:
    """Read the slopes of the corners of a cell at a sample; its volume. Without samples it is a tetrahedron of
    `lanes.py`, whose last corner has none of its own."""
    if samples == 0:
        first = batch * REST_ROWS * L + lane
        for way in range(3):
            total = 0.0
            for corner in range(3):
                slopes[corner, way] = cells.rest[first + (3 * corner + way) * L]
                total += slopes[corner, way]
            slopes[3, way] = -total
        return float(cells.rest[first + VOLUME * L])
    first = batch * (REST_ROWS + 3 * corners * samples) * L + lane
    for corner in range(corners):
        for way in range(3):
            slopes[corner, way] = cells.rest[first + (REST_ROWS + 3 * (corners * sample + corner) + way) * L]
    return float(cells.rest[first + sample * L])


@inlined
def sum_cell(
    cells: CellBatches, corners: int, batch: int, lane: int, slopes: Array, x: Array, flat: float, out: Array
) -> None:
    """Compute sum x_a b_a^T of a cell."""
    for row in range(3):
        for way in range(3):
            out[row, way] = 0.0
    out[2, 2] = flat
    for corner in range(corners):
        at = (3 * cells.nodes[(batch * corners + corner) * L + lane]) & PLACE
        for row in range(3):
            for way in range(3):
                out[row, way] += x[at + row] * slopes[corner, way]


@inlined
def stress_of(mu: float, lam: float, out: Array) -> None:
    """Turn a symmetric strain into the stress 2 mu D + lambda tr D 1, in place."""
    trace = lam * (out[0, 0] + out[1, 1] + out[2, 2])
    for row in range(3):
        for way in range(3):
            out[row, way] *= 2.0 * mu
        out[row, row] += trace


@kernel
def transpose_cells(
    cells: CellBatches, corners: int, samples: int, after: Array, before: Array, y: Array, dt: float, out_x: Array
) -> None:
    """Add what viscous cells give; `samples` is zero for tetrahedra of `lanes.py`."""
    slopes, now, then, wanted, stress = (
        np.empty((8, 3)),
        np.empty((3, 3)),
        np.empty((3, 3)),
        np.empty((3, 3)),
        np.empty((3, 3)),
    )
    rows = REST_ROWS + 3 * corners * samples
    for batch in range(cells.kinds.shape[0]):
        if cells.kinds[batch] < VISCOUS:
            continue
        for lane in range(L):
            first = batch * rows * L + lane
            flat = cells.rest[first + FLAT * L]
            for sample in range(max(1, samples)):
                share = read_cell(cells, corners, samples, batch, lane, sample, slopes) / dt
                mu, lam = share * cells.rest[first + VISCOUS_MU * L], share * cells.rest[first + VISCOUS_LAMBDA * L]
                if mu == 0.0 and lam == 0.0:
                    continue
                sum_cell(cells, corners, batch, lane, slopes, after, flat, now)
                sum_cell(cells, corners, batch, lane, slopes, before, flat, then)
                sum_cell(cells, corners, batch, lane, slopes, y, 0.0, wanted)
                for i in range(3):
                    for j in range(3):
                        total = 0.0
                        for k in range(3):
                            total += now[k, i] * wanted[k, j] + now[k, j] * wanted[k, i]
                        stress[i, j] = 0.5 * total
                stress_of(mu, lam, stress)
                for corner in range(corners):
                    at = (3 * cells.nodes[(batch * corners + corner) * L + lane]) & PLACE
                    for way in range(3):
                        total = 0.0
                        for k in range(3):
                            total += stress[way, k] * slopes[corner, k]
                        for row in range(3):
                            out_x[at + row] += then[row, way] * total


@kernel
def stiffen_viscous(bodies: SoftBodies, after: Array, before: Array, dt: float, out_values: Array) -> None:
    """Add to the matrix what it leaves out of viscous stress."""
    stiffen_cells(bodies.tetrahedra, 4, 0, after, before, dt, out_values)
    stiffen_cells(bodies.samples, 4, 1, after, before, dt, out_values)
    stiffen_cells(bodies.bricks, 8, 8, after, before, dt, out_values)


@kernel
def stiffen_cells(
    cells: CellBatches, corners: int, samples: int, after: Array, before: Array, dt: float, out_values: Array
) -> None:
    """Add the blocks V / dt (b_a.S b_b) 1 of cells."""
    slopes, now, then, stress = np.empty((8, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    rows, pairs = REST_ROWS + 3 * corners * samples, corners * (corners + 1) // 2
    for batch in range(cells.kinds.shape[0]):
        if cells.kinds[batch] < VISCOUS:
            continue
        for lane in range(L):
            first = batch * rows * L + lane
            flat = cells.rest[first + FLAT * L]
            for sample in range(max(1, samples)):
                share = read_cell(cells, corners, samples, batch, lane, sample, slopes) / dt
                mu, lam = share * cells.rest[first + VISCOUS_MU * L], share * cells.rest[first + VISCOUS_LAMBDA * L]
                if mu == 0.0 and lam == 0.0:
                    continue
                sum_cell(cells, corners, batch, lane, slopes, after, flat, now)
                sum_cell(cells, corners, batch, lane, slopes, before, flat, then)
                for i in range(3):
                    for j in range(3):
                        total = 0.0
                        for k in range(3):
                            total += now[k, i] * now[k, j] - then[k, i] * then[k, j]
                        stress[i, j] = 0.5 * total
                stress_of(mu, lam, stress)
                pair = 0
                for one in range(corners):
                    for other in range(one, corners):
                        total = 0.0
                        for i in range(3):
                            for j in range(3):
                                total += slopes[one, i] * stress[i, j] * slopes[other, j]
                        to = (9 * cells.places[(batch * pairs + pair) * L + lane]) & PLACE
                        out_values[to] += total
                        out_values[to + 4] += total
                        out_values[to + 8] += total
                        pair += 1
