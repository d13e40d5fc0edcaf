"""CurvesView: curves over time, a frame for each unit, above one axis; a press or a drag in it moves the playhead.

Painted as a whole, a few milliseconds at a time, and kept as one picture, over which the playhead moves. It shows the
times that its `TimeScale` does, which it shares with other panels, from edge to edge, however wide it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.session import Session
from app.style.fonts import scaled
from app.style.hint import paint_hint
from engine.document.extent import play_extent
from engine.document.motion import Rate

if TYPE_CHECKING:
    from app.session.plotting import Series

LEFT, RIGHT, BOTTOM = 58, 12, 20  # [logical px] around the frames
LEAST = 74  # [logical px] height of a frame; more of them are scrolled to
ZOOM = 1.2  # for one notch of the wheel
MOMENT = 0.006  # [s] of painting at once
AROUND = 0.02  # of what is played, shown before and after it


class TimeScale(Protocol):
    """Which ticks are shown, from `start` to `end` over `width` pixels; the same in all panels that share it."""

    start: float
    width: float

    @property
    def changed(self) -> SignalInstance:
        """Told when other ticks are shown."""

    @property
    def end(self) -> float:
        """The last tick that is shown."""

    def set_rate(self, rate: Rate) -> None:
        """Other frames."""

    def snapped(self, time: float) -> int:
        """The tick of the nearest frame."""

    def zoom(self, factor: float, x: float) -> None:
        """Show so much more time about a pixel."""

    def pan(self, pixels: float) -> None:
        """Move to the right."""

    def show_range(self, start: float, end: float) -> None:
        """Show these ticks."""


class CurvesView(QAbstractScrollArea):
    """The curves of a plot, in the order of the legend."""

    def __init__(self, session: Session, axis: TimeScale, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.axis = session, axis
        self.rows: tuple[tuple[int, Series], ...] = ()  # places in the legend, and what is shown there
        self.hint = ""
        self._picture: QPixmap | None = None  # what is shown
        self._canvas: QPixmap | None = None  # what is being painted
        self._steps: Iterator[Callable[[QPainter], None]] = iter(())
        self._outdated = True
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.viewport().update)
        self._panned: QPointF | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Curves")
        self.viewport().setToolTip(
            "Drag to another time; the wheel zooms about the pointer, with Shift it moves in time, as the middle "
            "button does; a double click shows all that is played"
        )
        self.verticalScrollBar().valueChanged.connect(self.redraw)
        axis.changed.connect(self.redraw)
        session.playhead_moved.connect(lambda time: self.viewport().update())

    def show_rows(self, rows: Sequence[tuple[int, Series]], hint: str) -> None:
        """Show these series, each with its place in the legend; `hint` is said where there are none."""
        self.rows, self.hint = tuple(rows), hint
        if not rows:
            self._picture = self._canvas = None
        self._fit()
        self.redraw()

    def redraw(self) -> None:
        """Paint all anew."""
        self._outdated = True
        self.viewport().update()

    @property
    def painted(self) -> bool:
        """Whether what is shown is all there is."""
        return self._picture is not None and self._canvas is None and not self._outdated

    def show_all(self) -> None:
        """See all that is played, and a little around it."""
        start, end = play_extent(self.session.document)
        around = AROUND * (end - start)
        self.axis.show_range(start - around, end + around)

    # Where things are

    @property
    def units(self) -> tuple[str, ...]:
        """The SI units, a frame each, from the top."""
        return tuple(dict.fromkeys(series.unit for _, series in self.rows))

    @property
    def left(self) -> int:
        """Where the axis begins [px]."""
        return scaled(LEFT)

    @property
    def across(self) -> float:
        """How wide the axis is [px]."""
        return float(max(self.viewport().width() - scaled(LEFT) - RIGHT, 1))

    @property
    def bottom(self) -> int:
        """Where the numbers of the axis begin [px]."""
        return self.viewport().height() - scaled(BOTTOM)

    @property
    def frame_height(self) -> float:
        """Height of a frame [px]."""
        return max(self.bottom / max(len(self.units), 1), float(scaled(LEAST)))

    def frame_top(self, place: int) -> float:
        """The upper edge of a frame."""
        return place * self.frame_height - self.verticalScrollBar().value()

    def x_of(self, time: float) -> float:
        """Where a tick stands."""
        return self.left + (time - self.axis.start) * self.across / (self.axis.end - self.axis.start)

    def time_at(self, x: float) -> float:
        """The tick at a place."""
        return self.axis.start + (x - self.left) * (self.axis.end - self.axis.start) / self.across

    # Qt's events

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(LEFT) + 80, scaled(LEAST))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = event.position()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._panned is not None and event.buttons() & Qt.MouseButton.MiddleButton:
            self.axis.pan((event.position().x() - self._panned.x()) * self._stretch)
            self._panned = event.position()
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._scrub(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; with Shift or sideways move in time."""
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or turned.x():
            self.axis.pan((turned.x() or turned.y()) / 2.0 * self._stretch)
        else:
            x = min(max(event.position().x() - self.left, 0.0), self.across)
            self.axis.zoom(ZOOM ** (-turned.y() / 120.0), x * self._stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()
            self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.rows:
            paint_hint(self, self.hint, "chart-line")
            return
        from app.panels.plot.drawing import paint_playhead

        self._paint_on()
        painter = QPainter(self.viewport())
        if self._picture is not None:
            painter.drawPixmap(0, 0, self._picture)
        paint_playhead(painter, self)
        painter.end()

    # How it is done

    @property
    def _stretch(self) -> float:
        """Pixels of the shared axis for one of these."""
        return self.axis.width / self.across

    def _paint_on(self) -> None:
        """Paint for a moment, and go on after what else is due; what was shown is shown until all is painted."""
        from app.panels.plot.drawing import steps

        if self._canvas is None and self._outdated:
            ratio = self.devicePixelRatioF()
            self._canvas = QPixmap((self.viewport().size().toSizeF() * ratio).toSize())
            self._canvas.setDevicePixelRatio(ratio)
            self._steps, self._outdated = steps(self), False
        if self._canvas is None:
            return
        painter, until = QPainter(self._canvas), perf_counter() + MOMENT
        step = next(self._steps, None)
        while step is not None:
            step(painter)
            if perf_counter() >= until:
                break
            step = next(self._steps, None)
        painter.end()
        if step is None:
            self._picture, self._canvas = self._canvas, None
        if self._canvas is not None or self._outdated:
            self._soon.start()

    def _scrub(self, event: QMouseEvent) -> None:
        if self.rows:
            self.session.player.pause()
            self.axis.set_rate(self.session.document.rate)
            self.session.set_playhead(self.axis.snapped(self.time_at(event.position().x())))

    def _fit(self) -> None:
        bar, height = self.verticalScrollBar(), round(len(self.units) * self.frame_height)
        bar.setRange(0, max(height - self.bottom, 0))
        bar.setPageStep(max(self.bottom, 1))
        bar.setSingleStep(scaled(LEAST) // 4)
