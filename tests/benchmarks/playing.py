"""Scrubbing a long capture, figures and a body with its muscles that play: the engine as processor time, then the real
window.

What else a machine does is not ours: times of the engine are processor time; in the window pictures are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter, process_time, thread_time

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.scene.panes import PERSPECTIVE
from engine.document import Actor, Document, Key, Layer, Placement, Track
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import PictureCache
from tests.benchmarks.captures import capture
from tests.benchmarks.harness import Row, percentile
from tests.benchmarks.scenes import human
from tests.stage import Stage, let_paint, move, stage

NAME = "playing"
MOVES = 400
PLAYED = 4.0  # [s]
_LEFT = Qt.MouseButton.LeftButton


def measure() -> Iterator[Row]:
    """The rows."""
    yield from evaluated("scrub 5 minutes of a 31-joint capture, a move", captured(), asked="at most 10 ms")
    yield from evaluated("a picture of four figures that play", four(), asked="at most 33.3 ms (30 a second)")
    with stage(captured()) as opened:
        yield from scrubbed(opened)
    with stage(four()) as opened:
        yield from played(opened)
    with stage(anti_aliasing="auto", shadows="auto") as opened:
        yield from muscled(opened)


def captured() -> Document:
    """Five minutes of a figure of 31 joints at 120 Hz."""
    contents = capture()
    assert contents.figure is not None
    layers = contents.layers
    samples = layers[0].samples
    assert samples is not None
    quiet = replace(samples, values=type(samples.values)(0.1 * samples.values.array))
    return Document(
        actors=(Actor(id="me", name="Me", figure=contents.figure, layers=(replace(layers[0], samples=quiet),)),)
    )


def four() -> Document:
    """Four humans, every hinge keyed each half second over five seconds."""
    figure, random = human(), np.random.default_rng(0)
    actors = []
    for place in range(4):
        tracks = tuple(
            Track(
                coordinate=name,
                keys=tuple(Key(each * TICKS_PER_SECOND // 2, float(0.1 * random.normal())) for each in range(11)),
            )
            for name in figure.coordinates
        )
        layer = Layer(id="keys", tracks=tracks)
        placement = Placement(position=(place - 1.5, 0.0, 0.0))
        actors.append(Actor(id=f"{place}", name=f"{place}", figure=figure, layers=(layer,), placement=placement))
    return Document(actors=tuple(actors))


def evaluated(what: str, document: Document, *, asked: str) -> Iterator[Row]:
    """Pictures of frames in no order, worked out and kept; then the same once they are kept."""
    pictures, (start, end) = PictureCache(Evaluator()), play_extent(document)
    last = round((end - start) / TICKS_PER_SECOND * document.rate[0] / document.rate[1])
    frames = np.random.default_rng(1).permutation(last)[:MOVES]
    times = [frame_time(int(frame), document.rate) for frame in frames]
    pictures.snapshot(document, end, skins=False)
    for kept in (False, True):
        taken = []
        for time in times:
            began = thread_time()
            pictures.snapshot(document, time, skins=False)
            taken.append(1e3 * (thread_time() - began))
        name = f"{what}, kept" if kept else what
        yield Row(what=name, measured=percentile(taken, 0.99), unit="ms", asked=asked, note="99th percentile")


def scrubbed(opened: Stage) -> Iterator[Row]:
    """Moves of the mouse along the ruler: how many pictures are drawn until one shows the time of a move."""
    ruler, session, drawn = opened.window.transport.ruler, opened.session, list[int]()
    latest = [0, 0]  # pictures drawn since the answer, and answers

    def answered(snapshot: object) -> None:
        latest[0] = opened.pictures
        latest[1] += 1

    session.snapshot_ready.connect(answered)
    middle, width = ruler.height() // 2, ruler.width() - 60
    QTest.mousePress(ruler, _LEFT, pos=QPoint(30, middle))
    taken = []
    for place in range(60):
        before, shown = session.playhead, latest[1]
        began = perf_counter()
        move(ruler, QPoint(30 + round(width * abs(((place * 7) % 60) / 60)), middle))
        if session.playhead == before:
            continue
        opened.until(lambda shown=shown: latest[1] > shown)  # type: ignore[misc]
        opened.until(lambda: opened.pictures > latest[0])
        taken.append(1e3 * (perf_counter() - began))
        drawn.append(opened.pictures - latest[0])
    QTest.mouseRelease(ruler, _LEFT, pos=QPoint(30, middle))
    first = 100.0 * sum(count == 1 for count in drawn) / len(drawn)
    yield Row(what="moves shown with the next drawn picture", measured=first, unit="%", asked="100 %")
    yield Row(
        what="from a move to the end of its picture",
        measured=percentile(taken, 0.5),
        unit="ms",
        note="with drawing, in a machine's own time",
    )


def played(opened: Stage) -> Iterator[Row]:
    """The frames of a few seconds that four figures play in real time, of which a picture was there: while nothing is
    drawn, and with what draws here.
    """
    session, times = opened.session, list[int]()
    session.snapshot_ready.connect(lambda snapshot: times.append(snapshot.time))
    for what, drawn in (("four figures play, drawing apart", False), ("the same with drawing", True)):
        session.set_playhead(0)
        opened.settle()
        opened.window.setUpdatesEnabled(drawn)
        times.clear()
        began, worked = perf_counter(), thread_time()
        session.play()
        opened.until(lambda began=began: perf_counter() - began > PLAYED)  # type: ignore[misc]
        session.player.pause()
        worked = 1e3 * (thread_time() - worked) / max(len(times), 1)
        let_paint(opened.window)
        rate = len(set(times)) / PLAYED
        asked, limit = ("", "") if drawn else ("30 frames/s", "at most 33.3 ms")
        yield Row(what=f"{what}: the window's thread, a picture", measured=worked, unit="ms", asked=limit)
        yield Row(what=what, measured=rate, unit="frames/s", asked=asked, note="by the clock of a busy machine")


def muscled(opened: Stage) -> Iterator[Row]:
    """A body with 823 muscles, all drawn, in one view of a window of 1280 x 800, once its pictures are kept."""
    session = opened.session
    session.exchange.open_example("body")
    opened.until(lambda: session.at_rest)
    opened.settle()
    opened.view.maximise(PERSPECTIVE)
    opened.view.frame()
    opened.settle()
    (start, end) = play_extent(session.document)
    last = frame_time(1, session.document.rate)
    session.play()
    opened.until(
        lambda: any(
            each.state == "fresh" and each.first <= start and each.last >= end - last
            for each in session.kept_pictures.stretches
        )
    )
    drawn, clock, all_threads, own = opened.pictures, perf_counter(), process_time(), thread_time()
    opened.until(lambda: perf_counter() - clock > PLAYED)
    count = opened.pictures - drawn
    used = {"all threads": process_time() - all_threads, "the window's thread": thread_time() - own}
    rate = count / (perf_counter() - clock)
    session.player.pause()
    what = "a body with 823 muscles plays in one view"
    for name, limit in (("all threads", "at most 66.6 ms (two cores)"), ("the window's thread", "at most 33.3 ms")):
        yield Row(what=f"{what}: {name}, a picture", measured=1e3 * used[name] / max(count, 1), unit="ms", asked=limit)
    yield Row(what=what, measured=rate, unit="frames/s", asked="30 frames/s", note="by the clock of a busy machine")
