"""Studies in the real window: one is opened, runs in the background, is drawn, cancelled, gone on with, refused.

What the process says is said here; that it says so is tested where it is at work (tests/engine/sweeps).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.study.panel import StudyPanel
from app.features.study.running import StudyRun
from engine.runtime.child import Json, Message
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton
RESULTS = ("speed [m/s]", "last frames_5.link_1.swing [rad]")


class Said:
    """A process that says what it is told to."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.arguments: dict[str, Json] = {}
        self.say: Callable[[Message], None] = lambda message: None

    def __call__(self, name: str, arguments: dict[str, Json], on_message: Callable[[Message], None]) -> Said:
        assert name == "sweep"
        self.arguments, self.say = arguments, on_message
        return self

    def cancel(self) -> None:
        self.say({"ended": "cancelled"})

    def wait(self, timeout: float | None = None) -> bool:
        return True

    def begin(self, rows: int) -> None:
        self.say({"parameters": ["tension", "damping"], "results": list(RESULTS), "rows": rows})

    def row(self, number: int, **progress: float) -> None:
        tension, damping = ((1.0, 2.0, 4.0)[(number - 1) // 2], (0.2, 0.8)[(number - 1) % 2])
        self.say({"row": number, "values": [tension, damping], "numbers": [tension * damping, -tension], **progress})


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        yield open_stage
        open_stage.session.of(StudyRun).take(None)
        open_stage.window.prefer(cluster="")


def test_a_study_is_opened_runs_and_is_drawn_is_cancelled_and_one_that_cannot_be_says_why(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, study, child = tmp_path / "ball.toml", opened.session.of(StudyRun), Said()
    monkeypatch.setattr(study, "_start_child", child)
    monkeypatch.setattr(opened.window.asking, "choose_of", lambda kind, then: then(path))
    panel = opened.window.docks["study"].widget()
    assert isinstance(panel, StudyPanel)
    opened.window.show_panel("study")
    opened.until(lambda: panel.isVisible() and panel.hint.isVisible())
    opened.window.menus.actions["study.open"].trigger()
    opened.until(panel.cancel.isVisible)
    assert (child.arguments["study"], child.arguments["table"]) == (str(path), str(path.with_suffix(".csv")))
    refreshed, refresh = list[int](), panel.refresh

    def counted() -> None:
        refreshed.append(len(study.rows))
        refresh()

    monkeypatch.setattr(panel, "refresh", counted)
    child.begin(6)
    for number in (1, 2, 4, 3):
        child.row(number, progress=number / 6)
    opened.until(lambda: panel.left.text().startswith("Row 4 of 6"))
    assert len(refreshed) <= 2, "rows that come together are drawn together"
    assert panel.bar.isVisible()
    assert not panel.run.isVisible()
    assert panel.chart.points == [[(1.0, 0.2), (2.0, 0.4)], [(1.0, 0.8), (2.0, 1.6)]], "a line for each damping"
    assert [name for _, name in panel.chart.legend] == ["0.2", "0.8"]
    QTest.mouseClick(panel.cancel, LEFT)
    opened.until(panel.run.isVisible)
    assert panel.said.text() == "Cancelled. What is done is kept: Run goes on from there."
    QTest.mouseClick(panel.open, LEFT)
    opened.until(panel.cancel.isVisible)
    child.begin(6)
    for number in range(1, 7):
        child.row(number)
    child.say({"result": {"path": "ball.csv", "made": 2, "text": "ball.csv: 6 rows, 2 of them worked out now"}})
    child.say({"ended": "done"})
    opened.until_told("ball.toml: 6 rows, 2 of them worked out now", "note")
    opened.until(panel.run.isVisible)
    assert panel.left.text() == "6 rows, kept as CSV beside it"
    opened.window.prefer(cluster="tcp://host:1")
    assert panel.cluster.text() == "tcp://host:1"
    panel.cluster.setFocus()
    panel.cluster.selectAll()
    QTest.keyClicks(panel.cluster, " tcp://host:2 ")
    QTest.keyClick(panel.cluster, Qt.Key.Key_Return)
    assert opened.window.preferences.cluster == "tcp://host:2"
    panel.up.setFocus()
    QTest.keyClick(panel.up, Qt.Key.Key_Down)
    assert panel.up.currentText() == RESULTS[1]
    assert panel.chart.points[0] == [(1.0, -1.0), (2.0, -2.0), (4.0, -4.0)]
    QTest.mouseClick(panel.run, LEFT)
    assert child.arguments["scheduler"] == "tcp://host:2"
    child.say({"error": {"type": "UnreadableFile", "text": "cannot read ball.toml, line 5: there is no edit 'x'."}})
    child.say({"ended": "failed"})
    opened.until(lambda: panel.said.isVisible() and panel.run.isVisible())
    assert panel.said.text() == "Cannot read ball.toml, line 5: there is no edit 'x'."
    assert not panel.chart.isVisible()
