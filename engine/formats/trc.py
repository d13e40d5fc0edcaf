"""TRC, Motion Analysis' text of captured markers, as OpenSim reads and writes it.

Five lines of head (file type; names and values of rates, counts and unit; labels; the axes of each), then a line a
frame: its number, its time [s], three numbers a marker, with tabs between. A marker that was not seen has blank cells;
one that stands at exactly 0, 0, 0 in some frames and not in others was not seen there either. Written are the handles
of a figure, or its joints where it has none. See `engine.formats.captured` for the upward axis.
"""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np

from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.formats.captured import (
    MOST_MARKERS,
    SeenMarkers,
    check_size,
    contents_of,
    file_turn,
    frame_seconds,
    markers_of,
)
from engine.formats.conventions import unit_of
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import motion_losses
from engine.formats.rates import LONGEST, SHORTEST, rate_of_frequency
from engine.formats.rows import read_rows
from engine.formats.text import LARGEST, MOST_BYTES, TextFile, as_number, counted, read_text, shown, write_text
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime import progress

UNITS = {"m": 1.0, "meters": 1.0, "cm": 0.01, "mm": 0.001, "millimeters": 0.001, "in": 0.0254, "inches": 0.0254}
USUAL_UNIT = 0.001  # [m] of files that are written

_HEAD = 5  # lines
_KEYS = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"


