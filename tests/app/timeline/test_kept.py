"""A part of a view is painted again only once something that it shows is another."""

from __future__ import annotations

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication

from app.timeline.kept import KeptPicture

SIZE = QSizeF(8.0, 4.0)


def test_it_is_kept_until_a_thing_a_number_or_the_size_is_another(qapp: QApplication) -> None:
    kept, painted = KeptPicture(), list[int]()

    def paint(painter: QPainter) -> int:
        painted.append(1)
        painter.fillRect(0, 0, 2, 2, QColor("red"))
        return len(painted)

    thing, alike = [1], [1]
    first = kept.of(SIZE, 1.0, paint, things=(thing,), numbers=(3, "a"))
    assert kept.of(SIZE, 1.0, paint, things=(thing,), numbers=(3, "a")) is first
    assert (len(painted), kept.result) == (1, 1)
    assert first.toImage().pixelColor(1, 1).name() == "#ff0000"
    assert first.toImage().pixelColor(5, 1).alpha() == 0
    kept.of(SIZE, 1.0, paint, things=(alike,), numbers=(3, "a"))
    kept.of(SIZE, 1.0, paint, things=(alike,), numbers=(4, "a"))
    kept.of(SIZE, 1.0, paint, things=(alike, thing), numbers=(4, "a"))
    kept.of(SIZE * 2.0, 1.0, paint, things=(alike, thing), numbers=(4, "a"))
    assert kept.of(SIZE * 2.0, 2.0, paint, things=(alike, thing), numbers=(4, "a")).width() == 32
    assert (len(painted), kept.result) == (6, 6)
