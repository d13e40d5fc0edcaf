"""Options of the interior-point method."""

from __future__ import annotations

from dataclasses import dataclass

from engine.runtime.options import CheckedOptions, option


@dataclass(frozen=True, kw_only=True)
class SolverEffort(CheckedOptions):
    """How long to search, and when to be content."""

    iterations: int = option(300, label="Iterations", note="At most so many steps.", least=1, most=10_000)
    violation: float = option(
        1e-8, label="Violation", note="Demands are met to within this, each in its own unit.", least=1e-13, most=1.0
    )
    optimality: float = option(
        1e-6,
        label="Optimality",
        note="The slope of the Lagrangian that is left, in scaled variables (4.3).",
        least=1e-12,
        most=1.0,
    )
    barrier: float = option(
        0.1, label="First barrier", note="How strongly bounds push away at first.", least=1e-9, most=100.0
    )
    gauss_newton: int = option(
        0,
        label="Steps of Gauss and Newton",
        note="So many first steps leave out second derivatives of what is squared and of constraints: far from where "
        "demands are met these lead astray.",
        least=0,
        most=10_000,
    )
    gain: float = option(
        0.0,
        label="Least gain",
        note="Ends where ten steps have made the objective less by no more than this share. 0: where no step would.",
        least=0.0,
        most=1.0,
    )
