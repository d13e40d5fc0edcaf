"""Flipbook: pictures of one size side by side in one strip, each as wide as it is high."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPixmap


def page_count(strip: QPixmap) -> int:
    """Return how many pictures a strip holds."""
    return max(strip.width() // strip.height(), 1) if strip.height() else 0


def page_of(strip: QPixmap, page: int | None = None) -> QRect:
    """Return the rectangle of a page, modulo their number; without a number the middle one, which shows most of a
    motion."""
    count, side = page_count(strip), strip.height()
    number = count // 2 if page is None else page % max(count, 1)
    return QRect(number * side, 0, side, side)
