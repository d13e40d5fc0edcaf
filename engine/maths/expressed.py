"""Values of formulas that were read (`expressions.py`), on whole arrays. Where a formula has no value, such as 0 / 0,
it is no number."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.maths.expressions import Expression


def formula_values(expression: Expression, t: Array | float, s: Array | float) -> Array:
    """Compute a formula at times [s] and places from 0 to 1, which are broadcast."""
    times, places = np.broadcast_arrays(np.asarray(t, np.float64), np.asarray(s, np.float64))
    stack: list[Array] = []
    with np.errstate(all="ignore"):
        for name, value in expression.steps:
            if name == "number":
                stack.append(np.full(times.shape, value))
            elif name in ("t", "s", "pi"):
                stack.append({"t": times, "s": places}.get(name, np.full(times.shape, np.pi)))
            else:
                count = int(value)
                arguments = stack[-count:]
                del stack[-count:]
                stack.append(_applied(name, arguments))
    return stack[0]


def _applied(name: str, arguments: list[Array]) -> Array:
    """Apply an operation to its arguments."""
    first = arguments[0]
    if name == "pulse":
        return _pulse(*arguments)
    if name == "ramp":
        return _ramp(*arguments)
    if name in _ONE:
        return np.asarray(_ONE[name](first))
    for other in arguments[1:]:
        first = np.asarray(_TWO[name](first, other))
    return first


def _pulse(t: Array, start: Array, width: Array, period: Array | None = None) -> Array:
    """1 for a time from a start on, again after each period above zero."""
    since = t - start
    if period is not None:
        again = (period > 0.0) & (since >= 0.0)
        since = np.where(again, np.mod(since, np.where(again, period, 1.0)), since)
    return np.where((since >= 0.0) & (since < width), 1.0, 0.0)


def _ramp(t: Array, start: Array, end: Array) -> Array:
    """0 before a start, 1 after an end, straight between; a step where they are one."""
    length = end - start
    return np.where(length == 0.0, np.where(t >= start, 1.0, 0.0), ((t - start) / length).clip(0.0, 1.0))


_ONE = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "abs": np.abs, "negative": np.negative}
_TWO = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "min": np.minimum,
    "max": np.maximum,
}
