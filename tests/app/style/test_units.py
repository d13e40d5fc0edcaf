"""What is shown of a number, and what may be typed."""

from __future__ import annotations

import math

import pytest

from app.style.expression import WrongNumber, parse
from app.style.units import ANGLE, LENGTH


def test_numbers_are_shown_in_their_unit_with_a_true_minus() -> None:
    assert ANGLE.text(math.radians(-12.44)) == "−12.4°"
    assert LENGTH.text(0.93) == "93.0 cm"


def test_nothing_that_rounds_to_zero_has_a_minus() -> None:
    assert ANGLE.text(-1e-6) == "0.0°"
    assert LENGTH.typed(-1e-9) == "0"


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("45", 45.0),
        ("−3°", -3.0),
        ("90/2", 45.0),
        ("1,5", 1.5),
        ("1e1", 10.0),
        ("2**3", 8.0),
        ("(2 + 3) * 4", 20.0),
        ("+=5", 15.0),
        ("-=5", 5.0),
        ("*=3", 30.0),
        ("pi/2*1rad", 90.0),
        ("45 deg", 45.0),
        ("  .5 ", 0.5),
        ("=7", 7.0),
    ],
)
def test_typed_angles(text: str, degrees: float) -> None:
    assert parse(text, unit=ANGLE, present=math.radians(10.0)) == pytest.approx(math.radians(degrees))


@pytest.mark.parametrize(("text", "metres"), [("12", 0.12), ("12 mm", 0.012), ("0.5m", 0.5), ("1m + 5", 1.05)])
def test_typed_lengths(text: str, metres: float) -> None:
    assert parse(text, unit=LENGTH, present=0.0) == pytest.approx(metres)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "4+", "foo", "45 cm", "1e999", "nan", "inf", "1/0", "9**9**9", "(-1)**0.5", "True", "[1]"),
        *("1 if 1 else 2", "1;2", "lambda: 1", "1,2,3", "0x", '__import__("os")', "x" * 500),
        "(" * 5000 + "1" + ")" * 5000,
    ],
    ids=lambda text: text[:12],
)
def test_anything_else_is_refused_in_words(text: str) -> None:
    with pytest.raises(WrongNumber) as refused:
        parse(text, unit=ANGLE, present=0.0)
    assert "Try 45" in str(refused.value)
    assert len(str(refused.value)) < 160


@pytest.mark.parametrize("value", [0.0, 1.0, -0.123456, math.pi, 1234.5])
@pytest.mark.parametrize("unit", [ANGLE, LENGTH], ids=lambda unit: unit.words)
def test_what_editing_starts_from_is_the_value(unit: object, value: float) -> None:
    assert isinstance(unit, type(ANGLE))
    again = parse(unit.typed(value), unit=unit, present=0.0)
    assert unit.text(again) == unit.text(value)
