"""Values as text of TOML, every number with all its digits."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

_DEGREE = math.pi / 180.0


def toml_number(value: float) -> str:
    """A number with all its digits, whole ones without a point."""
    whole = value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0"
    return str(int(value)) if whole else repr(value)


def toml_text(text: str) -> str:
    """A text in quotes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def exact_degrees(angle: float) -> float | None:
    """The shortest number of degrees that is read as exactly this angle; None if there is none."""
    near = angle / _DEGREE
    for digits in range(13):
        short = round(near, digits) + 0.0
        if short * _DEGREE == angle:
            return short
    close = (near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf))
    return next((each for each in close if each * _DEGREE == angle), None)


def toml_list(numbers: Sequence[float]) -> str:
    """Numbers in square brackets."""
    return "[" + ", ".join(map(toml_number, numbers)) + "]"


def toml_table(fields: Mapping[str, str]) -> str:
    """A table on one line."""
    return "{ " + ", ".join(f"{key} = {value}" for key, value in fields.items()) + " }"
