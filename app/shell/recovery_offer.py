"""Offer of the start page after a run that ended without a word: each copy with its picture, Recover and Not now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.shell.recovery_words import line_of
from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.icons import icon

if TYPE_CHECKING:
    from engine.project.runs import LeftCopy

PICTURE = QSize(104, 65)  # [logical px]
MOST = 3  # offered here; File > Recover… lists all


class Offers(QWidget):
    """The copies that are offered; hidden where there is none."""

    recover_wanted = Signal(object)  # LeftCopy
    aside_wanted = Signal(object)
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers: list[Offer] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 10)
        self._column.setSpacing(8)
        self._heading = QLabel()
        self._heading.setProperty("quiet", True)
        self._column.addWidget(self._heading)
        self.hide()

    def show_copies(self, copies: Sequence[LeftCopy]) -> None:
        """Offer those that nobody was asked about yet."""
        wanted = [each for each in copies if each.is_offered]
        if [each.file for each in wanted[:MOST]] == [offer.left.file for offer in self.offers]:
            return
        for offer in self.offers:
            self._column.removeWidget(offer)
            offer.hide()
            offer.deleteLater()
        self.offers = [Offer(left, self) for left in wanted[:MOST]]
        for offer in self.offers:
            self._column.addWidget(offer)
            offer.recover.setDefault(offer is self.offers[0])
            offer.recover.clicked.connect(lambda _=False, left=offer.left: self.recover_wanted.emit(left))
            offer.aside.clicked.connect(lambda _=False, left=offer.left: self.aside_wanted.emit(left))
        more = len(wanted) - MOST
        also = f" {more} more: File › Recover…" if more > 0 else ""
        these = "this was" if len(wanted) == 1 else "these were"
        self._heading.setText(f"Sinew ended before {these} saved.{also}")
        self.setVisible(bool(self.offers))
        self.changed.emit()

    @property
    def buttons(self) -> list[QPushButton]:
        """All that can be chosen."""
        return [button for offer in self.offers for button in (offer.recover, offer.aside)]


class Offer(QWidget):
    """One copy."""

    def __init__(self, left: LeftCopy, parent: QWidget) -> None:
        super().__init__(parent)
        self.left = left
        self.setAccessibleName(f"{left.name}, {line_of(left)}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(CopyPicture(left.picture))
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addStretch(1)
        words.addWidget(ElidedLabel(left.name))
        words.addWidget(ElidedLabel(line_of(left), colour="text_faint", mode=Qt.TextElideMode.ElideMiddle))
        words.addStretch(1)
        row.addLayout(words, 1)
        self.recover, self.aside = QPushButton("Recover"), QPushButton("Not now")
        self.recover.setToolTip("Go on where it was, with what can be undone")
        self.aside.setToolTip("Keep it for now: File › Recover… brings it back")
        row.addWidget(self.recover)
        row.addWidget(self.aside)


class CopyPicture(QWidget):
    """The small picture of a copy."""

    def __init__(self, png: bytes | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pixmap = pixmap_of(png)
        self.setFixedSize(PICTURE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_picture(painter, QRectF(self.rect()), self._pixmap)
        painter.end()


def pixmap_of(png: bytes | None) -> QPixmap:
    """Read the picture of a PNG; an empty one where it is none."""
    pixmap = QPixmap()
    if png is not None:
        pixmap.loadFromData(png)
    return pixmap


def paint_picture(painter: QPainter, place: QRectF, pixmap: QPixmap) -> None:
    """Paint a picture in a rounded frame, or a figure where there is none."""
    theme = current_theme()
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    inside = place.adjusted(0.5, 0.5, -0.5, -0.5)
    outline = QPainterPath()
    outline.addRoundedRect(inside, 4.0, 4.0)
    painter.fillPath(outline, QColor(theme.field))
    if pixmap.isNull():
        side = 22.0
        middle = QRectF(inside.center().x() - side / 2, inside.center().y() - side / 2, side, side)
        icon("person-standing", theme, "text_faint").paint(painter, middle.toRect())
    else:
        painter.save()
        painter.setClipPath(outline)
        size = pixmap.size().toSizeF()
        size.scale(inside.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        shown = QRectF(0.0, 0.0, size.width(), size.height())
        shown.moveCenter(inside.center())
        painter.drawPixmap(shown, pixmap, QRectF(pixmap.rect()))
        painter.restore()
    painter.setPen(QPen(QColor(theme.line), 1.0))
    painter.drawPath(outline)
