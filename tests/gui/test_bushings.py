"""Bushings in the real window: put between two joints, set, muted, taken away."""

from __future__ import annotations

import pytest

from app.features.bushings.page import BushingPage
from app.session import Item
from app.style.value_slider import ValueSlider
from engine.bushings.parts import Bushing
from engine.bushings.uses import bushings_of
from tests.engine.bushings.figures import hanging
from tests.gui.acting import changed, click
from tests.gui.test_keys_panel import type_into
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


def only(opened: Stage) -> Bushing:
    (found,) = bushings_of(opened.session.document.actors[0])
    return found


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
