"""Locks between keys: four of them on the human of 71 degrees of freedom, on every frame and four times within each,
and where they begin and end; and a key that is dragged in the timeline while the motion plays, in the real window.

The mouse moves once the picture of the move before is there. A move counts until the first picture of the document
that it made, all panels told; its drawing stands beside it. A span that was touched is fresh again once every frame of
it has been worked out, as trails, onion skins and the cache bar do: the engine's processor time is told.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.session import Session
from app.timeline.panel import TimelinePanel
from app.timeline.sheet import DopeSheet
from engine.document import Document, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.validation import validate
from engine.edits import Edit
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.moments import Moments
from engine.motion.changed import changed_span
from tests.benchmarks.grabbing import wait
from tests.benchmarks.harness import Row, percentile
from tests.engine.evaluate.locked import LEFT, RIGHT, SPAN, crouch, held
from tests.stage import Stage, move, stage

if TYPE_CHECKING:
    from engine.model import Snapshot

NAME = "keeping"
WITHIN = 4  # times within each frame
MOVES = 110  # they end away from where they began
HANDS = {"wrist_left": (0.0, 0.1, 0.1), "wrist_right": (0.05, 0.0, 0.15)}
LONG = Span(start=0, end=4 * SECOND)


def crouching(span: Span | None) -> Document:
    """A human that sinks, tilts and turns by its keys, with both feet and both hands held."""
    actor = crouch()
    locks = [held(actor, joint, span=span) for joint in (LEFT, RIGHT)]
    for joint, by in HANDS.items():
        lock = held(actor, joint, axes=(), span=span)
        locks.append(replace(lock, position=tuple(np.add(lock.position, by).tolist())))
    document = Document(actors=(replace(actor, locks=tuple(locks)),), play=LONG)
    validate(document)  # as one that is opened
    return document


def measure() -> Iterator[Row]:
    """The rows."""
    document = crouching(SPAN)
    yield Row(what="four locks between keys: farthest off", measured=1e3 * farthest(document), unit="mm",
              asked="at most 1 mm", note=f"every frame and {WITHIN} times within each")  # fmt: skip
    yield Row(what="jump of speed where they begin and end", measured=100.0 * jump(document), unit="%",
              asked="under 5%", note="of the fastest joint then")  # fmt: skip
    with stage(crouching(None), size=(1400, 900)) as opened:
        yield from dragged(opened)


def farthest(document: Document) -> float:
    """How far what is held is from its place at most, while its locks count in full [m]."""
    actor, evaluator, worst = document.actors[0], Evaluator(), 0.0
    step = frame_time(1, document.rate) // (WITHIN + 1)
    for at in range(SPAN.start + SPAN.ease_in, SPAN.end - SPAN.ease_out + 1, step):
        joints = evaluator.joint_transforms(document, actor.id, at)
        for lock in actor.locks:
            off = joints[actor.figure.joint_index[lock.joint]][:, 3] - lock.position
            worst = max(worst, float(np.linalg.norm(off)))
    return worst


def jump(document: Document) -> float:
    """The largest change of a joint's velocity within 1/2400 s at an end of a span or of an ease, by the greatest
    speed of a joint then."""
    evaluator, short, worst = Evaluator(), SECOND // 4800, 0.0
    for edge in (SPAN.start, SPAN.start + SPAN.ease_in, SPAN.end - SPAN.ease_out, SPAN.end):
        times = (edge - short, edge, edge + short)
        three = [evaluator.joint_transforms(document, "one", each)[:, :, 3] for each in times]
        before, after = np.diff(np.array(three), axis=0) * 4800.0
        fastest = float(np.linalg.norm(before, axis=1).max())
        worst = max(worst, float(np.linalg.norm(after - before, axis=1).max()) / fastest)
    return worst


def dragged(opened: Stage) -> Iterator[Row]:
    """A key of the whole figure, dragged to and fro while it plays."""
    opened.until(lambda: opened.window.status.job.isHidden(), patience=600.0)  # kernels that are being compiled
    sheet, session = sheet_of(opened), opened.session
    before, drawn = session.document, list[tuple[float, float]]()
    opened.view.drawn.connect(lambda milliseconds: drawn.append((time.perf_counter(), milliseconds)))
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Space)
    opened.until(lambda: session.player.playing)
    milliseconds, played = pull_key(opened, sheet, drawn)
    opened.until(lambda: session.at_rest)
    still_plays, touched = session.player.playing, session.document
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Space)
    opened.settle()
    assert still_plays, "a key is dragged in the motion that plays"
    yield Row(
        what="a key dragged while it plays: 95th percentile to the new picture",
        measured=percentile(milliseconds, 0.95),
        unit="ms",
        asked="at most 33 ms, drawing apart",
        note=f"median {percentile(milliseconds, 0.5):.1f} ms; a drawing takes "
        f"{percentile([each for _, each in drawn], 0.5):.1f} ms; {played} other times were shown meanwhile",
    )
    moved = session.history.entries[session.history.position].edit
    assert moved is not None
    worked = percentile(own_work(before, moved), 0.95)
    yield Row(what="of that the edit and its picture, processor time", measured=worked, unit="ms")
    seconds, count = fresh_again(before, touched)
    yield Row(what="what that touched, fresh again", measured=1e3 * seconds, unit="ms", asked="at most 500 ms",
              note=f"{count} frames, processor time")  # fmt: skip


def sheet_of(opened: Stage) -> DopeSheet:
    """The dope sheet, in sight."""
    panel = opened.window.docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    opened.window.show_panel("timeline")
    opened.until(lambda: panel.sheet.keys is not None and panel.sheet.isVisible())
    panel.sheet.axis.show_range(0, 5 * SECOND)
    opened.settle()
    return panel.sheet


def pull_key(opened: Stage, sheet: DopeSheet, drawn: Sequence[tuple[float, float]]) -> tuple[list[float], int]:
    """Milliseconds from each move to the first picture of its document, without what was drawn meanwhile, and how many
    times were played on to. `drawn` grows by when a picture was drawn [s] and how long that took [ms]."""
    session, seen, played = opened.session, list[tuple[float, object]](), set[int]()

    def take(snapshot: Snapshot) -> None:
        seen.append((time.perf_counter(), snapshot.document))
        played.add(snapshot.time)

    session.snapshot_ready.connect(take)
    start = QPoint(round(sheet.x_of(2 * SECOND)), sheet.y_of(0) + sheet.row_height // 2)
    QTest.mousePress(sheet.viewport(), Qt.MouseButton.LeftButton, pos=start)
    found, last, place = list[float](), 0, start
    for number in range(1, MOVES + 1):
        frames = round(12.0 * np.sin(2.0 * np.pi * number / 40.0))
        if frames == last:
            continue
        place = QPoint(round(sheet.x_of(2 * SECOND + frame_time(frames, session.document.rate))), start.y())
        last, shown, began = frames, session.shown, time.perf_counter()
        move(sheet.viewport(), place)
        wait(partial(is_other, session, shown))
        came = next(at for at, document in seen if at > began and document is session.shown)
        found.append((came - began) * 1e3 - sum(each for at, each in drawn if began < at <= came))
    QTest.mouseRelease(sheet.viewport(), Qt.MouseButton.LeftButton, pos=place)
    session.snapshot_ready.disconnect(take)
    return found, len(played)


def own_work(before: Document, moved: Edit) -> list[float]:
    """Processor time of the edit with one picture of what it makes, at each frame [ms]."""
    evaluator, found = Evaluator(), list[float]()
    evaluator.snapshot(moved.apply(before), 0)  # compiles its problems
    for number in range(4 * 30):
        began = time.thread_time()
        evaluator.snapshot(moved.apply(before), frame_time(number, before.rate))
        found.append(1e3 * (time.thread_time() - began))
    return found


def is_other(session: Session, document: Document) -> bool:
    """Whether another document is on the screen than that one."""
    return session.shown is not document


def fresh_again(before: Document, after: Document) -> tuple[float, int]:
    """Processor time to work out every frame that an edit touched [s], and how many those are."""
    moments = Moments(Evaluator())
    moments.follow(before)
    moments.make(("one",), 0)  # compiles its problems
    moments.follow(after)
    times = set()
    for _, start, end in changed_span(before, after):
        first = max(LONG.start, start if start is not None else LONG.start)
        last = min(LONG.end, end if end is not None else LONG.end)
        frames = (frame_time(number, after.rate) for number in range(4 * 30 + 1))
        times |= {each for each in frames if first <= each <= last}
    began = time.thread_time()
    for each in sorted(times):
        moments.make(("one",), each)
    return time.thread_time() - began, len(times)
