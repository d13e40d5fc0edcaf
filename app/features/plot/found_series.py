"""Series of curves that a search has come to: beside the torques of the same degree of freedom that are plotted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from app.session.found_curves import FoundCurve
from engine.document import Document
from engine.measure.quantities import label_of, unit_of
from engine.measure.series import Series


def found_series(document: Document, plotted: Iterable[Series], found: Iterable[FoundCurve]) -> Iterator[Series]:
    """Yield a series for each that is found of a plotted torque."""
    by_part = {(each.actor, each.part): each for each in found}
    for each in plotted:
        quantity = each.quantity
        curve = by_part.get((quantity.actor, quantity.part)) if quantity.kind == "torque" else None
        if curve is not None and quantity.actor in document.actor_index:
            actor, count = document.actor(quantity.actor), len(curve.times)
            yield Series(
                quantity=quantity, label=f"{label_of(quantity, actor)}, {curve.name}", unit=unit_of(quantity, actor),
                times=np.rint(curve.times).astype(np.int64), values=curve.values,
                by_differences=np.zeros(count, dtype=np.bool_), fresh=np.ones(count, dtype=np.bool_),
            )  # fmt: skip
