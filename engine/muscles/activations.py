"""Static optimisation: the least activations with which muscles give wanted torques.

Least are  sum a^p / p + sum (r_j / rho_j)^2 / 2  under  sum_m A_jm a_m + r_j = tau_j  and  lower <= a <= upper, where
A_jm is the torque [N m] that muscle m gives along rate j when fully active, p is 2 or 3, and r_j are reserves: what
muscles do not give. It is a convex programme, solved by Mehrotra's predictor-corrector interior-point method (1992):
with multipliers lambda of the torques and z of the bounds,

    a^(p-1) - A' lambda - z_l + z_u = 0,   A a + rho^2 lambda = tau,   z_l (a - lower) = z_u (upper - a) = mu,

and steps that solve (A T A' + rho^2) d lambda = ... with

    T = 1 / ((p-1) a^(p-2) + z_l / (a - lower) + z_u / (upper - a)),

a matrix of as many rows as there are rates, factored within its envelope, rates of children before those of their
parents. The reserves are rho^2 lambda.

`entries` as `MusclePaths` has them: those of each muscle follow each other.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from engine.limits.inlined import borrowing, inlined, plain
from engine.maths.arrays import Array, IntArray
from engine.muscles.compile import MusclePaths
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

MOST = 60  # iterations
CLOSE = 1e-9  # to which everything is met: torques of the largest wanted, the others of 1
BARRIER, ROUNDING = 1e-10, 1e-14  # mu that is small enough
IDLE = 1e-9  # of the largest torque that a muscle gives: one that gives less rests
WITHIN = 0.9995  # of the way to a bound that a step goes
# Header of `ints`: muscles, entries, rates; then the start of each muscle's entries, and one more; the place of each
# entry's rate; the first place of each row of the matrix; where the row stands.
MUSCLES, ENTRIES, RATES = range(3)
HEADER = 3
FOR_EACH = 9  # numbers of the work memory for each muscle


@dataclass(frozen=True, eq=False)
class SharedTorques:
    """Which muscles share which rates, as packed arrays."""

    ints: IntArray
    places: IntArray  # of each rate in the order of elimination, -1 where no muscle moves it
    size: int  # numbers of the matrix within its envelope

    @property
    def count(self) -> int:
        """Number of rates that muscles move."""
        return int(self.ints[RATES])

    def new_work(self) -> Array:
        """The work memory of `share_torques`."""
        return np.zeros(4 * self.count + FOR_EACH * int(self.ints[MUSCLES]) + self.size)


def shared_torques(paths: MusclePaths, held: tuple[int, ...] = ()) -> SharedTorques:
    """Return the structure of the muscles' torques; rates that are `held`, such as those of a free root, are left to
    what holds them."""
    moved = sorted(set(paths.columns.tolist()) - set(held), reverse=True)
    places = np.full(max(paths.columns.tolist(), default=-1) + 1, -1, dtype=np.int32)
    places[moved] = np.arange(len(moved))
    starts = np.searchsorted(paths.rows, np.arange(paths.count + 1))
    entry_places = places[paths.columns]
    first = np.arange(len(moved))
    for start, end in pairwise(starts):
        used = entry_places[start:end]
        used = used[used >= 0]
        if used.size:
            first[used] = np.minimum(first[used], used.min())
    widths = np.arange(len(moved)) - first + 1
    rows = np.concatenate([[0], np.cumsum(widths)])
    ints = np.concatenate([[paths.count, paths.entry_count, len(moved)], starts, entry_places, first, rows])
    return SharedTorques(ints.astype(np.int32), places, int(rows[-1]))


@borrowing
@kernel
def add_torques(ints: IntArray, torques: Array, given: Array, out: Array) -> None:
    """Add A times a number of each muscle to the rates."""
    starts, places = HEADER, HEADER + ints[MUSCLES] + 1
    for muscle in range(ints[MUSCLES]):
        for entry in range(ints[starts + muscle], ints[starts + muscle + 1]):
            place = ints[plain(places + entry)]
            if place >= 0:
                out[plain(place)] += torques[plain(entry)] * given[muscle]


@borrowing
@inlined
def of_muscle(ints: IntArray, torques: Array, rates: Array, muscle: int) -> float:
    """Return a muscle's number in A' times one of each rate."""
    starts, places, total = HEADER, HEADER + ints[MUSCLES] + 1, 0.0
    for entry in range(ints[starts + muscle], ints[starts + muscle + 1]):
        place = ints[plain(places + entry)]
        if place >= 0:
            total += torques[plain(entry)] * rates[plain(place)]
    return total


@borrowing
@kernel
def write_matrix(ints: IntArray, torques: Array, reserves: Array, weights: Array, out: Array) -> None:
    """Write A T A' + rho^2, the rows of its lower triangle within the envelope."""
    muscles, entries, rates = ints[MUSCLES], ints[ENTRIES], ints[RATES]
    starts, places = HEADER, HEADER + muscles + 1
    firsts, rows = places + entries, places + entries + rates
    for each in range(ints[rows + rates]):
        out[plain(each)] = 0.0
    for row in range(rates):
        out[plain(ints[plain(rows + row + 1)] - 1)] = reserves[row] * reserves[row]
    for muscle in range(muscles):
        for entry in range(ints[starts + muscle], ints[starts + muscle + 1]):
            row = ints[plain(places + entry)]
            if row < 0:
                continue
            share = weights[muscle] * torques[plain(entry)]
            shift = ints[plain(rows + row)] - ints[plain(firsts + row)]
            for other in range(ints[starts + muscle], ints[starts + muscle + 1]):
                column = ints[plain(places + other)]
                if 0 <= column <= row:
                    out[plain(shift + column)] += share * torques[plain(other)]


