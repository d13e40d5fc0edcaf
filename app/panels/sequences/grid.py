"""SequenceGrid: the flipbooks. The one under the pointer plays; a double click applies, a drag carries it elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QDrag, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.panels.sequences.model import Index, SequenceList
from app.style.apply import current_theme
from app.style.flipbook import page_count, page_of
from app.style.fonts import SMALL, text_font
from app.style.hint import paint_hint
from app.style.icons import icon

PICTURE = 84  # [logical px] across and down
NAME = 20
GAP = 4
FLIP_MS = 120  # that each pose is seen


class SequenceGrid(QListView):
    """The sequences of a `SequenceList`."""

    removal_wanted = Signal(QModelIndex)

    def __init__(self, sequences: SequenceList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(sequences)
        self.sequences = sequences
        self.hint = ""
        self.page = 0  # of the flipbook that plays
        self.played = QPersistentModelIndex()
        self._flip = QTimer(self, interval=FLIP_MS)
        self._flip.timeout.connect(self._turn_page)
        self.setAccessibleName("Sequences")
        self.setItemDelegate(_Tile(self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setDragEnabled(True)  # after the movement, which turns it off
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(True)
        self.setViewportMargins(6, 0, 0, 0)  # in line with the field above
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    @property
    def is_playing(self) -> bool:
        """Whether a flipbook runs."""
        return self._flip.isActive()

    def play(self, index: QModelIndex) -> None:
        """Run the flipbook of one of them from its first pose on; of none, where it is not valid."""
        if self.played == index and index.isValid() == self.is_playing:
            return
        self.page, self.played = 0, QPersistentModelIndex(index)
        if index.isValid():
            self._flip.start()
        else:
            self._flip.stop()
        self.viewport().update()

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Keys of the grid go before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            own = {Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if event.key() in own and self.currentIndex().isValid():
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and index.isValid():
            self.removal_wanted.emit(index)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.doubleClicked.emit(index)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.play(self.indexAt(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """The pointer has gone."""
        if event.type() == QEvent.Type.Leave:
            self.play(QModelIndex())
        return super().viewportEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self.play(QModelIndex())
        super().hideEvent(event)

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Carry the sequence, under a picture of it."""
        index = self.currentIndex()
        if not index.isValid():
            return
        self.play(QModelIndex())
        drag = QDrag(self)
        drag.setMimeData(self.sequences.mimeData([index]))
        strip = self.sequences.strip_at(index)
        if not strip.isNull():
            drag.setPixmap(strip.copy(page_of(strip)).scaled(PICTURE, PICTURE))
        drag.exec(Qt.DropAction.CopyAction)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.sequences.rowCount() and self.hint:
            paint_hint(self, self.hint, "film")

    def _turn_page(self) -> None:
        if not self.played.isValid():
            self._flip.stop()
            return
        self.page += 1
        self.viewport().update(self.visualRect(self.sequences.index(self.played.row(), 0)))


class _Tile(QStyledItemDelegate):
    """A pose of the flipbook with the name below."""

    def __init__(self, grid: SequenceGrid) -> None:
        super().__init__(grid)
        self._grid = grid

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(PICTURE + 2 * GAP, PICTURE + NAME + 2 * GAP)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(_name_place(option.rect))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(text_font(SMALL))
        editor.setAccessibleName("Name of the sequence")
        return editor

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, place = current_theme(), _picture_place(option.rect)
        chosen, over = (bool(option.state & each) for each in (_SELECTED, _OVER))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(place), 5.0, 5.0)
        painter.fillPath(outline, QColor(theme.field))
        strip = self._grid.sequences.strip_at(index)
        if strip.isNull():
            icon("film", theme, "text_faint").paint(painter, place.adjusted(26, 26, -26, -26))
        else:
            plays, page = self._grid.played == index, self._grid.page
            painter.save()
            painter.setClipPath(outline)
            painter.drawPixmap(place, strip, page_of(strip, page if plays else None))
            if plays:
                share = (page % page_count(strip) + 1) / page_count(strip)
                painter.fillRect(
                    QRectF(place.left(), place.bottom() - 2, place.width() * share, 3), QColor(theme.accent)
                )
            painter.restore()
        edge = theme.accent if chosen else theme.text_faint if over else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if chosen else 1.0))
        painter.drawPath(outline)
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(theme.text if chosen or over else theme.text_quiet))
        name = _name_place(option.rect)
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, name.width())
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()


_SELECTED, _OVER = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_MouseOver


def _picture_place(tile: QRect) -> QRect:
    return QRect(tile.left() + (tile.width() - PICTURE) // 2, tile.top() + GAP, PICTURE, PICTURE)


def _name_place(tile: QRect) -> QRect:
    return QRect(tile.left() + 1, tile.top() + GAP + PICTURE, tile.width() - 2, NAME)
