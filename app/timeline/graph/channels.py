"""ChannelList: the curves of the graph below the joints that they move, each with its colour, its value at the
playhead, and whether it is mute or locked. Painted as a whole: no widget stands for a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, scaled, text_font
from app.style.icons import icon
from app.style.theme import Theme
from app.timeline.graph.colours import colour_of
from app.timeline.graph.places import CurvePlaces

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve

TURNS = "Turns as one rotation: the curve is what comes of that, its keys have no tangents; Time path sets the timing."
ROW, ICON, VALUE = 20, 16, 62  # [logical px]


class ChannelList(QAbstractScrollArea):
    """A list of curves."""

    mute_wanted = Signal(object)  # Curve

    def __init__(self, graph: CurvePlaces, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._graph = graph
        self._rows: list[int | str] = []  # numbers of curves, below the names of their groups
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("List of curves")
        self.verticalScrollBar().valueChanged.connect(lambda _: self.viewport().update())
        graph.changed.connect(self._follow)
        graph.session.playhead_moved.connect(lambda time: self.viewport().update())

    def minimumSizeHint(self) -> QSize:
        """Return the height of a row: a low dock may hold it."""
        return QSize(super().minimumSizeHint().width(), self.row_height)

    @property
    def row_height(self) -> int:
        """Height of a row [px]."""
        return scaled(ROW)

    def frame_of(self, place: int) -> QRectF:
        """Return the rectangle of a curve's row."""
        return self._frame(self._rows.index(place))

    def mute_place(self, place: int) -> QRectF:
        """Return the rectangle of the mute button of a row."""
        return self._sign(place, 2)

    def lock_place(self, place: int) -> QRectF:
        """Return the rectangle of the lock button of a row."""
        return self._sign(place, 1)

    def sizeHint(self) -> QSize:
        return QSize(190, 100)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Mute or lock by a button; choose a curve by its name, with Ctrl or Shift several; beside them none."""
        place = self._row_at(event.position())
        graph = self._graph
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if place is None:
            graph.activate(())
            return
        curve, several = graph.curves.curves[place], event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )  # fmt: skip
        if self.lock_place(place).contains(event.position()):
            graph.lock((curve.channel,), locked=curve.channel not in graph.locked)
        elif self.mute_place(place).contains(event.position()) and curve.outline is not None and curve.speed is None:
            self.mute_wanted.emit(curve)
        else:
            graph.activate(graph.active ^ {curve.channel} if several else {curve.channel})

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from curve to curve with Up and Down."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        curves = self._graph.curves.curves
        if step is None or not curves:
            super().keyPressEvent(event)
            return
        active = [place for place, curve in enumerate(curves) if curve.channel in self._graph.active]
        place = min(max(active[0] + step, 0), len(curves) - 1) if active else 0
        self._graph.activate({curves[place].channel})

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter, seen = current_theme(), QPainter(self.viewport()), QRectF(event.rect())
        painter.fillRect(self.viewport().rect(), QColor(theme.panel))
        painter.fillRect(QRectF(self.viewport().width() - 1.0, 0.0, 1.0, self.viewport().height()), QColor(theme.line))
        for line, row in enumerate(self._rows):
            frame = self._frame(line)
            if not frame.intersects(seen):
                continue
            if isinstance(row, int):
                self._paint_row(painter, row, self._graph.curves.curves[row], theme)
                continue
            painter.setFont(text_font(SMALL, QFont.Weight.Medium))
            painter.setPen(QColor(theme.text))
            text = painter.fontMetrics().elidedText(row, Qt.TextElideMode.ElideRight, int(frame.width()) - 12)
            painter.drawText(frame.adjusted(7.0, 0.0, -5.0, 0.0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _paint_row(self, painter: QPainter, place: int, curve: Curve, theme: Theme) -> None:
        frame, graph = self.frame_of(place), self._graph
        if curve.channel in graph.active:
            painter.fillRect(frame.adjusted(0.0, 0.0, -1.0, 0.0), QColor(theme.selection))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(colour_of(place, theme))
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush if curve.outline is None or curve.mute else colour)
        painter.drawEllipse(QPointF(14.0, frame.center().y()), 3.5, 3.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        signs = self.mute_place(place).left()
        value = QRectF(signs - scaled(VALUE) - 4.0, frame.top(), scaled(VALUE), frame.height())
        painter.setFont(number_font(SMALL))
        painter.setPen(QColor(theme.text if not curve.mute else theme.text_faint))
        text = curve.unit.text(curve.value_at(graph.session.playhead))
        painter.drawText(value, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(theme.text_faint if curve.mute else theme.text_quiet))
        name = QRectF(24.0, frame.top(), value.left() - 26.0, frame.height())
        label = painter.fontMetrics().elidedText(curve.name, Qt.TextElideMode.ElideRight, int(name.width()))
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, label)
        muted, locked = curve.mute, curve.channel in graph.locked
        signed = [(self.lock_place(place), "lock" if locked else "lock-open", locked)]
        if curve.outline is not None and curve.speed is None:
            signed.append((self.mute_place(place), "volume-x" if muted else "volume-2", muted))
        for where, name_of, on in signed:
            picture = icon(name_of, theme, "warning" if on else "text_faint")
            picture.paint(painter, where.adjusted(2.0, 2.0, -2.0, -2.0).toRect())

    def _frame(self, line: int) -> QRectF:
        top = line * self.row_height - self.verticalScrollBar().value()
        return QRectF(0.0, top, self.viewport().width(), self.row_height)

    def _sign(self, place: int, from_right: int) -> QRectF:
        frame, wide = self.frame_of(place), scaled(ICON)
        return QRectF(frame.right() - 3.0 - from_right * wide, frame.top(), wide, frame.height())

    def _row_at(self, at: QPointF) -> int | None:
        line = int((at.y() + self.verticalScrollBar().value()) // self.row_height)
        row = self._rows[line] if 0 <= line < len(self._rows) else None
        return row if isinstance(row, int) else None

    def _tip(self, at: QPointF) -> str:
        place = self._row_at(at)
        if place is None:
            return ""
        curve = self._graph.curves.curves[place]
        if self.lock_place(place).contains(at):
            return "Locked: it cannot be changed here" if curve.channel in self._graph.locked else "Lock it here"
        if self.mute_place(place).contains(at) and curve.outline is not None and curve.speed is None:
            return "Muted: its keys do not count" if curve.mute else "Mute it: the layer is then as without its keys"
        keys = 0 if curve.track is None else len(curve.track.keys)
        if curve.found is not None:
            return f"{curve.label}\n{curve.found.why}"
        text = f"{curve.label}: {'no keys' if not keys else '1 key' if keys == 1 else f'{keys} keys'}"
        return text if curve.turning is None else f"{text}\n{TURNS}"

    def _follow(self) -> None:
        bar, group, before = self.verticalScrollBar(), "", self._rows
        self._rows = []
        for place, curve in enumerate(self._graph.curves.curves):
            if curve.group != group:
                group = curve.group
                self._rows.append(group)
            self._rows.append(place)
        height = len(self._rows) * self.row_height
        bar.setRange(0, max(height - self.viewport().height(), 0))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self.row_height)
        moving = self._graph.moving
        if not moving or self._rows != before:
            self.viewport().update()
        for place in moving:  # the values of the others are as they were
            self.viewport().update(self.frame_of(place).toAlignedRect())
