"""Sound files of the three formats are read whole; what is none says what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.document import Document
from engine.formats import sinew
from engine.formats.sound_file import RATE, NoSound, _samples, decode, read_sound
from engine.runtime.errors import InvalidDocument, UnreadableFile
from tests.beeps import beep, beeping, write_beep


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".ogg"])
def test_each_format_gives_the_tone_that_was_written(tmp_path: Path, suffix: str) -> None:
    sound = read_sound(write_beep(tmp_path / f"tone{suffix}", seconds=0.5))
    assert sound.name == "tone"
    assert sound.seconds == pytest.approx(0.5, abs=0.01)
    samples = decode(sound.data.data)[: RATE // 2]
    spectrum = np.abs(np.fft.rfft(samples[:, 0]))
    assert np.argmax(spectrum) * RATE / len(samples) == pytest.approx(440.0, abs=3.0)
    assert np.abs(samples).max() == pytest.approx(16384, rel=0.05)
    assert (samples[:, 0] == samples[:, 1]).all(), "one channel is heard on both sides"


def test_uncompressed_samples_come_through_unchanged() -> None:
    from_file = decode(beep(0.1))
    times = np.arange(len(from_file)) / RATE
    assert len(from_file) == RATE // 10
    assert np.abs(from_file[:, 0] - 16384.0 * np.sin(2.0 * np.pi * 440.0 * times)).max() <= 1.0


def test_the_word_data_in_a_title_is_no_sound() -> None:
    words = b"INFOINAM" + (10).to_bytes(4, "little") + b"metadata!\0"
    plain = beep(0.1)
    titled = bytearray(plain[:36] + b"LIST" + len(words).to_bytes(4, "little") + words + plain[36:])
    titled[4:8] = (len(titled) - 8).to_bytes(4, "little")
    assert np.array_equal(decode(bytes(titled)), decode(plain))
    assert np.array_equal(_samples(bytes(titled)), decode(plain))
    assert not len(_samples(plain[:38]))


def test_another_rate_and_two_channels_are_brought_to_ours() -> None:
    samples = decode(beep(0.2, rate=22050, channels=2))
    assert len(samples) == pytest.approx(0.2 * RATE, abs=RATE // 1000)


def bad(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_what_is_no_sound_says_what_to_do(tmp_path: Path) -> None:
    for name, data in (("empty.wav", b""), ("text.ogg", b"not a sound at all"), ("cut.wav", beep()[:20])):
        with pytest.raises(UnreadableFile, match="Save it as WAV, FLAC or OGG"):
            read_sound(bad(tmp_path / name, data))
    with pytest.raises(UnreadableFile, match="Check that it is there"):
        read_sound(tmp_path / "gone.wav")
    with pytest.raises(NoSound):
        decode(b"\x00" * 4096)


def test_a_sound_that_was_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = beep(1.0)
    sound = read_sound(bad(tmp_path / "short.wav", whole[: len(whole) // 2]))
    assert sound.seconds == pytest.approx(0.5, abs=0.02)


def test_a_document_keeps_its_sound_in_its_file(tmp_path: Path) -> None:
    document = Document(sound=beeping(0.2, start=-7))
    path = tmp_path / "scene.sinew"
    sinew.write(path, document)
    assert sinew.read(path).digest == document.digest
    assert len(decode(document.sound.data.data)) == round(0.2 * RATE)  # type: ignore[union-attr]


def test_what_no_sound_may_be_is_refused() -> None:
    change: dict[str, Any]
    for change in ({"gain": -1.0}, {"gain": float("nan")}, {"seconds": 1e9}, {"name": " "}, {"start": 0.5}):
        with pytest.raises(InvalidDocument):
            replace(beeping(), **change)
