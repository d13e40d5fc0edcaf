"""Nodes: the times of targets, with what the windows that end there read of the keyed motion.

All targets at one time share a node and its bell, the widest of theirs. A group is nodes that cannot be solved apart:
one's bell reaches into the window of the other, so that a correction for the one moves the other (section 4.3). What a
window reads of the keyed motion is read once; a trial is that plus f.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import groupby

import numpy as np

from engine.document.correction import Bell
from engine.kinodynamics.following import FINE
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import APART, KinoModel
from engine.maths.arrays import Array, IntArray
from engine.motion.curve_kernels import TICKS
from engine.runtime.quick_dataclass import dataclass
from engine.targets.corrections import Basis, Bump, add_corrections
from engine.targets.equations import KinodynamicState, Residual, TimedGoal, measure
from engine.targets.tangent import Tangent

BATCH = 16  # windows simulated at one go: 2 to 6 ms, so that a step of the engine's thread stays short


@dataclass(frozen=True, eq=False)
class Node:
    """The targets of one time."""

    goals: tuple[TimedGoal, ...]
    bump: Bump
    ends: Array  # [ticks]: its time, and where velocities are wanted a moment before and after
    asked: Bell  # the bell as it was set, where that of the bump is narrower

    @property
    def time(self) -> int:
        """Its time [ticks]."""
        return self.bump.bell.time


def gather_nodes(goals: Sequence[TimedGoal], holds: Sequence[Bell] = ()) -> tuple[Node, ...]:
    """Gather targets in nodes, in order of time; `holds` are bells without targets."""
    bells = [*((goal.bell, goal) for goal in goals), *((bell, None) for bell in holds)]
    found: list[Node] = []
    for time, each in groupby(sorted(bells, key=lambda pair: pair[0].time), key=lambda pair: pair[0].time):
        together = list(each)
        own = tuple(goal for _, goal in together if goal is not None)
        widths = [(bell.before, bell.after, bell.kind) for bell, _ in together]
        bell = Bell(
            time=time,
            before=max(before for before, _, _ in widths),
            after=max(after for _, after, _ in widths),
            kind=widths[0][2],
        )
        speeds = any(goal.speeds for goal in own)
        moves = any(goal.moves for goal in own) or len(own) < len(together)
        apart = np.array([0.0, -APART, APART] if speeds else [0.0])
        found.append(Node(own, Bump(bell=bell, value=moves, slope=speeds), time + apart, bell))
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
    """Tell whether the bell of one node is read by the windows of the other."""
    bell = one.bump.bell
    return bool(bell.start < other.ends.max() and bell.end > other.ends.min() - window)


class Group:
    """Nodes that are solved together, with what their windows read, and how many windows were simulated."""

    def __init__(
        self, kino: KinoModel, keyed: Keyed, nodes: Sequence[Node], workspace: Array, basis: Basis | None = None
    ) -> None:
        """`workspace` is a placed state buffer of the model; `basis`: bumps other than those of the nodes."""
        self.kino, self.nodes, self.workspace, self._keyed = kino, tuple(nodes), workspace, keyed
        self.model = kino.mechanics.model
        self.basis = Basis(tuple(node.bump for node in nodes)) if basis is None else basis
        self.simulations = 0
        self._read: dict[int, tuple[Array, Array]] = {}

    @property
    def batch(self) -> int:
        """Windows that may be simulated at one go; with contact each takes long."""
        return 1 if self.kino.touches else BATCH

    def keyed_pose(self, node: int) -> Array:
        """The keyed pose at a node, without corrections."""
        read = self._read_by(node)[0]
        return np.asarray(read[len(read) // len(self.nodes[node].ends) - 1, 0])

    def _read_by(self, node: int) -> tuple[Array, Array]:
        """Read the keyed motion and every term over the windows of a node; only when they are first needed, so that no
        step is long."""
        found = self._read.get(node)
        if found is None:
            samples = self.kino.samples(self.nodes[node].ends)
            times = samples.ravel()
            terms = read_terms(self.kino, self.basis, times)
            goals = self.kino.goals(self._keyed, samples)
            found = self._read[node] = goals.reshape(len(times), *goals.shape[2:]), terms
        return found

    def reaches(self, one: int, other: int) -> bool:
        """Tell whether corrections of one node move the KD state at another."""
        return _reaches(self.nodes[one], self.nodes[other], read_before(self.kino))

    def rows_read(self, node: int) -> IntArray:
        """The rows of the basis that have an effect on what the windows of a node read."""
        by_term = np.abs(self._read_by(node)[1][:2]).max(axis=(0, 1), initial=0.0)
        return np.flatnonzero(by_term @ np.abs(self.basis.solve)).astype(np.int32)

    def states(self, node: int, wanted: Array) -> list[KinodynamicState | None]:
        """The KD state at a node for each of some corrections, shape [n, rows, rates]; None where one diverged."""
        q = self._follow(np.concatenate([self._goals_with(node, each) for each in wanted]))
        return [_state(each) for each in q.reshape(len(wanted), -1, q.shape[1])]

    def ends(self, node: int, wanted: Array) -> tuple[Array, Array]:
        """Find q at a node of one window, and the simulation's own rates there, for each of some corrections, shape [n,
        rows, rates]; not a number where one diverged."""
        return self._follow_with_rates(np.concatenate([self._goals_with(node, each)[:1] for each in wanted]))

    def all_states(self, wanted: Array) -> Generator[None, None, list[KinodynamicState] | None]:
        """The KD states at all nodes, in batches; None where one diverges."""
        found: list[Array] = []
        waiting: list[Array] = []
        for node in range(len(self.nodes)):
            waiting.append(self._goals_with(node, wanted))
            if sum(map(len, waiting)) >= self.batch or node == len(self.nodes) - 1:
                found.append(self._follow(np.concatenate(waiting)))
                waiting = []
                yield
        parts = np.split(np.concatenate(found), np.cumsum([len(node.ends) for node in self.nodes])[:-1])
        known = [state for state in map(_state, parts) if state is not None]
        return known if len(known) == len(self.nodes) else None

    def answers(
        self, node: int, wanted: Array, tangent: Tangent, rates: IntArray
    ) -> Generator[None, None, tuple[Array, Array]]:
        """Find the derivatives of pose and velocity at a node by what is wanted, to first order, where no contact is
        simulated: each [basis rows, given rates, rates]; the pose's twice where no velocity is wanted."""
        goals, count = self._goals_with(node, wanted)[0], self.kino.steps + 2
        path, qd = np.empty((self.kino.steps, goals.shape[-1])), np.empty(self.kino.mechanics.rate_count)
        self.simulations += 1
        self.kino.follow_path(goals, path, qd)
        samples = yield from tangent.answers(goals, path, rates)
        terms = self._read_by(node)[1][:, :count]
        read = np.flatnonzero(np.abs(terms[:2]).max(axis=(0, 1), initial=0.0))
        found = []
        for order in range(2 if self.nodes[node].bump.slope else 1):
            by_term = np.tensordot(terms[order : order + 2, :, read], samples, axes=([0, 1], [0, 1]))
            by_row = np.zeros((terms.shape[2], *by_term.shape[1:]))
            if self.basis.free and not self.basis.held and self.basis.still is None:
                by_row[read] = by_term
            else:
                by_row[:] = np.tensordot(self.basis.solve[read], by_term, axes=(0, 0))
            found.append(by_row)
            yield
        return found[0], found[-1]

    def _goals_with(self, node: int, wanted: Array) -> Array:
        """Add corrections to the keyed motion that the windows of a node read, shape [ends, samples, 2 or 3,
        coordinates]."""
        keyed, terms = self._read_by(node)
        f = np.ascontiguousarray(terms[:2] @ (self.basis.solve @ wanted))
        goals = keyed.copy()
        add_corrections(self.model.ints, f, goals)
        ends = len(self.nodes[node].ends)
        return goals.reshape(ends, len(goals) // ends, *goals.shape[1:])

    def _follow(self, goals: Array) -> Array:
        return self._follow_with_rates(goals)[0]

    def _follow_with_rates(self, goals: Array) -> tuple[Array, Array]:
        kino, count = self.kino, len(goals)
        self.simulations += count
        q, qd = np.empty((count, goals.shape[-1])), np.empty((count, kino.mechanics.rate_count))
        q[kino.follow(goals, q, qd) != FINE] = np.nan
        return q, qd

    def residuals(self, node: int, state: KinodynamicState) -> tuple[Residual, ...]:
        """Measure by how much each equation of a node is missed."""
        return tuple(
            residual for goal in self.nodes[node].goals for residual in measure(self.model, goal, state, self.workspace)
        )


def _state(q: Array) -> KinodynamicState | None:
    return state_of(q) if np.isfinite(q).all() else None


def state_of(q: Array) -> KinodynamicState:
    """A state from its pose, or from it and those a moment before and after."""
    return KinodynamicState(q[0]) if len(q) == 1 else KinodynamicState(q[0], q[1], q[2], 2.0 * APART / TICKS)


def read_terms(kino: KinoModel, basis: Basis, times: Array) -> Array:
    """Every term with its rate and acceleration as a model's windows read it, shape [3, len(times), terms]; at rest
    where a motion is held."""
    terms = basis.values(times)
    terms[1:, ~kino.moves(times)] = 0.0
    return terms


def read_before(kino: KinoModel) -> float:
    """Find how long before its end a window reads the keyed motion, with a margin for rounding [ticks]."""
    return kino.window_ticks + 1.5 * kino.step_ticks


def state_at(kino: KinoModel, keyed: Keyed, goal: TimedGoal) -> KinodynamicState:
    """Simulate the KD state that a `TimedGoal` is about."""
    (node,) = gather_nodes([goal])
    q, _ = kino.simulate(node.ends, keyed)
    return state_of(q)
