"""A plot as SVG: one frame for each unit, under one axis of time, with a legend.

Paths are written in seconds and in the series' own units, every number with all its digits; a transform puts them on
the page and lines keep their width (`vector-effect`), so that what is drawn can be read back exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.formats.text import write_text
from engine.measure.plot_csv import check_whole
from engine.measure.series import Series
from engine.measure.ticks import ticks_between

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, LINE = 720.0, 200.0, 76.0, 12.0, 14.0, 34.0, 16.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")  # Okabe and Ito 2008


def write_plot_svg(path: Path, series: Sequence[Series]) -> None:
    """Write series that are whole; what stood there before is kept if that fails."""
    check_whole(series)
    units = list(dict.fromkeys(each.unit for each in series))
    parts, top = list[str](), 0.0
    for unit in units:
        own = [(place, each) for place, each in enumerate(series) if each.unit == unit]
        parts += _frame(unit, own, top)
        top += TOP + HEIGHT + BOTTOM + LINE * len(own)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{top:g}" viewBox="0 0 {WIDTH:g} {top:g}" '
        'font-family="sans-serif" font-size="11" fill="#222222">\n'
        f'<rect width="{WIDTH:g}" height="{top:g}" fill="#ffffff"/>\n'
    )
    write_text(path, head + "\n".join(parts) + "\n</svg>\n")


def range_of(series: Sequence[Series]) -> tuple[float, float]:
    """The least and the largest number, a little apart even where all are the same."""
    low = min(float(each.values.min()) for each in series)
    high = max(float(each.values.max()) for each in series)
    slack = 0.05 * (high - low) or 0.5 * max(abs(low), 1e-6)
    return low - slack, high + slack


def _frame(unit: str, series: Sequence[tuple[int, Series]], top: float) -> list[str]:
    """The frame of one unit, its grid, its legend and its paths."""
    times = series[0][1].times
    start, end = (float(times[place]) / TICKS_PER_SECOND for place in (0, -1))
    start, end = (start, end) if end > start else (start - 0.5, end + 0.5)
    low, high = range_of([each for _, each in series])
    across, up = (WIDTH - LEFT - RIGHT) / (end - start), -HEIGHT / (high - low)
    x0, y0 = LEFT - across * start, top + TOP - up * high
    bottom = top + TOP + HEIGHT
    found = []
    for value in ticks_between(low, high):
        y = y0 + up * value
        found.append(f'<path d="M{LEFT:g},{y:.3f}H{WIDTH - RIGHT:g}" stroke="#dddddd"/>')
        found.append(f'<text x="{LEFT - 6:g}" y="{y + 4:.3f}" text-anchor="end">{value:.6g}</text>')
    for value in ticks_between(start, end, 10):
        x = x0 + across * value
        found.append(f'<path d="M{x:.3f},{top + TOP:g}V{bottom:g}" stroke="#eeeeee"/>')
        found.append(f'<text x="{x:.3f}" y="{bottom + 14:g}" text-anchor="middle">{value:.6g}</text>')
    found.append(f'<text x="{WIDTH - RIGHT:g}" y="{bottom + 28:g}" text-anchor="end">time [s]</text>')
    found.append(f'<text x="{LEFT:g}" y="{top + TOP - 4:g}">[{escape(unit)}]</text>')
    for line, (place, each) in enumerate(series):
        colour, y = COLOURS[place % len(COLOURS)], bottom + BOTTOM + LINE * line
        found.append(
            f'<g transform="matrix({across!r} 0 0 {up!r} {x0!r} {y0!r})"><path d="{_path(each)}" fill="none" '
            f'stroke="{colour}" stroke-width="1.5" stroke-linejoin="round" vector-effect="non-scaling-stroke"/></g>'
        )
        found.append(f'<path d="M{LEFT:g},{y - 4:g}h18" stroke="{colour}" stroke-width="2"/>')
        found.append(f'<text x="{LEFT + 24:g}" y="{y:g}">{escape(_told(each))}</text>')
    return found


def _path(series: Series) -> str:
    times = (series.times / TICKS_PER_SECOND).tolist()
    return "M" + " ".join(f"{time!r},{value!r}" for time, value in zip(times, series.values.tolist(), strict=True))


def _told(series: Series) -> str:
    rough = int(np.count_nonzero(series.by_differences))
    note = f" (by differences at {rough} of {len(series.times)} times)" if rough else ""
    return f"{series.label} [{series.unit}]{note}"
