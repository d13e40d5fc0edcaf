"""The preconditioner of soft bodies: the matrix at rest, factored once, turned with each point.

Points stand in layers by their distance from one end of a body, counted in joined pairs, so that each layer is joined
to the two beside it alone and the matrix is block tridiagonal. With A_i the blocks on its diagonal and B_i those from
layer i to i + 1,

    D_1 = A_1,  D_i+1 = A_i+1 - B_i D_i^-1 B_i^T;   y_i+1 = b_i+1 - B_i D_i^-1 y_i;   x_i = D_i^-1 (y_i - B_i^T x_i+1)

so that of each layer the inverse of D_i is read twice and nothing else is dense; it is kept in single precision. For a
slender body that is all of a factor; of a compact one layers are large, and where they come to too much, points are
`loose` and take the inverse of their own block of the present matrix instead.

The springs of activation splines join points of many layers; `string_inverse.py` takes them in.

The residual is turned back from where the body is now to its pose at rest, point by point (`frames.py`), and the step
that comes of it is turned again ("warped stiffness": Mueller et al. 2002, as a preconditioner: Hecht et al. 2012).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray, LongArray
from engine.runtime.jit import entered_kernel, kernel
from engine.soft.lanes import PLACE
from engine.soft.pattern import Pattern
from engine.soft.string_inverse import Singles, StringInverse, invert_strings, no_strings, subtract_strings
from engine.soft.strings import Strings

_FULL = 4  # columns at a time
_WIDE = 16  # floats of a vector
_MOST_NUMBERS = 24_000_000  # of all inverses
_MOST_WORK = 2e10  # multiplications to make them


class Order(NamedTuple):
    """Points in layers; positions are places in single-precision vectors, each layer from a multiple of _WIDE on."""

    points: IntArray  # layer after layer, shape [ordered_count]
    positions: IntArray  # of each of them, shape [ordered_count]
    layers: IntArray  # first point, number of points, first position of each layer, and the end; shape [count + 1, 3]
    loose: IntArray  # points in no layer


class Layers(NamedTuple):
    """The factored matrix."""

    order: Order
    starts: LongArray  # of each layer's inverse
    inverses: Singles
    rows: IntArray  # couplings of each ordered point to the layer before, shape [ordered_count + 1]
    columns: IntArray  # their positions
    couplings: Singles  # nine numbers each
    strings: StringInverse


def order_points(pattern: Pattern) -> Order:
    """Put the points into layers, body after body; those of bodies for which that is too much are loose."""
    count = len(pattern.starts) - 1
    rows = np.repeat(np.arange(count), np.diff(pattern.starts))
    graph = sparse.csr_matrix((np.ones(len(rows)), (rows, pattern.columns)), shape=(count, count))
    graph = (graph + graph.T).tocsr()
    parts, labels = sparse.csgraph.connected_components(graph, directed=False)
    by_label = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[by_label], np.arange(parts + 1))
    points: list[LongArray] = []
    loose: list[LongArray] = []
    sizes: list[int] = []
    numbers, work = 0.0, 0.0
    for part in range(parts):
        own = by_label[bounds[part] : bounds[part + 1]]
        levels = _levels(graph, own)
        widths = [3.0 * len(each) for each in levels]
        own_numbers, own_work = sum(each**2 for each in widths), sum(each**3 for each in widths)
        if numbers + own_numbers > _MOST_NUMBERS or work + own_work > _MOST_WORK:
            loose.append(own)
            continue
        numbers, work = numbers + own_numbers, work + own_work
        points.extend(levels)
        sizes.extend(len(each) for each in levels)
    ordered = np.concatenate(points).astype(np.int32) if points else np.zeros(0, np.int32)
    rest = np.sort(np.concatenate(loose)).astype(np.int32) if loose else np.zeros(0, np.int32)
    return _placed(ordered, np.array(sizes, dtype=np.int64), rest)


def without_held(order: Order, held: NDArray[np.bool_]) -> Order:
    """Leave held points out, which no step moves, and layers that are empty then."""
    kept = ~held[order.points]
    layer = np.repeat(np.arange(len(order.layers) - 1), order.layers[:-1, 1])
    sizes = np.bincount(layer[kept], minlength=len(order.layers) - 1)
    # an empty layer between two others stays: what lies beyond it is joined to nothing before it
    inner = np.flatnonzero(sizes)
    first, last = (int(inner[0]), int(inner[-1]) + 1) if len(inner) else (0, 0)
    return _placed(order.points[kept], sizes[first:last], order.loose)


def _placed(points: IntArray, sizes: LongArray, loose: IntArray) -> Order:
    """Give points that stand layer after layer, so many in each, their positions."""
    layers = np.zeros((len(sizes) + 1, 3), dtype=np.int32)
    layers[:-1, 1] = sizes
    layers[1:, 0] = np.cumsum(sizes)
    layers[1:, 2] = np.cumsum(-(-3 * sizes // _WIDE) * _WIDE)
    within = np.arange(len(points)) - np.repeat(layers[:-1, 0], sizes)
    positions = (np.repeat(layers[:-1, 2], sizes) + 3 * within).astype(np.int32)
    return Order(points, positions, layers, loose)


def _levels(graph: sparse.csr_matrix, own: LongArray) -> list[LongArray]:
    """Layer one connected body, from the end that makes for the smallest layers of those tried."""
    found = [_spread(graph, own[:1])]
    for turn in range(5):  # from one point of the last layer, or from all of it
        last = found[-1][-1]
        found.append(_spread(graph, last if turn % 2 else last[:1]))
    return min(found, key=lambda levels: sum(len(each) ** 2 for each in levels))


def _spread(graph: sparse.csr_matrix, front: LongArray) -> list[LongArray]:
    """List the points by their distance from some."""
    reached, levels = np.zeros(graph.shape[0], dtype=bool), []
    reached[front] = True
    while len(front):
        levels.append(front)
        near = np.unique(graph[front].indices)
        front = near[~reached[near]].astype(np.int64)
        reached[front] = True
    return levels


def factor(
    order: Order, pattern: Pattern, values: Array, held: NDArray[np.bool_], strings: Strings, rest: Array, dt: float
) -> Layers:
    """Factor a matrix without the rows of held points, and take springs of splines in."""
    order = without_held(order, held)
    count = len(pattern.starts) - 1
    rows = np.repeat(np.arange(count), np.diff(pattern.starts))
    blocks = values.reshape(-1, 3, 3)
    number = np.full(count, -1, dtype=np.int64)
    number[order.points] = np.arange(len(order.points))
    inside = (number[rows] >= 0) & (number[pattern.columns] >= 0)
    blocks, first, second = blocks[inside], number[rows[inside]], number[pattern.columns[inside]]
    swapped = first < second  # so that the block is (after, before)
    blocks[swapped] = blocks[swapped].transpose(0, 2, 1)
    after, before = np.maximum(first, second), np.minimum(first, second)
    ranked = np.lexsort((before, after))
    blocks, after, before = blocks[ranked], after[ranked], before[ranked]
    layer = np.repeat(np.arange(len(order.layers) - 1), order.layers[:-1, 1])
    joining = layer[after] != layer[before]
    counts = np.bincount(after[joining], minlength=len(number))[: len(order.points)]
    inverses, starts = _invert(order, blocks, after, before)
    layers = Layers(
        order,
        starts,
        inverses,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        np.ascontiguousarray(order.positions[before[joining]]),
        np.ascontiguousarray(blocks[joining].reshape(-1), dtype=np.float32),
        no_strings(),
    )
    position = np.full(count, -1, dtype=np.int32)
    position[order.points] = order.positions
    size = int(order.layers[-1, 2]) + _WIDE

    def solved(row: Singles) -> Singles:
        found = np.zeros(size, dtype=np.float32)
        solve_layers(layers, row, found)
        return found

    return layers._replace(strings=invert_strings(strings, rest, position, size, dt, solved, invert_dense))


def _invert(order: Order, blocks: Array, after: LongArray, before: LongArray) -> tuple[Singles, LongArray]:
    """Invert the blocks D_i one after the other."""
    size = 3 * len(order.points)
    lower = sparse.bsr_matrix(
        (blocks, before, np.searchsorted(after, np.arange(len(order.points) + 1))), shape=(size, size)
    ).tocsr()
    inverses, starts, inverse = [np.zeros(0, dtype=np.float32)], [0], np.zeros((0, 0))
    for layer in range(len(order.layers) - 1):
        first, last = 3 * order.layers[layer, 0], 3 * (order.layers[layer, 0] + order.layers[layer, 1])
        block = np.tril(lower[first:last, first:last].toarray())
        block += np.tril(block, -1).T
        joining = lower[first:last, first - len(inverse) : first]
        if joining.nnz:
            block -= joining @ (joining @ inverse).T
        width = last - first
        full, wide = -(-width // _FULL) * _FULL, -(-width // _WIDE) * _WIDE
        whole = np.eye(full, wide)
        whole[:width, :width] = 0.5 * (block + block.T)
        invert_dense(whole)
        inverse = 0.5 * (whole[:width, :width] + whole[:width, :width].T)
        padded = np.zeros((full, wide), dtype=np.float32)
        padded[:width, :width] = inverse
        inverses.append(padded.ravel())
        starts.append(starts[-1] + padded.size)
    return np.concatenate(inverses), np.array(starts, dtype=np.int64)


@kernel
def invert_dense(matrix: Array) -> None:
    """Invert a positive definite matrix in place, four rows at a time (Gauss, Jordan); columns beyond it are zero."""
    size, wide = matrix.shape
    pivot, rows = np.empty((4, 4)), np.empty((4, wide))
    for first in range(0, size, 4):
        for i in range(4):
            for j in range(4):
                pivot[i, j] = matrix[first + i, first + j]
        for k in range(4):
            share = 1.0 / pivot[k, k]
            pivot[k, k] = 1.0
            for j in range(4):
                pivot[k, j] *= share
            for i in range(4):
                if i != k:
                    away = pivot[i, k]
                    pivot[i, k] = 0.0
                    for j in range(4):
                        pivot[i, j] -= away * pivot[k, j]
        for i in range(4):
            for j in range(4):
                matrix[first + i, first + j] = 0.0
        a, b, c, d = matrix[first], matrix[first + 1], matrix[first + 2], matrix[first + 3]
        for i in range(4):
            row, p, q, r, s = rows[i], pivot[i, 0], pivot[i, 1], pivot[i, 2], pivot[i, 3]
            for j in range(wide):
                row[j] = (p * a[j] + q * b[j]) + (r * c[j] + s * d[j])
            for j in range(4):
                row[first + j] = pivot[i, j]
        a, b, c, d = rows[0], rows[1], rows[2], rows[3]
        for i in range(size):
            row = matrix[i]
            if i < first or i >= first + 4:
                p, q, r, s = row[first], row[first + 1], row[first + 2], row[first + 3]
                row[first], row[first + 1], row[first + 2], row[first + 3] = 0.0, 0.0, 0.0, 0.0
                for j in range(wide):
                    row[j] -= (p * a[j] + q * b[j]) + (r * c[j] + s * d[j])
        for i in range(4):
            matrix[first + i] = rows[i]


@kernel
def multiply_layer(inverse: Singles, width: int, given: Singles, out: Singles) -> None:
    """Multiply one layer of a vector by its inverse, four columns at a time."""
    wide = out.shape[0]
    for each in range(wide):
        out[each] = 0.0
    for column in range(0, width, 4):
        k = column * wide
        first, second = inverse[k : k + wide], inverse[k + wide : k + 2 * wide]
        third, fourth = inverse[k + 2 * wide : k + 3 * wide], inverse[k + 3 * wide : k + 4 * wide]
        p, q, r, s = given[column], given[column + 1], given[column + 2], given[column + 3]
        for each in range(wide):
            out[each] += (first[each] * p + second[each] * q) + (third[each] * r + fourth[each] * s)


@entered_kernel
def solve_layers(layers: Layers, given: Singles, out: Singles) -> None:
    """Solve the factored matrix; `given` is changed."""
    table, count = layers.order.layers, layers.order.layers.shape[0] - 1
    for layer in range(count):
        first, size, at = table[layer, 0], table[layer, 1], table[layer, 2]
        for point in range(first, first + size):
            y0, y1, y2 = given[at], given[at + 1], given[at + 2]
            for place in range(layers.rows[point], layers.rows[point + 1]):
                c, k = layers.columns[place] & PLACE, (9 * place) & PLACE
                u, v, w = out[c], out[c + 1], out[c + 2]
                y0 -= layers.couplings[k] * u + layers.couplings[k + 1] * v + layers.couplings[k + 2] * w
                y1 -= layers.couplings[k + 3] * u + layers.couplings[k + 4] * v + layers.couplings[k + 5] * w
                y2 -= layers.couplings[k + 6] * u + layers.couplings[k + 7] * v + layers.couplings[k + 8] * w
            given[at], given[at + 1], given[at + 2] = y0, y1, y2
            at += 3
        multiply_layer(
            layers.inverses[layers.starts[layer] :],
            3 * size,
            given[table[layer, 2] :],
            out[table[layer, 2] : table[layer + 1, 2]],
        )
    for layer in range(count - 2, -1, -1):
        first, size, at = table[layer + 1, 0], table[layer + 1, 1], table[layer + 1, 2]
        if layers.rows[first] == layers.rows[first + size]:
            continue
        for point in range(first, first + size):
            u, v, w = out[at], out[at + 1], out[at + 2]
            for place in range(layers.rows[point], layers.rows[point + 1]):
                c, k = layers.columns[place] & PLACE, (9 * place) & PLACE
                given[c] -= layers.couplings[k] * u + layers.couplings[k + 3] * v + layers.couplings[k + 6] * w
                given[c + 1] -= layers.couplings[k + 1] * u + layers.couplings[k + 4] * v + layers.couplings[k + 7] * w
                given[c + 2] -= layers.couplings[k + 2] * u + layers.couplings[k + 5] * v + layers.couplings[k + 8] * w
            at += 3
        multiply_layer(
            layers.inverses[layers.starts[layer] :],
            3 * table[layer, 1],
            given[table[layer, 2] :],
            out[table[layer, 2] : table[layer + 1, 2]],
        )


@kernel
def precondition(
    layers: Layers, frames: Array, residual: Array, own: Array, room: tuple[Singles, Singles], out: Array
) -> None:
    """Apply the preconditioner; own: inverse blocks of the present matrix, for loose points."""
    given, found = room
    order = layers.order
    for each in range(order.points.shape[0]):
        point, to = (3 * order.points[each]) & PLACE, order.positions[each] & PLACE
        q, x, y, z = 3 * point, residual[point], residual[point + 1], residual[point + 2]
        given[to] = frames[q] * x + frames[q + 3] * y + frames[q + 6] * z
        given[to + 1] = frames[q + 1] * x + frames[q + 4] * y + frames[q + 7] * z
        given[to + 2] = frames[q + 2] * x + frames[q + 5] * y + frames[q + 8] * z
    solve_layers(layers, given, found)
    subtract_strings(layers.strings, found)
    for each in range(order.points.shape[0]):
        point, to = (3 * order.points[each]) & PLACE, order.positions[each] & PLACE
        q, x, y, z = 3 * point, float(found[to]), float(found[to + 1]), float(found[to + 2])
        out[point] = frames[q] * x + frames[q + 1] * y + frames[q + 2] * z
        out[point + 1] = frames[q + 3] * x + frames[q + 4] * y + frames[q + 5] * z
        out[point + 2] = frames[q + 6] * x + frames[q + 7] * y + frames[q + 8] * z
    for each in range(order.loose.shape[0]):
        point = (3 * order.loose[each]) & PLACE
        q, x, y, z = 3 * point, residual[point], residual[point + 1], residual[point + 2]
        out[point] = own[q] * x + own[q + 1] * y + own[q + 2] * z
        out[point + 1] = own[q + 3] * x + own[q + 4] * y + own[q + 5] * z
        out[point + 2] = own[q + 6] * x + own[q + 7] * y + own[q + 8] * z
