"""The real window, driven with the mouse and the keys, and a look at its pixels."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.inspector.panel import InspectorPanel
from app.session import Item, Session
from app.style.value_slider import ValueSlider
from engine.edits import edit
from engine.formats import sinew
from engine.runtime.guard import forbid_kernels_on
from tests.one_window import OneWindow
from tests.picking import find_body
from tests.stage import Stage, drag, move, stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        yield open_stage


def canvas_of(opened: Stage) -> QWidget:
    """The widget that OpenGL draws into."""
    found = opened.view.childAt(opened.view.rect().center())
    assert isinstance(found, QWidget)
    return found


def pixels(image: QImage) -> NDArray[np.uint8]:
    """Red, green and blue, shape [height, width, 3]."""
    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width() * 4].reshape(plain.height(), plain.width(), 4)[:, :, :3].copy()


def changed(before: QImage, after: QImage) -> float:
    """Share of the pixels that differ visibly."""
    difference = np.abs(pixels(before).astype(int) - pixels(after).astype(int)).max(axis=2)
    return float((difference > 12).mean())


def is_turned(session: Session, value: float) -> bool:
    """Whether the elbow is shown at an angle."""
    return session.shown.actors[0].layers[0].by_coordinate.get("elbow_left.flexion") == value


def body_point(opened: Stage, joint: str) -> QPoint:
    """A point of the viewport under which a body lies, in the front view."""
    view = 2 if 2 in opened.view.panes() else opened.view.active
    found = find_body(opened.view, opened.session.document.actors[0], joint, pane=view)
    assert found is not None, f"{joint} is nowhere to be seen"
    return found[0].toPoint()


def slider_of(opened: Stage, label: str) -> ValueSlider:
    """The visible slider of that name."""
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None

    def visible() -> list[ValueSlider]:
        found = panel.findChildren(ValueSlider)
        return [slider for slider in found if slider.accessibleName().endswith(label) and slider.isVisible()]

    opened.until(lambda: bool(visible()))
    return visible()[0]


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key for the window, which gives it to whatever has the keyboard."""
    QTest.keyClick(opened.window.windowHandle(), key, modifiers)


def human_of(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def test_the_figure_is_seen_on_a_calm_ground(opened: Stage) -> None:
    opened.view.maximise(2)
    opened.settle()
    picture = pixels(opened.view.grab_image())
    middle = picture[picture.shape[0] // 3, picture.shape[1] // 2].astype(int)
    corner = picture[picture.shape[0] // 2, 20].astype(int)
    assert middle.min() > corner.max() + 20, "the body stands out from the ground"
    assert corner.max() - corner.min() < 20, "the ground is a neutral grey"


def test_a_click_selects_everywhere_and_a_click_beside_clears(opened: Stage) -> None:
    before = opened.view.grab_image()
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, pos=body_point(opened, "knee_left"))
    opened.settle()
    assert [item.part for item in opened.session.selection.items] == ["knee_left"]
    assert changed(before, opened.view.grab_image()) > 0.0005, "the outline is drawn"
    assert slider_of(opened, "Flexion").isVisible()
    pane = opened.view.panes()[2]
    QTest.mouseClick(
        canvas_of(opened), Qt.MouseButton.LeftButton, pos=QPoint(int(pane.x) + 8, int(pane.y + pane.height) - 8)
    )
    assert not opened.session.selection.items


def test_a_dragged_slider_turns_the_joint_once_and_undo_takes_it_back(opened: Stage) -> None:
    session = opened.session
    first = session.document
    session.select([Item(human_of(opened), "elbow_left")])
    opened.settle()
    unturned = opened.view.grab_image()
    slider = slider_of(opened, "Flexion")
    path = [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.35, 0.4, 0.5, 0.6, 0.7)]
    drag(slider, path)
    opened.until(lambda: session.document is not first)
    opened.settle()
    assert session.history.position == 1
    assert session.document.actors[0].layers[0].by_coordinate["elbow_left.flexion"] > 0.3
    assert changed(unturned, opened.view.grab_image()) > 0.002
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.settle()
    assert session.document is first
    assert changed(unturned, opened.view.grab_image()) < 0.0002
    press(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    opened.until(lambda: session.document is not first)


def test_escape_in_a_drag_changes_nothing(opened: Stage) -> None:
    session, first = opened.session, opened.session.document
    session.select([Item(human_of(opened), "elbow_left")])
    slider = slider_of(opened, "Flexion")
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.3, 0.5))
    for share in (0.35, 0.5, 0.7):
        move(slider, opened.widget_at(slider, share, 0.5))
    opened.until(lambda: session.shown is not first)
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=opened.widget_at(slider, 0.7, 0.5))
    opened.settle()
    assert session.document is first
    assert session.shown is first
    assert session.history.position == 0


