"""The outliner: a tree that follows the document, and a hand that chooses, names, shows, hides and deletes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.features.feature import Features
from app.features.outliner.panel import OutlinerPanel
from app.features.outliner.tree import SceneTree
from app.features.table import FEATURES
from app.session import Item
from engine.document import Actor, Document
from engine.edits import edit
from tests.app.features.conftest import put_on_screen, scene
from tests.app.session.held import Held
from tests.engine.bushings.figures import cartilage, hanging

pytestmark = pytest.mark.gui
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def panel(held: Held, qtbot: QtBot) -> OutlinerPanel:
    made = OutlinerPanel(held.session)
    put_on_screen(made, qtbot)
    return made


def names(model: QAbstractItemModel, parent: QModelIndex | None = None) -> Iterator[str]:
    above = parent or QModelIndex()
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        yield str(index.data())
        yield from names(model, index)


def place(panel: OutlinerPanel, actor: str, part: str | None = None) -> QModelIndex:
    return panel.filter.mapFromSource(panel.tree.index_of(Item(actor, part)))


def centre(panel: OutlinerPanel, actor: str, part: str | None = None) -> QPoint:
    rect = panel.view.visualRect(place(panel, actor, part))
    assert rect.isValid(), f"{actor} {part} is not to be seen"
    return QPoint(rect.left() + 30, rect.center().y())


def click(panel: OutlinerPanel, actor: str, part: str | None = None, modifier: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(panel.view.viewport(), LEFT, modifier, centre(panel, actor, part))


def click_eye(panel: OutlinerPanel, actor: str) -> None:
    middle = QPoint(panel.view.viewport().width() - 15, centre(panel, actor).y())
    QTest.mouseClick(panel.view.viewport(), LEFT, NONE, middle)


def test_the_tree_is_a_sound_model_through_every_change(held: Held) -> None:
    tree = SceneTree(scene())
    QAbstractItemModelTester(tree, QAbstractItemModelTester.FailureReportingMode.Fatal)
    document = held.session.document
    for change in (
        edit("rename_actor", actor="box", name="Crate"),
        edit("remove_actor", actor="arm"),
        edit("show_actor", actor="human", visible=False),
        edit("add_actor", actor=scene().actor("arm")),
        edit("remove_actor", actor="human"),
    ):
        document = change.apply(document)
        tree.show_document(document)
        assert list(names(tree)) == list(names(SceneTree(document)))
    tree.show_document(Document())
    assert tree.rowCount() == 0


def test_actors_that_change_places_are_shown_in_their_new_order(held: Held) -> None:
    tree = SceneTree(scene())
    turned = Document(actors=scene().actors[::-1])
    tree.show_document(turned)
    assert list(names(tree)) == list(names(SceneTree(turned)))


def test_joints_hang_below_their_parents(held: Held) -> None:
    tree = SceneTree(scene())
    assert list(names(tree))[:4] == ["Arm", "Root", "Elbow", "Tip"]
    assert sum(1 for _ in names(tree)) == 3 + 3 + 40


def test_a_pose_tells_the_views_nothing(held: Held, panel: OutlinerPanel, qtbot: QtBot) -> None:
    heard: list[object] = []
    panel.tree.dataChanged.connect(lambda *_: heard.append(1))
    panel.tree.modelReset.connect(lambda: heard.append(2))
    held.session.do(edit("set_value", actor="arm", layer="pose", coordinate="elbow.flexion", value=0.5))
    assert heard == []


def test_what_is_unfolded_and_scrolled_to_stays(held: Held, panel: OutlinerPanel) -> None:
    panel.view.expandAll()
    bar = panel.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    seen = bar.value()
    assert seen > 0
    held.session.do(edit("rename_actor", actor="human", name="Person"))
    held.session.do(edit("show_actor", actor="box", visible=False))
    assert panel.view.isExpanded(place(panel, "arm", "root"))
    assert panel.view.isExpanded(place(panel, "human", "upper_spine"))
    assert bar.value() == seen
    assert place(panel, "human").data() == "Person"


def test_a_click_chooses_and_control_and_shift_add(held: Held, panel: OutlinerPanel) -> None:
    panel.view.expandAll()
    click(panel, "arm", "root")
    assert held.session.selection.items == (Item("arm", "root"),)
    click(panel, "box", modifier=CONTROL)
    assert set(held.session.selection.items) == {Item("arm", "root"), Item("box")}
    assert held.session.selection.active == Item("box")
    click(panel, "arm", "root")
    click(panel, "arm", "tip", SHIFT)
    assert set(held.session.selection.items) == {Item("arm", each) for each in ("root", "elbow", "tip")}
    assert held.session.selection.active == Item("arm", "tip")


def test_what_is_chosen_elsewhere_is_unfolded_and_marked(held: Held, panel: OutlinerPanel) -> None:
    assert not panel.view.isExpanded(place(panel, "human", "upper_spine"))
    heard: list[object] = []
    held.session.selection_changed.connect(heard.append)
    held.session.select([Item("arm", "elbow"), Item("human", "head")])
    rows = {str(index.data()) for index in panel.view.selectionModel().selectedRows()}
    assert rows == {"Elbow", "Head"}
    assert panel.view.visualRect(place(panel, "human", "head")).isValid()
    assert len(heard) == 1


def test_the_eye_shows_and_hides_and_chooses_nothing(held: Held, panel: OutlinerPanel) -> None:
    held.session.select([Item("arm", "elbow")])
    click_eye(panel, "box")
    assert not held.session.document.actor("box").visible
    assert held.session.selection.items == (Item("arm", "elbow"),)
    click_eye(panel, "box")
    assert held.session.document.actor("box").visible
    assert [entry.label for entry in held.session.history.entries[1:]] == ["Show or hide Box"] * 2


def test_f2_renames_an_actor(held: Held, panel: OutlinerPanel, qtbot: QtBot) -> None:
    click(panel, "box")
    QTest.keyClick(panel.view, Qt.Key.Key_F2)
    line = panel.view.findChild(QLineEdit)
    assert line is not None
    QTest.keyClicks(line, "Crate")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: held.session.document.actor("box").name == "Crate")
    held.session.undo()
    assert place(panel, "box").data() == "Box"


def test_a_double_click_renames_an_actor_but_no_joint(held: Held, panel: OutlinerPanel) -> None:
    for actor, part, wanted in (("arm", "root", False), ("box", None, True)):
        where = centre(panel, actor, part)
        QTest.mouseClick(panel.view.viewport(), LEFT, NONE, where)
        QTest.mouseDClick(panel.view.viewport(), LEFT, NONE, where)
        assert (panel.view.findChild(QLineEdit) is not None) is wanted


def test_an_empty_name_is_not_taken(held: Held, panel: OutlinerPanel) -> None:
    source = panel.tree.index_of(Item("box"))
    assert not panel.tree.setData(source, "  ")
    assert panel.tree.setData(source, "Box")
    assert held.session.history.position == 0


def test_delete_removes_the_chosen_actors_and_no_joint(held: Held, panel: OutlinerPanel) -> None:
    click(panel, "arm", "root")
    QTest.keyClick(panel.view, Qt.Key.Key_Delete)
    assert len(held.session.document.actors) == 3
    click(panel, "box")
    QTest.keyClick(panel.view, Qt.Key.Key_Delete)
    assert [actor.id for actor in held.session.document.actors] == ["arm", "human"]
    assert held.session.selection.items == ()
    held.session.undo()
    assert [str(panel.filter.index(row, 0).data()) for row in range(3)] == ["Arm", "Box", "Human"]


def test_the_search_narrows_to_names_and_what_they_hang_on(held: Held, panel: OutlinerPanel) -> None:
    held.session.select([Item("human", "knee_left")])
    panel.view.collapse(place(panel, "arm"))
    QTest.keyClicks(panel.search, "ELBOW")
    seen = list(names(panel.filter))
    assert "Elbow" in seen
    assert "Left elbow" in seen
    assert "Left shoulder" in seen
    assert "Left hip" not in seen
    assert "Box" not in seen
    assert held.session.selection.items == (Item("human", "knee_left"),)
    click(panel, "human", "elbow_left")
    assert held.session.selection.items == (Item("human", "elbow_left"),)
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert len(list(names(panel.filter))) == 46
    assert not panel.view.isExpanded(place(panel, "arm"))
    assert panel.view.selectionModel().selectedRows()[0].data() == "Left elbow"


def test_an_empty_list_says_what_to_do(held: Held, panel: OutlinerPanel) -> None:
    QTest.keyClicks(panel.search, "no such thing")
    assert "no such thing" in panel.view.hint
    panel.search.clear()
    for actor in held.session.document.actors:
        held.session.do(edit("remove_actor", actor=actor.id))
    assert "Add a human" in panel.view.hint


def test_the_menu_offers_what_fits_the_row(held: Held, panel: OutlinerPanel) -> None:
    def offers(index: QModelIndex) -> list[str]:
        menu = panel.menu_for(index)
        texts = [action.text() for action in menu.actions() if action.text()]
        menu.deleteLater()
        return texts

    panel.menu_asked.connect(lambda menu: menu.addAction("What the window can do"))
    assert offers(QModelIndex()) == ["Unfold all", "Fold all"]
    assert offers(place(panel, "arm", "root"))[:2] == ["Hide Arm", "What the window can do"]
    assert held.session.selection.items == (Item("arm", "root"),)
    click(panel, "box")
    assert offers(place(panel, "box")) == ["Rename", "Hide Box", "What the window can do", "Unfold all", "Fold all"]


def test_the_menu_acts(held: Held, panel: OutlinerPanel) -> None:
    menu = panel.menu_for(place(panel, "arm"))
    next(action for action in menu.actions() if action.text() == "Hide Arm").trigger()
    menu.deleteLater()
    assert not held.session.document.actor("arm").visible


def test_what_was_searched_for_is_forgotten_with_its_document(held: Held, panel: OutlinerPanel) -> None:
    QTest.keyClicks(panel.search, "elbow")
    assert panel.filter.rowCount() == 2, "the arm and the human have one, the box has none"
    held.session.new()
    assert panel.search.text() == ""
    assert panel.filter.rowCount() == 1 == len(held.session.document.actors)


def test_what_stands_on_a_joint_is_listed_below_it_through_every_change(held: Held) -> None:
    features = Features(held.session)
    features.all = FEATURES
    document = Document(actors=(Actor(id="me", name="Me", figure=hanging().actors[0].figure),))
    tree = SceneTree(document, features=features)
    QAbstractItemModelTester(tree, QAbstractItemModelTester.FailureReportingMode.Fatal)
    rib = cartilage(first="link", second="weight")
    cord = cartilage(id="cord", name="Cord", first=None, second="weight")
    for change in (
        edit("put_bushings", actor="me", bushings=(rib,)),
        edit("put_bushings", actor="me", bushings=(cord,)),
        edit("set_bushing", actor="me", bushing="cord", name="Rope"),
        edit("remove_bushings", actor="me", bushings=("cartilage",)),
        edit("rename_joint", actor="me", joint="link", name="Arm"),
    ):
        document = change.apply(document)
        tree.show_document(document)
        assert list(names(tree)) == list(names(SceneTree(document, features=features)))
    index = tree.index_of(Item("me", "weight", "cord"))
    assert (index.data(), index.parent().data()) == ("Rope", "Weight")
    tree.show_document(edit("remove_joint", actor="me", joint="weight").apply(document))
    assert not tree.index_of(Item("me", "weight", "cord")).isValid()
