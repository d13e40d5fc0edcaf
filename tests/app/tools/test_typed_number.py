"""Numbers typed for a manipulator: an axis by its letter where that is asked for, then a number in any unit."""

from __future__ import annotations

import math

import pytest

from app.tools.movable import Kind
from app.tools.typed_number import LONGEST, TypedNumber


def after(typed: TypedNumber, keys: str) -> TypedNumber:
    for key in keys:
        following = typed.with_key(key)
        assert following is not None, key
        typed = following
    return typed


@pytest.mark.parametrize(
    ("kind", "keys", "value"),
    [
        ("move", "x50", 0.5),
        ("move", "y-0.5m", -0.5),
        ("move", "Z12mm", 0.012),
        ("move", "x(1+2)*4", 0.12),
        ("rotate", "z30", math.radians(30.0)),
        ("rotate", "x-.5", math.radians(-0.5)),
        ("rotate", "y0.3rad", 0.3),
    ],
)
def test_a_letter_and_a_number_are_an_axis_and_a_value(kind: Kind, keys: str, value: float) -> None:
    typed = after(TypedNumber(kind, takes_axes=True), keys)
    assert typed.part == keys[0].lower()
    assert typed.value == pytest.approx(value, abs=1e-15)


def test_keys_that_are_no_part_of_a_number_are_left_to_others() -> None:
    armed = TypedNumber("move", takes_axes=True)
    assert armed.with_key("5") is None, "no axis yet: a figure is a view's"
    assert armed.with_key("m") is None
    along = after(armed, "x")
    assert along.with_key("x") is None, "the next axes"
    assert after(along, "z").part == "z", "another axis"
    assert along.with_key("c") is None
    assert along.with_key("5") is not None
    assert after(along, "5").with_key("c") is not None, "a unit"
    assert after(along, "5").with_key("w") is None
    pulled = TypedNumber("rotate", "view")
    assert pulled.with_key("x") is None
    assert pulled.with_key("4") is not None


def test_what_is_no_number_yet_has_no_value_and_the_last_letter_is_taken_back() -> None:
    typed = after(TypedNumber("rotate", "x"), "-")
    assert typed.value is None
    assert after(typed, "7.5").shortened().value is not None
    assert after(typed, "1/0").value is None
    assert typed.shortened().text == ""
    assert typed.shortened().shortened().value is None
    assert after(TypedNumber("rotate", "x"), "1" * LONGEST).with_key("1") is None
