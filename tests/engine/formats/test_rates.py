"""Frame times become the rates that were meant."""

from __future__ import annotations

import pytest

from engine.formats.rates import NTSC, WHOLE, rate_of, rate_of_frequency


@pytest.mark.parametrize(
    ("printed", "rate"),
    [
        (".0083333", (120, 1)),
        ("0.0083", (120, 1)),
        ("8.3333e-3", (120, 1)),
        ("0.008342", (120000, 1001)),
        (".03333", (30, 1)),
        ("0.033", (30, 1)),
        ("0.0333667", (30000, 1001)),
        ("0.0334", (30000, 1001)),
        ("0.0166", (60, 1)),
        ("0.016666666666666666", (60, 1)),
        ("0.0417", (24, 1)),
        ("0.04170833", (24000, 1001)),
        ("0.010000", (100, 1)),
        ("0.04", (25, 1)),
        ("0.0123", (10000, 123)),
        ("0.03", (100, 3)),
        ("1", (1, 1)),
        ("2.5", (2, 5)),
    ],
)
def test_printed_frame_times_give_the_rate_that_was_meant(printed: str, rate: tuple[int, int]) -> None:
    assert rate_of(float(printed), printed) == rate


@pytest.mark.parametrize("rate", [*((each, 1) for each in WHOLE), *((1000 * each, 1001) for each in NTSC), (7, 3)])
def test_rates_written_with_all_digits_come_back_exactly(rate: tuple[int, int]) -> None:
    seconds = rate[1] / rate[0]
    assert rate_of(seconds, repr(seconds)) == rate
    assert rate_of_frequency(float(f"{rate[0] / rate[1]:.12g}")) == rate
