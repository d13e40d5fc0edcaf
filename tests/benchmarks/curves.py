"""The graph editor: pictures a second with 10,000 keys in view, panned, zoomed and dragged.

Each picture is asked for by a real event and counted once it is painted, as in `timeline`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.session import Item
from app.session.actors import new_document
from app.timeline.graph.panel import CurvesPanel
from app.timeline.graph.view import CurveGraph
from engine.document import Document, Key, Span, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from tests.benchmarks.harness import Row
from tests.stage import Stage, move, stage

NAME = "curves"
CHANNELS, KEYS = 20, 500
PICTURES = 60
SIZE = (1600, 1000)
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def measure() -> Iterator[Row]:
    """The rows."""
    with stage(keyed(), size=SIZE) as opened:
        graph = shown(opened)
        count = in_view(graph)
        turns = ((CONTROL, "zooming in time"), (SHIFT, "zooming in value"))
        for chosen in (False, True):
            graph.choose({})
            if chosen:
                graph.choose_all()
            for keys, what in turns:
                ask = partial(turn, graph, keys)
                yield row(f"{what}, {count} keys in view" + (", all chosen" if chosen else ""), opened, graph, ask)
        graph.choose({})
        number = int(np.argmin(np.abs(graph.curves.time - 0.5 * graph.curves.time.max())))
        start = graph.place_of(float(graph.curves.time[number]), float(graph.curves.shown[number])).toPoint()
        QTest.mousePress(graph.viewport(), Qt.MouseButton.LeftButton, pos=start)
        drag = partial(pull, graph, start)
        yield row(f"dragging a key of {count}", opened, graph, drag)
        QTest.mouseRelease(graph.viewport(), Qt.MouseButton.LeftButton, pos=start)
        opened.until(lambda: opened.session.at_rest)


def row(what: str, opened: Stage, graph: CurveGraph, ask: Callable[[int], None]) -> Row:
    """Pictures a second while something is asked for again and again."""
    wall, thread = pictures(opened, graph, ask)
    note = f"{thread * 1e3:.1f} ms of the window's thread each"
    return Row(what=what, measured=1.0 / wall, unit="pictures/s", asked="at least 30 pictures/s", note=note)


def keyed() -> Document:
    """A human with 500 keys on each of 20 channels, smooth and free."""
    document, rng = new_document(), np.random.default_rng(5)
    actor = document.actors[0]
    hinges = [dof for dof in actor.figure.dofs if dof.kind == "hinge"][:CHANNELS]
    tracks = []
    for dof in hinges:
        frames = np.sort(rng.choice(2 * KEYS, size=KEYS, replace=False)).tolist()
        values = np.sin(np.array(frames) * 0.05 + rng.uniform(0.0, 6.0)) * 0.4
        keys = (
            Key(frame_time(frame, document.rate), float(value), tangent="auto" if frame % 2 else "free")
            for frame, value in zip(frames, values, strict=True)
        )
        tracks.append(Track(coordinate=dof.id, keys=tuple(keys)))
    layer = replace(actor.layers[0], tracks=tuple(tracks))
    play = Span(start=0, end=2 * KEYS * TICKS_PER_SECOND // 30)
    return replace(document.with_actor(replace(actor, layers=(layer,))), play=play)


def shown(opened: Stage) -> CurveGraph:
    """The graph in its dock, with all keys in view."""
    dock = opened.window.docks["curves"]
    panel = dock.widget()
    assert isinstance(panel, CurvesPanel)
    opened.window.show_panel("curves")
    opened.window.resizeDocks([dock], [480], Qt.Orientation.Vertical)
    opened.session.select([Item(opened.session.document.actors[0].id)])
    opened.until(lambda: len(panel.graph.curves.curves) == CHANNELS)
    opened.settle()
    panel.graph.fit_all()
    opened.settle()
    return panel.graph


def in_view(graph: CurveGraph) -> int:
    """How many keys stand inside the graph."""
    curves, axis = graph.curves, graph.axis
    return int(((curves.time >= axis.start) & (curves.time <= axis.end)).sum())


def pictures(opened: Stage, graph: CurveGraph, ask: Callable[[int], None]) -> tuple[float, float]:
    """Median seconds of a picture and of the thread's own time for it."""
    counted = _Paints(graph.viewport())
    graph.viewport().installEventFilter(counted)
    walls, threads = [], []
    for number in range(PICTURES):
        before, began, own = counted.paints, time.perf_counter(), time.thread_time()
        ask(number)
        opened.until(partial(counted.is_beyond, before))
        walls.append(time.perf_counter() - began)
        threads.append(time.thread_time() - own)
    graph.viewport().removeEventFilter(counted)
    return statistics.median(walls), statistics.median(threads)


def turn(graph: CurveGraph, modifiers: Qt.KeyboardModifier, number: int) -> None:
    """Turn the wheel in the middle of the graph, there and back, so that all stays in view."""
    place = graph.rect().center()
    event = QWheelEvent(
        QPointF(place), QPointF(graph.viewport().mapToGlobal(place)), QPoint(), QPoint(0, 120 if number % 2 else -120),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(graph.viewport(), event)


def pull(graph: CurveGraph, start: QPoint, number: int) -> None:
    """Move a held key up and down."""
    move(graph.viewport(), start + QPoint(0, 10 + number % 20))


class _Paints(QObject):
    """Counts the pictures of a widget."""

    paints = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.paints += 1
        return False

    def is_beyond(self, count: int) -> bool:
        """Whether there is a newer picture."""
        return self.paints > count
