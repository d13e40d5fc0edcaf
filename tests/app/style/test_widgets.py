"""Sections, the search field, message bar, elided label and icon button."""

from __future__ import annotations

from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.style.apply import apply_theme
from app.style.elided_label import ElidedLabel
from app.style.icon_button import IconButton
from app.style.message_bar import MessageBar
from app.style.number_line import NumberLine
from app.style.search_field import SearchField
from app.style.section import FoldedSection
from app.style.sheet import Sheet
from app.style.theme import dark, light

pytestmark = pytest.mark.gui
Child = TypeVar("Child", bound=QWidget)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(styled: QApplication, qtbot: QtBot) -> QWidget:
    made = QWidget()
    QVBoxLayout(made)
    made.resize(260, 300)
    qtbot.addWidget(made)
    return made


def put(window: QWidget, widget: QWidget, qtbot: QtBot) -> None:
    layout = window.layout()
    assert layout is not None
    layout.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def child(parent: QWidget, kind: type[Child]) -> Child:
    found = parent.findChild(kind)
    assert found is not None
    return found


def test_a_section_makes_its_inside_when_first_unfolded(window: QWidget, qtbot: QtBot) -> None:
    made: list[QLabel] = []

    def build() -> QLabel:
        made.append(QLabel("inside"))
        return made[-1]

    section = FoldedSection("Left shoulder", build)
    put(window, section, qtbot)
    assert made == []
    QTest.mouseClick(section.header, LEFT, pos=QPoint(40, 10))
    assert made[0].isVisible()
    QTest.mouseClick(section.header, LEFT, pos=QPoint(40, 10))
    assert not made[0].isVisible()
    QTest.mouseClick(section.header, LEFT, pos=QPoint(40, 10))
    assert len(made) == 1


def test_a_section_folds_by_keys_and_says_its_state(window: QWidget, qtbot: QtBot) -> None:
    section = FoldedSection("Left shoulder", QLabel, summary="12.0°")
    put(window, section, qtbot)
    section.header.setFocus()
    assert section.header.accessibleDescription() == "12.0°, folded"
    QTest.keyClick(section.header, Qt.Key.Key_Right)
    assert section.header.accessibleDescription() == "12.0°, unfolded"
    QTest.keyClick(section.header, Qt.Key.Key_Left)
    assert section.header.accessibleDescription() == "12.0°, folded"
    QTest.keyClick(section.header, Qt.Key.Key_Space)
    assert section.header.unfolded


def test_escape_empties_the_search(window: QWidget, qtbot: QtBot) -> None:
    search = SearchField("Search joints")
    put(window, search, qtbot)
    search.setFocus()
    QTest.keyClicks(search, "elbow")
    assert search.text() == "elbow"
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert search.text() == ""


def test_space_is_left_to_the_window_until_a_number_is_being_typed(window: QWidget, qtbot: QtBot) -> None:
    line = NumberLine("48")
    put(window, line, qtbot)
    space = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " ")
    QApplication.sendEvent(line, space)
    assert not space.isAccepted(), "it plays"
    QTest.keyClicks(line, "1.6")
    QApplication.sendEvent(line, space)
    assert space.isAccepted(), "1.6 s is typed with a space"


def test_a_message_in_one_line_is_whole_in_its_tooltip_and_no_higher(window: QWidget, qtbot: QtBot) -> None:
    bar, long = MessageBar(one_line=True), "Nothing of what is selected is pinned at this time. " * 9
    put(window, bar, qtbot)
    bar.say("Short.")
    height = bar.height()
    bar.say(long, kind="warning", do="Undo", act=bar.dismiss)
    assert (bar.text, bar.height()) == (long, height)
    assert bar.minimumSizeHint().width() < 300
    assert any(each.toolTip() == long for each in bar.findChildren(QWidget))


