"""What the views show beside bodies, and what can be taken: the real window, real keys and menus, and its pixels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.features.outliner.panel import OutlinerPanel
from app.features.references.page import ReferencePage
from app.session import Item
from app.session.actors import ball
from app.shell.actions import ACTIONS
from engine.edits import edit
from tests.app.shell.answers import Answers
from tests.one_window import OneWindow
from tests.picking import find_body
from tests.stage import Stage

pytestmark = pytest.mark.gui

CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
FRONT, RIGHT = 2, 3


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    """A document of its own: a human and a ball."""
    with the_window.begun(questions=answers) as begun:
        begun.session.do(edit("add_actor", actor=ball(begun.session.document)))
        begun.session.select(())
        begun.settle()
        yield begun


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """One key, in the view."""
    canvas = opened.view.childAt(opened.view.rect().center())
    assert isinstance(canvas, QWidget)
    canvas.setFocus()
    QTest.keyClick(opened.window.windowHandle(), key, modifiers)
    QApplication.processEvents()


def choose(opened: Stage, id: str) -> None:
    """A line of a menu, opened and clicked."""
    action = opened.window.menus.actions[id]
    line = next(each for each in ACTIONS if each.id == id)
    top = opened.window.menus.menus[line.menu]
    top.popup(opened.window.mapToGlobal(QPoint(200, 40)))
    menu = top
    if line.submenu:
        menu = opened.window.menus.menus[f"{line.menu}/{line.submenu}"]
        menu.popup(opened.window.mapToGlobal(QPoint(420, 40)))
    opened.until(lambda: menu.isVisible())
    assert action.isEnabled(), f"{id} cannot be done"
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    for each in (menu, top):
        each.close()
    QApplication.processEvents()


def pixels(image: QImage) -> NDArray[np.int_]:
    """Red, green and blue, shape [height, width, 3]."""
    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width() * 4].reshape(plain.height(), plain.width(), 4)[:, :, :3].astype(int)


def differs(one: QImage, other: QImage) -> float:
    """Share of the pixels that differ visibly."""
    return float((np.abs(pixels(one) - pixels(other)).max(axis=2) > 12).mean())


def picture(opened: Stage, view: int = FRONT) -> QImage:
    """A view as it is drawn."""
    opened.settle()
    return opened.view.render_image(320, 240, samples=1, view=view)


def over(opened: Stage, owner: str, view: int = FRONT, *, apart: int = 8) -> QPointF | None:
    """A point of a view under which an actor lies."""
    found = find_body(opened.view, opened.session.document.actor(owner), pane=view, apart=apart)
    return None if found is None else found[0]


def outliner(opened: Stage) -> OutlinerPanel:
    found = opened.window.docks["outliner"].findChild(OutlinerPanel)
    assert isinstance(found, OutlinerPanel)
    return found


# Balance


def test_view_show_balance_draws_the_centre_of_mass_and_tells_the_margin(opened: Stage) -> None:
    before = picture(opened)
    choose(opened, "view.show_balance")
    opened.until(lambda: bool(opened.snapshot is not None and opened.snapshot.balances))
    assert differs(before, picture(opened)) > 0.001
    opened.until(lambda: "mm inside" in opened.window.status.balance.text())
    assert opened.window.preferences.show_balance
    human = opened.session.document.actors[0].id
    tilt = {"position": (0.0, 0.0, 0.0), "rotation": (0.99, 0.14106735979665894, 0.0, 0.0)}
    opened.session.do(edit("place_actor", actor=human, **tilt))
    opened.settle()
    opened.until(lambda: "off balance" in opened.window.status.balance.text())
    assert warns(picture(opened)) > warns(before)
    choose(opened, "view.show_balance")
    opened.until(lambda: opened.snapshot is not None and not opened.snapshot.balances)
    assert not opened.window.status.balance.isVisible()


def warns(image: QImage) -> int:
    """Pixels in the colour of a warning."""
    return int((np.abs(pixels(image) - np.array([227, 176, 91])).max(axis=2) < 40).sum())


def test_view_show_contacts_marks_the_soles(opened: Stage) -> None:
    before = picture(opened)
    choose(opened, "view.show_contacts")
    opened.until(lambda: bool(opened.snapshot is not None and opened.snapshot.balances))
    assert differs(before, picture(opened)) > 0.0002
    choose(opened, "view.show_contacts")
    opened.settle()
    assert differs(before, picture(opened)) == 0.0


# What is seen and what can be taken


def test_view_hide_isolate_and_show_all_are_one_undo_each(opened: Stage) -> None:
    session, (human, thing) = opened.session, opened.session.document.actors
    before = session.document
    session.select([Item(thing.id)])
    press(opened, Qt.Key.Key_I, SHIFT)
    assert [each.visible for each in session.document.actors] == [False, True]
    opened.settle()
    assert over(opened, human.id, apart=16) is None
    press(opened, Qt.Key.Key_H, CTRL | SHIFT)
    assert all(each.visible for each in session.document.actors)
    press(opened, Qt.Key.Key_H, CTRL)
    assert [each.visible for each in session.document.actors] == [True, False]
    for _ in range(3):
        press(opened, Qt.Key.Key_Z, CTRL)
    assert session.document is before


def test_view_freeze_lets_picking_pass_through_and_refuses_the_hand(opened: Stage) -> None:
    session, human = opened.session, opened.session.document.actors[0]
    spot = over(opened, human.id)
    assert spot is not None
    session.select([Item(human.id)])
    choose(opened, "view.freeze")
    opened.settle()
    assert session.document.actors[0].frozen
    for display in ("mannequin", "skin", "bones", "lines"):
        opened.view.set_display(display)
        opened.settle()
        assert opened.view.pick(spot) is None, display
        assert over(opened, human.id, apart=16) is None, display
    opened.view.set_display("mannequin")
    frozen = session.document
    session.do(edit("place_actor", actor=human.id, position=(1.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)))
    assert session.document is frozen
    assert "is frozen: thaw it" in opened.window.message.text
    page = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert page is not None
    assert isinstance(page.page, Page)
    assert not any(slider.isEnabled() for fields in page.page.fields for slider in fields.sliders)
    choose(opened, "view.thaw_all")
    opened.settle()
    assert over(opened, human.id) is not None


def test_a_click_on_the_snowflake_freezes_and_thaws(opened: Stage) -> None:
    panel, human = outliner(opened), opened.session.document.actors[0]
    row = panel.view.visualRect(panel.filter.index(0, 0))
    spot = QPoint(panel.view.viewport().width() - 41, row.center().y())
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert opened.session.document.actor(human.id).frozen
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert not opened.session.document.actor(human.id).frozen


# Choosing


def test_select_parent_children_limb_mirror_and_invert_by_their_keys(opened: Stage) -> None:
    session, human = opened.session, opened.session.document.actors[0]

    def parts() -> list[str | None]:
        return [item.part for item in session.selection.items]

    session.select([Item(human.id, "knee_left")])
    press(opened, Qt.Key.Key_BracketLeft)
    assert parts() == ["hip_left"]
    press(opened, Qt.Key.Key_BracketRight)
    assert parts() == ["knee_left"]
    press(opened, Qt.Key.Key_M, CTRL | SHIFT)
    assert parts() == ["knee_right"]
    press(opened, Qt.Key.Key_L, SHIFT)
    assert parts() == ["hip_right", "knee_right", "ankle_right", "toes_right"]
    press(opened, Qt.Key.Key_I, CTRL)
    assert len(parts()) == len(human.figure.joints) - 4
    assert "knee_right" not in parts()


def test_select_make_set_recall_add_and_take_out(opened: Stage) -> None:
    session, human = opened.session, opened.session.document.actors[0]
    for number, joint in enumerate(("wrist_left", "wrist_right", "neck", "head"), start=1):
        session.select([Item(human.id, joint)])
        press(opened, Qt.Key.Key_G, CTRL)
        assert session.document.selection_sets[-1].name == f"Set {number}"
    keys = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)
    for key, joint in zip(keys, ("wrist_left", "wrist_right", "neck", "head"), strict=True):
        press(opened, key, CTRL | ALT)
        assert session.selection.items == (Item(human.id, joint),)
    session.select([Item(human.id, "pelvis")])
    choose(opened, "select.add_to_set")
    assert [joint for _, joint in session.document.selection_sets[3].items] == ["head", "pelvis"]
    choose(opened, "select.take_from_set")
    assert [joint for _, joint in session.document.selection_sets[3].items] == ["head"]


def test_a_set_in_the_outliner_is_clicked_renamed_and_removed(opened: Stage) -> None:
    session, human, panel = opened.session, opened.session.document.actors[0], outliner(opened)
    session.select([Item(human.id, "neck")])
    choose(opened, "select.make_set")
    sets = panel.scenery.sets
    assert sets.isVisible()
    session.select(())
    QTest.mouseClick(
        sets.list.viewport(), Qt.MouseButton.LeftButton, pos=sets.list.visualItemRect(sets.list.item(0)).center()
    )
    assert session.selection.items == (Item(human.id, "neck"),)
    sets.list.editItem(sets.list.item(0))
    editor = sets.list.viewport().findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Throat")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    opened.until(lambda: session.document.selection_sets[0].name == "Throat")
    menu = sets.menu_for(session.document.selection_sets[0].id)
    pick_from(menu, "Remove")
    assert not session.document.selection_sets
    assert not sets.isVisible()


def pick_from(menu: QMenu, text: str) -> None:
    """Click a line of a menu."""
    menu.popup(QPoint(300, 300))
    action = next(each for each in menu.actions() if each.text() == text)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    menu.close()
    menu.deleteLater()


# Reference pictures


def red(folder: Path, width: int = 40, height: int = 80, name: str = "red.png") -> Path:
    """A red picture."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff2010"))
    assert image.save(str(folder / name))
    return folder / name


