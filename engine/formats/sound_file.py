"""Sound files (WAV, FLAC, OGG) to samples. They are decoded by ffmpeg, a program of its own: what is wrong with a file
cannot take this one down."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.blobs import Blob
from engine.document.sound import LONGEST, Sound
from engine.runtime.errors import EngineError, UnreadableFile, printable

SUFFIXES = (".wav", ".flac", ".ogg", ".oga")
RATE = 48_000  # samples a second, whatever the file has
CHANNELS = 2
LARGEST = 512 * 2**20  # [bytes] of a file
REMEDY = "Save it as WAV, FLAC or OGG, then add it again."
Samples = NDArray[np.int16]  # left and right, shape [count, 2]

_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
_PATIENCE = 120.0  # [s]


class NoSound(EngineError):
    """Bytes that are no sound."""


def read_sound(path: Path) -> Sound:
    """The sound that a file holds."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            found = f"it has {size / 2**20:.0f} MB"
            raise UnreadableFile(path=path, found=found, remedy=f"A sound may have {LARGEST // 2**20} MB; shorten it.")
        data = path.read_bytes()
    except OSError as problem:
        remedy = "Check that it is there and may be read."
        raise UnreadableFile(path=path, found=problem.strerror or str(problem), remedy=remedy) from problem
    try:
        count = len(decode(data))
    except NoSound as problem:
        raise UnreadableFile(path=path, found=str(problem), remedy=REMEDY) from problem
    seconds = count / RATE
    if seconds >= LONGEST:
        found = f"it lasts more than {LONGEST / 60.0:.0f} minutes"
        raise UnreadableFile(path=path, found=found, remedy="Cut out what is needed, then add it again.")
    return Sound(name=printable(path.stem), data=Blob(np.frombuffer(data, dtype=np.uint8)), seconds=seconds)


def decode(data: bytes) -> Samples:
    """The samples of a sound file's bytes, at `RATE`, of both channels; one channel is heard on both sides."""
    if not data:
        raise NoSound("it is empty")
    command = [
        *(_program(), "-nostdin", "-v", "error", "-format_whitelist", "wav,flac,ogg", "-protocol_whitelist", "pipe"),
        *("-i", "pipe:0", "-map", "0:a:0", "-t", str(LONGEST), "-af", "aformat=channel_layouts=mono|stereo"),
        *("-map_metadata", "-1", "-f", "wav", "-c:a", "pcm_s16le", "-ar", str(RATE), "pipe:1"),
    ]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_PATIENCE, creationflags=_NO_WINDOW)
    except subprocess.TimeoutExpired as problem:
        raise NoSound(f"it could not be decoded within {_PATIENCE:.0f} s") from problem
    except OSError as problem:
        raise NoSound(f"the program ffmpeg cannot be started: {problem.strerror or problem}") from problem
    samples = _samples(done.stdout)
    if done.returncode != 0 and not len(samples):
        raise NoSound("it is no WAV, FLAC or OGG sound, or damaged")
    if not len(samples):
        raise NoSound("it holds no sound")
    return samples


def _samples(wav: bytes) -> Samples:
    """Read the samples of a WAV file's bytes as ffmpeg writes them into a pipe, which leaves its lengths open."""
    chunk = 12
    while chunk + 8 <= len(wav) and wav[chunk : chunk + 4] != b"data":
        length = int.from_bytes(wav[chunk + 4 : chunk + 8], "little")
        chunk += 8 + length + length % 2
    begin = chunk + 8
    if begin > len(wav):
        return np.zeros((0, CHANNELS), dtype=np.int16)
    channels = int.from_bytes(wav[22:24], "little")
    count = (len(wav) - begin) // (2 * channels)
    samples = np.frombuffer(wav, dtype="<i2", count=count * channels, offset=begin).reshape(-1, channels)
    return samples if channels == CHANNELS else np.repeat(samples, CHANNELS, axis=1)


def _program() -> str:
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as problem:
        why = "the program ffmpeg, which reads sounds, is missing. Install the package imageio-ffmpeg"
        raise NoSound(why) from problem
