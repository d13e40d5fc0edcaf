"""What is left alone: auto-key from start to start, and a pose while its figure is edited."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from app.panels import InspectorPanel
from app.panels.inspector.page import Page
from app.session import Item
from app.shell.key_sheet import as_html
from app.shell.keymaps import KEYMAPS, keys_in
from tests.gui.test_window import press
from tests.leaks import left_behind, photograph
from tests.stage import stage

pytestmark = pytest.mark.gui


def test_auto_key_is_kept_and_a_pose_waits_while_its_figure_is_edited(qapp: object) -> None:
    with stage() as opened:
        press(opened, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert not opened.session.posing.auto_key
        kept, warning = opened.window._kept.read()
        assert not warning
        assert not kept.auto_key

        opened.session.select([Item(opened.session.document.actors[0].id, "elbow_left")])
        inspector = opened.window.findChild(InspectorPanel)
        assert inspector is not None
        assert isinstance(inspector.page, Page)
        slider = inspector.page.fields[0].sliders[0]
        assert slider.isEnabled()
        press(opened, Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
        assert not slider.isEnabled()
        assert "figure is edited" in slider.toolTip()
        press(opened, Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
        assert slider.isEnabled()
        assert "figure is edited" not in slider.toolTip()


def test_the_sheet_names_the_keymaps_own_keys_beside_the_mouse(qapp: object) -> None:
    blender, industry = KEYMAPS["blender"], KEYMAPS["industry"]
    assert "W moves, E rotates" in as_html(industry, keys_in(industry, {}))
    assert "G moves, R rotates" in as_html(blender, keys_in(blender, {}))


def test_a_window_that_is_shared_hides_no_menu_that_a_test_left_and_no_command_that_waits(qapp: object) -> None:
    done: list[str] = []
    with stage() as opened:
        before = photograph(with_qt=True)
        with opened.anew():
            menu = QMenu(opened.window)
            opened.session.begin_gesture("Turn")
            opened.session.when_free(lambda: done.append("later"))
        found = left_behind(before, with_qt=True, patience=0.1)
        assert found == ["top-level QMenu ''"]
        assert done == []
        menu.deleteLater()
        assert left_behind(before, with_qt=True) == []
