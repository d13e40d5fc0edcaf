"""A plot as SVG: one frame for each unit, under one axis, with a legend.

Paths are written in the numbers of the axis and of the lines, with all their digits (a steep chart in powers of ten); a
transform puts them on the page and strokes keep their width (`vector-effect`), so that what is drawn can be read back
exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from engine.formats.text import write_text
from engine.maths.arrays import Array
from engine.measure.chart import Chart, ChartLine
from engine.measure.ticks import ticks_between

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, LINE = 720.0, 200.0, 76.0, 12.0, 14.0, 34.0, 16.0
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")  # Okabe and Ito 2008
LEAST = 1e-12  # what a number of 0 is drawn as where the scale is logarithmic


def write_plot_svg(path: Path, chart: Chart) -> None:
    """Write a chart; what stood there before is kept if that fails."""
    write_text(path, '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_of(chart))


def svg_of(chart: Chart) -> str:
    """Draw a chart as one element, which a page can hold."""
    units = list(dict.fromkeys(line.unit for line in chart.lines))
    parts, top = list[str](), 0.0
    for unit in units:
        own = [(place, line) for place, line in enumerate(chart.lines) if line.unit == unit]
        parts += _frame(chart, unit, own, top)
        top += TOP + HEIGHT + BOTTOM + LINE * len(own)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{top:g}" viewBox="0 0 {WIDTH:g} {top:g}" '
        'font-family="sans-serif" font-size="11" fill="#222222">\n'
        f'<rect width="{WIDTH:g}" height="{top:g}" fill="#ffffff"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def range_of(lines: Sequence[Array]) -> tuple[float, float]:
    """The least and the largest number, a little apart even where all are the same."""
    low = min(float(np.nanmin(each)) for each in lines)
    high = max(float(np.nanmax(each)) for each in lines)
    slack = 0.05 * (high - low) or 0.5 * max(abs(low), 1e-6)
    return low - slack, high + slack


def _frame(chart: Chart, unit: str, lines: Sequence[tuple[int, ChartLine]], top: float) -> list[str]:
    """The frame of one unit, its grid, its legend and its paths."""
    start, end = (float(chart.places[place]) for place in (0, -1))
    start, end = (start, end) if end > start else (start - 0.5, end + 0.5)
    heights = [_heights(chart, line) for _, line in lines]
    low, high = range_of(heights)
    across, up = (WIDTH - LEFT - RIGHT) / (end - start), -HEIGHT / (high - low)
    x0, y0 = LEFT - across * start, top + TOP - up * high
    bottom = top + TOP + HEIGHT
    found = []
    for value in ticks_between(low, high):
        y = y0 + up * value
        found.append(f'<path d="M{LEFT:g},{y:.3f}H{WIDTH - RIGHT:g}" stroke="#dddddd"/>')
        shown = 10.0**value if chart.steep else value
        found.append(f'<text x="{LEFT - 6:g}" y="{y + 4:.3f}" text-anchor="end">{shown:.6g}</text>')
    for value in ticks_between(start, end, 10):
        x = x0 + across * value
        found.append(f'<path d="M{x:.3f},{top + TOP:g}V{bottom:g}" stroke="#eeeeee"/>')
        found.append(f'<text x="{x:.3f}" y="{bottom + 14:g}" text-anchor="middle">{value:.6g}</text>')
    found.append(f'<text x="{WIDTH - RIGHT:g}" y="{bottom + 28:g}" text-anchor="end">{escape(chart.axis)}</text>')
    if unit:
        found.append(f'<text x="{LEFT:g}" y="{top + TOP - 4:g}">[{escape(unit)}]</text>')
    for row, ((place, line), values) in enumerate(zip(lines, heights, strict=True)):
        colour, y = COLOURS[place % len(COLOURS)], bottom + BOTTOM + LINE * row
        found.append(
            f'<g transform="matrix({across!r} 0 0 {up!r} {x0!r} {y0!r})"><path d="{_path(chart.places, values)}" '
            f'fill="none" stroke="{colour}" stroke-width="1.5" stroke-linejoin="round" '
            'vector-effect="non-scaling-stroke"/></g>'
        )
        found.append(f'<path d="M{LEFT:g},{y - 4:g}h18" stroke="{colour}" stroke-width="2"/>')
        found.append(f'<text x="{LEFT + 24:g}" y="{y:g}">{escape(_told(line))}</text>')
    return found


def _heights(chart: Chart, line: ChartLine) -> Array:
    return np.log10(np.maximum(line.values, LEAST)) if chart.steep else line.values


def _path(places: Array, values: Array) -> str:
    there = ~np.isnan(values)
    pairs = zip(places[there].tolist(), values[there].tolist(), strict=True)
    return "M" + " ".join(f"{place!r},{value!r}" for place, value in pairs)


def _told(line: ChartLine) -> str:
    return f"{line.title} ({line.note})" if line.note else line.title
