"""Sound of a span of time, as samples: for the loudspeaker and for a film."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND
from engine.document.sound import Sound
from engine.formats.sound_file import CHANNELS, RATE, Samples, decode

Heard = NDArray[np.float32]  # -1 to 1, left and right, shape [count, 2]


def span_samples(document: Document, start: int, end: int) -> Heard:
    """Mix the sound from one tick to another, at `RATE` samples a second: silence where there is no sound."""
    count = max(round((end - start) * RATE / TICKS_PER_SECOND), 0)
    sound = document.sound
    if sound is None or sound.mute:
        return np.zeros((count, CHANNELS), dtype=np.float32)
    return heard(sound, decode(sound.data.data), start, count)


def heard(sound: Sound, samples: Samples, start: int, count: int, pace: float = 1.0) -> Heard:
    """So many samples from a tick on, as they are heard at a pace: 1 is real time, below 0 backwards."""
    first = (start - sound.start) * RATE / TICKS_PER_SECOND
    places = np.floor(first + pace * np.arange(count) + 0.5).astype(np.int64)
    found = np.zeros((count, CHANNELS), dtype=np.float32)
    inside = (places >= 0) & (places < len(samples))
    found[inside] = samples[places[inside]] * np.float32(sound.gain / 32768.0)
    return np.clip(found, -1.0, 1.0, out=found)


def peaks(samples: Samples, count: int) -> NDArray[np.int16]:
    """The lowest and highest sample in each of so many equal parts, shape [count, 2]."""
    if not len(samples) or count < 1:
        return np.zeros((max(count, 0), 2), dtype=np.int16)
    starts = np.minimum(np.arange(count) * len(samples) // count, len(samples) - 1)
    low, high = samples.min(axis=1), samples.max(axis=1)
    return np.stack((np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)), axis=1)
