"""The first drag, tried before posing by hand is prepared: it says so, and begins by itself."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.scene.overlay_message import OverlayMessage
from app.scene.panes import FRONT
from app.session import Item
from app.session.engine_steps import Cold
from engine.edits import edit
from engine.long.warm_up import WARM
from engine.runtime.child import Message
from tests.gui.test_grabbing import HAND, at, caught_up, let_go, middle, person, seen_at, way
from tests.gui.test_window import canvas_of, press
from tests.stage import Stage, move, stage

pytestmark = pytest.mark.gui

LEFT = Qt.MouseButton.LeftButton


class Child:
    """Compiles nothing: the test says what it would say."""

    say: Callable[[Message], None]
    cancelled = False

    def __init__(self, name: str, arguments: object, *, on_message: Callable[[Message], None]) -> None:
        Child.say = on_message
        Child.cancelled = False

    def ask(self, message: Message) -> None:
        """Nothing."""

    def cancel(self) -> None:
        Child.cancelled = True

    def wait(self, timeout: float | None = None) -> bool:
        return True


def cold() -> Generator[Cold, None, None]:
    """As at the very first start."""
    yield Cold(tuple(entry.name for entry in WARM))


@pytest.fixture
def opened(qapp: object, unhurried: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr("app.session.engine_link.prepare", cold)
    monkeypatch.setattr("engine.runtime.child.ChildJob", Child)
    with stage(person(), ready=False, seen=False) as opened:
        opened.until(lambda: bool(opened.session.engine.preparing.missing) and opened.snapshot is not None)
        opened.draw()
        yield opened


def grab(opened: Stage, right: int, down: int) -> QPoint:
    """Press the hand and drag it; where the pointer is then."""
    start = at(opened, HAND)
    QTest.mousePress(canvas_of(opened), LEFT, pos=start)
    points = way(start, right, down)
    for point in points[1:]:
        move(canvas_of(opened), point)
    return points[-1]


def message_of(opened: Stage) -> str:
    """The line over the views."""
    (line,) = opened.view.findChildren(OverlayMessage)
    return line.accessibleName()


def be_prepared(opened: Stage) -> None:
    Child.say({"progress": 0.3, "ready": "posing"})
    opened.until(lambda: opened.session.reaching.ready)


def test_it_begins_by_itself_at_the_pointer_as_soon_as_posing_is_prepared(opened: Stage) -> None:
    session = opened.session
    assert not session.engine_state.ready
    pressed = np.array(at(opened, HAND).toTuple())
    before = seen_at(opened, middle(opened, HAND), FRONT)
    end = grab(opened, 30, -40)
    assert message_of(opened).startswith("Preparing posing by hand")
    assert message_of(opened).endswith("your drag begins by itself")
    assert session.reaching.pulled is None
    be_prepared(opened)
    opened.until(lambda: session.reaching.pulled is not None)
    assert message_of(opened) == ""
    opened.until(lambda: caught_up(opened))
    let_go(opened, end)
    went = seen_at(opened, middle(opened, HAND), FRONT) - before
    assert np.hypot(*(went - (np.array(end.toTuple()) - pressed))) < 3.0, "it stands at the pointer [px]"
    assert session.history.position == 1
    assert session.engine_state.text == "Ready to pose"
    assert "preparing" in opened.window.status.engine.text()


def test_one_that_is_not_held_any_more_never_begins(opened: Stage) -> None:
    session, first = opened.session, opened.session.document
    session.select([Item("me", HAND)])
    assert any(mark.part == HAND for mark in opened.view.markers), "handles are there to be taken"
    end = grab(opened, 12, -24)
    assert message_of(opened)
    QTest.mouseRelease(canvas_of(opened), LEFT, pos=end)
    assert message_of(opened) == "", "it was let go"
    end = grab(opened, 12, -24)
    assert message_of(opened)
    press(opened, Qt.Key.Key_Escape)
    assert message_of(opened) == "", "it was given up"
    QTest.mouseRelease(canvas_of(opened), LEFT, pos=end)
    be_prepared(opened)
    opened.settle()
    assert (session.document, session.history.position, session.reaching.pulled) == (first, 0, None)


def test_nothing_is_promised_once_preparing_was_cancelled(opened: Stage) -> None:
    end = grab(opened, 12, -24)
    opened.session.cancel_job()
    assert Child.cancelled
    Child.say({"ended": "cancelled"})
    opened.until(lambda: opened.session.engine.idle)
    assert message_of(opened) == ""
    assert "unavailable" in opened.window.message.text
    QTest.mouseRelease(canvas_of(opened), LEFT, pos=end)
    assert opened.session.history.position == 0


def test_the_hand_opens_where_what_it_holds_goes_before_posing_is_prepared(opened: Stage) -> None:
    session, canvas = opened.session, canvas_of(opened)
    session.select([Item("me", HAND)])
    end = grab(opened, 12, -24)
    assert canvas.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    session.do(edit("remove_actor", actor="me"))
    be_prepared(opened)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.document is session.document)
    opened.settle()
    assert message_of(opened) == ""
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    QTest.mouseRelease(canvas, LEFT, pos=end)
    assert session.history.position == 1
