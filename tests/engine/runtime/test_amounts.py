"""By how much something is missed, in words: three figures, no exponent, metres from one metre on."""

from __future__ import annotations

import math

import pytest

from engine.runtime.amounts import amount_text


@pytest.mark.parametrize(
    ("size", "unit", "text"),
    [
        (2.26, "m", "2.26 m"),
        (123.456, "m", "123 m"),
        (98765.4, "m", "98765 m"),
        (1.0, "m", "1 m"),
        (0.99949, "m", "999 mm"),
        (0.99951, "m", "1 m"),
        (0.5, "m", "500 mm"),
        (0.0123456, "m", "12.3 mm"),
        (1.2e-7, "m", "0.00012 mm"),
        (0.0, "m", "0 mm"),
        (0.25, "m/s", "25 cm/s"),
        (17.0, "m/s", "17 m/s"),
        (math.radians(2260.0), "rad", "2260\N{DEGREE SIGN}"),
        (math.radians(12.34), "rad/s", "12.3\N{DEGREE SIGN}/s"),
    ],
)
def test_an_amount_has_three_figures_and_no_exponent(size: float, unit: str, text: str) -> None:
    assert amount_text(size, unit) == text


@pytest.mark.parametrize("unit", ["m", "m/s", "rad", "rad/s"])
def test_no_size_is_written_with_an_exponent(unit: str) -> None:
    for power in range(-12, 13):
        text = amount_text(9.996 * 10.0**power, unit)
        assert "e" not in text
        assert text.partition(" ")[0] not in ("0", "0.")
