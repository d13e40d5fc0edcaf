"""The activation that an expression tells, over time, for whoever draws it. No kernel."""

from __future__ import annotations

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.maths.expressions import Expression, UnreadableExpression, parse_expression
from engine.muscles.parts import EXPRESSED
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class ExpressedActivation:
    """An expression that was read."""

    expression: Expression

    @classmethod
    def of(cls, text: str) -> ExpressedActivation | None:
        """Read an expression; None of one that cannot be read."""
        return None if expression_problem(text) else cls(parse_expression(text, EXPRESSED))

    @property
    def places(self) -> tuple[float, ...]:
        """The one place of a muscle that there is."""
        return (0.5,)

    def alphas(self, times: Array, place: float) -> Array:
        """Compute activations at times [ticks], as `engine.muscles.keyed` does."""
        from engine.maths.expressed import formula_values

        found = formula_values(self.expression, times / TICKS_PER_SECOND, 0.0)
        return np.clip(np.where(np.isfinite(found), found, 0.0), 0.0, 1.0)


def expression_problem(text: str) -> str:
    """Say why a text is no expression of an activation; nothing of one that is."""
    try:
        parse_expression(text, EXPRESSED)
    except UnreadableExpression as problem:
        return str(problem)
    return ""
