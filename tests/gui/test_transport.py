"""The bar below the picture, with the mouse and the keys, on the real window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.session.actors import new_document
from app.session.history import Entry, History
from app.session.player import frame_of
from app.timeline import Transport
from engine.document import Document, Key, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.edits import edit
from tests.gui.test_grabbing import Layouts
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui
SECOND, ELBOW = TICKS_PER_SECOND, "elbow_left.flexion"


def waving() -> Document:
    """A human whose elbow is keyed over two seconds."""
    document = new_document()
    actor = document.actors[0]
    keys = (Key(0, 0.0), Key(SECOND, 1.5), Key(2 * SECOND, 0.2))
    layer = replace(actor.layers[0], tracks=(Track(coordinate=ELBOW, keys=keys),))
    return document.with_actor(replace(actor, layers=(layer,)))


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(waving()) as open_stage:
        yield open_stage


def bar(opened: Stage) -> Transport:
    return opened.window.transport


def elbow(opened: Stage) -> object:
    """The forearm's transform in the picture."""
    assert opened.snapshot is not None
    item = opened.snapshot.bodies[0]
    return item.transforms[item.parts.index("elbow_left")].copy()


def test_the_window_is_not_laid_out_anew_as_time_goes_on(opened: Stage) -> None:
    """Each layout goes over every dock, which took the window's thread longer than all else of a frame that plays."""
    session, layouts = opened.session, Layouts(opened.window)
    session.set_playhead(4 * SECOND)  # the widest text
    opened.settle()
    opened.window.installEventFilter(layouts)
    texts = set()
    for frame in range(30):
        session.set_playhead(frame_time(frame, session.document.rate))
        opened.settle()
        texts.add(bar(opened).clock.text())
    opened.window.removeEventFilter(layouts)
    assert (len(texts) > 20, layouts.count) == (True, 0)


def test_dragging_along_the_ruler_shows_other_times(opened: Stage) -> None:
    ruler = bar(opened).ruler
    at_rest = elbow(opened)
    middle = ruler.height() // 2
    drag(ruler, [QPoint(round(ruler.x_of(share * SECOND)), middle) for share in (0, 1)])
    assert opened.session.playhead == SECOND
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == SECOND)
    assert abs(elbow(opened) - at_rest).max() > 0.3  # type: ignore[operator]
    assert opened.session.history.position == 0, "looking at another time changes nothing"


def test_space_plays_in_real_time_and_pauses_on_what_is_seen(opened: Stage) -> None:
    session = opened.session
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Space)
    states = [session.player.playing]
    opened.until(lambda: session.playhead > SECOND // 4)
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Space)
    assert [*states, session.player.playing] == [True, False]
    stopped = session.playhead
    opened.settle()
    assert session.playhead == stopped
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == stopped)


def test_buttons_and_keys_step_frame_by_frame(opened: Stage) -> None:
    session = opened.session
    QTest.mouseClick(bar(opened).forward, Qt.MouseButton.LeftButton)
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Period)
    assert frame_of(session.playhead, (30, 1)) == 2
    QTest.mouseClick(bar(opened).back, Qt.MouseButton.LeftButton)
    assert frame_of(session.playhead, (30, 1)) == 1
    QTest.mouseClick(bar(opened).to_end, Qt.MouseButton.LeftButton)
    assert session.playhead == 2 * SECOND
    QTest.mouseClick(bar(opened).to_start, Qt.MouseButton.LeftButton)
    assert session.playhead == 0
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Comma)
    assert session.playhead == 0, "it stops at the end"


def test_a_step_from_between_frames_ends_at_the_nearer_one_and_none_goes_the_other_way(opened: Stage) -> None:
    session = opened.session
    session.set_playhead(frame_time(5, (30, 1)) + 1)
    bar(opened).step(-1)
    assert session.playhead == frame_time(5, (30, 1))
    session.do(edit("set_play_range", start=0, end=SECOND))
    session.set_playhead(2 * SECOND)
    bar(opened).step(1)
    assert session.playhead == frame_time(61, (30, 1)), "beyond the end, where later keys are made"
    bar(opened).step(-1)
    bar(opened).step(-1)
    assert session.playhead == frame_time(59, (30, 1))


def test_the_list_of_rates_stands_on_that_of_the_document(opened: Stage) -> None:
    rates = bar(opened).rate
    opened.session.do(edit("set_rate", frames=24))
    assert (rates.currentIndex(), rates.currentText()) == (1, "24 fps")
    opened.session.do(edit("set_rate", frames=17))
    assert (rates.currentIndex(), rates.currentText()) == (-1, "17 fps")


def test_an_edit_of_the_rate_and_span_is_shown(opened: Stage) -> None:
    session = opened.session
    session.do(edit("set_rate", frames=24))
    session.do(edit("set_play_range", start=0, end=SECOND))
    QTest.mouseClick(bar(opened).to_end, Qt.MouseButton.LeftButton)
    assert session.playhead == SECOND
    assert bar(opened).ruler.time_at(bar(opened).ruler.x_of(SECOND // 2)) == SECOND // 2
    session.undo()
    session.undo()
    assert session.document.rate == (30, 1)


def test_grabbing_a_slider_pauses(opened: Stage) -> None:
    session = opened.session
    session.play()
    gesture = session.begin_gesture("Turn")
    assert not session.player.playing
    gesture.cancel()


def test_nothing_is_said_of_keys_between_frames_where_another_document_is_opened(opened: Stage) -> None:
    session, document = opened.session, opened.session.document
    actor = document.actors[0]
    session.do(edit("set_key", actor=actor.id, layer=actor.layers[0].id, coordinate=ELBOW, time=SECOND // 7, value=0.1))
    opened.settle()
    another = replace(session.document, rate=(25, 1))
    session.begin_with(History(another, Entry("Another")), None)
    opened.settle()
    assert [entry.text for entry in session.log if entry.kind == "warning"] == []
    session.do(edit("set_rate", frames=24))
    opened.settle()
    assert ["between frames" in entry.text for entry in session.log if entry.kind == "warning"] == [True]
