"""The frame of a C3D file: its bytes, how its processor writes numbers, and its parameters in groups.

Blocks of 512 bytes: a header, parameters, then frames (`c3d.py`, `c3d_plates.py`). Numbers are written as Intel, DEC
(VAX) or MIPS processors have them, which byte 4 of the parameters says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.ticks import TICKS_PER_SECOND, Rate
from engine.formats.binary import read_bytes
from engine.formats.format import Up
from engine.formats.rates import LONGEST, SHORTEST, rate_of_frequency
from engine.formats.text import LARGEST, shown
from engine.maths.arrays import Array
from engine.runtime.errors import UnreadableFile, printable
from engine.runtime.quick_dataclass import dataclass

BLOCK = 512
INTEL, _DEC, _MIPS = 84, 85, 86
MAGIC = 0x50
LETTERS, BYTES, WHOLE, FLOATING = -1, 1, 2, 4  # types of parameters
UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "inch": 0.0254, "meter": 1.0, "meters": 1.0}
USUAL_UNIT = 0.001  # [m]
MOST_NUMBERS = 400_000_000  # of all points, and of all samples
_SIZES = {LETTERS: 1, BYTES: 1, WHOLE: 2, FLOATING: 4}  # bytes of each
_REMEDY = "Get the whole file, or export it again."


@dataclass(frozen=True, eq=False)
class C3dFile:
    """The bytes, and how its processor writes numbers."""

    path: Path
    data: bytes
    processor: int

    def refuse(self, found: str, at: int, remedy: str = _REMEDY) -> UnreadableFile:
        """The error for what stands at a byte."""
        return UnreadableFile(path=self.path, found=f"{found} at byte {at}", remedy=remedy)

    def word(self, at: int) -> int:
        """A whole number of two bytes without a sign."""
        order = "big" if self.processor == _MIPS else "little"
        if not 0 <= at <= len(self.data) - 2:
            raise self.refuse("an end of the file", len(self.data))
        return int.from_bytes(self.data[at : at + 2], order)

    def floats(self, data: bytes) -> Array:
        """Floating numbers of four bytes each; of those that are none nothing is said here (a signalling nan is)."""
        with np.errstate(all="ignore"):
            if self.processor == _DEC:
                halves = np.frombuffer(data, "<u2").reshape(-1, 2)
                swapped = (halves[:, 0].astype(np.uint32) << 16) | halves[:, 1]
                return np.where(swapped == 0, 0.0, swapped.view(np.float32).astype(float) / 4.0)
            return np.frombuffer(data, ">f4" if self.processor == _MIPS else "<f4").astype(float)

    def integers(self, data: bytes) -> NDArray[np.int16]:
        """Whole numbers of two bytes with a sign."""
        return np.frombuffer(data, ">i2" if self.processor == _MIPS else "<i2")


@dataclass(frozen=True, eq=False)
class C3dParameter:
    """The value of a parameter."""

    kind: int  # -1 letters, 1 bytes, 2 whole numbers, 4 floating ones
    sizes: tuple[int, ...]
    data: bytes
    at: int


@dataclass(frozen=True, eq=False)
class C3dHead:
    """Counts and places, as header and parameters say them, of the frames."""

    markers: int
    first: int  # number of the first frame, from 1 on
    frames: int
    scale: float  # below 0: points and samples are floating
    analog: int  # samples in each frame
    data_at: int  # byte


def open_c3d(path: Path) -> tuple[C3dFile, dict[str, C3dParameter]]:
    """The file and its parameters by group and name, "POINT:RATE"."""
    data = read_bytes(path, "a C3D file")
    if len(data) < 2 * BLOCK or data[1] != MAGIC:
        raise UnreadableFile(path=path, found="no C3D file by its first bytes", remedy="Choose a C3D file.")
    start = (data[0] - 1) * BLOCK
    if not BLOCK <= start <= len(data) - 4:
        found = f"parameters in block {data[0]}, which is not in the file, at byte 0"
        raise UnreadableFile(path=path, found=found, remedy=_REMEDY)
    processor = data[start + 3]
    if processor not in (INTEL, _DEC, _MIPS):
        found = f"numbers of an unknown processor ({processor}) at byte {start + 3}"
        raise UnreadableFile(path=path, found=found, remedy="Export it for Intel, DEC or MIPS.")
    file = C3dFile(path, data, processor)
    return file, _parameters(file, start)


def _parameters(file: C3dFile, start: int) -> dict[str, C3dParameter]:
    """All parameters by group and name, "POINT:RATE"."""
    groups: dict[int, str] = {}
    found: list[tuple[int, str, C3dParameter]] = []
    at, end = start + 4, len(file.data)
    for _ in range(20_000):
        if at + 2 > end:
            break
        length, group = _signed(file.data[at]), _signed(file.data[at + 1])
        name_end = at + 2 + abs(length)
        if length == 0 or group == 0:
            break
        if name_end + 2 > end:
            raise file.refuse("a parameter that ends beyond the file", at)
        name = file.data[at + 2 : name_end].decode("latin-1").strip().upper()
        way = file.word(name_end)
        if group < 0:
            groups[-group] = name
        else:
            found.append((group, name, _parameter(file, name_end + 2, name)))
        if way == 0:
            break
        if way < 2:
            raise file.refuse(f"the parameter {shown(name)} that leads nowhere", name_end)
        at = name_end + way
    return {f"{groups.get(group, group)}:{name}": each for group, name, each in found}


def _parameter(file: C3dFile, at: int, name: str) -> C3dParameter:
    if at + 2 > len(file.data):
        raise file.refuse(f"the parameter {shown(name)} that ends beyond the file", at)
    kind, count = _signed(file.data[at]), file.data[at + 1]
    if kind not in _SIZES or count > 7:
        raise file.refuse(f"the parameter {shown(name)} of no known type", at)
    sizes = tuple(file.data[at + 2 : at + 2 + count])
    begin = at + 2 + count
    size = _SIZES[kind] * math.prod(sizes)
    if begin + size > len(file.data):
        raise file.refuse(f"the parameter {shown(name)} that ends beyond the file", at)
    return C3dParameter(kind, sizes, file.data[begin : begin + size], at)


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def number_of(file: C3dFile, known: Mapping[str, C3dParameter], name: str) -> float | None:
    """The first number of a parameter."""
    numbers = numbers_of(file, known, name)
    return numbers[0] if numbers else None


def numbers_of(file: C3dFile, known: Mapping[str, C3dParameter], name: str) -> list[float]:
    each = known.get(name)
    if each is None or not each.data or each.kind == LETTERS:
        return []
    if each.kind == FLOATING:
        numbers = file.floats(each.data)
        if not np.isfinite(numbers).all():
            raise file.refuse(f"{name} is no finite number", each.at)
        return [float(value) for value in numbers]
    if each.kind == WHOLE:
        return [float(value) for value in file.integers(each.data).astype(np.uint16)]
    return [float(value) for value in each.data]


def texts_of(known: Mapping[str, C3dParameter], name: str) -> list[str]:
    """The strings of a parameter."""
    each = known.get(name)
    if each is None or each.kind != LETTERS or not each.sizes or not each.sizes[0]:
        return []
    width = each.sizes[0]
    rows = [each.data[at : at + width] for at in range(0, len(each.data), width)]
    return [printable(" ".join(row.split(b"\0")[0].decode("latin-1").split())) for row in rows]


def head_of(file: C3dFile, known: Mapping[str, C3dParameter]) -> C3dHead:
    """Counts by the parameters where they are, else by the header."""
    used = number_of(file, known, "POINT:USED")
    markers = file.word(2) if used is None else int(used)
    if markers < 0:
        raise file.refuse(f"{markers} points", 2)
    scale = number_of(file, known, "POINT:SCALE")
    if scale is None:
        scale = float(file.floats(file.data[12:16])[0])
    if not math.isfinite(scale) or scale == 0.0 or abs(scale) > LARGEST:
        raise file.refuse(f"a scale of {scale:g}", 12)
    block = number_of(file, known, "POINT:DATA_START")
    begin = file.word(16) if not block else int(block)
    data_at = (begin - 1) * BLOCK
    if not BLOCK <= data_at < len(file.data):
        raise file.refuse(f"frames in block {begin}, which is not in the file,", 16)
    return C3dHead(markers, *_frame_range(file, known), scale, file.word(4), data_at)


def _frame_range(file: C3dFile, known: Mapping[str, C3dParameter]) -> tuple[int, int]:
    """Number the first frame, and count those that are there: beyond 65,535 two words in TRIAL say it."""
    first, last = file.word(6), file.word(8)
    count = last - first + 1
    field = [
        int(words[0]) + 65536 * int(words[1])
        for name in ("TRIAL:ACTUAL_START_FIELD", "TRIAL:ACTUAL_END_FIELD")
        if len(words := numbers_of(file, known, name)) >= 2
    ]
    if len(field) == 2 and field[1] >= field[0]:
        first, count = field[0], field[1] - field[0] + 1
    elif last in (0, 65535):
        told = number_of(file, known, "POINT:LONG_FRAMES") or number_of(file, known, "POINT:FRAMES")
        count = int(told) if told else count
    if count < 1:
        raise file.refuse(f"frames {first} to {last}", 6)
    return first, count


def rows_of(file: C3dFile, head: C3dHead) -> tuple[NDArray[np.uint8], int]:
    """The bytes of the frames that are there, shape [frames, bytes of a frame], and those of a number."""
    size = 4 if head.scale < 0.0 else 2
    stride = size * (4 * head.markers + head.analog)
    frames = min((len(file.data) - head.data_at) // stride, head.frames) if stride else 0
    if frames < 1:
        raise file.refuse(f"no frame of {head.frames}, for the file ends", len(file.data))
    if frames * max(4 * head.markers, head.analog) > MOST_NUMBERS:
        remedy = "Split it into shorter captures."
        raise file.refuse(f"{frames:,} frames of {head.markers:,} points", head.data_at, remedy)
    return np.frombuffer(file.data, np.uint8, frames * stride, head.data_at).reshape(frames, stride), size


def rate_of_frames(file: C3dFile, known: Mapping[str, C3dParameter]) -> Rate:
    """Frames in so many seconds."""
    frequency = number_of(file, known, "POINT:RATE")
    if frequency is None:
        frequency = float(file.floats(file.data[20:24])[0])
    if not 1.0 / LONGEST <= frequency <= 1.0 / SHORTEST:
        raise file.refuse(f"{frequency:g} frames in a second", 20)
    return rate_of_frequency(frequency)


def start_of(head: C3dHead, rate: Rate) -> int:
    """The tick of the first frame: frame 1 is at 0 s."""
    return round(max(head.first - 1, 0) * TICKS_PER_SECOND * rate[1] / rate[0])


def unit_said(known: Mapping[str, C3dParameter]) -> tuple[float, tuple[str, ...]]:
    """Metres per unit of length, and a note where millimetres are a guess."""
    words = texts_of(known, "POINT:UNITS")
    factor = UNITS.get(words[0].lower()) if words else None
    if factor is not None:
        return factor, ()
    said = f"the unit {shown(words[0])}" if words and words[0] else "no unit"
    return USUAL_UNIT, (f"{said}, so taken as millimetres",)


def up_said(known: Mapping[str, C3dParameter]) -> tuple[Up | None, tuple[str, ...]]:
    """The axis that stands upright on the screen that the file speaks of."""
    words = texts_of(known, "POINT:Y_SCREEN")
    axis = words[0].upper() if words else ""
    ups: dict[str, Up] = {"+X": "x", "X": "x", "+Y": "y", "Y": "y", "+Z": "z", "Z": "z"}
    if axis.startswith("-"):
        return None, (f"the file says that {axis} is up, which Sinew does not turn to: see the axis of the import",)
    return ups.get(axis), ()
