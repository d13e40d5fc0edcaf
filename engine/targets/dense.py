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

Others may be tied beside them: points, turns and velocities have their own bell alone, and a null-space edit is f at
its time, which its bell keeps whatever the others do (`Basis.held`).

A step is that of Levenberg and Marquardt, s = (R H)^T (R H (R H)^T + mu 1)^-1 R e, with R what displacements do for the
wants (of poses alone: 1) and H from `tangent.py`, improved after each step node by node (a bell that a window does not
read stays without effect on it), and found anew, at last about every step of the windows, where the error falls too
slowly. Where a step alone does not lessen the error well, corrections by the same matrix follow it (a chord): what is
light bends the way of what is heavy, and would else allow small steps only. `banded.py` has the linear algebra.

A joint that is held back by its stop answers next to nothing. Where it would have to be pressed much further into the
stop to come nearer (a knee that snaps straight within a frame), its equation is left out, so that the others are met.

Rates that follow exactly move nothing here unless their own values are missed.

Symbols: e displacements [rad or m]; H, s, d as in `secant.py`; R as in `steering.py`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.kinodynamics.gains import LOWER, UPPER
from engine.maths.arrays import Array, IntArray
from engine.targets.active_equations import ask
from engine.targets.banded import Band, Profile, factor_bands, multiply_bands, solve_bands
from engine.targets.easing import active_rates, is_aimed
from engine.targets.equations import KinodynamicState, PoseEquation
from engine.targets.nodes import Group
from engine.targets.options import Effort
from engine.targets.search_state import SearchState, error_of, joined, part_of
from engine.targets.secant import displacement_between
from engine.targets.steering import Steering
from engine.targets.tangent import FINE, Tangent

_LESS = 1.0 - 1e-9
_WELL = 0.3  # of the error: a step that leaves less needs no other, and the answers are kept
_NEAR = 3e-2  # of the error at first: nearer than that measured answers are worth their simulations
_STEP = 1e-6  # [rad or m] of finite differences
_MOST_MEASURED = 3000  # simulations; where measuring takes more, answers to first order must do
# where answers come from: improved by steps; to first order, about some steps of windows or about each; by simulations
_LEARNT, _LOOKED, _CLOSELY, _MEASURED = range(4)
_TRIES = 2  # iterations in vain, each with fresh answers, before a search gives up
# mu, and shares of its step
_TRIALS = ((1e-6, (1.0, 0.5, 0.25)), (1e-3, (1.0,)), (1e-2, (1.0, 0.5)), (1e-1, (1.0, 0.5)), (1.0, (1.0,)))
_DAMPED = 1e-1  # from this mu on any step that lessens the error does
_NODES = 4  # whose answers are improved in a slice
_AGAIN, _SHRINKS = 4, 0.7  # corrections of a step by the same matrix; of the last, that each may be
_PUSH = 0.5  # [rad or m] by which a correction may grow to press a joint further into its stop


