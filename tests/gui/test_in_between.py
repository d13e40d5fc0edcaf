"""Locks between keys in the real window, by real mouse and key events: a crouch with feet held (Welman 1993, 6.3 and
figure 6.5), and a foot that is planted and let go over a span.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.locks.sections import WhenFields
from app.features.locks.words import span_between
from app.scene.panes import FRONT, RIGHT
from app.session import Item
from app.timeline.panel import TimelinePanel
from engine.document import Document, Lock, Span
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from tests.gui.test_grabbing import drag_body
from tests.gui.test_locks import pick, section, typed
from tests.gui.test_tour import beside_mark
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui

FEET = ("ankle_left", "ankle_right")
MILLIMETRE = 1e-3
WITHIN = 4  # times within each frame that are looked at
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def opened(the_window: OneWindow, unhurried: None) -> Iterator[Stage]:
    with the_window.begun(size=(1400, 900)) as open_stage:
        reaching = open_stage.session.reaching
        open_stage.until(lambda: reaching.ready)
        open_stage.settle()
        yield open_stage


def me(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def lock_feet(opened: Stage, feet: Sequence[str] = FEET) -> None:
    """Clicked, then held by the key, in place and turn."""
    modifiers = Qt.KeyboardModifier.NoModifier
    for foot in feet:
        QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, modifiers, beside_mark(opened, foot, FRONT))
        opened.until(lambda foot=foot: Item(me(opened), foot) in opened.session.selection)  # type: ignore[misc]
        modifiers = SHIFT
    press(opened, Qt.Key.Key_K, CTRL)
    opened.until(lambda: len(opened.session.document.actors[0].locks) == len(feet))
    opened.settle()


def go(opened: Stage, seconds: float) -> None:
    """Drag along the ruler to a time."""
    ruler, time = opened.window.transport.ruler, round(seconds * TICKS_PER_SECOND)
    points = [QPoint(round(ruler.x_of(each)), ruler.height() // 2) for each in (opened.session.playhead, time)]
    drag(ruler, [points[0], (points[0] + points[1]) / 2, points[1]])
    assert abs(opened.session.playhead - time) <= frame_time(1, opened.session.document.rate)
    opened.settle()


def key_pose(opened: Stage) -> None:
    before = opened.session.document
    press(opened, Qt.Key.Key_S)
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def drag_pelvis(opened: Stage, right: int, down: int, view: int = FRONT) -> None:
    drag_body(opened, "pelvis", right, down, view, me(opened))


def places(document: Document, joint: str, times: Sequence[int]) -> NDArray[np.float64]:
    """Where a joint of the first actor is at times [m], shape [time_count, 3]; nothing is known from other times."""
    evaluator, actor = Evaluator(), document.actors[0]
    index = actor.figure.joint_index[joint]
    return np.array([evaluator.joint_transforms(document, actor.id, time)[index][:, 3] for time in times])


def all_times(document: Document, start: float, end: float) -> list[int]:
    """Every frame from one time to another [s], and as many times within each as are looked at."""
    frame = frame_time(1, document.rate)
    first, last = round(start * TICKS_PER_SECOND), round(end * TICKS_PER_SECOND)
    return list(range(first, last + 1, frame // (WITHIN + 1)))


def without_locks(document: Document) -> Document:
    actor = document.actors[0]
    return document.with_actor(replace(actor, locks=tuple(replace(lock, mute=True) for lock in actor.locks)))


def off(document: Document, lock: Lock, times: Sequence[int]) -> float:
    """How far at most what is held is from where it is to be [m]."""
    return float(np.linalg.norm(places(document, lock.joint, times) - lock.position, axis=1).max())


def test_a_figure_crouches_between_two_keys_with_its_feet_held_on_every_frame_and_in_between(opened: Stage) -> None:
    lock_feet(opened)
    drag_pelvis(opened, -12, 40)
    key_pose(opened)
    go(opened, 2.0)
    drag_pelvis(opened, 30, 24)
    document = opened.session.document
    times = all_times(document, 0.0, 2.0)
    assert len(times) == 60 * (WITHIN + 1) + 1
    sunk = places(without_locks(document), "ankle_left", times)[:, 1]
    assert sunk.min() < document.actors[0].locks[0].position[1] - 5 * MILLIMETRE, "without locks the feet sink"
    for lock in document.actors[0].locks:
        assert off(document, lock, times) < MILLIMETRE


def test_feet_that_are_held_stay_in_every_picture_while_it_plays(opened: Stage) -> None:
    lock_feet(opened)
    key_pose(opened)
    go(opened, 1.0)
    drag_pelvis(opened, 16, 44)
    seen: dict[int, float] = {}
    locks = {lock.joint: np.array(lock.position) for lock in opened.session.document.actors[0].locks}

    def look(snapshot: object) -> None:
        shown = opened.session.snapshot
        assert shown is not None
        bodies = shown.bodies[0]
        seen[shown.time] = max(
            float(np.linalg.norm(bodies.transforms[bodies.parts.index(joint)][:, 3] - place))
            for joint, place in locks.items()
        )

    opened.hear(opened.session.snapshot_ready, look)
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: len(seen) >= 12)
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: not opened.session.player.playing)
    opened.session.snapshot_ready.disconnect(look)
    assert max(seen.values()) < MILLIMETRE


def test_a_foot_is_planted_for_a_time_and_let_go_with_ease_as_set_in_the_inspector(opened: Stage) -> None:
    key_pose(opened)
    go(opened, 2.0)
    drag_pelvis(opened, -110, 0, RIGHT)
    go(opened, 1.0)
    lock_feet(opened, ("ankle_left",))
    lock = opened.session.document.actors[0].locks[0]
    opened.session.select([Item(me(opened), lock.joint, lock.id)])
    when = section(opened, "lock when")
    assert isinstance(when, WhenFields)
    pick(when.when, 1)
    opened.until(lambda: opened.session.document.actors[0].locks[0].span is not None)
    for slider, text in zip(when.ends.fields.values(), ("0.5", "1.5", "0.2", "0.2"), strict=True):
        typed(slider, text)
        opened.until(lambda: opened.session.at_rest)
    document = opened.session.document
    (lock,) = document.actors[0].locks
    unit = TICKS_PER_SECOND
    assert lock.span == Span(start=unit // 2, end=3 * unit // 2, ease_in=unit // 5, ease_out=unit // 5)
    free = without_locks(document)
    travelled = places(free, lock.joint, [0, 2 * unit])
    assert np.linalg.norm(travelled[1] - travelled[0]) > 0.3, "the figure goes on"
    assert off(document, lock, all_times(document, 0.7, 1.3)) < MILLIMETRE
    for start, end in ((0.0, 0.5), (1.5, 2.0)):
        times = all_times(document, start, end)
        assert np.abs(places(document, lock.joint, times) - places(free, lock.joint, times)).max() < 1e-9
    assert jumps(document, lock.joint, (0.5, 0.7, 1.3, 1.5)) < 0.05


def jumps(document: Document, joint: str, ends: Sequence[float]) -> float:
    """The largest jump of a joint's speed at some times [s], as a part of its greatest speed."""
    short, found = TICKS_PER_SECOND // 4800, []
    path = places(document, joint, all_times(document, 0.0, 2.0))
    frame = frame_time(1, document.rate) / TICKS_PER_SECOND / (WITHIN + 1)
    fastest = float(np.linalg.norm(np.diff(path, axis=0), axis=1).max()) / frame
    for end in ends:
        middle = round(end * TICKS_PER_SECOND)
        three = places(document, joint, [middle - short, middle, middle + short])
        before, after = np.diff(three, axis=0) * 4800.0
        found.append(float(np.linalg.norm(after - before)))
    return max(found) / fastest


