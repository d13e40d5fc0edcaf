"""ChartView: a chart: traces over a common axis, a frame for each unit, drawn by pyqtgraph.

What is drawn is a tuple of `ChartFrame`s, plain values that a chart makes of what it shows. Importing pyqtgraph takes
half a second, so it is asked for by the first chart that is painted, and imported in slices between which the window
goes on; until it is there the chart is empty. While a window starts it waits (`ChartLibrary.hold`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.fonts import SMALL, number_font, scaled
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from app.style.chart_canvas import ChartCanvas

LEFT, TOP, RIGHT, BOTTOM = 30, 6, 12, 20  # [px] around the frame of a small chart; at the left at least so
SLICE = 0.004  # [s] for which Qt's classes are made at a time
GAP = 5.0  # [px] from a number to its frame
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
Marks = Sequence[tuple[float, str]]  # numbers along an axis, and what is written there


@dataclass(frozen=True, kw_only=True)
class Trace:
    """A line through points; it is broken where one is not a number."""

    x: ArrayLike
    y: ArrayLike
    colour: str
    width: float = 1.5  # [px]
    dashed: bool = False
    dots: str = "none"  # at which points: none, last, all


@dataclass(frozen=True, kw_only=True)
class ChartFrame:
    """The numbers that a frame reaches from and to along both axes, and what stands in it and at its left."""

    across: tuple[float, float]
    up: tuple[float, float]
    traces: Sequence[Trace] = ()  # from the lowest up
    marks: Marks = ()
    lines: Sequence[float] = ()  # of the grid, across
    upright: Sequence[float] = ()
    unit: str = ""  # over the traces, in a corner


def decades(low: int, high: int, *, most: int) -> Marks:
    """Return labels at the powers of ten of a logarithmic axis, at most so many."""
    apart = -(-(high - low) // max(most - 1, 1))
    return [(power, power_text(power)) for power in range(low, high + 1, apart)]


def power_text(power: int) -> str:
    """Format a power of ten."""
    return f"10{str(power).translate(RAISED)}"


class ImportBreaks(MetaPathFinder):
    """Finds no module, but lets the window go on before the next one of pyqtgraph when it has waited for a slice. Mouse
    and keys wait until all is imported.
    """

    def __init__(self) -> None:
        self._since = perf_counter()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        """Answer that somebody else has to find it."""
        if fullname.partition(".")[0] == "pyqtgraph" and perf_counter() - self._since > SLICE:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
            self._since = perf_counter()


class ChartLibrary(QObject):
    """pyqtgraph, imported when the first chart is painted, on the window's thread.

    It derives hundreds of classes from those of Qt, which PySide6 allows on no other thread while a window is at work:
    that crashed once in some dozens of starts. So Qt's own classes are made before, a few milliseconds at a time, and
    while its modules are imported the window goes on between them.
    """

    loaded = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_there = False
        self._is_held = self._is_asked = False
        self._classes = iter([(module, name) for module in (QtCore, QtGui, QtWidgets) for name in dir(module)])
        self._is_begun = False
        self.loaded.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def hold(self) -> None:
        """Defer the import until `release` is called."""
        self._is_held = True

    def release(self) -> None:
        """Allow the import, and begin it if a chart has asked for it."""
        self._is_held = False
        if self._is_asked:
            self.ask()

    def ask(self) -> None:
        """Import pyqtgraph, unless it is imported or being imported."""
        self._is_asked = True
        if not (self._is_begun or self._is_held):
            self._is_begun = True
            QTimer.singleShot(0, self._make_classes)

    def _make_classes(self) -> None:
        """Let Qt make its classes for some milliseconds; when it has all, begin the import."""
        deadline = perf_counter() + SLICE
        for module, name in self._classes:
            getattr(module, name)
            if perf_counter() > deadline:
                QTimer.singleShot(0, self._make_classes)
                return
        self._load()

    def _load(self) -> None:
        breaks = ImportBreaks()
        sys.meta_path.insert(0, breaks)
        try:
            import app.style.chart_canvas  # noqa: F401  (brings pyqtgraph)
        finally:
            sys.meta_path.remove(breaks)
        self.loaded.emit()

    def _take(self) -> None:
        self.is_there = True


@cache
def chart_library() -> ChartLibrary:
    """Return the library of this process; made on the window's thread."""
    return ChartLibrary()


class ChartView(QWidget):
    """A chart. It takes the mouse itself: what pyqtgraph does with it is not used."""

    font_size = SMALL - 1

    def __init__(self, name: str, parent: QWidget | None = None, *, height: int = 0) -> None:
        """`height` is that of a small chart, which stays so high [logical px]; 0 is as high as there is room."""
        super().__init__(parent)
        self._canvas: ChartCanvas | None = None
        self._height, self._is_due = height, True
        if height:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        chart_library().loaded.connect(self.draw, Qt.ConnectionType.QueuedConnection)

    def frames(self) -> Sequence[ChartFrame]:
        """Return the frames to draw, from the top downwards."""
        raise NotImplementedError

    def below(self) -> Marks:
        """Return the labels along the lower axis: places and texts."""
        return ()

    @property
    def left(self) -> float:
        """The left edge of the frames, right of the numbers beside them [px]."""
        widest, _ = self._widths(text for frame in self.frames() for _, text in frame.marks)
        return max(float(scaled(LEFT)), round(widest + 2.0 * GAP))

    @property
    def right(self) -> float:
        """The margin at the right: half the width of the last label below, at least `RIGHT` [px]."""
        _, end = self._widths(text for _, text in self.below()[1:])
        return max(float(RIGHT), end / 2.0)

    @property
    def bottom(self) -> float:
        """The top of the labels below the frames [px]."""
        return float(self.height() - scaled(BOTTOM))

    def frame_rect(self, place: int) -> QRectF:
        """Return the rectangle of a frame [px]."""
        top = scaled(TOP)
        return QRectF(self.left, top, max(self.width() - self.left - self.right, 1.0), max(self.bottom - top, 1.0))

    @property
    def seen(self) -> QRectF:
        """The rectangle in which frames are drawn [px]."""
        return QRectF(self.rect())

    def draw(self) -> None:
        """Redraw the chart the next time it is painted."""
        self._is_due = True
        self.update()

    @property
    def is_drawn(self) -> bool:
        """True if pyqtgraph shows the newest frames."""
        return not self._is_due

    def sizeHint(self) -> QSize:
        return QSize(220, scaled(self._height or 200))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, scaled(self._height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.updateGeometry()
            self.draw()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell pyqtgraph what to draw, whose widget is painted next: one pass over the window, and none unseen."""
        if self._is_due:
            self._draw_now()

    def _widths(self, texts: Iterable[str]) -> tuple[float, float]:
        """Return the widths of the widest text and of the last one [px]."""
        widths = [0.0, *map(QFontMetricsF(number_font(self.font_size)).horizontalAdvance, texts)]
        return max(widths), widths[-1]

    def _draw_now(self) -> None:
        if not chart_library().is_there:
            chart_library().ask()
            return
        from app.style.chart_canvas import ChartCanvas

        self._is_due = False
        self._canvas = self._canvas or ChartCanvas(self)
        self._canvas.show(self)
