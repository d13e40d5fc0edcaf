"""stills: the live job behind exported pictures: what is to be drawn of some frames, one after the other.

A still is what the window would show of that time, since the same evaluator answers: the snapshot, trails and
onion skins where they are wanted, and the numbers of quantities. Runs on the engine's thread; importing this
module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.extent import play_extent
from engine.document.motion import ticks_per_frame
from engine.measure import KINDS, Quantity, label_of, unit_of
from engine.queries.plots import plot_times
from engine.queries.trails import Trails, Wanted
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.measure.series import Series
    from engine.model.snapshot import Snapshot
    from engine.model.trails import TrailPicture

MOST_TIMES = 2000  # of a curve


@dataclass(frozen=True, kw_only=True)
class StillsWanted:
    """The content of each frame to be drawn of a document."""

    document: Document
    skins: bool = False
    balance: bool = False
    trails: Wanted | None = None  # trails and onion skins
    around: int | None = None  # frames of a trail on each side of the present; None: from its first tick to its last
    quantities: tuple[Quantity, ...] = ()
    curves: tuple[int, int] | None = None  # between which ticks the quantities are wanted as curves, too


@dataclass(frozen=True, kw_only=True, eq=False)
class Number:
    """One number of a time, in SI units."""

    label: str
    unit: str
    value: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Still:
    """The content of one frame to be drawn."""

    snapshot: Snapshot
    trails: TrailPicture | None = None
    numbers: tuple[Number, ...] = ()
    curves: tuple[Series, ...] = ()  # the same ones in every frame


class Stills:
    """Works stills out; keeps what trails need from one to the next. Used by one thread alone."""

    def __init__(self, evaluator: Evaluator, wanted: StillsWanted) -> None:
        self._evaluator, self._wanted = evaluator, wanted
        self._trails = Trails(evaluator)
        self._curves: tuple[Series, ...] | None = None
        self._sums: tuple[Series, ...] | None = None  # which depend on more than one moment

    def answer(self, times: Sequence[int]) -> Generator[tuple[Still, ...] | None, None, None]:
        """Draw all frames so far, after each of some times [ticks]; None between steps."""
        found: tuple[Still, ...] = ()
        for time in times:
            found = (*found, (yield from self._still(time)))
            yield found

    def _still(self, time: int) -> Generator[None, None, Still]:
        wanted = self._wanted
        snapshot = self._evaluator.snapshot(wanted.document, time, skins=wanted.skins)
        if wanted.balance:
            from engine.evaluate.balance import with_balance

            snapshot = with_balance(snapshot)
        trails = None
        if wanted.trails is not None:
            for part in self._trails.answer(wanted.document, time, self._trails_at(wanted.trails, time)):
                trails = part
                yield None
        if self._curves is None:
            self._curves = yield from self._measured(wanted.quantities, wanted.curves)
        if self._sums is None:
            sums = tuple(each for each in wanted.quantities if KINDS[each.kind].sum_of)
            self._sums = yield from self._measured(sums, wanted.curves or play_extent(wanted.document))
        return Still(snapshot=snapshot, trails=trails, numbers=self._numbers(time), curves=self._curves)

    def _trails_at(self, wanted: Wanted, time: int) -> Wanted:
        around = self._wanted.around
        if around is None:
            return wanted
        length = round(around * ticks_per_frame(self._wanted.document.rate))
        return replace(wanted, first=time - length, last=time + length)

    def _measured(
        self, quantities: tuple[Quantity, ...], between: tuple[int, int] | None
    ) -> Generator[None, None, tuple[Series, ...]]:
        """Their curves, measured once, in slices."""
        if between is None or not quantities:
            return ()
        from engine.measure.measuring import measure

        document = self._wanted.document
        times = plot_times(document.rate, *between, MOST_TIMES).tolist()
        steps = measure(self._evaluator, document, quantities, times)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found: tuple[Series, ...] = end.value
                return found
            yield None

    def _numbers(self, time: int) -> tuple[Number, ...]:
        from engine.measure.measuring import check

        document, found = self._wanted.document, []
        for each in self._wanted.quantities:
            actor = document.actor(each.actor)
            check(each, actor)
            found.append(Number(label=label_of(each, actor), unit=unit_of(each, actor), value=self._value(each, time)))
        return tuple(found)

    def _value(self, quantity: Quantity, time: int) -> float:
        """A number of a moment; of a sum what it has come to since its curve began."""
        import numpy as np

        from engine.measure.measuring import values_at

        for series in self._sums or ():
            if series.quantity == quantity:
                return float(np.interp(time, series.times, series.values))
        values, _ = values_at(self._evaluator, self._wanted.document, quantity.actor, (quantity,), (time,))
        return float(values[0, 0])
