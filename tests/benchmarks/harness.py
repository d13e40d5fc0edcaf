"""Measuring: interleaved rounds, medians, ratios, one table.

Machines differ and drift, so a candidate and its peer are timed in turn, round by round, and what may fail is their
ratio, never a time. Times that somebody asked for stand beside the measured ones for the reader.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table. A ratio above `allowed` fails the run."""

    what: str
    measured: float
    unit: str
    asked: str = ""
    peer: str = ""
    peer_measured: float | None = None
    allowed: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Measured over the peer's figure."""
        return None if self.peer_measured is None else self.measured / self.peer_measured

    @property
    def failed(self) -> bool:
        """Whether the ratio is above what is allowed."""
        return self.ratio is not None and self.allowed is not None and self.ratio > self.allowed


def interleave(
    calls: Mapping[str, Callable[[], object]], *, rounds: int = 25, repeats: int = 200
) -> dict[str, list[float]]:
    """Seconds a call for every round, the candidates in turn within each round."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, call in calls.items():
                start = perf_counter()
                for _ in range(repeats):
                    call()
                times[name].append((perf_counter() - start) / repeats)
    finally:
        gc.enable()
    return times


def medians(times: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each."""
    return {name: statistics.median(each) for name, each in times.items()}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie, by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    head = ("what", "measured", "asked", "peer or baseline", "ratio", "allowed", "note")
    lines = [head] + [
        (
            row.what,
            _number(row.measured, row.unit),
            row.asked,
            f"{row.peer} {_number(row.peer_measured, row.unit)}" if row.peer_measured is not None else row.peer,
            "" if row.ratio is None else f"{row.ratio:.2f}",
            "" if row.allowed is None else f"{row.allowed:.2f}" + (" FAILED" if row.failed else ""),
            row.note,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def _number(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}"
