"""The hand: what of the mouse goes to the tool, what to ornaments and cameras, and what becomes of a lost button."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.scene import Pointer, Viewport
from app.scene.panes import FRONT, PERSPECTIVE
from tests.app.scene.conftest import Mouse, Show, pixel_of

pytestmark = pytest.mark.gui
Hand = Callable[[Viewport], Mouse]

BODY, BESIDE = (0.0, 1.05, 0.0), (0.6, 1.6, 0.35)
LEFT = Qt.MouseButton.LeftButton


class Recorder:
    """A tool that takes every press and writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.places: list[Pointer | None] = []
        self.covers = False
        self.takes = True

    def _note(self, what: str, at: Pointer | None) -> None:
        self.told.append(what)
        self.places.append(at)

    def hover(self, at: Pointer | None) -> bool:
        self._note("hover", at)
        return self.covers

    def press(self, at: Pointer) -> bool:
        self._note("press", at)
        return self.takes

    def move(self, at: Pointer) -> None:
        self._note("move", at)

    def release(self, at: Pointer) -> None:
        self._note("release", at)

    def cancel(self) -> None:
        self._note("cancel", None)

    @property
    def gesture(self) -> list[str]:
        return [each for each in self.told if each != "hover"]


def tooled(show: Show) -> tuple[Viewport, Recorder]:
    view = show()
    view.tool = tool = Recorder()
    return view, tool


def canvas(view: Viewport) -> QWidget:
    found = view.childAt(view.rect().center())
    assert found is not None
    return found


def test_the_left_button_goes_to_the_tool_with_pixel_camera_and_keys(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    x, y = pixel_of(view, FRONT, BODY)
    mouse(view).drag((x, y), (x + 40, y), LEFT, Qt.KeyboardModifier.ShiftModifier, steps=2)
    assert tool.gesture == ["press", "move", "move", "release"]
    first, last = tool.places[0], tool.places[3]
    assert first is not None
    assert last is not None
    assert (first.view, first.camera, first.size) == (FRONT, view.cameras[FRONT], view.size_of(FRONT))
    assert first.pixel == pytest.approx(view.inside(FRONT, first.at))
    assert first.along_axis
    assert first.adds
    assert last.has_left(first)
    assert view.active == FRONT


def test_a_drag_that_leaves_its_view_is_told_in_that_views_pixels(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    x, y = pixel_of(view, PERSPECTIVE, BODY)
    mouse(view).drag((x, y), (-30, 900), LEFT, steps=1)
    told = next(at for what, at in zip(tool.told, tool.places, strict=True) if what == "release")
    assert told is not None
    assert told.view == PERSPECTIVE
    assert told.pixel == pytest.approx(view.inside(PERSPECTIVE, told.at))


def test_cameras_ornaments_and_other_buttons_are_none_of_the_tools(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    at = pixel_of(view, FRONT, BODY)
    hand = mouse(view)
    hand.drag(at, (at[0] + 30, at[1]), LEFT, Qt.KeyboardModifier.AltModifier)
    hand.drag(at, (at[0] + 30, at[1]), Qt.MouseButton.MiddleButton)
    hand.click(at, Qt.MouseButton.RightButton)
    pane = view.panes()[FRONT]
    hand.click((pane.x + pane.width - 8 - 46, pane.y + 8 + 46))
    assert tool.gesture == []


@pytest.mark.parametrize(
    "kind", [QEvent.Type.UngrabMouse, QEvent.Type.WindowDeactivate, QEvent.Type.FocusOut, QEvent.Type.Hide]
)
def test_a_button_that_is_lost_cancels_once_and_the_next_press_is_new(
    show: Show, mouse: Hand, kind: QEvent.Type
) -> None:
    view, tool = tooled(show)
    x, y = pixel_of(view, FRONT, BODY)
    hand = mouse(view)
    hand.send(QEvent.Type.MouseButtonPress, (x, y), LEFT, LEFT)
    hand.send(QEvent.Type.MouseMove, (x + 20, y), held=LEFT)
    for _ in range(2):
        QApplication.sendEvent(canvas(view), QEvent(kind))
    hand.send(QEvent.Type.MouseMove, (x + 30, y), held=LEFT)
    hand.send(QEvent.Type.MouseButtonRelease, (x + 30, y), LEFT)
    assert tool.gesture == ["press", "move", "cancel"]
    hand.click((x, y))
    assert tool.gesture[3:] == ["press", "release"]


def test_a_move_without_the_button_tells_that_it_was_let_go_elsewhere(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    x, y = pixel_of(view, FRONT, BODY)
    hand = mouse(view)
    hand.send(QEvent.Type.MouseButtonPress, (x, y), LEFT, LEFT)
    hand.move((x + 20, y))
    hand.send(QEvent.Type.MouseButtonPress, (x, y), Qt.MouseButton.MiddleButton, Qt.MouseButton.MiddleButton)
    before = view.cameras[FRONT]
    hand.move((x + 20, y))
    assert tool.gesture == ["press", "cancel"]
    assert view.cameras[FRONT] == before


def test_escape_cancels_and_the_release_then_says_nothing(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    x, y = pixel_of(view, FRONT, BODY)
    hand = mouse(view)
    hand.send(QEvent.Type.MouseButtonPress, (x, y), LEFT, LEFT)
    QTest.keyClick(canvas(view), Qt.Key.Key_Escape)
    hand.send(QEvent.Type.MouseMove, (x + 30, y), held=LEFT)
    hand.send(QEvent.Type.MouseButtonRelease, (x + 30, y), LEFT)
    assert tool.gesture == ["press", "cancel"]


def test_a_view_that_goes_while_something_is_dragged_in_it_ends_the_drag(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    x, y = pixel_of(view, FRONT, BODY)
    hand = mouse(view)
    hand.send(QEvent.Type.MouseButtonPress, (x, y), LEFT, LEFT)
    view.maximise(PERSPECTIVE)
    hand.send(QEvent.Type.MouseMove, (x + 30, y), held=LEFT)
    hand.send(QEvent.Type.MouseButtonRelease, (x + 30, y), LEFT)
    assert tool.gesture == ["press", "cancel"]


def test_bodies_light_up_only_where_the_tool_has_nothing(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    seen: list[object] = []
    view.hovered.connect(seen.append)
    tool.covers = True
    mouse(view).move(pixel_of(view, FRONT, BODY))
    QTest.qWait(0)
    assert (tool.told, seen) == (["hover"], [])
    QApplication.sendEvent(canvas(view), QEvent(QEvent.Type.Leave))
    assert tool.places[-1] is None, "it left the canvas"


def test_what_the_tool_leaves_does_nothing(show: Show, mouse: Hand) -> None:
    view, tool = tooled(show)
    tool.takes = False
    x, y = pixel_of(view, FRONT, BESIDE)
    mouse(view).drag((x, y), (x + 30, y), LEFT)
    assert tool.gesture == ["press"]
