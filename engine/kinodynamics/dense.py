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
from engine.kinodynamics.standing import Standing, error_of
from engine.kinodynamics.steering import Steering
from engine.kinodynamics.tangent import Tangent
from engine.model.compile import Array, IntArray

_MOST_LAG = 0.15  # [s] of the second bell
_LESS = 1.0 - 1e-9
_WELL = 0.3  # of the error: a step that leaves less needs no other, and the answers are kept
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
        columns = [
            (row, int(rate))
            for row in range(2 * count)
            for rate in self._rates[row % count]
            if row < count or not exact[rate]
        ]
        self._row, self._rate = np.array(columns, dtype=np.int32).reshape(-1, 2).T
        self._answers = np.zeros((int(self._ends[-1]), len(columns)))
        self._read: list[IntArray] = [np.zeros(0, dtype=np.int32)] * count  # columns that a node's windows read

    def steps(self) -> Iterator[float | None]:
        """Iterations, each with the error that it left; None between short slices of one."""
        fresh, in_vain = True, 0
        for _ in range(self.effort.iterations):
            if self.now.error <= 1.0:
                return
            if fresh:
                yield from self._look()
            before = self.now.error
            yield from self._step()
            pace = self.now.error / before
            in_vain = in_vain + 1 if fresh and pace >= _LESS else 0
            fresh = pace > _WELL
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
            self._read[node] = np.flatnonzero(np.abs(by_pose).max(axis=(1, 2), initial=0.0)[self._row]).astype(np.int32)
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
                block = self._answers[rows][:, read]
                self._answers[rows, read] = block + np.outer(moved[rows] - block @ own, own / squares)

    def _multiply(self) -> Generator[None, None, Array]:
        """H H^T, its lower half."""
        found = np.zeros((len(self._answers), len(self._answers)))
        for node, read in enumerate(self._read):
            first, last = self._ends[node], self._ends[node + 1]
            found[first:last, :last] = self._answers[first:last, read] @ self._answers[:last, read].T
            yield
        return found

    def _solve(self, squares: Array, mu: float, e: Array) -> Generator[None, None, Array]:
        """(H H^T + mu 1)^-1 e by Cholesky's factors, a block column at a time."""
        factor, y = squares.copy(), e.copy()
        factor[np.diag_indices_from(factor)] += mu
        pairs = zip(self._ends[:-1], self._ends[1:], strict=True)
        blocks = [slice(int(first), int(last)) for first, last in pairs if first < last]
        for block in blocks:
            below, done = slice(block.start, None), slice(0, block.start)
            column = factor[below, block] - factor[below, done] @ factor[block, done].T
            size = block.stop - block.start
            triangle = np.linalg.cholesky(column[:size])
            factor[block, block] = triangle
            factor[block.stop :, block] = np.linalg.solve(triangle, column[size:].T).T
            y[block] = np.linalg.solve(triangle, y[block] - factor[block, done] @ y[done])
            yield
        for block in reversed(blocks):
            left = y[block] - factor[block.stop :, block].T @ y[block.stop :]
            y[block] = np.linalg.solve(factor[block, block].T, left)
        return y
