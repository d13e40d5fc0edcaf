"""IPOPT, the field's usual solver, on the programs of `engine.optimise`: for comparison, where CasADi is installed.

CasADi brings IPOPT (Wächter and Biegler 2006) and calls it with our own values and exact derivatives, as functions that
it does not look into; variables, constraints and objective are scaled as a program says. IPOPT runs on a thread of its
own that stands still between two iterates, so that a search is looked at, and closed, as one of `interior_point` is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import Any

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.optimise.options import SolverEffort
from engine.optimise.program import NonlinearProgram, ProgramDerivatives, ProgramValues, violations
from engine.optimise.report import Ending, Iterate, SolveReport, worst_of
from engine.runtime.errors import EngineError

_DONE = ("Solve_Succeeded", "Solved_To_Acceptable_Level")
_NO_WAY = ("Infeasible_Problem_Detected", "Restoration_Failed", "Search_Direction_Becomes_Too_Small")
_RELAXED = 1e-9  # share by which bounds of variables may be left


class MissingCasadi(EngineError):
    """IPOPT is asked for where CasADi is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "the solver IPOPT is asked for, which comes with CasADi, and that is not installed: "
            "`python -m pip install casadi==3.8.2` brings it, or choose the interior point, which is always there"
        )


def solve(
    program: NonlinearProgram, start: Array, effort: SolverEffort | None = None
) -> Generator[Iterate, None, SolveReport]:
    """Search from `start`; yield after each iteration."""
    search = IpoptSearch(_casadi(), program, effort or SolverEffort())
    thread = Thread(target=search.run, args=(start,), daemon=True)
    thread.start()
    try:
        while (found := search.found.get()) is not None:
            yield found
            search.may_go_on.release()
    finally:
        search.stopped = True
        search.may_go_on.release()
        thread.join()
    return search.outcome()


