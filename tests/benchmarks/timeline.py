"""The timeline: pictures a second of the dope sheet with 10,000 keys in view, while it is panned and zoomed.

Each picture is asked for by a real event of the wheel and counted once it is painted, with all that the window does
for it; the processor's time of its thread stands beside, since other programs do not count there.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from app.session.actors import new_document
from app.timeline.panel import TimelinePanel
from app.timeline.sheet import DopeSheet
from engine.document import Document, Key, Span, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from tests.benchmarks.harness import Row
from tests.stage import Stage, stage

NAME = "timeline"
CHANNELS, KEYS = 20, 500
PICTURES = 60
SIZE = (1600, 1000)


def measure() -> Iterator[Row]:
    """The rows."""
    with stage(keyed(), size=SIZE) as opened:
        sheet = shown(opened)
        count = in_view(sheet)
        for what, keys in (
            ("panning", Qt.KeyboardModifier.ShiftModifier),
            ("zooming", Qt.KeyboardModifier.ControlModifier),
        ):
            for chosen in (False, True):
                sheet.choose({})
                if chosen:
                    sheet.commands.choose_all()
                wall, thread = pictures(opened, sheet, keys)
                yield Row(
                    what=f"{what}, {count} keys in view" + (", all chosen" if chosen else ""),
                    measured=1.0 / wall,
                    unit="pictures/s",
                    asked="at least 30 pictures/s",
                    note=f"{thread * 1e3:.1f} ms of the window's thread each",
                )


def keyed() -> Document:
    """A human with 500 keys on each of 20 channels, of every kind."""
    document, rng = new_document(), np.random.default_rng(5)
    actor = document.actors[0]
    kinds: tuple[dict[str, Any], ...] = (
        {"interpolation": "stepped"},
        {"interpolation": "linear"},
        {},
        {"tangent": "free"},
    )
    names = [name for dof in actor.figure.dofs if dof.kind == "hinge" for name in dof.coordinates][:CHANNELS]
    tracks = []
    for name in names:
        frames = np.sort(rng.choice(2 * KEYS, size=KEYS, replace=False)).tolist()
        keys = (Key(frame_time(frame, document.rate), 0.1, **kinds[frame % 4]) for frame in frames)
        tracks.append(Track(coordinate=name, keys=tuple(keys)))
    layer = replace(actor.layers[0], tracks=tuple(tracks))
    play = Span(start=0, end=2 * KEYS * TICKS_PER_SECOND // 30)
    return replace(document.with_actor(replace(actor, layers=(layer,))), play=play)


def shown(opened: Stage) -> DopeSheet:
    """The sheet in its dock, tall enough for all rows, with all time in view."""
    dock = opened.window.docks["timeline"]
    panel = dock.widget()
    assert isinstance(panel, TimelinePanel)
    opened.window.show_panel("timeline")
    opened.until(lambda: panel.sheet.keys is not None)
    height = len(panel.sheet.lines) * panel.sheet.row_height + 80
    opened.window.resizeDocks([dock], [height], Qt.Orientation.Vertical)
    opened.settle()
    panel.sheet.commands.show_all()
    opened.settle()
    return panel.sheet


def in_view(sheet: DopeSheet) -> int:
    """How many keys have their own mark in view."""
    keys = sheet.keys
    assert keys is not None
    rows = [number for _, number in sheet.seen_lines() if sheet.rows[number].kind == "channel"]
    seen = np.isin(keys.row, rows) & (keys.time >= sheet.axis.start) & (keys.time <= sheet.axis.end)
    return int(seen.sum())


def pictures(opened: Stage, sheet: DopeSheet, modifiers: Qt.KeyboardModifier) -> tuple[float, float]:
    """Median seconds of a picture and of the thread's own time for it; there and back, so that all stays in view."""
    counted = _Paints(sheet)
    sheet.viewport().installEventFilter(counted)
    walls, threads = [], []
    for number in range(PICTURES):
        before, began, own = counted.paints, time.perf_counter(), time.thread_time()
        turn(sheet, 120 if number % 2 else -120, modifiers)
        opened.until(partial(counted.is_beyond, before))
        walls.append(time.perf_counter() - began)
        threads.append(time.thread_time() - own)
    sheet.viewport().removeEventFilter(counted)
    return statistics.median(walls), statistics.median(threads)


def turn(sheet: DopeSheet, angle: int, modifiers: Qt.KeyboardModifier) -> None:
    """Turn the wheel in the middle of the sheet."""
    place = sheet.viewport().rect().center()
    event = QWheelEvent(
        QPointF(place), QPointF(sheet.viewport().mapToGlobal(place)), QPoint(), QPoint(0, angle),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(sheet.viewport(), event)


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
