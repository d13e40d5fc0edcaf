"""Motions of a figure in space written by hand for CasADi: the same variables, equations, bounds and guess, for IPOPT.

A point of integration is an expression (SX) of what it reads, which is linear in the unknowns: z = G x. So the Hessian
of the whole is G^T diag(H) G with the Hessians H of single points, which are expressions as well; first derivatives
alike. What the problems of the benchmark do not have is not written: blows, bounds of torques, power, coordinates that
stay, demands of anything but points.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import Any

import casadi as ca
import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.spacetime.spatial.guesses import straight_spatial_line
from engine.spacetime.spatial.layout import MUSCLE, SpatialLayout, is_fixed, lay_out_spatial
from engine.spacetime.spatial.problem import SpatialDemand, SpatialProblem
from engine.spacetime.spatial.splines import spline_basis
from engine.spacetime.spatial.tree import BodyPoint
from tests.benchmarks.spacetime_casadi_dynamics import express_places, express_torques, link_frames

LIMIT = 300.0  # [s] of the processor, after which it is stopped


@dataclass(frozen=True, kw_only=True)
class FoundByIpopt:
    """How a search ended."""

    objective: float
    violation: float
    iterations: int
    status: str
    x: Array
    settled: tuple[float, float] | None  # [s] of the processor, objective: from where ten steps gain 3% of it


class WrittenMotion:
    """One problem as CasADi has it: functions of x, their bounds, and derivatives."""

    def __init__(self, problem: SpatialProblem) -> None:
        self.problem, self.layout = problem, lay_out_spatial(problem)
        self.links = link_frames(problem.figure)
        self.n, count = len(problem.figure.coordinates), len(self.layout.lower)
        self.scale = _objective_scale(problem, self.layout)
        self.x, self.weight = ca.MX.sym("x", count), ca.MX.sym("weight")
        self.cost: Any = 0.0
        self.gradient: Any = ca.MX(count, 1)
        self.hessian: Any = ca.MX(count, count)
        self.values: list[Any] = []
        self.slopes: list[Any] = []
        self.least: list[Array] = []
        self.most: list[Array] = []
        self._write()

    def _write(self) -> None:
        """Put the whole together."""
        rows = self.layout.equations
        demands = [each for each in self.problem.demands if not is_fixed(self.problem, each)]
        looks = [look for each in demands for look in _looks(self.problem, each)]
        joins = self.n * (len(self.problem.stages) - 1)
        self.multipliers = ca.MX.sym("multipliers", rows + len(looks) + joins)
        equations, of_equations = ca.MX(rows, 1), ca.MX(rows, len(self.layout.lower))
        for stage in range(len(self.problem.stages)):
            values, slopes = self._integrate(stage, self.multipliers[:rows])
            equations, of_equations = equations + values, of_equations + slopes
        self._take(equations, of_equations, self.layout.equation_lower, self.layout.equation_upper)
        if looks:
            self._look(looks, self.multipliers[rows : rows + len(looks)])
        if joins:
            self._go_on(self.multipliers[rows + len(looks) :])

    def solve(self, first_barrier: float = 1e-2) -> FoundByIpopt:
        """Search from the straight line to the end; note where a search that may settle would have."""
        x, began, layout = self.x, process_time(), self.layout
        none, values = ca.MX.sym("none", 0), ca.vertcat(*self.values)
        least, most = np.concatenate(self.least), np.concatenate(self.most)
        watch = _Watch(len(layout.lower), least, most)
        options = {
            "jac_g": ca.Function("slopes", [x, none], [values, ca.vertcat(*self.slopes)]),
            "grad_f": ca.Function("gradient", [x, none], [self.cost, self.gradient]),
            "hess_lag": ca.Function("bends", [x, none, self.weight, self.multipliers], [ca.triu(self.hessian)]),
            "iteration_callback": watch,
            "no_nlp_grad": True,
            "print_time": False,
            "ipopt.print_level": 0,
            "ipopt.sb": "yes",
            "ipopt.tol": 1e-8,
            "ipopt.mu_init": first_barrier,
            "ipopt.linear_solver": "mumps",
            "ipopt.max_cpu_time": LIMIT,
        }
        solver = ca.nlpsol("solver", "ipopt", {"x": x, "f": self.cost, "g": values}, options)
        found = solver(
            x0=straight_spatial_line(self.problem, layout) / layout.scale,
            lbx=layout.lower / layout.scale,
            ubx=layout.upper / layout.scale,
            lbg=least,
            ubg=most,
        )
        reached = np.array(found["g"]).reshape(-1)
        return FoundByIpopt(
            objective=float(found["f"]) * self.scale,
            violation=float(np.maximum(least - reached, reached - most).max(initial=0.0)),
            iterations=int(solver.stats()["iter_count"]),
            status=str(solver.stats()["return_status"]),
            x=np.array(found["x"]).reshape(-1) * layout.scale,
            settled=None if watch.settled is None else (watch.settled[0] - began, watch.settled[1] * self.scale),
        )

    def _take(self, values: Any, slopes: Any, least: Array, most: Array) -> None:
        self.values.append(values)
        self.slopes.append(slopes)
        self.least.append(least)
        self.most.append(most)

    def _integrate(self, stage: int, multipliers: Any) -> tuple[Any, Any]:
        """Add a stage's cost; return what its equations of motion have of it, with derivatives."""
        layout, packed, given = self.layout, self.layout.packed, self.problem.stages[stage]
        forces = [f for f, e in enumerate(self.problem.forces) if self.problem.force(given, e.name).kind != "constant"]
        lame = [i for i in range(self.n) if packed.slots[stage, i] >= 0]
        free = bool(packed.free_lengths[stage])
        point = self._point(stage, forces, lame, free)
        pieces = [int(each) for each in np.flatnonzero(packed.pieces[:, 0] == stage)]
        reads, shares, weights = [], _Triplets(), []
        for at, (piece, k) in enumerate((piece, k) for piece in pieces for k in range(len(packed.weights))):
            read = _Triplets()
            _read_path(self.layout, piece, packed.layers[piece, k], (0, 1, 2), read)
            for number, f in enumerate(forces):
                for c in range(int(packed.hat_counts[stage, f])):
                    column = int(packed.columns[piece, 4 * self.n + 2 * f + c])
                    read.add(3 * self.n + number, column, packed.hats[k, c] * layout.scale[column])
            if free:
                column = int(packed.lengths[stage])
                read.add(3 * self.n + len(forces), column, layout.scale[column] / given.pieces)
            reads.append(read.matrix(point.size1_in(0), len(layout.lower)))
            weights.append(packed.weights[k] / self.scale)
            for number, i in enumerate(lame):
                for hat in range(2):
                    row = int(packed.rows[piece, 2 * i + hat])
                    share = packed.weights[k] * packed.hats[k, hat] / layout.equation_scale[row]
                    shares.add(row, at * len(lame) + number, share)
        mixed = shares.matrix(layout.equations, len(reads) * len(lame))
        return self._put(point, ca.vertcat(*reads), np.array(weights), mixed, multipliers)

    def _put(self, point: Any, read: Any, weights: Array, mixed: Any, multipliers: Any) -> tuple[Any, Any]:
        """Call a function at all its points, and add cost and second derivatives."""
        count, width, rows = len(weights), point.size1_in(0), point.size1_in(2)
        z = ca.reshape(ca.mtimes(read, self.x), width, count)
        y = ca.reshape(ca.mtimes(mixed.T, multipliers), rows, count)
        turned_read, none, zero = read.T, ca.MX(1, count), ca.MX(rows, count)
        values = point.factory("values", ["z", "weight", "y"], ["cost", "seen"]).map(count)
        slopes = point.factory("slopes", ["z", "weight", "y"], ["grad:cost:z", "jac:seen:z"]).map(count)
        bends = point.factory("bends", ["z", "weight", "y"], ["hess:whole:z:z"]).map(count)
        cost, seen = values(z, none, zero)
        down, across = slopes(z, none, zero)
        bent = bends(z, self.weight * ca.DM(weights).T, y)
        self.cost += ca.mtimes(cost, ca.DM(weights))
        self.gradient += ca.mtimes(turned_read, ca.vec(down * ca.repmat(ca.DM(weights).T, width, 1)))
        blocks = ca.diagcat(*ca.horzsplit(bent, width))
        self.hessian += ca.mtimes(turned_read, ca.mtimes(blocks, read))
        jacobian = ca.mtimes(mixed, ca.mtimes(ca.diagcat(*ca.horzsplit(across, width)), read))
        return ca.mtimes(mixed, ca.vec(seen)), jacobian

    def _point(self, stage: int, forces: list[int], lame: list[int], free: bool) -> Any:
        """Express cost and equations of motion at a point of integration."""
        packed, given, n = self.layout.packed, self.problem.stages[stage], self.n
        z = ca.SX.sym("z", 3 * n + len(forces) + free)
        h = z[-1] if free else given.length / given.pieces
        q, v, a, sizes = z[:n], z[n : 2 * n] / h, z[2 * n : 3 * n] / h**2, z[3 * n : 3 * n + len(forces)]
        acting = [
            (self.problem.forces[f].point, sizes[at], self.problem.forces[f].direction) for at, f in enumerate(forces)
        ]
        tau = express_torques(self.problem.figure, self.links, (q, v, a), acting)
        cost: Any = self.problem.pressing * ca.sumsqr(sizes)
        for i in range(n):
            if packed.roles[stage, i] == MUSCLE:
                cost += packed.costs[i, 0] * tau[i] ** 2 + packed.steadiness * a[i] ** 2
        seen = ca.vertcat(*(h * (tau[i] - packed.given[stage, i]) for i in lame))
        return _function(z, h * cost, seen, len(lame))

    def _look(self, looks: list[_Look], multipliers: Any) -> None:
        """Add what is demanded of points at single times."""
        layout, n = self.layout, self.n
        points = tuple({each.point: None for each in looks})
        times = tuple({(each.piece, each.u): None for each in looks})
        z = ca.SX.sym("z", 2 * n + 1)
        seen = ca.vertcat(*express_places(self.problem.figure, self.links, z[:n], points))
        seen = ca.vertcat(seen, ca.jtimes(seen, z[:n], z[n : 2 * n] / z[-1]))
        reads, numbers = [], layout.packed.pieces
        for piece, u in times:
            stage, within = (int(each) for each in numbers[piece])
            pieces, read = self.problem.stages[stage].pieces, _Triplets()
            _read_path(layout, piece, spline_basis(pieces, within, u), (0, 1), read)
            column = int(layout.packed.lengths[stage])
            read.add(2 * n, column, layout.scale[column] / pieces)
            reads.append(read.matrix(2 * n + 1, len(layout.lower)))
        reach, mixed = self.problem.figure.reach, _Triplets()
        least, most = [], []
        for row, each in enumerate(looks):
            size = reach / layout.seconds if each.rate else reach
            first = times.index((each.piece, each.u)) * 6 * len(points)
            first += 3 * points.index(each.point) + each.rate * 3 * len(points)
            for axis in range(3):
                mixed.add(row, first + axis, each.direction[axis] / size)
            least.append(each.least / size)
            most.append(each.most / size)
        function = _function(z, ca.SX(0.0), seen, 6 * len(points))
        matrix = mixed.matrix(len(looks), len(times) * 6 * len(points))
        values, slopes = self._put(function, ca.vertcat(*reads), np.zeros(len(times)), matrix, multipliers)
        self._take(values, slopes, np.array(least), np.array(most))

    def _go_on(self, multipliers: Any) -> None:
        """Let all coordinates go on from a stage to the next with the same rates."""
        layout, n, figure = self.layout, self.n, self.problem.figure
        sizes = np.array([1.0 if turns else figure.reach for turns in figure.turns]) / layout.seconds
        z = ca.SX.sym("z", 2 * n + 2)
        function = _function(z, ca.SX(0.0), (z[n : 2 * n] / z[-1] - z[:n] / z[-2]) / sizes, n)
        reads, packed = [], layout.packed
        for stage in range(len(self.problem.stages) - 1):
            read, last = _Triplets(), int(np.flatnonzero(packed.pieces[:, 0] == stage)[-1])
            for side, u in enumerate((1.0, 0.0)):
                pieces = self.problem.stages[stage + side].pieces
                bases = spline_basis(pieces, 0 if side else pieces - 1, u)[1:2]
                _read_path(layout, last + side, bases, (0,), read, side * n)
                column = int(packed.lengths[stage + side])
                read.add(2 * n + side, column, layout.scale[column] / pieces)
            reads.append(read.matrix(2 * n + 2, len(layout.lower)))
        values, slopes = self._put(
            function, ca.vertcat(*reads), np.zeros(len(reads)), ca.DM.eye(n * len(reads)), multipliers
        )
        zeros = np.zeros(n * len(reads))
        self._take(values, slopes, zeros, zeros)


