"""Tiles of the start page: an example's flipbook runs under the pointer, and nothing runs else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.shell.start_tiles import SHAPE, StartTile
from app.style.resources import FOLDER
from engine.queries.examples import EXAMPLES

PAGES, HEIGHT = 16, 125


@pytest.fixture
def tile(qtbot: QtBot) -> Iterator[StartTile]:
    page = QWidget()
    folder = FOLDER / "examples"
    made = StartTile("A jump", "One jump", folder / "jump.png", page, flipbook=folder / "jump.jpg")
    made.resize(made.sizeHint())
    qtbot.addWidget(page)
    page.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)  # the pointer may stand where the page opens
    page.show()
    yield made
    page.close()


def enter(tile: StartTile) -> None:
    QApplication.sendEvent(tile, QEnterEvent(QPointF(9, 9), QPointF(9, 9), QPointF(9, 9)))


def test_the_flipbook_runs_under_the_pointer_and_ends_with_it(tile: StartTile, qtbot: QtBot) -> None:
    still = tile.grab().toImage()
    pages = [tile.page]
    enter(tile)
    assert [*pages, tile.page] == [None, 0]
    first = tile.grab().toImage()
    qtbot.waitUntil(lambda: tile.page is not None and tile.page >= 2)
    assert first != still
    assert tile.grab().toImage() != first
    QApplication.sendEvent(tile, QEvent(QEvent.Type.Leave))
    assert tile.page is None
    assert tile.grab().toImage() == still


def test_a_tile_that_is_put_away_runs_no_more(tile: StartTile) -> None:
    enter(tile)
    tile.hide()
    assert tile.page is None


def test_without_a_flipbook_nothing_runs(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    tile = StartTile("mine.sinew", "today", None, page)
    enter(tile)
    assert tile.page is None


@pytest.mark.parametrize("id", [each.id for each in EXAMPLES])
def test_every_example_has_a_flipbook_in_which_something_moves(id: str) -> None:
    strip = QImage(str(FOLDER / "examples" / f"{id}.jpg")).convertToFormat(QImage.Format.Format_Grayscale8)
    width = round(HEIGHT * SHAPE)
    assert (strip.width(), strip.height()) == (PAGES * width, HEIGHT)
    grey = np.frombuffer(strip.constBits(), dtype=np.uint8).reshape(HEIGHT, strip.bytesPerLine())
    pages = grey[:, : strip.width()].reshape(HEIGHT, PAGES, width).astype(int)
    moved = np.abs(pages - pages[:, :1]).max(axis=1) > 20
    assert moved.mean() > 0.001, "more than a flicker: `python -m tests.example_pictures` draws it"
