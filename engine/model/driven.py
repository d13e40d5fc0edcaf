"""Driven coordinates: each is a sum of splines of others (`engine.document.figure.DrivenBy`), so it has no freedom of
its own.

With q_d = sum f_k(q_k) over its entries, where q_k drives it,

    qd_d = sum f_k' qd_k,    qdd_d = sum f_k' qdd_k + f_k'' qd_k^2,

and a gradient or a torque g, or a column of a Jacobian, is handed on to the drivers: g_k += f_k' g_d. What is left of
g_d is nothing: that is what "folded" means. The kernels that do so are `engine.model.driven_kernels`.

Layout of `ints`: DRIVEN and ENTRIES, then for each driven coordinate its place in `q` and in `qd`, its first entry and
the one behind its last; then for each entry the driver's place in `q` and in `qd`, the number of knots, where its
floats begin, and the place of the driven one in `qd`. `floats`: for each entry its knots, then four coefficients for
each piece (`engine.maths.splines`).
"""

from __future__ import annotations

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array, IntArray
from engine.maths.splines import spline_pieces
from engine.runtime.quick_dataclass import dataclass

DRIVEN, ENTRIES = range(2)  # header of `ints`
HEADER = 2
COORDINATE, RATE, FIRST, END = range(4)  # of a driven coordinate
STRIDE = 4
DRIVER, DRIVER_RATE, KNOTS, FLOATS, OF_RATE = range(5)  # of an entry
ENTRY = 5


@dataclass(frozen=True, eq=False)
class DrivenCoordinates:
    """Packed splines of a figure's driven coordinates, read-only."""

    ints: IntArray
    floats: Array

    @property
    def entry_count(self) -> int:
        """Number of entries: pairs of a driver and what it drives."""
        return int(self.ints[ENTRIES])


def compile_driven(figure: Figure) -> DrivenCoordinates | None:
    """Pack the driven coordinates of a valid figure; None where it has none."""
    if not figure.driven:
        return None
    heads, entries, floats = list[int](), list[int](), list[float]()
    for dof in figure.driven:
        rate, first = figure.rate_index[dof.id], len(entries) // ENTRY
        for each in dof.driven:
            places = figure.coordinate_index[each.dof], figure.rate_index[each.dof]
            entries += [*places, len(each.at), len(floats), rate]
            floats += [*each.at, *spline_pieces(list(zip(each.at, each.values, strict=True))).ravel().tolist()]
        heads += [figure.coordinate_index[dof.id], rate, first, len(entries) // ENTRY]
    head = [len(figure.driven), len(entries) // ENTRY]
    made = DrivenCoordinates(np.array([*head, *heads, *entries], dtype=np.int32), np.array(floats))
    made.ints.flags.writeable = made.floats.flags.writeable = False
    return made
