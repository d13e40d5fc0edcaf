"""What the device is given: the sound of the time, a moment of it that does not click, or silence."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from app.session.speaker import MOMENT, RATE, Device, SoundCue, Speaker, Voice
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.sound import heard
from engine.formats.sound_file import decode
from tests.app.session.held import Held, deliver
from tests.beeps import beeping

SOUND = beeping(1.0)


@pytest.fixture(scope="module")
def line() -> SoundCue:
    return SoundCue(SOUND, decode(SOUND.data.data), 0.0)


def test_it_goes_on_from_piece_to_piece(line: SoundCue) -> None:
    voice = Voice()
    voice.say(line)
    pieces = np.concatenate([voice.next(480) for _ in range(10)])
    assert (pieces == heard(SOUND, line.samples, 0, 4800)).all()
    assert voice.time == pytest.approx(SECOND / 10)


def test_it_is_silent_until_it_is_told_something_and_when_it_is_muted(line: SoundCue) -> None:
    voice = Voice()
    assert not voice.next(100).any()
    assert voice.time is None
    voice.say(replace(line, sound=replace(SOUND, mute=True)))
    assert not voice.next(100).any()


def test_a_moment_fades_in_and_out_and_ends(line: SoundCue) -> None:
    voice, count = Voice(), round(MOMENT * RATE)
    voice.say(replace(line, left=count))
    found = np.concatenate([voice.next(500) for _ in range(count // 500 + 2)])
    plain = heard(SOUND, line.samples, 0, count)
    assert (found[500 : count - 500] == plain[500 : count - 500]).all()
    assert np.abs(found[:20]).max() < 0.1 * np.abs(plain).max()
    assert np.abs(found[count - 20 : count]).max() < 0.1 * np.abs(plain).max()
    assert not found[count:].any()
    assert voice.time is None


def test_the_device_is_opened_once_and_closed(line: SoundCue) -> None:
    told: list[str] = []

    class Fake:
        def close(self) -> None:
            told.append("closed")

    def open_device(voice: Voice) -> Device:
        told.append("opened")
        return Fake()

    speaker = Speaker(open_device=open_device)
    speaker.say(None)
    assert told == [], "nothing is to be heard yet"
    speaker.say(line)
    speaker.say(line)
    assert speaker.close()
    assert told == ["opened", "closed"]
    speaker.say(line)
    assert told == ["opened", "closed"], "it is closed for good"


def test_without_a_device_nothing_is_heard_and_nothing_fails(line: SoundCue) -> None:
    def open_device(voice: Voice) -> Device:
        raise RuntimeError("failed to init device", -401)

    told, heard = list[str](), threading.Event()

    def when_silent(why: str) -> None:
        told.append(why)
        heard.set()

    speaker = Speaker(open_device=open_device, when_silent=when_silent)
    speaker.say(line)
    assert heard.wait(300.0)
    speaker.say(line)
    assert speaker.close()
    assert told == ["failed to init device"], "once"


def test_a_machine_without_sound_is_said_in_the_log(held: Held) -> None:
    other = threading.Thread(target=held.session.sounds._tell_silent, args=("failed to init device",))
    other.start()
    other.join()
    deliver()
    text = held.session.log[-1].text
    assert "no sound device (failed to init device)" in text
    assert "start Sinew again" in text
