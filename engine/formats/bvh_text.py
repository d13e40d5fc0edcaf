"""The text of a BVH file as it stands: branches with their channels, then rows of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.document.motion import Rate
from engine.document.values import Vector3
from engine.formats.rates import LONGEST, SHORTEST, rate_of
from engine.formats.rows import read_rows
from engine.formats.text import TextFile, Word, counted, shown
from engine.runtime.quick_dataclass import dataclass

MOST_JOINTS = 20_000
MOST_FRAMES = 10_000_000  # 24 hours at 120 Hz are 10,368,000

_CHANNELS = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")


class BvhChannel(NamedTuple):
    """A column of the motion: position or rotation, and its axis."""

    kind: Literal["position", "rotation"]
    axis: int  # 0, 1, 2 for x, y, z
    name: str


@dataclass
class Branch:
    """One ROOT or JOINT, lengths in the file's unit."""

    name: str
    parent: int | None
    line: int
    offset: Vector3 | None = None
    channels: tuple[BvhChannel, ...] | None = None
    sites: list[Site] = field(default_factory=list)
    grown: bool = False  # a joint inside it has begun


@dataclass
class Site:
    """An End Site."""

    name: str
    line: int
    offset: Vector3 | None = None


@dataclass
class Hierarchy:
    """The branches, parents before children, and the line of MOTION."""

    branches: list[Branch]
    motion_line: int
    notes: list[str]

    @property
    def channel_count(self) -> int:
        """Numbers in a row."""
        return sum(len(branch.channels or ()) for branch in self.branches)


@dataclass(frozen=True, eq=False)
class BvhMotion:
    """The rows as they stand, shape [frames, channels]."""

    values: NDArray[np.float64]
    rate: Rate
    notes: tuple[str, ...]


class _Words:
    """Words with a look ahead."""

    def __init__(self, words: Iterator[Word]) -> None:
        self._words = words
        self.next = next(words, None)

    def take(self) -> Word | None:
        taken, self.next = self.next, next(self._words, None)
        return taken

    def rest_of(self, line: int) -> list[str]:
        """Take the other words of a line, up to a brace."""
        found = []
        while self.next is not None and self.next.line == line and self.next.text not in "{}":
            found.append(self.next.text)
            self.take()
        return found


def read_hierarchy(file: TextFile) -> Hierarchy:
    """Everything up to MOTION."""
    return _HierarchyReader(file).read()


