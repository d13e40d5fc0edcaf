"""Decimal numbers from bytes, exact to the last bit or left to Python.

A number of at most 15 digits and a power of ten of at most 22 are both exact in double precision, so that their
product or quotient is the nearest double to the text (Clinger, How to read floating point numbers accurately, 1990).
A number with more than that becomes nan, for the caller to read in its own way; nothing else does.

text: ASCII, shape [bytes], rows ended by a line feed; out_values: shape [row_count, column_count].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.runtime.jit import kernel

Bytes = NDArray[np.uint8]

SPACE, TAB, LINE, RETURN, PLUS, MINUS, POINT, ZERO, NINE = 32, 9, 10, 13, 43, 45, 46, 48, 57
LARGE_E, SMALL_E = 69, 101
MOST_DIGITS, MOST_TENS = 15, 22
TENS = np.array([float(f"1e{power}") for power in range(MOST_TENS + 1)])
"""The powers of ten that are exact."""


@kernel
def is_blank(byte: int) -> bool:
    """Space, tabs, form feed."""
    return byte == SPACE or (TAB <= byte < RETURN and byte != LINE)


@kernel
def scan_number(text: Bytes, at: int, tens: Array, out_value: Array) -> int:
    """Read one number from `at` on into `out_value[0]`; the place behind it, or -1 if there is none."""
    end = len(text)
    negative = text[at] == MINUS
    if text[at] == MINUS or text[at] == PLUS:
        at += 1
    mantissa, digits, seen, decimals, pointed = 0, 0, False, 0, False
    while at < end:
        byte = int(text[at])
        if ZERO <= byte <= NINE:
            seen = True
            if digits < MOST_DIGITS:
                mantissa = 10 * mantissa + byte - ZERO
            if mantissa > 0:
                digits += 1
            if pointed:
                decimals += 1
        elif byte == POINT and not pointed:
            pointed = True
        else:
            break
        at += 1
    if not seen:
        return -1
    exponent = 0
    if at < end and (text[at] == SMALL_E or text[at] == LARGE_E):
        at += 1
        sign = -1 if at < end and text[at] == MINUS else 1
        if at < end and (text[at] == MINUS or text[at] == PLUS):
            at += 1
        if at >= end or not ZERO <= text[at] <= NINE:
            return -1
        while at < end and ZERO <= text[at] <= NINE:
            exponent = min(10 * exponent + (int(text[at]) - ZERO), 10_000)
            at += 1
        exponent *= sign
    exponent -= decimals
    value = float(mantissa)
    if digits > MOST_DIGITS or abs(exponent) > MOST_TENS:
        value = np.nan if mantissa != 0 else 0.0
    elif exponent < 0:
        value /= tens[-exponent]
    else:
        value *= tens[exponent]
    out_value[0] = -value if negative else value
    return at


@kernel
def scan_rows(text: Bytes, tens: Array, out_values: Array) -> bool:
    """Read rows of numbers; False if a row is not exactly as long as the table is wide, or holds anything else.

    `tens` is `TENS`.
    """
    at, end, value = 0, len(text), np.empty(1)
    for row in range(out_values.shape[0]):
        for column in range(out_values.shape[1]):
            while at < end and is_blank(text[at]):
                at += 1
            if at >= end:
                return False
            at = scan_number(text, at, tens, value)
            if at < 0 or (at < end and text[at] != LINE and not is_blank(text[at])):
                return False
            out_values[row, column] = value[0]
        while at < end and is_blank(text[at]):
            at += 1
        if at < end and text[at] != LINE:
            return False
        at += 1
    return at >= end
