"""SequenceGrid: flipbooks. The one under the pointer plays."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QMouseEvent, QPainter, QPixmap

from app.features.sequences.library import KeptSequence
from app.style.apply import current_theme
from app.style.flipbook import page_count, page_of
from app.style.picture_grid import PictureGrid
from app.style.picture_list import Index, PictureList

FLIP_MS = 120  # that each pose is seen


class SequenceGrid(PictureGrid[KeptSequence]):
    """The sequences of a library."""

    def __init__(self, sequences: PictureList[KeptSequence]) -> None:
        super().__init__(sequences, title="Sequences", symbol="film")
        self.page = 0  # of the flipbook that plays
        self.played = QPersistentModelIndex()
        self._flip = QTimer(self, interval=FLIP_MS)
        self._flip.timeout.connect(self._turn_page)

    @property
    def is_playing(self) -> bool:
        """True if a flipbook runs."""
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

    def part_of(self, index: Index, picture: QPixmap) -> QRect:
        """Return a page: the one that is reached, or a still."""
        return page_of(picture, self.page if self.played == index else None)

    def paint_over(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint how far the flipbook is."""
        count = page_count(self.pictures.picture_at(index))
        if self.played == index and count:
            width = place.width() * (self.page % count + 1) / count
            painter.fillRect(QRectF(place.left(), place.bottom() - 2, width, 3), QColor(current_theme().accent))

    # Qt's events

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.play(self.indexAt(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Stop the flipbook when the pointer has gone."""
        if event.type() == QEvent.Type.Leave:
            self.play(QModelIndex())
        return super().viewportEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self.play(QModelIndex())
        super().hideEvent(event)

    def startDrag(self, actions: Qt.DropAction) -> None:
        self.play(QModelIndex())
        super().startDrag(actions)

    def _turn_page(self) -> None:
        if not self.played.isValid():
            self._flip.stop()
            return
        self.page += 1
        self.viewport().update(self.visualRect(self.pictures.index(self.played.row(), 0)))
