"""The activation that an expression tells, over time, for whoever draws it. No kernel."""

from __future__ import annotations

from engine.maths.arrays import Array
from engine.maths.expressions import Expression, UnreadableExpression, parse_expression
from engine.muscles.expressed import expressed_activations
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
        """Compute activations at times [ticks]."""
        return expressed_activations(self.expression, times)


def expression_problem(text: str) -> str:
    """Say why a text is no expression of an activation; nothing of one that is."""
    try:
        parse_expression(text, EXPRESSED)
    except UnreadableExpression as problem:
        return str(problem)
    return ""
