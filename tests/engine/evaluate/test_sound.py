"""What is heard over a span: the samples of that time, as loud as chosen, silence elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.sound import heard, peaks, span_samples
from engine.formats.sound_file import RATE, decode
from tests.beeps import beeping


def test_a_span_is_heard_from_where_the_sound_begins() -> None:
    document = Document(sound=beeping(0.5, start=SECOND))
    found = span_samples(document, SECOND // 2, 2 * SECOND)
    assert found.shape == (3 * RATE // 2, 2)
    assert not found[: RATE // 2].any()
    assert not found[RATE:].any()
    assert document.sound is not None
    middle = found[RATE // 2 : RATE]
    assert np.abs(middle - decode(document.sound.data.data) / 32768.0).max() < 1e-6


def test_two_spans_one_after_the_other_are_the_whole() -> None:
    document = Document(sound=beeping(0.5))
    whole = span_samples(document, 0, SECOND // 2)
    halves = [span_samples(document, 0, SECOND // 4), span_samples(document, SECOND // 4, SECOND // 2)]
    assert (np.concatenate(halves) == whole).all()


def test_loudness_silence_and_no_sound() -> None:
    sound = beeping(0.1)
    loud = span_samples(Document(sound=replace(sound, gain=8.0)), 0, SECOND // 10)
    assert np.abs(loud).max() == 1.0, "it is cut off, not wrapped round"
    quiet = span_samples(Document(sound=replace(sound, gain=0.5)), 0, SECOND // 10)
    assert np.abs(quiet).max() < 0.26
    assert not span_samples(Document(sound=replace(sound, mute=True)), 0, SECOND).any()
    assert span_samples(Document(), 0, SECOND).shape == (RATE, 2)
    assert span_samples(Document(sound=sound), SECOND, 0).shape == (0, 2)


def test_a_pace_is_faster_slower_or_backwards() -> None:
    sound = beeping(1.0, hertz=100.0)
    samples = decode(sound.data.data)
    plain = heard(sound, samples, 0, RATE // 2)
    assert (heard(sound, samples, 0, RATE // 4, 2.0) == plain[::2]).all()
    assert (heard(sound, samples, 0, RATE // 2, 0.5)[::2] == plain[: RATE // 4]).all()
    backwards = heard(sound, samples, SECOND // 4, RATE // 4, -1.0)
    assert (backwards == plain[RATE // 4 : 0 : -1]).all()


def test_peaks_hold_every_sample() -> None:
    samples = decode(beeping(0.3).data.data)
    for count in (7, 256, len(samples), 3 * len(samples)):
        found = peaks(samples, count)
        assert found.shape == (count, 2)
        assert (found[:, 0].min(), found[:, 1].max()) == (samples.min(), samples.max())
    assert peaks(samples[:0], 4).shape == (4, 2)
