"""Film: a video file read by ffmpeg, a program of its own; what is wrong with a file cannot take this one down.

ffmpeg ends as soon as nobody reads its pipe any more, so none outlives this process however that ends. A picture of a
number is the one that is seen from number / rate on, counted from the start of the file: ffmpeg repeats and drops
pictures where a camera's own clock wandered.
"""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.document.motion import Rate

WIDEST = 1280  # [px] of what is decoded
_ENDS = 1 << 20  # [bytes] at the start and at the end of a file that its digest tells apart
_PATIENCE = 60.0  # [s] for the first picture
_HEADROOM = 1.0  # [s] decoded before what is asked for: a camera's clock may leave a gap as long
_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
_RATE, _LENGTH = re.compile(r"([\d.]+)(k?) (?:fps|tbr)"), re.compile(r"Duration: (\d+):(\d+):([\d.]+)")
_COUNTED = re.compile(r"time=(\d+):(\d+):([\d.]+)")
# Files that hold their pictures themselves: a playlist, whatever it is called, would have others opened.
_ALONE = ("-protocol_whitelist", "file", "-format_whitelist", "mov,matroska,avi,gif,mpeg,mpegts")
_FIT = f"scale=w='max(trunc(min({WIDEST},iw*sar)/2)*2,2)':h='max(trunc(ow/dar/2)*2,2)',setsar=1"


class NoVideo(EngineError):
    """A file that is no video, with what to do."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the video {name} cannot be read: {why}. Save it as MP4 or WebM, then add it again")


@dataclass(frozen=True)
class FilmFacts:
    """The facts of a video file, and its first picture as a JPEG file's bytes."""

    digest: str
    rate: Rate
    count: int
    first: bytes


def file_digest(path: Path) -> str:
    """64 hexadecimal digits of a file's length and of its first and last megabyte."""
    found = blake2b(digest_size=32)
    with path.open("rb") as file:
        length = file.seek(0, 2)
        found.update(str(length).encode())
        file.seek(0)
        found.update(file.read(_ENDS))
        file.seek(max(length - _ENDS, 0))
        found.update(file.read(_ENDS))
    return found.hexdigest()


def read_facts(path: Path) -> FilmFacts:
    """Look into a file."""
    try:
        digest = file_digest(path)
    except OSError as problem:
        raise NoVideo(path.name, problem.strerror or str(problem)) from problem
    first, said = _run(path, ["-frames:v", "1", "-vf", _FIT, "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "-"])
    stream = next((line for line in said.splitlines() if "Video:" in line and "Stream" in line), "")
    if not first or not stream:
        raise NoVideo(path.name, _last_line(said, path))
    rate, length = _RATE.search(stream), _LENGTH.search(said)
    if length is None:  # no length is written into the file: count
        _, counted = _run(path, ["-c", "copy", "-f", "null", "-"])
        length = next(iter(list(_COUNTED.finditer(counted))[-1:]), None)
    pace = _as_rate(float(rate[1]) * (1000 if rate[2] else 1)) if rate is not None else (1, 1)
    hours, minutes, seconds = (float(each) for each in length.groups()) if length is not None else (0.0, 0.0, 0.0)
    count = max(round((3600 * hours + 60 * minutes + seconds) * pace[0] / pace[1]), 1)
    return FilmFacts(digest=digest, rate=pace, count=count, first=first)


class Film:
    """The pictures of a file in their order, from one on."""

    def __init__(self, path: Path, rate: Rate, first: int, size: tuple[int, int]) -> None:
        self.size, self.next = size, first
        begin = max(first * rate[1] / rate[0] - _HEADROOM, 0.0)
        spare = first - round(begin * rate[0] / rate[1])
        begin = max((first - spare - 0.25) * rate[1] / rate[0], 0.0)  # between two, so that none falls out by rounding
        steps = f"fps={rate[0]}/{rate[1]}:start_time=0,trim=start_frame={spare},scale={size[0]}:{size[1]},vflip"
        self._process = subprocess.Popen(
            [
                *(_program(), "-nostdin", "-v", "error", "-threads", "2", *_ALONE),
                *("-ss", f"{begin:.6f}", "-i", f"file:{path}", "-map", "0:v:0", "-vf", steps),
                *("-pix_fmt", "rgba", "-f", "rawvideo", "-"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=_NO_WINDOW,
        )

    def read(self) -> NDArray[np.uint8] | None:
        """Return the next picture, row 0 the lowest, shape [height, width, 4]; None behind the last one."""
        import numpy as np

        width, height = self.size
        assert self._process.stdout is not None, "a pipe"
        data = self._process.stdout.read(4 * width * height)
        if len(data) < 4 * width * height:
            return None
        self.next += 1
        return np.frombuffer(data, dtype=np.uint8).reshape(height, width, 4)

    def kill(self) -> None:
        """End the program; whoever reads is given None. From any thread."""
        self._process.kill()

    def close(self) -> None:
        """End the program and wait until it has gone."""
        self._process.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()


def _run(path: Path, wanted: list[str]) -> tuple[bytes, str]:
    """Run ffmpeg on a file; give what it writes, and its messages."""
    command = [_program(), "-nostdin", "-hide_banner", *_ALONE, "-i", f"file:{path}"]
    try:
        done = subprocess.run(
            [*command, "-map", "0:v:0", *wanted],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            creationflags=_NO_WINDOW,
        )
    except subprocess.TimeoutExpired as problem:
        raise NoVideo(path.name, f"it gave no picture within {_PATIENCE:.0f} s") from problem
    return done.stdout, done.stderr.decode("utf-8", "replace")


def _program() -> str:
    from imageio_ffmpeg import get_ffmpeg_exe

    try:
        return str(get_ffmpeg_exe())
    except RuntimeError as problem:
        why = "the program ffmpeg, which reads videos, is missing. Install the package imageio-ffmpeg"
        raise EngineError(f"no video can be shown: {why}, then add it again") from problem


def _as_rate(pace: float) -> Rate:
    """Pictures in so many seconds, those of NTSC exact: ffmpeg writes two decimals."""
    if pace <= 0.0:
        return 1, 1
    if abs(pace - round(pace)) < 5e-3:
        return max(round(pace), 1), 1
    ntsc = round(pace * 1.001)
    return (ntsc * 1000, 1001) if abs(ntsc / 1.001 - pace) < 6e-3 else (round(pace * 100), 100)


def _last_line(said: str, path: Path) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip() and "Conversion failed" not in line]
    text = re.sub(r"\[[^]]*\] ?", "", lines[-1] if lines else "it holds no picture")
    return text.replace(f"file:{path}", path.name).replace(str(path), path.name).rstrip(".")
