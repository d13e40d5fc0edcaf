"""What the viewport says while something waits for its kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QCoreApplication, QObject

from app.scene import Viewport
from app.session.session import PREVIEW
from app.tools import WaitingMessage
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver, hold, steps
from tests.app.session.test_engine_link import ready_but_for, with_lock


class View(QObject):
    """Stands in for the viewport."""

    shown = ""

    def show_message(self, text: str) -> None:
        self.shown = text


@pytest.fixture
def starting(qapp: QCoreApplication) -> Iterator[Held]:
    made = hold(small_document(), ready=False)
    yield made
    made.session.close()
    made.session.deleteLater()


def test_what_is_done_with_locks_before_they_are_ready_is_told_to_wait(starting: Held) -> None:
    view = View()
    message = WaitingMessage(starting.session, cast(Viewport, view))
    ready_but_for(starting, "locks", "limits")
    assert view.shown == ""
    with_lock(starting)
    assert view.shown == "Preparing locks; the picture follows by itself"
    starting.session.engine.submit(PREVIEW, steps(None), document=None, needs=("locks",))
    message.show_drag(False)
    assert view.shown == "Preparing locks; what you do is shown then, by itself"
    message.show_drag(True)
    assert view.shown == "Preparing locks; your drag begins by itself", "it waits for a fresh picture"
    message.show_drag(False)
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    assert view.shown == ""


def test_a_drag_that_waits_for_posing_by_hand_says_so(starting: Held) -> None:
    view = View()
    message = WaitingMessage(starting.session, cast(Viewport, view))
    starting.session.engine.preparing.begin(("posing", "locks"))
    message.show_drag(True)
    assert view.shown == "Preparing posing by hand; your drag begins by itself"
