"""Stamps look as pictures drawn one by one, the last over the others."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from app.timeline.stamps import stamp

SIZE = 7
HUES = ("#ff3020", "#20c040", "#3050ff")


@pytest.fixture
def looks(qapp: QApplication) -> QPixmap:
    """Round marks with soft edges, in a row."""
    found = QPixmap(len(HUES) * SIZE, SIZE)
    found.fill(Qt.GlobalColor.transparent)
    painter = QPainter(found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for place, hue in enumerate(HUES):
        painter.setBrush(QColor(hue))
        painter.drawEllipse(QRectF(place * SIZE + 0.5, 0.5, SIZE - 1.0, SIZE - 1.0))
    painter.end()
    return found


def ground() -> QImage:
    found = QImage(60, 40, QImage.Format.Format_ARGB32_Premultiplied)
    found.fill(QColor("#202020"))
    return found


def test_stamps_lie_where_single_pictures_would_and_in_their_order(looks: QPixmap) -> None:
    x, y = np.array([-3.0, 2.0, 4.0, 4.0, 30.0, 56.0]), np.array([1.0, 5.0, 5.0, 9.0, 36.0, 20.0])
    look = np.array([0, 1, 2, 0, 1, 2])
    found, wanted = ground(), ground()
    painter = QPainter(found)
    stamp(painter, looks, x, y, look)
    painter.end()
    painter = QPainter(wanted)
    for left, top, number in zip(x.astype(int).tolist(), y.astype(int).tolist(), look.tolist(), strict=True):
        painter.drawImage(left, top, looks.toImage().copy(number * SIZE, 0, SIZE, SIZE))
    painter.end()
    assert found == wanted
    assert found != ground()


def test_of_those_that_lie_exactly_on_each_other_the_last_is_seen(looks: QPixmap) -> None:
    found, wanted = ground(), ground()
    for image, drawn in ((found, np.arange(3)), (wanted, np.array([2]))):
        painter = QPainter(image)
        stamp(painter, looks, np.full(len(drawn), 8.0), np.full(len(drawn), 9.0), drawn)
        painter.end()
    assert found == wanted
    painter = QPainter(found)
    stamp(painter, looks, np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    painter.end()
    assert found == wanted
