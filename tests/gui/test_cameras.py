"""Cameras in the real window: looked through, moved with their views, aimed; and a view that follows a walker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.cameras.page import CameraPage
from app.features.cameras.view.safe_frames import SafeFrames
from app.features.inspector.panel import InspectorPanel
from app.features.method.panel import MethodPanel
from app.features.outliner.panel import OutlinerPanel
from app.scene.camera import Array
from app.scene.filming import frame_of
from app.scene.panes import PERSPECTIVE
from app.session import Item
from app.style.apply import current_theme
from app.style.icons import icon
from engine.cameras.queries.making import EYE, camera_actor
from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from engine.formats import motion_toml
from engine.formats.format import Options
from engine.model import CameraView
from tests.app.scene.conftest import pixels
from tests.gui.test_manipulators import on_canvas, point, way
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.picking import find_body
from tests.stage import Stage, drag

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


def of_camera(opened: Stage) -> CameraView:
    assert opened.snapshot is not None
    return opened.snapshot.cameras[0]


def place(opened: Stage, joint: str) -> Array:
    assert opened.snapshot is not None
    walker = opened.snapshot.bodies[0]
    return walker.transforms[walker.parts.index(joint), :, 3].astype(float)


def drag_with_alt(opened: Stage, by: QPoint) -> None:
    """Orbit the perspective view by the mouse."""
    canvas, pane = opened.view.childAt(opened.view.rect().center()), opened.view.panes()[PERSPECTIVE]
    assert isinstance(canvas, QWidget)
    at = QPoint(pane.x + pane.width // 2, pane.y + 3 * pane.height // 4)
    alt = Qt.KeyboardModifier.AltModifier
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, alt, at)
    QTest.mouseMove(canvas, at + by)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, alt, at + by)


def test_a_camera_is_added_looked_through_moved_with_its_view_aimed_and_left(opened: Stage) -> None:
    session, view, press = opened.session, opened.view, opened.window.menus.actions
    view.set_active(PERSPECTIVE)
    free = view.cameras[PERSPECTIVE]
    press["add.camera"].trigger()
    opened.settle()
    camera = session.document.actors[-1]
    assert np.abs(of_camera(opened).frame - frame_of(free)).max() < 1e-9, "it sees what the view did"
    page = opened.panel(InspectorPanel).page
    assert isinstance(page, CameraPage)
    for slider, value in ((page.focal, 0.05), (page.film, 0.024)):
        slider.started.emit()
        slider.moved.emit(value)
        slider.finished.emit()
        opened.until(lambda: session.at_rest)
        opened.settle()
    assert (of_camera(opened).focal, of_camera(opened).film_width) == pytest.approx((0.05, 0.024))
    opened.window.menus.refresh()
    press["view.look_through"].trigger()
    press["view.lock_camera"].trigger()
    assert np.abs(frame_of(view.cameras[PERSPECTIVE]) - frame_of(free)).max() < 1e-9
    assert view.title_of(PERSPECTIVE) == camera.name
    entries = session.history.position
    drag_with_alt(opened, QPoint(40, -20))
    opened.until(lambda: session.history.position > entries and session.at_rest)
    opened.settle()
    assert session.history.position == entries + 1, "one drag is one entry"
    moved = frame_of(view.cameras[PERSPECTIVE])
    assert np.abs(of_camera(opened).frame - moved).max() < 1e-9
    assert np.abs(moved - frame_of(free)).max() > 0.05
    session.undo()
    opened.settle()
    assert np.abs(frame_of(view.cameras[PERSPECTIVE]) - frame_of(free)).max() < 1e-9, "the view goes back with it"
    look_for_its_head(opened, camera.id)
    focus_on_its_head(opened, camera.id)
    go_along_with_it(opened)
    look_at_safe_areas(opened)
    press["view.look_through"].trigger()
    session.do(edit("remove_actor", actor=camera.id))
    opened.settle()
    view.frame()
    assert not view.through, "it has gone"
    press["view.lock_camera"].trigger()


def look_for_its_head(opened: Stage, camera: str) -> None:
    """Aim the camera at the walker's head, which stands in the middle of its view then; turning the view leaves it."""
    session, view = opened.session, opened.view
    session.select([Item(camera), Item("walker", "head")])
    opened.window.menus.refresh()
    opened.window.menus.actions["camera.aim"].trigger()
    opened.settle()
    go_to(opened, 0.5)
    x, y, _ = view.cameras[PERSPECTIVE].project(place(opened, "head"), view.size_of(PERSPECTIVE)).tolist()
    width, height = view.size_of(PERSPECTIVE)
    assert np.hypot(x - width / 2, y - height / 2) < 0.1, "[px]: the head is in the middle"
    drag_with_alt(opened, QPoint(30, 0))
    assert PERSPECTIVE not in view.through
    assert "pinned" in session.log[-1].text


