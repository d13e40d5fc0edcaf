"""MOT and STO, OpenSim's tables of numbers against time: coordinates of a motion, or forces on the ground.

A head of lines up to `endheader` (`nRows=`, `nColumns=`, `inDegrees=yes`; older files `datarows 12`), a line of labels
that begins with `time`, then a row a frame. A column moves the coordinate that has its name, whether that is written as
`knee_angle_r` or as the path of a state, `/jointset/knee_r/knee_angle_r/value`; turns are in degrees where the head
says so, lengths in metres. Without a figure a column is taken by its name: `pelvis_tx` slides, `knee_angle_r` turns.
Columns of forces on the ground (`ground_force_vx`, `_px`, `ground_torque_x`) are no coordinates: of a figure they are
left out with words, and alone they are read as numbers, [N], [m] and [N m], which nothing turns.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.document import Figure
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time
from engine.formats.curves import UNITS, Curves, contents_of, curves_of, omits
from engine.formats.figure_files import figure_in
from engine.formats.format import Contents, Format, Options
from engine.formats.frames import EVALUATED
from engine.formats.losses import listed
from engine.formats.rates import LONGEST, SHORTEST, rate_of
from engine.formats.rows import read_rows
from engine.formats.text import MOST_BYTES, TextFile, counted, read_text, shown, write_text
from engine.maths.arrays import Array
from engine.runtime import progress
from engine.runtime.quick_dataclass import dataclass

_PAIR = re.compile(r"\s*([A-Za-z]\w*)\s*(?:=|\s)\s*(\S.*?)\s*$")
_SLIDES = re.compile(r"(?:^|[_.])t[xyz]$|(?:^|[_.])move_[xyz]$|^[xyz]$|\.[xyz]$|_slide$")
_FORCES = re.compile(r"force|torque|moment|_[vpm][xyz]$|^[vpm][xyz]$|activation|excitation", re.IGNORECASE)
_OURS = re.compile(r"Sinew curves; rate (\d{1,12})/(\d{1,12}); start (-?\d{1,18})\s*$")
_LENGTHS, _NUMBERS = "slides", "quaternions"  # words of the head of files that Sinew writes


@dataclass(frozen=True, eq=False)
class Storage:
    """The table as the file has it."""

    labels: tuple[str, ...]  # of the columns after the time
    values: Array  # shape [rows, labels]
    rate: Rate
    start: int  # tick of the first row
    degrees: bool
    said: dict[str, str]  # what the head says, by names in lower case
    notes: tuple[str, ...] = ()


def read_storage(path: Path) -> Storage:
    """The columns by their labels, at an even rate."""
    file = read_text(path, "a MOT or STO file")
    said, ours, labels_line = _head(file)
    labels = _labels(file, labels_line)
    rows = read_rows(file, labels_line + 1, len(labels) + 1)
    if not len(rows):
        file.refuse("no rows", "Write one line of numbers for each time.", labels_line)
    notes = list(_count_notes(said, rows))
    stated = _OURS.match(ours) if ours else None
    if stated:
        rate, start, values = (int(stated[1]), int(stated[2])), int(stated[3]), rows[:, 1:]
        if rate[0] < 1 or rate[1] < 1:
            file.refuse(f"a rate of {rate[0]}/{rate[1]}", "Write whole numbers above 0.", 1)
    else:
        rate, start, values, uneven = _evenly(file, rows, labels_line)
        notes += uneven
    degrees = said.get("indegrees", "no").lower() in ("yes", "true", "1") or "range" in said
    return Storage(labels, values, rate, start, degrees, said, tuple(notes))


def read(path: Path, options: Options) -> Contents:
    """One layer of samples."""
    table = read_storage(path)
    figure = None if options.figure is None else figure_in(options.figure)
    names = [_coordinate(each) for each in table.labels]
    if figure is None:
        return _alone(path, table, names, options)
    return _of_figure(path, table, figure, options)


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the motion of the figure, in degrees and metres."""
    curves = curves_of(path, contents, options)
    turns = [unit == "rad" for unit in curves.units]
    values = np.where(turns, np.degrees(curves.values), curves.values)
    out = io.StringIO()
    out.write(f"Coordinates\nversion=1\nnRows={len(values)}\nnColumns={values.shape[1] + 1}\ninDegrees=yes\n\n")
    out.write("Units are S.I. units (second, meters, Newtons, ...)\nAngles are in degrees.\n")
    out.write(f"Sinew curves; rate {curves.rate[0]}/{curves.rate[1]}; start {curves.start}\n")
    names = [_column(name) for name in curves.coordinates]
    for word, unit in ((_LENGTHS, "m"), (_NUMBERS, "1")):
        own = [name for name, each in zip(names, curves.units, strict=True) if each == unit]
        if own:
            out.write(f"{word}={' '.join(own)}\n")
    out.write("\nendheader\n" + "\t".join(["time", *names]) + "\n")
    with progress.part(EVALUATED, 1.0):
        for frame, row in enumerate(progress.each(values.tolist())):
            seconds = (curves.start + frame_time(frame, curves.rate)) / TICKS_PER_SECOND
            out.write("\t".join(map(repr, (seconds, *row))) + "\n")
    write_text(path, out.getvalue())


