"""The job area: progress, the time left, Cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import JobState
from app.shell.job_area import JobArea
from engine.runtime.time_left import TimeLeft


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


def test_the_next_job_of_the_same_name_can_be_cancelled_too(qtbot: QtBot) -> None:
    area = JobArea()
    qtbot.addWidget(area)
    area.show_job(JobState(name="export", text="Exporting a.mp4", fraction=0.5))
    QTest.mouseClick(area.cancel, Qt.MouseButton.LeftButton)
    area.show_job(JobState(name="export", text="Exporting a.mp4", fraction=0.6))
    assert not area.cancel.isEnabled()
    area.show_job(JobState(name="export", text="Exporting b.mp4", fraction=0.0))
    assert area.cancel.isEnabled()


def test_a_button_shows_more_about_jobs_that_have_more(qtbot: QtBot) -> None:
    area = JobArea()
    qtbot.addWidget(area)
    asked: list[str] = []
    area.offer("export", "What is exported", lambda: asked.append("export"))
    area.show_job(JobState(name="warm_up", text="Preparing posing"))
    assert area.details.isHidden()
    area.show_job(JobState(name="export", text="Exporting a.mp4"))
    assert not area.details.isHidden()
    assert area.details.toolTip() == "What is exported"
    QTest.mouseClick(area.details, Qt.MouseButton.LeftButton)
    assert asked == ["export"]


def test_of_two_jobs_at_once_the_last_is_shown_until_it_ends_and_the_cross_is_its_own(qtbot: QtBot) -> None:
    area = JobArea()
    qtbot.addWidget(area)
    ended: list[str] = []
    area.cancelled.connect(ended.append)
    area.offer("export", "What is exported", lambda: None)
    area.show_job(JobState(name="bake", text="Baking", fraction=0.1))
    area.show_job(JobState(name="export", text="Exporting a.mp4", fraction=0.5))
    for fraction in (0.2, 0.3):
        area.show_job(JobState(name="bake", text="Baking", fraction=fraction))
        assert (area.text.text(), area.bar.value()) == ("Exporting a.mp4", 500)
        assert not area.details.isHidden()
    QTest.mouseClick(area.cancel, Qt.MouseButton.LeftButton)
    area.show_job(JobState(name="bake", text="Baking", fraction=0.4))
    assert not area.cancel.isEnabled()
    area.show_job(JobState(name="export", text="", running=False))
    assert (area.text.text(), area.bar.value()) == ("Baking", 400)
    assert area.details.isHidden()
    assert area.cancel.isEnabled()
    QTest.mouseClick(area.cancel, Qt.MouseButton.LeftButton)
    assert ended == ["export", "bake"]
    area.show_job(JobState(name="bake", text="", running=False))
    assert area.isHidden()


def test_the_newest_of_a_kind_takes_the_place_of_the_one_before(qtbot: QtBot) -> None:
    area = JobArea()
    qtbot.addWidget(area)
    area.show_job(JobState(name="preview 1", text="One", fraction=0.5))
    area.show_job(JobState(name="preview 2", text="Two", fraction=0.6))
    assert area.text.text() == "Two"
    area.show_job(JobState(name="preview 2", text="", running=False))
    assert area.isHidden()


def test_the_time_left_of_a_job_that_knows_its_steps_runs_down_between_them(qtbot: QtBot) -> None:
    area, now = JobArea(), [0.0]
    qtbot.addWidget(area)
    left = TimeLeft(lambda: now[0], steps=(0.5, 1.0), seconds=40.0)
    area.show_job(JobState(name="warm_up", text="Preparing posing", left=left))
    assert area.left.text() == ""
    for passed, told in ((4.0, "36 s left"), (15.0, "25 s left")):
        now[0] = passed
        area._count.timeout.emit()
        assert area.left.text() == told
    area.show_job(JobState(name="warm_up", text="", running=False))
    assert not area._count.isActive()