class _HierarchyReader:
    """Reads word by word; what is open stands on a stack, so that depth costs no recursion."""

    def __init__(self, file: TextFile) -> None:
        self._file = file
        self._words = _Words(file.words())
        self._branches: list[Branch] = []
        self._open: list[int | Site] = []  # the number of a branch, or an End Site
        self._notes: list[str] = []

    def read(self) -> Hierarchy:
        first = self._words.take()
        if first is None or first.text.upper() != "HIERARCHY":
            found = "nothing" if first is None else shown(first.text)
            self._file.refuse(f"{found} at the beginning", "A BVH file begins with HIERARCHY.", first and first.line)
        while (word := self._words.take()) is not None:
            keyword = word.text.upper()
            if keyword == "MOTION":
                return self._finish(word)
            self._read_word(keyword, word)
        self._file.refuse(f"the file ends {self._where()}", _CUT_OFF, len(self._file.lines))

    def _finish(self, word: Word) -> Hierarchy:
        if self._open:
            self._file.refuse(f"MOTION {self._where()}", "Close every joint with a } first.", word.line)
        if not self._branches:
            self._file.refuse("a hierarchy without joints", "Write a ROOT before MOTION.", word.line)
        without = [branch.name for branch in self._branches if branch.offset is None]
        if without:
            self._notes.append(f"no OFFSET, taken as zero: {', '.join(without[:8])}")
        return Hierarchy(self._branches, word.line, self._notes)

    def _read_word(self, keyword: str, word: Word) -> None:
        if keyword == "}":
            if not self._open:
                self._file.refuse("a } too many", "Remove it, or the } that closed too early.", word.line)
            self._open.pop()
        elif keyword in ("ROOT", "JOINT"):
            self._begin_branch(keyword, word)
        elif keyword == "END":
            self._begin_site(word)
        elif keyword == "OFFSET":
            self._read_offset(word)
        elif keyword == "CHANNELS":
            self._read_channels(word)
        elif keyword != "HIERARCHY" or self._open:
            remedy = "Known here: ROOT, JOINT, End Site, OFFSET, CHANNELS, braces and MOTION."
            self._file.refuse(f"{shown(word.text)} {self._where()}", remedy, word.line)

    def _begin_branch(self, keyword: str, word: Word) -> None:
        name = " ".join(self._words.rest_of(word.line))
        parent = self._open[-1] if self._open else None
        if isinstance(parent, Site):
            self._file.refuse(f"{keyword} inside an End Site", "Close the End Site with a } first.", word.line)
        if (parent is None) != (keyword == "ROOT"):
            remedy = "Close the joint with a } first." if self._open else "Begin with ROOT."
            self._file.refuse(f"{keyword} {shown(name)} {self._where()}", remedy, word.line)
        if len(self._branches) == MOST_JOINTS:
            self._file.refuse(f"more than {MOST_JOINTS:,} joints", "Write fewer joints.", word.line)
        if parent is not None:
            self._branches[parent].grown = True
        if not name:
            self._notes.append(f"a joint without a name on line {word.line}, called joint")
        self._branches.append(Branch(name or "joint", parent, word.line))
        self._enter(len(self._branches) - 1, word)

    def _begin_site(self, word: Word) -> None:
        words = self._words.rest_of(word.line)
        if words and words[0].upper() == "SITE":
            words = words[1:]
        if not self._open or isinstance(self._open[-1], Site):
            self._file.refuse(f"an End Site {self._where()}", "Write it inside a joint.", word.line)
        site = Site(" ".join(words), word.line)
        self._branches[self._open[-1]].sites.append(site)
        self._enter(site, word)

    def _enter(self, opened: int | Site, word: Word) -> None:
        brace = self._words.take()
        self._open.append(opened)
        if brace is None or brace.text != "{":
            found = "the file ends" if brace is None else shown(brace.text)
            line = word.line if brace is None else brace.line
            self._file.refuse(f"{found} where {self._name(opened)} begins", "Write a { there.", line)

    def _read_offset(self, word: Word) -> None:
        words = self._words.rest_of(word.line)
        if not self._open:
            self._file.refuse("OFFSET outside a joint", "Write it inside braces.", word.line)
        opened = self._open[-1]
        what = f"the OFFSET of {self._name(opened)}"
        holder = opened if isinstance(opened, Site) else self._branches[opened]
        if holder.offset is not None:
            self._file.refuse(f"{what} for the second time", "Write it once.", word.line)
        holder.offset = self._file.vector(words, word.line, what)

    def _read_channels(self, word: Word) -> None:
        words = self._words.rest_of(word.line)
        opened = self._open[-1] if self._open else None
        if opened is None or isinstance(opened, Site):
            if opened is not None and words == ["0"]:
                return
            self._file.refuse(f"CHANNELS {self._where()}", "Write them inside a joint.", word.line)
        branch = self._branches[opened]
        if branch.channels is not None or branch.grown:
            found = f"CHANNELS of {branch.name} " + (
                "after a joint inside it" if branch.grown else "for the second time"
            )
            self._file.refuse(found, "Write them once, before the joints inside.", word.line)
        count, names = (words[0], words[1:]) if words else ("", [])
        if not (count.isascii() and count.isdigit() and len(count) < 10) or int(count) != len(names):
            found = f"CHANNELS of {branch.name} declares {shown(count)} and lists {len(names)}"
            self._file.refuse(found, "Write the number of channels, then as many names on the same line.", word.line)
        branch.channels = self._channels(branch, names, word.line)

    def _channels(self, branch: Branch, names: list[str], line: int) -> tuple[BvhChannel, ...]:
        known = {name.lower(): name for name in _CHANNELS}
        found: list[BvhChannel] = []
        for name in names:
            usual = known.get(name.lower())
            if usual is None:
                remedy = f"Known channels: {', '.join(_CHANNELS)}."
                self._file.refuse(f"{branch.name} has the channel {shown(name)}", remedy, line)
            kind: Literal["position", "rotation"] = "position" if usual.endswith("position") else "rotation"
            channel = BvhChannel(kind, "XYZ".index(usual[0]), usual)
            if kind == "position" and channel in found:
                self._file.refuse(f"{branch.name} has {usual} twice", "Write each position channel once.", line)
            found.append(channel)
        return tuple(found)

    def _name(self, opened: int | Site) -> str:
        return f"an End Site (line {opened.line})" if isinstance(opened, Site) else self._branches[opened].name

    def _where(self) -> str:
        if not self._open:
            return "outside any joint"
        opened = self._open[-1]
        line = opened.line if isinstance(opened, Site) else self._branches[opened].line
        return f"inside {'an End Site' if isinstance(opened, Site) else self._name(opened)}, which began on line {line}"


