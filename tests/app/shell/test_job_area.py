"""The job area: progress, a guess of the time left, Cancel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import JobState
from app.shell.job_area import JobArea, TimeLeft


@pytest.mark.parametrize(
    ("passed", "fraction", "text"),
    [
        (0.5, 0.5, ""),
        (10.0, 0.0, ""),
        (10.0, 1.0, ""),
        (10.0, 0.5, "10 s left"),
        (30.0, 0.25, "2 min left"),
        (8.0, 0.1, "72 s left"),
    ],
)
def test_time_left_is_guessed_from_what_passed(passed: float, fraction: float, text: str) -> None:
    now = [100.0]
    guess = TimeLeft(lambda: now[0])
    now[0] += passed
    assert guess.text(fraction) == text


def test_it_shows_a_running_job_and_cancels_it(qtbot: QtBot) -> None:
    area = JobArea()
    qtbot.addWidget(area)
    area.show_job(JobState(name="warm_up", text="Preparing posing", fraction=0.25))
    assert not area.isHidden()
    assert area.bar.value() == 250
    with qtbot.waitSignal(area.cancelled):
        QTest.mouseClick(area.cancel, Qt.MouseButton.LeftButton)
    assert not area.cancel.isEnabled()
    area.show_job(JobState(name="warm_up", text="", running=False))
    assert area.isHidden()
    area.show_job(JobState(name="warm_up", text="Again"))
    assert area.cancel.isEnabled()
