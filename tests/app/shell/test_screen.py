"""What is said when no window can be opened: one line, before Qt ends the process."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.shell.screen import missing_screen

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def test_a_wayland_screen_that_has_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    assert "WAYLAND_DISPLAY=wayland-9 does not answer" in missing_screen()


@pytest.mark.parametrize("whole", [False, True])
def test_a_wayland_screen_that_listens_is_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, whole: bool) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-9"))
        server.listen()
        monkeypatch.setenv("WAYLAND_DISPLAY", str(tmp_path / "wayland-9") if whole else "wayland-9")
        assert missing_screen() == ""


def test_asking_for_x_does_not_hide_that_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert "there is no screen" in missing_screen()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert missing_screen() == ""


def test_qt_leaves_python_its_own_import() -> None:
    """Else the source of each further module is read, a tenth of a start."""
    program = """
import builtins
own = builtins.__import__
from app.shell.screen import load_qt
load_qt()
import PySide6.QtGui, PySide6.QtSvg
assert builtins.__import__ is own
"""
    subprocess.run([sys.executable, "-c", program], check=True)
