"""Plots that show no quantities as files: curves of the graph editor, and residuals of solves.

Importing this module loads no numpy and no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document.motion import Rate
from engine.queries.plots import MOST_WRITTEN, plot_times, plot_writer
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Drawn:
    """A curve as it is drawn."""

    label: str
    unit: str
    at: Callable[[Array], Array]  # its values at times [ticks]


@dataclass(frozen=True)
class Residuals:
    """The residuals of a solver's iterations, the first one first."""

    label: str
    values: tuple[float, ...]


def write_drawn(path: Path, rate: Rate, first: int, last: int, curves: Sequence[Drawn]) -> Generator[float, None, None]:
    """Write curves at every frame from one tick to another, in the format of the file's ending; yields the share that
    is done."""
    import numpy as np

    from engine.document.motion import TICKS_PER_SECOND
    from engine.measure.chart import Chart, ChartLine

    write = plot_writer(path)
    times = plot_times.__wrapped__(rate, first, last, MOST_WRITTEN).astype(np.float64)
    lines = list[ChartLine]()
    for each in curves:
        lines.append(ChartLine(label=each.label, unit=each.unit, values=each.at(times)))
        yield len(lines) / (len(curves) + 1)
    write(path, Chart(axis="time [s]", places=times / TICKS_PER_SECOND, lines=tuple(lines)))


def write_residuals(path: Path, solves: Sequence[Residuals]) -> Generator[float, None, None]:
    """Write residuals against iterations, in the format of the file's ending."""
    import numpy as np

    from engine.measure.chart import Chart, ChartLine

    write = plot_writer(path)
    yield 0.0
    count = max((len(each.values) for each in solves), default=0)
    lines = []
    for each in solves:
        ended = np.full(count - len(each.values), np.nan)
        lines.append(ChartLine(label=f"{each.label}, residual", unit="", values=np.concatenate((each.values, ended))))
    write(path, Chart(axis="iteration", places=np.arange(1.0, count + 1.0), lines=tuple(lines), steep=True))
