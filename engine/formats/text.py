"""Text files of motion, read safely: encodings, line ends, a bound on size, numbers with the line that they stand on.

UTF-8 with or without a mark, else Latin-1, in which every byte is a letter; lines end in LF, CR LF or CR. A file that
holds control characters other than white space is binary, whatever its name says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from engine.document.values import Vector3
from engine.formats.binary import read_at_most
from engine.project import disk
from engine.runtime.errors import UnreadableFile, UnwritableFile, reason_of

MOST_BYTES = 256 * 2**20
MOST_LINES = 8_000_000
LARGEST = 1e12  # beyond it no length or angle is meant, and later sums could overflow

_CONTROLS = bytes(each for each in range(32) if each not in b"\t\n\v\f\r")
_SHOWN = 40


class Word(NamedTuple):
    """A word and the line that it stands on."""

    text: str
    line: int


class TextFile:
    """The lines of a file, counted from 1 in messages to a person."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.broken_off = self.lines[-1].strip() != ""
        """Whether the last line has no end: a file may be so, or it was cut off there."""
        if not self.broken_off:
            self.lines.pop()

    def refuse(self, found: str, remedy: str, line: int | None = None) -> NoReturn:
        """Raise `UnreadableFile`."""
        raise UnreadableFile(path=self.path, found=found, remedy=remedy, line=line)

    def words(self, start: int = 1) -> Iterator[Word]:
        """The words from a line on; braces are words of their own."""
        for line in range(start, len(self.lines) + 1):
            for word in self.lines[line - 1].replace("{", " { ").replace("}", " } ").split():
                yield Word(word, line)

    def number(self, word: str, line: int, what: str) -> float:
        """A finite number of a sane size."""
        value = as_number(word)
        if value is None:
            self.refuse(f"{what} is {shown(word)}", _number_remedy(word), line)
        if abs(value) > LARGEST:
            self.refuse(f"{what} is {shown(word)}, too large for any figure", "Write a smaller number.", line)
        return value

    def vector(self, words: Sequence[str], line: int, what: str) -> Vector3:
        """Three numbers, and nothing else."""
        if len(words) != 3:
            found = f"{what} has {counted(len(words), 'number')}: {shown(' '.join(words))}"
            self.refuse(found, "Write three numbers, with spaces between them.", line)
        x, y, z = (self.number(word, line, what) for word in words)
        return (x, y, z)


def read_text(path: Path, what: str) -> TextFile:
    """The lines of a text file; `what` names its kind for a person: "a BVH file"."""
    if path.is_dir():
        raise UnreadableFile(path=path, found="a folder", remedy=f"Choose {what}.")
    try:
        with path.open("rb") as file:
            data = read_at_most(file, MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        found = "no file of that name" if isinstance(error, FileNotFoundError) else reason_of(error)
        raise UnreadableFile(path=path, found=found, remedy="Check that the file is there and may be read.") from error
    if len(data) > MOST_BYTES:
        found = f"more than {MOST_BYTES // 2**20} MB of text"
        raise UnreadableFile(path=path, found=found, remedy="Split the motion into shorter clips.")
    lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    if lines > MOST_LINES:
        found = f"{lines:,} lines"
        raise UnreadableFile(path=path, found=found, remedy=f"Split it into files of {MOST_LINES:,} lines or fewer.")
    return TextFile(path, _decode(path, data, what))


def write_text(path: Path, text: str) -> None:
    """Write a file whole, or leave what stood there."""
    if path.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    try:
        disk.write_beside(path, text.encode())
    except OSError as error:
        raise disk.unwritable(path, error, at_work=False) from error


def as_number(word: str) -> float | None:
    """A finite decimal number, or None; Python's own extras (1_000, other scripts' digits) are none."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) and word.isascii() and "_" not in word else None


def counted(count: int, thing: str) -> str:
    """1 frame, 2 frames."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def shown(word: str) -> str:
    """A word in quotes, cut to a length that can be read."""
    return repr(word if len(word) <= _SHOWN else word[:_SHOWN] + "…")


def _decode(path: Path, data: bytes, what: str) -> str:
    data = data.removesuffix(b"\x1a")  # the end mark of old systems
    if not data.strip():
        raise UnreadableFile(path=path, found="an empty file", remedy=f"Choose {what} with content.")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UnreadableFile(path=path, found="text in UTF-16", remedy="Save the file as UTF-8.")
    if len(data.translate(None, _CONTROLS)) != len(data):
        at = next(place for place, byte in enumerate(data) if byte in _CONTROLS)
        line = data.count(b"\n", 0, at) + data.count(b"\r", 0, at) - data.count(b"\r\n", 0, at) + 1
        found = f"binary data (byte {data[at]:#04x})"
        raise UnreadableFile(path=path, found=found, remedy=f"Choose {what}: plain text.", line=line)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _number_remedy(word: str) -> str:
    if word.lower().strip("+-") in ("nan", "inf", "infinity"):
        return "Write a finite number, or leave the frame out."
    if "," in word:
        return "Write decimal points, not commas, and spaces between numbers."
    if any(sign in word[1:] for sign in "+-") or word.count(".") > 1:
        return "Put a space between numbers."
    return "Write a number such as -12.5."
