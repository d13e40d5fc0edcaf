"""C3D, the binary file of captured points, after "The C3D File Format: A Technical User Guide" (Motion Lab Systems).

Blocks of 512 bytes: a header, parameters in groups, then frames of points and analog samples. Numbers are written as
Intel, DEC (VAX) or MIPS processors have them, which byte 4 of the parameters says; points are 16-bit whole numbers
times `POINT:SCALE`, or floating where that is negative. The fourth word of a point holds its residual; below 0 it was
not seen. Labels beyond 255 stand in `POINT:LABELS2` and on. Analog samples, events and force plates are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.formats.binary import MOST_BYTES, read_bytes
from engine.formats.captured import MOST_MARKERS, SeenMarkers, check_size, contents_of
from engine.formats.format import Contents, Format, Options, Up
from engine.formats.rates import LONGEST, SHORTEST, rate_of_frequency
from engine.formats.text import LARGEST, counted, shown
from engine.maths.arrays import Array
from engine.runtime.errors import UnreadableFile, printable
from engine.runtime.quick_dataclass import dataclass

_BLOCK = 512
_INTEL, _DEC, _MIPS = 84, 85, 86
_SIZES = {-1: 1, 1: 1, 2: 2, 4: 4}  # bytes of each type of parameter
_UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "inch": 0.0254, "meter": 1.0, "meters": 1.0}
_USUAL_UNIT = 0.001
_MOST_NUMBERS = 400_000_000  # of all points
_REMEDY = "Get the whole file, or export it again."


@dataclass(frozen=True, eq=False)
class _File:
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
        """Floating numbers of four bytes each."""
        if self.processor == _DEC:
            halves = np.frombuffer(data, "<u2").reshape(-1, 2)
            swapped = (halves[:, 0].astype(np.uint32) << 16) | halves[:, 1]
            with np.errstate(all="ignore"):
                return np.where(swapped == 0, 0.0, swapped.view(np.float32).astype(float) / 4.0)
        return np.frombuffer(data, ">f4" if self.processor == _MIPS else "<f4").astype(float)

    def integers(self, data: bytes) -> NDArray[np.int16]:
        """Whole numbers of two bytes with a sign."""
        return np.frombuffer(data, ">i2" if self.processor == _MIPS else "<i2")


@dataclass(frozen=True, eq=False)
class _Parameter:
    """The value of a parameter."""

    kind: int  # -1 letters, 1 bytes, 2 whole numbers, 4 floating ones
    sizes: tuple[int, ...]
    data: bytes
    at: int


@dataclass(frozen=True, eq=False)
class _Head:
    """Counts and places, as header and parameters say them, of the frames."""

    markers: int
    frames: int
    scale: float  # below 0: points are floating
    analog: int  # samples in each frame
    data_at: int  # byte


def read(path: Path, options: Options) -> Contents:
    """The points as a figure that moves."""
    data = read_bytes(path, "a C3D file")
    if len(data) < 2 * _BLOCK or data[1] != 0x50:
        raise UnreadableFile(path=path, found="no C3D file by its first bytes", remedy="Choose a C3D file.")
    start = (data[0] - 1) * _BLOCK
    if not _BLOCK <= start <= len(data) - 4:
        found = f"parameters in block {data[0]}, which is not in the file, at byte 0"
        raise UnreadableFile(path=path, found=found, remedy=_REMEDY)
    processor = data[start + 3]
    if processor not in (_INTEL, _DEC, _MIPS):
        found = f"numbers of an unknown processor ({processor}) at byte {start + 3}"
        raise UnreadableFile(path=path, found=found, remedy="Export it for Intel, DEC or MIPS.")
    file = _File(path, data, processor)
    known = _parameters(file, start)
    head = _head(file, known)
    points, notes = _points(file, head)
    rate = _rate(file, known)
    up, said = _up(file, known)
    first = file.word(6)
    capture = SeenMarkers(
        labels=_labels(file, known, head.markers),
        points=points,
        rate=rate,
        start=round(max(first - 1, 0) * TICKS_PER_SECOND * rate[1] / rate[0]),
        unit=_unit(file, known, notes),
        up=up,
        usual_up="z",
        notes=(*notes, *said),
    )
    return contents_of(path, capture, options)


def _parameters(file: _File, start: int) -> dict[str, _Parameter]:
    """All parameters by group and name, "POINT:RATE"."""
    groups: dict[int, str] = {}
    found: list[tuple[int, str, _Parameter]] = []
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


def _parameter(file: _File, at: int, name: str) -> _Parameter:
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
    return _Parameter(kind, sizes, file.data[begin : begin + size], at)


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def _number(file: _File, known: Mapping[str, _Parameter], name: str) -> float | None:
    """The first number of a parameter."""
    numbers = _numbers(file, known, name)
    return numbers[0] if numbers else None


def _numbers(file: _File, known: Mapping[str, _Parameter], name: str) -> list[float]:
    each = known.get(name)
    if each is None or not each.data or each.kind == -1:
        return []
    if each.kind == 4:
        numbers = file.floats(each.data)
        if not np.isfinite(numbers).all():
            raise file.refuse(f"{name} is no finite number", each.at)
        return [float(value) for value in numbers]
    if each.kind == 2:
        return [float(value) for value in file.integers(each.data).astype(np.uint16)]
    return [float(value) for value in each.data]


def _texts(known: Mapping[str, _Parameter], name: str) -> list[str]:
    """The strings of a parameter."""
    each = known.get(name)
    if each is None or each.kind != -1 or not each.sizes or not each.sizes[0]:
        return []
    width = each.sizes[0]
    rows = [each.data[at : at + width] for at in range(0, len(each.data), width)]
    return [printable(" ".join(row.split(b"\0")[0].decode("latin-1").split())) for row in rows]


def _head(file: _File, known: Mapping[str, _Parameter]) -> _Head:
    """Counts by the parameters where they are, else by the header."""
    used = _number(file, known, "POINT:USED")
    markers = file.word(2) if used is None else int(used)
    check_size(file.path, markers)
    scale = _number(file, known, "POINT:SCALE")
    if scale is None:
        scale = float(file.floats(file.data[12:16])[0])
    if not math.isfinite(scale) or scale == 0.0 or abs(scale) > LARGEST:
        raise file.refuse(f"a scale of {scale:g}", 12)
    block = _number(file, known, "POINT:DATA_START")
    begin = file.word(16) if not block else int(block)
    data_at = (begin - 1) * _BLOCK
    if not _BLOCK <= data_at < len(file.data):
        raise file.refuse(f"frames in block {begin}, which is not in the file,", 16)
    return _Head(markers, _frame_count(file, known), scale, file.word(4), data_at)


def _frame_count(file: _File, known: Mapping[str, _Parameter]) -> int:
    """The frames that are there: beyond 65,535 two words in TRIAL say it."""
    first, last = file.word(6), file.word(8)
    count = last - first + 1
    field = [
        int(words[0]) + 65536 * int(words[1])
        for name in ("TRIAL:ACTUAL_START_FIELD", "TRIAL:ACTUAL_END_FIELD")
        if len(words := _numbers(file, known, name)) >= 2
    ]
    if len(field) == 2 and field[1] >= field[0]:
        count = field[1] - field[0] + 1
    elif last in (0, 65535):
        told = _number(file, known, "POINT:LONG_FRAMES") or _number(file, known, "POINT:FRAMES")
        count = int(told) if told else count
    if count < 1:
        raise file.refuse(f"frames {first} to {last}", 6)
    return count


def _points(file: _File, head: _Head) -> tuple[Array, list[str]]:
    """Places in the file's unit, nan where a residual is below 0."""
    size = 4 if head.scale < 0.0 else 2
    stride = size * (4 * head.markers + head.analog)
    frames = (len(file.data) - head.data_at) // stride
    notes = []
    if frames < head.frames:
        if frames < 1:
            raise file.refuse(f"no frame of {head.frames}, for the file ends", len(file.data))
        notes.append(f"the file ends after {counted(frames, 'frame')} of {head.frames}")
    frames = min(frames, head.frames)
    if frames * head.markers * 4 > _MOST_NUMBERS:
        remedy = "Split it into shorter captures."
        raise file.refuse(f"{frames:,} frames of {head.markers:,} points", head.data_at, remedy)
    if head.analog:
        notes.append(f"analog samples, {head.analog} in each frame, are left out")
    rows = np.frombuffer(file.data, np.uint8, frames * stride, head.data_at).reshape(frames, stride)
    data = np.ascontiguousarray(rows[:, : size * 4 * head.markers]).tobytes()
    if size == 4:
        words = file.floats(data).reshape(frames, head.markers, 4)
        points: Array = words[:, :, :3].copy()
        unseen = words[:, :, 3] < 0.0
    else:
        whole = file.integers(data).reshape(frames, head.markers, 4)
        points, unseen = np.asarray(whole[:, :, :3] * head.scale, dtype=np.float64), whole[:, :, 3] < 0
    bad = ~np.isfinite(points).all(axis=2) | (np.abs(np.nan_to_num(points)) > LARGEST).any(axis=2)
    if (bad & ~unseen).any():
        notes.append(f"{counted(int((bad & ~unseen).sum()), 'place')} that are no numbers, taken as not seen")
    points[unseen | bad] = np.nan
    return points, notes