@borrowing
@kernel
def factor_envelope(ints: IntArray, out: Array) -> None:
    """Replace the rows of a positive definite matrix by those of its Cholesky factor, diagonals inverted."""
    rates = ints[RATES]
    firsts = HEADER + ints[MUSCLES] + 1 + ints[ENTRIES]
    rows = firsts + rates
    for row in range(rates):
        first, line = ints[plain(firsts + row)], ints[plain(rows + row)] - ints[plain(firsts + row)]
        squares = 0.0
        for column in range(first, row):
            other = ints[plain(firsts + column)]
            across = ints[plain(rows + column)] - other
            start = max(first, other)
            one, two, three, four = out[plain(line + column)], 0.0, 0.0, 0.0
            each = start
            while each + 3 < column:
                one -= out[plain(line + each)] * out[plain(across + each)]
                two -= out[plain(line + each + 1)] * out[plain(across + each + 1)]
                three -= out[plain(line + each + 2)] * out[plain(across + each + 2)]
                four -= out[plain(line + each + 3)] * out[plain(across + each + 3)]
                each += 4
            while each < column:
                one -= out[plain(line + each)] * out[plain(across + each)]
                each += 1
            value = ((one + two) + (three + four)) * out[plain(across + column)]
            out[plain(line + column)] = value
            squares += value * value
        pivot = out[plain(line + row)]
        out[plain(line + row)] = 1.0 / math.sqrt(max(pivot - squares, 1e-14 * pivot))


@borrowing
@kernel
def solve_envelope(ints: IntArray, factor: Array, out_x: Array) -> None:
    """x <- A^-1 x by the factor."""
    rates = ints[RATES]
    firsts = HEADER + ints[MUSCLES] + 1 + ints[ENTRIES]
    rows = firsts + rates
    for row in range(rates):
        line, total = ints[rows + row] - ints[firsts + row], out_x[row]
        for each in range(ints[firsts + row], row):
            total -= factor[plain(line + each)] * out_x[plain(each)]
        out_x[row] = total * factor[plain(line + row)]
    for row in range(rates - 1, -1, -1):
        line = ints[rows + row] - ints[firsts + row]
        out_x[row] *= factor[plain(line + row)]
        value = out_x[row]
        for each in range(ints[firsts + row], row):
            out_x[plain(each)] -= factor[plain(line + each)] * value


