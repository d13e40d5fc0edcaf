"""Frames worked out ahead: asked for again after a failure, later and later while they fail."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.session.kept_pictures import KEY, LOOK_EVERY
from app.session.session import PREVIEW
from engine.document import Document
from engine.edits import edit
from engine.evaluate.picture_cache import FrameStretch
from tests.app.session.held import Held


class Frames:
    """Stands in for the engine's pictures of frames: all are there, if it works at all."""

    def __init__(self) -> None:
        self.broken = True
        self.document: Document | None = None

    def follow(self, document: Document, *, skins: bool) -> None:
        if self.broken:
            raise RuntimeError("out of memory")
        self.document = document

    def is_fresh(self, time: int) -> bool:
        return True

    def stretches(self, times: list[int]) -> tuple[FrameStretch, ...]:
        return (FrameStretch(times[0], times[-1], "fresh"),)


@pytest.fixture
def frames(held: Held) -> Frames:
    made = Frames()
    held.session.engine.pictures = made  # type: ignore[assignment]
    return made


def test_frames_that_failed_are_asked_for_again_and_later_each_time(held: Held, frames: Frames, qtbot: QtBot) -> None:
    session, kept = held.session, held.session.kept_pictures
    session.do(edit("rename_actor", actor="arm", name="Limb"))
    for count in (1, 2):
        assert held.worker.waiting(KEY) == 1
        held.worker.answer(KEY)
        assert "out of memory" in session.log[-1].text
        assert held.worker.waiting(KEY) == 0
        assert kept._soon.interval() == LOOK_EVERY * 2**count
        session.player.changed.emit()
        qtbot.waitUntil(lambda: held.worker.waiting(KEY) == 1)
    frames.broken = False
    held.worker.answer(KEY)
    assert (len(kept.stretches), kept._soon.interval()) == (1, LOOK_EVERY)


def test_while_a_key_is_dragged_in_the_motion_that_plays_no_frames_are_worked_out_ahead(
    held: Held, frames: Frames, qtbot: QtBot
) -> None:
    session = held.session
    frames.broken = False
    session.play()
    qtbot.waitUntil(lambda: held.worker.waiting(KEY) == 1)
    gesture = session.begin_gesture("Turn", plays_on=True)
    gesture.preview(edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=0.5))
    held.worker.answer(PREVIEW)
    assert session.shown is not session.document
    assert held.worker.waiting(KEY) == 0
    session.player.changed.emit()
    qtbot.waitUntil(lambda: not session.kept_pictures._soon.isActive())
    assert held.worker.waiting(KEY) == 0
    gesture.finish()
    assert session.player.playing
    qtbot.waitUntil(lambda: held.worker.waiting(KEY) == 1)
    session.player.pause()
