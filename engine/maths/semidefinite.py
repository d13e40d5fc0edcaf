"""The pseudo-inverse of a small positive semidefinite matrix by Cholesky's factor with pivots.

The largest diagonal entry that is left comes next (Higham 1990) until it is below a part of the first: so many are the
rank r. With rows in that order A = B G B^T, where B = (I; W) and G = L L^T is of full rank, so that

    A^+ = B S^-1 G^-1 S^-1 B^T,     S = B^T B = I + W^T W,     S^-1 = I - W^T (I + W W^T)^-1 W.

Nothing is squared on the way, W is small, and I + W W^T has as many rows as A lacks in rank. About n^3 / 6
multiplications, where eigenvalues take fifty times as many.

Matrices lie row by row in flat buffers, and of A only the lower triangle is read. A row whose diagonal entry is zero is
zero: of that it is marked in the order, and passed over everywhere.
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array
from engine.maths.symmetric import factor_cholesky, solve_cholesky
from engine.runtime.jit import kernel


@kernel
def factor_semidefinite(a: Array, size: int, least: float, out_factor: Array, out_order: Array, out_gram: Array) -> int:
    """L over W, its diagonal inverted, the order of its rows, and the factor of I + W W^T; returns the rank: a pivot is
    left out if it is not above `least` of the first. `out_factor` and `out_gram` have room for `size` squared numbers
    each, `out_order` for twice `size`."""
    left = out_order[size:]
    for row in range(size):
        left[row] = a[row * size + row]
        out_order[row] = row if left[row] != 0.0 else -1 - row
    rank, first = 0, 0.0
    while rank < size:
        best = rank
        for row in range(rank + 1, size):
            if left[row] > left[best]:
                best = row
        if rank == 0:
            first = left[best]
        if not (left[best] > least * first and left[best] > 0.0):
            break
        if best != rank:
            out_order[best], out_order[rank] = out_order[rank], out_order[best]
            left[best], left[rank] = left[rank], left[best]
            for each in range(rank):
                one, other = best * size + each, rank * size + each
                out_factor[one], out_factor[other] = out_factor[other], out_factor[one]
        inverse, chosen, top = 1.0 / math.sqrt(left[rank]), int(out_order[rank]), rank * size
        out_factor[top + rank] = inverse
        for row in range(rank + 1, size):
            from_row, line = int(out_order[row]), row * size
            if from_row < 0:
                continue
            total = a[max(from_row, chosen) * size + min(from_row, chosen)]
            for each in range(rank):
                total -= out_factor[line + each] * out_factor[top + each]
            total *= inverse
            out_factor[line + rank] = total
            left[row] -= total * total
        rank += 1
    lead_rows_back(out_factor, out_order, size, rank)
    write_gram(out_factor, out_order, size, rank, out_gram)
    return rank


@kernel
def count_spare(order: Array, size: int, rank: int) -> int:
    """Count the rows of W that are not zero."""
    count = 0
    for row in range(rank, size):
        if order[row] >= 0.0:
            count += 1
    return count


@kernel
def write_gram(factor: Array, order: Array, size: int, rank: int, out_gram: Array) -> None:
    """Write the factor of I + W W^T for the rows of W that are not zero."""
    spare, line = count_spare(order, size, rank), 0
    for row in range(rank, size):
        if order[row] < 0.0:
            continue
        place = line
        for column in range(rank, row + 1):
            if order[column] < 0.0:
                continue
            total = 1.0 if row == column else 0.0
            for each in range(rank):
                total += factor[row * size + each] * factor[column * size + each]
            out_gram[place] = total
            place += 1
        line += spare
    if spare > 0:
        factor_cholesky(out_gram, spare, out_gram)


@kernel
def lead_rows_back(out_factor: Array, order: Array, size: int, rank: int) -> None:
    """W of L: each row below the rank as a mix of those above it."""
    for row in range(rank, size):
        if order[row] < 0.0:
            continue
        line = row * size
        for column in range(rank - 1, -1, -1):
            total = out_factor[line + column]
            for each in range(column + 1, rank):
                total -= out_factor[line + each] * out_factor[each * size + column]
            out_factor[line + column] = total * out_factor[column * size + column]


@kernel
def solve_semidefinite(
    factor: Array, order: Array, gram: Array, size: int, rank: int, spare: Array, out_x: Array
) -> None:
    """x <- A^+ x, the shortest of what comes nearest, by what `factor_semidefinite` wrote; `spare` has room for twice
    `size` numbers."""
    mixed = spare[size:]
    for row in range(size):
        spare[row] = out_x[int(order[row])] if order[row] >= 0.0 else 0.0
    for row in range(rank, size):
        if order[row] >= 0.0:
            for each in range(rank):
                spare[each] += factor[row * size + each] * spare[row]
    shorten(factor, order, gram, size, rank, mixed, spare)
    for row in range(rank):
        total, line = spare[row], row * size
        for each in range(row):
            total -= factor[line + each] * spare[each]
        spare[row] = total * factor[line + row]
    for row in range(rank - 1, -1, -1):
        total = spare[row]
        for each in range(row + 1, rank):
            total -= factor[each * size + row] * spare[each]
        spare[row] = total * factor[row * size + row]
    shorten(factor, order, gram, size, rank, mixed, spare)
    for row in range(rank, size):
        total = 0.0
        if order[row] >= 0.0:
            for each in range(rank):
                total += factor[row * size + each] * spare[each]
        spare[row] = total
    for row in range(size):
        place = int(order[row])
        out_x[place if place >= 0 else -1 - place] = spare[row]


@kernel
def shorten(factor: Array, order: Array, gram: Array, size: int, rank: int, mixed: Array, out_x: Array) -> None:
    """x <- S^-1 x; `mixed` has room for as many numbers as W has rows."""
    count = 0
    for row in range(rank, size):
        if order[row] < 0.0:
            continue
        total = 0.0
        for each in range(rank):
            total += factor[row * size + each] * out_x[each]
        mixed[count] = total
        count += 1
    if count == 0:
        return
    solve_cholesky(gram, count, mixed)
    count = 0
    for row in range(rank, size):
        if order[row] < 0.0:
            continue
        for each in range(rank):
            out_x[each] -= factor[row * size + each] * mixed[count]
        count += 1
