"""Problems that nobody caught: shown, logged, survived."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from app.shell.problems import ExceptionCatcher
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, hold


@pytest.fixture
def held(qapp: QCoreApplication) -> Iterator[Held]:
    made = hold(small_document())
    yield made
    made.session.close()
    made.session.deleteLater()


def broken() -> None:
    raise RuntimeError("a slot broke")


def test_an_exception_in_a_slot_is_logged_and_the_loop_goes_on(
    held: Held, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    with qtbot.captureExceptions(), ExceptionCatcher(held.session) as problems:
        with qtbot.waitSignal(problems.happened) as happened:
            QTimer.singleShot(0, broken)
        assert "RuntimeError: a slot broke (broken, line" in happened.args[0]
    entry = held.session.log[-1]
    assert entry.kind == "error"
    assert "Traceback" in entry.line
    assert "Traceback" in capsys.readouterr().err


def test_an_exception_in_a_thread_is_logged(held: Held, qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> None:
    with ExceptionCatcher(held.session) as problems, qtbot.waitSignal(problems.happened):
        thread = threading.Thread(target=broken)
        thread.start()
        thread.join()
    assert "a slot broke" in held.session.log[-1].text
    assert "Traceback" in capsys.readouterr().err


def test_warnings_of_the_engine_reach_the_log(held: Held, qtbot: QtBot) -> None:
    with ExceptionCatcher(held.session), qtbot.waitSignal(held.session.logged):
        logging.getLogger("engine.runtime.folders").warning("cannot write %s", "the cache")
    assert (held.session.log[-1].kind, held.session.log[-1].text) == ("warning", "cannot write the cache")


def test_afterwards_everything_is_as_before(held: Held) -> None:
    before = (sys.excepthook, threading.excepthook, list(logging.getLogger("engine").handlers))
    with ExceptionCatcher(held.session):
        assert sys.excepthook is not before[0]
    assert (sys.excepthook, threading.excepthook, list(logging.getLogger("engine").handlers)) == before