def test_a_message_takes_no_focus_and_its_cross_puts_it_away(window: QWidget, qtbot: QtBot) -> None:
    search, bar = SearchField(), MessageBar()
    put(window, search, qtbot)
    put(window, bar, qtbot)
    assert not bar.isVisible()
    search.setFocus()
    bar.say("The disk is full. Nothing was lost.", kind="error")
    assert bar.isVisible()
    assert search.hasFocus()
    assert bar.text == "The disk is full. Nothing was lost."
    assert bar.kind == "error"
    with qtbot.waitSignal(bar.closed):
        QTest.mouseClick(child(bar, IconButton), LEFT)
    assert not bar.isVisible()


def test_a_message_can_offer_something_to_do(window: QWidget, qtbot: QtBot) -> None:
    bar, done = MessageBar(), []
    put(window, bar, qtbot)
    bar.say("The save failed.", kind="warning", do="Try again", act=lambda: done.append(1))
    button = child(bar, QPushButton)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert done == [1]
    assert not bar.isVisible()
    bar.say("Saved.")
    assert not button.isVisible()


def test_a_warning_that_had_time_to_be_read_goes_with_the_next_change_and_an_error_stays(
    window: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = MessageBar()
    put(window, bar, qtbot)
    bar.say("That is no time.", kind="warning")
    bar.outlive()
    assert bar.isVisible(), "it was not read yet"
    monkeypatch.setattr("app.style.message_bar.READ_IN", 0)
    qtbot.waitUntil(lambda: bar._since.hasExpired(0))
    bar.outlive()
    assert not bar.isVisible()
    bar.say("The save failed.", kind="error")
    bar.outlive()
    assert bar.isVisible()


def test_a_long_message_is_not_cut(window: QWidget, qtbot: QtBot) -> None:
    bar = MessageBar()
    put(window, bar, qtbot)
    bar.say("word " * 60, kind="note")
    qtbot.waitUntil(lambda: bar.height() >= bar.heightForWidth(bar.width()) > 60)


def test_text_in_a_message_is_not_taken_for_markup(window: QWidget, qtbot: QtBot) -> None:
    bar = MessageBar()
    put(window, bar, qtbot)
    bar.say("<b>no</b>")
    assert child(bar, QLabel).textFormat() == Qt.TextFormat.PlainText


def test_a_label_without_room_ends_in_an_ellipsis_and_keeps_its_whole_text(window: QWidget, qtbot: QtBot) -> None:
    label = ElidedLabel("A joint with a name that is far too long for a narrow dock")
    put(window, label, qtbot)
    assert label.shown_text.endswith("…")
    assert label.toolTip() == label.text
    window.resize(700, 300)
    qtbot.waitUntil(lambda: label.shown_text == label.text)


def test_an_icon_button_is_named_and_follows_the_theme(window: QWidget, styled: QApplication, qtbot: QtBot) -> None:
    button = IconButton("eye", "Hide")
    put(window, button, qtbot)
    before = button.grab().toImage()
    apply_theme(styled, light)
    qtbot.waitUntil(lambda: button.grab().toImage() != before)
    dark_ink = min(
        button.icon().pixmap(16, 16).toImage().pixelColor(x, y).lightness() for x in range(16) for y in range(16)
    )
    assert dark_ink < 120
    assert button.accessibleName() == "Hide"


def test_a_message_box_has_our_icon_and_no_pictures_on_its_buttons(styled: QApplication, qtbot: QtBot) -> None:
    box = QMessageBox(QMessageBox.Icon.Warning, "Sinew", "Save the changes?")
    box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    box.show()
    assert all(button.icon().isNull() for button in box.buttons())
    picture = box.iconPixmap().toImage()
    inks = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
    assert {ink.name() for ink in inks if ink.alpha() == 255} == {dark.warning}


def test_a_sheet_is_no_larger_than_the_screen_and_stands_on_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sheet = Sheet(window, "Large")
    sheet.resize(9000, 7000)
    sheet.move(5000, 4000)
    sheet.show()
    assert sheet.screen().availableGeometry().contains(sheet.geometry())
