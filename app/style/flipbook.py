"""Flipbook: pictures of one size side by side in one strip, each as wide as it is high."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPixmap


def page_count(strip: QPixmap) -> int:
    """How many pictures it holds."""
    return max(strip.width() // strip.height(), 1) if strip.height() else 0


def page_of(strip: QPixmap, page: int | None = None) -> QRect:
    """Where a page stands, counted on and on; without a number that in the middle, which tells most of a motion."""
    count, side = page_count(strip), strip.height()
    number = count // 2 if page is None else page % max(count, 1)
    return QRect(number * side, 0, side, side)
