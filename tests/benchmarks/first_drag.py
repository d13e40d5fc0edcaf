"""The first drag after a start with all kernels compiled: from the mouse's move to the picture that shows it.

A process of its own runs the application as a person starts it. As soon as the window says that it is ready, a hand is
pressed and moved by the mouse, once; what it takes until the picture of the moved hand is painted is told, and what
the same takes a second time, when nothing is done for the first time any more.
`python -m tests.benchmarks.first_drag` prints one start as JSON; `--profile FILE` keeps where the window's thread was.
"""

from __future__ import annotations

import cProfile
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QMetaObject, QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest

from app.scene.panes import PERSPECTIVE
from app.session import EngineState
from app.shell import run as running
from app.shell.milestones import process_age
from app.shell.startup import Startup
from app.shell.window import MainWindow
from engine.document.segment import middle_of_segment
from engine.model import Snapshot
from tests.benchmarks.harness import Row
from tests.stage import move

NAME = "first_drag"
ROOT = Path(__file__).resolve().parents[2]
PULLED = "wrist_left"
STARTS = 5
AWAY = QPoint(24, -16)  # [px] by one move
AGAIN = 1500  # [ms] after the first drag
MOST = 60.0  # [s] of one start


def measure() -> Iterator[Row]:
    """The rows: medians over some starts."""
    start()
    told = [start() for _ in range(STARTS)]
    for which in ("first", "second"):
        for what in told[0][which]:
            measured = statistics.median(each[which][what] for each in told)
            asked = "at most 100 ms" if (which, what) == ("first", "clock") else ""
            yield Row(what=f"{which} drag after a start: {what}", measured=measured, unit="ms", asked=asked)


def start() -> dict[str, dict[str, float]]:
    """What one start told."""
    with tempfile.TemporaryDirectory(prefix="sinew-first-") as person:
        own = {name: str(Path(person, name)) for name in ("SINEW_CONFIG", "SINEW_DATA")}
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.first_drag"],
            cwd=ROOT, env={**os.environ, **own}, check=True, stdout=subprocess.PIPE, text=True, timeout=MOST + 30.0,
        )  # fmt: skip
    told: dict[str, dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
    return told


class FirstDrag(QObject):
    """Pulls a hand as soon as the window says that it is ready, and once more later."""

    def __init__(self, window: MainWindow, profile: cProfile.Profile | None) -> None:
        super().__init__(window)
        self._window, self._session, self._profile = window, window.session, profile
        self.told = dict[str, dict[str, float]]()
        self._record: dict[str, float] | None = None
        self._began, self._used = 0.0, 0.0
        self._stood: Any = None  # the hand in the picture before
        self._snapshot: Any = None
        self._at = QPoint()
        self._canvas: Any = None
        self._swapped = QMetaObject.Connection()
        window.session.snapshot_ready.connect(self._see)
        window.session.engine_changed.connect(self._look)
        window.painted.connect(window.activateWindow)  # a screen without a window manager leaves that to us
        QTimer.singleShot(round(MOST * 1000), window, window.close_for_good)

    def _look(self, state: EngineState) -> None:
        """Press as the window is ready; not within the signal that says it."""
        if not self.told and state.text == "Ready":
            self.told["start"] = {"ready": round(process_age() * 1e3)}
            QTimer.singleShot(0, self, self._press)

    def _press(self) -> None:
        view = self._window.view
        pane = view.panes()[PERSPECTIVE]
        self._canvas = view.childAt(QPoint(pane.x + 5, pane.y + pane.height // 2))
        self._at, self._stood, self._record = self._place(), self._hand(), {}
        self._began, self._used = time.perf_counter(), time.process_time()
        if self._profile is not None and "first" not in self.told:
            self._profile.enable()
        QTest.mousePress(self._canvas, Qt.MouseButton.LeftButton, pos=self._at)
        self._mark("pressed")
        move(self._canvas, self._at + AWAY)
        self._mark("moved")

    def _mark(self, what: str) -> None:
        if self._record is not None:
            self._record[what] = round((time.perf_counter() - self._began) * 1e3, 1)

    def _see(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        waits = self._record is not None and "answered" not in self._record
        if waits and not np.array_equal(self._hand(), self._stood):
            self._mark("answered")
            queued = Qt.ConnectionType.QueuedConnection  # painted, and shown
            self._swapped = self._canvas.painted.connect(self._painted, queued)

    def _painted(self) -> None:
        """The picture of the moved hand is on the screen."""
        QObject.disconnect(self._swapped)
        self._mark("clock")
        if self._profile is not None:
            self._profile.disable()
        assert self._record is not None, "a drag is under way"
        self._record["processor"] = round((time.process_time() - self._used) * 1e3, 1)
        which = "second" if "first" in self.told else "first"
        self.told[which], self._record = self._record, None
        QTest.mouseRelease(self._canvas, Qt.MouseButton.LeftButton, pos=self._at + AWAY)
        if which == "first":
            QTimer.singleShot(AGAIN, self, self._press)
        else:
            QTimer.singleShot(0, self, self._window.close_for_good)

    def _hand(self) -> Any:
        item = self._snapshot.bodies[0]
        return item.transforms[item.parts.index(PULLED)].astype(np.float64)

    def _place(self) -> QPoint:
        """Return the pixel of the middle of the hand."""
        frame, view = self._hand(), self._window.view
        point = middle_of_segment(self._session.document.actors[0].figure, PULLED)
        size, pane = view.size_of(PERSPECTIVE), view.panes()[PERSPECTIVE]
        x, y, _ = view.cameras[PERSPECTIVE].project(frame[:, :3] @ point + frame[:, 3], size).tolist()
        return QPoint(round(pane.x + x), round(pane.y + y))


def main(arguments: list[str]) -> int:
    """One start in this process."""
    people = list[FirstDrag]()
    profile = cProfile.Profile() if arguments[:1] == ["--profile"] else None

    def begin(window: MainWindow, *given: Any, **named: Any) -> Startup:
        window.preferences = replace(window.preferences, start_page=False, tour_done=True)
        people.append(FirstDrag(window, profile))
        return Startup(window, *given, **named)

    vars(running)["Startup"] = begin  # the name by which the application finds it
    code = running.run(running.CommandLineOptions(separate=True))
    if profile is not None:
        profile.dump_stats(arguments[1])
    print(json.dumps(people[0].told), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
