"""Painting: what Qt paints over the views: small pictures, and the ground and the font of words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter

from app.scene.look import Look


def painted(width: float, height: float, ratio: float, paint: Callable[[QPainter], None]) -> QImage:
    """Paint a picture of a size in logical pixels on nothing."""
    image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(ratio, ratio)
    paint(painter)
    painter.end()
    return image


def paint_plate(painter: QPainter, box: QRectF, look: Look, opacity: float) -> None:
    """Paint the ground of words that stand over the views."""
    ground = QColor(look.window)
    ground.setAlphaF(opacity)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 4, 4)


def window_font(size: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the font of the window in a size [logical px]."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(size))
    font.setWeight(weight)
    return font
