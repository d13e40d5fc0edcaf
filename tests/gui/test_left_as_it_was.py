"""What is left alone: auto-key from start to start, and a pose while its figure is edited."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.panels import InspectorPanel
from app.panels.inspector.page import Page
from app.session import Item
from app.shell.key_sheet import as_html
from app.shell.keymaps import KEYMAPS, keys_in
from tests.gui.test_window import press
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
