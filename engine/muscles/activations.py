"""Static optimisation: the least activations with which muscles give wanted torques.

Least are  sum a^p / p + sum (r_j / rho_j)^2 / 2  under  sum_m A_jm a_m + r_j = tau_j  and  lower <= a <= upper, where
A_jm is the torque [N m] that muscle m gives along rate j when fully active, p is 2 or 3, and r_j are reserves: what
muscles do not give. Of this convex programme the dual, which has no constraints, is minimised in one multiplier lambda
for each rate:

    D = sum psi(s_m) + sum (rho_j lambda_j)^2 / 2 - tau' lambda,    s = A' lambda,
    psi'(s) = a(s) = min(max(alpha(s), lower), upper),    alpha(s) = s for squares, sqrt(s) for cubes.

At its least  A a(s) + rho^2 lambda = tau,  with reserves rho^2 lambda. D is convex and its slope continuous, so
Newton's method (Hintermueller, Ito and Kunisch 2002: a primal-dual active set strategy) with an exact search along its
steps comes down from anywhere, and from the multipliers of the frame before in a few. A step solves

    (A T A' + rho^2) d lambda = tau - A a - rho^2 lambda,    T = a'(s), 0 at a bound,

a matrix of as many rows as there are rates, factored within its envelope, rates of children before those of their
parents. For cubes alpha is that of a^2 + `SOFTENED` a, whose slope is bounded at 0.

Forces are linear in activations but for Thelen's, whose rate is measured by one, and those of tendons that stretch:
these are taken along their tangents, anew until activations stay. Swiftly shortening muscles pull with more than their
share as they are activated, so that no least need be near and tangents may leap to and fro. After `TANGENTS` of them
the activations and reserves are taken that are nearest to the last ones and give the torques, by Newton's method on
forces as they are.

`entries` as `MusclePaths` has them: those of each muscle follow each other.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from engine.limits.inlined import inlined, plain
from engine.maths.arrays import Array, IntArray
from engine.muscles.compile import MusclePaths
from engine.muscles.elastic import write_force
from engine.muscles.hill import BY_ACTIVATION, DE_GROOTE, FORCES, LINEAR, PULL, STRENGTH
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import entered_kernel, kernel
from engine.runtime.quick_dataclass import dataclass

MOST = 60  # Newton steps
CLOSE = 1e-10  # to which torques are met, of the largest wanted
SOFTENED = 1e-6
ALONG, NARROW, FLAT = 40, 1e-6, 1e-3  # looks along a step; when they are enough
TANGENTS, NEARER, STAYS = 12, 30, 1e-6  # how often forces are taken anew; what no activation moves by any more
# Header of `ints`: muscles, entries, rates; then the start of each muscle's entries, and one more; the place of each
# entry's rate; the first place of each row of the matrix; where the row stands.
MUSCLES, ENTRIES, RATES = range(3)
HEADER = 3
FOR_EACH, FOR_RATE = 3, 2  # numbers of the work memory for each muscle, for each rate
Answer = tuple[Array, Array, Array]
"""Multipliers, with those to begin from; activations; reserves."""


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
        return np.zeros(FOR_RATE * self.count + FOR_EACH * int(self.ints[MUSCLES]) + self.size)


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
@inlined
def activation_of(power: int, s: float, lower: float, upper: float) -> float:
    """Return the activation that belongs to what multipliers make of a muscle."""
    if power == 2:
        return min(max(s, lower), upper)
    if s <= 0.0:
        return lower
    return min(max(2.0 * s / (SOFTENED + math.sqrt(SOFTENED * SOFTENED + 4.0 * s)), lower), upper)


@borrowing
@kernel
def miss_torques(
    power: int, ints: IntArray, torques: Array, wanted: Array, reserves: Array, bounds: Array, answer: Answer,
    out_s: Array, out_missed: Array,
) -> float:  # fmt: skip
    """Write A' lambda, the activations and tau - A a - rho^2 lambda; return the largest of the last."""
    multipliers, activations, _ = answer
    for each in range(ints[RATES]):
        out_missed[each] = reserves[each] * reserves[each] * multipliers[each] - wanted[each]
    for each in range(ints[MUSCLES]):
        out_s[each] = of_muscle(ints, torques, multipliers, each)
        activations[each] = activation_of(power, out_s[each], bounds[2 * each], bounds[2 * each + 1])
    add_torques(ints, torques, activations, out_missed)
    worst = 0.0
    for each in range(ints[RATES]):
        out_missed[each] = -out_missed[each]
        worst = max(worst, abs(out_missed[each]))
    return worst


