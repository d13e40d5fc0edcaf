"""Bushings in the real window: put between two joints or to the ground, seen, chosen, set, muted, taken away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.bushings.page import BushingPage
from app.features.bushings.view.marking import BUSHINGS
from app.scene.panes import FRONT
from app.session import Item
from app.style.value_slider import ValueSlider
from engine.bushings.parts import Bushing
from engine.bushings.uses import bushings_of
from tests.engine.bushings.figures import hanging
from tests.engine.bushings.test_bushings import STIFF, lowered, upright
from tests.gui.acting import changed, click
from tests.gui.test_figure_editor import canvas_of
from tests.gui.test_ghosts import symbols
from tests.gui.test_keys_panel import type_into
from tests.gui.test_planned_motions import pixel
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def only(opened: Stage) -> Bushing:
    (found,) = bushings_of(opened.session.document.actors[0])
    return found


def test_a_bushing_is_seen_while_its_figure_is_selected_and_a_click_chooses_it(the_window: OneWindow) -> None:
    with the_window.begun(lowered(hanging(upright(STIFF)))) as opened:
        session = opened.session
        opened.view.maximise(FRONT)
        opened.settle()
        assert symbols(opened, BUSHINGS) == {}
        session.select([Item("me", "weight")])
        opened.settle()
        (seen,) = symbols(opened, BUSHINGS).values()
        assert seen.place == pytest.approx((0.0, 0.995, 0.0))
        QTest.mouseClick(canvas_of(opened), LEFT, NONE, pixel(opened, seen.place))
        opened.settle()
        assert session.selection.items == (Item("me", "base", "spring"),)
        assert opened.window.findChild(BushingPage) is not None
        opened.window.menus.actions["view.show_bushings"].trigger()
        opened.settle()
        assert symbols(opened, BUSHINGS) == {}
        opened.window.menus.actions["view.show_bushings"].trigger()
        opened.settle()
        assert len(symbols(opened, BUSHINGS)) == 1


def test_a_bushing_is_put_to_the_ground(the_window: OneWindow) -> None:
    with the_window.begun(hanging()) as opened:
        session, before = opened.session, opened.session.document
        session.select([Item("me", "weight")])
        opened.settle()
        opened.window.menus.actions["bushings.add_to_ground"].trigger()
        changed(opened, before)
        opened.settle()
        assert (only(opened).name, only(opened).first, only(opened).second) == ("Ground to Weight", None, "weight")
        assert only(opened).first_position == pytest.approx((0.0, 1.0, 0.0))
        assert session.selection.items == (Item("me", "weight", only(opened).id),)
        (seen,) = symbols(opened, BUSHINGS).values()
        assert seen.place == pytest.approx((0.0, 1.0, 0.0))
        session.undo()
        opened.until(lambda: session.document is before)


def test_a_bushing_is_put_between_joints_set_muted_and_taken_away(the_window: OneWindow) -> None:
    with the_window.begun(hanging()) as opened:
        session, before = opened.session, opened.session.document
        session.select([Item("me", "base"), Item("me", "weight")])
        opened.settle()
        opened.window.menus.actions["bushings.add"].trigger()
        made = changed(opened, before)
        opened.settle()
        assert (only(opened).first, only(opened).second) == ("base", "weight")
        assert only(opened).name == "Base to Weight"
        page = opened.window.findChild(BushingPage)
        assert page is not None
        slider = page.form.fields["sliding.y"]
        assert isinstance(slider, ValueSlider)
        type_into(slider, "500")
        opened.until(lambda: only(opened).sliding == (1e4, 500.0, 1e4))
        click(page.line.mute)
        opened.until(lambda: only(opened).mute)
        click(page.line.remove)
        opened.until(lambda: not bushings_of(session.document.actors[0]))
        for _ in range(3):
            session.undo()
            opened.settle()
        opened.until(lambda: session.document is made)
