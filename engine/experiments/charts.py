"""Plots of experiments: boxes, lines, and poses drawn as sticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.experiments.scales import AxisScale, label, spread
from engine.experiments.svg import Point, SvgDrawing
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

COLOURS = ("#1f6fb4", "#d9622b", "#2f8f4e", "#8a4fa3", "#b8860b", "#c0395a", "#3a9a9a", "#7a6a55", "#5566cc", "#888888")
_QUIET, _FAINT, _EDGE = "#666", "#e4e4e4", "#999"
_RED, _BLUE = "#c23b22", "#1f6fb4"


@dataclass(frozen=True, kw_only=True)
class BoxPlot:
    """Median, quartiles, and whiskers to the farthest values within 1.5 times what lies between the quartiles."""

    low: float
    first: float
    median: float
    third: float
    high: float
    outliers: tuple[float, ...]


def box_of(values: Sequence[float]) -> BoxPlot:
    """The numbers of a box plot."""
    given = np.sort(np.asarray(values, dtype=float))
    first, median, third = (float(each) for each in np.percentile(given, (25.0, 50.0, 75.0)))
    reach = 1.5 * (third - first)
    inside = given[(given >= first - reach) & (given <= third + reach)]
    outside = given[(given < first - reach) | (given > third + reach)]
    return BoxPlot(
        low=float(inside[0]),
        first=first,
        median=median,
        third=third,
        high=float(inside[-1]),
        outliers=tuple(outside.tolist()),
    )


def box_chart(title: str, axis: str, panels: Mapping[str, Mapping[str, Sequence[float]]], *, mark: float) -> str:
    """Boxes lying on one logarithmic axis, a panel above the other; `mark` is a value that is shown as a line."""
    left, row, head = 190.0, 20.0, 44.0
    rows = sum(len(boxes) for boxes in panels.values())
    height = 52.0 + rows * row + len(panels) * head
    drawing = SvgDrawing(760.0, height, title)
    drawing.text((16.0, 22.0), title, bold=True)
    values = [max(each, 1e-9) for boxes in panels.values() for group in boxes.values() for each in group]
    scale = spread([*values, mark], first=left, last=740.0, log=True)
    y = 40.0
    for name, boxes in panels.items():
        drawing.text((16.0, y + 8.0), name, colour=_QUIET)
        top, y = y + 14.0, y + 14.0
        bottom = top + row * len(boxes)
        for tick in scale.ticks():
            x = scale.at(tick)
            drawing.line([(x, top), (x, bottom)], _FAINT)
            drawing.text((x, bottom + 13.0), label(tick), anchor="middle", colour=_QUIET)
        drawing.line([(scale.at(mark), top), (scale.at(mark), bottom)], _EDGE, dashed=True)
        for each, group in boxes.items():
            _draw_box(drawing, scale, y, each, box_of(group), left)
            y += row
        y = bottom + head - 14.0
    drawing.text((740.0, height - 6.0), axis, anchor="right", colour=_QUIET)
    return drawing.finish()


def _draw_box(drawing: SvgDrawing, scale: AxisScale, y: float, name: str, box: BoxPlot, left: float) -> None:
    middle, high, low = y + 10.0, y + 4.0, y + 16.0
    drawing.text((left - 8.0, middle + 4.0), name, anchor="right")
    drawing.dots([(scale.at(each), middle) for each in box.outliers], 1.4, _RED)
    drawing.line([(scale.at(box.low), middle), (scale.at(box.high), middle)], _EDGE)
    for end in (box.low, box.high):
        drawing.line([(scale.at(end), high + 2.0), (scale.at(end), low - 2.0)], _EDGE)
    first, third = scale.at(box.first), scale.at(box.third)
    drawing.box((first, high), (max(third - first, 0.5), low - high), "#dfeaf5", _BLUE)
    drawing.line([(scale.at(box.median), high), (scale.at(box.median), low)], _RED, width=2.0)


@dataclass(frozen=True, kw_only=True)
class Line:
    """A named curve; values that are not finite leave a gap."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    dashed: bool = False


