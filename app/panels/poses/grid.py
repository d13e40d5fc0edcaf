"""PoseGrid: the pictures. A press and a drag to the right blend, a double click applies; Escape drops the blend."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.panels.poses.model import Index, PoseList
from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, text_font
from app.style.hint import paint_hint
from app.style.icons import icon
from engine.jobs.poses import MOST_SHARE

PICTURE = 84  # [logical px] across and down
NAME = 20
GAP = 4
LENGTH = 200.0  # [logical px] of a drag from nothing to the whole pose
SLACK = 4.0  # [logical px] that a click may move


class PoseGrid(QListView):
    """The poses of a `PoseList`."""

    blend_began = Signal(QModelIndex)
    blended = Signal(float)  # the share, 0 to 1.2
    blend_finished = Signal()
    blend_cancelled = Signal()
    removal_wanted = Signal(QModelIndex)

    def __init__(self, poses: PoseList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(poses)
        self.poses = poses
        self.hint = ""
        self.share: float | None = None  # while a pose is blended
        self.held = QPersistentModelIndex()
        self._from = QPoint()
        self.setAccessibleName("Poses")
        self.setItemDelegate(_Tile(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setViewportMargins(6, 0, 0, 0)  # in line with the field above
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def end_blend(self) -> None:
        """It is over, whoever ended it."""
        self.share = None
        self.held = QPersistentModelIndex()
        self.viewport().update()

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Keys of the grid go before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            own = {Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if (event.key() in own and self.currentIndex().isValid()) or self._is_escape(event):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if self._is_escape(event):
            self._end(self.blend_cancelled)
        elif event.key() == Qt.Key.Key_Delete and index.isValid():
            self.removal_wanted.emit(index)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.doubleClicked.emit(index)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.poses.rowCount() and self.hint:
            paint_hint(self, self.hint, "person-standing")

    def _is_escape(self, event: QKeyEvent) -> bool:
        return self.share is not None and event.key() == Qt.Key.Key_Escape

    def _end(self, how: object) -> None:
        blending = self.share is not None
        self.end_blend()
        if blending:
            how.emit()  # type: ignore[attr-defined]


class _Tile(QStyledItemDelegate):
    """A picture with its name below; while it is blended, how far."""

    def __init__(self, grid: PoseGrid) -> None:
        super().__init__(grid)
        self._grid = grid

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(PICTURE + 2 * GAP, PICTURE + NAME + 2 * GAP)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(_name_place(option.rect))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(text_font(SMALL))
        editor.setAccessibleName("Name of the pose")
        return editor

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, place = current_theme(), _picture_place(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(place), 5.0, 5.0)
        painter.fillPath(outline, QColor(theme.field))
        picture = self._grid.poses.picture_at(index)
        if picture.isNull():
            icon("person-standing", theme, "text_faint").paint(painter, place.adjusted(26, 26, -26, -26))
        else:
            painter.save()
            painter.setClipPath(outline)
            painter.drawPixmap(place, picture)
            painter.restore()
        chosen, over = (bool(option.state & each) for each in (_SELECTED, _OVER))
        edge = theme.accent if chosen else theme.text_faint if over else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if chosen else 1.0))
        painter.drawPath(outline)
        if self._grid.share is not None and self._grid.held == index:
            self._paint_share(painter, place, self._grid.share)
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(theme.text if chosen or over else theme.text_quiet))
        name = _name_place(option.rect)
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, name.width())
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def _paint_share(self, painter: QPainter, place: QRect, share: float) -> None:
        theme = current_theme()
        bar = QRectF(place.left() + 6, place.bottom() - 9, place.width() - 12, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.window))
        painter.drawRoundedRect(bar, 2.0, 2.0)
        painter.setBrush(QColor(theme.accent if share <= 1.0 else theme.warning))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), bar.width() * share / MOST_SHARE, 4), 2.0, 2.0)
        painter.setFont(number_font())
        text = f"{100.0 * share:.0f} %"
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        plate = QRectF(place.center().x() - width / 2, bar.top() - 25, width, 20)
        painter.setBrush(QColor(theme.window))
        painter.drawRoundedRect(plate, 4.0, 4.0)
        painter.setPen(QColor(theme.text if share <= 1.0 else theme.warning))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


_SELECTED, _OVER = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_MouseOver


def _picture_place(tile: QRect) -> QRect:
    return QRect(tile.left() + (tile.width() - PICTURE) // 2, tile.top() + GAP, PICTURE, PICTURE)


def _name_place(tile: QRect) -> QRect:
    return QRect(tile.left() + 1, tile.top() + GAP + PICTURE, tile.width() - 2, NAME)