@borrowing
@kernel
def write_step(
    ints: IntArray, torques: Array, bounds: Array, matrix: Array, target: float, corrects: bool, work: Array
) -> None:  # fmt: skip
    """Write the step of a, z_l, z_u and lambda to a barrier of `target`; with `corrects` minding what the step at hand
    leaves over."""
    muscles, rates = ints[MUSCLES], ints[RATES]
    a, low, high = work[:muscles], work[muscles : 2 * muscles], work[2 * muscles : 3 * muscles]
    step, low_step, high_step = (
        work[3 * muscles : 4 * muscles],
        work[4 * muscles : 5 * muscles],
        work[5 * muscles : 6 * muscles],
    )
    missed, weight, way = (
        work[6 * muscles : 7 * muscles],
        work[7 * muscles : 8 * muscles],
        work[8 * muscles : 9 * muscles],
    )
    rest = work[FOR_EACH * muscles :]
    torque_missed, turn = rest[rates : 2 * rates], rest[2 * rates : 3 * rates]
    for each in range(muscles):
        under, over = a[each] - bounds[2 * each], bounds[2 * each + 1] - a[each]
        lower, upper = target, target
        if corrects:
            lower -= step[each] * low_step[each]
            upper += step[each] * high_step[each]
        low_step[each], high_step[each] = lower / under - low[each], upper / over - high[each]
        way[each] = weight[each] * (low_step[each] - high_step[each] - missed[each])
    for each in range(rates):
        turn[each] = 0.0
    add_torques(ints, torques, way, turn)
    for each in range(rates):
        turn[each] = -torque_missed[each] - turn[each]
    solve_envelope(ints, matrix, turn)
    for each in range(muscles):
        moved = way[each] + weight[each] * of_muscle(ints, torques, turn, each)
        under, over = a[each] - bounds[2 * each], bounds[2 * each + 1] - a[each]
        step[each] = moved
        low_step[each] -= low[each] / under * moved
        high_step[each] += high[each] / over * moved


@borrowing
@kernel
def longest_step(bounds: Array, muscles: int, work: Array) -> float:
    """Return the share of a step after which a bound, or a multiplier of one, is met; 1 at most."""
    share = 1.0
    for each in range(muscles):
        moved, low, high = work[3 * muscles + each], work[4 * muscles + each], work[5 * muscles + each]
        if moved < 0.0:
            share = min(share, (bounds[2 * each] - work[each]) / moved)
        elif moved > 0.0:
            share = min(share, (bounds[2 * each + 1] - work[each]) / moved)
        if low < 0.0:
            share = min(share, -work[muscles + each] / low)
        if high < 0.0:
            share = min(share, -work[2 * muscles + each] / high)
    return share


@borrowing
@kernel
def barrier(bounds: Array, muscles: int, share: float, work: Array) -> float:
    """Return mu, the mean product of bounds and multipliers, after a share of the step."""
    total = 0.0
    for each in range(muscles):
        a = work[each] + share * work[3 * muscles + each]
        total += (work[muscles + each] + share * work[4 * muscles + each]) * (a - bounds[2 * each])
        total += (work[2 * muscles + each] + share * work[5 * muscles + each]) * (bounds[2 * each + 1] - a)
    return total / (2.0 * muscles)


