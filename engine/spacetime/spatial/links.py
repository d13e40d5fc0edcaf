"""Blows where stages meet: M(q) (v after - v before) is what they give to each coordinate, and nothing else.

Muscles give no momentum in no time. The velocity changes by an acceleration that lasts for no time, so these are the
equations of `power` with that change for accelerations, and blows for forces, at rest and without gravity.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.spacetime.constraints import ProbeConstraint
from engine.spacetime.problem import ConstraintOrigin
from engine.spacetime.spatial.constraints import first_spatial_piece, is_struck
from engine.spacetime.spatial.layout import SpatialLayout
from engine.spacetime.spatial.power import (
    PackedForces,
    TreeWork,
    add_forces,
    force_slope,
    gather_state,
    gather_virtual,
    new_tree_work,
    place_rates,
    second_slopes,
    set_bodies,
    sweep_state,
    sweep_virtual,
    torque_slopes,
)
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.tree import PackedTree


class PackedLink(NamedTuple):
    """One meeting of two stages; its local numbers are q where they meet (n), the coefficients before (n) and after it
    (n), the blows, and both lengths."""

    tree: PackedTree
    blows: PackedForces
    columns: IntArray  # [3 n + blows + 2], -1 where a coordinate stays
    counts: IntArray  # [2], pieces of both stages
    rows: IntArray  # [n], the constraint of each coordinate, or -1


class LinkWork(NamedTuple):
    """Memory for one meeting."""

    tree: TreeWork
    q: Array
    change: Array  # [n], of v
    sizes: Array
    parts: Array  # [5, n], derivatives of the change by q, the coefficient before, that after, and both lengths
    rates: Array
    zeros: Array


@kernel
def _read(link: PackedLink, x: Array, work: LinkWork) -> None:
    n, blows = work.q.size, work.sizes.size
    columns, parts = link.columns, work.parts
    lengths = x[columns[3 * n + blows]] / link.counts[0], x[columns[3 * n + blows + 1]] / link.counts[1]
    for i in range(n):
        q = x[columns[i]]
        work.q[i], work.change[i], parts[:, i] = q, 0.0, 0.0
        for side in range(2):
            at = columns[n * (1 + side) + i]
            if at >= 0:
                share = 3.0 / lengths[side]
                part = share * (x[at] - q)
                work.change[i] += part
                parts[0, i] -= share
                parts[1 + side, i] = share
                parts[3 + side, i] = -part / (lengths[side] * link.counts[side])
    for f in range(blows):
        work.sizes[f] = x[columns[3 * n + f]]
    place_rates(link.tree, work.q, work.tree)
    set_bodies(link.tree, work.tree)
    sweep_state(link.tree, work.zeros, work.change, False, work.tree)
    add_forces(link.tree, link.blows, work.sizes, work.tree)
    gather_state(link.tree, work.tree)


@kernel
def evaluate_link(link: PackedLink, x: Array, work: LinkWork, out_constraints: Array) -> None:
    """Set the constraints of one meeting."""
    _read(link, x, work)
    for i in range(work.q.size):
        if link.rows[i] >= 0:
            out_constraints[link.rows[i]] = work.tree.tau[i]


@kernel
def differentiate_link(
    link: PackedLink,
    x: Array,
    multipliers: Array,
    work: LinkWork,
    out_constraints: Array,
    out_jacobian: Array,
    out_hessian: Array,
) -> None:
    """Do so with derivatives: [n, width], and [width, width] by both halves' places, the lower half of which counts."""
    evaluate_link(link, x, work, out_constraints)
    n, blows, tree, parts = work.q.size, work.sizes.size, link.tree, work.parts
    out_jacobian[:], out_hessian[:] = 0.0, 0.0
    for i in range(n):
        work.rates[i] = multipliers[link.rows[i]] if link.rows[i] >= 0 else 0.0
        for at in range(tree.starts[i], tree.starts[i + 1]):
            k = tree.relatives[at]
            by_q, _, by_a = torque_slopes(work.tree, i, k)
            out_jacobian[i, k] = by_q + by_a * parts[0, k]
            out_jacobian[i, n + k], out_jacobian[i, 2 * n + k] = by_a * parts[1, k], by_a * parts[2, k]
            for side in range(2):
                out_jacobian[i, 3 * n + blows + side] += by_a * parts[3 + side, k]
    for f in range(blows):
        i = link.blows.rates[f]
        while i >= 0:
            for each in range(6):
                out_jacobian[i, 3 * n + f] -= work.tree.s[i, each] * work.tree.wrenches[f, each]
            i = tree.parents[i]
    sweep_virtual(tree, link.blows, work.sizes, work.rates, work.zeros, work.tree)
    gather_virtual(tree, work.tree)
    for k in range(n):
        for at in range(tree.starts[k], tree.starts[k + 1]):
            j = tree.relatives[at]
            if j > k:
                break
            _put_second(work, j, k, blows, out_hessian)
    _put_blows(link, work, out_hessian)
    _put_lengths(link, x, work, out_hessian)


@kernel
def _put_second(work: LinkWork, j: int, k: int, blows: int, out_hessian: Array) -> None:
    n, parts = work.q.size, work.parts
    qq, _, _, _, qa, aq = second_slopes(work.tree, j, k)
    out_hessian[k, j] += qq + qa * parts[0, k] + aq * parts[0, j]
    for side in range(1, 3):
        out_hessian[side * n + k, j] += qa * parts[side, k]
        if j < k:
            out_hessian[side * n + j, k] += aq * parts[side, j]
    for side in range(3, 5):
        row = 3 * n + blows + side - 3
        out_hessian[row, j] += qa * parts[side, k]
        if j < k:
            out_hessian[row, k] += aq * parts[side, j]


