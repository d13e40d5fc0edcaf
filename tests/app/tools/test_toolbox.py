"""The toolbox: who sees the pointer first, and who keeps a press until its release."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QPointF

from app.scene import Camera, Pointer
from app.tools import POSE, Toolbox

AT = Pointer(view=0, at=QPointF(10, 20), pixel=(10.0, 20.0), camera=Camera(), size=(100.0, 100.0))


class Recorder:
    """A tool that writes down what it is told."""

    def __init__(self, *, takes: bool) -> None:
        self.takes = takes
        self.told: list[str] = []

    def hover(self, at: Pointer | None) -> bool:
        self.told.append("hover" if at else "elsewhere")
        return self.takes and at is not None

    def press(self, at: Pointer) -> bool:
        self.told.append("press")
        return self.takes

    def move(self, at: Pointer) -> None:
        self.told.append("move")

    def release(self, at: Pointer) -> None:
        self.told.append("release")

    def cancel(self) -> None:
        self.told.append("cancel")


@pytest.fixture
def owner(qapp: QCoreApplication) -> QObject:
    return QObject()


def test_what_another_tool_does_not_take_is_the_posing_tools(owner: QObject) -> None:
    posing, other = Recorder(takes=True), Recorder(takes=False)
    box = Toolbox(posing, owner)
    box.add("move", other)
    box.take("move")
    other.told.clear()
    posing.told.clear()
    assert box.press(AT)
    box.move(AT)
    box.release(AT)
    box.move(AT)
    assert other.told == ["press"]
    assert posing.told == ["press", "move", "release"]


def test_the_tool_in_front_has_the_first_word(owner: QObject) -> None:
    posing, other = Recorder(takes=True), Recorder(takes=True)
    box = Toolbox(posing, owner)
    box.add("move", other)
    heard: list[str] = []
    box.changed.connect(heard.append)
    box.take("move")
    box.take("move")
    posing.told.clear()
    assert box.hover(AT)
    assert posing.told == ["elsewhere"]
    box.press(AT)
    box.cancel()
    box.release(AT)
    assert other.told == ["hover", "press", "cancel"]
    assert posing.told == ["elsewhere"]
    assert heard == ["move"]


def test_another_tool_ends_what_the_first_one_holds(owner: QObject) -> None:
    posing, other = Recorder(takes=True), Recorder(takes=True)
    box = Toolbox(posing, owner)
    box.add("move", other)
    box.press(AT)
    box.take("move")
    box.release(AT)
    assert posing.told == ["press", "cancel", "elsewhere"]
    with pytest.raises(KeyError, match="no tool is named hammer"):
        box.take("hammer")
    box.take(POSE)
    assert box.press(AT)
    assert other.told == ["elsewhere"]