def test_menus_are_looked_at_when_a_drag_ends_and_not_at_each_move(
    opened: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened.session
    actor = session.document.actors[0]
    gesture = session.begin_gesture("Turn")
    looks = list[int]()
    monkeypatch.setattr(opened.window.menus, "refresh_soon", lambda: looks.append(1))
    for value in (0.1, 0.2, 0.3):
        change = edit(
            "set_value", actor=actor.id, layer=actor.layers[0].id, coordinate="elbow_left.flexion", value=value
        )
        gesture.preview(change)
        opened.until(partial(is_turned, session, value))
    assert not looks
    gesture.finish()
    opened.settle()
    assert looks


def test_a_typed_number_is_taken_in_degrees(opened: Stage) -> None:
    session = opened.session
    session.select([Item(human_of(opened), "knee_right")])
    slider = slider_of(opened, "Flexion")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Return)
    field = opened.window.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "45")
    QTest.keyClick(field, Qt.Key.Key_Return)
    opened.until(lambda: session.history.position == 1)
    value = session.document.actors[0].layers[0].by_coordinate["knee_right.flexion"]
    assert value == pytest.approx(np.pi / 4, abs=1e-12)


def test_the_mouse_orbits_and_the_wheel_zooms(opened: Stage) -> None:
    opened.view.maximise(1)
    opened.settle()
    canvas, camera = canvas_of(opened), opened.view.cameras[opened.view.active]
    before = opened.view.grab_image()
    points = [opened.widget_at(canvas, share, 0.5) for share in (0.4, 0.45, 0.5, 0.6)]
    drag(canvas, points, modifiers=Qt.KeyboardModifier.AltModifier)
    opened.settle()
    turned = opened.view.cameras[opened.view.active]
    assert turned.azimuth != camera.azimuth
    assert turned.distance == camera.distance
    assert changed(before, opened.view.grab_image()) > 0.01


def test_one_key_makes_a_view_large_and_all_four_again(opened: Stage) -> None:
    assert len(opened.view.panes()) == 4
    press(opened, Qt.Key.Key_M)
    assert len(opened.view.panes()) == 1
    press(opened, Qt.Key.Key_M)
    assert len(opened.view.panes()) == 4


def test_a_document_is_saved_and_opened_exactly(opened: Stage, tmp_path: Path) -> None:
    session, path = opened.session, tmp_path / "scene.sinew"
    opened.window.menus.actions["add.human"].trigger()
    opened.window.menus.actions["add.box"].trigger()
    opened.settle()
    saved = session.document
    session.exchange.save(path)
    opened.until(lambda: not session.dirty)
    assert sinew.read(path) == saved
    session.new()
    opened.settle()
    session.exchange.open(path)
    opened.until(lambda: session.path == path)
    opened.settle()
    assert session.document == saved
    assert session.document.digest == saved.digest
    assert not session.dirty


def test_two_figures_are_told_apart(opened: Stage) -> None:
    opened.window.menus.actions["add.human"].trigger()
    opened.settle()
    opened.view.frame()
    opened.settle()
    first, second = (actor.id for actor in opened.session.document.actors)
    pane = opened.view.panes()[2]
    seen = set()
    for x in range(int(pane.x) + 2, int(pane.x + pane.width) - 2, 4):
        pick = opened.view.pick(QPointF(x, pane.y + pane.height * 0.4))
        if pick is not None:
            seen.add(pick.owner)
    assert seen == {first, second}


def test_a_file_that_is_not_one_is_named_in_the_bar_and_changes_nothing(opened: Stage, tmp_path: Path) -> None:
    path, before = tmp_path / "notes.sinew", opened.session.document
    path.write_text("not a database")
    opened.session.exchange.open(path)
    opened.until(lambda: opened.window.message.isVisible())
    assert opened.session.document is before
    assert any("not a Sinew document" in entry.text for entry in opened.session.log)


def test_a_window_closed_while_the_engine_works_leaves_nothing(qapp: object) -> None:
    """It is closed, so it is one of its own. The fixtures of every test look for what is left afterwards."""
    begun, closed = threading.Event(), threading.Event()

    def endless() -> Generator[None, None, None]:
        try:
            while True:
                begun.set()
                yield None
        finally:
            closed.set()

    with stage(seen=False) as opened:
        opened.session.engine.submit("endless", endless, document=None)
        assert begun.wait(240.0)
    assert closed.is_set()


def test_the_window_never_calls_a_kernel(opened: Stage) -> None:
    with forbid_kernels_on(threading.main_thread()):
        opened.session.select([Item(human_of(opened), "elbow_left")])
        slider = slider_of(opened, "Flexion")
        drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.5, 0.7)])
        opened.until(lambda: opened.session.history.position == 1)
        opened.settle()
        assert not [entry for entry in opened.session.log if entry.kind == "error"]
