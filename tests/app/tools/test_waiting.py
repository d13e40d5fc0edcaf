"""What the viewport says while something waits for its kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QCoreApplication, QObject

from app.scene import Viewport
from app.session.session import PREVIEW
from app.tools import WaitingWords
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, deliver, hold, steps
from tests.app.session.test_engine_link import ready_but_for, with_lock


class Listening(QObject):
    """Stands in for the viewport."""

    said = ""

    def say(self, text: str) -> None:
        self.said = text


@pytest.fixture
def starting(qapp: QCoreApplication) -> Iterator[Held]:
    made = hold(small_document(), ready=False)
    yield made
    made.session.close()
    made.session.deleteLater()


def test_what_is_done_with_locks_before_they_are_ready_is_said_to_wait(starting: Held) -> None:
    view = Listening()
    words = WaitingWords(starting.session, cast(Viewport, view))
    ready_but_for(starting, "locks", "limits")
    assert view.said == ""
    with_lock(starting)
    assert view.said == "Locks are being prepared; the picture follows by itself"
    starting.session.engine.submit(PREVIEW, steps(None), document=None, needs=("locks",))
    words.show_drag(False)
    assert view.said == "Locks are being prepared; what you do is shown then, by itself"
    words.show_drag(True)
    assert view.said == "Posing by hand is being prepared; your drag begins by itself"
    words.show_drag(False)
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    assert view.said == ""
