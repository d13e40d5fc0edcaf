"""Row: one row of a sweep worked out: its document made by its edits, measured, and each quantity reduced to a number.

`begin` is what `engine.long.pieces` calls where rows are worked out, in whatever process that is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from engine.cli.curves import plot_wanted, quantity_named
from engine.document import Document
from engine.document.part_reader import decode
from engine.document.parts import encode
from engine.evaluate.evaluator import Evaluator
from engine.long.pieces import Work
from engine.long.prepare import prepare
from engine.maths.arrays import Array
from engine.measure import KINDS, Quantity
from engine.measure.measuring import measure
from engine.queries.naming import ticks_of
from engine.queries.needs import needs_of, needs_of_plot
from engine.queries.plots import MOST_WRITTEN, PlotWanted, plot_times
from engine.runtime.child import Json
from engine.runtime.errors import Diverged, InvalidDocument
from engine.runtime.progress import finish
from engine.sweeps.rows import document_of
from engine.sweeps.study import Study

MAKE = "engine.sweeps.row:begin"
_REDUCED: Mapping[str, Callable[[Array], float]] = {
    "mean": lambda values: math.fsum(values.tolist()) / len(values),
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
    "last": lambda values: float(values[-1]),
    "at": lambda values: float(values[-1]),
}


def shared_of(study: Study, base: Document) -> Json:
    """Write down what all rows of a study share, complete: a worker elsewhere has no file of it."""
    return {
        "document": {"example": study.example} if study.example else cast(Json, encode(base)),
        "results": [[each.quantity, each.of, each.at] for each in study.results],
        "span": [study.start, study.end],
        "rate": study.rate,
    }


def begin(shared: Json) -> Work:
    """The function that works rows out."""
    told = cast(dict[str, Json], shared)
    start, end = cast(list[float | None], told["span"])
    base, rate = _base(told["document"]), told["rate"]
    if rate is not None:
        first, second = cast(list[int], rate)
        base = replace(base, rate=(first, second))
    results = [(str(name), str(of), cast(float | None, at)) for name, of, at in cast(list[list[Json]], told["results"])]
    evaluator = Evaluator()

    def work(piece: Json) -> Json:
        document = document_of(base, cast(Sequence[Json], piece))
        return numbers(evaluator, document, results, start, end)

    return work


def numbers(
    evaluator: Evaluator,
    document: Document,
    results: Sequence[tuple[str, str, float | None]],
    start: float | None,
    end: float | None,
) -> list[float]:
    """The results of a document: quantities, how each is reduced, and at what time [s]."""
    wanted = plot_wanted(document, tuple(dict.fromkeys(name for name, _, _ in results)), start=start, end=end)
    prepare({"posing", *needs_of(document), *needs_of_plot(wanted)})
    values = dict[tuple[str, float | None], Array]()
    for at in dict.fromkeys(at for _, _, at in results):
        names = list(dict.fromkeys(name for name, _, when in results if when == at))
        quantities = [quantity_named(document, name) for name in names]
        for several, times in _times(document, wanted, quantities, at):
            found = finish(measure(evaluator, document, several, times))
            for each in found:
                values[names[quantities.index(each.quantity)], at] = each.values
    return [_finite(name, _REDUCED[of](values[name, at])) for name, of, at in results]


def _times(
    document: Document, wanted: PlotWanted, quantities: list[Quantity], at: float | None
) -> list[tuple[list[Quantity], list[int]]]:
    """The ticks at which quantities are measured: every frame, or one time; a sum is measured from the start to it."""
    frames = plot_times.__wrapped__(document.rate, wanted.first, wanted.last, MOST_WRITTEN).tolist()
    if at is None:
        return [(quantities, frames)]
    tick = ticks_of(at, "the time of a result")
    sums = [each for each in quantities if KINDS[each.kind].sum_of]
    plain = [each for each in quantities if each not in sums]
    before = [each for each in frames if each < tick]
    return [(several, times) for several, times in ((plain, [tick]), (sums, [*before, tick])) if several]


def _finite(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise Diverged(what=name, value=value)
    return value


def _base(told: Json) -> Document:
    if isinstance(told, dict) and "example" in told:
        from engine.queries.examples import example

        return example(str(told["example"])).build()
    found = decode(told)  # type: ignore[arg-type]
    if not isinstance(found, Document):
        raise InvalidDocument(what="what a sweep begins with", value=type(found).__name__, allowed="a Document")
    return found
