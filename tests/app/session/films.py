"""Small videos for tests: eight columns, black or white, write each picture's number in the binary system."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
from imageio_ffmpeg import get_ffmpeg_exe
from numpy.typing import NDArray

CODECS = {
    ".mp4": ("-c:v", "libx264", "-g", "40", "-pix_fmt", "yuv420p"),
    ".mov": ("-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p"),
    ".webm": ("-c:v", "libvpx-vp9", "-deadline", "realtime"),
    ".avi": ("-c:v", "mpeg4", "-q:v", "2"),
    ".gif": (),
}


def make_film(path: Path, count: int = 90, *, rate: str = "30000/1001", size: tuple[int, int] = (160, 90)) -> Path:
    """A video of so many pictures."""
    width, height = size
    command = [get_ffmpeg_exe(), "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray"]
    command += ["-s", f"{width}x{height}", "-r", rate, "-i", "-", *CODECS[path.suffix], str(path)]
    bits = np.arange(width) * 8 // width
    pictures = (np.broadcast_to((number >> bits & 1) * 255, (height, width)) for number in range(count))
    data = b"".join(each.astype(np.uint8).tobytes() for each in pictures)
    subprocess.run(command, input=data, check=True)
    return path


def number_of(pixels: NDArray[np.uint8]) -> int:
    """The number that a picture shows."""
    height, width = pixels.shape[:2]
    columns = pixels[height // 2, [width * bit // 8 + width // 16 for bit in range(8)], 0]
    return sum(1 << bit for bit, value in enumerate(columns) if value > 128)
