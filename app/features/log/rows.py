"""Painter of a line of the log: its kind and words; on request its Python, beside them where there is room."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.features.log.lines import ICONS, EntryRole, Index
from app.session import LogEntry
from app.style.apply import current_theme
from app.style.fonts import mono_font, text_font
from app.style.icons import icon
from app.style.theme import Theme

WIDE = 480
ONE_LINE, TWO_LINES = 23, 40
PICTURE = 13
TEXT_LEFT = 34
TEXT_SHARE = 0.34


def short(line: str) -> str:
    """Return a line of Python for reading: without the assignment that all have."""
    return line.removeprefix("document = ")


class LogRow(QStyledItemDelegate):
    """Draws one entry."""

    wide = True
    shows_python = False  # beside the words, on request

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, TWO_LINES if self.shows_python and not self.wide else ONE_LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry, theme, bounds = index.data(EntryRole), current_theme(), QRect(option.rect)
        if not isinstance(entry, LogEntry):
            return
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(bounds, QColor(theme.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(bounds, QColor(theme.hover))
        words, code = self._places(bounds, entry)
        name, colour = ICONS[entry.kind]
        middle = words.center().y() - PICTURE // 2 + 1
        icon(name, theme, colour).paint(painter, bounds.left() + 12, middle, PICTURE, PICTURE)
        self._paint_texts(painter, entry, words, code, theme)
        painter.restore()

    def _places(self, bounds: QRect, entry: LogEntry) -> tuple[QRect, QRect]:
        inner = bounds.adjusted(TEXT_LEFT, 0, -10, 0)
        if not (entry.line and self.shows_python):
            return inner, QRect()
        if self.wide:
            words = QRect(inner)
            words.setWidth(min(300, round(inner.width() * TEXT_SHARE)))
            return words, inner.adjusted(words.width() + 14, 0, 0, 0)
        half = inner.height() // 2
        return inner.adjusted(0, 2, 0, -half + 1), inner.adjusted(0, half - 1, 0, -2)

    def _paint_texts(self, painter: QPainter, entry: LogEntry, words: QRect, code: QRect, theme: Theme) -> None:
        ink = {"edit": theme.text, "note": theme.text_quiet, "warning": theme.warning, "error": theme.danger}
        for text, place, font, colour in (
            (entry.text.replace("\n", " "), words, text_font(), ink[entry.kind]),
            (short(entry.line), code, mono_font(), theme.text_quiet),
        ):
            if text and not place.isEmpty():
                painter.setFont(font)
                painter.setPen(QColor(colour))
                shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
