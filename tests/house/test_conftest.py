"""What the root conftest catches: each way of failing quietly, in a run of its own that must not pass."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

PLANTED = """
import gc, os, pathlib, subprocess, sys, threading
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

kept = []

def test_good(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    timer = QTimer(widget)
    timer.start(1000)

def test_thread():
    thread = threading.Thread(target=threading.Event().wait, args=(20,), name="forgotten", daemon=True)
    thread.start()

def test_child():
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_timer(qtbot):
    kept.append(QTimer())
    kept[-1].start(1000)

def test_window(qtbot):
    kept.append(QWidget())

def test_raises_in_qt(qtbot):
    QTimer.singleShot(0, lambda: 1 / 0)
    qtbot.wait(50)

def test_raises_in_vispy(qtbot):
    from vispy.util.event import EventEmitter
    emitter = EventEmitter(type="planted")
    emitter.connect(lambda event: 1 / 0)
    emitter()

def test_raises_in_thread():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()

def test_raises_where_nobody_catches():
    class Bad:
        def __del__(self):
            raise ValueError
    Bad()
    gc.collect()

def test_keeps():
    kept = pathlib.Path(os.environ["SINEW_DATA"], "poses")
    kept.mkdir()
    (kept / "mine.toml").touch()
"""

EXPECTED = {
    "test_thread": "left behind: thread forgotten",
    "test_child": "left behind: child process",
    "test_timer": "left behind: repeating QTimer of 1000 ms",
    "test_window": "left behind: top-level QWidget",
    "test_raises_in_qt": "ZeroDivisionError",
    "test_raises_in_vispy": "ZeroDivisionError",
    "test_raises_in_thread": "ZeroDivisionError",
    "test_raises_where_nobody_catches": "ValueError",
    "test_keeps": "kept in the person's folder, not one of their own: poses/mine.toml",
}


@pytest.fixture(scope="module")
def planted_run(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "test_planted.py").write_text(PLANTED, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-rA", "--tb=short", "--color=no"]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), str(folder)]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "SINEW_TEST_PATIENCE": "0.2"}
    result = subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300.0, check=False
    )
    return result.stdout + result.stderr


def test_a_good_test_passes(planted_run: str) -> None:
    assert re.search(r"^PASSED .*test_good", planted_run, re.MULTILINE), planted_run
    assert not re.search(r"^(FAILED|ERROR) .*test_good", planted_run, re.MULTILINE), planted_run


@pytest.mark.parametrize("name", EXPECTED)
def test_quiet_failure_is_caught(name: str, planted_run: str) -> None:
    verdicts = re.findall(rf"^(?:FAILED|ERROR) .*::{name}\b", planted_run, re.MULTILINE)
    assert verdicts, planted_run
    section = re.search(rf"^_+ .*\b{name} _+$(.*?)^(?:_{{4,}} |={{4,}})", planted_run, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert EXPECTED[name] in section[1]


def test_preferences_of_the_person_are_out_of_reach() -> None:
    assert "sinew-tests-" in Path(os.environ["XDG_CONFIG_HOME"]).parent.name
