"""A library as a panel of pictures: found by name, renamed and removed if one's own, dragged where that is meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QKeySequence, QPixmap, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.style.icon_button import IconButton
from app.style.picture_grid import PictureGrid
from app.style.picture_list import PictureList
from app.style.picture_panel import PicturePanel

pytestmark = pytest.mark.gui
MIME = "application/x-thing"


@dataclass(frozen=True)
class Thing:
    name: str
    path: Path
    own: bool = True

    @property
    def picture(self) -> Path:
        return self.path.with_suffix(".png")


class Shelf:
    """A library of things."""

    def __init__(self, things: tuple[Thing, ...]) -> None:
        self.things = things
        self.removed: list[Thing] = []
        self.renamed: list[tuple[str, str]] = []

    def rename(self, kept: Thing, name: str) -> None:
        self.renamed.append((kept.name, name))

    def remove(self, kept: Thing) -> None:
        self.removed.append(kept)
        self.things = tuple(each for each in self.things if each != kept)

    def restore(self) -> None:
        self.things = (*self.things, self.removed.pop())


class Shown(PicturePanel[Thing]):
    """The shelf as a panel, which tells what is applied."""

    nothing_found = "Nothing of that name."

    def __init__(self, shelf: Shelf, pictures: PictureList[Thing]) -> None:
        grid = PictureGrid(pictures, title="Things", symbol="film")
        super().__init__(grid, shelf, find="Find a thing", keep=IconButton("plus", "Keep it"))
        self.shelf, self.grid = shelf, grid
        self.applied: list[tuple[str, bool | None]] = []

    def everything(self) -> tuple[Thing, ...]:
        return self.shelf.things

    def has_joints(self) -> bool:
        return False

    def apply(self, kept: Thing, *, mirrored: bool | None = None, on_selected: bool | None = None) -> None:
        self.applied.append((kept.name, mirrored))


@pytest.fixture
def things(tmp_path: Path) -> tuple[Thing, ...]:
    return Thing("Bow", tmp_path / "Bow.thing", own=False), Thing("Sit down", tmp_path / "Sit down.thing")


@pytest.fixture
def pictures() -> PictureList[Thing]:
    return PictureList[Thing](lambda kept: f"It is {kept.name}.", mime=MIME)


@pytest.fixture
def panel(styled: QApplication, qtbot: QtBot, things: tuple[Thing, ...], pictures: PictureList[Thing]) -> Shown:
    shown = Shown(Shelf(things), pictures)
    shown.resize(260, 300)
    qtbot.addWidget(shown)
    shown.show()
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    shown.set_seen(True)
    return shown


def centre(panel: Shown, row: int) -> QPoint:
    return panel.grid.visualRect(panel.grid.pictures.index(row, 0)).center()


def test_it_is_looked_up_once_it_is_seen_and_found_by_every_word(panel: Shown, pictures: PictureList[Thing]) -> None:
    assert pictures.rowCount() == 2
    QTest.keyClicks(panel.search, "down SIT")
    assert [pictures.index(row, 0).data() for row in range(pictures.rowCount())] == ["Sit down"]
    QTest.keyClicks(panel.search, "?")
    assert pictures.rowCount() == 0
    assert panel.grid.hint == "Nothing of that name."


def test_a_picture_that_came_later_is_shown_and_one_that_is_there_is_kept(
    panel: Shown, pictures: PictureList[Thing], things: tuple[Thing, ...]
) -> None:
    first, second = (pictures.index(row, 0) for row in range(2))
    assert pictures.picture_at(first).isNull()
    for thing, colour in zip(things, ("red", "blue"), strict=True):
        drawn = QPixmap(8, 8)
        drawn.fill(QColor(colour))
        assert drawn.save(str(thing.picture))
    told: list[int] = []
    pictures.dataChanged.connect(lambda *_: told.append(1))
    panel.follow()
    assert told == [1]
    assert pictures.picture_at(first).toImage().pixelColor(4, 4) == QColor("red")
    kept = pictures.picture_at(second).cacheKey()
    panel.follow()
    assert (pictures.picture_at(second).cacheKey(), told) == (kept, [1])


def test_return_and_a_double_click_apply_and_keys_go_before_those_of_the_window(panel: Shown) -> None:
    fired: list[str] = []
    for name in ("Return", "Del"):
        QShortcut(QKeySequence(name), panel).activated.connect(lambda name=name: fired.append(name))
    QTest.mouseClick(panel.grid.viewport(), Qt.MouseButton.LeftButton, pos=centre(panel, 1))
    QTest.mouseDClick(panel.grid.viewport(), Qt.MouseButton.LeftButton, pos=centre(panel, 1))
    QTest.keyClick(panel.grid, Qt.Key.Key_Return)
    assert panel.applied == [("Sit down", None)] * 2
    QTest.keyClick(panel.grid, Qt.Key.Key_Delete)
    assert [each.name for each in panel.shelf.removed] == ["Sit down"]
    assert fired == []


def test_the_menu_applies_it_mirrored_and_offers_what_can_be_done(panel: Shown) -> None:
    lines = {each.text(): each for each in panel.menu_for(panel.grid.pictures.index(0, 0)).actions() if each.text()}
    lines["Apply mirrored"].trigger()
    assert panel.applied == [("Bow", True)]
    assert [text for text, each in lines.items() if not each.isEnabled()] == [
        "Apply to selected joints", "Rename", "Remove",
    ]  # fmt: skip


def test_one_s_own_is_renamed_in_its_place_and_what_ships_is_not(panel: Shown, qtbot: QtBot) -> None:
    for row, name in ((0, "Nod"), (1, "Squat")):
        panel.grid.setFocus()
        panel.grid.setCurrentIndex(panel.grid.pictures.index(row, 0))
        QTest.keyClick(panel.grid, Qt.Key.Key_F2)
        editor = panel.grid.viewport().findChild(QLineEdit)
        assert (editor is not None) == (row == 1)
        if editor is not None:
            QTest.keyClicks(editor, name)
            QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.shelf.renamed == [("Sit down", "Squat")])


def test_del_removes_one_s_own_with_a_way_back_and_leaves_what_ships(panel: Shown) -> None:
    for row in (0, 1):
        panel.grid.setFocus()
        panel.grid.setCurrentIndex(panel.grid.pictures.index(row, 0))
        QTest.keyClick(panel.grid, Qt.Key.Key_Delete)
        assert panel.message.text == ("Bow comes with Sinew and stays." if row == 0 else "Removed Sit down.")
    assert [each.name for each in panel.shelf.things] == ["Bow"]
    QTest.mouseClick(panel.message._button, Qt.MouseButton.LeftButton)
    assert [each.name for each in panel.shelf.things] == ["Bow", "Sit down"]


def test_its_path_is_what_is_dragged_and_only_where_it_is_meant_to_be(
    panel: Shown, pictures: PictureList[Thing], things: tuple[Thing, ...]
) -> None:
    data = pictures.mimeData([pictures.index(1, 0)])
    assert (data.formats(), bytes(data.data(MIME).data())) == ([MIME], str(things[1].path).encode())
    still = PictureList[Thing](lambda kept: "")
    still.show(things)
    drags = Qt.ItemFlag.ItemIsDragEnabled
    assert bool(pictures.index(0, 0).flags() & drags)
    assert not still.index(0, 0).flags() & drags
    assert (panel.grid.dragEnabled(), still.mimeTypes()) == (True, [])


def test_the_return_that_ends_a_name_applies_nothing(panel: Shown) -> None:
    panel.grid.setCurrentIndex(panel.grid.pictures.index(1, 0))
    panel.grid.edit(panel.grid.currentIndex())
    field = panel.grid.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "Rest")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert panel.shelf.renamed == [("Sit down", "Rest")]
    assert panel.applied == []