def _head(file: TextFile) -> tuple[dict[str, str], str, int]:
    """Read the head: values by names, Sinew's own line in it, and the line of the labels."""
    said: dict[str, str] = {}
    ours = ""
    number = 0
    for line in file.lines:
        number += 1
        word = line.strip()
        if word.lower() == "endheader":
            break
        if _OURS.match(word):
            ours = word
        pair = _PAIR.match(line)
        if pair is not None and ("=" in line or len(line.split()) <= 3):
            said[pair[1].lower()] = pair[2]
    else:
        file.refuse("no endheader", "A MOT or STO file has a line endheader above its labels.", len(file.lines))
    if said.get("datatype", "double").lower() not in ("double", ""):
        remedy = "Export plain numbers (DataType=double)."
        file.refuse(f"columns of the kind {shown(said['datatype'])}", remedy, number)
    while number < len(file.lines) and not file.lines[number].strip():
        number += 1
    return said, ours, number + 1


def _labels(file: TextFile, line: int) -> tuple[str, ...]:
    if line > len(file.lines):
        file.refuse("no labels", "Write the labels of the columns below endheader, time first.", len(file.lines))
    text = file.lines[line - 1]
    cells = [each.strip() for each in text.split("\t")] if "\t" in text else text.split()
    while cells and not cells[-1]:
        cells.pop()
    if not cells or cells[0].lower() not in ("time", "t"):
        file.refuse(f"labels that begin with {shown(text.strip())}", "Begin the labels with: time", line)
    if len(cells) < 2:
        file.refuse("no column beside the time", "Write the name of a coordinate after time.", line)
    if not all(cells) or len(set(cells)) < len(cells):
        twice = next((each for each in cells if not each or cells.count(each) > 1), "")
        found = f"a second column of {shown(twice)}" if twice else "a column without a label"
        file.refuse(found, "Give each column a label of its own.", line)
    return tuple(cells[1:])


def _count_notes(said: dict[str, str], rows: Array) -> list[str]:
    word = said.get("nrows", said.get("datarows", ""))
    if word.isascii() and word.isdigit() and len(word) < 12 and int(word) != len(rows):
        return [f"the head speaks of {word} rows, and {len(rows)} are there"]
    return []


def _evenly(file: TextFile, rows: Array, line: int) -> tuple[Rate, int, Array, list[str]]:
    """Rate, first tick and values at an even rate, and a note where they were not."""
    times, values = rows[:, 0], rows[:, 1:]
    steps = np.diff(times)
    if not np.all(steps > 0.0):
        file.refuse("times that do not rise", "Put the rows in their order.", line + 2 + int(np.argmax(steps <= 0.0)))
    if abs(float(times[0])) * TICKS_PER_SECOND >= TICKS_LIMIT:
        file.refuse(f"a first time of {times[0]:g} s", "Begin near 0 s.", line + 1)
    start = round(float(times[0]) * TICKS_PER_SECOND)
    if len(times) == 1:
        return (30, 1), start, values, []
    step = float(times[-1] - times[0]) / len(steps)
    if not SHORTEST <= step <= LONGEST:
        file.refuse(f"rows {step:.6g} s apart", f"Write rows {SHORTEST:g} to {LONGEST:g} s apart.", line + 1)
    spread = float(np.abs(times - (times[0] + step * np.arange(len(times)))).max())
    digits = min(max(math.floor(-math.log10(max(float(np.abs(steps - step).max()), 1e-9))), 3), 8)
    rate = rate_of(step, f"{step:.{digits}f}")
    if spread <= 0.3 * step:
        return rate, start, values, []
    even = np.linspace(times[0], times[-1], len(times))
    values = np.stack([np.interp(even, times, column) for column in values.T], axis=1)
    return rate, start, values, ["rows at uneven times, taken at even ones in between"]


