"""A motion problem written by hand for CasADi: the same variables, equations, bounds and guess, solved by IPOPT.

Symbolic expressions (SX) of one point of integration are a function, called at each point of each piece; derivatives
are CasADi's own, exact Hessian included. What the problems of the benchmark do not have is not written: forces, free
lengths, demands of momentum.
"""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from engine.maths.arrays import Array
from engine.spacetime.bases import COEFFICIENTS, HERMITE, SINGLE, basis, basis_slope, control_point, quadrature
from engine.spacetime.figures import LimbPoint, PlanarFigure
from engine.spacetime.guesses import straight_line
from engine.spacetime.layout import VariableLayout, lay_out, trial_count
from engine.spacetime.problem import MotionProblem


def solve(problem: MotionProblem) -> tuple[float, bool]:
    """Objective that IPOPT ends with, and whether it says that it has solved the problem."""
    layout = lay_out(problem)
    written = _Written(problem, layout)
    written.write()
    options = {"ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes", "ipopt.tol": 1e-8, "expand": True}
    program = {"x": written.x, "f": written.objective, "g": ca.vertcat(*written.constraints)}
    solver = ca.nlpsol("solver", "ipopt", program, options)
    found = solver(
        x0=straight_line(problem, layout) / layout.scale,
        lbx=layout.lower / layout.scale,
        ubx=layout.upper / layout.scale,
        lbg=written.least,
        ubg=written.most,
    )
    return float(found["f"]) * written.scale, bool(solver.stats()["success"])


class _Written:
    """The program while it is written."""

    def __init__(self, problem: MotionProblem, layout: VariableLayout) -> None:
        self.problem, self.layout = problem, layout
        self.x: Any = ca.MX.sym("x", len(layout.lower))
        self.variables = self.x * layout.scale
        self.n = len(problem.figure.coordinates)
        self.point, self.place, self.momentum = _functions(problem)
        self.constraints: list[Any] = []
        self.least: list[float] = []
        self.most: list[float] = []
        self.cost: Any = 0.0
        self.trials: dict[tuple[int, int, int], Any] = {}
        torque = float(layout.scales[self.n])
        self.scale = torque**2 * layout.seconds * max(1, len(problem.muscles))

    @property
    def objective(self) -> Any:
        return self.cost / self.scale

    def write(self) -> None:
        """Write objective and constraints."""
        for stage in range(len(self.problem.stages)):
            self._integrate(stage)
            for i in range(self.n):
                kind, pieces = int(self.layout.packed.kinds[stage, i]), self.problem.stages[stage].pieces
                ends = {(stage, i, 0), (stage, i, 2 * pieces)}
                own = [key for key in self.trials if key[:2] == (stage, i) and key not in ends]
                assert len(own) == trial_count(kind, pieces)
                for key in own:
                    self._demand(self.trials[key] / self.layout.scales[-1], 0.0, 0.0)
        self._bounds()
        self._demands()
        for stage in range(len(self.problem.stages) - 1):
            self._link(stage)

    def _demand(self, expression: Any, least: float, most: float) -> None:
        self.constraints.append(expression)
        self.least.append(least)
        self.most.append(most)

    def _read(self, stage: int, piece: int, bases: Array) -> Any:
        """All functions at a point."""
        packed, found = self.layout.packed, []
        for i, kind in enumerate(packed.kinds[stage]):
            first = int(packed.firsts[stage, i] + kind * piece)
            count = COEFFICIENTS[int(kind)]
            found.append(ca.dot(self.variables[first : first + count], ca.DM(bases[kind, :count])))
        return ca.vertcat(*found)

    def _integrate(self, stage: int) -> None:
        rule, packed = quadrature("gauss"), self.layout.packed
        pieces = self.problem.stages[stage].pieces
        h = self.problem.stages[stage].length / pieces
        muscles = len(self.problem.muscles)
        for piece in range(pieces):
            for weight, (values, slopes, _) in zip(rule.weights, rule.layers, strict=True):
                a, b = self._read(stage, piece, values), self._read(stage, piece, slopes)
                torques = a[self.n : self.n + muscles]
                p, g = self.point(a[: self.n], b[: self.n] / h, torques)
                self.cost += weight * h * ca.sumsqr(torques)
                for i in range(self.n):
                    kind = int(packed.kinds[stage, i])
                    if kind == SINGLE:
                        continue
                    for c in range(COEFFICIENTS[kind]):
                        key = (stage, i, 2 * piece + c) if kind == HERMITE else (stage, i, 2 * (piece + c))
                        part = weight * (p[i] * slopes[kind, c] + h * g[i] * values[kind, c])
                        self.trials[key] = self.trials.get(key, 0.0) + part

    def _bounds(self) -> None:
        for stage, each in enumerate(self.problem.stages):
            for i, given in enumerate(self.problem.representations(each)):
                if given.kind == "hermite" and np.isfinite([given.least, given.most]).any():
                    for piece in range(each.pieces):
                        for index in (1, 2):
                            point = self._read(stage, piece, control_point(index))[i]
                            self._demand(point, given.least, given.most)

    def _demands(self) -> None:
        for demand in self.problem.demands:
            stage = self.problem.stage(demand.stage)
            given = self.problem.stages[stage]
            pieces, h = given.pieces, given.length / given.pieces
            if demand.until is not None:
                times = np.linspace(0.0, pieces, demand.samples * pieces + 1)
            else:
                times = np.array([demand.at * pieces])
            for time in times:
                piece = min(int(time), pieces - 1)
                a = self._read(stage, piece, basis(time - piece))
                if demand.quantity == "point":
                    assert demand.point is not None
                    arms = self.problem.figure.arms(demand.point)
                    seen = ca.dot(self.place(a[: self.n], ca.DM(arms)), ca.DM(list(demand.direction)))
                elif demand.quantity == "rate":
                    slopes = self._read(stage, piece, basis_slope(time - piece))
                    seen = slopes[self.problem.function(demand.of)] / h
                else:
                    seen = a[self.problem.function(demand.of)]
                self._demand(seen, demand.least, demand.most)

    def _link(self, stage: int) -> None:
        before, after = self.problem.stages[stage], self.problem.stages[stage + 1]
        last = before.pieces - 1
        a, b = self._read(stage, last, basis(1.0)), self._read(stage, last, basis_slope(1.0))
        c, d = self._read(stage + 1, 0, basis(0.0)), self._read(stage + 1, 0, basis_slope(0.0))
        old = self.momentum(a[: self.n], b[: self.n] / (before.length / before.pieces))
        new = self.momentum(c[: self.n], d[: self.n] / (after.length / after.pieces))
        kinds = self.layout.packed.kinds
        first = len(self.problem.functions) - len(self.problem.blows)
        q = ca.SX.sym("q", self.n)
        push: Any = 0.0
        for at, blow in enumerate(self.problem.blows):
            if kinds[stage, first + at] == SINGLE:
                arms = self.problem.figure.arms(blow.point)
                along = ca.dot(_point(self.problem.figure, q, arms), ca.DM(list(blow.direction)))
                push += a[first + at] * ca.Function("pull", [q], [ca.gradient(along, q)])(a[: self.n])
        for i in range(self.n):
            if kinds[stage, i] == SINGLE and kinds[stage + 1, i] == SINGLE:
                continue
            self._demand(c[i] - a[i], 0.0, 0.0)
            ends = self.trials.get((stage, i, 2 * before.pieces), old[i]) if kinds[stage, i] != SINGLE else old[i]
            begins = self.trials[(stage + 1, i, 0)] if kinds[stage + 1, i] != SINGLE else -new[i]
            change = ends + begins + (push[i] if self.problem.blows else 0.0)
            self._demand(change / self.layout.scales[-1], 0.0, 0.0)


