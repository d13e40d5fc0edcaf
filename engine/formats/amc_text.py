"""The text of an AMC file as it stands: frame by frame, one line for each bone with a number for each of its channels.

Every frame must name the bones that the first one names. Frame numbers rise; where they skip, the frames in between
are filled along straight lines, angles the short way round.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from engine.document.motion import Rate
from engine.formats.rates import LONGEST, SHORTEST, rate_of_frequency
from engine.formats.text import LARGEST, TextFile, counted, shown
from engine.maths.arrays import Array
from engine.runtime import progress
from engine.runtime.quick_dataclass import dataclass

Line = tuple[int, str]

MOST_FILLED = 10_000  # frames, or ten times those that are there


@dataclass(eq=False)
class Takes:
    """The rows as they stand."""

    bones: tuple[str, ...] = ()  # in lower case, in the order of the columns
    numbers: list[int] = field(default_factory=list)
    values: Array = field(default_factory=lambda: np.empty((0, 0)))  # shape [frames, channels]
    degrees: bool | None = None
    whole: bool = False  # ":FULLY-SPECIFIED": each frame names every bone
    rate: Rate | None = None
    notes: list[str] = field(default_factory=list)


def read_takes(file: TextFile, widths: Mapping[str, int]) -> Takes:
    """The frames; `widths` says how many channels each bone has, by name in lower case."""
    takes = Takes()
    lines = [(line, text.split("#", 1)[0]) for line, text in enumerate(file.lines, 1)]
    lines = [(line, text) for line, text in lines if text and not text.isspace()]
    starts = [place for place, (_, text) in enumerate(lines) if text.strip().isdigit()]
    _read_head(file, takes, lines[: starts[0]] if starts else lines)
    if not starts:
        file.refuse("no frames", "A frame begins with its number on a line of its own.", len(file.lines))
    blocks = [lines[start + 1 : end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    takes.numbers = _frame_numbers(file, [lines[start] for start in starts])
    _read_frames(file, takes, widths, blocks, [lines[start][0] for start in starts])
    return takes


def fill_skipped(file: TextFile, takes: Takes, turn: float, turning: NDArray[np.bool_]) -> None:
    """Fill skipped frames; `turn` is a whole turn in the file's unit, `turning` says which columns are angles."""
    first, last, count = takes.numbers[0], takes.numbers[-1], len(takes.numbers)
    if last - first + 1 == count:
        return
    skipped = last - first + 1 - count
    if skipped > max(MOST_FILLED, 10 * count):
        found = f"{counted(count, 'frame')}, numbered {first} to {last}"
        file.refuse(found, "Number the frames one after the other.", len(file.lines))
    jumps = np.diff(takes.values, axis=0)
    short = jumps - turn * np.round(jumps / turn)
    steps = np.where(turning, short, jumps)
    numbers = np.array(takes.numbers) - first
    wanted = np.arange(numbers[-1] + 1)
    before = np.searchsorted(numbers, wanted, side="right") - 1
    at = np.minimum(before, count - 2)
    share = (wanted - numbers[at]) / (numbers[at + 1] - numbers[at])
    filled = takes.values[at] + share[:, None] * steps[at]
    filled[numbers] = takes.values
    takes.values = filled
    takes.notes.append(f"frame numbers skip: {counted(skipped, 'frame')} filled in between")


def _read_head(file: TextFile, takes: Takes, lines: Sequence[Line]) -> None:
    unknown = []
    for line, text in lines:
        words = text.split()
        if not words[0].startswith(":"):
            remedy = "An AMC file begins with :FULLY-SPECIFIED and :DEGREES, then the number of the first frame."
            file.refuse(f"{shown(text.strip())} before the first frame", remedy, line)
        flag = words[0][1:].lower()
        if flag in ("degrees", "radians"):
            takes.degrees = flag == "degrees"
        elif flag == "fully-specified":
            takes.whole = True
        elif flag == "samples-per-second" and len(words) == 2:
            takes.rate = _rate(file, words[1], line)
        else:
            unknown.append(words[0])
    if unknown:
        takes.notes.append(f"keywords that were not read: {', '.join(unknown[:8])}")


def _rate(file: TextFile, word: str, line: int) -> Rate:
    frequency = file.number(word, line, "the number of samples in a second")
    if not 1.0 / LONGEST <= frequency <= 1.0 / SHORTEST:
        file.refuse(f"{shown(word)} samples in a second", "Write a number such as 120.", line)
    return rate_of_frequency(frequency)