class _Watch(ca.Callback):
    """Looks at each iterate, and notes the first from which on steps gain little."""

    def __init__(self, variables: int, least: Array, most: Array) -> None:
        ca.Callback.__init__(self)
        self._sizes = {"x": variables, "lam_x": variables, "f": 1, "g": len(least), "lam_g": len(least)}
        self._least, self._most = least, most
        self._objectives: list[float] = []
        self.settled: tuple[float, float] | None = None
        self.construct("watch", {})

    def get_n_in(self) -> int:
        return int(ca.nlpsol_n_out())

    def get_n_out(self) -> int:
        return 1

    def get_name_in(self, place: int) -> str:
        return str(ca.nlpsol_out(place))

    def get_sparsity_in(self, place: int) -> Any:
        return ca.Sparsity.dense(self._sizes.get(ca.nlpsol_out(place), 0), 1)

    def eval(self, told: Any) -> list[float]:
        given = {ca.nlpsol_out(place): each for place, each in enumerate(told)}
        reached = np.array(given["g"]).reshape(-1)
        now, worst = float(given["f"]), np.maximum(self._least - reached, reached - self._most).max(initial=0.0)
        self._objectives.append(now)
        little = len(self._objectives) > 10 and abs(self._objectives[-11] - now) <= 0.03 * abs(now)
        if self.settled is None and little and worst < 0.05:
            self.settled = process_time(), now
        return [0.0]