def focus_on_its_head(opened: Stage, camera: str) -> None:
    """Keep the head sharp and blur what is elsewhere, through the f-number, at a distance, and nowhere again."""
    session, view, press = opened.session, opened.view, opened.window.menus.actions
    session.select([Item(camera), Item("walker", "head")])
    opened.window.menus.refresh()
    press["camera.focus"].trigger()
    opened.settle()
    seen = of_camera(opened)
    wanted = float((seen.frame[:, 3] - place(opened, "head")) @ seen.frame[:, 2])
    assert seen.focus == pytest.approx(wanted, abs=1e-6), "[m] along its line of sight"
    session.select([Item(camera)])
    press["view.look_through"].trigger()
    opened.settle()
    page = opened.panel(InspectorPanel).page
    assert isinstance(page, CameraPage)
    assert page.blurs.isChecked()
    assert "head" in page.sharp.text()
    sharp = view.lenses.pop(PERSPECTIVE)
    before = pixels(view.render_image(160, 120, samples=4))
    view.lenses[PERSPECTIVE] = replace(sharp, aperture=0.2)
    assert np.abs(pixels(view.render_image(160, 120, samples=4)) - before).mean() > 0.3, "what is elsewhere is blurred"
    for slider, value in ((page.f_number, 1.4), (page.distance, 2.0)):
        slider.started.emit()
        slider.moved.emit(value)
        slider.finished.emit()
        opened.until(lambda: session.at_rest)
        opened.settle()
    assert of_camera(opened).focus == pytest.approx(2.0)
    assert view.lenses[PERSPECTIVE].aperture > 1.5 * sharp.aperture
    page.blurs.click()
    opened.settle()
    assert not view.lenses
    press["view.look_through"].trigger()
    session.select([Item(camera), Item("walker", "head")])


def go_along_with_it(opened: Stage) -> None:
    """Let the camera follow the walker's head, in all directions and at its own height."""
    press = opened.window.menus.actions
    for action, kept in (("camera.follow", (0, 1, 2)), ("camera.follow_level", (0, 2))):
        go_to(opened, 0.5)
        press["camera.unpin"].trigger()
        opened.settle()
        assert not of_camera(opened).pinned
        eye, before = of_camera(opened).frame[:, 3], place(opened, "head")
        press[action].trigger()
        opened.settle()
        assert np.abs(of_camera(opened).frame[:, 3] - eye).max() < 1e-6, "it does not leap"
        go_to(opened, 0.8)
        way, gone = of_camera(opened).frame[:, 3] - eye, place(opened, "head") - before
        assert np.abs((way - gone)[list(kept)]).max() < 1e-6
        assert len(kept) == 3 or abs(way[1]) < 1e-6


def look_at_safe_areas(opened: Stage) -> None:
    """They are seen in the view that looks through the camera, while they are switched on."""
    press = opened.window.menus.actions
    frames = opened.view.findChild(SafeFrames)
    assert isinstance(frames, SafeFrames)
    assert not frames.isVisible(), "nobody looks through it"
    press["view.look_through"].trigger()
    opened.settle()
    assert set(frames.gates()) == {PERSPECTIVE}
    with_areas = frames.grab().toImage()
    press["view.safe_frames"].trigger()
    assert frames.grab().toImage() != with_areas
    press["view.safe_frames"].trigger()
    press["view.look_through"].trigger()
    assert not frames.isVisible()


def test_a_camera_is_picked_in_the_view_and_its_arrow_moves_it(opened: Stage) -> None:
    session, view = opened.session, opened.view
    camera = camera_actor("cam", "Camera", position=(0.9, 1.2, 0.6))
    session.do(edit("add_actor", actor=camera))
    view.maximise(PERSPECTIVE)
    opened.settle()
    found = find_body(view, camera, EYE, pane=PERSPECTIVE)
    assert found is not None, "it is to be seen"
    session.select([])
    canvas = canvas_of(opened)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, found[0].toPoint())
    opened.settle()
    active = session.selection.active
    assert active is not None
    assert active.actor == "cam"
    tree = opened.panel(OutlinerPanel).tree
    rows = [tree.index(row, 0) for row in range(tree.rowCount())]
    assert [tree.data(row) for row in rows] == ["Walker", "Camera"]
    icons = [tree.data(row, Qt.ItemDataRole.DecorationRole) for row in rows]
    wanted = [icon(name, current_theme(), "text_quiet") for name in ("person-standing", "camera")]
    keys = [each.cacheKey() for each in icons if isinstance(each, QIcon)]
    assert keys == [each.cacheKey() for each in wanted]
    assert opened.panel(MethodPanel).natural._shown_actor().id == "walker"  # type: ignore[union-attr]
    press(opened, Qt.Key.Key_W)
    opened.settle()
    eye = of_camera(opened).frame.copy()
    start = on_canvas(opened, point(opened, "x", 0.6))
    ahead = view.cameras[PERSPECTIVE].project(eye[:, 3] + (0.2, 0.0, 0.0), view.size_of(PERSPECTIVE))
    here = view.cameras[PERSPECTIVE].project(eye[:, 3], view.size_of(PERSPECTIVE))
    drag(canvas, way(start, start + QPoint(*np.rint((ahead - here)[:2]).astype(int).tolist())))
    opened.until(lambda: session.at_rest)
    opened.settle()
    moved = of_camera(opened).frame - eye
    assert moved[0, 3] == pytest.approx(0.2, abs=0.02)
    assert np.abs(moved[1:, 3]).max() < 1e-9
    assert np.abs(moved[:, :3]).max() < 1e-9
    session.undo()
    opened.settle()
    assert np.abs(of_camera(opened).frame - eye).max() < 1e-12