@borrowing
@kernel
def slope_along(power: int, bounds: Array, s: Array, way: Array, share: float) -> float:
    """Return what activations give to the slope of D along a step."""
    found = 0.0
    for each in range(s.shape[0]):
        at = s[each] + share * way[each]
        found += activation_of(power, at, bounds[2 * each], bounds[2 * each + 1]) * way[each]
    return found


@borrowing
@kernel
def search_along(power: int, bounds: Array, s: Array, way: Array, slope: float, bend: float) -> float:
    """Return where along a step D is least, at most 1: where its slope, which rises, comes to nought; `slope` and
    `bend` are of its other terms."""
    above = slope + bend + slope_along(power, bounds, s, way, 1.0)
    if above <= 0.0:
        return 1.0
    begin = slope + slope_along(power, bounds, s, way, 0.0)
    low, high, below = 0.0, 1.0, begin
    for count in range(ALONG):
        # Where a line between the ends meets nought; every third time the middle, lest one of them stays.
        share = 0.5 * (low + high) if count % 3 == 2 else low - below * (high - low) / (above - below)
        found = slope + share * bend + slope_along(power, bounds, s, way, share)
        if found > 0.0:
            high, above = share, found
        else:
            low, below = share, found
        if high - low < NARROW or abs(found) < FLAT * abs(begin):
            return share
    return 0.5 * (low + high)


@borrowing
@entered_kernel
def share_torques(
    power: int, ints: IntArray, torques: Array, wanted: Array, reserves: Array, bounds: Array, work: Array,
    out_answer: Answer,
) -> int:  # fmt: skip
    """Share wanted torques among muscles; return the number of Newton steps, below 0 where it did not come to an end.

    torques: of each entry [N m]; wanted, reserves (rho) and what is found: of each rate in the order of elimination;
    bounds: lower and upper of each muscle, one after the other.
    """
    multipliers, activations, left = out_answer
    muscles, rates = ints[MUSCLES], ints[RATES]
    s, way, weight = work[:muscles], work[muscles : 2 * muscles], work[2 * muscles : 3 * muscles]
    rest = work[FOR_EACH * muscles :]
    missed, step, matrix = rest[:rates], rest[rates : 2 * rates], rest[FOR_RATE * rates :]
    largest, count = 1e-9, 0
    for each in range(rates):
        largest = max(largest, abs(wanted[each]))
    worst = miss_torques(power, ints, torques, wanted, reserves, bounds, out_answer, s, missed)
    while worst > CLOSE * largest and count < MOST:
        count += 1
        for each in range(muscles):
            a = activations[each]
            free = bounds[2 * each] < a < bounds[2 * each + 1]
            bend_of = 1.0 if power == 2 else 1.0 / (SOFTENED + 2.0 * a)
            weight[each] = bend_of if free else 0.0
        write_matrix(ints, torques, reserves, weight, matrix)
        factor_envelope(ints, matrix)
        slope, bend = 0.0, 0.0
        for each in range(rates):
            step[each] = missed[each]
        solve_envelope(ints, matrix, step)
        for each in range(rates):
            square = reserves[each] * reserves[each] * step[each]
            slope += square * multipliers[each] - wanted[each] * step[each]
            bend += square * step[each]
        for each in range(muscles):
            way[each] = of_muscle(ints, torques, step, each)
        share = search_along(power, bounds, s, way, slope, bend)
        for each in range(rates):
            multipliers[each] += share * step[each]
        worst = miss_torques(power, ints, torques, wanted, reserves, bounds, out_answer, s, missed)
    for each in range(rates):
        left[each] = reserves[each] * reserves[each] * multipliers[each]
    return count if worst <= CLOSE * largest else -count


