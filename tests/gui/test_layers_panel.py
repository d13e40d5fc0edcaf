"""The list of layers, by the mouse, on the real window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QToolButton

from app.features.layers.panel import LayersPanel
from engine.document import Layer
from engine.document.correction import Bell, Term, correction_of
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(size=(1400, 900)) as open_stage:  # rows leave nothing out
        open_stage.window.docks["layers"].raise_()
        yield open_stage


def panel_of(opened: Stage) -> LayersPanel:
    panel = opened.window.docks["layers"].widget()
    assert isinstance(panel, LayersPanel)
    return panel


def layers_of(opened: Stage) -> tuple[Layer, ...]:
    return opened.session.document.actors[0].layers


def press(opened: Stage, name: str, *, which: int = 0) -> None:
    """Click the button of that name in a row, the uppermost first."""
    opened.settle()
    buttons = [each for each in panel_of(opened).findChildren(QToolButton) if each.accessibleName() == name]
    visible = [each for each in buttons if each.isVisibleTo(panel_of(opened))]
    visible.sort(key=lambda button: button.mapToGlobal(button.rect().topLeft()).y())
    QTest.mouseClick(visible[which], Qt.MouseButton.LeftButton)


def test_layers_are_added_muted_soloed_moved_and_removed_each_by_one_undoable_edit(opened: Stage) -> None:
    first = opened.session.document
    press(opened, "Add a layer on top")
    assert [layer.name for layer in layers_of(opened)] == ["Pose", "Layer 2"]
    press(opened, "Mute layer")
    press(opened, "Solo", which=1)
    assert [(layer.mute, layer.solo) for layer in layers_of(opened)] == [(False, True), (True, False)]
    press(opened, "Further down")
    assert [layer.name for layer in layers_of(opened)] == ["Layer 2", "Pose"]
    press(opened, "Remove", which=1)
    assert [layer.name for layer in layers_of(opened)] == ["Pose"]
    for _ in range(5):
        opened.session.undo()
    assert opened.session.document is first


def test_a_layer_that_is_dropped_comes_to_stand_in_the_gap(opened: Stage) -> None:
    press(opened, "Add a layer on top")
    press(opened, "Add a layer on top")
    opened.settle()
    panel, start = panel_of(opened), opened.session.document
    for which, gap, names in (
        (0, 2, ["Layer 2", "Layer 3", "Pose"]),
        (2, 1, ["Layer 3", "Pose", "Layer 2"]),
        (1, 1, ["Layer 3", "Layer 2", "Pose"]),
        (1, 2, ["Layer 3", "Layer 2", "Pose"]),
    ):
        rows, held = panel.rows, panel.rows[which].layer
        assert held is not None
        opened.session.layering.choose(held.id)
        panel.refresh()
        rows[which].dropped.emit(rows[gap].mapToGlobal(rows[gap].rect().topLeft()).y() + 1)
        assert [layer.name for layer in reversed(layers_of(opened))] == names
        if opened.session.document is not start:
            opened.session.undo()


def test_how_and_how_much_a_layer_counts(opened: Stage) -> None:
    def box(words: str) -> QComboBox:
        found = [each for each in panel_of(opened).findChildren(QComboBox) if each.accessibleName() == words]
        return found[-1]

    mode = box("How Pose counts")
    mode.activated.emit(mode.findText("Add"))
    weight = panel_of(opened).rows[0].weight
    assert weight.accessibleName() == "How much Pose counts"
    weight.setFocus()
    QTest.keyClicks(weight, "5")
    QTest.keyClick(opened.window.focusWidget(), Qt.Key.Key_Return)
    opened.until(lambda: opened.session.at_rest and layers_of(opened)[0].weight == 0.05)
    assert layers_of(opened)[0].mode == "add"


def test_a_correction_is_named_so_and_its_mode_is_not_asked_for(opened: Stage) -> None:
    actor = opened.session.document.actors[0]
    bell = Bell(time=SECOND, before=SECOND // 2, after=SECOND // 2)
    correction = correction_of((Term(bell=bell, amplitudes=(("elbow_left.flexion", 0.3),)),))
    opened.session.do(edit("set_correction", actor=actor.id, layer="found", correction=correction))
    row = panel_of(opened).rows[0]
    assert row.layer is not None
    assert row.layer.id == "found"
    assert row.kind.text() == "correction"
    assert not row.mode.isEnabled(), "it adds, whatever its mode"
    key = {"actor": actor.id, "layer": "found", "coordinate": "elbow_left.flexion", "time": 0, "value": 0.5}
    opened.session.do(edit("set_key", **key))
    row = panel_of(opened).rows[0]
    assert row.kind.text() == "1 key"
    assert row.mode.isEnabled()


def test_the_list_follows_the_selected_figure(opened: Stage) -> None:
    opened.window.menus.actions["add.human"].trigger()
    assert panel_of(opened).name.text == "Human 2"
    opened.session.select(())
    assert panel_of(opened).name.text == "Human"


def test_a_row_stays_as_the_motion_below_it_changes_and_shows_what_differs(opened: Stage) -> None:
    press(opened, "Add a layer on top")
    panel, actor = panel_of(opened), opened.session.document.actors[0]
    rows = list(panel.rows)
    assert [row.kind.text() for row in rows] == ["pose", "pose"]
    key = {"actor": actor.id, "layer": actor.layers[1].id, "coordinate": "elbow_left.flexion", "time": 0, "value": 0.5}
    opened.session.do(edit("set_key", **key))
    assert panel.rows == rows
    assert [row.kind.text() for row in rows] == ["1 key", "pose"]
    press(opened, "Remove")
    assert panel.rows == rows[:1]
    assert panel.rows[0].name.text == "Pose"


def test_a_hidden_list_is_left_alone_and_right_when_it_is_seen(opened: Stage) -> None:
    panel = panel_of(opened)
    opened.window.docks["log"].raise_()
    opened.settle()
    opened.window.menus.actions["add.human"].trigger()
    assert panel.name.text == "Human"
    opened.window.docks["layers"].raise_()
    opened.until(lambda: panel.name.text == "Human 2")
