"""CSV curves: one row a frame, one column a coordinate, for spreadsheets and scripts.

    # Sinew curves; rate 30/1; start 0
    time [s],hips.move_y [m] (Hips),knee_left.flexion [rad] (Left knee)
    0.0,0.01,0.5

The first line gives the rate as frames in so many seconds and the tick (1/705,600,000 s) of the first frame; where it
is missing both follow from the times. A column's header is its coordinate, unit and joint; `rad`, `m` and `1` are
taken as they are, and `deg`, `cm` and `mm` converted. Numbers are written with all their digits, so that they come
back exactly; decimal points, commas between cells.
"""

from __future__ import annotations

import csv
import io
import math
import re
from pathlib import Path

import numpy as np

from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time
from engine.formats.curves import Curves, contents_of, curves_of, omits
from engine.formats.format import Contents, Format, Options
from engine.formats.frames import EVALUATED
from engine.formats.rates import LONGEST, SHORTEST, rate_of
from engine.formats.rows import read_rows
from engine.formats.text import MOST_BYTES, TextFile, read_text, shown, write_text
from engine.runtime import progress

_FIRST = re.compile(r"# Sinew curves; rate (\d{1,12})/(\d{1,12}); start (-?\d{1,18})\s*$")
_HEADER = re.compile(r"(.*\S) \[([^\[\]]+)\](?: \((.*)\))?$")
_FACTORS = {"rad": 1.0, "m": 1.0, "1": 1.0, "deg": math.pi / 180.0, "cm": 0.01, "mm": 0.001}
_PLAIN = {"deg": "rad", "cm": "m", "mm": "m"}


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the motion of the figure."""
    curves = curves_of(path, contents, options)
    output = io.StringIO()
    output.write(f"# Sinew curves; rate {curves.rate[0]}/{curves.rate[1]}; start {curves.start}\n")
    columns = zip(curves.coordinates, curves.units, curves.joints, strict=True)
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["time [s]", *(f"{name} [{unit}] ({joint})" for name, unit, joint in columns)])
    with progress.part(EVALUATED, 1.0):
        for frame, row in enumerate(progress.each(curves.values.tolist())):
            seconds = (curves.start + frame_time(frame, curves.rate)) / TICKS_PER_SECOND
            output.write(",".join(map(repr, (seconds, *row))) + "\n")
    write_text(path, output.getvalue())


def read(path: Path, options: Options) -> Contents:
    """One layer of samples."""
    file = read_text(path, "a CSV file")
    stated = _FIRST.match(file.lines[0])
    line = 1 + sum(1 for _ in _comments(file))
    headers = _headers(file, line)
    file.lines[line:] = [each.replace(",", " ") for each in file.lines[line:]]
    rows = read_rows(file, line + 1, len(headers) + 1)
    if not len(rows):
        file.refuse("no frames", "Write one line of numbers for each frame.", line)
    rate, start = ((int(stated[1]), int(stated[2])), int(stated[3])) if stated else _timing(file, rows[:, 0], line)
    curves = Curves(
        coordinates=tuple(name for name, _, _ in headers),
        units=tuple(_PLAIN.get(unit, unit) for _, unit, _ in headers),
        joints=tuple(joint for _, _, joint in headers),
        values=rows[:, 1:] * [_FACTORS[unit] for _, unit, _ in headers],
        rate=rate,
        start=start,
    )
    notes = [] if stated else [f"the file states no rate; by its times {rate[0] / rate[1]:.6g} frames a second"]
    return contents_of(path, curves, options, notes)


def _comments(file: TextFile) -> list[str]:
    found = []
    for line in file.lines:
        if line.strip() and not line.startswith("#"):
            break
        found.append(line)
    return found


def _headers(file: TextFile, line: int) -> list[tuple[str, str, str]]:
    """Coordinate, unit and joint of each column after the time."""
    if line > len(file.lines):
        file.refuse("no header", "Write a line such as: time [s],knee.flexion [rad] (Knee)", line - 1)
    try:
        cells = next(csv.reader([file.lines[line - 1]], strict=True))
    except csv.Error as error:
        file.refuse(f"a header that is no CSV: {error}", "Put cells with commas in double quotes.", line)
    if cells[0].strip() != "time [s]" or len(cells) < 2:
        file.refuse(f"a header that begins with {shown(cells[0])}", "Begin with the column: time [s]", line)
    found, seen = [], set()
    for cell in cells[1:]:
        match = _HEADER.match(cell.strip())
        if match is None or match[2] not in _FACTORS:
            remedy = f"Write it as: knee.flexion [rad] (Knee). Units: {', '.join(_FACTORS)}"
            file.refuse(f"the column {shown(cell)}", remedy, line)
        if match[1] in seen:
            file.refuse(f"a second column of {shown(match[1])}", "Give each coordinate one column.", line)
        seen.add(match[1])
        found.append((match[1], match[2], match[3] or ""))
    return found


def _timing(file: TextFile, times: np.ndarray[tuple[int], np.dtype[np.float64]], line: int) -> tuple[Rate, int]:
    """Rate and first tick by the times of the frames, which must be evenly spaced."""
    step = float(times[-1] - times[0]) / max(len(times) - 1, 1)
    start = round(float(times[0]) * TICKS_PER_SECOND)
    if len(times) == 1:
        return (30, 1), start
    uneven = np.abs(np.diff(times) - step) > 0.01 * step + 1e-9
    if not SHORTEST <= step <= LONGEST or bool(uneven.any()):
        place = line + 2 + int(np.argmax(uneven)) if uneven.any() else line + 1
        file.refuse("times that are not evenly spaced", "Resample the curves to a steady rate.", place)
    spread = float(np.abs(np.diff(times) - step).max())
    digits = min(max(math.floor(-math.log10(max(spread, 1e-9))), 3), 8)
    return rate_of(step, f"{step:.{digits}f}"), start


FORMAT = Format(
    name="CSV curves",
    suffixes=(".csv",),
    kind="curves",
    read=read,
    write=write,
    omits=omits,
    about="Motion as columns with coordinate, unit and joint in the header; exact; the figure is given apart.",
    limits=f"{MOST_BYTES // 2**20} MB",
    read_options=("rate", "figure"),
    write_options=("rate", "start", "end"),
)
