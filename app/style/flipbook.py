"""Flipbook: pictures of one size side by side in one strip, each as wide as it is high where no shape is given."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPixmap


def page_count(strip: QPixmap, shape: float = 1.0) -> int:
    """Return how many pictures a strip holds, `shape` times as wide as high."""
    return max(round(strip.width() / (strip.height() * shape)), 1) if strip.height() else 0


def page_of(strip: QPixmap, page: int | None = None, shape: float = 1.0) -> QRect:
    """Return the rectangle of a page, modulo their number; without a number the middle one, which shows most of a
    motion."""
    count, width = page_count(strip, shape), round(strip.height() * shape)
    number = count // 2 if page is None else page % max(count, 1)
    return QRect(number * width, 0, width, strip.height())
