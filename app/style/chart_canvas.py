"""ChartCanvas: the pyqtgraph scene of a `ChartView`, in the colours, fonts and pens of the theme.

The one module that knows pyqtgraph; it brings numpy and half a second of imports, see `chart.ChartLibrary`. Its view
boxes, axes, curves and dots are used; its menus and what it makes of the mouse are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem

from app.style.apply import current_theme
from app.style.fonts import number_font
from app.style.theme import mix

if TYPE_CHECKING:
    from app.style.chart import ChartFrame, ChartView, Marks

DASH = (4.0, 3.0)  # [widths of the line]
DOT = 5.0  # [px]
BESIDE = 40  # [px] that a number may reach over the end of its axis
GROUND = -200.0  # below the view boxes, which stand at -100

pg.setConfigOptions(antialias=True)


class ChartCanvas:
    """The scene of one chart."""

    def __init__(self, chart: ChartView) -> None:
        self._view = pg.GraphicsView(chart, background=None)
        self._view.setViewportUpdateMode(pg.GraphicsView.ViewportUpdateMode.NoViewportUpdate)  # painted with the chart
        self._view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setStyleSheet("background: transparent")
        self._view.setCentralItem(None)  # items stand where they are put; a layout would keep a window of its own
        self._view.lower()  # below what stands over a chart
        self._view.show()
        self._seen = QGraphicsRectItem()
        self._seen.setFlag(QGraphicsRectItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self._seen.setPen(Qt.PenStyle.NoPen)
        self._below = _Axis("bottom")
        for item in (self._seen, self._below.item):
            self._view.addItem(item)
        self._frames: list[_ChartFrame] = []

    def show(self, chart: ChartView) -> None:
        """Show the chart's present frames."""
        self._view.setGeometry(chart.rect())
        self._seen.setRect(chart.seen)
        shown = chart.frames()
        _fit(self._frames, len(shown), lambda: _ChartFrame(self._seen))
        for place, (frame, drawn) in enumerate(zip(shown, self._frames, strict=False)):
            drawn.show(frame, chart.frame_rect(place), chart.font_size)
        self._below.item.setVisible(bool(shown))  # an axis without a place would stand in the corner
        if shown:
            across, height = chart.frame_rect(0), chart.height() - chart.bottom
            rect = QRectF(across.left(), chart.bottom, across.width(), height)
            self._below.show(rect, shown[0].across, chart.below(), chart.font_size)


