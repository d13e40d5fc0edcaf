"""Derivatives of the states at targets by corrections: the matrix H of d x_KD by d Delta x, measured, used and
improved.

Unknowns are the corrections wanted at the nodes of a group, Delta x_i and Delta x'_i of the rates that may move;
answers are the displacements of the KD states there and of their velocities. H is looked up to first order
(`tangent.py`), or measured by finite differences through the windows, one for each unknown and each node whose windows
read its bell. After a step s that moved the
states by d, Broyden's update takes H to the nearest matrix with H s = d:

    H <- H + (d - H s) s^T / s^T s.

A step is led by displacements e that go all the way, far targets included,

    s = argmin |H s - e|^2 + mu h^2 s^2,    h the largest number of H in its column of unknowns,

so that a rate which does not answer, since it stands at a limit, is left alone; what its part of e would have done for
the equations is made up for by others. Or it is the least one that, to first order, does for the equations what e does:
with R, what displacements do for the equations, R H s = R e, damped, of least norm s^T W^-1 s, W what is readily
changed: values and slopes have different units, and a wiggle that suits a shoulder leads a spine or a wrist far beyond
its limits.

Symbols: e, d displacements [rad or m] and of velocities per second; s corrections, the same.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from engine.dynamics.coordinates import compute_difference
from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass
from engine.targets.equations import KinodynamicState, velocity_of
from engine.targets.nodes import Group
from engine.targets.tangent import Tangent

_STEP = 1e-4  # [rad or m, per second for slopes] of finite differences
_DAMPING = 1e-6


@dataclass(frozen=True, eq=False)
class Unknowns:
    """The numbers of the wanted corrections that may change: node, row of the basis, rate, and order of each."""

    node: IntArray
    row: IntArray
    rate: IntArray
    order: IntArray  # 0 for Delta x, 1 for Delta x'

    def of(self, node: int) -> IntArray:
        """Indices of those of a node."""
        return np.flatnonzero(self.node == node).astype(np.int32)


def list_unknowns(group: Group, rates: list[IntArray]) -> Unknowns:
    """Given the rates that may move for each node."""
    found = [
        (index, group.basis.row(index, order), int(rate), order)
        for index, node in enumerate(group.nodes)
        for order, there in ((0, node.bump.value), (1, node.bump.slope))
        if there and node.goals
        for rate in rates[index]
    ]
    columns = np.array(found, dtype=np.int32).reshape(-1, 4).T
    return Unknowns(columns[0], columns[1], columns[2], columns[3])


def displacement_between(group: Group, before: KinodynamicState, after: KinodynamicState) -> Array:
    """Measure how far a KD state and its velocity moved, shape [2, rates]; zeros for velocities that are not there."""
    model = group.model
    found = np.zeros((2, model.rate_count))
    compute_difference(model.ints, before.q, after.q, found[0])
    if before.q_after is not None:
        found[1] = velocity_of(model, after) - velocity_of(model, before)
    return found


class Answers:
    """H of one group."""

    def __init__(self, group: Group, unknowns: Unknowns, ease: Array) -> None:
        """ease: how readily each unknown is changed by least steps."""
        self.group, self.unknowns, self.ease = group, unknowns, ease
        self.matrix = np.eye(len(unknowns.node))

    def pick(self, displacements: list[Array]) -> Array:
        """Pick the numbers that belong to the unknowns from displacements of all nodes, [2, rates] each."""
        u = self.unknowns
        return np.array([displacements[n][o, r] for n, o, r in zip(u.node, u.order, u.rate, strict=True)])

    def spread(self, step: Array) -> Array:
        """A step of the unknowns as a change of what is wanted, shape [rows, rates]."""
        wanted = np.zeros((len(self.group.basis.rows), self.group.model.rate_count))
        wanted[self.unknowns.row, self.unknowns.rate] = step
        return wanted

    def look(self, wanted: Array, tangent: Tangent) -> Generator[None, None, None]:
        """H to first order about the present motion, without a simulation for each unknown."""
        u, count = self.unknowns, len(self.unknowns.node)
        self.matrix = np.zeros((count, count))
        for node in range(len(self.group.nodes)):
            own = u.of(node)
            if len(own) == 0:
                continue
            rates, place = np.unique(u.rate[own], return_inverse=True)
            both = yield from self.group.answers(node, wanted, tangent, rates)
            for order, found in enumerate(both):
                which = u.order[own] == order
                self.matrix[own[which]] = found[u.row, :, u.rate].T[place[which]]

    def measure(self, wanted: Array, states: list[KinodynamicState], inward: Array) -> Generator[None, None, None]:
        """H by finite differences at the present states. inward: the signs of the steps, shape [unknowns]."""
        u, count = self.unknowns, len(self.unknowns.node)
        self.matrix = np.zeros((count, count))
        nodes = range(len(self.group.nodes))
        for node in nodes:
            own = u.of(node)
            if len(own) == 0:
                continue
            trials = np.repeat(wanted[None], len(own), axis=0)
            steps = _STEP * inward[own]
            trials[np.arange(len(own)), u.row[own], u.rate[own]] += steps
            for other in nodes:
                theirs = u.of(other)
                if len(theirs) == 0 or not self.group.reaches(node, other):
                    continue
                at_once = max(1, self.group.batch // len(self.group.nodes[other].ends))
                for first in range(0, len(own), at_once):
                    part = slice(first, first + at_once)
                    found = self.group.states(other, trials[part])
                    for column, step, state in zip(own[part], steps[part], found, strict=True):
                        if state is not None:
                            moved = displacement_between(self.group, states[other], state)
                            self.matrix[theirs, column] = moved[u.order[theirs], u.rate[theirs]] / step
                    yield

    def led_step(self, e: Array, rows: Array) -> Array:
        """s towards the displacements e, made up for the equations."""
        scale = np.abs(self.matrix).max(axis=0, initial=0.0)
        scale[scale == 0.0] = 1.0
        scaled = self.matrix / scale
        normal = scaled.T @ scaled
        normal[np.diag_indices_from(normal)] += _DAMPING
        step = np.linalg.solve(normal, scaled.T @ e) / scale
        return np.asarray(step + self.least_step(e - self.matrix @ step, rows, _DAMPING))

    def least_step(self, e: Array, rows: Array, damping: float) -> Array:
        """The least s that does for the equations what the displacements e would do; damping is a part of the most that
        corrections do for an equation."""
        through = rows @ self.matrix
        back = self.ease[:, None] * through.T
        normal = through @ back
        normal[np.diag_indices_from(normal)] += damping * max(float(np.diagonal(normal).max(initial=0.0)), 1e-12)
        return np.asarray(back @ np.linalg.solve(normal, rows @ e))

    def improve(self, step: Array, moved: Array) -> None:
        """Broyden's update."""
        squares = float(step @ step)
        if squares > 0.0:
            self.matrix += np.outer(moved - self.matrix @ step, step / squares)
