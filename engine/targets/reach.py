"""SolveIK of inverse kinodynamics: the displacement of a pose that leads points and turns of bodies where they are
wanted.

e = SolveIK(x_KD, p_i) with p(x_KD + e) = p_i (Rahgoshay 2011, equation 4.1), of least norm e^T K^-1 e, where K are
mobilities: joints that give way easily move more. Each step is damped least squares (section 3.2),

    d = K J^T (J K J^T + mu 1)^-1 r,   mu = a |r|^2,

with a following how well the linear model predicted what a step gained. A coordinate that a step leads beyond its limit
is set on the limit, its part goes into r, and the others are solved for again; one that stands at a limit and is driven
outwards is held.

A pose is looked for away from the limits first: a tenth of each range inside, then 3 %, then where stops begin
(`stops.py`), then up to the figure's own. What stands nearer to a limit may stay there. For a joint that runs against
its stop within the window is pushed back by several hundred times its own inertia, one millisecond sooner or later as
the corrections change, and throws what it carries: d x_KD / d Delta x of such a pose was up to 70 where 1 is usual, and
another one 1e-4 rad on. Where small steps end short of what is wanted, other poses are tried as starts.

J: rows of `engine.model.jacobian`; r: [m] for points, rotation vectors [rad] for turns, in the world.
"""

from __future__ import annotations

import math

import numpy as np

from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.ik.levenberg import solve_shifted
from engine.maths.arrays import Array, IntArray
from engine.model.compile import BALL, DOF_COUNT, DOF_INTS, DOF_STRIDE, RATE_COUNT, Model
from engine.model.jacobian import compute_jacobian, locate_handle
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.jit import kernel
from engine.targets.equations import TURN, pack_equations, turn_between
from engine.targets.equations import Equation as Equation

_ITERATIONS = 60
_CLOSE = 1e-11  # [m, rad] at which a search ends
_REACHED = 1e-8  # [m, rad] within which a pose reaches
_TURNS = 12  # solves of one step: limits that it meets are found in turn
_AT_LIMIT = 1e-12  # [rad, m]
_BACK = (0.0, 0.3, 0.6, 1.0)  # shares of the way to the middle of the limits that other starts take
_SHARES = 6  # other starts by chance, always the same ones
_SEED = 4117
_INSIDE = 0.007  # [rad, m] of a limit, and at most a quarter of the range: there a stop presses already
_CLEAR = (0.1, 0.03)  # parts of a range that are left free before each limit, as long as a pose can be found there