def test_a_key_that_is_dragged_while_it_plays_is_seen_in_the_motion_that_goes_on(opened: Stage) -> None:
    lock_feet(opened)
    key_pose(opened)
    go(opened, 2.0)
    drag_pelvis(opened, 16, 44)
    opened.window.show_panel("timeline")
    panel = opened.window.docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    sheet, session = panel.sheet, opened.session
    opened.until(lambda: sheet.keys is not None and sheet.viewport().height() > sheet.row_height)
    before, seen = session.document, list[tuple[object, int]]()
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: session.player.playing)
    opened.hear(session.snapshot_ready, lambda snapshot: seen.append((snapshot.document, snapshot.time)))
    start = QPoint(round(sheet.x_of(2 * TICKS_PER_SECOND)), sheet.y_of(0) + sheet.row_height // 2)
    QTest.mousePress(sheet.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for right in (-10, -20, -40):
        count = len(seen) + 4
        move(sheet.viewport(), start + QPoint(right, 0))
        opened.until(lambda count=count: len(seen) >= count)  # type: ignore[misc]
    shown = session.shown
    assert shown is not before, "the drag is seen"
    opened.until(
        lambda: len({time for document, time in seen if document is shown}) > 1
    )  # the motion goes on meanwhile
    QTest.mouseRelease(sheet.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(-40, 0))
    opened.until(lambda: session.at_rest)
    assert session.player.playing
    assert session.document is not before
    assert session.history.entries[-1].label == "Move keys"
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: not session.player.playing)


def test_a_foot_that_was_let_go_is_locked_again_where_it_stands_later(opened: Stage) -> None:
    key_pose(opened)
    go(opened, 2.0)
    drag_pelvis(opened, -110, 0, RIGHT)
    go(opened, 0.0)
    lock_feet(opened, ("ankle_left",))
    (first,) = opened.session.document.actors[0].locks
    unit = TICKS_PER_SECOND
    span = edit("set_lock_span", actor=me(opened), lock=first.id, start=0, end=unit, ease_in=0, ease_out=unit // 10)
    opened.session.do(span)
    before = opened.session.document
    press(opened, Qt.Key.Key_K, CTRL)
    opened.until_told("pinned like that already")
    assert opened.session.document is before, "it holds now"
    go(opened, 2.0)
    press(opened, Qt.Key.Key_K, CTRL)
    opened.until(lambda: len(opened.session.document.actors[0].locks) == 2)
    document, now = opened.session.document, opened.session.playhead
    second = document.actors[0].locks[1]
    assert np.linalg.norm(np.subtract(second.position, first.position)) > 0.3, "it stands elsewhere"
    assert second.span is not None
    assert second.span.start == now
    earlier = [time for time in all_times(document, 0.0, 2.0) if time < now]
    assert np.array_equal(places(document, "ankle_left", earlier), places(before, "ankle_left", earlier))


def test_a_lock_beside_others_like_it_holds_while_they_do_not() -> None:
    document, unit = Document(), TICKS_PER_SECOND
    spans = (Span(start=unit, end=2 * unit), Span(start=3 * unit, end=5 * unit))
    others = [Lock(id=str(span.start), name="foot", joint="ankle_left", span=span) for span in spans]
    assert span_between(document, [], unit) is None
    assert span_between(document, others, unit // 2) == Span(start=0, end=unit)
    assert span_between(document, others, -unit) == Span(start=-unit, end=unit)
    assert span_between(document, others, 2 * unit) == Span(start=2 * unit, end=3 * unit)
    assert span_between(document, others[:1], 2 * unit) == Span(start=2 * unit, end=4 * unit), "until the end"
    assert span_between(document, others, 6 * unit) == Span(start=6 * unit, end=10 * unit), "beyond the end"
