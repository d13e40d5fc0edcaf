"""Contraction: alpha of each segment of a spline at a time, from a constant, keys or an expression.

An expression is read in the time t [s], counted from tick 0, and s, 0 to 1 along the spline. What it gives beyond what
alpha may be is held there, and said.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.maths.expressions import Expression, parse_expression
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.runtime.quick_dataclass import dataclass
from engine.soft.activations import evaluate_expression
from engine.soft.parts import LEAST_ALPHA, MOST_ALPHA, ActivationSpline


@dataclass(eq=False)
class Contraction:
    """The activation of one spline; `said` gathers what a person should know of it."""

    spline: ActivationSpline
    said: dict[str, None] = field(default_factory=dict)
    _expression: Expression | None = field(init=False)
    _keys: Array | None = field(init=False)  # packed

    def __post_init__(self) -> None:
        kind, text, track = self.spline.activation, self.spline.expression, self.spline.track
        self._expression = parse_expression(text) if kind == "expression" and text else None
        self._keys = pack_track(track) if kind == "keys" and track is not None else None

    def at(self, time: float, places: Array) -> Array:
        """Give alpha at a time [ticks] at some places s along the spline."""
        spline = self.spline
        if self._keys is not None:
            row = np.empty((1, 3))
            evaluate_times(self._keys, 0, np.array([time], dtype=np.float64), row)
            return self._held(np.full(len(places), row[0, 0]))
        if self._expression is not None:
            found, notes = evaluate_expression(self._expression, time / TICKS_PER_SECOND, places)
            self.said.update(dict.fromkeys(f"{spline.name}: {note}" for note in notes))
            return self._held(found)
        return np.full(len(places), spline.alpha)

    def _held(self, found: Array) -> Array:
        held = np.clip(found, LEAST_ALPHA, MOST_ALPHA)
        if (held != found).any():
            self.said[f"{self.spline.name}: alpha is held between {LEAST_ALPHA:g} and {MOST_ALPHA:g}"] = None
        return np.asarray(held)
