"""The methods that are compared: a solver each, and how many iterations of it fit into a slot of time.

The source gives each method "a maximum number of iterations which would make it converge in approximately 0.015
seconds"; so do we, from what an iteration cost on the machine that drew docs/experiments: the same seed then gives the
same poses anywhere. How long they took is listed beside them. No method is given other starts, but for the last, which
is what Sinew does when a person drags a goal.
"""

from __future__ import annotations

from engine.ik.solver import Budget, Solver
from engine.ik.solvers import SOLVERS
from engine.runtime.quick_dataclass import dataclass

STARTS = 40
_LONGEST = 1e6  # [ms]: iterations bound a solve, not the clock

_COSTS = {
    "transpose": ("Jacobian transpose, t = 0.125", 4.0),
    "gradient": ("Projected gradient, Armijo", 6.0),
    "inverse": ("SVD inverse, clamped", 100.0),
    "damped": ("Damped least squares", 8.0),
    "transpose_by_model": ("Transpose, e·z / z·z", 5.0),
    "euler": ("Transpose, Welman's Euler", 5.0),
    "runge_kutta": ("Transpose, Runge-Kutta", 28.0),
    "ccd": ("Cyclic coordinate descent", 18.0),
    "conjugate": ("Projected conjugate gradient", 6.0),
    "dogleg": ("Projected dog-leg", 16.0),
    "levenberg": ("Levenberg-Marquardt", 12.0),
}


@dataclass(frozen=True, kw_only=True)
class ComparedMethod:
    """A solver as it is compared."""

    name: str
    label: str
    solver: Solver
    cost: float  # of an iteration [us], for the human figure and six goals
    starts: int = 0

    def budget(self, slot: float) -> Budget:
        """Return the iterations that fit into a slot [ms]."""
        iterations = max(1, int(1e3 * slot / self.cost))
        return Budget(iterations=iterations, milliseconds=_LONGEST, starts=self.starts)


def methods() -> list[ComparedMethod]:
    """All solvers, those of the source first, and Sinew's default with other starts."""
    found = [
        ComparedMethod(name=name, label=label, solver=SOLVERS[name](), cost=cost)
        for name, (label, cost) in _COSTS.items()
    ]
    found += [
        ComparedMethod(name=name, label=SOLVERS[name].label, solver=SOLVERS[name](), cost=20.0)
        for name in SOLVERS
        if name not in _COSTS
    ]
    cost = _COSTS["levenberg"][1]
    default = ComparedMethod(
        name="default", label="Sinew (LM, other starts)", solver=SOLVERS["levenberg"](), cost=cost, starts=STARTS
    )
    return [*found, default]


def unhurried(iterations: int) -> Budget:
    """One start and so many iterations, however long they take."""
    return Budget(iterations=iterations, milliseconds=_LONGEST, starts=0)
