"""Curves on a frame: where they are drawn, what is past and what is to come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.curves import strips_of, write_curves
from app.scene.look import Look
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.measure import Quantity
from engine.measure.series import Series

SIZE = 640, 360


def series(values: Sequence[float], unit: str = "rad") -> Series:
    """Numbers evenly over a second."""
    count = len(values)
    return Series(
        quantity=Quantity(kind="value", actor="a", part="b"),
        label="B",
        unit=unit,
        times=np.linspace(0, SECOND, count).astype(np.int64),
        values=np.array(values, dtype=np.float64),
        by_differences=np.zeros(count, dtype=bool),
        fresh=np.ones(count, dtype=bool),
    )


def drawn(curves: Sequence[Series], time: int) -> NDArray[np.int64]:
    """A black frame with curves, shape [height, width, 3], row 0 the highest."""
    pixels = bytearray(bytes((0, 0, 0, 255)) * (SIZE[0] * SIZE[1]))
    write_curves(pixels, SIZE, curves, time, Look())
    return np.frombuffer(pixels, dtype=np.uint8).reshape(SIZE[1], SIZE[0], 4)[::-1, :, :3].astype(np.int64)


def test_each_unit_has_a_strip() -> None:
    first, second, third = series([0, 1]), series([0, 1], "m"), series([2, 3])
    assert strips_of([first, second, third]) == [[first, third], [second]]
    assert strips_of([series([1.0]), series([np.nan, np.nan, 1.0])]) == [], "one number is no curve"


def test_a_curve_stands_in_the_lower_right_and_rises_to_the_right() -> None:
    bright = drawn([series([0.0, 1.0])], SECOND).max(axis=2) > 120
    rows, columns = np.nonzero(bright)
    assert columns.min() > 400
    assert rows.min() > 280
    left, right = (rows[columns == column].mean() for column in (columns.min(), columns.max()))
    assert left > right + 20, "up is up"


def test_what_has_been_is_solid_and_what_is_to_come_is_faint() -> None:
    def brightest(time: int, columns: slice) -> int:
        return int(drawn([series([0.5, 0.5, 0.5])], time)[:, columns].max())

    early, late = slice(440, 470), slice(590, 620)
    assert brightest(SECOND, late) > brightest(0, late) + 60
    assert brightest(SECOND, early) > 180


@pytest.mark.parametrize("values", [[0.0, np.nan, 1.0], [0.0, 1.0, np.nan], [3.0, 3.0], [0.0, 1e300]])
def test_odd_numbers_are_drawn_as_far_as_they_go(values: list[float]) -> None:
    assert drawn([series(values)], SECOND // 2).max() <= 255


def test_time_before_and_after_a_curve_is_its_end() -> None:
    curve = [series([0.0, 1.0])]
    np.testing.assert_array_equal(drawn(curve, -SECOND), drawn(curve, 0))
    np.testing.assert_array_equal(drawn(curve, 3 * SECOND), drawn(curve, SECOND))