_CUT_OFF = "A whole file closes every { and goes on with MOTION; get the whole file."
_COUNT = re.compile(r"\s*frames\s*(?::|\s)\s*(.*?)\s*", re.IGNORECASE)
_TIME = re.compile(r"\s*frame\s+time\s*(?::|\s)\s*(.*?)\s*", re.IGNORECASE)


def read_motion(file: TextFile, hierarchy: Hierarchy, rate: Rate | None) -> BvhMotion:
    """Everything from MOTION on; `rate` takes the place of the file's own."""
    count: int | None = None
    time: Word | None = None
    line = hierarchy.motion_line
    while count is None or time is None:
        line += 1
        if line > len(file.lines):
            file.refuse("the file ends in the head of the motion", _HEAD, len(file.lines))
        text = file.lines[line - 1]
        if not text.strip():
            continue
        if (match := _TIME.fullmatch(text)) and time is None:
            time = Word(match[1], line)
        elif (match := _COUNT.fullmatch(text)) and count is None:
            count = _frame_count(file, match[1], line)
        else:
            file.refuse(f"{shown(text.strip())} in the head of the motion", _HEAD, line)
    values = read_rows(file, line + 1, hierarchy.channel_count)
    seconds, notes = _seconds(file, time, count, rate)
    return BvhMotion(values, rate or rate_of(seconds, time.text), (*notes, *_count_notes(file, count, values)))


_HEAD = 'Write "Frames: 120" and "Frame Time: 0.008333" on two lines after MOTION.'


def _frame_count(file: TextFile, word: str, line: int) -> int:
    number = file.number(word, line, "the number of frames")
    if number != int(number) or number < 0:
        file.refuse(f"the number of frames is {shown(word)}", "Write a whole number, 0 or more.", line)
    if number > MOST_FRAMES:
        found = f"the number of frames is {shown(word)}, beyond {MOST_FRAMES:,}"
        file.refuse(found, "Write how many rows follow, or split the motion.", line)
    return int(number)


def _seconds(file: TextFile, time: Word, count: int, rate: Rate | None) -> tuple[float, tuple[str, ...]]:
    seconds = file.number(time.text, time.line, "the frame time")
    if SHORTEST <= seconds <= LONGEST:
        return seconds, ()
    if rate is not None or (seconds == 0.0 and count <= 1):
        return 1.0 / 30.0, (f"a frame time of {time.text} was not used",)
    remedy = f"Write seconds between {SHORTEST:g} and {LONGEST:g}, or give the frame rate."
    file.refuse(f"the frame time is {shown(time.text)}", remedy, time.line)


def _count_notes(file: TextFile, count: int, values: NDArray[np.float64]) -> tuple[str, ...]:
    rows = len(values)
    if rows == count or values.shape[1] == 0:
        return ()
    if rows < count and (rows == 0 or file.broken_off):
        found = f"the file breaks off after {counted(rows, 'frame')} of {count}"
        file.refuse(found, "Get the whole file, or correct the number of frames.", len(file.lines))
    return (f"the file declares {counted(count, 'frame')} and holds {rows}: all {rows} were read",)
