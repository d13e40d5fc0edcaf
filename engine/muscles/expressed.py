"""Activations that expressions tell over time. No kernel."""

from __future__ import annotations

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.maths.expressed import formula_values
from engine.maths.expressions import Expression


def expressed_activations(expression: Expression, times: Array) -> Array:
    """Compute the activations that an expression tells at some times [ticks], within 0 to 1; where it has no value,
    such as 0 / 0, its muscle is relaxed."""
    found = formula_values(expression, times / TICKS_PER_SECOND, 0.0)
    return np.clip(np.where(np.isfinite(found), found, 0.0), 0.0, 1.0)
