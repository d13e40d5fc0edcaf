"""SceneView: the tree as it is seen. A click on an eye shows or hides; everything else chooses."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QTreeView,
    QWidget,
)

from app.features.outliner.tree import AddedRole, FrozenRole, Index, MissedRole, StateRole, VisibleRole
from app.style.apply import current_theme
from app.style.fonts import scaled
from app.style.hint import paint_hint
from app.style.icons import icon

INDENT = 9
ROW_HEIGHT = 24
EYE = 14
EYE_WIDTH = 30
FROST_WIDTH = 22  # beside the eye of an actor
GAP = 10  # between a name and what is said of it


class SceneView(QTreeView):
    """A tree view of actors and joints."""

    eye_clicked = Signal(QModelIndex)
    frost_clicked = Signal(QModelIndex)
    delete_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = ""
        self.setAccessibleName("Actors and joints")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setItemDelegate(_TreeDelegate(self))
        self.setIndentation(INDENT)
        self.setIconSize(QSize(14, 14))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def eye_at(self, where: QPoint) -> QModelIndex:
        """Return the row whose eye stands there; invalid if none does."""
        index = self.indexAt(where)
        is_eye = index.data(VisibleRole) is not None and where.x() >= self.viewport().width() - EYE_WIDTH
        return index if is_eye else QModelIndex()

    def frost_at(self, where: QPoint) -> QModelIndex:
        """Return the row whose snowflake stands there; invalid if none does."""
        index = self.indexAt(where)
        away = self.viewport().width() - EYE_WIDTH - where.x()
        is_frost = index.data(FrozenRole) is not None and 0 < away <= FROST_WIDTH
        return index if is_frost else QModelIndex()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        frost = self.frost_at(event.position().toPoint())
        if frost.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.frost_clicked.emit(frost)
            return
        eye = self.eye_at(event.position().toPoint())
        if eye.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.eye_clicked.emit(eye)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        if self.eye_at(where).isValid() or self.frost_at(where).isValid():
            self.mousePressEvent(event)
            return
        super().mouseDoubleClickEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            eye, frost = self.eye_at(event.pos()), self.frost_at(event.pos())
            if frost.isValid():
                word = "Thaw" if frost.data(FrozenRole) else "Freeze"
                QToolTip.showText(event.globalPos(), f"{word} {frost.data()}", self)
                return True
            if eye.isValid():
                words = ("Mute", "Let count:") if eye.data(AddedRole) else ("Hide", "Show")
                word = words[0] if eye.data(VisibleRole) else words[1]
                QToolTip.showText(event.globalPos(), f"{word} {eye.data()}", self)
                return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            paint_hint(self, self.hint, "list-tree")


class _TreeDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), scaled(ROW_HEIGHT))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if index.data(VisibleRole) is not None:
            frost = 0 if index.data(FrozenRole) is None else FROST_WIDTH
            room = option.rect.width() - EYE_WIDTH - frost - option.decorationSize.width() - 12
            state = index.data(StateRole)
            if state:
                room -= option.fontMetrics.horizontalAdvance(state) + GAP
            option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        visible = index.data(VisibleRole)
        if visible is not None:
            eye = icon("eye" if visible else "eye-off", current_theme(), "text_faint")
            bounds = QRect(option.rect)
            left = bounds.right() - (EYE_WIDTH + EYE) // 2 + 1
            eye.paint(painter, left, bounds.center().y() - EYE // 2 + 1, EYE, EYE)
            frozen = index.data(FrozenRole)
            if frozen is not None:
                frost = icon("snowflake", current_theme(), "accent" if frozen else "disabled")
                frost.paint(painter, left - FROST_WIDTH, bounds.center().y() - EYE // 2 + 1, EYE, EYE)
            if index.data(StateRole):
                self._paint_state(painter, bounds.adjusted(0, 0, -EYE_WIDTH, 0), index)

    def _paint_state(self, painter: QPainter, bounds: QRect, index: Index) -> None:
        """Paint at the right how what a feature adds is met."""
        theme = current_theme()
        painter.save()
        painter.setPen(QColor(theme.warning if index.data(MissedRole) else theme.text_faint))
        painter.drawText(bounds, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, index.data(StateRole))
        painter.restore()
