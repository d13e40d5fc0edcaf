"""A cold start: the real application with no kernel compiled, and a person who takes the human's hand at once.

A process of its own runs the application as a person starts it, on an empty folder of kernels. From the first picture
on a hand is pulled by the mouse, again and again, until an answer comes; then until nothing is compiled any more it is
written down what the engine's link tells. The second start finds what the first has compiled.
`python -m tests.benchmarks.cold [FOLDER]` prints one start on the kernels of a folder, or without any, as JSON;
`--drag` ends it with the first drag.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.scene.panes import FRONT
from app.shell import run as running
from app.shell.milestones import process_age
from app.shell.startup import Startup
from app.shell.window import MainWindow
from engine.document.segment import middle_of_segment
from tests.benchmarks.harness import Row
from tests.stage import move

NAME = "cold"
ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
from engine.runtime.early import early_warm_up
with early_warm_up():  # as `app.__main__` does it, before anything else is imported
    from tests.benchmarks.cold import run_once
    run_once({only_drag})
"""
PULLED = "wrist_left"
BEAT = 100  # [ms] between moves of the mouse
HELD = 20  # moves after which the hand is let go and taken anew: one that came too early may never begin
MOST = 1500.0  # [s] of one start


def measure() -> Iterator[Row]:
    """The rows of a start without kernels, and of the next one."""
    with tempfile.TemporaryDirectory(prefix="sinew-cold-") as cache:
        for what in ("cold", "warm"):
            yield from rows(what, start(cache))


def start(cache: str, *, only_drag: bool = False) -> dict[str, Any]:
    """What one start on the kernels of a folder told."""
    with tempfile.TemporaryDirectory(prefix="sinew-cold-") as person:
        own = {name: str(Path(person, name)) for name in ("SINEW_CONFIG", "SINEW_DATA")}
        done = subprocess.run(
            [sys.executable, "-c", BEGIN.format(only_drag=only_drag)],
            cwd=ROOT, env={**os.environ, **own, "SINEW_CACHE": cache}, check=True, stdout=subprocess.PIPE, text=True,
            timeout=MOST + 60.0,
        )  # fmt: skip
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def rows(what: str, told: dict[str, Any]) -> Iterator[Row]:
    """The numbers of one start."""
    asked = {"first drag answered": "at most 15 s after the window"} if what == "cold" else {}
    for name, seconds in told["moments"].items():
        after = f"{seconds - told['moments']['window']:.1f} s after the window"
        yield Row(what=f"{what} start: {name}", measured=seconds, unit="s", asked=asked.get(name, ""), note=after)
    limit = "at most 100 s" if what == "cold" else ""
    for name, seconds in told["processor"].items():
        yield Row(what=f"{what} start: processor, {name}", measured=seconds, unit="s", asked=limit * ("child" in name))


class Person(QObject):
    """Pulls a hand until it follows, and writes down when what came."""

    def __init__(self, window: MainWindow, *, only_drag: bool) -> None:
        super().__init__(window)
        self._window, self._session, self._only_drag = window, window.session, only_drag
        self.moments: dict[str, float] = {}
        self._snapshot: Any = None
        self._canvas: QWidget | None = None
        self._at, self._moves, self._working = QPoint(), 0, False
        session = window.session
        session.snapshot_ready.connect(self._see)
        session.reaching.answered.connect(self._take_answer)
        session.engine.job_changed.connect(self._take_job)
        session.engine.state_changed.connect(lambda state: self._mark("poses", state.ready))
        session.engine._warming.heard.connect(self._take_message)
        session.engine._warming.ended.connect(lambda how, why: self._mark("all kernels"))
        window.painted.connect(lambda: self._mark("window"))
        self._beat = QTimer(self, interval=BEAT)
        self._beat.timeout.connect(self._step)
        self._beat.start()

    def _mark(self, name: str, reached: bool = True) -> None:
        if reached and name not in self.moments:
            self.moments[name] = round(process_age(), 2)

    def _see(self, snapshot: Any) -> None:
        self._snapshot = snapshot
        self._mark("figure")

    def _take_answer(self, _: object) -> None:
        self._mark("first drag answered")

    def _take_message(self, message: dict[str, Any]) -> None:
        if "ready" in message:
            self._mark(f"{message['ready']} ready")

    def _take_job(self, job: Any) -> None:
        self._working = job.running

    def _step(self) -> None:
        """One move of the mouse; at the end the window is closed."""
        if process_age() > MOST:
            raise TimeoutError(f"no end after {MOST:.0f} s: {self.moments}")
        if "first drag answered" in self.moments:
            self._let_go()
            is_done = self._only_drag or not self._working
            if is_done and self._session.at_rest and self._session.engine_state.ready:
                self._beat.stop()
                self._window.close_for_good()
        elif self._snapshot is not None and self._window.viewport is not None and self._snapshot.bodies:
            self._pull()

    def _pull(self) -> None:
        view = self._window.view
        if self._canvas is None:
            view.animated = False
            view.maximise(FRONT)
            found = view.childAt(view.rect().center())
            if not isinstance(found, QWidget):
                return
            self._canvas = found
            return
        self._moves += 1
        if self._moves % HELD == 1:
            self._let_go()
            self._at = self._place()
            QTest.mousePress(self._canvas, Qt.MouseButton.LeftButton, pos=self._at)
        else:
            move(self._canvas, self._at + QPoint(12 + self._moves % HELD, -8))

    def _let_go(self) -> None:
        if self._canvas is not None and self._moves:
            QTest.mouseRelease(self._canvas, Qt.MouseButton.LeftButton, pos=self._at)
            if "first drag answered" in self.moments:
                self._moves, self._canvas = 0, None

    def _place(self) -> QPoint:
        """Where the middle of the hand is seen in the canvas."""
        item, view = self._snapshot.bodies[0], self._window.view
        frame = item.transforms[item.parts.index(PULLED)].astype(np.float64)
        point = middle_of_segment(self._session.shown.actor(item.owner).figure, PULLED)
        x, y, _ = view.cameras[FRONT].project(frame[:, :3] @ point + frame[:, 3], view.size_of(FRONT)).tolist()
        pane = view.panes()[FRONT]
        return QPoint(round(pane.x + x), round(pane.y + y))


def run_once(only_drag: bool) -> None:
    """One start in this process."""
    people = list[Person]()

    def begin(window: MainWindow, *given: Any, **named: Any) -> Startup:
        window.preferences = replace(window.preferences, start_page=False, tour_done=True)
        people.append(Person(window, only_drag=only_drag))
        return Startup(window, *given, **named)

    vars(running)["Startup"] = begin  # the name by which the application finds it
    began = time.process_time()
    running.run(running.CommandLineOptions(separate=True))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = {"warm-up child": used.ru_utime + used.ru_stime, "application": time.process_time() - began}
    told = {"moments": people[0].moments, "processor": {name: round(each, 1) for name, each in processor.items()}}
    print(json.dumps(told), flush=True)


def main(arguments: list[str]) -> None:
    """Print one start."""
    only_drag, folders = "--drag" in arguments, [each for each in arguments if each != "--drag"]
    with tempfile.TemporaryDirectory(prefix="sinew-cold-") as empty:
        print(json.dumps(start(folders[0] if folders else empty, only_drag=only_drag)))


if __name__ == "__main__":
    main(sys.argv[1:])
