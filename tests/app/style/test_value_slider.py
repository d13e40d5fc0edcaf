"""The value slider under a real hand: drags, keys, the wheel, and typing."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.style.apply import apply_theme
from app.style.number_field import NumberField
from app.style.theme import dark, light
from app.style.units import LENGTH
from app.style.value_slider import ValueSlider

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton
NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
WIDTH = 210  # 200 pixels from limit to limit


@dataclass
class Stage:
    window: QWidget
    slider: ValueSlider
    other: ValueSlider
    heard: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    @property
    def degrees(self) -> float:
        return math.degrees(self.slider.value)

    @property
    def editor(self) -> NumberField | None:
        found = [each for each in self.slider.findChildren(NumberField) if each.isVisible()]
        return found[0] if found else None

    def point(self, x: int) -> QPoint:
        return QPoint(x, self.slider.height() // 2)

    def drag(self, start: int, *stops: int, modifier: Qt.KeyboardModifier = NONE, release: bool = True) -> None:
        QTest.mousePress(self.slider, LEFT, modifier, self.point(start))
        for stop in stops:
            self.move(stop, modifier)
        if release:
            QTest.mouseRelease(self.slider, LEFT, modifier, self.point(stops[-1]))

    def move(self, x: int, modifier: Qt.KeyboardModifier = NONE) -> None:
        # QTest.mouseMove knows neither held buttons nor modifiers
        place = QPointF(self.point(x))
        everywhere = QPointF(self.slider.mapToGlobal(place.toPoint()))
        QApplication.sendEvent(
            self.slider, QMouseEvent(QEvent.Type.MouseMove, place, everywhere, Qt.MouseButton.NoButton, LEFT, modifier)
        )

    def wheel(self, notches: int, modifier: Qt.KeyboardModifier = NONE) -> bool:
        place = QPointF(self.point(20))
        event = QWheelEvent(
            place,
            QPointF(self.slider.mapToGlobal(place.toPoint())),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        event.ignore()
        QApplication.sendEvent(self.slider, event)
        return event.isAccepted()


@pytest.fixture
def stage(styled: QApplication, qtbot: QtBot) -> Stage:
    window = QWidget()
    column = QVBoxLayout(window)
    column.setContentsMargins(10, 10, 10, 10)
    slider, other = ValueSlider("Flexion"), ValueSlider("Height", unit=LENGTH)
    slider.set_limits(math.radians(-50.0), math.radians(50.0))
    column.addWidget(slider)
    column.addWidget(other)
    column.addStretch(1)
    window.setFixedSize(WIDTH + 20, 120)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    made = Stage(window, slider, other)
    for name in ("started", "finished", "cancelled"):
        getattr(slider, name).connect(lambda name=name: made.heard.append(name))
    slider.moved.connect(made.values.append)
    slider.moved.connect(lambda _: made.heard.append("moved"))
    assert slider.width() == WIDTH
    return made


def test_a_drag_follows_the_pointer_as_one_gesture(stage: Stage) -> None:
    stage.drag(40, 60, 80, 100)
    assert stage.degrees == pytest.approx(30.0)
    assert stage.heard == ["started", "moved", "moved", "moved", "finished"]
    assert stage.values == pytest.approx([math.radians(10), math.radians(20), math.radians(30)])


def test_the_last_move_is_taken_from_the_release(stage: Stage) -> None:
    stage.drag(40, 60, release=False)
    QTest.mouseRelease(stage.slider, LEFT, NONE, stage.point(100))
    assert stage.degrees == pytest.approx(30.0)


def test_a_drag_stops_at_the_limit_and_turns_back_at_once(stage: Stage) -> None:
    stage.drag(40, 400, release=False)
    assert stage.degrees == pytest.approx(50.0)
    stage.move(390)
    assert stage.degrees == pytest.approx(45.0)
    QTest.mouseRelease(stage.slider, LEFT, NONE, stage.point(390))


def test_control_is_ten_times_finer_and_shift_snaps(stage: Stage) -> None:
    stage.drag(40, 60, modifier=CONTROL)
    assert stage.degrees == pytest.approx(1.0)
    stage.drag(40, 54, modifier=SHIFT)
    assert stage.degrees == pytest.approx(10.0)


def test_changing_to_fine_in_the_middle_of_a_drag_does_not_jump(stage: Stage) -> None:
    stage.drag(40, 80, release=False)
    stage.move(80, CONTROL)
    assert stage.degrees == pytest.approx(20.0)
    stage.move(90, CONTROL)
    assert stage.degrees == pytest.approx(20.5)
    QTest.mouseRelease(stage.slider, LEFT, CONTROL, stage.point(90))


def test_a_small_tremble_is_no_drag(stage: Stage) -> None:
    stage.drag(40, 42)
    assert stage.heard == []


def test_escape_gives_the_old_value_back_and_the_rest_of_the_drag_does_nothing(stage: Stage) -> None:
    stage.slider.set_value(math.radians(5.0))
    stage.drag(40, 80, release=False)
    QTest.keyClick(stage.slider, Qt.Key.Key_Escape)
    assert stage.degrees == pytest.approx(5.0)
    stage.move(120)
    QTest.mouseRelease(stage.slider, LEFT, NONE, stage.point(120))
    assert stage.degrees == pytest.approx(5.0)
    assert stage.heard == ["started", "moved", "cancelled"]


def test_without_limits_a_drag_goes_on_for_ever(stage: Stage) -> None:
    stage.slider.set_limits(None, None)
    stage.drag(40, 4040)
    assert stage.degrees == pytest.approx(2000.0)


def test_with_one_limit_it_holds(stage: Stage) -> None:
    stage.slider.set_limits(math.radians(-2.0), None)
    stage.drag(100, 0)
    assert stage.degrees == pytest.approx(-2.0)


def test_far_limits_do_not_make_a_pixel_coarse(stage: Stage) -> None:
    stage.other.set_limits(-10.0, 10.0)
    other = Stage(stage.window, stage.other, stage.slider)
    other.drag(40, 50)
    assert stage.other.value == pytest.approx(0.2)


def test_a_click_on_the_number_opens_the_line_and_enter_takes_what_was_typed(stage: Stage, qtbot: QtBot) -> None:
    QTest.mouseClick(stage.slider, LEFT, NONE, stage.point(WIDTH - 20))
    editor = stage.editor
    assert editor is not None
    assert editor.text() == "0"
    assert editor.hasSelectedText()
    QTest.keyClicks(editor, "90/4")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert stage.degrees == pytest.approx(22.5)
    assert stage.heard == ["started", "moved", "finished"]
    assert stage.editor is None
    assert stage.slider.hasFocus()


def test_a_click_on_the_name_opens_nothing(stage: Stage) -> None:
    QTest.mouseClick(stage.slider, LEFT, NONE, stage.point(20))
    assert stage.editor is None
    assert stage.slider.hasFocus()


def test_a_double_click_on_the_name_goes_back_to_rest(stage: Stage) -> None:
    stage.slider.set_rest(math.radians(3.0))
    stage.slider.set_value(math.radians(40.0))
    QTest.mouseDClick(stage.slider, LEFT, NONE, stage.point(20))
    assert stage.degrees == pytest.approx(3.0)
    assert stage.heard == ["started", "moved", "finished"]


def test_what_is_no_number_stays_and_says_why(stage: Stage, qtbot: QtBot) -> None:
    stage.slider.setFocus()
    QTest.keyClick(stage.slider, Qt.Key.Key_Return)
    editor = stage.editor
    assert editor is not None
    QTest.keyClicks(editor, "4+")
    with qtbot.waitSignal(editor.refused) as refused:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "4+" in refused.args[0]
    assert editor.isVisible()
    assert editor.property("wrong") is True
    QTest.keyClicks(editor, "4")
    assert editor.property("wrong") is False
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert stage.heard == []
    assert stage.editor is None


def test_typed_numbers_stop_at_the_limit(stage: Stage) -> None:
    stage.slider.setFocus()
    QTest.keyClick(stage.slider, Qt.Key.Key_9)
    editor = stage.editor
    assert editor is not None
    QTest.keyClicks(editor, "9")
    QTest.keyClick(editor, Qt.Key.Key_Enter)
    assert stage.degrees == pytest.approx(50.0)
    assert QToolTip.text() == "99° is more than the most, 50°, which is taken"
    QToolTip.hideText()


def test_going_elsewhere_takes_a_number_and_drops_anything_else(stage: Stage, qtbot: QtBot) -> None:
    for text, expected in (("12", 12.0), ("nonsense", 12.0)):
        stage.slider.setFocus()
        stage.slider.edit()
        editor = stage.editor
        assert editor is not None
        QTest.keyClicks(editor, text)
        stage.other.setFocus()
        assert stage.degrees == pytest.approx(expected)
        assert stage.editor is None
        assert stage.other.hasFocus()


def test_opening_and_leaving_the_line_changes_nothing(stage: Stage) -> None:
    stage.slider.set_value(0.123456789)
    stage.slider.edit()
    editor = stage.editor
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert stage.slider.value == 0.123456789
    assert stage.heard == []


@pytest.mark.parametrize(
    ("key", "modifier", "degrees"),
    [
        (Qt.Key.Key_Right, NONE, 3.0),
        (Qt.Key.Key_Up, NONE, 3.0),
        (Qt.Key.Key_Left, NONE, 1.0),
        (Qt.Key.Key_Right, CONTROL, 2.1),
        (Qt.Key.Key_Right, SHIFT, 5.0),
        (Qt.Key.Key_PageDown, NONE, -5.0),
        (Qt.Key.Key_Home, NONE, -50.0),
        (Qt.Key.Key_End, NONE, 50.0),
        (Qt.Key.Key_Delete, NONE, 0.0),
    ],
)
def test_keys(stage: Stage, key: Qt.Key, modifier: Qt.KeyboardModifier, degrees: float) -> None:
    stage.slider.setFocus()
    stage.slider.set_value(math.radians(2.0))
    QTest.keyClick(stage.slider, key, modifier)
    assert stage.degrees == pytest.approx(degrees)
    assert stage.heard == ["started", "moved", "finished"]


def test_a_held_key_is_one_gesture(stage: Stage) -> None:
    stage.slider.setFocus()
    for _ in range(5):
        QTest.keyPress(stage.slider, Qt.Key.Key_Right)
    assert stage.slider.is_open
    QTest.keyRelease(stage.slider, Qt.Key.Key_Right)
    assert stage.degrees == pytest.approx(5.0)
    assert stage.heard == ["started", *["moved"] * 5, "finished"]


def test_losing_the_focus_ends_a_held_key(stage: Stage) -> None:
    stage.slider.setFocus()
    QTest.keyPress(stage.slider, Qt.Key.Key_Right)
    stage.other.setFocus()
    assert stage.heard == ["started", "moved", "finished"]


def test_the_wheel_works_only_with_the_focus_and_is_one_gesture(stage: Stage, qtbot: QtBot) -> None:
    stage.other.setFocus()
    assert not stage.wheel(1)
    assert stage.heard == []
    stage.slider.setFocus()
    assert stage.wheel(1)
    assert stage.wheel(1)
    qtbot.waitUntil(lambda: not stage.slider.is_open)
    assert stage.degrees == pytest.approx(2.0)
    assert stage.heard == ["started", "moved", "moved", "finished"]


def test_a_value_from_outside_is_silent_and_does_not_disturb_a_hand(stage: Stage) -> None:
    stage.slider.set_value(0.5)
    assert stage.heard == []
    stage.drag(40, 60, release=False)
    held = stage.slider.value
    stage.slider.set_value(-0.5)
    assert stage.slider.value == held
    QTest.mouseRelease(stage.slider, LEFT, NONE, stage.point(60))


def test_hiding_ends_the_gesture(stage: Stage) -> None:
    stage.drag(40, 60, release=False)
    stage.slider.hide()
    assert stage.heard[-1] == "finished"
    assert not stage.slider.is_open


def test_disabling_cancels_the_gesture(stage: Stage) -> None:
    stage.drag(40, 60, release=False)
    stage.slider.setEnabled(False)
    assert stage.heard[-1] == "cancelled"
    assert stage.slider.value == 0.0
    stage.slider.edit()
    assert stage.editor is None


def test_whoever_cannot_serve_a_gesture_cancels_it_as_it_starts(stage: Stage) -> None:
    stage.slider.started.connect(stage.slider.cancel)
    stage.drag(40, 60, 90)
    QTest.keyClick(stage.slider, Qt.Key.Key_Right)
    stage.slider.reset()
    assert stage.slider.value == 0.0
    assert stage.values == []


def test_a_screen_reader_hears_name_value_and_limits(stage: Stage) -> None:
    stage.slider.set_value(math.radians(-12.5))
    assert stage.slider.accessibleName() == "Flexion"
    assert stage.slider.accessibleDescription() == "−12.5 degrees, from −50.0 degrees to 50.0 degrees"


def test_the_filled_part_stands_between_rest_and_value(stage: Stage) -> None:
    stage.slider.set_value(math.radians(25.0))
    image = stage.slider.grab().toImage()
    ratio = image.width() / WIDTH
    line = [image.pixelColor(round(x * ratio), round(5 * ratio)).name() for x in (70, 120, 140, 175)]
    assert line[1] == line[2] == dark.fill
    assert dark.fill not in (line[0], line[3])


def test_it_follows_the_theme(stage: Stage, styled: QApplication) -> None:
    stage.slider.set_value(math.radians(25.0))
    apply_theme(styled, light)
    image = stage.slider.grab().toImage()
    assert image.pixelColor(round(130 * image.width() / WIDTH), 5).name() == light.fill


def test_tab_goes_from_field_to_field(stage: Stage) -> None:
    stage.slider.setFocus()
    QTest.keyClick(stage.slider, Qt.Key.Key_Tab)
    assert stage.other.hasFocus()