class _ChartFrame:
    """A frame: its ground, its numbers and lines, its curves."""

    def __init__(self, parent: QGraphicsItem) -> None:
        self._ground = QGraphicsRectItem(parent)
        self._ground.setPen(Qt.PenStyle.NoPen)
        self._ground.setZValue(GROUND)
        self._box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self._box.disableAutoRange()
        self._unit = pg.TextItem()
        self._numbers = _Axis("left")
        self._lines, self._upright = _Axis("left", across=self._box), _Axis("bottom", across=self._box)
        self._items = [self._box, self._unit, *(each.item for each in (self._numbers, self._lines, self._upright))]
        for item in self._items:  # not as they are made: a view box would not hear of its scene
            item.setParentItem(parent)
        self._curves: list[Any] = []
        self._dots: list[Any] = []

    def setVisible(self, visible: bool) -> None:
        """Show it or not."""
        for item in (self._ground, *self._items):
            item.setVisible(visible)

    def show(self, frame: ChartFrame, rect: QRectF, font_size: int) -> None:
        """Show this, there."""
        theme = current_theme()
        self._ground.setRect(rect)
        self._ground.setBrush(QColor(theme.field))
        self._box.setGeometry(rect)
        self._box.setRange(xRange=frame.across, yRange=frame.up, padding=0.0, disableAutoRange=True)
        beside = QRectF(0.0, rect.top(), rect.left(), rect.height())
        self._numbers.show(beside, frame.up, frame.marks, font_size)
        self._lines.show(beside, frame.up, [(at, "") for at in frame.lines], font_size)
        below = QRectF(rect.left(), rect.bottom() - 1.0, rect.width(), 1.0)
        self._upright.show(below, frame.across, [(at, "") for at in frame.upright], font_size)
        self._show_unit(frame.unit, rect, font_size)
        self._show_traces(frame)

    def _show_unit(self, text: str, rect: QRectF, font_size: int) -> None:
        theme = current_theme()
        ground = QColor(theme.field)
        ground.setAlphaF(0.8)
        self._unit.setText(text, theme.text_quiet)
        self._unit.setFont(number_font(font_size))
        self._unit.fill = pg.mkBrush(ground)
        self._unit.setPos(rect.left() + 2.0, rect.top() + 1.0)
        self._unit.setVisible(bool(text))

    def _show_traces(self, frame: ChartFrame) -> None:
        traces = [(trace, _numbers(trace.x), _numbers(trace.y)) for trace in frame.traces]
        dotted = [each for each in traces if each[0].dots != "none" and len(each[1])]
        _fit(self._curves, len(frame.traces), lambda: self._add(pg.PlotCurveItem(connect="finite")))
        _fit(self._dots, len(dotted), lambda: self._add(pg.ScatterPlotItem(size=DOT, pen=None)))
        for (trace, x, y), curve in zip(traces, self._curves, strict=False):
            curve.setPen(pg.mkPen(trace.colour, width=trace.width, dash=DASH if trace.dashed else None))
            curve.setData(x, y)
        for (trace, x, y), dots in zip(dotted, self._dots, strict=False):
            first = -1 if trace.dots == "last" else 0
            dots.setData(x[first:], y[first:], brush=pg.mkBrush(trace.colour))

    def _add(self, item: Any) -> Any:
        self._box.addItem(item, ignoreBounds=True)
        return item


def _numbers(given: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(given, dtype=np.float64)


class _Unlabelled(pg.AxisItem):
    """An axis without a title: an empty one is laid out eleven times as an axis is made, half of what that takes."""

    def _updateLabel(self) -> None:
        self.picture = None
        self.update()


class _Axis:
    """Numbers beside a frame, or lines across one; under the curves, over the ground."""

    def __init__(self, side: str, *, across: Any = None) -> None:
        """`across`: lines are drawn across this box, and no numbers."""
        self.item = _Unlabelled(side, maxTickLength=0, showValues=across is None)
        self.item.setPen(None)
        self.item.enableAutoSIPrefix(False)
        self.item.setStyle(
            tickAlpha=0 if across is None else 255, hideOverlappingLabels=BESIDE, autoExpandTextSpace=False
        )
        self.item.setZValue(GROUND + 1.0)
        self.item.setGrid(False if across is None else 255)
        if across is not None:
            self.item.linkToView(across)
        self._look: object = None  # which it has: to give it one takes longer than all else
        self._shown: object = None  # what it shows: what is told again is drawn again

    def show(self, rect: QRectF, reach: tuple[float, float], marks: Marks, font_size: int) -> None:
        """Show these there, along numbers that reach from and to."""
        theme, font = current_theme(), number_font(font_size)
        if self._look != (theme, font.pixelSize()):
            self._look = theme, font.pixelSize()
            self.item.setTextPen(theme.text_faint)
            self.item.setTickPen(mix(theme.field, theme.line, 0.6))
            self.item.setTickFont(font)
        elif self._shown == (rect, reach, marks):
            return
        self._shown = rect, reach, marks
        if self.item.orientation == "left":
            self.item.setWidth(rect.width())
        else:
            self.item.setHeight(rect.height())
        self.item.setGeometry(rect)
        self.item.setRange(*reach)
        self.item.setTicks([list(marks)])


def _fit(items: list[Any], count: int, make: Callable[[], Any]) -> None:
    """Make as many items as are needed, and hide the rest."""
    items += [make() for _ in range(count - len(items))]
    for place, item in enumerate(items):
        item.setVisible(place < count)
