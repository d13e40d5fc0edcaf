"""plots: the live job behind the plot dock: what is wanted against time, kept until an edit touches a time.

A plot has a time for each frame of the document from `first` to `last`; of too many, each second, third, … one. What is
nearest to the present is worked out first. A step takes as many times as it took `SLICE` for; meanwhile plots are
published that are not whole yet, with numbers from before the last edit where there are no others. Sums come last: what
is kept of one is what each time adds to the one before it. Times that cannot be worked out (a simulation that diverges)
have no number, and the first of an actor is reported.

`write_plot` is the same as a file, for the window and for the command line (`engine.cli.curves`).

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame
from engine.measure import KINDS, Quantity
from engine.runtime.errors import EngineError, InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluate.evaluator import Evaluator
    from engine.measure.chart import Chart
    from engine.measure.series import Plot

SHOWN_EVERY, SHOWN_LATER = 0.033, 0.15  # [s] between plots that are not whole; as a share of the time until then
SLICE = 0.004  # [s] of a step, by the time of the last one
LEAST_TOGETHER, MOST_TOGETHER = 16, 256  # times in one step, where nothing is held; else one. Fewer are no quicker
MOST_TIMES, MOST_SERIES = 40_000, 64
MOST_WRITTEN = 10_000_000  # times in a file: every frame of a day
UNKNOWN, STALE, FRESH = range(3)
Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class PlotWanted:
    """The quantities to plot, and from when to when [ticks]."""

    quantities: tuple[Quantity, ...]
    first: int
    last: int

    def __post_init__(self) -> None:
        if self.last < self.first:
            first, last = self.first / TICKS_PER_SECOND, self.last / TICKS_PER_SECOND
            raise InvalidArguments(what="the end of a plot", value=last, allowed=f"at or after {first:g} seconds")
        if len(self.quantities) > MOST_SERIES:
            raise InvalidArguments(
                what="the series of a plot", value=len(self.quantities), allowed=f"{MOST_SERIES} or fewer"
            )


@dataclass
class _Kept:
    """The numbers of one quantity that are known, and whether they still hold."""

    values: NDArray[np.float64]
    by_differences: NDArray[np.bool_]
    state: NDArray[np.int8]


class Plots:
    """Answers what is wanted; keeps what it worked out. Used by the engine's thread alone."""

    def __init__(self, evaluator: Evaluator, *, clock: Clock = perf_counter) -> None:
        import numpy as np  # here, for the window is painted before it is loaded

        self._evaluator, self._clock = evaluator, clock
        self._document = Document()
        self._times: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._kept: dict[Quantity, _Kept] = {}
        self._together = LEAST_TOGETHER
        self._failed: dict[str, str] = {}  # of actors, what was said

    def answer(self, document: Document, time: int, wanted: PlotWanted) -> Generator[Plot | None, None, None]:
        """Work out the plot that is wanted, about a time [ticks]: yields None between steps, plots that are not whole,
        at last the whole one."""
        self._follow(document)
        sound, problems = _sound(document, wanted.quantities)
        self._fit(sound, plot_times(document.rate, wanted.first, wanted.last))
        began = shown = self._clock()
        self._together = LEAST_TOGETHER
        for actor in dict.fromkeys(each.actor for each in sound):
            for own in _apart(each for each in sound if each.actor == actor):
                for places in self._missing(actor, own, time):
                    self._work_out(actor, own, places)
                    yield None
                    now = self._clock()
                    if now - shown >= max(SHOWN_EVERY, SHOWN_LATER * (now - began)):
                        yield self._plot(document, sound, problems, whole=False)
                        shown = self._clock()
        yield self._plot(document, sound, problems, whole=True)

    def _work_out(self, actor: str, wanted: Sequence[Quantity], places: NDArray[np.intp]) -> None:
        """One step; the next one has more times or fewer, as this one was quick or slow."""
        import numpy as np

        from engine.measure.measuring import numbers_at

        began, times, before = self._clock(), self._times[places].tolist(), _before(self._times)[places].tolist()
        try:
            values, rough = numbers_at(self._evaluator, self._document, actor, wanted, times, before)
        except EngineError as problem:
            self._failed.setdefault(actor, str(problem))
            values, rough = np.full((len(wanted), len(times)), np.nan), np.zeros((len(wanted), len(times)), bool)
        for quantity, row, by_differences in zip(wanted, values, rough, strict=True):
            kept = self._kept[quantity]
            kept.values[places], kept.by_differences[places], kept.state[places] = row, by_differences, FRESH
        took = self._clock() - began
        if took > SLICE:
            self._together = max(LEAST_TOGETHER, int(len(places) * SLICE / took))
        elif took < 0.5 * SLICE and len(places) >= self._together:
            self._together = min(2 * self._together, MOST_TOGETHER)

    def _follow(self, document: Document) -> None:
        """Take over a document: what differs from the last one is stale from here on, and what reads it."""
        import numpy as np

        from engine.measure.moving import differenced_over
        from engine.motion.changed import changed_span

        document = without_drafts(document)
        if document is self._document:
            return
        before = _before(self._times)
        for actor, start, end in changed_span(self._document, document):
            self._failed.pop(actor, None)
            if actor not in document.actor_index:
                continue
            away = differenced_over(document.with_all_that_hold(actor))
            for quantity, kept in self._kept.items():
                if quantity.actor == actor:
                    touched = kept.state == FRESH
                    first = before if KINDS[quantity.kind].sum_of else self._times
                    touched &= (start is None) | (self._times >= (start or 0) - away)
                    touched &= (end is None) | (first <= (end or 0) + away)
                    touched |= (kept.state == FRESH) & np.isnan(kept.values)  # what failed is tried again
                    kept.state[touched] = STALE
        self._kept = {each: kept for each, kept in self._kept.items() if each.actor in document.actor_index}
        self._document = document

    def _fit(self, wanted: Sequence[Quantity], times: NDArray[np.int64]) -> None:
        """Make room for what is wanted at these times, with what is known of it."""
        import numpy as np

        same, old = np.array_equal(times, self._times), self._times
        at = np.searchsorted(old, times) if len(old) else np.zeros(len(times), dtype=np.intp)
        known = (at < len(old)) & (old[np.minimum(at, len(old) - 1)] == times) if len(old) else at < 0
        follows = known.copy()  # the same time as before, too
        follows[known] &= _before(times)[known] == _before(old)[at[known]]
        found: dict[Quantity, _Kept] = {}
        for each in (*wanted, *(each for each in self._kept if each not in wanted)):
            before = self._kept.get(each)
            if before is None or not same:
                room = _Kept(np.full(len(times), np.nan), np.zeros(len(times), bool), np.zeros(len(times), np.int8))
                if before is not None:
                    stays = follows if KINDS[each.kind].sum_of else known
                    for name in ("values", "by_differences", "state"):
                        getattr(room, name)[stays] = getattr(before, name)[at[stays]]
                before = room
            if len(found) < MOST_SERIES:
                found[each] = before
        self._times, self._kept = times, found

    def _missing(self, actor: str, wanted: Sequence[Quantity], time: int) -> Iterator[NDArray[np.intp]]:
        """Places of times that are not known of one of an actor's quantities, a step at a time, the nearest first."""
        import numpy as np

        from engine.measure.moving import is_held

        lacking = np.zeros(len(self._times), dtype=bool)
        for each in wanted:
            lacking |= self._kept[each].state != FRESH
        places = np.flatnonzero(lacking)
        places = places[np.argsort(np.abs(self._times[places] - time), kind="stable")]
        owner, needed = self._document.actor(actor), self._document.with_all_that_hold(actor)
        at = 0
        while at < len(places):
            step = places[at : at + self._together]
            held = [is_held(owner, needed, each) for each in self._times[step].tolist()]
            if any(held):
                step = step[: max(1, held.index(True))]
            yield step
            at += len(step)

    def _plot(self, document: Document, wanted: Sequence[Quantity], problems: tuple[str, ...], *, whole: bool) -> Plot:
        """Copies, for the window reads them while more is worked out."""
        from engine.measure.series import Plot, series_of

        found = []
        for each in wanted:
            kept = self._kept[each]
            rough, fresh = kept.by_differences.copy(), kept.state == FRESH
            found.append(series_of(each, document.actor(each.actor), self._times, kept.values.copy(), rough, fresh))
        failed = [self._failed[each] for each in dict.fromkeys(one.actor for one in wanted) if each in self._failed]
        return Plot(document=document, series=tuple(found), problems=(*problems, *failed), whole=whole)


