"""Drawing with the processor: how it is chosen, offered, and begun."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.shell.project_boxes import software_box
from app.shell.software import OPTION, can_be_chosen, choose, start_anew

NAMES = (
    "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "__GLX_VENDOR_LIBRARY_NAME", "MESA_GL_VERSION_OVERRIDE",
    "QT_XCB_GL_INTEGRATION", "QT_OPENGL",
)  # fmt: skip


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "as it was")  # so that it is put back


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_it_can_be_chosen_once(platform: str) -> None:
    assert can_be_chosen(platform)
    choose(platform)
    assert not can_be_chosen(platform)
    assert "MESA_GL_VERSION_OVERRIDE" not in os.environ or platform == "win32"
    chosen = "LIBGL_ALWAYS_SOFTWARE" if platform == "linux" else "QT_OPENGL"
    assert os.environ[chosen] == {"linux": "1", "win32": "software"}[platform]


def test_where_there_is_no_other_way_none_is_offered() -> None:
    assert not can_be_chosen("darwin")


@pytest.mark.parametrize("given", [["file.sinew"], ["file.sinew", OPTION]])
def test_the_same_command_is_begun_anew_with_the_option_once(given: list[str]) -> None:
    program = f"""
import sys
from app.shell.software import start_anew
if sys.argv[1] == "first":
    start_anew([sys.executable, "-c", "import sys; print(sys.argv[1:]); sys.exit(7)", *{given!r}])
"""
    done = subprocess.run([sys.executable, "-c", program, "first"], capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == (str(["file.sinew", OPTION]), 7), done.stderr


def test_where_a_process_cannot_be_replaced_another_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def call(command: list[str]) -> int:
        commands.append(command)
        return 5

    monkeypatch.setattr("app.shell.software.os.name", "nt")
    monkeypatch.setattr("app.shell.software.subprocess.call", call)
    assert start_anew(["sinew.exe", "walk.sinew"]) == 5
    assert commands == [[sys.executable, "walk.sinew", OPTION]]


@pytest.mark.parametrize(("answer", "calls"), [("Draw with the processor", 1), ("Go on without", 0)])
def test_the_box_says_what_was_found_and_what_is_needed(qtbot: QtBot, answer: str, calls: int) -> None:
    window, drawn = QWidget(), list[str]()
    qtbot.addWidget(window)
    box = software_box(window, "The graphics driver, Old, has OpenGL 1.4.", draw=lambda: drawn.append("drawn"))
    assert "The graphics driver, Old, has OpenGL 1.4." in box.text()
    assert "OpenGL 2.1 or newer" in box.informativeText()
    next(each for each in box.buttons() if each.text() == answer).click()
    box.finish(0)
    assert len(drawn) == calls
