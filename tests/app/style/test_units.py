"""What is shown of a number, and what may be typed."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt

from app.style.expression import WrongNumber, parse
from app.style.span import ValueRange
from app.style.units import ANGLE, LENGTH, Unit


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


@pytest.mark.parametrize(
    ("text", "metres"), [("12", 0.12), ("12 mm", 0.012), ("0.5m", 0.5), ("1m + 5", 1.05), ("1e-3 m", 1e-3)]
)
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


WIDE = Unit(suffix=" m²", words="square metres", scale=1.0, decimals=2, step=0.01, coarse=0.1, logarithmic=True)


def test_thousands_over_many_powers_of_ten_are_written_out() -> None:
    shown = [WIDE.number(each) for each in (999.0, 8e3, 12_345.0, -2e4, 1e8, 1e9)]
    assert shown == ["999", "8,000", "12,300", "\N{MINUS SIGN}20,000", "100,000,000", "1e+09"]


def test_numbers_over_many_powers_of_ten_are_shown_with_three_digits_at_equal_ratios() -> None:
    assert [WIDE.text(value) for value in (1e-6, 0.0123456, 2.0)] == ["1e\N{MINUS SIGN}6 m²", "0.0123 m²", "2 m²"]
    assert [WIDE.share(value, 1e-6, 1.0) for value in (1e-6, 1e-3, 1.0)] == pytest.approx([0.0, 0.5, 1.0])
    assert WIDE.share(0.0, 0.0, 1.0) == 0.0
    assert parse(WIDE.typed(1e-6), unit=WIDE, present=1.0) == 1e-6


def test_a_hand_and_keys_move_through_powers_of_ten_evenly() -> None:
    span, none = ValueRange(unit=WIDE, lower=1e-6, upper=1.0), Qt.KeyboardModifier.NoModifier
    assert span.dragged(1e-4, 50.0, 300.0, none) == pytest.approx(1e-3)
    assert span.dragged(1e-4, -500.0, 300.0, none) == 1e-6
    assert span.stepped(1e-4, 1.0, none) == pytest.approx(1.1e-4)
    assert span.stepped(1e-4, -1.0, Qt.KeyboardModifier.ShiftModifier) == pytest.approx(1e-5)
    assert span.snapped(0.0123) == 0.01
    assert ValueRange(unit=WIDE, lower=0.0, upper=1.0).dragged(0.0, 300.0, 300.0, none) == pytest.approx(1.0)
