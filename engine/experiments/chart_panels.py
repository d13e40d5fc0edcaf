"""Many small plots on one page, each with axes of its own and one key for all."""

from __future__ import annotations

from collections.abc import Sequence

from engine.experiments.charts import COLOURS, Line, draw_curve
from engine.experiments.scales import label, spread
from engine.experiments.svg import Point, SvgDrawing
from engine.runtime.quick_dataclass import dataclass

_QUIET, _FAINT, _EDGE = "#666", "#e4e4e4", "#bbb"
WIDTH, HIGH, HEAD, KEY = 750.0, 176.0, 34.0, 26.0


@dataclass(frozen=True, kw_only=True)
class ChartPanel:
    """One plot; lines are coloured by their names."""

    title: str
    lines: Sequence[Line]


def panel_chart(title: str, panels: Sequence[ChartPanel], names: Sequence[str]) -> str:
    """Draw plots in rows of three, or of two where these come out even; `names` of lines have the colours in that
    order, and stand in the key if any plot has them."""
    columns = 2 if len(panels) % 2 == 0 and len(panels) % 3 else 3
    rows, wide = -(-len(panels) // columns), WIDTH / columns
    drawing = SvgDrawing(WIDTH + 20.0, HEAD + KEY + rows * HIGH, title)
    drawing.text((16.0, 22.0), title, bold=True)
    x, seen = 16.0, {line.name: line for panel in panels for line in panel.lines}
    for name in names:
        if name in seen:
            colour = _colour(names, name)
            drawing.line([(x, HEAD + 8.0), (x + 22.0, HEAD + 8.0)], colour, width=2.0, dashed=seen[name].dashed)
            drawing.text((x + 28.0, HEAD + 12.0), name)
            x += 46.0 + 6.4 * len(name)
    for place, panel in enumerate(panels):
        left, top = 10.0 + (place % columns) * wide, HEAD + KEY + (place // columns) * HIGH
        _draw_panel(drawing, panel, names, (left, top), wide)
    return drawing.finish()


def _draw_panel(drawing: SvgDrawing, panel: ChartPanel, names: Sequence[str], corner: Point, wide: float) -> None:
    left, top = corner
    first, last, high, low = left + 40.0, left + wide - 12.0, top + 24.0, top + HIGH - 28.0
    drawing.text((left + 40.0, top + 14.0), panel.title)
    across = spread([each for line in panel.lines for each in line.x], first=first, last=last)
    up = spread([each for line in panel.lines for each in line.y], first=low, last=high)
    for tick in across.ticks():
        x = across.at(tick)
        drawing.line([(x, high), (x, low)], _FAINT)
        drawing.text((x, low + 14.0), label(tick), anchor="middle", colour=_QUIET)
    for tick in up.ticks():
        y = up.at(tick)
        drawing.line([(first, y), (last, y)], _EDGE if abs(tick) < 1e-12 else _FAINT)
        drawing.text((first - 5.0, y + 4.0), label(tick), anchor="right", colour=_QUIET)
    for line in panel.lines:
        draw_curve(drawing, across, up, line, _colour(names, line.name))


def _colour(names: Sequence[str], name: str) -> str:
    return COLOURS[list(names).index(name) % len(COLOURS)]
