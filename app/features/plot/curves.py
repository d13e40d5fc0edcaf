"""CurvesView: curves over time, a frame for each unit, above one axis; a press or a drag in it moves the playhead.

It shows the times that its `TimeScale` does, which it shares with other panels, from edge to edge, however wide it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, SignalInstance
from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QLabel, QScrollBar, QWidget

from app.features.plot.look import mark
from app.session import Session
from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks
from app.style.fonts import SMALL, number_font, scaled
from app.style.hint import paint_hint
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.measure import ticks_between

if TYPE_CHECKING:
    from app.features.plot.plotting import Series

LEFT, RIGHT, BOTTOM = 58, 12, 20  # [logical px] around the frames
INSET = 5.0  # [px] above and below a frame
LEAST = 74  # [logical px] height of a frame; more of them are scrolled to
APART = 64  # [logical px] between numbers of the axis of time, at least
ZOOM = 1.2  # for one notch of the wheel
AROUND = 0.02  # of what is played, shown before and after it


class TimeScale(Protocol):
    """The ticks that are shown, from `start` to `end` over `width` pixels; the same in all panels that share it."""

    start: float
    width: float

    @property
    def changed(self) -> SignalInstance:
        """Emitted when other ticks are shown."""

    @property
    def end(self) -> float:
        """The last tick that is shown."""

    def set_rate(self, rate: Rate) -> None:
        """Other frames."""

    def snapped(self, time: float) -> int:
        """Return the tick of the nearest frame."""

    def zoom(self, factor: float, x: float) -> None:
        """Show so much more time about a pixel."""

    def pan(self, pixels: float) -> None:
        """Move to the right."""

    def show_range(self, start: float, end: float) -> None:
        """Show these ticks."""


class CurvesView(ChartView):
    """The curves of a plot, in the order of the legend."""

    font_size = SMALL

    def __init__(self, session: Session, axis: TimeScale, parent: QWidget | None = None) -> None:
        super().__init__("Curves", parent)
        self.session, self.axis = session, axis
        self.rows: tuple[tuple[int, Series], ...] = ()  # places in the legend, and what is shown there
        self.hint = ""
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._line, self._second = QWidget(self), QLabel(self, alignment=Qt.AlignmentFlag.AlignCenter)
        for widget in (self._line, self._second):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dress_playhead()
        self._panned: QPointF | None = None
        self.setToolTip(
            "Drag to another time; the wheel zooms about the pointer, with Shift it moves in time, as the middle "
            "button does; a double click shows all that is played"
        )
        self.bar.valueChanged.connect(self.draw)
        for moved in (axis.changed, session.playhead_moved):
            moved.connect(self._show_playhead)
        axis.changed.connect(self.draw)

    def show_rows(self, rows: Sequence[tuple[int, Series]], hint: str) -> None:
        """Show these series, each with its place in the legend; `hint` is said where there are none."""
        self.rows, self.hint = tuple(rows), hint
        self._fit()
        self.draw()

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
    def left(self) -> float:
        return float(scaled(LEFT))

    @property
    def right(self) -> float:
        return float(RIGHT + (self.bar.width() if self.bar.isVisibleTo(self) else 0))

    @property
    def across(self) -> float:
        """The width of the axis [px]."""
        return max(self.width() - self.left - self.right, 1.0)

    @property
    def frame_height(self) -> float:
        """Height of a frame [px]."""
        return max(self.bottom / max(len(self.units), 1), float(scaled(LEAST)))

    @property
    def seen(self) -> QRectF:
        return QRectF(0.0, 0.0, self.width(), self.bottom)

    def frame_rect(self, place: int) -> QRectF:
        top = place * self.frame_height - self.bar.value()
        return QRectF(self.left, top + INSET, self.across, self.frame_height - 2.0 * INSET)

    def x_of(self, time: float) -> float:
        """Return the pixel of a tick [px]."""
        return self.left + (time - self.axis.start) * self.across / (self.axis.end - self.axis.start)

    def time_at(self, x: float) -> float:
        """Return the tick at a place."""
        return self.axis.start + (x - self.left) * (self.axis.end - self.axis.start) / self.across

    # What is drawn

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last second that are shown."""
        return self.axis.start / TICKS_PER_SECOND, self.axis.end / TICKS_PER_SECOND

    def frames(self) -> Sequence[ChartFrame]:
        if not self.rows:
            return ()
        from app.features.plot.drawing import frame_of  # brings numpy, which is there by now

        seconds = [second for second, _ in self.below()]
        return [
            frame_of(self, place, unit, seconds)
            if self.frame_rect(place).intersects(self.seen)
            else ChartFrame(across=self.span, up=(0.0, 1.0))
            for place, unit in enumerate(self.units)
        ]

    def below(self) -> Marks:
        if not self.rows:
            return ()
        found = ticks_between(*self.span, max(2, int(self.across / scaled(APART))))
        step = found[1] - found[0] if len(found) > 1 else 1.0
        return [(second, f"{mark(second, step)} s") for second in found]

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

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.rows:
            paint_hint(self, self.hint, "chart-line")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._dress_playhead()
            self._fit()

    # How it is done

    @property
    def _stretch(self) -> float:
        """Pixels of the shared axis for one of these."""
        return self.axis.width / self.across

    def _dress_playhead(self) -> None:
        theme = current_theme()
        self._line.setStyleSheet(f"background: {theme.accent}")
        plate = f"background: {theme.accent}; color: {theme.accent_text}; border-radius: 4px; padding: 0 6px"
        self._second.setStyleSheet(plate)
        self._second.setFont(number_font(SMALL))

    def _show_playhead(self) -> None:
        """Move the line of the present tick, and write its second below."""
        time = self.session.playhead
        x = self.x_of(time)
        is_seen = bool(self.rows) and self.left <= x <= self.left + self.across
        self._line.setVisible(is_seen)
        self._second.setVisible(is_seen)
        if not is_seen:
            return
        self._line.setGeometry(round(x), 0, 1, round(self.bottom))
        self._second.setText(f"{time / TICKS_PER_SECOND:.3f} s".replace("-", "\N{MINUS SIGN}"))
        width = self._second.sizeHint().width()
        left = min(max(x - width / 2.0, 0.0), self.width() - width)
        self._second.setGeometry(round(left), round(self.bottom) + 1, width, scaled(18))

    def _scrub(self, event: QMouseEvent) -> None:
        if self.rows:
            self.session.player.pause()
            self.axis.set_rate(self.session.document.rate)
            self.session.set_playhead(self.axis.snapped(self.time_at(event.position().x())))

    def _fit(self) -> None:
        """Set the bar at the right, where there are more frames than there is room for."""
        bar, beyond = self.bar, round(len(self.units) * self.frame_height - self.bottom)
        wide = bar.sizeHint().width()
        bar.setGeometry(self.width() - wide, 0, wide, self.height())
        bar.setVisible(beyond > 0)
        bar.setRange(0, max(beyond, 0))
        bar.setPageStep(max(round(self.bottom), 1))
        bar.setSingleStep(scaled(LEAST) // 4)
        self._show_playhead()
