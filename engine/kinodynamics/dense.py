"""Whole poses close together: corrections of a group of poses whose bells overlap.

Source: Rahgoshay 2011, section 4.3, which goes from target to target (Algorithm 2) and holds that a bell moves its own
target by far the most. That is so for stiff joints. A slow one (what swings below 1 / (4 gap) Hz) is moved less by the
bell at a target than by the one before it: corrections that meet one target after the other then grow from target to
target, tenfold each at 1 Hz and 0.2 s, and d x_KD / d Delta x is nearly singular (4e-4 to 24 for the human at 4 Hz).
No search helps against that; more freedom does. So each pose has a second bell, half as long before it as its neighbour
is away, whose coefficients are found together with those of the first. With twice as many numbers as poses have rates
the least ones are taken: the smallest singular value is then 0.15 where it was 0.0004, and corrections stay within what
poses are missed by. The second bell begins where the first does, so no correction comes earlier than a person eased it.

The coefficients of bells are the unknowns here, not values at the targets (4.4): a rate has those of the targets that
ask for it alone, and nothing holds it at 0 at the others.

A step is that of Levenberg and Marquardt, s = H^T (H H^T + mu 1)^-1 e, with H from `tangent.py`, improved after each
step node by node (a bell that a window does not read stays without effect on it), and found anew where the error falls
too slowly. H H^T is factored by the blocks of nodes, so that this, too, is done in short slices.

Rates that follow exactly move nothing here unless their own values are missed.

Symbols: e displacements [rad or m]; H, s, d as in `secant.py`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.kinodynamics.aims import PoseWant, State
from engine.kinodynamics.corrections import Basis, Bump
from engine.kinodynamics.nodes import Group, Node
from engine.kinodynamics.options import Effort
from engine.kinodynamics.secant import displacement_between
from engine.kinodynamics.standing import Standing, error_of, part_of
from engine.kinodynamics.steering import Steering
from engine.kinodynamics.tangent import Tangent
from engine.model.compile import Array, IntArray

_MOST_LAG = 0.15  # [s] of the second bell
_LESS = 1.0 - 1e-9
_WELL = 0.3  # of the error: a step that leaves less needs no other, and the answers are kept
_NEAR = 3e-2  # of the error at first: nearer than that measured answers are worth their simulations
_STEP = 1e-6  # [rad or m] of finite differences
_LEARNT, _LOOKED, _MEASURED = range(3)  # where answers come from: improved by steps, to first order, by simulations
_TRIES = 2  # iterations in vain, each with fresh answers, before a search gives up
# mu, and shares of its step
_TRIALS = ((1e-6, (1.0, 0.5, 0.25)), (1e-2, (1.0, 0.5)), (1e-1, (1.0, 0.5)), (1.0, (1.0,)))
_DAMPED = 1e-1  # from this mu on any step that lessens the error does


def is_dense(nodes: tuple[Node, ...]) -> bool:
    """Whether these nodes are poses that are tied together, and nothing else."""
    wants = [want for node in nodes for aim in node.aims for want in aim.wants]
    return len(nodes) > 1 and all(node.aims for node in nodes) and all(isinstance(each, PoseWant) for each in wants)


def dense_basis(nodes: tuple[Node, ...]) -> Basis:
    """The bells of the nodes, then the second ones, with free coefficients."""
    times = [node.time for node in nodes]
    seconds = [_second(node.bump.bell, times) for node in nodes]
    return Basis((*(node.bump for node in nodes), *(Bump(bell=bell) for bell in seconds)), free=True)


def _second(bell: Bell, times: list[int]) -> Bell:
    """Half as long before a bell as the nearest other time is away from it."""
    away = min(abs(bell.time - time) for time in times if time != bell.time)
    lag = max(1, min(away // 2, bell.before // 2, round(_MOST_LAG * TICKS_PER_SECOND)))
    if bell.before <= lag:
        return replace(bell, time=bell.time - 1, after=bell.after + 1)
    return replace(bell, time=bell.time - lag, before=bell.before - lag, after=bell.after + lag)


class DenseSearch:
    """One group of tied poses. `group` has the basis of `dense_basis`."""

    def __init__(self, group: Group, mobility: Array, effort: Effort, now: Standing) -> None:
        self.group, self.effort, self.now = group, effort, now
        self.steering, self._tangent = Steering(group, mobility), Tangent(group.kino)
        self._rates = self._list_rates()
        self._ends = np.cumsum([0, *(len(rates) for rates in self._rates)])
        count = len(group.nodes)
        exact = group.kino.gains.exact
        columns = [  # in order of nodes, so that a window reads columns that follow one another
            (row, int(rate))
            for node in range(count)
            for row in (node, count + node)
            for rate in self._rates[node]
            if row == node or not exact[rate]
        ]
        self._row, self._rate = np.array(columns, dtype=np.int32).reshape(-1, 2).T
        self._answers = np.zeros((int(self._ends[-1]), len(columns)))
        self._read = [slice(0, 0)] * count  # columns of the bells that a node's windows read

    def steps(self) -> Iterator[float | None]:
        """Iterations, each with the error that it left; None between short slices of one."""
        first_order = self.group.kino.contact is None
        begun, known, in_vain = self.now.error, _LOOKED if first_order else _MEASURED, 0
        for _ in range(self.effort.iterations):
            if self.now.error <= 1.0:
                return
            if known == _LOOKED:
                yield from self._look()
            elif known == _MEASURED:
                yield from self._measure()
            before = self.now.error
            yield from self._step()
            pace = self.now.error / before
            in_vain = in_vain + 1 if known != _LEARNT and pace >= _LESS else 0
            if pace <= _WELL or (known == _MEASURED and not in_vain):
                known = _LEARNT
            else:
                near = self.now.error < _NEAR * begun
                known = _MEASURED if near or in_vain or not first_order else _LOOKED
            self.now.curve.append(self.now.error)
            yield self.now.error
            if in_vain >= _TRIES:
                return

    def _list_rates(self) -> list[IntArray]:
        """The rates that each node asks for; those that follow exactly only if one of their values is missed."""
        every = np.arange(self.group.model.rate_count, dtype=np.int32)
        e = self._displacements(self.now.states, [every] * len(self.now.states))
        missed = (np.abs(np.array(e)) > 0.0).any(axis=0) | ~self.group.kino.gains.exact
        found: list[IntArray] = []
        for node in self.group.nodes:
            asked = np.zeros(self.group.model.rate_count, dtype=bool)
            for want in (want for aim in node.aims for want in aim.wants):
                assert isinstance(want, PoseWant), "is_dense"
                asked[slice(None) if want.rates is None else list(want.rates)] = True
            found.append(np.flatnonzero(asked & missed).astype(np.int32))
        return found

    def _displacements(self, states: list[State], rates: list[IntArray]) -> list[Array]:
        pairs = enumerate(zip(states, rates, strict=True))
        return [self.steering.displacement(node, state)[0][own] for node, (state, own) in pairs]

    def _look(self) -> Generator[None, None, None]:
        """H about the present motion."""
        for node, rates in enumerate(self._rates):
            by_pose, _ = yield from self.group.answers(node, self.now.wanted, self._tangent, rates)
            rows = slice(self._ends[node], self._ends[node + 1])
            self._answers[rows] = by_pose[self._row, :, self._rate].T
            read = np.flatnonzero(np.abs(by_pose).max(axis=(1, 2), initial=0.0)[self._row])
            self._read[node] = slice(int(read[0]), int(read[-1]) + 1) if len(read) else slice(0, 0)
            yield

    def _measure(self) -> Generator[None, None, None]:
        """H by finite differences, for the nodes that are missed: it sees stops as they are."""
        for node, read in enumerate(self._read):
            state, rates = self.now.states[node], self._rates[node]
            if all(part_of(miss, self.effort) <= 1.0 for miss in self.group.misses(node, state)):
                continue
            rows = slice(self._ends[node], self._ends[node + 1])
            for first in range(read.start, read.stop, self.group.batch):
                columns = np.arange(first, min(first + self.group.batch, read.stop))
                trials = np.repeat(self.now.wanted[None], len(columns), axis=0)
                trials[np.arange(len(columns)), self._row[columns], self._rate[columns]] += _STEP
                for column, moved in zip(columns, self.group.states(node, trials), strict=True):
                    if moved is not None:
                        self._answers[rows, column] = displacement_between(self.group, state, moved)[0][rates] / _STEP
                yield

    def _step(self) -> Generator[None, None, None]:
        """Try steps until one lessens the error well, or the last has been tried; take the best."""
        e = np.concatenate(self._displacements(self.now.states, self._rates))
        squares = yield from self._multiply()
        best: tuple[float, Array, list[State]] | None = None
        for mu, shares in _TRIALS:
            whole = self._answers.T @ (yield from self._solve(squares, mu, e))
            for share in shares:
                states = yield from self.group.all_states(self.now.wanted + self._spread(share * whole))
                error = np.inf if states is None else error_of(self.group, self.effort, states)
                if states is not None and (best is None or error < best[0]):
                    best = (error, share * whole, states)
                if best is not None and best[0] < _WELL * self.now.error:
                    break
            if best is not None and best[0] < (_WELL if mu < _DAMPED else _LESS) * self.now.error:
                break
        if best is None:
            return
        error, step, states = best
        moved = e - np.concatenate(self._displacements(states, self._rates))
        if error < _LESS * self.now.error:
            self.now.wanted = self.now.wanted + self._spread(step)
            self.now.states, self.now.error = states, error
        yield
        self._improve(step, moved)

    def _spread(self, step: Array) -> Array:
        wanted = np.zeros_like(self.now.wanted)
        wanted[self._row, self._rate] = step
        return wanted

    def _improve(self, step: Array, moved: Array) -> None:
        """Broyden's update of what each node answers to the bells that it reads."""
        for node, read in enumerate(self._read):
            rows, own = slice(self._ends[node], self._ends[node + 1]), step[read]
            squares = float(own @ own)
            if squares > 0.0:
                left = moved[rows] - self._answers[rows, read] @ own
                self._answers[rows, read] += np.outer(left, own / squares)

    def _multiply(self) -> Generator[None, None, Array]:
        """H H^T, its lower half; nodes that read no bell in common have no part in it."""
        found = np.zeros((len(self._answers), len(self._answers)))
        for node, read in enumerate(self._read):
            rows = slice(self._ends[node], self._ends[node + 1])
            for other in range(self._first_tied(node), node + 1):
                theirs = slice(self._ends[other], self._ends[other + 1])
                both = slice(max(read.start, self._read[other].start), min(read.stop, self._read[other].stop))
                found[rows, theirs] = self._answers[rows, both] @ self._answers[theirs, both].T
                yield
        return found

    def _first_tied(self, node: int) -> int:
        """The first node from which on all read a bell that this one reads, up to itself."""
        start = self._read[node].start
        return next(other for other in range(node + 1) if other == node or self._read[other].stop > start)

    def _solve(self, squares: Array, mu: float, e: Array) -> Generator[None, None, Array]:
        """(H H^T + mu 1)^-1 e by Cholesky's factors, a block column at a time, within the profile of H H^T."""
        factor, y = squares.copy(), e.copy()
        factor[np.diag_indices_from(factor)] += mu
        count = len(self._read)
        ties = [self._first_tied(node) for node in range(count)]
        blocks: list[tuple[slice, slice, slice]] = []  # own rows; columns before that count; rows below that count
        for node in range(count):
            last = max(other for other in range(node, count) if ties[other] <= node)
            first, end = int(self._ends[node]), int(self._ends[node + 1])
            if first < end:
                done = slice(int(self._ends[min(ties[node : last + 1])]), first)
                blocks.append((slice(first, end), done, slice(end, int(self._ends[last + 1]))))
        for own, done, below in blocks:
            triangle = np.linalg.cholesky(factor[own, own] - factor[own, done] @ factor[own, done].T)
            factor[own, own] = triangle
            if below.start < below.stop:
                column = factor[below, own] - factor[below, done] @ factor[own, done].T
                factor[below, own] = np.linalg.solve(triangle, column.T).T
            y[own] = np.linalg.solve(triangle, y[own] - factor[own, done] @ y[done])
            yield
        for own, _, below in reversed(blocks):
            y[own] = np.linalg.solve(factor[own, own].T, y[own] - factor[below, own].T @ y[below])
        return y