def _apart(wanted: Iterable[Quantity]) -> Iterator[list[Quantity]]:
    """Separate quantities of a moment from sums, which need twice as many moments."""
    every = list(wanted)
    for sums in (False, True):
        found = [each for each in every if bool(KINDS[each.kind].sum_of) is sums]
        if found:
            yield found


def _before(times: NDArray[np.int64]) -> NDArray[np.int64]:
    """The time before each; of the first itself."""
    import numpy as np

    return np.concatenate((times[:1], times[:-1]))


@lru_cache(maxsize=4)
def plot_times(rate: Rate, first: int, last: int, most: int = MOST_TIMES) -> NDArray[np.int64]:
    """The ticks of frames between two times, both times among them; evenly fewer where there are too many."""
    import numpy as np

    length = ticks_per_frame(rate)
    start, stop = int(-(-first // length)), int(last // length) + 1
    apart = max(1, -(-(stop - start) // most))
    times = {frame_time(frame, rate) for frame in range(start, stop, apart)}
    found = np.array(sorted(each for each in times | {first, last} if first <= each <= last), dtype=np.int64)
    found.flags.writeable = False
    return found


def write_plot(
    evaluator: Evaluator, path: Path, document: Document, wanted: PlotWanted
) -> Generator[float, None, None]:
    """Write what is wanted, at every frame, in the format of the file's ending; yields the share that is done."""
    from engine.measure.chart import chart_of
    from engine.measure.measuring import measure

    write = plot_writer(path)
    # Past what is kept: so many times are evaluated once.
    times = plot_times.__wrapped__(document.rate, wanted.first, wanted.last, MOST_WRITTEN).tolist()
    write(path, chart_of((yield from measure(evaluator, document, wanted.quantities, times))))


def plot_writer(path: Path) -> Callable[[Path, Chart], None]:
    """Choose the writer of a plot by the file's ending; refuses a file that could not be written, before the plot is
    worked out."""
    from engine.measure.plot_csv import write_plot_csv
    from engine.measure.plot_npz import write_plot_npz
    from engine.measure.plot_sto import write_plot_sto
    from engine.measure.plot_svg import write_plot_svg

    known = {".csv": write_plot_csv, ".npz": write_plot_npz, ".svg": write_plot_svg, ".sto": write_plot_sto}
    write = known.get(path.suffix.lower())
    if write is None:
        found = f"no plot ends in {path.suffix or 'nothing'!r}"
        names = [f"{path.stem}{suffix}" for suffix in known]
        raise UnwritableFile(path=path, found=found, remedy=f"Name it {', '.join(names[:-1])} or {names[-1]}.")
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    if path.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")
    return write


def _sound(document: Document, wanted: Sequence[Quantity]) -> tuple[tuple[Quantity, ...], tuple[str, ...]]:
    """Select the quantities that exist, each once, and describe what is wrong with the others."""
    from engine.measure.measuring import check

    sound, problems = list[Quantity](), list[str]()
    for each in dict.fromkeys(wanted):
        try:
            check(each, document.actor(each.actor))
            sound.append(each)
        except EngineError as problem:
            problems.append(str(problem))
    return tuple(sound), tuple(dict.fromkeys(problems))
