"""Series of curves that a search has come to: beside the torques of the same degree of freedom that are plotted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.session.found_curves import FoundCurve

if TYPE_CHECKING:
    from app.features.plot.plotting import Series


def found_series(plotted: Iterable[Series], found: Iterable[FoundCurve]) -> Iterator[Series]:
    """Yield a series for each that is found of a plotted torque."""
    by_part = {(each.actor, each.part): each for each in found}
    for each in plotted:
        quantity = each.quantity
        curve = by_part.get((quantity.actor, quantity.part)) if quantity.kind == "torque" else None
        if curve is not None:
            count = len(curve.times)
            yield replace(
                each, label=f"{each.label}, {curve.name}", times=np.rint(curve.times).astype(np.int64),
                values=curve.values, by_differences=np.zeros(count, dtype=np.bool_),
                fresh=np.ones(count, dtype=np.bool_), caution="",
            )  # fmt: skip