def redness(image: QImage) -> float:
    """Share of the pixels that are much more red than green."""
    found = pixels(image)
    return float((found[:, :, 0] - found[:, :, 1] > 60).mean())


def test_add_reference_hangs_a_picture_behind_the_bodies_of_one_view(
    opened: Stage, answers: Answers, tmp_path: Path
) -> None:
    session, answers.file = opened.session, red(tmp_path)
    opened.view.set_active(FRONT)
    before = {view: redness(picture(opened, view)) for view in range(4)}
    choose(opened, "add.reference")
    opened.until(lambda: bool(session.references.shown))
    answers.file.unlink()
    assert session.document.references[0].facing == "front"
    assert redness(picture(opened, FRONT)) > before[FRONT] + 0.03
    assert all(redness(picture(opened, view)) == before[view] for view in (0, 1, RIGHT))
    assert over(opened, session.document.actors[0].id) is not None, "a picture takes no click"
    behind = redness(picture(opened, FRONT))
    page = opened.window.docks["inspector"].findChild(ReferencePage)
    assert page is not None
    QTest.mouseClick(page.in_front, Qt.MouseButton.LeftButton, pos=QPoint(8, page.in_front.height() // 2))
    assert session.document.references[0].in_front
    assert redness(picture(opened, FRONT)) > behind, "it covers the body"
    page.opacity.setFocus()
    QTest.keyClick(page.opacity, Qt.Key.Key_Left)
    opened.until(lambda: session.document.references[0].opacity < 0.6)
    session.select([Item(session.document.actors[0].id)])
    assert session.references.chosen is None
    assert opened.window.docks["inspector"].findChild(InspectorPanel).page is not page  # type: ignore[union-attr]


def test_a_dropped_picture_hangs_in_the_perspective_view_and_follows_the_camera(opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    opened.view.set_active(1)
    drop(opened, red(tmp_path))
    opened.until(lambda: bool(session.references.shown))
    assert session.document.references[0].facing == "perspective"
    assert redness(picture(opened, 1)) > 0.1
    assert redness(picture(opened, FRONT)) < 0.05
    panel = outliner(opened).scenery.references
    QTest.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualItemRect(panel.list.item(0)).center()
    )
    assert session.references.chosen == session.document.references[0].id
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    opened.until(lambda: not session.document.references)
    assert redness(picture(opened, 1)) < 0.05


def drop(opened: Stage, path: Path) -> None:
    """A file dragged over the window and let go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(opened.window, QDragEnterEvent(QPoint(400, 300), copy, data, left, none))
    QApplication.sendEvent(opened.window, QDropEvent(QPointF(400, 300), copy, data, left, none))


def test_what_is_no_picture_is_refused_with_what_to_do(opened: Stage, tmp_path: Path) -> None:
    path = tmp_path / "broken.png"
    path.write_bytes(b"not a picture")
    before = opened.session.document
    drop(opened, path)
    opened.until(lambda: any("broken.png" in entry.text for entry in opened.session.log))
    said = next(entry for entry in opened.session.log if "broken.png" in entry.text)
    assert said.kind == "error"
    assert "Save it as PNG or JPEG" in said.text
    assert opened.session.document is before


def test_a_huge_picture_is_kept_smaller_and_says_so(opened: Stage, tmp_path: Path) -> None:
    drop(opened, red(tmp_path, 5000, 1000, "wide.png"))
    opened.until(lambda: bool(opened.session.document.references))
    found = opened.session.document.references[0]
    assert (found.width, found.height) == (4096, 819)
    assert any("5000 x 1000 pixels; 4096 x 819 are kept" in entry.text for entry in opened.session.log)