class TargetReach:
    """SolveIK for one figure at one place, with its buffers."""

    def __init__(self, model: Model, mobility: Array, workspace: Array) -> None:
        """`workspace` is a placed state buffer of the model."""
        self.model, self.mobility, self.workspace = model, mobility, workspace
        self.places = rate_places(model)
        bounds = (np.append(model.lower, -np.inf), np.append(model.upper, np.inf))
        self.limits = np.array([bound[self.places] for bound in bounds])
        self._box = self.limits  # of the search that goes on
        self._inner = self._within(0.0)
        self._clear = tuple(self._within(part) for part in _CLEAR)

    def displacement(
        self, q: Array, equations: tuple[Equation, ...], starts: tuple[Array, ...] = ()
    ) -> tuple[Array, float]:
        """e by rates, and by how much the pose so found misses; `starts` are tried where q itself leads nowhere."""
        ints, floats = pack_equations(equations)
        e = np.zeros(self.model.rate_count)
        if len(ints) == 0:
            return e, 0.0
        found = np.empty_like(q)
        for clear in self._clear:
            self._open(clear, q)
            for start in (q, *starts):
                if (missed := self._search(start, ints, floats, found)) <= _REACHED:
                    compute_difference(self.model.ints, q, found, e)
                    return e, missed
        self._open(self._inner, q)
        missed = self._search(q, ints, floats, found)
        if missed > _REACHED:
            for start in (*starts, *self._others(q)):
                tried = np.empty_like(q)
                by = self._search(start, ints, floats, tried)
                if by < 0.9 * missed:
                    found, missed = tried, by
                    if by <= _REACHED:
                        break
            if missed > _REACHED:
                self._box, tried = self.limits, np.empty_like(q)
                by = self._search(found, ints, floats, tried)
                found, missed = (tried, by) if by < missed else (found, missed)
            self._come_back(q, ints, floats, found, missed)
        compute_difference(self.model.ints, q, found, e)
        return e, missed

    def _within(self, part: float) -> Array:
        """Limits inside of the figure's by a part of each range, and by so much that no stop presses."""
        size = self.limits[1] - self.limits[0]
        inside = np.maximum(np.minimum(_INSIDE, 0.25 * size), part * np.where(np.isfinite(size), size, 0.0))
        return np.asarray(self.limits + inside * np.array([[1.0], [-1.0]]))

    def _open(self, inner: Array, q: Array) -> None:
        """Search within limits, but for what stands beyond them at q."""
        own = np.clip(q[self.places], *self.limits)
        self._box = np.array([np.minimum(inner[0], own), np.maximum(inner[1], own)])

    def _search(self, start: Array, ints: IntArray, floats: Array, out_q: Array) -> float:
        rows, rates = 3 * len(ints), self.model.rate_count
        out_q[:] = start
        work = np.empty(rows * (4 + 2 * rows + rates) + 4 * rates + 6 * rates)
        return float(
            search_pose(
                self.model.ints, self.model.floats, self._box, self.places, ints, floats, self.mobility, self.workspace,
                work, out_q,
            )
        )  # fmt: skip

    def _others(self, q: Array) -> tuple[Array, ...]:
        """Poses towards the middle of the limits, then by chance within them; what has no limits stays."""
        moves = self.mobility > 0.0
        lower, upper = self.limits
        closed = moves & np.isfinite(lower) & np.isfinite(upper) & (self.places >= 0)
        at, rng, found = self.places[closed], np.random.default_rng(_SEED), []
        middle = 0.5 * (lower[closed] + upper[closed])
        for share in _BACK[1:]:
            start = q.copy()
            start[at] += share * (middle - start[at])
            found.append(start)
        for _ in range(_SHARES):
            start = q.copy()
            start[at] = lower[closed] + rng.random(len(at)) * (upper[closed] - lower[closed])
            found.append(start)
        return tuple(found)

    def _come_back(self, q: Array, ints: IntArray, floats: Array, out_q: Array, missed: float) -> None:
        """A pose found from afar comes back towards q as far as it still misses no more."""
        if missed > _REACHED:
            return
        way, start, tried = np.empty(self.model.rate_count), np.empty_like(q), np.empty_like(q)
        for share in (0.5, 0.5, 0.5, 0.5):
            compute_difference(self.model.ints, out_q, q, way)
            integrate_coordinates(self.model.ints, out_q, way, share, start)
            if self._search(start, ints, floats, tried) > _REACHED:
                return
            out_q[:] = tried


def rate_places(model: Model) -> IntArray:
    """The coordinate of each rate, -1 for those of a ball, which have no limits."""
    places = np.full(model.rate_count, -1, dtype=np.int32)
    for dof in range(int(model.ints[DOF_COUNT])):
        code, at, rate = model.ints[model.ints[DOF_INTS] + dof * DOF_STRIDE :][:DOF_STRIDE]
        if code != BALL:
            places[rate] = at
    return places


@kernel
def write_rows(
    ints: IntArray, state: Array, equations: IntArray, numbers: Array, columns: Array, out_r: Array, out_j: Array
) -> float:
    """r and J of packed equations, J row by row; returns |r|^2."""
    rates = ints[RATE_COUNT]
    jacobian, p = columns.reshape(6, rates), np.empty(3)
    squares = 0.0
    for equation in range(equations.shape[0]):
        joint = equations[equation, 1]
        turns = equations[equation, 0] == TURN
        locate_handle(state, joint, numbers[equation], 0, p)
        compute_jacobian(ints, state, joint, p, jacobian)
        if turns:
            turn_between(state, joint, numbers[equation], p)
        for line in range(3):
            row = 3 * equation + line
            out_r[row] = p[line] if turns else numbers[equation, 3 + line] - p[line]
            squares += out_r[row] ** 2
            for rate in range(rates):
                out_j[row * rates + rate] = jacobian[line + (3 if turns else 0), rate]
    return squares