@dataclass(frozen=True)
class _Look:
    """A demand at one time."""

    point: BodyPoint
    rate: bool
    direction: Vector3
    piece: int
    u: float
    least: float
    most: float


class _Triplets:
    """A sparse matrix while it is written."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.numbers: list[float] = []

    def add(self, row: int, column: int, number: float) -> None:
        self.rows.append(row)
        self.columns.append(column)
        self.numbers.append(float(number))

    def matrix(self, rows: int, columns: int) -> Any:
        return ca.DM.triplet(self.rows, self.columns, ca.DM(self.numbers), rows, columns)


def _function(z: Any, cost: Any, seen: Any, rows: int) -> Any:
    weight, y = ca.SX.sym("weight"), ca.SX.sym("y", rows)
    whole = weight * cost + ca.dot(y, seen)
    return ca.Function("point", [z, weight, y], [cost, seen, whole], ["z", "weight", "y"], ["cost", "seen", "whole"])


def _read_path(
    layout: SpatialLayout, piece: int, bases: Array, orders: tuple[int, ...], out: _Triplets, first: int = 0
) -> None:
    """Coordinates and their derivatives by the share of a piece, as they are made of unknowns; all of them move."""
    packed, n = layout.packed, layout.packed.moving.shape[1]
    assert packed.moving.all()
    for order in orders:
        for i in range(n):
            columns = packed.columns[piece, 4 * i : 4 * i + 4]
            for c in range(4):
                if abs(bases[order, c]) > 1e-12:
                    out.add(first + order * n + i, int(columns[c]), bases[order, c] * layout.scale[columns[c]])


def _looks(problem: SpatialProblem, demand: SpatialDemand) -> list[_Look]:
    """A demand of a point at each of its times."""
    assert demand.point is not None
    assert demand.samples == 1
    stage = problem.stage(demand.stage)
    first, pieces = sum(each.pieces for each in problem.stages[:stage]), problem.stages[stage].pieces
    times = [demand.at * pieces]
    if demand.until is not None:
        times = [t for t in range(pieces + 1) if demand.at * pieces - 1e-9 <= t <= demand.until * pieces + 1e-9]
    found = []
    for time in times:
        piece = min(int(time), pieces - 1)
        rate = demand.quantity == "point rate"
        assert rate or demand.quantity == "point"
        ends = demand.least, demand.most
        found.append(_Look(demand.point, rate, demand.direction, first + piece, time - piece, *ends))
    return found


def _objective_scale(problem: SpatialProblem, layout: SpatialLayout) -> float:
    torques = [float(layout.torque_scales[problem.figure.coordinate(each.limb)]) for each in problem.muscles]
    return layout.seconds * sum(each.torque * t**2 for each, t in zip(problem.muscles, torques, strict=True))