@borrowing
@kernel
def share_nearest(
    ints: IntArray, torques: Array, wanted: Array, reserves: Array, bounds: Array, before: Array,
    work: tuple[Array, Array, Array], out_answer: Answer,
) -> int:  # fmt: skip
    """Share as `share_torques` does, with the least squares of changes of activations and reserves, multipliers being
    those of the changes."""
    multipliers, activations, left = out_answer
    kept, near, own = work
    for each in range(ints[MUSCLES]):
        near[2 * each], near[2 * each + 1] = bounds[2 * each] - before[each], bounds[2 * each + 1] - before[each]
        activations[each] = -before[each]
    for each in range(ints[RATES]):
        kept[each], multipliers[each] = left[each], 0.0
        wanted[each] -= left[each]
    add_torques(ints, torques, activations, wanted)
    steps = share_torques(2, ints, torques, wanted, reserves, near, own, out_answer)
    for each in range(ints[MUSCLES]):
        activations[each] += before[each]
    for each in range(ints[RATES]):
        left[each] += kept[each]
    return steps


def length_among_muscles(paths: MusclePaths, shared: SharedTorques) -> int:
    """Return how long the work memory of `share_among_muscles` is."""
    return (FORCES + 3) * paths.count + paths.entry_count + 3 * shared.count + shared.new_work().size


@borrowing
@kernel
def share_among_muscles(
    how: tuple[int, int], ints: IntArray, strengths: Array, measured: tuple[Array, Array, Array], wanted: Array,
    reserves: Array, bounds: Array, work: Array, out_answer: Answer,
) -> int:  # fmt: skip
    """Share wanted torques among muscles as they are and move; return the number of Newton steps, below 0 where it did
    not come to an end.

    how: model of forces, power; measured: lengths, their gradient by entries, rates. What muscles pull with anyway,
    passively, is theirs. Activations that are given are where tangents are taken first. `work` is as long as
    `length_among_muscles` says.
    """
    (model, power), (lengths, gradient, rates) = how, measured
    multipliers, activations, _ = out_answer
    muscles, entries, count = ints[MUSCLES], ints[ENTRIES], ints[RATES]
    starts, places = HEADER, HEADER + muscles + 1
    forces, torques = work[: FORCES * muscles], work[FORCES * muscles : FORCES * muscles + entries]
    rest = work[FORCES * muscles + entries :]
    asked, before, rest = rest[:count], rest[count : count + muscles], rest[count + muscles :]
    kept, known, rest = rest[:count], rest[count : 2 * count], rest[2 * count :]
    near, own = rest[: 2 * muscles], rest[2 * muscles :]
    total = 0
    for number in range(TANGENTS + NEARER):
        for each in range(count):
            asked[each] = wanted[each]
        for muscle in range(muscles):
            at = FORCES * muscle
            before[muscle] = activations[muscle]
            write_force(model, strengths, STRENGTH * muscle, lengths[muscle], rates[muscle], before[muscle], forces, at)
            still = forces[at + PULL] - forces[at + BY_ACTIVATION] * before[muscle]
            for entry in range(ints[starts + muscle], ints[starts + muscle + 1]):
                torques[plain(entry)] = -gradient[plain(entry)] * forces[at + BY_ACTIVATION]
                place = ints[plain(places + entry)]
                if place >= 0:
                    asked[plain(place)] += gradient[plain(entry)] * still
        if number < TANGENTS:
            steps = share_torques(power, ints, torques, asked, reserves, bounds, own, out_answer)
        else:
            for each in range(count if number == TANGENTS else 0):
                known[each] = multipliers[each]
            steps = share_nearest(ints, torques, asked, reserves, bounds, before, (kept, near, own), out_answer)
        total += abs(steps)
        moved = 0.0
        for muscle in range(muscles):
            moved = max(moved, abs(activations[muscle] - before[muscle]))
        if steps < 0 or model in (LINEAR, DE_GROOTE) or moved <= STAYS:
            for each in range(count if number >= TANGENTS else 0):
                multipliers[each] = known[each]
            return total if steps >= 0 else -total
    for each in range(count):
        multipliers[each] = known[each]
    return -total
