"""The queue of exports in the real window: what it writes, cancelling, closing, and that the window stays live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from app.export.choices import Choices
from app.export.exports import Export, ExportQueue
from app.export.plan import Caption, Plan
from app.export.planning import plan_of
from app.export.preview import FramePreview
from app.export.surface import NoOpenGL, QtSurface
from app.features.films.films import Films
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.measure import Quantity
from tests.app.export.films import plan_for, read, waving
from tests.app.shell.answers import Answers
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui


class Silent:
    """A device that plays nothing."""

    def close(self) -> None:
        """It has nothing to end."""


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture(scope="module")
def opened(qapp: object, answers: Answers) -> Iterator[Stage]:
    with stage(waving(sound=True), questions=answers, seen=False) as open_stage:
        open_stage.session.sounds.speaker.open_device = lambda voice: Silent()
        yield open_stage


def until_ended(opened: Stage, *exports: Export) -> None:
    opened.until(lambda: all(each.has_ended for each in exports), patience=300.0)


def plan(opened: Stage, out: Path, **changes: Any) -> Plan:
    return plan_for(out, opened.session.document, **{"shadows": False, **changes})


def test_what_the_window_shows_is_exported_as_a_film(opened: Stage, tmp_path: Path) -> None:
    chosen = Choices(width=320, height=180, samples=2)
    first = plan_of(chosen, opened.session, opened.view, tmp_path / "a.mp4")
    export = opened.window.of(Films).exports.add(first)
    assert export.state == "waiting"
    until_ended(opened, export)
    assert (export.state, export.problem, export.fraction) == ("done", "", 1.0)
    assert [each.name for each in tmp_path.iterdir()] == ["a.mp4"]
    found = read(tmp_path / "a.mp4")
    assert (found.size, found.rate, len(found.frames)) == ((320, 180), 30.0, 31)
    assert found.heard is not None
    assert np.abs(found.heard[:12_000]).max() > 0.3
    changes = [np.abs(a.astype(int) - b.astype(int)).mean() for a, b in pairwise(found.frames)]
    assert min(changes) > 0.05, "every frame is another"
    assert "Exported a.mp4" in opened.session.log[-1].text


def test_exports_follow_one_another_and_tell_how_far_they_are(opened: Stage, tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []  # what the status line is given
    exports: ExportQueue = opened.window.of(Films).exports
    exports.job_changed.connect(lambda job: told.append((job.text, job.fraction)))
    both = [exports.add(plan(opened, tmp_path / name)) for name in ("one.mp4", "two.mp4")]
    opened.until(lambda: both[0].state == "running")
    assert both[1].state == "waiting"
    until_ended(opened, *both)
    assert {each.state for each in both} == {"done"}
    assert ("Exporting one.mp4, 1 more to come", 0.0) in told
    assert told[-1][0] == ""
    shares = [share for text, share in told if text]
    assert shares == sorted(shares), "of both together"
    assert 0.0 < max(share for text, share in told if "one.mp4" in text) <= 0.5
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.mp4", "two.mp4"]


def test_the_document_is_exported_as_it_was_when_it_was_asked_for(opened: Stage, tmp_path: Path) -> None:
    exports = opened.window.of(Films).exports
    export = exports.add(plan(opened, tmp_path / "a.mp4", sound=False))
    opened.session.do(edit("remove_actor", actor="human"))
    until_ended(opened, export)
    opened.session.undo()
    opened.settle()
    frames = read(tmp_path / "a.mp4").frames
    assert np.abs(frames[0].astype(int) - frames[-1].astype(int)).mean() > 0.05


def test_cancel_in_the_status_line_leaves_nothing_and_those_that_wait_go_on(opened: Stage, tmp_path: Path) -> None:
    exports = opened.window.of(Films).exports
    long = exports.add(plan(opened, tmp_path / "long.mp4", rate=(1000, 1), samples=8))
    short = exports.add(plan(opened, tmp_path / "short.mp4"))
    job = opened.window.status.job
    opened.until(lambda: job.isVisible() and long.written > 2)
    assert "Exporting long.mp4" in job.text.text()
    assert job.cancel is not None
    QTest.mouseClick(job.cancel, Qt.MouseButton.LeftButton)
    until_ended(opened, long, short)
    assert (long.state, short.state) == ("cancelled", "done")
    assert [each.name for each in tmp_path.iterdir()] == ["short.mp4"]


def test_one_that_waits_is_taken_out(opened: Stage, tmp_path: Path) -> None:
    exports = opened.window.of(Films).exports
    first, second = (exports.add(plan(opened, tmp_path / name)) for name in ("a.mp4", "b.mp4"))
    exports.cancel(second)
    assert second.state == "cancelled"
    until_ended(opened, first)
    assert [each.name for each in tmp_path.iterdir()] == ["a.mp4"]


def test_one_that_fails_says_why_and_the_next_goes_on(opened: Stage, tmp_path: Path) -> None:
    exports = opened.window.of(Films).exports
    bad = exports.add(plan(opened, tmp_path / "none" / "a.mp4"))
    good = exports.add(plan(opened, tmp_path / "b.mp4"))
    until_ended(opened, bad, good)
    assert (bad.state, good.state) == ("failed", "done")
    assert "there is no such folder" in bad.problem
    assert any("there is no such folder" in entry.text and entry.kind == "error" for entry in opened.session.log)
    opened.window.message.dismiss()


def test_what_cannot_be_worked_out_or_drawn_is_named(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object) -> None:
        raise MemoryError

    def odd(*_: object) -> None:
        raise ValueError("odd")

    exports = opened.window.of(Films).exports
    missing = Caption(quantities=(Quantity(kind="value", actor="human", part="tail.turn"),))
    unknown = exports.add(plan(opened, tmp_path / "a.mp4", caption=missing))
    until_ended(opened, unknown)
    assert unknown.state == "failed"
    assert "tail.turn" in unknown.problem
    monkeypatch.setattr("app.export.drawing.Drawing.frame", too_large)
    large = exports.add(plan(opened, tmp_path / "b.mp4"))
    until_ended(opened, large)
    assert large.state == "failed"
    assert "a picture of 160 x 120 pixels does not fit into memory" in large.problem
    for name, what in (("app.export.drawing.Drawing.frame", "drawn"), ("app.export.exports.Stills", "exported")):
        monkeypatch.setattr(name, odd)
        strange = exports.add(plan(opened, tmp_path / "c.mp4"))
        until_ended(opened, strange)
        assert (strange.state, strange.problem) == ("failed", f"c.mp4 cannot be {what}: ValueError: odd")
    assert list(tmp_path.iterdir()) == []
    opened.window.message.dismiss()


def test_a_preview_that_cannot_be_drawn_says_why(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(*_: object) -> None:
        raise ValueError("odd")

    told: list[str] = []
    monkeypatch.setattr("app.export.drawing.Drawing.frame", odd)
    preview = FramePreview(opened.session, opened.window)
    preview.refused.connect(told.append)
    preview.show(plan(opened, tmp_path / "a.mp4"), 0)
    opened.until(lambda: bool(told))
    preview.close()
    preview.deleteLater()
    assert told == ["ValueError: odd"]


class Losable(QtSurface):
    """One that a driver can take away."""

    is_lost = False

    @contextmanager
    def current(self) -> Iterator[None]:
        if self.is_lost:
            raise NoOpenGL("the driver has gone")
        with super().current():
            yield


def test_a_lost_surface_ends_one_export_and_the_next_has_another(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports, made = opened.window.of(Films).exports, list[Losable]()

    def make() -> Losable:
        made.append(Losable())
        return made[-1]

    opened.until(lambda: exports._surface is None)
    monkeypatch.setattr(exports, "_make_surface", make)
    bad = exports.add(plan(opened, tmp_path / "a.mp4", rate=(1000, 1)))
    good = exports.add(plan(opened, tmp_path / "b.mp4"))
    opened.until(lambda: bad.written > 2)
    made[0].is_lost = True
    until_ended(opened, bad, good)
    assert (bad.state, good.state, len(made)) == ("failed", "done", 2)
    assert "the driver has gone" in bad.problem
    assert not exports.busy, "nothing keeps the window open"
    opened.window.message.dismiss()


def test_the_late_error_of_another_film_is_not_its_own(opened: Stage, tmp_path: Path) -> None:
    export = opened.window.of(Films).exports.add(plan(opened, tmp_path / "a.mp4"))
    opened.until(lambda: export.written > 1)
    opened.session.engine.failed.emit("export", -1, RuntimeError("late"))
    until_ended(opened, export)
    assert (export.state, export.problem) == ("done", "")
    opened.window.message.dismiss()


def test_the_window_is_drawn_and_posed_while_a_film_is(opened: Stage, tmp_path: Path) -> None:
    exports, session = opened.window.of(Films).exports, opened.session
    export = exports.add(plan(opened, tmp_path / "a.mp4", rate=(200, 1), samples=4, sound=False))
    opened.until(lambda: export.written > 3)
    before, posed = opened.pictures, export.written
    session.set_playhead(SECOND // 2)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == SECOND // 2)
    opened.until(lambda: opened.pictures > before)
    assert export.state == "running"
    assert export.written - posed < 60, "the picture that a hand waits for comes first"
    exports.cancel(export)
    until_ended(opened, export)


def test_a_film_gives_way_to_a_hand(opened: Stage, tmp_path: Path) -> None:
    turns: list[int] = []
    clock = QTimer(interval=0)
    clock.timeout.connect(lambda: turns.append(0))

    def turns_for_frames(export: Export, count: int) -> int:
        before, begun = len(turns), export.written
        opened.until(lambda: export.written >= begun + count)
        return len(turns) - before

    export = opened.window.of(Films).exports.add(plan(opened, tmp_path / "a.mp4", rate=(1000, 1), sound=False))
    opened.until(lambda: export.written > 3)
    clock.start()
    alone = turns_for_frames(export, 20)
    gesture = opened.session.begin_gesture("Drag")
    beside = turns_for_frames(export, 20)
    gesture.cancel()
    clock.stop()
    opened.window.of(Films).exports.cancel(export)
    until_ended(opened, export)
    assert beside > 3 * alone


def test_a_frame_is_drawn_in_slices(opened: Stage, tmp_path: Path) -> None:
    turns: list[int] = []
    exports = opened.window.of(Films).exports
    clock = QTimer(interval=0)
    export = exports.add(plan(opened, tmp_path / "a.png", codec="png", end=0, size=(2100, 1200), samples=2))
    clock.timeout.connect(lambda: turns.append(export.written))
    clock.start()
    until_ended(opened, export)
    clock.stop()
    assert export.state == "done"
    assert turns.count(0) > 4 * 2, "four tiles of two samples, with turns of the loop between"


def test_closing_asks_while_something_is_exported(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    export = opened.window.of(Films).exports.add(plan(opened, tmp_path / "a.mp4", rate=(1000, 1)))
    opened.window.close()
    assert opened.window.isVisible()
    assert answers.asked[-1] == "stop 1 exports"
    opened.window.of(Films).exports.cancel(export)
    until_ended(opened, export)


def test_closing_once_they_are_stopped_closes(qapp: object, answers: Answers, tmp_path: Path) -> None:
    with stage(waving(), questions=answers, seen=False) as other:
        exports = other.window.of(Films).exports
        both = [exports.add(plan(other, tmp_path / name, rate=(1000, 1))) for name in ("a.mp4", "b.mp4")]
        other.until(lambda: both[0].written > 2)
        answers.stops_exports = True
        other.window.close()
        assert answers.asked[-1] == "stop 2 exports"
        other.until(lambda: not other.window.isVisible())
    assert [each.state for each in both] == ["cancelled", "cancelled"]
    assert list(tmp_path.iterdir()) == []


class Later(Answers):
    """Thinks about it."""

    def stop_exports(self, count: int, stop: Callable[[], None]) -> None:
        self.stop = stop


def test_closing_goes_on_if_they_have_ended_while_it_was_asked(qapp: object, tmp_path: Path) -> None:
    later = Later()
    with stage(waving(), questions=later, seen=False) as other:
        export = other.window.of(Films).exports.add(plan(other, tmp_path / "a.mp4"))
        other.window.close()
        until_ended(other, export)
        assert other.window.isVisible()
        later.stop()
        other.until(lambda: not other.window.isVisible())
    assert export.state == "done"


def test_closing_for_good_ends_exports_and_leaves_nothing(qapp: object, tmp_path: Path) -> None:
    with stage(waving(), seen=False) as other:
        running = other.window.of(Films).exports.add(plan(other, tmp_path / "a.mp4", rate=(1000, 1)))
        waiting = other.window.of(Films).exports.add(plan(other, tmp_path / "b.mp4"))
        other.until(lambda: running.written > 2)
    assert (running.state, waiting.state) == ("cancelled", "cancelled")
    assert list(tmp_path.iterdir()) == []