def _labels(file: _File, known: Mapping[str, _Parameter], markers: int) -> tuple[str, ...]:
    found = _texts(known, "POINT:LABELS")
    more = sorted(
        (int(match[1]), name) for name in known if (match := re.fullmatch(r"POINT:LABELS(\d{1,4})", name)) is not None
    )
    for _, name in more:
        found += _texts(known, name)
    return tuple(
        found[place] if place < len(found) and found[place] else f"point {place + 1}" for place in range(markers)
    )


def _rate(file: _File, known: Mapping[str, _Parameter]) -> Rate:
    frequency = _number(file, known, "POINT:RATE")
    if frequency is None:
        frequency = float(file.floats(file.data[20:24])[0])
    if not 1.0 / LONGEST <= frequency <= 1.0 / SHORTEST:
        raise file.refuse(f"{frequency:g} frames in a second", 20)
    return rate_of_frequency(frequency)


def _unit(file: _File, known: Mapping[str, _Parameter], notes: list[str]) -> float:
    words = _texts(known, "POINT:UNITS")
    factor = _UNITS.get(words[0].lower()) if words else None
    if factor is None:
        said = f"the unit {shown(words[0])}" if words and words[0] else "no unit"
        notes.append(f"{said}, so taken as millimetres")
        return _USUAL_UNIT
    return factor


def _up(file: _File, known: Mapping[str, _Parameter]) -> tuple[Up | None, tuple[str, ...]]:
    """The axis that stands upright on the screen that the file speaks of."""
    words = _texts(known, "POINT:Y_SCREEN")
    axis = words[0].upper() if words else ""
    ups: dict[str, Up] = {"+X": "x", "X": "x", "+Y": "y", "Y": "y", "+Z": "z", "Z": "z"}
    if axis.startswith("-"):
        return None, (f"the file says that {axis} is up, which Sinew does not turn to: see the axis of the import",)
    return ups.get(axis), ()


FORMAT = Format(
    name="C3D markers",
    suffixes=(".c3d",),
    kind="curves",
    read=read,
    about="Places of captured points against time, gaps by their residuals; analog samples and events are left out.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_MARKERS:,} markers",
    read_options=("unit", "up"),
)