class DenseSearch:
    """One group of tied nodes, some of them poses. `group` has the basis of `easing.dense_basis`."""

    def __init__(self, group: Group, mobility: Array, effort: Effort, now: SearchState, *, eased: bool = False) -> None:
        """`eased`: whether least steps weigh joints by how readily they move what is wanted."""
        self.group, self.effort, self.now = group, effort, now
        self.steering = Steering(group, mobility)
        self._ease = [self.steering.ease(node) if eased else np.ones(len(mobility)) for node in range(len(group.nodes))]
        self._tangents = {_LOOKED: Tangent(group.kino, FINE), _CLOSELY: Tangent(group.kino, 1)}
        count = group.model.rate_count
        every = np.array([self.steering.displacement(node, state) for node, state in enumerate(now.states)])
        self._moves = (every != 0.0).any(axis=(0, 1)) | ~group.kino.gains.exact
        self._node_equations = [ask(node, self._moves, effort) for node in group.nodes]
        self._row, self._rate, self._scale = self._list_columns()
        self._answers = [Band(np.empty((0, 0)), 0)] * len(group.nodes)
        self._held = np.zeros((len(group.nodes), count))  # the share of its last step that a stop takes
        self._counts = np.ones((len(group.nodes), count))  # 0 where a stop holds a joint back

    def steps(self) -> Iterator[float | None]:
        """Iterations, each with the error that it left; None between short slices of one."""
        first_order = not self.group.kino.touches
        begun, known, in_vain = self.now.error, _LOOKED if first_order else _MEASURED, 0
        for _ in range(self.effort.iterations):
            if self.now.error <= 1.0:
                return
            if known in self._tangents:
                yield from self._look(self._tangents[known])
            elif known == _MEASURED:
                yield from self._measure()
            self._weigh()
            before = self._error(self.now.states)
            if before <= 1.0:
                return  # all is met but what stops hold back
            after = yield from self._step(before)
            pace = after / before
            in_vain = in_vain + 1 if known not in (_LEARNT, _LOOKED) and pace >= _LESS else 0
            if pace <= _WELL or (known == _MEASURED and not in_vain):
                known = _LEARNT
            elif first_order and not ((after < _NEAR * begun or in_vain) and known >= _CLOSELY and self._may_measure):
                known = _CLOSELY
            else:
                known = _MEASURED
            self.now.curve.append(self.now.error)
            yield self.now.error
            if in_vain >= _TRIES:
                return

    @property
    def _may_measure(self) -> bool:
        return sum(int(band.values.shape[1]) for band in self._answers) <= _MOST_MEASURED

    def is_held_back(self, node: int) -> bool:
        """Tell whether a stop keeps a joint from the value that a node wants."""
        return bool(np.any(self._counts[node] == 0.0))

    def _list_columns(self) -> tuple[IntArray, IntArray, Array]:
        """The unknowns in order of nodes, so that a window reads columns that follow one another: row of the basis,
        rate, and what one is counted in."""
        exact, rows, found = self.group.kino.gains.exact, self.group.basis.rows, []
        owners, count = self.group.basis.owners, len(self.group.nodes)
        for index, node in enumerate(self.group.nodes):
            if not node.goals:
                continue
            wanted = active_rates(node, len(exact)) & self._moves
            free = np.isin(np.arange(len(exact)), self.steering.rates[index]) & self._moves
            further = wanted | free if is_aimed(node) and not wanted.any() else wanted
            for row, (bump, order) in enumerate(rows):
                if bump == index:
                    scale = 1.0 if order == 0 else node.bump.bell.before / TICKS_PER_SECOND / 3.0
                    found += [(row, rate, scale * self._ease[index][rate]) for rate in np.flatnonzero(wanted | free)]
                elif bump >= count and owners[bump - count] == index:
                    found += [(row, rate, self._ease[index][rate]) for rate in np.flatnonzero(further & ~exact)]
        columns = np.array(found, dtype=np.float64).reshape(-1, 3).T
        return columns[0].astype(np.int32), columns[1].astype(np.int32), columns[2]

    def _columns_read(self, node: int) -> slice:
        read = np.flatnonzero(np.isin(self._row, self.group.rows_read(node)))
        return slice(int(read[0]), int(read[-1]) + 1) if len(read) else slice(0, 0)

    def _look(self, tangent: Tangent) -> Generator[None, None, None]:
        """H about the present motion."""
        for node, equations in enumerate(self._node_equations):
            if len(equations.rate) == 0:
                continue
            rates, place = np.unique(equations.rate, return_inverse=True)
            both = yield from self.group.answers(node, self.now.wanted, tangent, rates)
            read = self._columns_read(node)
            row, rate = self._row[read], self._rate[read]
            found = np.empty((len(equations.rate), len(row)))
            for order, by_row in enumerate(both):
                own = equations.order == order
                found[own] = by_row[row, :, rate].T[place[own]]
            self._answers[node] = Band(found * self._scale[read], read.start)
            self._held[node] = tangent.held
            yield

    def _measure(self) -> Generator[None, None, None]:
        """H by finite differences, for the nodes that are missed: it sees stops as they are."""
        for node, equations in enumerate(self._node_equations):
            state, read = self.now.states[node], self._columns_read(node)
            known = self._answers[node]
            if known.values.size and all(
                part_of(residual, self.effort) <= 1.0 for residual in self.group.residuals(node, state)
            ):
                continue
            found = np.zeros((len(equations.rate), read.stop - read.start))
            at_once = max(1, self.group.batch // len(self.group.nodes[node].ends))
            for first in range(read.start, read.stop, at_once):
                columns = np.arange(first, min(first + at_once, read.stop))
                trials = np.repeat(self.now.wanted[None], len(columns), axis=0)
                trials[np.arange(len(columns)), self._row[columns], self._rate[columns]] += _STEP * self._scale[columns]
                for column, moved in zip(columns, self.group.states(node, trials), strict=True):
                    if moved is not None:
                        both = displacement_between(self.group, state, moved)
                        found[:, column - read.start] = both[equations.order, equations.rate] / _STEP
                yield
            self._answers[node] = Band(found, read.start)

    def _weigh(self) -> None:
        """Leave out what a stop holds back."""
        servo, places = self.group.kino.servo, np.array(self.steering.places)
        for node, state in enumerate(self.now.states):
            e = self.steering.displacement(node, state)[0]
            q = np.where(places >= 0, state.q[places], 0.0)
            into = np.where(q - servo[LOWER] < servo[UPPER] - q, e < 0.0, e > 0.0) & (places >= 0)
            push = np.abs(e) / np.maximum(1.0 - self._held[node], 1e-9)
            self._counts[node] = np.where(into & (push > _PUSH) & (self._held[node] > 0.5), 0.0, 1.0)

    def _error(self, states: list[KinodynamicState]) -> float:
        """Measure the error as `error_of` does, without what stops hold back."""
        parts = []
        for node, state in enumerate(states):
            for residual in self.group.residuals(node, state):
                if isinstance(residual.equation, PoseEquation):
                    rates = slice(None) if residual.equation.rates is None else list(residual.equation.rates)
                    residual = replace(residual, error=residual.error * self._counts[node][rates])
                parts.append(part_of(residual, self.effort))
        return joined(parts)

    def _equations(self, states: list[KinodynamicState]) -> tuple[list[Array], Array]:
        """Build the matrices from displacements to equations at each node, and the residual of these."""
        through, missing = [], []
        for node, (equations, state) in enumerate(zip(self._node_equations, states, strict=True)):
            e = self.steering.displacement(node, state)[equations.order, equations.rate]
            counts = np.where(equations.own >= 0, self._counts[node][equations.own], 1.0) * equations.scale
            if equations.bodies:
                rows = self.steering.rows(node, state)[:, equations.order, equations.rate] * counts[:, None]
                through.append(rows)
                missing.append(rows @ e)
            else:
                through.append(counts[:, None])
                missing.append(counts * e)
        return through, np.concatenate(missing)

    def _step(self, begun: float) -> Generator[None, None, float]:
        """Try steps until one lessens the error well, or the last has been tried; take the best. What is left."""
        through, missing = self._equations(self.now.states)
        bands = [
            Band(rows @ band.values if equations.bodies else rows * band.values, band.first)
            for equations, rows, band in zip(self._node_equations, through, self._answers, strict=True)
        ]
        yield
        squares = yield from multiply_bands(bands)
        best: tuple[float, Array, list[KinodynamicState]] | None = None
        for mu, shares in _TRIALS:
            try:
                factor = yield from factor_bands(squares, mu)
            except np.linalg.LinAlgError:
                continue  # too little damping for answers as far apart as these
            for share in shares:
                found = yield from self._chord(bands, factor, missing, share, _WELL * begun)
                if found is not None and (best is None or found[0] < best[0]):
                    best = found
                if best is not None and best[0] < _WELL * begun:
                    break
            if best is not None and best[0] < (_WELL if mu < _DAMPED else _LESS) * begun:
                break
        if best is None:
            return begun
        error, step, states = best
        yield from self._improve(step, states)
        if error >= _LESS * begun:
            return begun
        self.now.wanted = self.now.wanted + self._spread(step)
        self.now.states, self.now.error = states, error_of(self.group, self.effort, states)
        return error

    def _chord(
        self, bands: list[Band], factor: Profile, missing: Array, share: float, enough: float
    ) -> Generator[None, None, tuple[float, Array, list[KinodynamicState]] | None]:
        """A share of a step, and corrections of it by the same matrix as long as they shrink: the best of all."""
        best: tuple[float, Array, list[KinodynamicState]] | None = None
        change = self._least(bands, solve_bands(factor, share * missing))
        step, size = change, float(np.linalg.norm(change))
        for _ in range(1 + _AGAIN):
            states = yield from self.group.all_states(self.now.wanted + self._spread(step))
            if states is None:
                return best
            error = self._error(states)
            if best is None or error < best[0]:
                best = (error, step, states)
            if error < enough:
                return best
            left = self._equations(states)[1] - (1.0 - share) * missing
            yield
            change = self._least(bands, solve_bands(factor, left))
            if np.linalg.norm(change) > _SHRINKS * size:
                return best
            step, size = step + change, float(np.linalg.norm(change))
        return best

    def _least(self, bands: list[Band], y: Array) -> Array:
        step, at = np.zeros(len(self._row)), 0
        for band in bands:
            step[band.first : band.last] += band.values.T @ y[at : at + len(band.values)]
            at += len(band.values)
        return step

    def _spread(self, step: Array) -> Array:
        wanted = np.zeros_like(self.now.wanted)
        wanted[self._row, self._rate] = step * self._scale
        return wanted

    def _improve(self, step: Array, states: list[KinodynamicState]) -> Generator[None, None, None]:
        """Broyden's update of what each node answers to the bells that it reads."""
        for node, (equations, band) in enumerate(zip(self._node_equations, self._answers, strict=True)):
            own = step[band.first : band.last]
            squares = float(own @ own)
            if squares > 0.0:
                both = displacement_between(self.group, self.now.states[node], states[node])
                left = both[equations.order, equations.rate] - band.values @ own
                self._answers[node] = Band(band.values + np.outer(left, own / squares), band.first)
            if node % _NODES == _NODES - 1:
                yield
