"""Garbage is not collected while the engine is loaded, afterwards on the window's thread alone."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication

from app.shell.collecting import Collecting
from app.style.chart import ChartLibrary
from engine.runtime.errors import Diverged
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver, hold


@pytest.fixture
def starting(qapp: object) -> Iterator[Held]:
    made = hold(small_document(), ready=False)
    gc.unfreeze()  # what the tests themselves set aside
    yield made
    made.session.close()
    made.session.deleteLater()
    gc.unfreeze()
    gc.enable()


def running(collecting: Collecting) -> bool:
    return collecting._timer.isActive()


def test_it_begins_when_the_engine_is_ready_and_leaves_out_what_was_loaded(starting: Held) -> None:
    collecting = Collecting(starting.session, starting.session)
    starting.session.engine.prepare()
    assert not running(collecting)
    assert gc.get_freeze_count() == 0
    starting.make_ready()
    assert running(collecting)
    assert gc.get_freeze_count() > 1000
    assert not gc.isenabled(), "Python would do it on any thread"
    collecting.end()
    assert gc.isenabled()
    assert not running(collecting)


def test_what_comes_with_the_first_chart_is_left_out_too(starting: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    library = ChartLibrary()
    monkeypatch.setattr("app.shell.collecting.chart_library", lambda: library)
    collecting = Collecting(starting.session, starting.session)
    starting.make_ready()
    before, kept = gc.get_freeze_count(), [[number] for number in range(1000)]
    library.loaded.emit()
    deliver()
    assert gc.get_freeze_count() >= before + len(kept)
    collecting.end()


def test_it_begins_when_the_engine_cannot_be_loaded(starting: Held) -> None:
    collecting = Collecting(starting.session, starting.session)
    starting.session.engine.prepare()
    request = next(each for each in starting.worker.requests if each.key == "engine")
    starting.worker.fail(request, Diverged(what="loading", value="nothing"))
    deliver()
    assert running(collecting)
    collecting.end()


class Ring(QObject):
    """What only a collection ends."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def over_threshold(generation: int) -> tuple[int, ...]:
    """Counts at which this generation and the younger ones are due, with this Python's own thresholds."""
    return tuple(most + 1 if each <= generation else 0 for each, most in enumerate(gc.get_threshold()))


@pytest.mark.parametrize("generation", [0, 2])
def test_objects_of_qt_end_on_the_windows_thread_however_much_another_makes(
    generation: int, starting: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting = Collecting(starting.session, starting.session, sets_aside=False)
    starting.make_ready()
    ring, ended = Ring(), list[QThread]()
    watch = weakref.finalize(ring, lambda: ended.append(QThread.currentThread()))
    for _ in range(generation):
        gc.collect(1)
    del ring

    def make() -> None:
        kept = [[number] for number in range(50_000)]
        assert len(kept) == 50_000

    other = threading.Thread(target=make)
    other.start()
    other.join()
    assert watch.alive
    monkeypatch.setattr(gc, "get_count", lambda: over_threshold(generation))
    collecting.collect()
    collecting.end()
    application = QApplication.instance()
    assert application is not None
    assert ended == [application.thread()]


def test_full_rounds_take_a_small_part_of_the_time(starting: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    collecting = Collecting(starting.session, starting.session, sets_aside=False)
    rounds = list[int]()
    now = 0.0

    def collect(generation: int = 2) -> None:
        nonlocal now
        rounds.append(generation)
        now += 0.05 if generation == 2 else 0.001

    monkeypatch.setattr("app.shell.collecting.perf_counter", lambda: now)
    monkeypatch.setattr(gc, "get_count", lambda: over_threshold(2))
    monkeypatch.setattr(gc, "collect", collect)
    for _ in range(300):
        now += 0.1
        collecting.collect()
    monkeypatch.undo()
    collecting.end()
    assert rounds.count(2) == 3
    assert rounds.count(1) == 297
