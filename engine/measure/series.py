"""Series: the numbers of one quantity against time, and a plot of several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.measure.quantities import Quantity
from engine.model.compile import Array


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Plot:
    """What a plot shows, and of which document."""

    document: Document
    series: tuple[Series, ...]
    problems: tuple[str, ...] = ()  # of what was wanted and is not there
    whole: bool = True  # else more of it is being worked out