def _coordinate(label: str) -> str | None:
    """The coordinate that a label names; None for the speed of one, or a state of a muscle."""
    if not label.startswith("/"):
        return label
    path = label.strip("/").split("/")
    return path[-2] if len(path) > 1 and path[-1] == "value" else None


def _column(coordinate: str) -> str:
    """A coordinate as a label, which has no white space."""
    return "_".join(coordinate.split())


def of_figure(table: Storage, figure: Figure) -> tuple[list[int], list[str], list[str]]:
    """The columns that a figure has coordinates for, these, and the labels of the others."""
    by_label = {_column(name): name for name in figure.coordinates}
    places, names, others = [], [], []
    for place, label in enumerate(table.labels):
        name = by_label.get(_coordinate(label) or "")
        if name is None:
            others.append(label)
        else:
            places.append(place)
            names.append(name)
    return places, names, others


def _of_figure(path: Path, table: Storage, figure: Figure, options: Options) -> Contents:
    places, coordinates, others = of_figure(table, figure)
    notes = list(table.notes)
    if others:
        notes.append(f"columns that are no coordinates of {figure.name}, left out: {listed(others)}")
    units = [UNITS[figure.coordinate_dof[name].kind] for name in coordinates]
    return _contents(path, table, places, coordinates, units, options, notes)


def _alone(path: Path, table: Storage, names: Sequence[str | None], options: Options) -> Contents:
    """Columns without a figure, by what their names say."""
    slides = set(table.said.get(_LENGTHS, "").split())
    numbers = set(table.said.get(_NUMBERS, "").split())
    places = [place for place, name in enumerate(names) if name is not None]
    coordinates = [name for name in names if name is not None]
    lost = [label for label, name in zip(table.labels, names, strict=True) if name is None]
    notes = list(table.notes)
    if lost:
        notes.append(f"columns that are no coordinates, left out: {listed(lost)}")
    units, plain = [], []
    for name in coordinates:
        force = not slides and not numbers and bool(_FORCES.search(name))
        plain += [name] if force else []
        units.append("1" if name in numbers else "m" if force or name in slides or _SLIDES.search(name) else "rad")
    if plain:
        notes.append(f"forces and the like, read as numbers that nothing turns: {listed(plain)}")
    return _contents(path, table, places, coordinates, units, options, notes)


def _contents(
    path: Path,
    table: Storage,
    places: Sequence[int],
    coordinates: Sequence[str],
    units: Sequence[str],
    options: Options,
    notes: Sequence[str],
) -> Contents:
    file = TextFile(path, "")
    if not places:
        found = f"no column of a coordinate among {counted(len(table.labels), 'column')}: {listed(table.labels)}"
        file.refuse(found, "Give the figure whose coordinates they are.", 1)
    if len(set(coordinates)) < len(coordinates):
        twice = next(each for each in coordinates if list(coordinates).count(each) > 1)
        file.refuse(f"two columns of {shown(twice)}", "Give each coordinate one column.", 1)
    factors = [math.pi / 180.0 if table.degrees and unit == "rad" else 1.0 for unit in units]
    curves = Curves(
        coordinates=tuple(coordinates),
        units=tuple(units),
        joints=("",) * len(coordinates),
        values=table.values[:, list(places)] * factors,
        rate=table.rate,
        start=table.start,
    )
    return contents_of(path, curves, options, notes)


FORMAT = Format(
    name="OpenSim motion",
    suffixes=(".mot", ".sto"),
    kind="curves",
    read=read,
    write=write,
    omits=omits,
    about="Coordinates against time by their names, degrees or radians as the head says; the figure is given apart.",
    limits=f"{MOST_BYTES // 2**20} MB",
    read_options=("rate", "figure"),
    write_options=("rate", "start", "end"),
)
