"""Charts: when pyqtgraph is loaded, what is drawn where, and what follows the theme."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.style.apply import apply_theme, current_theme
from app.style.chart import ChartFrame, ChartLibrary, ChartView, Marks, Trace, decades, power_text
from app.style.theme import THEMES
from tests.app.features.conftest import drawn
from tests.app.scene.conftest import pixels

RED, BLUE = "#ff0000", "#0000ff"
IMPORTED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.style import chart
from app.style.chart import ImportBreaks, ChartLibrary
chart.SLICE = 0.0  # at each module
app, library, seen = QApplication([]), ChartLibrary(), []
timer = QTimer(interval=0)
timer.timeout.connect(lambda: seen.append("pyqtgraph" in sys.modules))
timer.start()
library.loaded.connect(timer.stop)
library.ask()
while not library.is_there:
    app.processEvents()
print(sum(seen), sum(isinstance(each, ImportBreaks) for each in sys.meta_path))
"""


class Steps(ChartView):
    """Two lines through the corners of a frame, the second with a gap."""

    def __init__(self) -> None:
        super().__init__("Steps", height=120)
        self.traces: tuple[Trace, ...] = (
            Trace(x=(0.0, 1.0), y=(0.0, 1.0), colour=RED),
            Trace(x=(0.0, 0.25, np.nan, 0.75, 1.0), y=(1.0, 0.75, np.nan, 0.25, 0.0), colour=BLUE),
        )

    def frames(self) -> Sequence[ChartFrame]:
        marks = [(0.0, "0"), (1.0, "1")]
        return [ChartFrame(across=(0.0, 1.0), up=(0.0, 1.0), traces=self.traces, marks=marks)]

    def below(self) -> Marks:
        return [(0.0, "0 s"), (1.0, "1 s")]


@pytest.fixture
def steps(styled: QApplication, qtbot: QtBot) -> Steps:
    made = Steps()
    qtbot.addWidget(made)
    made.resize(300, 120)
    return made


def near(image: QImage, colour: str) -> np.ndarray:
    """Rows and columns of the pixels of a colour."""
    wanted = QColor(colour)
    rgb = (wanted.red(), wanted.green(), wanted.blue())
    return np.argwhere((np.abs(pixels(image).astype(int) - rgb) < 60).all(axis=2))


def test_nothing_is_imported_while_a_window_starts(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    loaded_by: list[threading.Thread] = []
    library = ChartLibrary()
    monkeypatch.setattr(ChartLibrary, "_load", lambda self: loaded_by.append(threading.current_thread()))
    library.hold()
    library.ask()
    qtbot.wait(20)
    assert loaded_by == []
    library.release()
    qtbot.waitUntil(lambda: bool(loaded_by))
    library.ask()
    qtbot.wait(20)
    assert loaded_by == [threading.main_thread()], "once, and by the window's thread"


def test_what_nobody_asked_for_is_not_imported_after_a_start(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    loaded: list[ChartLibrary] = []
    library = ChartLibrary()
    monkeypatch.setattr(ChartLibrary, "_load", loaded.append)
    library.hold()
    library.release()
    qtbot.wait(50)
    assert loaded == []


def test_the_window_goes_on_between_modules() -> None:
    """In a process to which pyqtgraph is new."""
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, timeout=300.0)
    assert done.returncode == 0, done.stderr
    times, left = map(int, done.stdout.split())
    assert (times > 20, left) == (True, 0)


def test_lines_run_from_corner_to_corner_of_the_frame_and_break_at_gaps(steps: Steps, qtbot: QtBot) -> None:
    image, frame = drawn(steps, qtbot), steps.frame_rect(0)
    red, blue = near(image, RED), near(image, BLUE)
    assert red[0] == pytest.approx((frame.top(), frame.right()), abs=4.0)
    assert red[-1] == pytest.approx((frame.bottom(), frame.left()), abs=4.0)
    between = np.abs(blue[:, 1] - frame.center().x()) < 0.2 * frame.width()
    assert not between.any()
    assert (blue[:, 1] < frame.center().x()).any()
    assert (blue[:, 1] > frame.center().x()).any()


def test_numbers_stand_whole_beside_and_below_the_frame(steps: Steps, qtbot: QtBot) -> None:
    image, frame = drawn(steps, qtbot), steps.frame_rect(0)
    ink = near(image, current_theme().text_faint)
    assert (ink[:, 1] < frame.left()).any()
    below = ink[ink[:, 0] > frame.bottom()]
    assert below[:, 1].max() > frame.right() - 8.0
    assert below[:, 1].max() < steps.width() - 1
    assert below[:, 0].max() < steps.height() - 1


def test_fewer_lines_leave_nothing_of_those_that_were(steps: Steps, qtbot: QtBot) -> None:
    drawn(steps, qtbot)
    steps.traces = steps.traces[:1]
    steps.draw()
    image = drawn(steps, qtbot)
    assert len(near(image, RED))
    assert not len(near(image, BLUE))


def test_a_chart_follows_the_theme(steps: Steps, styled: QApplication, qtbot: QtBot) -> None:
    frame = steps.frame_rect(0).toRect()
    before = drawn(steps, qtbot).pixelColor(frame.left() + 20, frame.center().y())
    assert before == QColor(THEMES["dark"].field)
    apply_theme(styled, THEMES["light"])
    after = drawn(steps, qtbot).pixelColor(frame.left() + 20, frame.center().y())
    assert after == QColor(THEMES["light"].field)


def test_the_mouse_is_the_charts_own(styled: QApplication, qtbot: QtBot) -> None:
    taken: list[Qt.MouseButton] = []

    class Taking(Steps):
        def mousePressEvent(self, event: object) -> None:
            taken.append(Qt.MouseButton.RightButton)

    around = QWidget()
    chart = Taking()
    QVBoxLayout(around).addWidget(chart)
    qtbot.addWidget(around)
    around.show()
    qtbot.waitUntil(lambda: chart.is_drawn)
    target = around.childAt(chart.geometry().center())
    assert target is chart, "not pyqtgraph's view, which would open a menu"
    QTest.mouseClick(target, Qt.MouseButton.RightButton, pos=target.rect().center())
    assert taken


def test_what_is_not_seen_is_not_drawn(styled: QApplication, qtbot: QtBot) -> None:
    around = QWidget()
    chart = Steps()
    QVBoxLayout(around).addWidget(chart)
    qtbot.addWidget(around)
    around.show()
    qtbot.waitUntil(lambda: chart.is_drawn)
    chart.hide()
    chart.draw()
    QCoreApplication.sendPostedEvents()
    QCoreApplication.processEvents()
    assert not chart.is_drawn
    chart.show()
    qtbot.waitUntil(lambda: chart.is_drawn)


@pytest.mark.parametrize(
    ("low", "high", "most", "powers"),
    [(-4, 0, 6, [-4, -3, -2, -1, 0]), (-12, 0, 5, [-12, -9, -6, -3, 0]), (-1, 0, 2, [-1, 0])],
)
def test_decades_are_marked_as_often_as_there_is_room(low: int, high: int, most: int, powers: list[int]) -> None:
    found = decades(low, high, most=most)
    assert [power for power, _ in found] == powers
    assert found[0][1] == power_text(low)
    assert power_text(-12) == "10⁻¹²"
