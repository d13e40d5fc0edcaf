"""The alpha of a spline that an expression tells, over time, for whoever draws it. No kernel."""

from __future__ import annotations

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.maths.expressions import Expression, UnreadableExpression, parse_expression
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import LEAST_ALPHA, MOST_ALPHA


@dataclass(frozen=True, eq=False)
class ExpressedAlpha:
    """An expression that was read."""

    expression: Expression

    @classmethod
    def of(cls, text: str) -> ExpressedAlpha | None:
        """Read an expression; None of one that cannot be read."""
        try:
            return cls(parse_expression(text))
        except UnreadableExpression:
            return None

    @property
    def places(self) -> tuple[float, ...]:
        """Places along the spline at which it differs: the middle first, and both ends where it depends on s."""
        return (0.5, 0.0, 1.0) if "s" in self.expression.names else (0.5,)

    def alphas(self, times: Array, place: float) -> Array:
        """Compute alpha at times [ticks] and a place, held to what it may be."""
        from engine.soft.activations import evaluate_expression

        found, _ = evaluate_expression(self.expression, times / TICKS_PER_SECOND, np.full(len(times), place))
        return np.clip(found, LEAST_ALPHA, MOST_ALPHA)