@borrowing
@kernel
def rest_idle(ints: IntArray, torques: Array, bounds: Array, out_activations: Array) -> None:
    """Set muscles that give next to nothing to their lower bound, which they come to as slowly as mu falls."""
    starts, places, strongest = HEADER, HEADER + ints[MUSCLES] + 1, 0.0
    for settles in range(2):
        for muscle in range(ints[MUSCLES]):
            given = 0.0
            for entry in range(ints[starts + muscle], ints[starts + muscle + 1]):
                if ints[plain(places + entry)] >= 0:
                    given = max(given, abs(torques[plain(entry)]))
            if settles == 0:
                strongest = max(strongest, given)
            elif given <= IDLE * strongest:
                out_activations[muscle] = bounds[2 * muscle]


@borrowing
@kernel
def share_torques(
    power: int, ints: IntArray, torques: Array, wanted: Array, reserves: Array, bounds: Array, work: Array,
    out_activations: Array, out_reserves: Array,
) -> int:  # fmt: skip
    """Share wanted torques among muscles; return the number of iterations, below 0 where it did not come to an end.

    torques: of each entry [N m]; wanted, reserves (rho), out_reserves (r): of each rate in the order of elimination;
    bounds: lower and upper of each muscle, one after the other.
    """
    muscles, rates = ints[MUSCLES], ints[RATES]
    a, low, high = work[:muscles], work[muscles : 2 * muscles], work[2 * muscles : 3 * muscles]
    missed, weight = work[6 * muscles : 7 * muscles], work[7 * muscles : 8 * muscles]
    rest = work[FOR_EACH * muscles :]
    multiplier, torque_missed, turn = rest[:rates], rest[rates : 2 * rates], rest[2 * rates : 3 * rates]
    matrix, largest = rest[4 * rates :], 1e-9
    for each in range(rates):
        largest = max(largest, abs(wanted[each]))
        multiplier[each] = 0.0
    for each in range(muscles):
        a[each] = 0.5 * (bounds[2 * each] + bounds[2 * each + 1])
        low[each] = high[each] = 1.0
        for step in range(3, 6):
            work[step * muscles + each] = 0.0
    for count in range(MOST):
        worst, steepest, off = 0.0, 1.0, 0.0
        for each in range(rates):
            torque_missed[each] = reserves[each] * reserves[each] * multiplier[each] - wanted[each]
        add_torques(ints, torques, a, torque_missed)
        for each in range(rates):
            worst = max(worst, abs(torque_missed[each]) / largest)
        for each in range(muscles):
            slope = a[each] if power == 2 else a[each] * a[each]
            missed[each] = slope - of_muscle(ints, torques, multiplier, each) - low[each] + high[each]
            steepest, off = max(steepest, low[each], high[each]), max(off, abs(missed[each]))
            bend = 1.0 if power == 2 else 2.0 * a[each]
            under, over = a[each] - bounds[2 * each], bounds[2 * each + 1] - a[each]
            weight[each] = 1.0 / (bend + low[each] / under + high[each] / over)
        mu = barrier(bounds, muscles, 0.0, work)
        if max(worst, off / steepest) <= CLOSE and mu <= max(BARRIER, ROUNDING * steepest):
            for each in range(muscles):
                out_activations[each] = a[each]
            for each in range(rates):
                out_reserves[each] = reserves[each] * reserves[each] * multiplier[each]
            rest_idle(ints, torques, bounds, out_activations)
            return count
        write_matrix(ints, torques, reserves, weight, matrix)
        factor_envelope(ints, matrix)
        write_step(ints, torques, bounds, matrix, 0.0, False, work)
        share = longest_step(bounds, muscles, work)
        after = barrier(bounds, muscles, share, work)
        write_step(ints, torques, bounds, matrix, mu * (after / mu) ** 3, True, work)
        share = min(1.0, WITHIN * longest_step(bounds, muscles, work))
        for each in range(3 * muscles):
            work[each] += share * work[3 * muscles + each]
        for each in range(rates):
            multiplier[each] += share * turn[each]
    for each in range(muscles):
        out_activations[each] = a[each]
    for each in range(rates):
        out_reserves[each] = reserves[each] * reserves[each] * multiplier[each]
    return -MOST
