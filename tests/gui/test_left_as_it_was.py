"""What is left alone: auto-key from start to start, a pose while its figure is edited, a window that tests share."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.features.limits.current_limit import CurrentLimit
from app.features.secondary.current_targets import CurrentTargets
from app.features.sequences.library import Manner, SequenceLibrary
from app.scene.navigation import MICE
from app.scene.panes import PERSPECTIVE
from app.session import Item
from app.session.reaching import Grip
from app.shell.key_sheet import as_html
from app.shell.keymaps import KEYMAPS, keys_in
from app.style.search_field import SearchField
from app.style.section import SectionHeader
from tests.gui.test_window import press
from tests.leaks import is_alive, left_behind, photograph
from tests.one_window import OneWindow
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui


def test_auto_key_is_kept_and_a_pose_waits_while_its_figure_is_edited(the_window: OneWindow) -> None:
    with the_window.begun() as opened:
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
    with stage(seen=False) as opened:
        for dock in opened.window.docks.values():
            dock.widget()  # made now, with its menus
        before = photograph(with_qt=True)
        with opened.anew():
            menu = QMenu(opened.window)
            opened.session.begin_gesture("Turn")
            opened.session.when_free(lambda: done.append("later"))

        def found() -> list[str]:
            return [each for each in left_behind(before, with_qt=True, patience=0.0) if "QTimer" not in each]

        opened.until(lambda: found() == ["top-level QMenu ''"])  # threads end in their own time
        assert done == []
        menu.deleteLater()
        assert left_behind(before, with_qt=True) == []


def test_the_window_of_a_process_is_after_each_test_as_it_was(qapp: object) -> None:
    process = OneWindow()
    try:
        with process.begun(size=(1400, 900)) as opened:
            use_much(opened)
        assert process.what_is_left() == []
        with process.begun() as opened:
            opened.session.of(SequenceLibrary).set_manner(Manner(mirrored=True))
        assert process.what_is_left() == ["session.of(SequenceLibrary).manner.mirrored: False, then True"]
    finally:
        process.close()


def use_much(opened: Stage) -> None:
    """As a test would that cares for no other."""
    window, session = opened.window, opened.session
    window.prefer(show_trails=True, seconds=True, keymap="blender", extent="whole", snaps=True)
    window.menus.actions["view.workspace_animate"].trigger()
    window.menus.actions["help.about"].trigger()
    session.select([Item(session.document.actors[0].id, "elbow_left")])
    opened.panel(InspectorPanel).findChildren(SectionHeader)[-1].set_unfolded(True)
    session.reaching.set_terms(replace(session.reaching.terms, milliseconds=50.0))
    session.reaching.held = frozenset({Grip(session.document.actors[0].id, "foot_left")})
    session.of(CurrentTargets).meet_always(True)
    session.of(CurrentLimit).set_brush(radius=1.0)
    session.player.set_looping(False)
    session.player.set_speed(2.0)
    session.posing.set_auto_key(False)
    session.play()
    opened.view.maximise(PERSPECTIVE)
    opened.view.mouse = MICE["blender"]
    assert window.toolbox is not None
    window.toolbox.take("move")
    for field in window.findChildren(SearchField):
        field.setText("knee")
    session.note("warning", "Something went wrong.")
    opened.settle()


def test_after_a_test_that_failed_the_window_is_another(qapp: object) -> None:
    process = OneWindow()
    try:
        first = process.open()
        assert process.open() is first
        process.spoil()
        second = process.open()
        assert second is not first
        assert not is_alive(first.window)
        assert process.open() is second
    finally:
        process.close()
    assert process.windows == []
