"""Contractions of splines over time from formulas (`engine.maths.expressed`), clamped.

Where a formula has no value, such as 0 / 0, its segment is passive (1); the rest is held from 0 to 100. Both are said.
"""

from __future__ import annotations

from engine.maths.arrays import Array
from engine.maths.expressed import formula_values
from engine.maths.expressions import Expression
from engine.soft.virtual_springs import clamped_alphas


def evaluate_expression(expression: Expression, t: Array | float, s: Array | float) -> tuple[Array, tuple[str, ...]]:
    """Evaluate a formula at times [s] and places from 0 to 1, which are broadcast; and what was clamped of it."""
    found, notes = clamped_alphas(formula_values(expression, t, s))
    return found, tuple(f"{expression.text}: {note}" for note in notes)
