"""Forces in MOT and STO files: what plates measured, as columns of force, point of application and free torque.

Names differ. OpenSim's files have `ground_force_vx .. vz`, `ground_force_px .. pz` and `ground_torque_x .. z`, one
plate more with `1_` or `l_` before; others `ground_force_1_vx` and `ground_moment_1_mx`, `FP1_vx` and `FP1_torque_x`,
or `ground_force_v1 .. v3`. A plate is what has the same name but for these letters and words. Files of OpenSim have
y up and x ahead: all is turned by a quarter, as its models are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.document.measured_forces import CHANNELS
from engine.document.ticks import Rate
from engine.formats.captured import file_turn
from engine.formats.losses import listed
from engine.formats.storage import Storage, read_storage
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import UnreadableFile
from engine.runtime.quick_dataclass import dataclass

_COLUMN = re.compile(r"(?P<plate>.*?)[_.]?(?:(?P<kind>[vpm])(?P<axis>[xyz123])|(?P<turn>[xyz123]))$", re.IGNORECASE)
_TORQUE = re.compile(r"torque|moment", re.IGNORECASE)
_WORDS = re.compile(r"[_.]?(force|torque|moment)", re.IGNORECASE)
_AXES = {"x": 0, "y": 1, "z": 2, "1": 0, "2": 1, "3": 2}
_KINDS = {"v": 0, "p": 3, "m": 6}
NEEDED = 6  # columns of force and point, without which nothing can be said; a free torque may be left out


@dataclass(frozen=True, eq=False)
class PlateForce:
    """One plate of a file, in the world's axes."""

    name: str
    values: Array  # force [N], point [m], free torque [N m], shape [frame_count, 9]


@dataclass(frozen=True, eq=False)
class PlateForces:
    """The plates of a file."""

    plates: tuple[PlateForce, ...]
    rate: Rate
    start: int  # tick of the first frame
    notes: tuple[str, ...]


def read_forces(path: Path) -> PlateForces:
    """Read the forces of a MOT or STO file."""
    table = read_storage(path)
    plates, others = _plates(path, table)
    if not plates:
        found = f"no columns of a force and its point among {listed(table.labels)}"
        remedy = "Name them as ground_force_vx, _vy, _vz, _px, _py, _pz and ground_torque_x, _y, _z."
        raise UnreadableFile(path=path, found=found, remedy=remedy)
    notes = list(table.notes)
    if others:
        notes.append(f"columns that are no forces, left out: {listed(others)}")
    return PlateForces(tuple(plates), table.rate, table.start, tuple(notes))


def holds_forces(path: Path) -> bool:
    """Tell whether a file has columns of forces that act at points, by its head; False where it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.strip().lower() == "endheader":
                    break
            labels = next((line for line in file if line.strip()), "")
    except OSError:
        return False
    return any(len(each) >= NEEDED for each in _by_plate(labels.split()).values())


def _by_plate(labels: Sequence[str]) -> dict[str, dict[int, int]]:
    """The columns of each plate, by the name of its forces: of the nine numbers, the place among the labels."""
    names, found = dict[str, str](), dict[str, dict[int, int]]()
    for place, label in enumerate(labels):
        match = _COLUMN.match(label)
        if match is None or (match["kind"] is None and not _TORQUE.search(match["plate"])):
            continue
        plate = _WORDS.sub("", match["plate"]).strip("_. ")
        if match["kind"] is None:
            channel = _KINDS["m"] + _AXES[match["turn"].lower()]
        else:
            channel = _KINDS[match["kind"].lower()] + _AXES[match["axis"].lower()]
        if channel < _KINDS["p"]:
            names.setdefault(plate, match["plate"])
        found.setdefault(plate, {})[channel] = place
    return {names.get(plate, plate): columns for plate, columns in found.items()}


def _plates(path: Path, table: Storage) -> tuple[list[PlateForce], list[str]]:
    turn = rotation_matrix(file_turn("y"))
    plates, taken = list[PlateForce](), set[int]()
    for name, columns in _by_plate(table.labels).items():
        missing = [channel for channel in range(NEEDED) if channel not in columns]
        if len(missing) == NEEDED:
            continue
        if missing:
            lacking = ", ".join(f"{'force' if channel < 3 else 'point'} {'xyz'[channel % 3]}" for channel in missing)
            remedy = "Give each plate three columns of force and three of the point where it acts."
            raise UnreadableFile(path=path, found=f"{name} without {lacking}", remedy=remedy)
        values = np.zeros((len(table.values), CHANNELS))
        for channel, place in columns.items():
            values[:, channel] = table.values[:, place]
            taken.add(place)
        turned = values.reshape(len(values), 3, 3) @ turn.T
        plates.append(PlateForce(name, np.ascontiguousarray(turned.reshape(len(values), CHANNELS))))
    return plates, [label for place, label in enumerate(table.labels) if place not in taken]
