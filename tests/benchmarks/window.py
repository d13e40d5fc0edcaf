"""The window: how it starts, how long a drag takes to reach the screen, how long it ever stands still, what it draws.

The time of drawing itself is shown apart: on a processor that does the drawing it is most of everything.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from app.scene.displays import Display
from app.session import Item
from engine.document import Actor, Document
from engine.edits import edit
from engine.formats import sinew
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.child import ChildJob
from engine.runtime.worker import Worker
from tests.benchmarks import captures
from tests.benchmarks.harness import Row, percentile
from tests.stage import Stage, stage

NAME = "window"
ROOT = Path(__file__).resolve().parents[2]
MEASURED: tuple[Display, ...] = ("mannequin", "skin")
STARTS = 5
DRAGS = 300
ENGINE_JOB = 3.0  # [s]
TICK = 5  # [ms] of the timer whose lateness shows that the window stood still


def measure() -> Iterator[Row]:
    """The rows."""
    yield from starts()
    yield from cold_start()
    with stage() as opened:
        yield from draws(opened)
        yield from drags(opened)
        yield from stalls(opened)
        yield opening(opened)


def start(cache: str | None = None) -> dict[str, float]:
    """Milestones [s] of one start in a process of its own."""
    environment = {**os.environ, **({"SINEW_CACHE": cache} if cache else {})}
    with tempfile.TemporaryDirectory() as config:
        done = subprocess.run(
            [sys.executable, "-m", "app", "--timing", "--quit-after-ready", "--separate"],
            cwd=ROOT,
            env={**environment, "SINEW_CONFIG": config},
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["milestone"]: line["seconds"] for line in lines if "milestone" in line}


def starts() -> Iterator[Row]:
    """Starts with everything installed and the kernels compiled."""
    start()
    runs = [start() for _ in range(STARTS)]
    for name, asked in (("window", 0.4), ("picture", 0.8), ("engine", 1.5)):
        measured = statistics.median(run[name] for run in runs)
        yield Row(what=f"start until {name}", measured=measured, unit="s", asked=f"at most {asked} s")


def cold_start() -> Iterator[Row]:
    """A start with an empty cache of kernels."""
    with tempfile.TemporaryDirectory() as cache:
        run = start(cache)
    yield Row(what="cold start until picture", measured=run["picture"], unit="s")
    yield Row(what="cold start until sliders work", measured=run["engine"], unit="s", asked="at most 10 s")


def draws(opened: Stage) -> Iterator[Row]:
    """Drawing the human as a mannequin and in its skin, GL finished."""
    opened.window.resize(1280 + 520, 800 + 170)
    for display in MEASURED:
        opened.view.set_display(display)
        opened.until(partial(holds_skins, opened, display == "skin"))
        for maximised, what, asked in ((1, "one view", "at most 33 ms"), (None, "four views", "at most 66 ms")):
            opened.view.maximise(maximised)
            opened.settle()
            measured = statistics.median(one_draw(opened) for _ in range(40))
            size = f"{opened.view.width()}x{opened.view.height()}"
            yield Row(what=f"draw {what}, {display}, {size}", measured=measured, unit="ms", asked=asked)
    opened.view.set_display("mannequin")
    opened.window.resize(1280, 800)


def holds_skins(opened: Stage, wanted: bool) -> bool:
    """Whether the picture that is shown holds skins, or none."""
    return opened.snapshot is not None and bool(opened.snapshot.skins) == wanted


def one_draw(opened: Stage) -> float:
    """How long [ms] one more picture of a new pose takes: a skin is uploaded with it."""
    times: list[float] = []
    opened.view.drawn.connect(times.append)
    snapshot = opened.snapshot
    assert snapshot is not None, "settled"
    opened.view.show_snapshot(snapshot)
    opened.draw()
    opened.view.drawn.disconnect(times.append)
    return times[-1]


def drags(opened: Stage) -> Iterator[Row]:
    """From a slider's move to the end of the picture that shows it, drawing taken off."""
    session = opened.session
    actor = session.document.actors[0]
    session.select([Item(actor.id, "elbow_left")])
    opened.view.maximise(1)
    opened.settle()
    drawn: list[float] = []
    opened.view.drawn.connect(drawn.append)
    gesture = session.begin_gesture("Turn joint")
    beyond, whole = [], []
    for value in np.linspace(0.0, 2.0, DRAGS).tolist():
        change = edit(
            "set_value", actor=actor.id, layer=actor.layers[0].id, coordinate="elbow_left.flexion", value=value
        )
        begin = time.perf_counter()
        gesture.preview(change)
        opened.until(partial(is_drawn, opened, drawn, len(drawn), value))
        whole.append((time.perf_counter() - begin) * 1e3)
        beyond.append(whole[-1] - drawn[-1])
    gesture.cancel()
    opened.view.drawn.disconnect(drawn.append)
    opened.settle()
    yield Row(what="drag to new picture, median, with drawing", measured=statistics.median(whole), unit="ms")
    yield Row(what="drag to new picture, median, beyond drawing", measured=statistics.median(beyond), unit="ms")
    yield Row(
        what="drag to new picture, 99th percentile, beyond drawing",
        measured=percentile(beyond, 0.99),
        unit="ms",
        asked="at most 20 ms",
    )


