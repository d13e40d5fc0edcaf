"""A window in which somebody works by keys and by the menu, and which is then killed: `python -m ... FOLDER`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.session.actors import new_document
from engine.project.runs import left_runs
from tests.stage import stage


def main(folder: Path) -> None:
    """Three boxes, one of them undone; killed once that is copied and pictured."""
    with stage(new_document(), copies=folder, seen=False) as opened:
        for _ in range(3):
            opened.window.menus.actions["add.box"].trigger()
            opened.settle()
        QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        opened.until(lambda: opened.session.history.position == 2)
        opened.settle()
        opened.until(lambda: bool(list(folder.glob("*/*.png"))))
        copy = opened.session.recovering
        assert copy.has_changes
        assert left_runs(folder) == ()
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
