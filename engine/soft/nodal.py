"""NodalForces: forces on points of a soft body over time, as a part of the document: what a plan may choose, and what
it has found (Engell-Norregard 2012, 140).

They act in the world, from the first of their times to the last, and play back by themselves. A step feels what they
are at its end.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from engine.document.blobs import Blob, check_form
from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.maths.arrays import Array

MOST_FORCES = 500_000  # numbers of one set: three for each point and time


@dataclass(frozen=True, kw_only=True)
class NodalForces(Part):
    """Forces on a set of points; without times none act yet."""

    id: str
    name: str
    points: Blob  # which of the mesh, int32, shape [count]
    strongest: float = option(
        10.0,
        label="Strongest",
        unit="N",
        least=1e-6,
        most=1e9,
        note="What a plan may find for each point, along each axis; effort counts forces as shares of it.",
    )
    form: str = option(
        "linear",
        label="Between knots",
        choices=("linear", "held"),
        labels=("Straight", "As at the knot before"),
        note="Forces go straight from knot to knot, or stay until the next one.",
    )
    times: tuple[int, ...] = ()  # [ticks] rising
    values: Blob | None = None  # [N] in the world, float64, shape [len(times), count, 3]
    mute: bool = option(False, label="Mute", note="Leave these forces out for now, and what they do.")

    def __post_init__(self) -> None:
        if not self.points.shape or not self.points.shape[0]:
            allowed = "one or more: all, or those near a place"
            raise InvalidDocument(what=f"the points of {self.name}", value="none", allowed=allowed)
        if not self.strongest > 0.0:
            allowed = "more than 0 N, or a plan has nothing to choose: mute them instead"
            raise InvalidDocument(what=f"the strongest of {self.name}", value=self.strongest, allowed=allowed)
        check_options(self)
        check_form(f"the points of {self.name}", self.points, "<i4", self.points.shape[:1])
        self.points.check(partial(_check_once, self.name))
        for each in self.times:
            ticks(f"a time of {self.name}", each)
        if any(later <= earlier for earlier, later in pairwise(self.times)):
            raise InvalidDocument(what=f"the times of {self.name}", value=self.times[:8], allowed="rising ones")
        if (self.values is None) != (not self.times) or len(self.times) == 1:
            value = (len(self.times), None if self.values is None else self.values.shape)
            allowed = "two times or more with forces, or neither"
            raise InvalidDocument(what=f"what {self.name} do", value=value, allowed=allowed)
        if self.values is not None:
            check_form(f"what {self.name} do", self.values, "<f8", (len(self.times), self.count, 3))
            if math.prod(self.values.shape) > MOST_FORCES:
                allowed = f"at most {MOST_FORCES:,}: fewer points or knots"
                raise InvalidDocument(what=f"the numbers of {self.name}", value=self.values.shape, allowed=allowed)

    @property
    def count(self) -> int:
        """Number of points."""
        return self.points.shape[0]

    def acting(self, time: float) -> Array | None:
        """Give the forces of a step that ends at a time [ticks], shape [count, 3]; None where none act."""
        if self.values is None or not self.times[0] < time <= self.times[-1]:
            return None
        before = bisect_left(self.times, time) - 1
        return self._between(self.values.array, before, time)

    def at_knot(self, time: int) -> Array:
        """Give what is said from a time [ticks] on, at which a plan has a knot, shape [count, 3]."""
        import numpy as np

        if self.values is None or not self.times[0] <= time <= self.times[-1]:
            return np.zeros((self.count, 3))
        return self._between(self.values.array, bisect_right(self.times, time) - 1, time)

    def _between(self, values: NDArray[Any], before: int, time: float) -> Array:
        """Give the forces in the span after a knot, to the bit as `Spread` has them."""
        first, second = values[before], values[min(before + 1, len(self.times) - 1)]
        start, end = self.times[before], self.times[min(before + 1, len(self.times) - 1)]
        share = 0.0 if self.form == "held" or end == start else (time - start) / float(end - start)
        found: Array = second.copy() if share == 1.0 else first + share * (second - first)
        return found


def first_nodal(old: tuple[NodalForces, ...], new: tuple[NodalForces, ...]) -> float:
    """Find the first tick from which forces act otherwise than others; infinite where they are the same."""
    before, after = ({each.id: each for each in every if _acts(each)} for every in (old, new))
    return min((_first_change(before.get(id), after.get(id)) for id in before | after), default=math.inf)


def _acts(forces: NodalForces) -> bool:
    return not forces.mute and bool(forces.times)


def _first_change(old: NodalForces | None, new: NodalForces | None) -> float:
    if old is None or new is None:
        return min(each.times[0] for each in (old, new) if each is not None)
    if old.times == new.times and old.values == new.values and old.points == new.points and old.form == new.form:
        return math.inf
    start = min(old.times[0], new.times[0])
    if old.values is None or new.values is None or old.points != new.points or old.form != new.form:
        return start
    one, other = old.values.array, new.values.array
    last: float = start  # up to which all is the same
    for row, (time, again) in enumerate(zip(old.times, new.times, strict=False)):
        if time != again or (one[row] != other[row]).any():
            return last
        last = time
    return last


def laid_out(forces: NodalForces, images: Mapping[int, int]) -> NodalForces:
    """The forces with each of their times elsewhere; of times that fall together the last one counts, and where fewer
    than two are left none act."""
    from dataclasses import replace

    import numpy as np

    if forces.values is None:
        return forces
    rows = {images[time]: row for row, time in enumerate(forces.times)}
    times = tuple(sorted(rows))
    if len(times) < 2:
        return replace(forces, times=(), values=None)
    if times == forces.times:
        return forces
    return replace(forces, times=times, values=Blob(np.array(forces.values.array)[[rows[each] for each in times]]))


def _check_once(name: str, points: NDArray[Any]) -> None:
    import numpy as np

    if len(np.unique(points)) < len(points):
        raise InvalidDocument(what=f"the points of {name}", value="some of them twice", allowed="each once")