def _frame_numbers(file: TextFile, lines: Sequence[Line]) -> list[int]:
    numbers: list[int] = []
    for line, text in lines:
        word = text.strip()
        if not word.isascii() or len(word) > 12:
            file.refuse(f"the frame number {shown(word)}", "Number the frames 1, 2, 3…", line)
        if numbers and int(word) <= numbers[-1]:
            file.refuse(f"frame {word} after frame {numbers[-1]}", "Number the frames in rising order.", line)
        numbers.append(int(word))
    return numbers


def _read_frames(
    file: TextFile, takes: Takes, widths: Mapping[str, int], blocks: Sequence[Sequence[Line]], starts: Sequence[int]
) -> None:
    reader = _FrameReader(file, widths)
    first = reader.read_lines(blocks[0], starts[0])
    missing = [key for key, width in widths.items() if width and key not in first]
    if missing and (takes.whole or not first):
        reader.refuse_missing(missing, starts[0], last=len(blocks) == 1)
    if missing:
        takes.notes.append(f"bones without motion, kept at rest: {', '.join(missing[:8])}")
    takes.bones = tuple(first)
    names = [text.split()[0] for _, text in blocks[0]]
    places = np.cumsum([0] + [1 + widths[key] for key in takes.bones]).tolist()
    columns = sorted(set(range(places[-1])) - set(places))
    rows = np.empty((len(blocks), len(columns)))
    for number, (block, start) in enumerate(progress.each(tuple(zip(blocks, starts, strict=True)))):
        words = " ".join([text for _, text in block]).split()
        row: Sequence[float] | None = None
        if len(words) == places[-1] and [words[place] for place in places[:-1]] == names:
            row = _plain_numbers([words[place] for place in columns])
        if row is None:
            found = reader.read_lines(block, start)
            lacking = [key for key in takes.bones if key not in found]
            if lacking:
                reader.refuse_missing(lacking, start, last=number == len(blocks) - 1)
            if len(found) > len(takes.bones):
                extra = next(key for key in found if key not in first)
                file.refuse(f"{extra} in a frame, but not in the first one", _SAME, start)
            row = [value for key in takes.bones for value in found[key]]
        rows[number] = row
    takes.values = rows


def _plain_numbers(words: Sequence[str]) -> list[float] | None:
    """The numbers, or None where anything is odd."""
    try:
        values = list(map(float, words))
    except ValueError:
        return None
    joined = "".join(words)
    sound = joined.isascii() and "_" not in joined and all(-LARGEST <= value <= LARGEST for value in values)
    return values if sound else None


class _FrameReader:
    """Reads a frame line by line, and says exactly what is wrong."""

    def __init__(self, file: TextFile, widths: Mapping[str, int]) -> None:
        self._file, self._widths = file, widths

    def read_lines(self, block: Sequence[Line], start: int) -> dict[str, list[float]]:
        """The numbers of each bone that the lines name, in their order."""
        found: dict[str, list[float]] = {}
        for line, text in block:
            name, *words = text.split()
            key = name.lower()
            if key not in self._widths:
                remedy = "Give the .asf file that belongs to this motion."
                self._file.refuse(f"{shown(name)}, which is no bone of the skeleton", remedy, line)
            if key in found:
                self._file.refuse(f"{name} twice in the frame of line {start}", "Write each bone once.", line)
            if len(words) != self._widths[key]:
                given, wanted = counted(len(words), "number"), self._widths[key]
                remedy = "Write one number for each dof of the bone, with spaces between them."
                self._file.refuse(f"{given} for {name}, which has {counted(wanted, 'channel')}", remedy, line)
            found[key] = [self._file.number(word, line, f"{name}'s number {at}") for at, word in enumerate(words, 1)]
        return found

    def refuse_missing(self, keys: Sequence[str], start: int, *, last: bool) -> None:
        """Refuse a frame that lacks bones."""
        found = f"a frame without {', '.join(keys[:4])}" + (f" and {len(keys) - 4} more" if len(keys) > 4 else "")
        remedy = "The file seems cut off: get the whole file, or delete its last frame." if last else _SAME
        self._file.refuse(found, remedy, start)


_SAME = "Name the same bones in every frame."


def whole_turn(degrees: bool) -> float:
    """A whole turn in the file's unit of angles."""
    return 360.0 if degrees else 2.0 * math.pi
