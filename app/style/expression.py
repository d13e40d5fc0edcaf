"""Typed numbers: `45`, `90/2`, `12 cm`, `0.3 rad`, `+=5`, `(2 + 3) * 4`; anything else is refused in words."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

from app.style.units import Unit

LONGEST = 120
_QUOTED = 24
LARGEST_POWER = 64.0
_UNIT_AFTER_NUMBER = re.compile(r"(?<=[\d.)])(?![eE][+-]?\d)\s*([a-zA-Z]+)(?![\w(])")
_RELATIVE = re.compile(r"^([+\-*/])=(.+)$", re.DOTALL)
_TWO_SIDED: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class WrongNumber(ValueError):
    """Typed text that is not a number; says what could be typed instead."""

    def __init__(self, text: str, reason: str, names: Mapping[str, float]) -> None:
        units = ", ".join(name for name in names if name != "pi")
        known = f"; units: {units}" if units else ""
        typed = text.strip() if len(text) <= _QUOTED else f"{text.strip()[:_QUOTED]}…"
        super().__init__(f"“{typed}” {reason}.\nTry 45, 90/2 or +=5{known}.")


def parse(text: str, *, unit: Unit, present: float) -> float:
    """Return the SI value of typed text, in the shown unit where none is named; `+=5` changes the present one."""
    try:
        shown = _shown(text, unit, present * unit.scale)
    except ZeroDivisionError:
        raise WrongNumber(text, "divides by zero", unit.names) from None
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as wrong:
        reason = str(wrong) if isinstance(wrong, _Refused) else "is not a number"
        raise WrongNumber(text, reason, unit.names) from None
    if not math.isfinite(shown):
        raise WrongNumber(text, "is not a finite number", unit.names)
    return shown / unit.scale


class _Refused(ValueError):
    pass


def _shown(text: str, unit: Unit, present: float) -> float:
    plain = (
        text.strip()
        .removeprefix("=")
        .replace("\N{MINUS SIGN}", "-")
        .replace("°", " deg" if "deg" in unit.names else "")
    )
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not plain:
        raise _Refused("is empty")
    if len(plain) > LONGEST:
        raise _Refused("is too long")
    relative = _RELATIVE.match(plain)
    if relative:
        change = _value(relative[2], unit.names)
        kinds = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div}
        return _TWO_SIDED[kinds[relative[1]]](present, change)
    return _value(plain, unit.names)


def _value(text: str, names: Mapping[str, float]) -> float:
    spelt = _UNIT_AFTER_NUMBER.sub(lambda found: f"*{found[1]}", text)
    return _walk(ast.parse(spelt.strip(), mode="eval").body, names)


def _walk(node: ast.expr, names: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name):
            if name not in names:
                raise _Refused(f"names “{name}”, which is not a unit here")
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_walk(inner, names)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _walk(inner, names)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_walk(left, names), _walk(right, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _TWO_SIDED:
            return _TWO_SIDED[type(op)](_walk(left, names), _walk(right, names))
    raise _Refused("is not a number")


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > LARGEST_POWER:
        raise _Refused("has too large a power")
    return math.pow(base, exponent)
