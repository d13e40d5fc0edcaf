"""The status line: live numbers that lay out nothing, and that change with a picture or at rest."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session import EngineState, JobState
from app.session.engine_steps import Cold
from app.shell.status_line import StatusLine
from app.style.apply import apply_theme
from app.style.live_label import LiveLabel
from app.style.message_bar import MessageBar
from app.style.theme import THEMES
from engine.long.warm_up import WARM
from engine.runtime.time_left import FIRST_GUESS
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, hold, steps

pytestmark = pytest.mark.gui


class Layouts(QObject):
    """Counts how often a widget was asked to lay itself out anew."""

    def __init__(self, line: StatusLine) -> None:
        super().__init__(line)
        self.count = 0
        line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def held(qapp: QApplication) -> Iterator[Held]:
    apply_theme(qapp, THEMES["dark"])  # whose letters are wider than those without a theme
    made = hold(small_document())
    yield made
    made.session.close()
    made.session.deleteLater()


@pytest.fixture
def line(held: Held, qtbot: QtBot) -> StatusLine:
    made = StatusLine(held.session, MessageBar(one_line=True))
    made.resize(900, 24)
    qtbot.addWidget(made)
    made.show()
    return made


def is_whole(label: LiveLabel) -> bool:
    """Whether nothing of its text is cut off."""
    return label.contentsRect().width() >= label.fontMetrics().horizontalAdvance(label.text())


def lay_out() -> None:
    """What is asked of a layout may ask for another one."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents()
        QCoreApplication.processEvents()


def test_numbers_that_fit_in_the_room_of_earlier_ones_lay_out_nothing(line: StatusLine) -> None:
    for label in (line.solved, line.drawn, line.balance):
        label.show_text("Pose 123.4 ms")
    lay_out()
    layouts, width = Layouts(line), line.solved.width()
    for text in ("Pose 8.1 ms", "Pose 11.3 ms", "Pose 950 µs", ""):
        for label in (line.solved, line.drawn, line.balance):
            label.show_text(text)
    line.pointer.set_text("a much longer word about what lies under the pointer")
    lay_out()
    assert layouts.count == 0
    assert line.solved.width() == width
    line.solved.show_text("Pose 12345678.9 ms")
    lay_out()
    assert layouts.count > 0
    assert is_whole(line.solved)


def test_the_time_of_drawing_waits_for_the_next_pose(line: StatusLine, monkeypatch: pytest.MonkeyPatch) -> None:
    line.show_solved(0.0042)
    assert line.solved.text() == "Pose 4.2 ms"
    line.show_drawn(12.5)
    assert line.drawn.text() == ""  # alone it would have the whole window painted again
    monkeypatch.setattr("app.shell.status_line.SHOW_EVERY", 1_000_000)  # however busy the machine is
    line.show_solved(0.0051)
    assert line.drawn.text() == ""
    assert line.solved.text() == "Pose 4.2 ms"  # four times a second


def test_at_rest_the_last_numbers_are_shown(line: StatusLine, qtbot: QtBot) -> None:
    line.show_solved(0.0042)
    line.show_solved(0.0061)
    line.show_drawn(12.5)
    qtbot.waitUntil(lambda: line.drawn.text() == "Draw 12.5 ms")
    assert line.solved.text() == "Pose 6.1 ms"


def test_nothing_is_cut_off_by_what_a_style_puts_around_a_text(qapp: QApplication, qtbot: QtBot) -> None:
    label = LiveLabel()
    qtbot.addWidget(label)
    label.show_text("Draw 24.6 ms")
    label.setStyleSheet("QLabel { padding: 0 9px; }")
    label.show()
    assert is_whole(label)
    label.show_text("Draw 1234.6 ms")
    assert is_whole(label)


def test_a_live_label_takes_another_font(qapp: QApplication, qtbot: QtBot) -> None:
    label = LiveLabel()
    qtbot.addWidget(label)
    label.show_text("Pose 8.1 ms")
    before, font = label.size(), label.font()
    font.setPixelSize(2 * font.pixelSize())
    label.setFont(font)
    assert label.width() > before.width()
    assert label.height() > before.height()


