"""Cameras in the real window: a view that follows a walker, by menu, mouse and playing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.scene.panes import PERSPECTIVE
from app.session import Item
from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND
from engine.formats import motion_toml
from engine.formats.format import Options
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    contents = motion_toml.FORMAT.read(Path("resources/motions/walk.motion.toml"), Options())  # type: ignore[misc]
    assert contents.figure is not None
    walker = Actor(id="walker", name="Walker", figure=contents.figure, layers=contents.layers)
    with the_window.begun(Document(actors=(walker,))) as open_stage:
        yield open_stage


def root(opened: Stage) -> tuple[float, float, float]:
    assert opened.snapshot is not None
    x, y, z = opened.snapshot.bodies[0].transforms[0, :, 3].tolist()
    return x, y, z


def off_middle(opened: Stage) -> float:
    """How far the walker's root is from the middle of the view [px]."""
    size = opened.view.size_of(PERSPECTIVE)
    x, y, _ = opened.view.cameras[PERSPECTIVE].project(np.array(root(opened)), size).tolist()
    return float(np.hypot(x - size[0] / 2, y - size[1] / 2))


def go_to(opened: Stage, seconds: float) -> None:
    opened.session.set_playhead(round(seconds * TICKS_PER_SECOND))
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == opened.session.playhead)
    opened.settle()


def test_a_view_follows_the_selected_walker_while_it_is_orbited_and_stands_again(opened: Stage) -> None:
    opened.view.set_active(PERSPECTIVE)
    opened.session.select([Item("walker")])
    opened.window.menus.refresh()
    action = opened.window.menus.actions["view.follow"]
    action.trigger()
    assert off_middle(opened) < 0.1
    start = root(opened)
    go_to(opened, 0.5)
    assert np.linalg.norm(np.subtract(root(opened), start)) > 0.3, "[m] that it has walked"
    assert off_middle(opened) < 0.1, "[px]"
    canvas, pane = opened.view.childAt(opened.view.rect().center()), opened.view.panes()[PERSPECTIVE]
    at, before = QPoint(pane.x + pane.width // 3, pane.y + pane.height // 2), opened.view.cameras[PERSPECTIVE]
    assert isinstance(canvas, QWidget)
    alt = Qt.KeyboardModifier.AltModifier
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, alt, at)
    QTest.mouseMove(canvas, at + QPoint(20, 0))
    go_to(opened, 0.8)
    QTest.mouseMove(canvas, at + QPoint(60, 10))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, alt, at + QPoint(60, 10))
    assert opened.view.cameras[PERSPECTIVE].azimuth != before.azimuth
    assert off_middle(opened) < 0.1, "a drag that goes on while it walks"
    opened.window.menus.refresh()
    assert action.isChecked()
    action.trigger()
    go_to(opened, 0.2)
    assert off_middle(opened) > 5.0
