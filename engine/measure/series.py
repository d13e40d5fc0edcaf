"""Series: the numbers of one quantity against time, and a plot of several.

A sum (`Kind.sum_of`) is worked out as what each time adds to the one before; `series_of` runs them up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document
from engine.maths.arrays import Array
from engine.measure.quantities import KINDS, Quantity, caution_of, label_of, unit_of
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class Series:
    """The numbers of one quantity, one for each time."""

    quantity: Quantity
    label: str
    unit: str
    times: NDArray[np.int64]  # [ticks] rising
    values: Array  # not a number where nothing is known yet
    by_differences: NDArray[np.bool_]  # where rates and accelerations are differences, not those of the curves
    fresh: NDArray[np.bool_]  # else from before the last edit, or not known
    caution: str = ""  # for a reader


def series_of(
    quantity: Quantity,
    actor: Actor,
    times: NDArray[np.int64],
    values: Array,
    by_differences: NDArray[np.bool_],
    fresh: NDArray[np.bool_],
) -> Series:
    """The series of numbers that were worked out; a sum is known as far as all before it is."""
    if KINDS[quantity.kind].sum_of:
        values, by_differences = np.cumsum(values), np.logical_or.accumulate(by_differences)
        fresh = np.logical_and.accumulate(fresh)
    return Series(
        quantity=quantity,
        label=label_of(quantity, actor),
        unit=unit_of(quantity, actor),
        times=times,
        values=values,
        by_differences=by_differences,
        fresh=fresh,
        caution=caution_of(quantity, actor),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Plot:
    """The curves of a plot, and the document that they are of."""

    document: Document
    series: tuple[Series, ...]
    problems: tuple[str, ...] = ()  # of what was wanted and is not there
    whole: bool = True  # else more of it is being worked out