def is_drawn(opened: Stage, drawn: list[float], count: int, value: float) -> bool:
    """Whether a picture newer than the first `count` shows the elbow at `value`."""
    shown = opened.session.shown.actors[0].layers[0].by_coordinate
    return len(drawn) > count and shown.get("elbow_left.flexion") == value


def lateness(seconds: float) -> list[float]:
    """How late [ms] a timer of the window's thread fires, over a while."""
    late: list[float] = []
    last = time.perf_counter()

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        late.append((now - last) * 1e3 - TICK)
        last = now

    timer = QTimer(interval=TICK)
    timer.timeout.connect(tick)
    timer.start()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    timer.stop()
    return late


def stalls(opened: Stage) -> Iterator[Row]:
    """How long the window stands still: idle, during an engine job, while poses are asked for without pause."""
    idle = max(lateness(1.0))
    opened.session.engine.submit("busy", lambda: busy(opened.session.document), document=None)
    working = lateness(ENGINE_JOB)
    opened.session.engine.cancel("busy")
    yield Row(
        what="longest stand-still, 3 s engine job",
        measured=max(working),
        unit="ms",
        asked="at most 20 ms",
        note=f"idle {idle:.1f} ms",
    )
    yield Row(what="the same while plain Python runs on the thread", measured=held_interpreter(), unit="ms")
    yield Row(what="the same while kernels compile", measured=compiling(), unit="ms", asked="at most 60 ms")
    yield from commits(opened)


def opening(opened: Stage) -> Row:
    """Longest stand-still while a document that holds five minutes of capture is opened and first drawn."""
    contents = captures.capture()
    assert contents.figure is not None
    actor = Actor(id="captured", name="Captured", figure=contents.figure, layers=contents.layers)
    times: list[float] = []
    opened.view.drawn.connect(times.append)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "capture.sinew"
        sinew.write(path, Document(actors=(actor,)))
        opened.session.exchange.open(path)
        late = max(lateness(3.0))
        opened.until(lambda: opened.session.at_rest)
    assert opened.session.document.actors[0].id == "captured"
    drawing = max(times)
    opened.view.drawn.disconnect(times.append)
    what = "longest stand-still, opening a 5-minute capture"
    return Row(
        what=what,
        measured=late,
        unit="ms",
        asked="at most 100 ms",
        note=f"longest drawing {drawing:.0f} ms",
    )


def busy(document: Document) -> Generator[None, None, None]:
    """Forward kinematics in steps of a few milliseconds, as a live job takes them."""
    figure = document.actors[0].figure
    assert figure is not None
    model = compile_model(figure)
    state, q = model.new_state(), model.rest.copy()
    while True:
        for _ in range(2000):
            compute_forward_kinematics(model.ints, model.floats, q, state)
        yield None


def held_interpreter() -> float:
    """The baseline: the same work in plain Python on another thread."""

    def spin() -> Generator[None, None, None]:
        while True:
            sum(range(200_000))
            yield None

    with Worker() as worker:
        worker.submit("spin", spin)
        late = lateness(1.0)
        worker.cancel("spin")
    return max(late)


def compiling() -> float:
    """Longest stand-still while a child process compiles all kernels into an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        before, os.environ["SINEW_CACHE"] = os.environ.get("SINEW_CACHE"), cache
        try:
            child = ChildJob("warm_up", {}, on_message=lambda message: None)
        finally:
            if before is None:
                del os.environ["SINEW_CACHE"]
            else:
                os.environ["SINEW_CACHE"] = before
        late = []
        while child.state == "running":
            late.extend(lateness(0.2))
        child.wait()
    return max(late)


def commits(opened: Stage) -> Iterator[Row]:
    """What a commit costs the window's thread, and how long the engine's answer to it holds the interpreter."""
    session = opened.session
    actor = session.document.actors[0]
    costs = []
    for value in np.linspace(0.1, 1.0, 60).tolist():
        change = edit(
            "set_value", actor=actor.id, layer=actor.layers[0].id, coordinate="knee_left.flexion", value=value
        )
        begin = time.perf_counter()
        session.do(change)
        costs.append((time.perf_counter() - begin) * 1e3)
        opened.settle()
    yield Row(what="a commit in the window's thread, median", measured=statistics.median(costs), unit="ms")
    engine: list[float] = []
    session.solved.connect(engine.append)
    for value in np.linspace(0.1, 1.0, 60).tolist():
        session.do(
            edit("set_value", actor=actor.id, layer=actor.layers[0].id, coordinate="knee_left.flexion", value=value)
        )
        opened.settle()
    session.solved.disconnect(engine.append)
    yield Row(
        what="a commit off the window's thread, 99th percentile",
        measured=percentile(engine, 0.99) * 1e3,
        unit="ms",
        asked="at most 2 ms",
        note="the whole answer, of which the interpreter is held a part",
    )
