"""PictureGrid: pictures with names below. Return or a double click means one, F2 renames, Del removes, a drag carries
it elsewhere where its list can be dragged from.
"""

from __future__ import annotations

from typing import Generic

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QDrag, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.style.apply import current_theme
from app.style.fonts import SMALL, text_font
from app.style.hint import paint_hint
from app.style.icons import icon
from app.style.picture_list import Index, KeptT, PictureList

PICTURE = 84  # [logical px] across and down
NAME = 20
GAP = 4
_OWN_KEYS = (Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SELECTED, _OVER = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_MouseOver


class PictureGrid(QListView, Generic[KeptT]):
    """A `PictureList` as pictures, by an icon where there is none."""

    removal_wanted = Signal(QModelIndex)

    def __init__(self, pictures: PictureList[KeptT], *, title: str, symbol: str) -> None:
        super().__init__()
        self.setModel(pictures)
        self.pictures, self.symbol = pictures, symbol
        self.hint = ""  # said where there is none
        self.setAccessibleName(title)
        self.setItemDelegate(_Tile(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        if pictures.mime:
            self.setDragEnabled(True)  # after the movement, which turns it off
            self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(True)
        self.setViewportMargins(6, 0, 0, 0)  # in line with the field above
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def part_of(self, index: Index, picture: QPixmap) -> QRect:
        """Return the part of a picture file that is shown."""
        return picture.rect()

    def paint_over(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint over a picture."""

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Keep the grid's keys from the window's shortcuts."""
        asks = event.type() == QEvent.Type.ShortcutOverride and self.currentIndex().isValid()
        if asks and isinstance(event, QKeyEvent) and event.key() in _OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)  # the Return that ends a name comes here after the field has had it
        elif event.key() == Qt.Key.Key_Delete and index.isValid():
            self.removal_wanted.emit(index)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.doubleClicked.emit(index)
        else:
            super().keyPressEvent(event)

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag an entry, under its picture."""
        index = self.currentIndex()
        if not index.isValid():
            return
        drag, picture = QDrag(self), self.pictures.picture_at(index)
        drag.setMimeData(self.pictures.mimeData([index]))
        if not picture.isNull():
            drag.setPixmap(picture.copy(self.part_of(index, picture)).scaled(PICTURE, PICTURE))
        drag.exec(Qt.DropAction.CopyAction)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.pictures.rowCount() and self.hint:
            paint_hint(self, self.hint, self.symbol)


class _Tile(QStyledItemDelegate, Generic[KeptT]):
    """A picture with its name below."""

    def __init__(self, grid: PictureGrid[KeptT]) -> None:
        super().__init__(grid)
        self._grid = grid

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(PICTURE + 2 * GAP, PICTURE + NAME + 2 * GAP)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(_name_place(option.rect))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(text_font(SMALL))
        editor.setAccessibleName("Name")
        return editor

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        chosen, over = (bool(option.state & each) for each in (_SELECTED, _OVER))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        outline = self._paint_picture(painter, _picture_place(option.rect), index)
        edge = theme.accent if chosen else theme.text_faint if over else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if chosen else 1.0))
        painter.drawPath(outline)
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(theme.text if chosen or over else theme.text_quiet))
        name = _name_place(option.rect)
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, name.width())
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def _paint_picture(self, painter: QPainter, place: QRect, index: Index) -> QPainterPath:
        """Draw it with what lies over it; its outline."""
        theme, outline = current_theme(), QPainterPath()
        outline.addRoundedRect(QRectF(place), 5.0, 5.0)
        painter.fillPath(outline, QColor(theme.field))
        picture = self._grid.pictures.picture_at(index)
        painter.save()
        painter.setClipPath(outline)
        if picture.isNull():
            icon(self._grid.symbol, theme, "text_faint").paint(painter, place.adjusted(26, 26, -26, -26))
        else:
            painter.drawPixmap(place, picture, self._grid.part_of(index, picture))
        self._grid.paint_over(painter, place, index)
        painter.restore()
        return outline


def _picture_place(tile: QRect) -> QRect:
    return QRect(tile.left() + (tile.width() - PICTURE) // 2, tile.top() + GAP, PICTURE, PICTURE)


def _name_place(tile: QRect) -> QRect:
    return QRect(tile.left() + 1, tile.top() + GAP + PICTURE, tile.width() - 2, NAME)