@kernel
def _put_blows(link: PackedLink, work: LinkWork, out_hessian: Array) -> None:
    for f in range(work.sizes.size):
        j = link.blows.rates[f]
        while j >= 0:
            out_hessian[3 * work.q.size + f, j] += force_slope(link.blows, work.tree, f, j)
            j = link.tree.parents[j]


@kernel
def _put_lengths(link: PackedLink, x: Array, work: LinkWork, out_hessian: Array) -> None:
    """Add what lengths and coefficients have from second derivatives of the change; of virtual power, the slope by an
    acceleration is the momentum of W along it."""
    n, blows, parts = work.q.size, work.sizes.size, work.parts
    for side in range(2):
        row = 3 * n + blows + side
        length = x[link.columns[row]]
        for k in range(n):
            power = 0.0
            for each in range(6):
                power += work.tree.s[k, each] * work.tree.momentum[k, each]
            own = parts[1 + side, k]
            out_hessian[row, (1 + side) * n + k] -= power * own / length
            out_hessian[row, k] += power * own / length
            out_hessian[row, row] -= 2.0 * power * parts[3 + side, k] / length


class BlowLinks:
    """All meetings with blows of a problem: their constraints, and where derivatives stand."""

    def __init__(self, problem: SpatialProblem, layout: SpatialLayout, first: int) -> None:
        self.constraints: list[ProbeConstraint] = []
        self._links: list[PackedLink] = []
        n, blows = len(problem.figure.coordinates), len(problem.blows)
        self._width = 3 * n + blows + 2
        rows, columns, firsts, seconds = [], [], [], []
        free = layout.lower < layout.upper
        for stage in range(len(problem.stages) - 1):
            if not is_struck(problem, stage):
                continue
            link = self._link(problem, layout, stage, first + len(self.constraints))
            self._links.append(link)
            used = np.where((link.columns >= 0) & free[link.columns], link.columns, -1)
            rows.append(np.repeat(link.rows, self._width))
            columns.append(np.tile(used, n))
            pairs = np.zeros((self._width, self._width), bool)
            pairs[:, :n] = pairs[-2:, :] = True
            pairs &= np.tril(pairs)
            firsts.append(np.where(pairs, used[:, None], -1).reshape(-1))
            seconds.append(np.where(pairs & (used[:, None] >= 0), used[None, :], -1).reshape(-1))
        none = np.zeros(0, np.int32)
        self.rows, self.columns, self.first, self.second = (
            np.concatenate([none, *each]).astype(np.int32) for each in (rows, columns, firsts, seconds)
        )
        self.jacobian, self.hessian = np.zeros(len(self.rows)), np.zeros(len(self.first))
        self._work = LinkWork(
            tree=new_tree_work(problem.figure, blows),
            q=np.zeros(n),
            change=np.zeros(n),
            sizes=np.zeros(blows),
            parts=np.zeros((5, n)),
            rates=np.zeros(n),
            zeros=np.zeros(max(n, 6)),
        )
        self._n = n

    def evaluate(self, x: Array, out_constraints: Array) -> None:
        """Set the constraints of all meetings."""
        for link in self._links:
            evaluate_link(link, x, self._work, out_constraints)

    def differentiate(self, x: Array, multipliers: Array, out_constraints: Array) -> None:
        """Do so with derivatives."""
        rows, pairs = self._n * self._width, self._width**2
        for at, link in enumerate(self._links):
            jacobian = self.jacobian[at * rows : (at + 1) * rows].reshape(self._n, self._width)
            hessian = self.hessian[at * pairs : (at + 1) * pairs].reshape(self._width, self._width)
            differentiate_link(link, x, multipliers, self._work, out_constraints, jacobian, hessian)

    def _link(self, problem: SpatialProblem, layout: SpatialLayout, stage: int, first: int) -> PackedLink:
        packed, n = layout.packed, len(problem.figure.coordinates)
        before, after = problem.stages[stage], problem.stages[stage + 1]
        last = first_spatial_piece(problem, stage + 1) - 1
        columns = np.full(self._width, -1, np.int32)
        rows = np.full(n, -1, np.int32)
        for i, name in enumerate(problem.figure.coordinates):
            columns[i] = packed.columns[last, 4 * i + 3] if packed.moving[stage, i] else packed.columns[last, 4 * i]
            if packed.moving[stage, i]:
                columns[n + i] = packed.columns[last, 4 * i + 2]
            if packed.moving[stage + 1, i]:
                columns[2 * n + i] = packed.columns[last + 1, 4 * i + 1]
            if packed.moving[stage : stage + 2, i].any():
                rows[i] = first + int((rows >= 0).sum())
                words = f"momentum of {name} from {before.name} to {after.name}"
                scale = float(layout.torque_scales[i]) * min(before.length, after.length)
                origin = ConstraintOrigin("momentum", name)
                self.constraints.append(ProbeConstraint(0.0, 0.0, scale, words, stage, 1.0, origin))
        columns[3 * n : -2] = layout.blows[stage]
        columns[-2:] = packed.lengths[stage : stage + 2]
        counts = packed.counts[stage : stage + 2]
        return PackedLink(packed.tree, layout.packed_blows, columns, counts, rows)
