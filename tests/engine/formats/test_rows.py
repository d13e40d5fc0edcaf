"""Blocks of numbers: the fast readings agree with Python's to the last bit and leave the rest to it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from engine.formats import rows
from engine.formats.number_kernels import TENS, scan_rows
from engine.formats.rows import read_rows
from engine.formats.text import TextFile
from engine.runtime.errors import UnreadableFile
from tests.drawn import given, settings, st


def scan(text: str, width: int) -> list[list[float]] | None:
    """What the kernel reads; None where it refuses."""
    values = np.full((text.count("\n") + 1, width), -7.0)
    read = scan_rows(np.frombuffer(text.encode(), dtype=np.uint8), TENS, values)
    return values.tolist() if read else None


EXAMPLES = 60 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 300  # interpreted, each takes a hundred times as long
NUMBERS = st.one_of(
    st.floats(-1e6, 1e6).map(lambda value: f"{value:.5f}"),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e3, 1e3).map(lambda value: f"{value:.14e}"),
    st.from_regex(r"\A[+-]?([0-9]{1,12}\.?[0-9]{0,12}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?\Z"),
)


@pytest.mark.jit_off
@settings(max_examples=EXAMPLES)
@given(words=st.lists(NUMBERS, min_size=1, max_size=6), blank=st.sampled_from((" ", "\t", "  ", " \t\v")))
def test_the_kernel_reads_to_the_last_bit_or_says_that_it_cannot(words: list[str], blank: str) -> None:
    values = scan(blank + blank.join(words) + blank, len(words))
    assert values is not None
    for word, value in zip(words, values[0], strict=True):
        if np.isnan(value):
            assert sum(letter.isdigit() for letter in word) > 15 or abs(float(word)) > 1e15 or abs(float(word)) < 1e-7
        else:
            assert value.hex() == float(word).hex(), word


@pytest.mark.jit_off
@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1 2\n3 4", [[1.0, 2.0], [3.0, 4.0]]),
        ("1 2\n3 4\n", None),
        ("1 2\n3", None),
        ("1 2 3\n4", None),
        ("1\n2 3\n4", None),
        ("1 2-3", None),
        ("1 2..3", None),
        ("1 2.3.4", None),
        ("1 .", None),
        ("1 -", None),
        ("1 e5", None),
        ("1 5e", None),
        ("1 5e+", None),
        ("1 nan", None),
        ("1 inf", None),
        ("1 0x10", None),
        ("1 1_0", None),
        ("1 2,5", None),
        ("", None),
        ("-0 +.5E-1", [[-0.0, 0.05]]),
    ],
)
def test_the_kernel_takes_whole_rows_of_plain_numbers_and_nothing_else(
    text: str, read: list[list[float]] | None
) -> None:
    assert scan(text, 2) == read


def lines_of(*lines: str) -> TextFile:
    return TextFile(Path("some.txt"), "\n".join(lines) + "\n")


@pytest.fixture(params=["kernel", "numpy"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both fast readings in turn."""
    monkeypatch.setattr(rows, "LARGE", 0 if request.param == "kernel" else 10**9)


@pytest.mark.usefixtures("either")
def test_long_numbers_blank_lines_and_tabs_are_read_exactly() -> None:
    words = ["0.016666666666666666", "1e-30", "123456789012345678e-9", "3"]
    table = [[*words[place:], *words[:place]] for place in range(4)] + [["1", "2", "3", "4"]] * 400
    file = lines_of("head", *("\t".join(row) + "  " for row in table[:2]), " ", *(" ".join(row) for row in table[2:]))
    assert read_rows(file, 2, 4).tolist() == [[float(word) for word in row] for row in table]


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 2 x", "line 3: number 3 is 'x'"),
        ("1 nan 3", "line 3: number 2 is 'nan'"),
        ("1 2", "line 3: 2 numbers where the channels want 3"),
        ("1 2 3 4", "line 3: 4 numbers"),
        ("1 1e400 3", "line 3: number 2 is '1e400'"),
        ("1 1e14 3", "line 3: number 2 is '1e14', too large"),
        ("1 2 ٣", "line 3: number 3"),
        ("1 12345678901234567890123e400 3", "line 3: number 2 is"),
    ],
)
def test_the_first_bad_line_is_named(line: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read_rows(lines_of("head", "1 2 3", line, *["4 5 6"] * 100, "bad"), 2, 3)


@pytest.mark.usefixtures("either")
def test_no_rows_are_no_error() -> None:
    assert read_rows(lines_of("head", " "), 2, 3).shape == (0, 3)
