"""Hint: the sentence that an empty list shows, so that a person knows what to do there."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.style.apply import current_theme
from app.style.fonts import text_font
from app.style.icons import icon

ICON = 22
MARGIN = 24


def paint_hint(area: QWidget, text: str, picture: str) -> None:
    """Draw a sentence under a quiet icon, in the upper part of an empty area; called from its `paintEvent`."""
    ground = area.viewport() if isinstance(area, QAbstractScrollArea) else area
    theme, painter, bounds = current_theme(), QPainter(ground), ground.rect()
    painter.setFont(text_font())
    flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    width = min(260, bounds.width() - 2 * MARGIN)
    needed = painter.boundingRect(QRect(0, 0, width, 400), flags, text).height()
    roomy = bounds.height() > needed + ICON + 40
    top = bounds.top() + (max(12, (bounds.height() - needed - ICON) // 4) if roomy else 8)
    if roomy:
        icon(picture, theme, "text_faint").paint(painter, bounds.center().x() - ICON // 2, top, ICON, ICON)
        top += ICON + 10
    painter.setPen(QColor(theme.text_faint))
    painter.drawText(QRect(bounds.center().x() - width // 2, top, width, needed + 4), flags, text)
    painter.end()
