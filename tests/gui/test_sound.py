"""A sound in the real window: dropped, drawn, dragged in time, muted, and asked for in step with the picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.session.speaker import Device, Voice
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from tests.app.shell.answers import Answers
from tests.beeps import beeping, write_beep
from tests.gui.test_files import drop
from tests.gui.test_scenery import choose, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = [pytest.mark.gui, pytest.mark.pixels]


class Silent:
    """A device that plays nothing."""

    def close(self) -> None:
        """It has nothing to end."""


def open_silently(voice: Voice) -> Device:
    return Silent()


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A new scene of four seconds, without a sound."""
    with the_window.begun(questions=answers) as begun:
        monkeypatch.setattr(begun.session.sounds.speaker, "open_device", open_silently)
        yield begun


def with_beep(opened: Stage, seconds: float = 2.0) -> None:
    """Let a tone be heard from the start on."""
    opened.session.do(edit("set_sound", sound=beeping(seconds)))
    opened.until(lambda: bool(opened.session.sounds.peaks))


def test_a_dropped_sound_is_drawn_under_the_ruler_and_undone(opened: Stage, tmp_path: Path) -> None:
    session, track = opened.session, opened.window.transport.sound
    assert not track.isVisible()
    drop(opened, write_beep(tmp_path / "tone.flac", 2.0))
    opened.until(lambda: bool(session.sounds.peaks))
    assert session.document.sound is not None
    assert session.document.sound.name == "tone"
    opened.settle()
    assert track.isVisible()
    image, accent = track.grab().toImage(), opened.window.theme.accent
    scale, ruler = image.width() / track.width(), opened.window.transport.ruler

    def loud(seconds: float) -> int:
        x = round((ruler.x_of(seconds * SECOND) + 3.0) * scale)
        return sum(image.pixelColor(x, y).name() == accent for y in range(image.height()))

    assert loud(1.5) > image.height() // 4
    assert loud(2.5) == 0, "it lasts two seconds"
    session.undo()
    opened.until(lambda: not track.isVisible())


def test_a_sound_is_added_by_the_menu_and_what_is_none_says_what_to_do(
    opened: Stage, answers: Answers, tmp_path: Path
) -> None:
    answers.file = tmp_path / "noise.wav"
    answers.file.write_text("no sound")
    choose(opened, "add.sound")
    opened.until(lambda: "Save it as WAV, FLAC or OGG" in opened.window.message.text)
    assert opened.session.document.sound is None
    answers.file = write_beep(tmp_path / "tone.ogg")
    choose(opened, "add.sound")
    opened.until(lambda: opened.session.document.sound is not None)


def test_a_sound_is_dragged_in_time_as_one_entry_and_escape_lets_go(opened: Stage) -> None:
    with_beep(opened)
    session, track = opened.session, opened.window.transport.sound
    ruler, middle, entries = opened.window.transport.ruler, track.height() // 2, session.history.position
    path = [QPoint(round(ruler.x_of(seconds * SECOND)), middle) for seconds in (1.0, 1.3, 1.5)]
    drag(track, path)
    assert session.document.sound is not None
    assert session.document.sound.start == pytest.approx(SECOND / 2, abs=SECOND / 15)
    assert session.history.position == entries + 1
    QTest.mousePress(track, Qt.MouseButton.LeftButton, pos=path[0])
    QTest.keyClick(track, Qt.Key.Key_Escape)
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, pos=path[2])
    assert session.history.position == entries + 1


def heard_as(opened: Stage) -> tuple[int, float, bool] | None:
    """When the sound begins, how loud it is, and whether it is muted; None without one."""
    sound = opened.session.document.sound
    return None if sound is None else (sound.start, round(sound.gain, 3), sound.mute)


def test_actions_of_the_sound(opened: Stage) -> None:
    with_beep(opened)
    opened.session.set_playhead(SECOND)
    choose(opened, "time.sound_here")
    choose(opened, "time.louder")
    assert heard_as(opened) == (SECOND, 1.413, False)
    choose(opened, "time.quieter")
    choose(opened, "time.mute_sound")
    assert heard_as(opened) == (SECOND, 1.0, True)
    assert opened.window.menus.actions["time.mute_sound"].isChecked()
    choose(opened, "time.remove_sound")
    assert heard_as(opened) is None
    opened.window.menus.refresh()
    assert not opened.window.menus.actions["time.remove_sound"].isEnabled()


def test_it_is_heard_in_step_while_it_plays_and_for_a_moment_where_the_playhead_is_put(opened: Stage) -> None:
    with_beep(opened)
    session, voice = opened.session, opened.session.sounds.speaker.voice
    assert not voice.next(64).any()
    session.set_playhead(frame_time(20, (30, 1)))
    moment = voice.next(4800)
    assert moment[:3000].any()
    assert not moment[4000:].any(), "a moment is heard"
    assert not voice.next(64).any()
    session.player.set_looping(False)
    press(opened, Qt.Key.Key_L)
    assert voice.next(480).any()
    session.set_playhead(frame_time(50, (30, 1)))
    assert abs((voice.time or 0.0) - session.playhead) < 0.1 * SECOND, "it goes where the picture goes"
    press(opened, Qt.Key.Key_K)
    assert not voice.next(4800).any()
    session.sounds.mute(True)
    session.set_playhead(0)
    assert not voice.next(4800).any()
    session.player.set_looping(True)


def test_of_sounds_that_are_dropped_together_the_first_is_taken(opened: Stage, tmp_path: Path) -> None:
    paths = [write_beep(tmp_path / f"{name}.wav") for name in ("one", "two")]
    opened.window.files.open_all(paths)
    assert "one.wav was taken, not two.wav" in opened.window.message.text
    opened.until(lambda: opened.session.document.sound is not None)
    assert opened.session.document.sound is not None
    assert opened.session.document.sound.name == "one"


def test_a_sound_that_is_read_when_another_scene_is_open_is_not_added_to_that(opened: Stage, tmp_path: Path) -> None:
    session = opened.session
    session.sounds.add(write_beep(tmp_path / "tone.wav"))
    session.new()
    opened.until_told("was for the scene before")
    assert session.document.sound is None
    assert len(session.history.entries) == 1
