"""StartTile: a picture with a name and a quiet line below it, to be chosen by the mouse or by keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.style.apply import current_theme
from app.style.flipbook import page_of
from app.style.fonts import SMALL, scaled, text_font
from app.style.icon_button import IconButton
from app.style.icons import icon

WIDTH, PICTURE = 156, 98  # [logical px]
LINE, PAD = 17, 4
GAP = 10
SHAPE, FLIP_MS = 1.6, 125  # of the pages of a flipbook: width to height, and for how long each is seen


class StartTile(QAbstractButton):
    """One thing that can be opened. Under the pointer its flipbook runs, if it has one."""

    removal_wanted = Signal()

    def __init__(
        self,
        name: str,
        line: str,
        picture: Path | None,
        parent: QWidget,
        *,
        symbol: str = "file",
        flipbook: Path | None = None,
    ) -> None:
        super().__init__(parent)
        self._picture_path, self._symbol = picture, symbol
        self._flipbook_path, self._pages = flipbook, QPixmap()
        self.page: int | None = None  # of the flipbook, while it runs
        self._flip = QTimer(self, interval=FLIP_MS)
        self._flip.timeout.connect(self._turn_page)
        self._picture: QPixmap | None = None
        self._line = line
        self.is_missing = False
        self._cross: IconButton | None = None
        self.setText(name)
        self.setAccessibleName(f"{name}, {line}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, PICTURE + PAD + 2 * scaled(LINE) + PAD)

    def show_line(self, line: str, *, missing: bool = False) -> None:
        """Say something else below the name; grey, with a cross that removes it, where there is nothing to open."""
        self._line, self.is_missing = line, missing
        self.setAccessibleName(f"{self.text()}, {line}")
        if missing and self._cross is None:
            self._cross = IconButton("x", "Remove from this list (Del)", parent=self)
            self._cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._cross.move(WIDTH - self._cross.sizeHint().width() - 4, 4)
            self._cross.clicked.connect(self.removal_wanted)
            self._cross.show()
        self.update()

    def show_picture(self) -> None:
        """Read the picture again."""
        self._picture = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        place = QRect(1, 1, self.width() - 2, PICTURE - 2)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(place), 5.0, 5.0)
        painter.fillPath(outline, QColor(theme.field))
        painter.save()
        painter.setClipPath(outline)
        if self.is_missing:
            painter.setOpacity(0.35)
        self._paint_picture(painter, place)
        painter.restore()
        chosen, over = self.hasFocus(), self.underMouse()
        edge = theme.accent if chosen else theme.text_faint if over else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if chosen else 1.0))
        painter.drawPath(outline)
        bright = theme.text_faint if self.is_missing else theme.text
        self._write(painter, 0, self.text(), bright, Qt.TextElideMode.ElideRight)
        self._write(painter, 1, self._line, theme.text_faint, Qt.TextElideMode.ElideMiddle)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Run the flipbook, from its first page."""
        super().enterEvent(event)
        if self._flipbook_path is not None and self._pages.isNull():
            self._pages = QPixmap(str(self._flipbook_path))
        if not self._pages.isNull():
            self.page = 0
            self._flip.start()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._close_flipbook()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._close_flipbook()

    def changeEvent(self, event: QEvent) -> None:
        self.update()
        super().changeEvent(event)

    def _turn_page(self) -> None:
        self.page = 0 if self.page is None else self.page + 1
        self.update()

    def _close_flipbook(self) -> None:
        self._flip.stop()
        self.page = None
        self.update()

    def _paint_picture(self, painter: QPainter, place: QRect) -> None:
        if self.page is not None:
            painter.drawPixmap(place, self._pages, page_of(self._pages, self.page, SHAPE))
            return
        if self._picture is None:
            self._picture = QPixmap() if self._picture_path is None else QPixmap(str(self._picture_path))
        if self._picture.isNull():
            side = 26
            middle = QRect(place.center().x() - side // 2, place.center().y() - side // 2, side, side)
            icon(self._symbol, current_theme(), "text_faint").paint(painter, middle)
            return
        size = self._picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        left, top = place.center().x() - size.width() // 2, place.center().y() - size.height() // 2
        painter.drawPixmap(QRect(left, top, size.width(), size.height()), self._picture)

    def _write(self, painter: QPainter, row: int, text: str, colour: str, mode: Qt.TextElideMode) -> None:
        painter.setFont(text_font() if row == 0 else text_font(SMALL))
        painter.setPen(QColor(colour))
        height = scaled(LINE)
        place = QRect(2, PICTURE + PAD + row * height, self.width() - 4, height)
        shown = painter.fontMetrics().elidedText(text, mode, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class Tiles(QWidget):
    """Tiles in as many columns as fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiles: list[StartTile] = []

    def add(self, tile: StartTile) -> None:
        """Add a tile."""
        tile.setParent(self)
        tile.show()
        self.tiles.append(tile)
        self._arrange()

    def remove(self, tile: StartTile) -> None:
        """Remove a tile."""
        self.tiles.remove(tile)
        tile.hide()
        tile.deleteLater()
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _step(self) -> int:
        return PICTURE + 2 * PAD + 2 * scaled(LINE) + GAP

    def _arrange(self) -> None:
        columns = _columns(self.width())
        for place, tile in enumerate(self.tiles):
            row, column = divmod(place, columns)
            tile.setGeometry(column * (WIDTH + GAP), row * self._step(), WIDTH, self._step() - GAP)
        rows = -(-len(self.tiles) // columns)
        self.setFixedHeight(max(rows * self._step() - GAP, 0))


def _columns(width: int) -> int:
    return max((width + GAP) // (WIDTH + GAP), 1)
