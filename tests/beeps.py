"""Sounds for tests, made here: a tone that lasts as long as it is told, as a file's bytes or part of a document."""

from __future__ import annotations

import io
import math
import subprocess
import wave
from pathlib import Path

import numpy as np

from engine.document import Blob
from engine.document.sound import Sound
from engine.formats.sound_file import RATE


def beep(seconds: float = 0.1, *, hertz: float = 440.0, rate: int = RATE, channels: int = 1) -> bytes:
    """The bytes of a WAV file: a tone at half of the loudest, on each channel."""
    times = np.arange(round(seconds * rate)) / rate
    tone = np.round(16384.0 * np.sin(2.0 * math.pi * hertz * times)).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(np.repeat(tone, channels).tobytes())
    return file.getvalue()


def beeping(seconds: float = 0.1, *, start: int = 0, hertz: float = 440.0) -> Sound:
    """The same as a part of a document."""
    data = Blob(np.frombuffer(beep(seconds, hertz=hertz), dtype=np.uint8))
    return Sound(name="Beep", data=data, seconds=seconds, start=start)


def write_beep(path: Path, seconds: float = 0.1) -> Path:
    """A file of the format that the name's ending asks for."""
    if path.suffix == ".wav":
        path.write_bytes(beep(seconds))
        return path
    from imageio_ffmpeg import get_ffmpeg_exe

    codec = {".flac": "flac", ".ogg": "libvorbis"}[path.suffix]
    command = [get_ffmpeg_exe(), "-v", "error", "-i", "pipe:0", "-c:a", codec, str(path)]
    subprocess.run(command, input=beep(seconds), check=True)
    return path
