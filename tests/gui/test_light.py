"""Light in the real window: a studio is set up, the key is turned by a number and by hand, a figure is coloured, and
all of it is undone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from app.features.light.panel import LightPanel
from app.features.light.view import WORDS, KeyHandle
from app.scene.dome import dome_about
from app.scene.extent import seen_bounds
from app.scene.light import light_of
from app.scene.panes import PERSPECTIVE
from app.session import Item
from engine.lighting.parts import STUDIO, Finish, Lighting
from tests.app.scene.conftest import pixels
from tests.gui.acting import changed, click, shown_panel
from tests.gui.test_window import canvas_of
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


def test_the_key_is_dragged_on_its_dome_with_its_shadows_and_put_back_by_escape(opened: Stage) -> None:
    session, view, begun = opened.session, opened.view, opened.session.document
    view.maximise(PERSPECTIVE)
    shown_panel(opened, "light.show", LightPanel)
    opened.settle()
    (handle,) = view.findChildren(KeyHandle)
    canvas, camera, size = canvas_of(opened), view.cameras[PERSPECTIVE], view.size_of(PERSPECTIVE)
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton

    def ball() -> QPoint:
        """Where it is, by the light of the picture."""
        assert opened.snapshot is not None
        key = light_of(camera, opened.snapshot.light).key
        x, y, _ = camera.project(dome_about(seen_bounds(opened.snapshot), camera, size).place(key), size).tolist()
        pane = view.panes()[PERSPECTIVE]
        return QPoint(round(pane.x + x), round(pane.y + y))

    before, at = ball(), pixels(view.render_image(160, 120, samples=1))
    QTest.mouseMove(canvas, before)
    assert opened.window.status.pointer.text == WORDS
    QTest.mousePress(canvas, left, none, before)
    for step in range(1, 5):
        QTest.mouseMove(canvas, before + QPoint(20 * step, -5 * step))
    opened.until(lambda: session.shown.part(Lighting) is not None)
    opened.settle()
    assert session.document is begun, "nothing is kept yet"
    assert np.abs(pixels(view.render_image(160, 120, samples=1)) - at).mean() > 0.5, "the light goes along"
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    opened.settle()
    QTest.mouseRelease(canvas, left, none, before + QPoint(80, -20))
    opened.settle()
    assert session.document is begun, "as it was"
    assert session.shown.part(Lighting) is None
    entries = session.history.position
    drag(canvas, [before, before + QPoint(30, -8), before + QPoint(80, -20)])
    opened.until(lambda: session.document is not begun and session.at_rest)
    opened.settle()
    assert session.history.position == entries + 1, "one step"
    assert (ball() - before - QPoint(80, -20)).manhattanLength() < 12, "[px] under the pointer, but for perspective"
    session.undo()
    opened.until(lambda: session.document is begun)
    opened.window.docks["light"].hide()
    opened.settle()
    assert not handle.hover(None)
    assert session.document is begun
