"""Ruler: time from left to right, marks where keys are, the play range, the frames that are computed already, and the
playhead, which follows the mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.session import Session
from app.session.player import frame_of
from app.style.apply import current_theme
from app.style.fonts import number_font, scaled
from app.timeline.divisions import divisions
from app.timeline.play_range import RangeDrag, commit, drag_at, paint_ranges
from engine.document import Document
from engine.document.drafts import draft_times
from engine.document.extent import play_extent, whole_extent
from engine.document.key_times import key_times
from engine.document.motion import Rate, frame_time, ticks_per_frame

HEIGHT = 42
MARGIN = 14
BASE = 18.0  # [px] from the line to the lower edge: below it lie the range and what is worked out
BAND, KEPT = 5.0, 3.0  # [px] heights of the range and of the bar that shows which frames are worked out
KEPT_COLOURS = {"fresh": "good", "stale": "warning", "missing": "line"}
LEAST_GAP, LINE_GAP = 54, 5.0  # [px] between numbers and between lines
ROOM = 12  # the ruler goes on beyond its end by one such part, for ends that are dragged out and times after the last
OUTSIDE = 0.5  # how dark it is where nothing is played


class Ruler(QWidget):
    """One line of time over the scene, all that moves and the playhead, and a little beyond."""

    moved = Signal(object)  # tick that a person chose

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._whole = (0, 1)  # what there is [ticks]
        self._start, self._end = 0, 1
        self._is_held = False  # by the button: it shows the time that it showed as that went down
        self._keys: tuple[int, ...] = ()
        self._drafts: tuple[int, ...] = ()
        self._drag: RangeDrag | None = None
        self._dropped = False  # what the button went down on was let go of; nothing follows it until the next press
        self._found: tuple[tuple[int, int], list[int], list[int]] | None = None  # for a size: where marks stand
        self._painted: tuple[Document, tuple[object, ...], QPixmap] | None = None  # what stays, and of what
        self.setMinimumWidth(120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Time")
        self.setToolTip(
            "Drag to another frame; arrow keys step, Home and End go to the ends.\n"
            "The band below is how long the scene lasts: drag its ends, or hold Shift and draw what alone is played.\n"
            "The line under it shows which pictures are worked out: green ones are, amber ones are out of date."
        )
        session.document_changed.connect(lambda old, new: self.show_document(new))
        session.playhead_moved.connect(lambda time: self._fit())
        session.clock.changed.connect(self.update)
        session.kept_pictures.changed.connect(self.update)
        self.show_document(session.document)

    def sizeHint(self) -> QSize:
        return QSize(400, scaled(HEIGHT))

    def show_document(self, document: Document) -> None:
        """Show the time range and the keys of a document."""
        self._whole = whole_extent(document)
        self._keys, self._drafts, self._found = key_times(document), draft_times(document), None
        self._fit()

    def x_of(self, time: float) -> float:
        """Return the x of a tick [px]."""
        share = (time - self._start) / (self._end - self._start)
        return scaled(MARGIN) + share * self._width

    def ticks_of(self, pixels: float) -> int:
        """Return the ticks of a length [px]."""
        return round(pixels / self._width * (self._end - self._start))

    def time_at(self, x: float) -> int:
        """Return the frame nearest to a place, as a tick within the span."""
        rate = self._session.document.rate
        ticks = self._start + self.ticks_of(x - scaled(MARGIN))
        half = frame_time(1, rate) // 2
        frame = frame_of(min(max(ticks, self._start), self._end) + half, rate)
        return min(max(frame_time(frame, rate), self._start), self._end)

    @property
    def band_y(self) -> float:
        """The upper edge of the range that is played."""
        return self.height() - BASE + 5.0

    @property
    def _width(self) -> int:
        return max(self.width() - 2 * scaled(MARGIN), 1)

    # Qt's events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._is_held = True
        self._drag, self._dropped = self._drag_at(event), False
        if self._drag is None:
            self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons() & Qt.MouseButton.LeftButton:
            grips = self._drag_at(event) is not None
            self.setCursor(Qt.CursorShape.SizeHorCursor if grips else Qt.CursorShape.ArrowCursor)
        elif self._drag is not None:
            self._drag.move(self.time_at(event.position().x()))
            self.update()
        elif not self._dropped:
            self._scrub(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        drag, self._drag = self._drag, None
        if drag is not None:
            commit(self._session, drag)
        elif not self._dropped:
            self._scrub(event)
        self._is_held = False
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and event.angleDelta().y():
            self._step(-1 if event.angleDelta().y() > 0 else 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
        if event.key() in steps:
            self._step(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.moved.emit(play_extent(self._session.document)[0 if event.key() == Qt.Key.Key_Home else 1])
        elif event.key() == Qt.Key.Key_Escape and self._drag is not None:
            self._drag, self._dropped = None, True
            self.update()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(number_font())
        painter.drawPixmap(0, 0, self._still())
        self._paint_kept(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_playhead(painter, self.height() - BASE)
        painter.end()

    # How it is done

    def _still(self) -> QPixmap:
        """Give all but what changes from picture to picture while a motion plays, painted once."""
        drag, ratio, document = self._drag, self.devicePixelRatioF(), self._session.document
        of = (
            (self._start, self._end), self.size(), ratio, document.rate, self._session.clock.seconds,
            (drag.what, drag.span) if drag is not None else None, current_theme(), scaled(1000), self._keys,
        )  # fmt: skip
        if self._painted is None or self._painted[0] is not document or self._painted[1] != of:
            pixmap = QPixmap(self.size() * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setFont(number_font())
            self._paint_still(painter)
            painter.end()
            self._painted = document, of, pixmap
        return self._painted[2]

    def _paint_still(self, painter: QPainter) -> None:
        theme, base = current_theme(), self.height() - BASE
        painter.fillRect(QRectF(scaled(MARGIN), base, self._width, 1.0), QColor(theme.line))
        scale = (self._end - self._start) / self._width
        rate, seconds = self._session.document.rate, self._session.clock.seconds
        gap = float(scaled(LEAST_GAP))
        for time, text in divisions(self._start, self._end, scale, rate, seconds=seconds, gap=gap, least=LINE_GAP):
            x, tall = self.x_of(time), 6.0 if text else 3.0
            painter.fillRect(QRectF(x - 0.5, base - tall, 1.0, tall), QColor(theme.line))
            if text:
                painter.setPen(QColor(theme.text_quiet))
                painter.drawText(QRectF(x - 30, 2, 60, 16), Qt.AlignmentFlag.AlignCenter, text)
        self._paint_outside(painter, base)
        paint_ranges(painter, self._session.document, self._drag, self.x_of, self.band_y, BAND)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text_quiet))
        keys, drafts = self._marks()
        for place in keys:
            painter.drawPolygon(_diamond(place + 0.0, base + 0.5, 3.5))
        painter.setBrush(QColor(theme.warning))
        for place in drafts:
            painter.drawRoundedRect(QRectF(place - 2.0, base - 11.0, 4.0, 15.0), 1.5, 1.5)

    def _fit(self) -> None:
        """Show all that there is, the playhead too; not while something is dragged along it."""
        if not self._is_held:
            start, end = min(self._whole[0], self._session.playhead), max(self._whole[1], self._session.playhead)
            room = max((end - start) // ROOM, frame_time(1, self._session.document.rate))
            if (start, end + room) != (self._start, self._end):
                self._start, self._end, self._found = start, end + room, None
        self.update()

    def _paint_outside(self, painter: QPainter, base: float) -> None:
        """Darken what is not played."""
        shade, right = QColor(current_theme().window), scaled(MARGIN) + float(self._width)
        shade.setAlphaF(OUTSIDE)
        start, end = map(self.x_of, play_extent(self._session.document))
        for left, width in ((scaled(MARGIN), start - scaled(MARGIN)), (end + 1.0, right - end - 1.0)):
            if width > 0.0:
                painter.fillRect(QRectF(left, 0.0, width, base + 5.0), shade)

    def _paint_kept(self, painter: QPainter) -> None:
        """Paint each computed frame, as wide as it lasts."""
        theme, lasts = current_theme(), ticks_per_frame(self._session.document.rate)
        for each in self._session.kept_pictures.stretches:
            left = self.x_of(each.first)
            right = min(self.x_of(each.last + lasts), scaled(MARGIN) + self._width)
            colour = QColor(theme.token(KEPT_COLOURS[each.state]))
            painter.fillRect(QRectF(left, self.height() - KEPT, max(right - left, 1.0), KEPT), colour)

    def _paint_playhead(self, painter: QPainter, base: float) -> None:
        theme, session = current_theme(), self._session
        x = self.x_of(min(max(session.playhead, self._start), self._end))
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.drawLine(QPointF(x, 18.0), QPointF(x, base + 5.0))
        text = session.clock.text(session.playhead, session.document.rate)
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        plate = QRectF(min(max(x - width / 2, 0.0), self.width() - width), 1.0, width, 17.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(plate, 4.0, 4.0)
        painter.setPen(QColor(theme.accent_text))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _marks(self) -> tuple[list[int], list[int]]:
        """Return the places of keys and drafts [px], worked out once for a document and a size."""
        size = (self._width, scaled(MARGIN))
        if self._found is None or self._found[0] != size:
            self._found = (size, self._places(self._keys), self._places(self._drafts))
        return self._found[1:]

    def _places(self, times: Sequence[int]) -> list[int]:
        """Return the places of these ticks [px], each place once."""
        return sorted({round(self.x_of(time)) for time in times if self._start <= time <= self._end})

    def _drag_at(self, event: QMouseEvent) -> RangeDrag | None:
        at, draws = event.position(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if at.y() < self.band_y - 3.0 and not draws:
            return None
        return drag_at(self._session.document, at.x(), self.time_at(at.x()), self.x_of, draws=draws)

    def _scrub(self, event: QMouseEvent) -> None:
        self.moved.emit(self.time_at(event.position().x()))

    def _step(self, frames: int) -> None:
        time = stepped(self._session.playhead, frames, self._session.document.rate)
        self.moved.emit(max(time, min(self._start, self._session.playhead)))


def stepped(time: int, frames: int, rate: Rate) -> int:
    """Return the tick some frames on; from between two frames, the first step ends at the nearer of them that way."""
    frame = frame_of(time, rate)
    if frames < 0 and frame_time(frame, rate) != time:
        frame += 1
    return frame_time(frame + frames, rate)


def _diamond(x: float, y: float, size: float) -> QPolygonF:
    return QPolygonF([QPointF(x, y - size), QPointF(x + size, y), QPointF(x, y + size), QPointF(x - size, y)])
