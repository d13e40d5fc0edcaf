"""Views and panels look as they did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from tests.golden import pictures


def test_views_without_a_window_look_as_they_did(tmp_path: Path) -> None:
    found = {name: pictures.difference(name, picture) for name, picture in pictures.drawn(tmp_path)}
    assert found == dict.fromkeys(pictures.VIEWS, "")


def test_panels_look_as_they_did(qapp: object) -> None:
    found = {name: pictures.difference(name, picture) for name, picture in pictures.grabbed()}
    assert found == {f"panel-{name}": "" for name in pictures.PANELS}


@pytest.mark.parametrize("name", [*pictures.VIEWS, *(f"panel-{name}" for name in pictures.PANELS)])
def test_a_word_more_or_a_tint_is_seen_and_an_edge_is_not(name: str) -> None:
    kept = QImage(str(pictures.FOLDER / f"{name}.png"))
    assert pictures.difference(name, kept) == ""
    word = kept.copy()
    for x in range(20, 60):
        for y in range(20, 28, 2):
            word.setPixelColor(x, y, QColor(255, 120, 255) if kept.pixelColor(x, y).blue() < 120 else QColor(0, 0, 0))
    assert "squares differ" in pictures.difference(name, word)
    brighter = kept.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(brighter.bits(), dtype=np.uint8)  # of the picture itself
    rows[:] = np.minimum(1.12 * rows, 255.0).astype(np.uint8)
    assert "squares differ" in pictures.difference(name, brighter)
    edge = kept.copy()
    for y in range(0, kept.height(), 3):
        x = kept.width() // 2
        edge.setPixelColor(x, y, kept.pixelColor(x - 1, y).lighter(115))
    assert pictures.difference(name, edge) == ""
    assert "became" in pictures.difference(name, kept.copy(0, 0, 40, 40))