class IpoptSearch:
    """One search: the program as CasADi is given it, and where IPOPT is."""

    def __init__(self, casadi: Any, program: NonlinearProgram, effort: SolverEffort) -> None:
        self._casadi, self._program, self._effort, self._shape = casadi, program, effort, program.shape
        self.found: SimpleQueue[Iterate | None] = SimpleQueue()
        self.may_go_on = Semaphore(0)
        self.stopped = False
        self._trouble: BaseException | None = None
        self._status, self._iterations = "", 0
        self._last: Iterate | None = None
        shape = self._shape
        self._jacobian = _Entries(
            shape.jacobian_rows, shape.jacobian_columns, (len(shape.constraint_lower), len(shape.lower))
        )
        low, high = (
            np.minimum(shape.hessian_rows, shape.hessian_columns),
            np.maximum(shape.hessian_rows, shape.hessian_columns),
        )
        self._hessian = _Entries(low, high, (len(shape.lower), len(shape.lower)))
        self._values: tuple[bytes, ProgramValues] | None = None
        self._slopes: tuple[bytes, Array, Array] | None = None
        self._multipliers = np.zeros(len(shape.constraint_lower))

    def run(self, start: Array) -> None:
        """Run IPOPT to its end, or until it is stopped."""
        try:
            self._run(start)
        except Exception as error:
            self._trouble = error
        finally:
            self.found.put(None)

    def outcome(self) -> SolveReport:
        """Return how it ended."""
        if self._trouble is not None:
            raise self._trouble
        last = self._last
        assert last is not None, "it has looked at the guess at least"
        done = self._status in _DONE and last.violation <= self._effort.violation
        ending: Ending = "solved" if done else "no way" if self._status in _NO_WAY else "tired"
        unmet = worst_of(self._program, self._evaluate(last.x).constraints, tolerance=self._effort.violation)
        return SolveReport(ending=ending, last=last, multipliers=self._multipliers, unmet=unmet)

    def _run(self, start: Array) -> None:
        ca, shape, effort = self._casadi, self._shape, self._effort
        count, rows = len(shape.lower), len(shape.constraint_lower)
        column, none, number, row = (
            ca.Sparsity.dense(count, 1),
            ca.Sparsity(0, 0),
            ca.Sparsity.dense(1, 1),
            ca.Sparsity.dense(rows, 1),
        )
        jacobian, hessian = self._jacobian.sparsity(ca), self._hessian.sparsity(ca)
        x = ca.MX.sym("x", count)
        values = _function(ca, "program", [column], [number, row], self._give_values)
        slopes = _function(ca, "gradient", [column, none], [number, column], self._give_gradient)
        rates = _function(ca, "rates", [column, none], [row, jacobian], self._give_jacobian)
        bends = _function(ca, "bends", [column, none, number, row], [hessian], self._give_hessian)
        told = {"f": number, "x": column, "lam_x": column, "g": row, "lam_g": row}
        names = [ca.nlpsol_out(place) for place in range(ca.nlpsol_n_out())]
        watch = _function(ca, "watch", [told.get(each, none) for each in names], [number], self._look, names)
        objective, constraints = values(x)
        solver = ca.nlpsol(
            "search",
            "ipopt",
            {"x": x, "f": objective, "g": constraints},
            {
                "grad_f": slopes,
                "jac_g": rates,
                "hess_lag": bends,
                "iteration_callback": watch,
                "no_nlp_grad": True,
                "print_time": False,
                "ipopt.print_level": 0,
                "ipopt.sb": "yes",
                "ipopt.tol": 0.01 * effort.optimality,
                "ipopt.constr_viol_tol": effort.violation / max(1.0, float(shape.constraint_scale.max(initial=1.0))),
                "ipopt.mu_init": effort.barrier,
                "ipopt.max_iter": effort.iterations,
                "ipopt.bound_relax_factor": _RELAXED,
            },
        )
        found = solver(
            x0=start / shape.scale,
            lbx=shape.lower / shape.scale,
            ubx=shape.upper / shape.scale,
            lbg=shape.constraint_lower / shape.constraint_scale,
            ubg=shape.constraint_upper / shape.constraint_scale,
        )
        self._status = str(solver.stats()["return_status"])
        self._take(_numbers(found["x"]), _numbers(found["lam_g"]), _numbers(found["lam_x"]))

    def _look(self, *told: Any) -> list[float]:
        """Take an iterate, hand it over, and wait until the next one is asked for."""
        given = dict(zip((self._casadi.nlpsol_out(place) for place in range(len(told))), told, strict=True))
        self.found.put(self._take(*(_numbers(given[name]) for name in ("x", "lam_g", "lam_x"))))
        self._iterations += 1
        self.may_go_on.acquire()
        return [1.0 if self.stopped else 0.0]

    def _take(self, scaled: Array, multipliers: Array, of_bounds: Array) -> Iterate:
        """Note an iterate."""
        shape = self._shape
        x = np.clip(shape.scale * scaled, shape.lower, shape.upper)
        self._multipliers = multipliers * shape.objective_scale / shape.constraint_scale
        values = self._evaluate(x)
        gradient, jacobian = self._differentiate(x)
        slope = (
            gradient
            + of_bounds
            + np.bincount(self._jacobian.columns, jacobian * multipliers[self._jacobian.rows], len(x))
        )
        found = Iterate(
            iteration=self._iterations,
            objective=float(values.objective),
            violation=float(violations(shape, values.constraints).max(initial=0.0)),
            slope=float(np.abs(slope).max(initial=0.0)),
            x=x,
        )
        self._last = found
        return found

    # What IPOPT asks; scaled

    def _give_values(self, x: Any) -> list[Any]:
        found = self._evaluate(self._shape.scale * _numbers(x))
        return [found.objective / self._shape.objective_scale, found.constraints / self._shape.constraint_scale]

    def _give_gradient(self, x: Any, _: Any) -> list[Any]:
        place = self._shape.scale * _numbers(x)
        return [self._evaluate(place).objective / self._shape.objective_scale, self._differentiate(place)[0]]

    def _give_jacobian(self, x: Any, _: Any) -> list[Any]:
        place = self._shape.scale * _numbers(x)
        values = self._evaluate(place).constraints / self._shape.constraint_scale
        return [values, self._jacobian.matrix(self._casadi, self._differentiate(place)[1])]

    def _give_hessian(self, x: Any, _: Any, weight: Any, multipliers: Any) -> list[Any]:
        shape, entries = self._shape, self._hessian
        y = _numbers(multipliers) / shape.constraint_scale
        found = self._program.differentiate(shape.scale * _numbers(x), y, float(weight) / shape.objective_scale)
        scaled = entries.summed(found.hessian) * shape.scale[entries.rows] * shape.scale[entries.columns]
        return [entries.matrix(self._casadi, scaled)]

    def _evaluate(self, x: Array) -> ProgramValues:
        key = x.tobytes()
        if self._values is None or self._values[0] != key:
            self._values = key, self._program.evaluate(x)
        return self._values[1]

    def _differentiate(self, x: Array) -> tuple[Array, Array]:
        """Gradient, and the numbers of the Jacobian, both scaled."""
        key, shape, entries = x.tobytes(), self._shape, self._jacobian
        if self._slopes is None or self._slopes[0] != key:
            found: ProgramDerivatives = self._program.differentiate(x, np.zeros(len(shape.constraint_lower)), 1.0)
            gradient = found.gradient * shape.scale / shape.objective_scale
            factor = shape.scale[entries.columns] / shape.constraint_scale[entries.rows]
            self._slopes = key, gradient, entries.summed(found.jacobian) * factor
        return self._slopes[1], self._slopes[2]


