"""Speaker: lets a sound be heard in step with the picture, and a moment of it where the playhead is put.

The device asks a Voice for samples on a thread of its own. Where there is no device, or nothing to reach one with,
nothing is heard and nothing else changes.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from engine.document.motion import TICKS_PER_SECOND
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.document.sound import Sound
    from engine.evaluate.sound import Heard
    from engine.formats.sound_file import Samples

RATE, CHANNELS = 48_000, 2  # as the engine decodes
LATENCY = 0.06  # [s] from when a sample is asked for until it is heard
MOMENT = 0.08  # [s] that is heard of a time on which the playhead is put
FADE = 240  # samples at each end of a moment, so that it does not click
_log = logging.getLogger(__name__)


class Device(Protocol):
    """Something that plays what a voice gives."""

    def close(self) -> None:
        """End it."""


@dataclass(frozen=True, eq=False)
class SoundCue:
    """A sound to play: from a time on, at a pace, for so many samples, or until the next cue."""

    sound: Sound
    samples: Samples
    time: float  # [ticks]
    pace: float = 1.0
    left: int | None = None


class Voice:
    """Gives a device its samples. What is said on the window's thread is taken up with the next ones."""

    def __init__(self) -> None:
        self._line: SoundCue | None = None
        self._lock = threading.Lock()

    @property
    def time(self) -> float | None:
        """The time that is heard [ticks]; None in silence."""
        line = self._line
        return None if line is None else line.time

    def say(self, line: SoundCue | None) -> None:
        """Go on with this; None: be silent."""
        with self._lock:
            self._line = line

    def next(self, count: int) -> Heard:
        """Return the next samples, shape [count, 2]."""
        import numpy as np

        from engine.evaluate.sound import heard

        with self._lock:
            line = self._line
            if line is None or line.sound.mute:
                return np.zeros((count, CHANNELS), dtype=np.float32)
            length = count if line.left is None else min(count, line.left)
            after = line.time + length * line.pace * TICKS_PER_SECOND / RATE
            left = None if line.left is None else line.left - length
            self._line = None if left == 0 else replace(line, time=after, left=left)
        found = np.zeros((count, CHANNELS), dtype=np.float32)
        found[:length] = heard(line.sound, line.samples, round(line.time), length, line.pace)
        if line.left is not None:
            places = round(MOMENT * RATE) - line.left + np.arange(length)
            fade = np.minimum(places + 1, line.left - np.arange(length)) / FADE
            found[:length] *= np.clip(fade, 0.0, 1.0)[:, None].astype(np.float32)
        return found


class Speaker:
    """The device, opened on a thread of its own when something is to be heard for the first time."""

    def __init__(
        self,
        *,
        open_device: Callable[[Voice], Device] | None = None,
        when_silent: Callable[[str], None] | None = None,
    ) -> None:
        """`when_silent` is called on that thread with the reason where there is no device."""
        self.voice = Voice()
        self._when_silent = when_silent
        self.open_device = open_device or _open_device
        self._device: Device | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def say(self, line: SoundCue | None) -> None:
        """Let this be heard from now on."""
        self.voice.say(line)
        if line is not None and self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._open, name="speaker", daemon=True)
            self._thread.start()

    def close(self, timeout: float = 5.0) -> bool:
        """Let nothing be heard any more; False if that took too long."""
        self._closed = True
        self.voice.say(None)
        if self._thread is None:
            return True
        self._thread.join(timeout)
        device, self._device = self._device, None
        if device is not None:
            device.close()
        return not self._thread.is_alive()

    def _open(self) -> None:
        try:
            self._device = self.open_device(self.voice)
        except Exception as problem:  # whatever a system says that has no sound
            _log.info("nothing is heard: %s", problem)
            if self._when_silent is not None and not self._closed:
                first = problem.args[0] if problem.args else None
                self._when_silent(first if isinstance(first, str) else str(problem))


def _open_device(voice: Voice) -> Device:
    import miniaudio

    device: Device = miniaudio.PlaybackDevice(
        output_format=miniaudio.SampleFormat.FLOAT32,
        nchannels=CHANNELS,
        sample_rate=RATE,
        buffersize_msec=round(1000 * LATENCY),
        app_name="Sinew",
    )
    stream = _stream(voice)
    next(stream)
    device.start(stream)  # type: ignore[attr-defined]
    return device


def _stream(voice: Voice) -> Generator[bytes, int, None]:
    count = yield b""
    while True:
        count = yield voice.next(count).tobytes()
