"""Colours of curves, by their places in the list."""

from __future__ import annotations

from PySide6.QtGui import QColor

from app.style.theme import Theme

HUES = (0.0, 0.37, 0.6, 0.11, 0.78, 0.49, 0.92, 0.22)


def colour_of(place: int, theme: Theme) -> str:
    """Return a colour that differs from the theme's ground, and from those of the neighbouring curves."""
    light, full = (0.68, 0.65) if theme.is_dark else (0.38, 0.72)
    return str(QColor.fromHslF(HUES[place % len(HUES)], full, light).name())
