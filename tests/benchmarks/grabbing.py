"""Taking hold of the human with four locks, in the real window: from a mouse move to the solved pose, drawing apart.

The mouse moves as a hand does, by steps of a few pixels on a closed curve; each move is sent once the picture of the
one before is on the screen, and its own answer is timed once all panels have been told of it. Nothing is taken off:
what the window paints between a move and its answer counts. Only its own picture, drawn after that, stands beside it.
Also timed: undo and redo, with all panels told.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QCoreApplication, QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest

from app.scene.panes import FRONT
from engine.commands.reach import Reached
from engine.document.segment import middle_of_segment
from engine.document.values import new_id
from engine.edits import edit
from tests.benchmarks.harness import Row, percentile
from tests.benchmarks.posing import FEET, HANDS, scene
from tests.gui.test_window import canvas_of
from tests.stage import PATIENCE, Stage, move, stage

NAME = "grabbing"
MOVES, STEPS = 400, 100
PULLED: dict[str, tuple[float, float]] = {"head": (14.0, 30.0), "pelvis": (14.0, 20.0), "elbow_left": (12.0, 12.0)}


def measure() -> Iterator[Row]:
    """The rows."""
    with stage(scene(*FEET, *HANDS)) as opened:
        opened.until(lambda: opened.session.reaching.ready)
        opened.until(lambda: opened.window.status.job.isHidden(), patience=600.0)  # kernels that are being compiled
        opened.view.maximise(FRONT)
        opened.settle()
        for joint, wide in PULLED.items():
            pull(opened, joint, wide, 20)  # compiles its problems
            yield from rows(joint, pull(opened, joint, wide, MOVES))
        yield from steps(opened)


@dataclass
class Pull:
    """What one pull of a body did."""

    poses: list[float]  # [ms] from each move to its pose
    drawn: list[float]  # [ms] of drawing each picture
    missed: float  # [px] at worst, of the body's middle behind the pointer


def pull(opened: Stage, joint: str, wide: tuple[float, float], moves: int) -> Pull:
    """Take hold of a body, lead it about and let go; then it is taken back."""
    canvas, record, answers = canvas_of(opened), Pull([], [], 0.0), list[tuple[float, int]]()

    reaching, heartbeat = opened.session.reaching, QTimer(interval=1000)  # so that a wait can come to nothing

    def take(reached: Reached) -> None:
        if getattr(reached.request.goals[0], "target", None) == reaching.goal:  # else it is to an earlier move
            answers.append((time.perf_counter(), opened.pictures))

    reaching.answered.connect(take)
    heartbeat.start()
    opened.view.drawn.connect(record.drawn.append)
    start = place_of(opened, joint)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, moves + 1):
        turn = 2 * np.pi * step / STEPS
        wanted = start + QPoint(round(wide[0] * np.sin(turn)), round(wide[1] * (1 - np.cos(turn)) / 2))
        seen, began = len(answers), time.perf_counter()
        move(canvas, wanted)
        if reaching.pulled is None:
            continue  # as near as a click
        wait(partial(are_more, answers, seen))
        came, pictures = answers[seen]
        record.poses.append((came - began) * 1e3)
        wait(partial(is_drawn, opened, pictures))
        away = QPointF(place_of(opened, joint) - wanted)
        record.missed = max(record.missed, math.hypot(away.x(), away.y()))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start)
    opened.until(lambda: opened.session.at_rest)
    opened.session.undo()
    opened.settle()
    reaching.answered.disconnect(take)
    opened.view.drawn.disconnect(record.drawn.append)
    return record


def wait(what: Callable[[], bool]) -> None:
    """Turn Qt's loop as the application does, which sleeps until something comes; `Stage.until` would take a core."""
    began = time.perf_counter()
    while not what():
        if time.perf_counter() - began > PATIENCE:
            raise TimeoutError(f"waited {PATIENCE:.0f} s in vain for {what}")
        flags = QEventLoop.ProcessEventsFlag
        QCoreApplication.processEvents(flags.AllEvents | flags.WaitForMoreEvents)


def are_more(answers: list[tuple[float, int]], count: int) -> bool:
    """Whether one more answer has come."""
    return len(answers) > count


def is_drawn(opened: Stage, count: int) -> bool:
    """Whether one more picture is on the screen."""
    return opened.pictures > count


def rows(joint: str, record: Pull) -> Iterator[Row]:
    """What is asked of one pull."""
    what = f"pull of {joint}, four locks, mouse to pose"
    note = f"drawing {statistics.median(record.drawn):.0f} ms; at most {record.missed:.1f} px behind the pointer"
    measured = statistics.median(record.poses)
    yield Row(what=f"{what}: median", measured=measured, unit="ms", asked="at most 8 ms", note=note)
    measured = percentile(record.poses, 0.99)
    yield Row(what=f"{what}: 99th percentile", measured=measured, unit="ms", asked="at most 20 ms")


def steps(opened: Stage) -> Iterator[Row]:
    """Undo and redo: the session's own work, panels and all."""
    session = opened.session
    for _ in range(40):
        session.do(edit("rename_actor", actor="me", name=new_id("name")))
        session.do(
            edit("set_pose", actor="me", layer="pose", values=(("pelvis.move_y", -0.01 * len(session.command_log)),))
        )
    times, processor = list[float](), list[float]()
    for way in [session.undo] * 60 + [session.redo] * 60:
        began, worked = time.perf_counter(), time.thread_time()
        way()
        times.append((time.perf_counter() - began) * 1e3)
        processor.append((time.thread_time() - worked) * 1e3)
    opened.settle()
    note = f"{statistics.median(processor):.1f} and {max(processor):.1f} ms of processor time"
    yield Row(what="undo or redo, panels told: median", measured=statistics.median(times), unit="ms", note=note)
    asked = "at most 5 ms of document work"
    yield Row(what="undo or redo, panels told: longest", measured=max(times), unit="ms", asked=asked)


def place_of(opened: Stage, joint: str) -> QPoint:
    """Where the middle of a body is seen in the canvas."""
    assert opened.snapshot is not None
    item = next(each for each in opened.snapshot.bodies if each.owner == "me" and each.role == "result")
    frame = item.transforms[item.parts.index(joint)].astype(np.float64)
    point = middle_of_segment(opened.session.shown.actor("me").figure, joint)
    size = opened.view.size_of(FRONT)
    x, y, _ = opened.view.cameras[FRONT].project(frame[:, :3] @ point + frame[:, 3], size).tolist()
    pane = opened.view.panes()[FRONT]
    return QPoint(round(pane.x + x), round(pane.y + y))
