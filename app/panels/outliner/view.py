"""SceneView: the tree as it is seen. A click on an eye shows or hides; everything else chooses."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from app.panels.outliner.tree import EYE, NAME
from app.style.hint import paint_hint

INDENT = 11
EYE_WIDTH = 30


class SceneView(QTreeView):
    """A tree view of actors and joints."""

    eye_clicked = Signal(QModelIndex)
    delete_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = ""
        self.setAccessibleName("Actors and joints")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(INDENT)
        self.setIconSize(QSize(14, 14))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def fit_columns(self) -> None:
        """Give the eyes their width and the names the rest; once a model is set."""
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(EYE_WIDTH)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(EYE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(EYE, EYE_WIDTH)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        on_eye = index.column() == EYE and index.data(Qt.ItemDataRole.DecorationRole) is not None
        if on_eye and event.button() == Qt.MouseButton.LeftButton:
            self.eye_clicked.emit(index)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.column() == EYE:
            self.mousePressEvent(event)
            return
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            paint_hint(self, self.hint, "list-tree")