@kernel
def find_displacement(
    j: Array, r: Array, free: Array, slack: Array, damping: float, a: Array, factor: Array, y: Array, out_d: Array
) -> None:
    """One damped step within the box `slack` [2, rates]; `free` holds K and is set to zero where a limit holds."""
    rows, rates = r.shape[0], free.shape[0]
    out_d[:] = 0.0
    for _ in range(_TURNS):
        for row in range(rows):
            y[row] = r[row]
            for rate in range(rates):
                if free[rate] == 0.0:
                    y[row] -= j[row * rates + rate] * out_d[rate]
            for column in range(row + 1):
                total = 0.0
                for rate in range(rates):
                    total += j[row * rates + rate] * free[rate] * j[column * rates + rate]
                a[row * rows + column] = total
        solve_shifted(a, rows, damping, factor, y)
        again = False
        for rate in range(rates):
            if free[rate] == 0.0:
                continue
            step = 0.0
            for row in range(rows):
                step += j[row * rates + rate] * y[row]
            step *= free[rate]
            if step < slack[0, rate] or step > slack[1, rate]:
                step = slack[0, rate] if step < slack[0, rate] else slack[1, rate]
                free[rate] = 0.0
                again = True
            out_d[rate] = step
        if not again:
            return


@kernel
def search_pose(
    ints: IntArray,
    floats: Array,
    limits: Array,
    places: IntArray,
    equations: IntArray,
    numbers: Array,
    mobility: Array,
    state: Array,
    work: Array,
    out_q: Array,
) -> float:
    """From the pose in `out_q` to one that meets the equations, or misses them least; returns |r|."""
    rows, rates = 3 * equations.shape[0], mobility.shape[0]
    at = rows * (2 * rows + rates)
    j, a, factor = work[: rows * rates], work[rows * rates :], work[rows * (rates + rows) :]
    r, y, r_new = work[at : at + rows], work[at + rows : at + 2 * rows], work[at + 2 * rows : at + 3 * rows]
    at += 4 * rows
    d, free = work[at : at + rates], work[at + rates : at + 2 * rates]
    slack = work[at + 2 * rates : at + 4 * rates].reshape(2, rates)
    columns = work[at + 4 * rates : at + 10 * rates]
    q_new = np.empty_like(out_q)
    for rate in range(rates):
        if places[rate] >= 0 and mobility[rate] > 0.0:
            out_q[places[rate]] = min(max(out_q[places[rate]], limits[0, rate]), limits[1, rate])
    compute_forward_kinematics(ints, floats, out_q, state)
    squares, share = write_rows(ints, state, equations, numbers, columns, r, j), 1e-2
    for _ in range(_ITERATIONS):
        if squares < _CLOSE * _CLOSE:
            break
        for rate in range(rates):
            free[rate], at = mobility[rate], places[rate]
            slack[0, rate] = limits[0, rate] - out_q[at] if at >= 0 else -math.inf
            slack[1, rate] = limits[1, rate] - out_q[at] if at >= 0 else math.inf
            way = 0.0
            for row in range(rows):
                way += j[row * rates + rate] * r[row]
            if (way > 0.0 and slack[1, rate] <= _AT_LIMIT) or (way < 0.0 and slack[0, rate] >= -_AT_LIMIT):
                free[rate] = 0.0
        find_displacement(j, r, free, slack, share * squares, a, factor, y, d)
        integrate_coordinates(ints, out_q, d, 1.0, q_new)
        promised = 0.0
        for row in range(rows):
            left = r[row]
            for rate in range(rates):
                left -= j[row * rates + rate] * d[rate]
            promised += left * left
        compute_forward_kinematics(ints, floats, q_new, state)
        found = write_rows(ints, state, equations, numbers, columns, r_new, j)
        if found < squares:
            gain = (squares - found) / max(squares - promised, 1e-300)
            share = max(share * (0.2 if gain > 0.75 else 1.0 if gain > 0.25 else 3.0), 1e-9)
            small = found > squares * (1.0 - 1e-7)
            squares = found
            out_q[:] = q_new
            r[:] = r_new
            if small:
                break
        else:
            share *= 8.0
            compute_forward_kinematics(ints, floats, out_q, state)
            squares = write_rows(ints, state, equations, numbers, columns, r, j)
            if share > 1e9:
                break
    return math.sqrt(squares)
