"""Second derivatives by the coefficients of a path at a point of integration: products of first ones, virtual power.

The torques' squares have J^T D J, J being the first derivatives of all torques and D what their squares cost; to that
come the second derivatives of lambda . tau. Of a pair of coordinates j before k both are nine numbers, by q, v and a of
each, summed over all torques that depend on both: where j hangs on k or k on j, those that depend on k, else those that
both hang on. Only then are they taken to coefficients, which are four of each.
"""

from __future__ import annotations

from engine.limits.inlined import inlined, plain
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.spacetime.spatial.layout import PackedSpatial
from engine.spacetime.spatial.power import TreeWork, second_slopes
from engine.spacetime.spatial.tree import PackedTree

Nine = tuple[float, float, float, float, float, float, float, float, float]


@borrowing
@kernel
def add_path_curvature(
    problem: PackedSpatial, piece: int, bases: Array, shares: Array, by: Array, work: TreeWork, out_hessian: Array
) -> None:
    """Add those of a point to a piece, after `gather_virtual`: `shares` are D, `by` is J by coordinates and torques."""
    tree, stage, n = problem.tree, problem.pieces[piece, 0], shares.size
    for k in range(n):
        if problem.moving[stage, k] == 0:
            continue
        at, end = tree.starts[k], tree.starts[k + 1]
        for j in range(k + 1):
            is_related = at < end and tree.relatives[at] == j
            at += is_related
            if problem.moving[stage, j] == 0:
                continue
            count = end - tree.starts[k] if is_related else _shared(tree, j, k, shares)
            if count == 0:
                continue
            nine = _sum_products(tree, k, j, count, shares, by)
            if is_related:
                nine = _with_virtual(nine, work, j, k)
            _spread(nine, bases, k, j, out_hessian)


@borrowing
@kernel
def _shared(tree: PackedTree, j: int, k: int, shares: Array) -> int:
    """Count the coordinates that both hang on, which come first of what each is related to; 0 where none costs."""
    first, other, costs = tree.starts[j], tree.starts[k], False
    count = 0
    while tree.relatives[first + count] == tree.relatives[other + count]:
        costs |= shares[tree.relatives[first + count]] != 0.0
        count += 1
    return count if costs else 0


@borrowing
@inlined
def _sum_products(tree: PackedTree, k: int, j: int, count: int, shares: Array, by: Array) -> Nine:
    """Sum the products of the derivatives by k and by j over torques of so many relatives of k."""
    qq = qv = qa = vq = vv = va = aq = av = aa = 0.0
    start = tree.starts[k]
    for at in range(start, start + count):
        i = plain(tree.relatives[at])
        share = shares[i]
        if share == 0.0:
            continue
        q, v, a = share * by[k, i, 0], share * by[k, i, 1], share * by[k, i, 2]
        other_q, other_v, other_a = by[j, i, 0], by[j, i, 1], by[j, i, 2]
        qq, qv, qa = qq + q * other_q, qv + q * other_v, qa + q * other_a
        vq, vv, va = vq + v * other_q, vv + v * other_v, va + v * other_a
        aq, av, aa = aq + a * other_q, av + a * other_v, aa + a * other_a
    return qq, qv, qa, vq, vv, va, aq, av, aa


@borrowing
@inlined
def _with_virtual(nine: Nine, work: TreeWork, j: int, k: int) -> Nine:
    """Add the second derivatives of lambda . tau."""
    qq, qv, qa, vq, vv, va, aq, av, aa = nine
    both, q_v, v_q, v_v, q_a, a_q = second_slopes(work, j, k)
    return qq + both, qv + v_q, qa + a_q, vq + q_v, vv + v_v, va, aq + q_a, av, aa


@borrowing
@inlined
def _spread(nine: Nine, bases: Array, k: int, j: int, out_hessian: Array) -> None:
    """Take nine numbers to coefficients."""
    qq, qv, qa, vq, vv, va, aq, av, aa = nine
    for d in range(4):
        q, v, a = bases[0, d], bases[1, d], bases[2, d]
        by_q, by_v, by_a = qq * q + qv * v + qa * a, vq * q + vv * v + va * a, aq * q + av * v + aa * a
        for c in range(4):
            out_hessian[4 * k + c, 4 * j + d] += by_q * bases[0, c] + by_v * bases[1, c] + by_a * bases[2, c]


@borrowing
@kernel
def push_length(
    problem: PackedSpatial, piece: int, h: float, v: Array, a: Array, work: TreeWork, out_pushed: Array
) -> None:
    """Multiply the second derivatives of lambda . tau by how a longer piece changes q and v: [2, coordinates]."""
    tree, stage = problem.tree, problem.pieces[piece, 0]
    out_pushed[:] = 0.0
    for k in range(v.size):
        if problem.moving[stage, k] == 0:
            continue
        for at in range(tree.starts[k], tree.starts[k + 1]):
            j = tree.relatives[at]
            if j > k:
                break
            if problem.moving[stage, j] == 0:
                continue
            _, qv, vq, vv, qa, aq = second_slopes(work, j, k)
            out_pushed[0, j] -= (qv * v[k] + 2.0 * qa * a[k]) / h
            out_pushed[1, j] -= vv * v[k] / h
            if j < k:
                out_pushed[0, k] -= (vq * v[j] + 2.0 * aq * a[j]) / h
                out_pushed[1, k] -= vv * v[j] / h
