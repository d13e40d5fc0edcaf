"""Tables of a TOML file, read with checks: every refusal names the file, the line, what was found and the remedy.

`tomllib` keeps no line numbers, so a table's line is that of its `[[header]]`, and a value's is the first line below
it which holds the key.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import NoReturn, TypeGuard

from engine.document.conformance import LARGEST
from engine.document.values import Vector3
from engine.formats.binary import read_at_most
from engine.runtime.errors import UnreadableFile, reason_of, shown
from engine.runtime.quick_dataclass import dataclass

MOST_BYTES = 16 * 2**20

_LISTED = 24
_MOST_PARTS = 200  # of a dotted key
_HEADER = re.compile(r"\s*\[\[\s*([^\[\]\s]+)\s*\]\]")
_APART = re.compile(r"[,=\[\]{}]")

DIRECTIONS: Mapping[str, Vector3] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}


@dataclass(frozen=True)
class Source:
    """The file that tables come from."""

    path: Path
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without what stands behind a `#`."""
        return [line.split("#", 1)[0] for line in self.text.splitlines()]

    def header_line(self, name: str, index: int) -> int | None:
        """Line of the `index`-th `[[name]]`."""
        found = self._header_lines.get(name, ())
        return found[index] if index < len(found) else None

    @cached_property
    def _header_lines(self) -> dict[str, list[int]]:
        """Lines of each `[[name]]`."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, 1):
            header = _HEADER.match(line)
            if header is not None:
                found.setdefault(header[1], []).append(number)
        return found

    def key_line(self, key: str, start: int) -> int:
        """First line from `start` on, up to the next header, that holds the key; `start` if none does."""
        word = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
        for number in range(start, len(self.lines) + 1):
            line = self.lines[number - 1]
            if number > start and re.match(r"\s*\[\[?[^\[\],]+\]\]?\s*$", line):
                break
            if word.search(line):
                return number
        return start

    def refuse(self, found: str, remedy: str, line: int | None = None) -> NoReturn:
        """Raise `UnreadableFile`."""
        raise UnreadableFile(path=self.path, found=found, remedy=remedy, line=line)


def read_source(path: Path) -> tuple[Source, dict[str, object]]:
    """The text of a TOML file and its content."""
    try:
        with path.open("rb") as file:
            data = read_at_most(file, MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            found = f"more than {MOST_BYTES // 2**20} MB of text"
            raise UnreadableFile(path=path, found=found, remedy="Choose a text that a person wrote")
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(
            path=path, found=f"byte {error.start} is not UTF-8 text", remedy="Save the file as UTF-8", line=line
        ) from error
    except (OSError, ValueError) as error:
        remedy = "Check the name, and that the file is there and may be read"
        raise UnreadableFile(path=path, found=reason_of(error), remedy=remedy) from error
    _check_keys(path, text)
    try:
        return Source(path, text), tomllib.loads(text)
    except RecursionError as error:
        found = "brackets within brackets without end"
        raise UnreadableFile(path=path, found=found, remedy="Close the brackets") from error
    except ValueError as error:  # of TOML, or of a number of more digits than Python reads
        message = str(error)
        place = re.search(r"\(at line (\d+), column (\d+)\)", message)
        line = int(place[1]) if place else len(text.splitlines())
        found = f"{message[: place.start()].strip()} at column {place[2]}" if place else message
        raise UnreadableFile(
            path=path, found=f"not valid TOML: {found}", remedy="Correct the line, or the one before it", line=line
        ) from error


def _check_keys(path: Path, text: str) -> None:
    """Refuse keys of very many parts, for which Python's reader takes time and memory by their square."""
    for line, row in enumerate(text.splitlines(), 1):
        if row.count(".") > _MOST_PARTS and any(each.count(".") > _MOST_PARTS for each in _APART.split(row)):
            raise UnreadableFile(path=path, found="a key of very many parts", remedy="Shorten it", line=line)


class TomlTable:
    """One table and where it stands; `what` names it for a person."""

    def __init__(self, source: Source, values: object, what: str, allowed: Sequence[str], line: int = 1) -> None:
        self.source, self.what, self.line = source, what, line
        if not isinstance(values, dict):
            source.refuse(f"{what} is {shown(values)}", "Write a table of keys and values", line)
        self.values: dict[str, object] = values
        for key in values:
            if key not in allowed:
                near = get_close_matches(key, allowed, n=1)
                hint = f"Did you mean {near[0]!r}? " if near else ""
                self.refuse(
                    key,
                    f"{what} has an unknown key {shown(key)}",
                    f"{hint}Allowed: {', '.join(allowed[:_LISTED])}{', …' if len(allowed) > _LISTED else ''}",
                )

    def refuse(self, key: str, found: str, remedy: str) -> NoReturn:
        """Raise `UnreadableFile` at the line of a key."""
        self.source.refuse(found, remedy, self.source.key_line(key, self.line))

    def wrong(self, key: str, wanted: str) -> NoReturn:
        """Refuse the value of a key."""
        self.refuse(key, f"{key} of {self.what} is {shown(self.values[key])}", f"Write {wanted}")

    def need(self, *keys: str) -> None:
        """Refuse the table if a key is missing."""
        for key in keys:
            if key not in self.values:
                self.source.refuse(f"{self.what} has no {key!r}", f"Add it: {key} = ...", self.line)

    def text(self, key: str, default: str = "") -> str:
        """A text that is not blank."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or (key in self.values and not value.strip()):
            self.wrong(key, "some text in quotes")
        return value

    def choice(self, key: str, options: Sequence[str], default: str) -> str:
        """One of several words."""
        value = self.text(key, default)
        if value not in options:
            self.wrong(key, "one of " + ", ".join(repr(each) for each in options))
        return value

    def number(self, key: str, default: float) -> float:
        """A number."""
        value = self.values.get(key, default)
        if not is_number(value):
            self.wrong(key, "a number")
        return float(value)

    def numbers(self, key: str, count: int, default: Sequence[float]) -> tuple[float, ...]:
        """A list of that many numbers."""
        value = self.values.get(key, default)
        if not isinstance(value, list | tuple) or len(value) != count or not all(is_number(each) for each in value):
            self.wrong(key, f"{count} numbers in square brackets")
        return tuple(float(each) for each in value)

    def vector(self, key: str, default: Vector3) -> Vector3:
        """Three numbers, or a direction such as "x" or "-y"."""
        value = self.values.get(key, default)
        if isinstance(value, str):
            if value not in DIRECTIONS:
                self.wrong(key, "three numbers, or one of " + ", ".join(repr(each) for each in DIRECTIONS))
            return DIRECTIONS[value]
        x, y, z = self.numbers(key, 3, default)
        return (x, y, z)

    def rows(self, key: str) -> list[object]:
        """A list; empty where the key is absent."""
        value = self.values.get(key, [])
        if not isinstance(value, list):
            self.wrong(key, "a list in square brackets")
        return value


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a TOML value is a number of a size that a document may have; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not LARGEST < abs(value) < math.inf


def is_finite(value: object) -> TypeGuard[int | float]:
    """Tell whether it is a number other than inf and nan."""
    return is_number(value) and math.isfinite(value)
