"""Light in the real window: a studio is set up, the key is turned, a figure is coloured, and all of it is undone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor

from app.features.light.panel import LightPanel
from app.session import Item
from engine.lighting.parts import STUDIO, Finish, Lighting
from tests.app.scene.conftest import pixels
from tests.gui.acting import changed, click, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        yield open_stage


def test_a_studio_is_set_up_its_key_turned_a_figure_coloured_and_all_undone(opened: Stage) -> None:
    session, begun = opened.session, opened.session.document
    panel = shown_panel(opened, "light.show", LightPanel)
    assert not panel.lights.isEnabled()
    dark = pixels(opened.view.grab_image())
    before = session.document
    click(panel.studio)
    lit = changed(opened, before).part(Lighting)
    assert lit is not None
    assert (lit.floor, lit.with_view) == (STUDIO["floor"], True)
    assert panel.lights.isEnabled()
    assert np.abs(pixels(opened.view.grab_image()) - dark).mean() > 3.0, "the floor is seen"
    slider = panel.lights.fields["azimuth"]
    before = session.document
    middle = slider.rect().center()
    drag(slider, [middle, middle + QPoint(10, 0), middle + QPoint(30, 0)])
    turned = changed(opened, before).part(Lighting)
    assert turned is not None
    assert turned.azimuth > lit.azimuth
    actor = session.document.actors[0]
    session.select([Item(actor.id)])
    click(panel.colour.button)
    assert panel.colour.dialog is not None
    panel.colour.dialog.setCurrentColor(QColor("#b8482f"))
    before = session.document
    panel.colour.dialog.accept()
    assert changed(opened, before).actor(actor.id).part(Finish) == Finish(colour="#b8482f")
    assert panel.colour.colour == "#b8482f"
    before = session.document
    opened.window.menus.actions["light.remove"].trigger()
    assert changed(opened, before).part(Lighting) is None
    opened.window.menus.actions["light.studio"].trigger()
    opened.until(lambda: session.document.part(Lighting) is not None)
    for _ in range(5):
        session.undo()
    opened.until(lambda: session.document is begun)