class _Entries:
    """The places of a sparse matrix, each once and column by column, and which numbers of a program are added there."""

    def __init__(self, rows: IntArray, columns: IntArray, size: tuple[int, int]) -> None:
        self._size, self._there = size, np.flatnonzero((rows >= 0) & (columns >= 0))
        places = columns[self._there].astype(np.int64) * size[0] + rows[self._there]
        unique, self._of = np.unique(places, return_inverse=True)
        self.rows, self.columns = unique % size[0], unique // size[0]

    def summed(self, values: Array) -> Array:
        """The number of each place."""
        found: Array = np.bincount(self._of, values[self._there], len(self.rows)).astype(np.float64)
        return found

    def sparsity(self, casadi: Any) -> Any:
        """The pattern as CasADi has it."""
        return casadi.Sparsity.triplet(*self._size, self.rows.tolist(), self.columns.tolist())

    def matrix(self, casadi: Any, values: Array) -> Any:
        """The matrix as CasADi has it."""
        return casadi.DM(self.sparsity(casadi), values)


def _casadi() -> Any:
    try:
        import casadi
    except ImportError as error:
        raise MissingCasadi from error
    return casadi


def _numbers(given: Any) -> Array:
    found: Array = np.array(given, dtype=np.float64).reshape(-1)
    return found


def _function(
    casadi: Any,
    name: str,
    given: Sequence[Any],
    found: Sequence[Any],
    call: Callable[..., list[Any]],
    names: Sequence[str] = (),
) -> Any:
    """Make a function of CasADi's of one of ours, by the patterns of its arguments and results."""

    class Called(casadi.Callback):  # type: ignore[misc]
        def __init__(self) -> None:
            casadi.Callback.__init__(self)
            self.construct(name, {})

        def get_n_in(self) -> int:
            return len(given)

        def get_n_out(self) -> int:
            return len(found)

        def get_name_in(self, place: int) -> str:
            return names[place] if names else f"i{place}"

        def get_sparsity_in(self, place: int) -> Any:
            return given[place]

        def get_sparsity_out(self, place: int) -> Any:
            return found[place]

        def eval(self, arguments: Sequence[Any]) -> list[Any]:
            return call(*arguments)

    return Called()
