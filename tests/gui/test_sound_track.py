"""The sound under the ruler is drawn once, and again when it, its place or the style is another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLineF

from app.timeline.sound_track import SoundTrack
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from tests.beeps import beeping
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        yield open_stage


def test_a_playhead_that_moves_draws_no_wave_anew(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    session, track = opened.session, opened.window.transport.sound
    drawn: list[float] = []
    plain = SoundTrack._lines

    def noted(self: SoundTrack, left: float, right: float, gain: float) -> list[QLineF]:
        drawn.append(left)
        return plain(self, left, right, gain)

    monkeypatch.setattr(SoundTrack, "_lines", noted)

    def draws() -> bool:
        drawn.clear()
        track.grab()
        return bool(drawn)

    session.do(edit("set_sound", sound=beeping(2.0)))
    opened.until(lambda: bool(session.sounds.peaks))
    opened.settle()
    track.grab()
    assert not draws()
    first = track.grab().toImage()
    session.set_playhead(SECOND)
    opened.settle()
    assert not draws()
    assert track.grab().toImage() != first, "the playhead stands over it"
    for change in (edit("change_sound", gain=0.5), edit("change_sound", mute=True), edit("change_sound", start=SECOND)):
        before = track.grab().toImage()
        session.do(change)
        opened.settle()
        assert track.grab().toImage() != before, change
    before = track.grab().toImage()
    session.do(edit("set_play_range", start=0, end=9 * SECOND))
    opened.settle()
    assert track.grab().toImage() != before, "the ruler shows more time"
    assert not draws()
    QCoreApplication.sendEvent(track, QEvent(QEvent.Type.StyleChange))
    assert draws()