def read(path: Path, options: Options) -> Contents:
    """The markers as a figure that moves."""
    file = read_text(path, "a TRC file")
    notes: list[str] = []
    said = _said(file)
    labels = _labels(file)
    rate, unit = _rate(file, said), _unit(file, said)
    times, points = _rows(file, len(labels))
    counted_there = as_number(said.get("numframes", ""))
    if counted_there is not None and counted_there != len(times):
        notes.append(f"the head speaks of {said['numframes']} frames, and {len(times)} are there")
    points, lost = _without_zeros(points)
    if lost:
        notes.append(f"{counted(lost, 'place')} at exactly 0, 0, 0, taken as not seen")
    capture = SeenMarkers(
        labels=labels,
        points=points,
        rate=rate,
        start=_start(file, times),
        unit=unit,
        up=None,
        usual_up="y",
        notes=(*notes, *_timing(times, rate)),
    )
    return contents_of(path, capture, options)


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write where the handles of the figure are."""
    labels, points, rate, start = markers_of(path, contents, options)
    unit = unit_of(options, USUAL_UNIT)
    points = points @ rotation_matrix(file_turn(options.up or "y")) / unit
    name = next((word for word, each in UNITS.items() if each == unit), None)
    frequency = rate[0] / rate[1]
    out = io.StringIO()
    out.write(f"PathFileType\t4\t(X/Y/Z)\t{path.name}\n{_KEYS}\n")
    count = len(points)
    unit_word = name or f"{unit!r} m"
    out.write(f"{frequency!r}\t{frequency!r}\t{count}\t{len(labels)}\t{unit_word}\t{frequency!r}\t1\t{count}\n")
    out.write("Frame#\tTime\t" + "\t\t\t".join(labels) + "\t\t\n")
    out.write("\t\t" + "\t".join(f"{axis}{place}" for place in range(1, len(labels) + 1) for axis in "XYZ") + "\n\n")
    times = frame_seconds(count, rate, start).tolist()
    rows = points.reshape(count, -1).tolist()
    for number, (time, row) in enumerate(progress.each(tuple(zip(times, rows, strict=True))), 1):
        cells = ("" if math.isnan(each) else repr(each) for each in row)
        out.write(f"{number}\t{time!r}\t" + "\t".join(cells) + "\n")
    write_text(path, out.getvalue())


def omits(contents: Contents) -> tuple[str, ...]:
    """List what places of markers lose."""
    lost = ["the figure itself: its handles are written as markers"] if contents.figure is not None else []
    return (*lost, *(["surfaces"] if contents.surfaces else []), *motion_losses(contents, keeps_start=True))


def _said(file: TextFile) -> dict[str, str]:
    """The values of the head by their names in lower case."""
    first = file.lines[0].split()
    if not first or first[0] != "PathFileType":
        file.refuse(f"a file that begins with {shown(file.lines[0])}", "A TRC file begins with: PathFileType 4", 1)
    if len(file.lines) < _HEAD:
        file.refuse("a head that ends early", "Get the whole file: its head has five lines.", len(file.lines))
    keys, values = file.lines[1].split(), file.lines[2].split()
    if len(values) < len(keys):
        found = f"{counted(len(values), 'value')} under {counted(len(keys), 'name')}"
        file.refuse(found, "Write a value under each name of line 2.", 3)
    if len(values) > len(keys) and len(keys) > 4 and keys[4].lower() == "units":
        values[4:] = [f"{values[4]} {values[5]}", *values[6:]]  # a unit of two words
    return {key.lower(): value for key, value in zip(keys, values, strict=False)}


def _rate(file: TextFile, said: dict[str, str]) -> Rate:
    word = said.get("datarate") or said.get("camerarate")
    if word is None:
        file.refuse("no DataRate", f"Write on line 2: {_KEYS.split()[0]}, and its value below.", 2)
    frequency = file.number(word, 3, "the number of frames in a second")
    if not 1.0 / LONGEST <= frequency <= 1.0 / SHORTEST:
        file.refuse(f"{shown(word)} frames in a second", "Write a number such as 100.", 3)
    return rate_of_frequency(frequency)


def _unit(file: TextFile, said: dict[str, str]) -> float:
    word = said.get("units")
    if word is None:
        file.refuse("no Units", "Write Units on line 2, and mm or m below.", 2)
    number, _, metres = word.partition(" ")
    factor = as_number(number) if metres == "m" else UNITS.get(word.lower())
    if factor is None or not 1e-9 <= factor <= 1e6:
        file.refuse(f"the unit {shown(word)}", f"Write one of: {', '.join(UNITS)}.", 3)
    return factor


def _labels(file: TextFile) -> tuple[str, ...]:
    cells = file.lines[3].split("\t") if "\t" in file.lines[3] else file.lines[3].split()
    cells = [each.strip() for each in cells]
    if len(cells) < 2 or cells[0].lower() != "frame#" or cells[1].lower() != "time":
        file.refuse(f"labels that begin with {shown(file.lines[3])}", "Begin line 4 with: Frame#, Time", 4)
    labels = tuple(each for each in cells[2:] if each)
    if not labels:
        file.refuse("no labels of markers", "Write the label of each marker on line 4.", 4)
    check_size(file.path, len(labels))
    return labels


def _rows(file: TextFile, markers: int) -> tuple[Array, Array]:
    """Times [s], and places with nan where a cell is blank."""
    width = 2 + 3 * markers
    body = [line for line in file.lines[_HEAD:] if line.strip()]
    if not body:
        file.refuse("no frames", "Write a line for each frame.", len(file.lines))
    blank = any("\t\t" in line or "nan" in line.lower() or len(line.split()) < width for line in body)
    if blank:
        rows = _read_cells(file, width)
    else:
        rows = read_rows(file, _HEAD + 1, width)
    return rows[:, 1], rows[:, 2:].reshape(len(rows), markers, 3)


def _read_cells(file: TextFile, width: int) -> Array:
    """The rows cell by cell."""
    rows = []
    for line, text in enumerate(progress.each(file.lines[_HEAD:]), _HEAD + 1):
        if not text.strip():
            continue
        cells = [each.strip() for each in (text.split("\t") if "\t" in text else text.split())]
        while len(cells) > width and not cells[-1]:
            cells.pop()
        if len(cells) > width or ("\t" not in text and len(cells) < width):
            found = f"{counted(len(cells), 'cell')} where the labels want {width}"
            file.refuse(found, "Write a frame's number, its time and three cells for each marker, with tabs.", line)
        if len(cells) < width and line == len(file.lines) and file.broken_off:
            file.refuse("a last line that is cut off", "Get the whole file, or delete its last line.", line)
        row = [_cell(file, each, line, place) for place, each in enumerate(cells, 1)]
        if row[0] != row[0] or len(row) < 2 or row[1] != row[1]:
            file.refuse("a line without its time", "Write the frame's number and its time first.", line)
        rows.append(row + [np.nan] * (width - len(row)))
    places = np.array(rows)
    whole = np.isfinite(places[:, 2:].reshape(len(places), -1, 3)).all(axis=2)
    places[:, 2:] = np.where(np.repeat(whole, 3, axis=1), places[:, 2:], np.nan)
    return places


def _cell(file: TextFile, word: str, line: int, place: int) -> float:
    return np.nan if not word or word.lower() == "nan" else file.number(word, line, f"cell {place}")


def _start(file: TextFile, times: Array) -> int:
    if not np.all(np.diff(times) > 0.0):
        place = int(np.argmax(np.diff(times) <= 0.0))
        lines = [number for number, line in enumerate(file.lines, 1) if number > _HEAD and line.strip()]
        file.refuse("times that do not rise", "Put the frames in their order.", lines[place + 1])
    start = float(times[0])
    if abs(start) * TICKS_PER_SECOND > LARGEST * 1e3:
        file.refuse("a first time that is too large", "Begin near 0 s.", _HEAD + 1)
    return round(start * TICKS_PER_SECOND)


def _timing(times: Array, rate: Rate) -> tuple[str, ...]:
    """A note where times and rate disagree."""
    if len(times) < 2:
        return ()
    step = float(times[-1] - times[0]) / (len(times) - 1)
    if abs(step * rate[0] / rate[1] - 1.0) < 0.01:
        return ()
    return (f"times {step:.6g} s apart, but DataRate says {rate[0] / rate[1]:.6g} a second, which is taken",)


def _without_zeros(points: Array) -> tuple[Array, int]:
    zeros = (points == 0.0).all(axis=2)
    zeros &= ~zeros.all(axis=0)
    points[zeros] = np.nan
    return points, int(zeros.sum())


FORMAT = Format(
    name="TRC markers",
    suffixes=(".trc",),
    kind="curves",
    read=read,
    write=write,
    omits=omits,
    about="Places of captured markers against time, gaps as blanks; of a figure, its handles are written.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_MARKERS:,} markers",
    read_options=("unit", "up"),
    write_options=("unit", "up", "rate", "start", "end"),
)
