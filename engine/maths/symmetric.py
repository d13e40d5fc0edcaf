"""Small symmetric matrices: Cholesky's factor, and eigenvalues with eigenvectors.

Matrices lie row by row in flat buffers, and only their lower triangle is read.

Eigenvalues: Householder reduction to three diagonals, then QL with implicit shifts (Bowdler, Martin, Reinsch and
Wilkinson 1968, `tred2` and `tql2`), about 9 n^3 operations; values rise, vectors are columns. For a positive
semidefinite matrix they are its singular values, so leaving out the small ones is the truncated SVD.
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array
from engine.runtime.jit import kernel

_NOTHING = 1e-14  # of the largest diagonal entry: a row this small counts as zero
_EPSILON = 2.0**-52


@kernel
def factor_cholesky(a: Array, size: int, out_factor: Array) -> float:
    """L of A = L L^T, its diagonal inverted; returns the smallest pivot as a part of its own diagonal entry.

    A row of zeros is left out: its inverse pivot is 0, and so is its unknown in `solve_cholesky`. Where the answer is
    not above 0 the matrix is not positive definite and the factor is of no use.
    """
    largest, smallest = 0.0, 1.0
    for row in range(size):
        largest = max(largest, a[row * size + row])
    for row in range(size):
        line = row * size
        for column in range(row):
            other = column * size
            total = a[line + column]
            for each in range(column):
                total -= out_factor[line + each] * out_factor[other + each]
            out_factor[line + column] = total * out_factor[other + column]
        diagonal = a[line + row]
        if diagonal <= _NOTHING * largest:
            out_factor[line + row] = 0.0
            continue
        pivot = diagonal
        for each in range(row):
            pivot -= out_factor[line + each] ** 2
        smallest = min(smallest, pivot / diagonal)
        if not pivot > 0.0:
            return float(smallest)
        out_factor[line + row] = 1.0 / math.sqrt(pivot)
    return float(smallest)


@kernel
def solve_cholesky(factor: Array, size: int, out_x: Array) -> None:
    """x <- A^-1 x by the factor that `factor_cholesky` wrote."""
    for row in range(size):
        total, line = out_x[row], row * size
        for each in range(row):
            total -= factor[line + each] * out_x[each]
        out_x[row] = total * factor[line + row]
    for row in range(size - 1, -1, -1):
        total = out_x[row]
        for each in range(row + 1, size):
            total -= factor[each * size + row] * out_x[each]
        out_x[row] = total * factor[row * size + row]


@kernel
def decompose_symmetric(a: Array, size: int, out_values: Array, out_vectors: Array, out_spare: Array) -> bool:
    """Eigenvalues, rising, and eigenvectors as columns; `out_spare` has room for `size` numbers. False if a value did
    not settle, which a finite matrix does not cause."""
    for row in range(size):
        for column in range(row + 1):
            out_vectors[row * size + column] = out_vectors[column * size + row] = a[row * size + column]
    if size > 0:
        reduce_to_diagonals(size, out_values, out_vectors, out_spare)
    settled = turn_diagonals(size, out_values, out_vectors, out_spare)
    for row in range(size):
        for column in range(row):
            here, there = row * size + column, column * size + row
            out_vectors[here], out_vectors[there] = out_vectors[there], out_vectors[here]
    return bool(settled)


@kernel
def reduce_to_diagonals(n: int, d: Array, v: Array, e: Array) -> None:
    """tred2: V A V^T has the diagonal d and, beside it, e[1:]. V lies by rows, so that inner loops run along them."""
    for j in range(n):
        d[j] = v[j * n + n - 1]
    for i in range(n - 1, 0, -1):
        scale, h = 0.0, 0.0
        for k in range(i):
            scale += abs(d[k])
        if scale == 0.0:
            e[i] = d[i - 1]
            for j in range(i):
                d[j] = v[j * n + i - 1]
                v[j * n + i] = v[i * n + j] = 0.0
        else:
            for k in range(i):
                d[k] /= scale
                h += d[k] * d[k]
            f = d[i - 1]
            g = -math.sqrt(h) if f > 0.0 else math.sqrt(h)
            e[i] = scale * g
            h -= f * g
            d[i - 1] = f - g
            for j in range(i):
                e[j] = 0.0
            for j in range(i):
                f = d[j]
                v[i * n + j] = f
                g = e[j] + v[j * n + j] * f
                for k in range(j + 1, i):
                    g += v[j * n + k] * d[k]
                    e[k] += v[j * n + k] * f
                e[j] = g
            f = 0.0
            for j in range(i):
                e[j] /= h
                f += e[j] * d[j]
            for j in range(i):
                e[j] -= f / (h + h) * d[j]
            for j in range(i):
                for k in range(j, i):
                    v[j * n + k] -= d[j] * e[k] + e[j] * d[k]
                d[j] = v[j * n + i - 1]
                v[j * n + i] = 0.0
        d[i] = h
    gather_reflections(n, d, v, e)


@kernel
def gather_reflections(n: int, d: Array, v: Array, e: Array) -> None:
    """The reflections of `reduce_to_diagonals` multiplied into V."""
    for i in range(n - 1):
        v[i * n + n - 1] = v[i * n + i]
        v[i * n + i] = 1.0
        h = d[i + 1]
        if h != 0.0:
            for k in range(i + 1):
                d[k] = v[(i + 1) * n + k] / h
            for j in range(i + 1):
                g = 0.0
                for k in range(i + 1):
                    g += v[(i + 1) * n + k] * v[j * n + k]
                for k in range(i + 1):
                    v[j * n + k] -= g * d[k]
        for k in range(i + 1):
            v[(i + 1) * n + k] = 0.0
    for j in range(n):
        d[j] = v[j * n + n - 1]
        v[j * n + n - 1] = 0.0
    v[n * n - 1] = 1.0
    e[0] = 0.0


@kernel
def turn_diagonals(n: int, d: Array, v: Array, e: Array) -> bool:
    """tql2: the eigenvalues into d, the rows of V turned along, both put in rising order."""
    for i in range(1, n):
        e[i - 1] = e[i]
    if n > 0:
        e[n - 1] = 0.0
    shift, size = 0.0, 0.0
    for low in range(n):
        size = max(size, abs(d[low]) + abs(e[low]))
        m = low
        while m < n - 1 and abs(e[m]) > _EPSILON * size:
            m += 1
        rounds = 0
        while m > low and abs(e[low]) > _EPSILON * size:
            rounds += 1
            if rounds > 60:
                return False
            g = d[low]
            p = (d[low + 1] - g) / (2.0 * e[low])
            r = -math.hypot(p, 1.0) if p < 0.0 else math.hypot(p, 1.0)
            d[low], d[low + 1] = e[low] / (p + r), e[low] * (p + r)
            beside, h = d[low + 1], g - d[low]
            for i in range(low + 2, n):
                d[i] -= h
            shift += h
            p = d[m]
            c, c2, c3, s, s2 = 1.0, 1.0, 1.0, 0.0, 0.0
            below = e[low + 1]
            for i in range(m - 1, low - 1, -1):
                c3, c2, s2 = c2, c, s
                g, h = c * e[i], c * p
                r = math.hypot(p, e[i])
                e[i + 1] = s * r
                s, c = e[i] / r, p / r
                p = c * d[i] - s * g
                d[i + 1] = h + s * (c * g + s * d[i])
                here, above = v[i * n : i * n + n], v[(i + 1) * n : (i + 2) * n]
                for k in range(n):
                    h = above[k]
                    above[k] = s * here[k] + c * h
                    here[k] = c * here[k] - s * h
            p = -s * s2 * c3 * below * e[low] / beside
            e[low], d[low] = s * p, c * p
        d[low] += shift
        e[low] = 0.0
    for i in range(n - 1):
        least = i
        for j in range(i + 1, n):
            if d[j] < d[least]:
                least = j
        if least != i:
            d[i], d[least] = d[least], d[i]
            for j in range(n):
                v[i * n + j], v[least * n + j] = v[least * n + j], v[i * n + j]
    return True