def test_all_that_is_prepared_at_a_first_start_leaves_the_window_as_narrow_as_it_was(
    line: StatusLine, held: Held
) -> None:
    what = ", ".join(each.purpose for each in WARM)
    lay_out()
    line.job.show_job(JobState(name="warm_up", text="Preparing poses"))
    held.session.engine_changed.emit(EngineState(text="Preparing poses", waiting_for="poses"))
    lay_out()
    before = line.minimumSizeHint().width()
    line.job.show_job(JobState(name="warm_up", text=f"Preparing {what}"))
    held.session.engine_changed.emit(EngineState(text=f"Preparing {what}", waiting_for=what))
    lay_out()
    assert line.minimumSizeHint().width() < 1000
    assert line.minimumSizeHint().width() - before < 600
    unlimited = line.fontMetrics().horizontalAdvance(what)
    assert unlimited > 400, "this test would say nothing of a short list"
    assert line.job.text.text().endswith("\N{HORIZONTAL ELLIPSIS}")
    assert line.job.text.toolTip() == f"Preparing {what}"
    assert what in line.engine.toolTip()


def test_it_says_what_can_be_done_and_what_is_being_prepared(line: StatusLine, held: Held) -> None:
    link, now = held.session.engine, [0.0]
    link.preparing._clock = lambda: now[0]
    link._warm_up(("locks", "playing"))
    link._set_ready()
    assert line.engine.text() == "Ready to pose · preparing keys and playing"
    entries = {entry.name: entry for entry in WARM}
    held.children[0].say({"progress": 0.0, "text": "Preparing keys and playing (1 of 2)…"})
    lay_out()
    now[0] = FIRST_GUESS
    link.preparing.changed.emit()
    left = math.ceil(entries["playing"].total - FIRST_GUESS)
    assert line.engine.text() == f"Ready to pose · preparing keys and playing, {left} s left"
    link.submit("mine", steps(None), document=None, needs=("locks",))
    held.children[0].say({"progress": 0.5, "ready": "playing"})
    lay_out()
    assert line.engine.text().startswith("Ready to pose · waiting for locks")
    assert "locks: being prepared" in line.engine.toolTip()
    held.children[0].say({"ended": "cancelled"})
    lay_out()
    assert line.engine.text() == "Ready to pose"
    assert "locks: prepared when first used" in line.engine.toolTip()
    link._warm_up(("locks",))
    held.children[-1].say({"ended": "done"})
    lay_out()
    assert line.engine.text() == "Ready"


def test_before_posing_is_ready_it_says_how_long_that_takes_and_not_how_long_all_does(qapp: QApplication) -> None:
    held, now = hold(small_document(), ready=False), [0.0]
    line, link = StatusLine(held.session, MessageBar(one_line=True)), held.session.engine
    link.preparing._clock = lambda: now[0]
    link.prepare()
    request = held.worker.requests.pop()
    held.worker.publish("engine", request.ticket, Cold(tuple(entry.name for entry in WARM)))
    lay_out()
    assert line.engine.text() == "Preparing posing by hand\N{HORIZONTAL ELLIPSIS}"
    held.children[0].say({"progress": 0.0, "text": "Preparing posing by hand (1 of 9)…"})
    lay_out()
    now[0] = FIRST_GUESS
    link.preparing.changed.emit()
    assert line.engine.text() == f"Preparing posing by hand, {math.ceil(WARM[0].total - FIRST_GUESS)} s left"
    held.session.close()
    line.deleteLater()
    held.session.deleteLater()


def test_a_line_that_is_gone_is_told_nothing(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *problem: problems.append(problem))
    line = StatusLine(held.session, MessageBar(one_line=True))
    shiboken6.delete(line)
    held.session.engine.preparing.changed.emit()
    assert problems == []
