"""PoseGrid: pictures of poses. A press and a drag to the right blend; Escape drops the blend."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter

from app.features.poses.library import KeptPose
from app.style.apply import current_theme
from app.style.fonts import number_font
from app.style.picture_grid import PictureGrid
from app.style.picture_list import Index, PictureList
from engine.commands.poses import MOST_SHARE

LENGTH = 200.0  # [logical px] of a drag from nothing to the whole pose
SLACK = 4.0  # [logical px] that a click may move


class PoseGrid(PictureGrid[KeptPose]):
    """The poses of a library."""

    blend_began = Signal(QModelIndex)
    blended = Signal(float)  # the share, 0 to 1.2
    blend_finished = Signal()
    blend_cancelled = Signal()

    def __init__(self, poses: PictureList[KeptPose]) -> None:
        super().__init__(poses, title="Poses", symbol="person-standing")
        self.share: float | None = None  # while a pose is blended
        self.held = QPersistentModelIndex()
        self._from = QPoint()

    def end_blend(self) -> None:
        """End the blend, whoever ended it."""
        self.share = None
        self.held = QPersistentModelIndex()
        self.viewport().update()

    def paint_over(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint how far the pose is blended."""
        if self.share is None or self.held != index:
            return
        theme, share = current_theme(), self.share
        colour = QColor(theme.accent if share <= 1.0 else theme.warning)
        bar = QRectF(place.left() + 6, place.bottom() - 9, place.width() - 12, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.window))
        painter.drawRoundedRect(bar, 2.0, 2.0)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share / MOST_SHARE, 4), 2.0, 2.0)
        painter.setFont(number_font())
        text = f"{100.0 * share:.0f} %"
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        plate = QRectF(place.center().x() - width / 2, bar.top() - 25, width, 20)
        painter.setBrush(QColor(theme.window))
        painter.drawRoundedRect(plate, 4.0, 4.0)
        painter.setPen(QColor(theme.text if share <= 1.0 else theme.warning))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Keys of the grid go before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_escape(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_escape(event):
            self._end(self.blend_cancelled)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.position().toPoint()
            self.held = QPersistentModelIndex(self.indexAt(self._from))
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.held.isValid():
            super().mouseMoveEvent(event)
            return
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._end(self.blend_finished)  # it was let go where nobody saw it
            return
        way = event.position().x() - self._from.x()
        if self.share is None and abs(way) >= SLACK:
            self.share = 0.0
            self.blend_began.emit(self.indexAt(self._from))
        if self.share is not None:
            self.share = min(max(way / LENGTH, 0.0), MOST_SHARE)
            self.blended.emit(self.share)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._end(self.blend_finished)
        super().mouseReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._end(self.blend_cancelled)
        super().focusOutEvent(event)

    def _is_escape(self, event: QKeyEvent) -> bool:
        return self.share is not None and event.key() == Qt.Key.Key_Escape

    def _end(self, how: SignalInstance) -> None:
        blending = self.share is not None
        self.end_blend()
        if blending:
            how.emit()
