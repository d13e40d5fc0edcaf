"""Nodes: the times of targets, with what the windows that end there read of the keyed motion.

All targets at one time share a node and its bell, the widest of theirs. A group is nodes that cannot be solved apart:
one's bell reaches into the window of the other, so that a correction for the one moves the other (section 4.3). What a
window reads of the keyed motion is read once; a trial is that plus f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from engine.document.correction import Bell
from engine.kinodynamics.aims import Aim, Miss, State, measure
from engine.kinodynamics.corrections import Basis, Bump, add_corrections
from engine.kinodynamics.following import FINE
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import APART, KinoModel
from engine.model.compile import Array
from engine.motion.curve_kernels import TICKS


@dataclass(frozen=True, eq=False)
class Node:
    """The aims of one time."""

    aims: tuple[Aim, ...]
    bump: Bump
    ends: Array  # [ticks]: its time, and where velocities are wanted a moment before and after

    @property
    def time(self) -> int:
        """Its time [ticks]."""
        return self.bump.bell.time


def gather_nodes(aims: Sequence[Aim], holds: Sequence[Bell] = ()) -> tuple[Node, ...]:
    """Nodes in order of time; `holds` are bells without aims."""
    bells = [*((aim.bell, aim) for aim in aims), *((bell, None) for bell in holds)]
    found: list[Node] = []
    for time, each in groupby(sorted(bells, key=lambda pair: pair[0].time), key=lambda pair: pair[0].time):
        together = list(each)
        own = tuple(aim for _, aim in together if aim is not None)
        widths = [(bell.before, bell.after, bell.kind) for bell, _ in together]
        bell = Bell(
            time=time,
            before=max(before for before, _, _ in widths),
            after=max(after for _, after, _ in widths),
            kind=widths[0][2],
        )
        speeds = any(aim.speeds for aim in own)
        moves = any(aim.moves for aim in own) or len(own) < len(together)
        apart = np.array([0.0, -APART, APART] if speeds else [0.0])
        found.append(Node(own, Bump(bell=bell, value=moves, slope=speeds), time + apart))
    return tuple(found)


def part_nodes(nodes: Sequence[Node], window: float) -> tuple[tuple[Node, ...], ...]:
    """Groups that can be solved apart, each in order of time; window: what the simulation reads before a time
    [ticks]."""
    groups: list[list[Node]] = []
    for node in nodes:
        tied = [group for group in groups if any(_touch(node, other, window) for other in group)]
        groups = [group for group in groups if group not in tied]
        groups.append([each for group in tied for each in group] + [node])
    ordered = [tuple(sorted(group, key=lambda each: each.time)) for group in groups]
    return tuple(sorted(ordered, key=lambda group: group[0].time))


def _touch(one: Node, other: Node, window: float) -> bool:
    return _reaches(one, other, window) or _reaches(other, one, window)


def _reaches(one: Node, other: Node, window: float) -> bool:
    """Whether the bell of one is read by the windows of the other."""
    bell = one.bump.bell
    return bool(bell.start < other.ends.max() and bell.end > other.ends.min() - window)


class Group:
    """Nodes that are solved together, with what their windows read, and how many windows were simulated."""

    def __init__(self, kino: KinoModel, keyed: Keyed, nodes: Sequence[Node], room: Array) -> None:
        """`room` is a placed state buffer of the model."""
        self.kino, self.nodes, self.room = kino, tuple(nodes), room
        self.model = kino.mechanics.model
        self.basis = Basis(tuple(node.bump for node in nodes))
        self.simulations = 0
        self._goals: list[Array] = []
        self._terms: list[Array] = []
        for node in nodes:
            times = kino.samples(node.ends)
            self._goals.append(np.ascontiguousarray(keyed(times.ravel())[:, :2]))
            self._terms.append(self.basis.values(times.ravel())[:2])

    def keyed_pose(self, node: int) -> Array:
        """The keyed pose at a node, without corrections."""
        ends, coordinates = len(self.nodes[node].ends), self.kino.mechanics.coordinate_count
        return np.asarray(self._goals[node].reshape(ends, -1, 2, coordinates)[0, -1, 0])

    def reaches(self, one: int, other: int) -> bool:
        """Whether corrections of one node move the KD state at another."""
        return _reaches(self.nodes[one], self.nodes[other], read_before(self.kino))

    def states(self, node: int, wanted: Array) -> list[State | None]:
        """The KD state at a node for each of some corrections, shape [n, rows, rates]; None where one diverged."""
        ends, count = len(self.nodes[node].ends), len(wanted)
        f = np.matmul(self._terms[node], (self.basis.solve @ wanted)[:, None])
        goals = np.repeat(self._goals[node][None], count, axis=0)
        for each in range(count):
            add_corrections(self.model.ints, f[each], goals[each])
        q = self._follow(goals.reshape(count * ends, -1, 2, goals.shape[-1])).reshape(count, ends, -1)
        return [state_of(each) if np.isfinite(each).all() else None for each in q]

    def _follow(self, goals: Array) -> Array:
        kino, count = self.kino, len(goals)
        self.simulations += count
        q, qd = np.empty((count, goals.shape[-1])), np.empty((count, kino.mechanics.rate_count))
        q[kino.follow(goals, q, qd) != FINE] = np.nan
        return q

    def misses(self, node: int, state: State) -> tuple[Miss, ...]:
        """By how much each want of a node is missed."""
        return tuple(miss for aim in self.nodes[node].aims for miss in measure(self.model, aim, state, self.room))


def state_of(q: Array) -> State:
    """A state from its pose, or from it and those a moment before and after."""
    return State(q[0]) if len(q) == 1 else State(q[0], q[1], q[2], 2.0 * APART / TICKS)


def read_before(kino: KinoModel) -> float:
    """How far before its end a window reads the keyed motion, with room for rounding [ticks]."""
    return kino.window_ticks + 1.5 * kino.step_ticks


def state_at(kino: KinoModel, keyed: Keyed, aim: Aim) -> State:
    """The KD state that an aim is about."""
    (node,) = gather_nodes([aim])
    q, _ = kino.simulate(node.ends, keyed)
    return state_of(q)
