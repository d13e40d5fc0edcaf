"""stills: the live job behind exported pictures: what is to be drawn of some frames, one after the other.

A still is what the window would show of that time, since the same evaluator answers: the snapshot, trails and
onion skins where they are wanted, and the numbers of quantities. Runs on the engine's thread; importing this
module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.motion import ticks_per_frame
from engine.jobs.plots import plot_times
from engine.jobs.trails import Trails, Wanted
from engine.measure import Quantity, label_of, unit_of

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.measure.series import Series
    from engine.model.snapshot import Snapshot
    from engine.model.trails import Passage

MOST_TIMES = 2000  # of a curve


@dataclass(frozen=True, kw_only=True)
class StillsWanted:
    """What is to be seen of each frame of a document."""

    document: Document
    skins: bool = False
    balance: bool = False
    passage: Wanted | None = None  # trails and onion skins
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
    """What is to be drawn of one frame."""

    snapshot: Snapshot
    passage: Passage | None = None
    numbers: tuple[Number, ...] = ()
    curves: tuple[Series, ...] = ()  # the same ones in every frame


class Stills:
    """Works stills out; keeps what trails need from one to the next. Used by one thread alone."""

    def __init__(self, evaluator: Evaluator, wanted: StillsWanted) -> None:
        self._evaluator, self._wanted = evaluator, wanted
        self._trails = Trails(evaluator)
        self._curves: tuple[Series, ...] | None = None

    def answer(self, times: Sequence[int]) -> Generator[tuple[Still, ...] | None, None, None]:
        """All that is there so far, after each of some times [ticks]; None between steps."""
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
        passage = None
        if wanted.passage is not None:
            for part in self._trails.answer(wanted.document, time, self._passage_at(wanted.passage, time)):
                passage = part
                yield None
        if self._curves is None:
            self._curves = yield from self._measured()
        return Still(snapshot=snapshot, passage=passage, numbers=self._numbers(time), curves=self._curves)

    def _passage_at(self, wanted: Wanted, time: int) -> Wanted:
        around = self._wanted.around
        if around is None:
            return wanted
        length = round(around * ticks_per_frame(self._wanted.document.rate))
        return replace(wanted, first=time - length, last=time + length)

    def _measured(self) -> Generator[None, None, tuple[Series, ...]]:
        """The curves, measured once, in slices."""
        wanted = self._wanted
        if wanted.curves is None or not wanted.quantities:
            return ()
        from engine.measure.measuring import measure

        times = plot_times(wanted.document.rate, *wanted.curves, MOST_TIMES).tolist()
        steps = measure(self._evaluator, wanted.document, wanted.quantities, times)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found: tuple[Series, ...] = end.value
                return found
            yield None

    def _numbers(self, time: int) -> tuple[Number, ...]:
        from engine.measure.measuring import check, values_at

        document, found = self._wanted.document, []
        for each in self._wanted.quantities:
            actor = document.actor(each.actor)
            check(each, actor)
            values, _ = values_at(self._evaluator, document, each.actor, (each,), (time,))
            found.append(Number(label=label_of(each, actor), unit=unit_of(each, actor), value=float(values[0, 0])))
        return tuple(found)
