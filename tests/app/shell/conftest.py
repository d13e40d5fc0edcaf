"""The real window on a real engine, started as the application starts it, and closed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session import Session
from app.shell.milestones import Milestones
from app.shell.preferences import PreferencesFile
from app.shell.startup import Startup
from app.shell.window import MainWindow
from app.style.apply import apply_theme
from app.style.chart import chart_library
from app.style.theme import dark
from tests.app.shell.answers import Answers

READY_WITHIN = 600_000  # [ms] kernels may have to be compiled first

Open = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def own_preferences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv("SINEW_CONFIG", str(folder))
    return folder


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def open_window(qapp: QApplication, qtbot: QtBot, own_preferences: Path, answers: Answers) -> Iterator[Open]:
    """Opens windows; each is closed without questions after the test."""
    opened: list[MainWindow] = []
    apply_theme(qapp, dark)

    def make(session: Session | None = None, *, file: Path | None = None, wait: bool = True) -> MainWindow:
        kept = PreferencesFile(own_preferences)
        chosen = replace(kept.read()[0], anti_aliasing="off")  # a picture is then the same from the first time on
        window = MainWindow(session or Session(), kept=kept, preferences=chosen, questions=answers)
        opened.append(window)
        startup = Startup(window, Milestones(), file=file)
        window.show()
        if wait:
            with qtbot.waitCallback(timeout=READY_WITHIN) as ready:
                startup.when_ready = ready
            qtbot.waitUntil(lambda: window.status.drawn.text() != "")
            window.view.animated = False
        return window

    yield make
    chart_library().release()  # by those that never came to their first picture, too
    for window in opened:
        window.close_for_good()
        window.session.deleteLater()
        window.deleteLater()


@pytest.fixture
def window(open_window: Open) -> MainWindow:
    return open_window()