def line_chart(
    title: str,
    x_axis: str,
    y_axis: str,
    lines: Sequence[Line],
    *,
    log: str = "",
    marks: Mapping[str, float] | None = None,
) -> str:
    """Curves over one axis; `log` names the axes that are logarithmic, `marks` are named values of x."""
    marks = marks or {}
    left, top, bottom, right = 66.0, 54.0, 330.0, 520.0
    drawing = SvgDrawing(760.0, 380.0, title)
    drawing.text((16.0, 22.0), title, bold=True)
    xs = [each for line in lines for each in line.x] + list(marks.values())
    across = spread(xs, first=left, last=right, log="x" in log)
    up = spread([each for line in lines for each in line.y], first=bottom, last=top, log="y" in log)
    for tick in across.ticks():
        x = across.at(tick)
        drawing.line([(x, top), (x, bottom)], _FAINT)
        drawing.text((x, bottom + 16.0), label(tick), anchor="middle", colour=_QUIET)
    for tick in up.ticks():
        y = up.at(tick)
        drawing.line([(left, y), (right, y)], _FAINT)
        drawing.text((left - 6.0, y + 4.0), label(tick), anchor="right", colour=_QUIET)
    for name, value in marks.items():
        x = across.at(value)
        drawing.line([(x, top), (x, bottom)], _EDGE, dashed=True)
        drawing.text((x + 3.0, top + 10.0 + 13.0 * list(marks).index(name)), name, colour=_QUIET)
    drawing.text((0.5 * (left + right), bottom + 36.0), x_axis, anchor="middle", colour=_QUIET)
    drawing.text((16.0, 40.0), y_axis, colour=_QUIET)
    for place, line in enumerate(lines):
        colour = COLOURS[place % len(COLOURS)]
        draw_curve(drawing, across, up, line, colour)
        y = top + 14.0 + 18.0 * place
        drawing.line([(right + 14.0, y - 4.0), (right + 34.0, y - 4.0)], colour, width=2.0, dashed=line.dashed)
        drawing.text((right + 40.0, y), line.name)
    return drawing.finish()


def draw_curve(drawing: SvgDrawing, across: AxisScale, up: AxisScale, line: Line, colour: str) -> None:
    """Draw a curve, with a gap where it is not finite, and with dots where it has few points."""
    run: list[Point] = []
    for x, y in [*zip(line.x, line.y, strict=True), (0.0, np.nan)]:
        if np.isfinite(y):
            run.append((across.at(x), up.at(y)))
        elif run:
            drawing.line(run, colour, width=1.8, dashed=line.dashed)
            if len(line.x) <= 40 and not line.dashed:
                drawing.dots(run, 2.2, colour)
            run = []


@dataclass(frozen=True, kw_only=True)
class Sticks:
    """Poses in a plane: lines of points [m] with the shade of each, and goals."""

    name: str
    lines: Sequence[tuple[Array, str]]
    goals: Array


def stick_chart(title: str, panels: Sequence[Sticks]) -> str:
    """Poses beside each other, all to one scale."""
    columns, side, head = (4 if len(panels) % 4 == 0 else 3), 190.0, 40.0
    rows = -(-len(panels) // columns)
    drawing = SvgDrawing(20.0 + columns * side, head + rows * (side + 20.0), title)
    drawing.text((16.0, 22.0), title, bold=True)
    points = np.concatenate([part for panel in panels for part in (*(line for line, _ in panel.lines), panel.goals)])
    low, high = points.min(axis=0), points.max(axis=0)
    factor = (side - 30.0) / max(float((high - low).max()), 1e-9)
    middle = 0.5 * (low + high)
    for place, panel in enumerate(panels):
        x, y = 10.0 + (place % columns) * side, head + (place // columns) * (side + 20.0)
        drawing.box((x + 4.0, y), (side - 8.0, side - 8.0), "#fafafa", _FAINT)
        drawing.text((x + 0.5 * side, y + side + 6.0), panel.name, anchor="middle")
        centre = np.array((x + 0.5 * side, y + 0.5 * side - 4.0))

        def on_page(given: Array, centre: Array = centre) -> list[Point]:
            moved = centre + factor * (given - middle) * (1.0, -1.0)
            return [(float(a), float(b)) for a, b in moved]

        for line, colour in panel.lines:
            drawing.line(on_page(line), colour, width=2.0)
            drawing.dots(on_page(line), 2.4, colour)
        drawing.dots(on_page(panel.goals), 4.0, _RED)
    return drawing.finish()