def _point(figure: PlanarFigure, q: Any, arms: Any) -> Any:
    theta: list[Any] = []
    place = q[:2]
    for j, parent in enumerate(figure.parents):
        theta.append(q[2 + j] + (theta[parent] if parent >= 0 else 0.0))
        c, s = ca.cos(theta[j]), ca.sin(theta[j])
        place += ca.vertcat(c * arms[j, 0] - s * arms[j, 1], s * arms[j, 0] + c * arms[j, 1])
    return place


def _functions(problem: MotionProblem) -> tuple[Any, Any, Any]:
    """Functions of a point of integration: p and g + Q; a place; p alone."""
    figure = problem.figure
    n = len(figure.coordinates)
    q, v, torques = ca.SX.sym("q", n), ca.SX.sym("v", n), ca.SX.sym("t", len(problem.muscles))
    arms = ca.SX.sym("arms", len(figure.limbs), 2)
    kinetic: Any = 0.0
    potential: Any = 0.0
    omega: list[Any] = []
    for j, limb in enumerate(figure.limbs):
        parent = int(figure.parents[j])
        omega.append(v[2 + j] + (omega[parent] if parent >= 0 else 0.0))
        centre = _point(figure, q, figure.arms(LimbPoint(limb.name, limb.centre)))
        rate = ca.jtimes(centre, q, v)
        kinetic += 0.5 * limb.mass * (ca.sumsqr(rate) + limb.gyration**2 * omega[j] ** 2)
        potential += limb.mass * problem.gravity * centre[1]
    p, g = ca.gradient(kinetic, v), ca.gradient(kinetic - potential, q)
    for at, muscle in enumerate(problem.muscles):
        g[figure.coordinate(muscle.limb)] += torques[at]
    point = ca.Function("point", [q, v, torques], [p, g])
    return point, ca.Function("place", [q, arms], [_point(figure, q, arms)]), ca.Function("p", [q, v], [p])
