"""Small checked values: vectors and unit quaternions as tuples of floats.

Parts hold tuples, not arrays, so that a document is a plain value: hashable by content, comparable, and exactly the
same after a round trip through text. Numbers become floats here, so `1` and `1.0` give one digest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from secrets import token_hex

from engine.maths.quaternions import IDENTITY as IDENTITY
from engine.maths.quaternions import Quaternion as Quaternion
from engine.maths.quaternions import Vector3 as Vector3
from engine.runtime.errors import InvalidDocument


def new_id(kind: str) -> str:
    """A fresh id that says what it names, `human-9f3a1c22`; the caller of an Edit makes it, so that replay is exact."""
    return f"{kind}-{token_hex(4)}"


def finite(what: str, value: float) -> float:
    """`value` as a float, refused when it is not a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InvalidDocument(what=what, value=value, allowed="a finite number")
    return number


def vector3(what: str, value: Iterable[float]) -> Vector3:
    """Three finite floats."""
    numbers = tuple(finite(what, each) for each in value)
    if len(numbers) != 3:
        raise InvalidDocument(what=what, value=value, allowed="three finite numbers")
    return numbers


def unit_quaternion(what: str, value: Iterable[float]) -> Quaternion:
    """Four finite floats `(w, x, y, z)` of norm 1; within 1e-6 of it they are normalised, else refused."""
    numbers = tuple(finite(what, each) for each in value)
    norm = math.sqrt(math.fsum(each * each for each in numbers))
    if len(numbers) != 4 or abs(norm - 1.0) > 1e-6:
        raise InvalidDocument(what=what, value=value, allowed="a quaternion (w, x, y, z) of norm 1")
    if abs(norm - 1.0) <= 4e-16:
        return numbers
    w, x, y, z = numbers
    return (w / norm, x / norm, y / norm, z / norm)
