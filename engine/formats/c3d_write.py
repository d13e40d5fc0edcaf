"""C3D files written, for Intel processors, in floating numbers: handles of a figure as points, and measured forces.

A measured force becomes a plate of type 2: six channels of analog samples, the force on the figure and its moment about
the middle of the plate, in axes of which x looks ahead, y to the right and z down, as corners 1 to 4 say. A plate is
the rectangle about the points where its force acted, at their mean height. Samples stand as close as those of the
force that was measured most often; between them forces go straight, and are 0 where nothing is known.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import ceil, prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.measured_forces import FORCE, POINT, TORQUE, MeasuredForce, MeasuredForces
from engine.document.ticks import Rate, ticks_per_frame
from engine.dynamics.measured import channels_at
from engine.formats.binary import write_bytes
from engine.formats.c3d_frame import BLOCK, FLOATING, INTEL, LETTERS, MAGIC, MOST_NUMBERS, UNITS, USUAL_UNIT, WHOLE
from engine.formats.captured import MOST_MARKERS, file_turn, markers_of
from engine.formats.conventions import unit_of
from engine.formats.format import Contents, Options
from engine.formats.losses import listed, motion_losses
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross, rotation_matrix
from engine.runtime.errors import UnwritableFile
from engine.runtime.quick_dataclass import dataclass

LOADED = 0.05  # of the greatest force of a plate, from which on its points say where it is
AROUND, LEAST = 0.05, 0.2  # [m] beyond these points to each side; half of a plate's side, at least
CHANNELS = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
_AXES = np.array(((0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)))  # of a plate, as columns, in the engine's
_MOST_BLOCKS = 255  # of parameters
_MOST_PLATES = 42  # whose channels a byte counts
_LONGEST = 127  # letters of a label
_LAST = 65535  # the largest number that a word has


@dataclass(frozen=True, eq=False)
class _WrittenPlate:
    """One measured force as its plate has it, in the engine's axes."""

    name: str
    middle: Array  # [m]
    half: tuple[float, float]  # [m] along the plate's x and y
    samples: Array  # force [N] and moment [N m] in the plate's axes, shape [sample_count, 6]

    @property
    def corners(self) -> Array:
        """The four corners [m], shape [4, 3]."""
        x, y = self.half
        local = np.array(((x, y, 0.0), (-x, y, 0.0), (-x, -y, 0.0), (x, -y, 0.0)))
        return np.asarray(self.middle + local @ _AXES.T)


@dataclass(frozen=True, eq=False)
class _WrittenParameter:
    """A parameter to write; numbers lie as the file counts them, the first index running fastest."""

    group: int
    name: str
    kind: int
    sizes: tuple[int, ...]
    data: bytes


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write where the handles of the figure are, and the forces that were measured on it."""
    labels, points, rate, start = markers_of(path, contents, options)
    if len(labels) > MOST_MARKERS:
        raise UnwritableFile(path=path, found=f"{len(labels):,} markers", remedy=f"Write {MOST_MARKERS:,} at most.")
    unit = unit_of(options, USUAL_UNIT)
    word = next((name for name, each in UNITS.items() if each == unit), None)
    if word is None:
        names = ", ".join(f"{name} ({each:g} m)" for name, each in UNITS.items() if len(name) < 3)
        raise UnwritableFile(path=path, found=f"a unit of {unit:g} m", remedy=f"Choose one that C3D has: {names}.")
    forces = _forces(contents)
    if len(forces) > _MOST_PLATES:
        raise UnwritableFile(path=path, found=f"{len(forces)} forces", remedy=f"Mute all but {_MOST_PLATES} of them.")
    often = max((each.rate[0] / each.rate[1] for each in forces), default=0.0)
    each_frame = max(1, ceil(often * rate[1] / rate[0] - 1e-6))
    if 6 * each_frame * len(forces) > _LAST:
        found = f"{each_frame:,} samples of each of {len(forces)} plates in a frame"
        raise UnwritableFile(path=path, found=found, remedy="Write more frames a second, or mute some forces.")
    if len(points) * max(4 * len(labels), 6 * each_frame * len(forces)) > MOST_NUMBERS:
        found = f"{len(points):,} frames of {len(labels):,} points and {len(forces)} plates"
        raise UnwritableFile(path=path, found=found, remedy="Write a shorter range.")
    times: Array = start + np.arange(len(points) * each_frame, dtype=np.float64) * (ticks_per_frame(rate) / each_frame)
    plates = [_plate(each, times) for each in forces]
    turn = rotation_matrix(file_turn(options.up or "z"))
    first = max(1, round(start / ticks_per_frame(rate)) + 1)
    parameters = _point_parameters(labels, len(points), rate, word, options.up or "z", first)
    parameters += _plate_parameters(plates, each_frame * rate[0] / rate[1], unit, word, turn)
    begin = 2 + len(_packed(path, [*parameters, _whole(1, "DATA_START", [0])])) // BLOCK
    packed = _packed(path, [*parameters, _whole(1, "DATA_START", [begin])])
    head = struct.pack(
        "<BB5HfHHf", 2, MAGIC, len(labels), 6 * len(plates) * each_frame, min(first, _LAST),
        min(first + len(points) - 1, _LAST), 0, -1.0, begin, each_frame, rate[0] / rate[1],
    )  # fmt: skip
    body = _frames(points @ turn / unit, plates, each_frame, unit)
    write_bytes(path, head.ljust(BLOCK, b"\0") + packed + body.tobytes())


def omits(contents: Contents) -> tuple[str, ...]:
    """List what places of markers and plates lose."""
    lost = ["the figure itself: its handles are written as markers"] if contents.figure is not None else []
    lost += ["surfaces"] if contents.surfaces else []
    measured = [each for part in contents.parts if isinstance(part, MeasuredForces) for each in part.forces]
    turned = [each.name for each in measured if each.frame is not None]
    muted = [each.name for each in measured if each.mute and each.frame is None]
    if turned:
        lost.append(f"forces in the frame of a joint: {listed(turned)}")
    if muted:
        lost.append(f"muted forces: {listed(muted)}")
    if len(measured) > len(turned) + len(muted):
        lost.append("on which body forces act")
    before = contents.span is not None and contents.span[0] < 0
    return (*lost, *motion_losses(contents, keeps_start=not before))


def _forces(contents: Contents) -> list[MeasuredForce]:
    parts = [part for part in contents.parts if isinstance(part, MeasuredForces)]
    return [each for part in parts for each in part.forces if each.frame is None and not each.mute]


def _plate(force: MeasuredForce, times: Array) -> _WrittenPlate:
    """The plate of a force, and its samples at some times [ticks]."""
    measured = np.asarray(force.values.array)
    sizes = np.linalg.norm(measured[:, FORCE], axis=1)
    places = measured[sizes >= LOADED * float(sizes.max()), POINT]
    low, high = places.min(axis=0), places.max(axis=0)
    middle = 0.5 * (low + high)
    middle[1] = places[:, 1].mean()
    half = np.maximum(0.5 * (high - low) + AROUND, LEAST)
    values = channels_at(force, times)
    values[(times < force.start) | (times > force.end)] = 0.0
    moment = values[:, TORQUE] + cross(values[:, POINT] - middle, values[:, FORCE])
    samples = np.concatenate((values[:, FORCE] @ _AXES, moment @ _AXES), axis=1)
    return _WrittenPlate(force.name, middle, (float(half[2]), float(half[0])), samples)


def _frames(points: Array, plates: Sequence[_WrittenPlate], each_frame: int, unit: float) -> NDArray[np.float32]:
    """Numbers of all frames: four of each point, then the samples of all channels one after another."""
    frames, markers = points.shape[:2]
    out = np.zeros((frames, 4 * markers + 6 * len(plates) * each_frame), dtype="<f4")
    seen: NDArray[np.bool_] = np.asarray(np.isfinite(points).all(axis=2))
    words = np.concatenate((np.where(seen[:, :, None], points, 0.0), np.where(seen, 0.0, -1.0)[:, :, None]), axis=2)
    out[:, : 4 * markers] = words.reshape(frames, -1)
    if plates:
        scales = np.array([1.0] * 3 + [1.0 / unit] * 3)
        samples = np.concatenate([each.samples * scales for each in plates], axis=1)
        out[:, 4 * markers :] = samples.reshape(frames, -1)
    return out


def _point_parameters(
    labels: Sequence[str], frames: int, rate: Rate, unit: str, up: str, first: int
) -> list[_WrittenParameter]:
    last = first + frames - 1
    ahead = {"z": "+X", "y": "+X", "x": "+Y"}[up]
    found = [
        _whole(1, "USED", [len(labels)]),
        _floating(1, "SCALE", [-1.0]),
        _floating(1, "RATE", [rate[0] / rate[1]]),
        _whole(1, "FRAMES", [min(frames, _LAST)]),
        _texts(1, "UNITS", [unit]),
        _texts(1, "X_SCREEN", [ahead]),
        _texts(1, "Y_SCREEN", [f"+{up.upper()}"]),
    ]
    for place in range(0, len(labels), 255):
        name = "LABELS" if not place else f"LABELS{place // 255 + 1}"
        found.append(_texts(1, name, labels[place : place + 255]))
    field = [[each & 0xFFFF, each >> 16] for each in (first, last)]
    return [*found, _whole(2, "ACTUAL_START_FIELD", field[0]), _whole(2, "ACTUAL_END_FIELD", field[1])]


def _plate_parameters(
    plates: Sequence[_WrittenPlate], frequency: float, unit: float, word: str, turn: Array
) -> list[_WrittenParameter]:
    count = len(plates)
    names = [f"{channel}{place}" for place in range(1, count + 1) for channel in CHANNELS]
    units = ["N", "N", "N", *[f"N{word}"] * 3] * count
    corners = np.array([each.corners for each in plates]).reshape(-1, 3) @ turn / unit
    return [
        _whole(3, "USED", [6 * count]),
        _texts(3, "LABELS", names),
        _texts(3, "UNITS", units),
        _floating(3, "GEN_SCALE", [1.0]),
        _floating(3, "SCALE", [1.0] * (6 * count), sizes=(6 * count,)),
        _whole(3, "OFFSET", [0] * (6 * count), sizes=(6 * count,)),
        _floating(3, "RATE", [frequency]),
        _whole(4, "USED", [count]),
        _whole(4, "TYPE", [2] * count, sizes=(count,)),
        _texts(4, "NAMES", [each.name for each in plates]),
        _floating(4, "CORNERS", corners.ravel().tolist(), sizes=(3, 4, count)),
        _floating(4, "ORIGIN", [0.0] * (3 * count), sizes=(3, count)),
        _whole(4, "CHANNEL", list(range(1, 6 * count + 1)), sizes=(6, count)),
        _whole(4, "ZERO", [0, 0]),
    ]


def _whole(group: int, name: str, numbers: Sequence[int], sizes: tuple[int, ...] | None = None) -> _WrittenParameter:
    if sizes is None:
        sizes = () if len(numbers) == 1 else (len(numbers),)
    return _WrittenParameter(group, name, WHOLE, sizes, np.array(numbers, dtype="<u2").tobytes())


def _floating(group: int, name: str, numbers: Sequence[float], sizes: tuple[int, ...] = ()) -> _WrittenParameter:
    return _WrittenParameter(group, name, FLOATING, sizes, np.array(numbers, dtype="<f4").tobytes())


def _texts(group: int, name: str, texts: Sequence[str]) -> _WrittenParameter:
    rows = [each.encode("latin-1", "replace")[:_LONGEST] for each in texts]
    width = max(map(len, rows), default=1) or 1
    return _WrittenParameter(group, name, LETTERS, (width, len(rows)), b"".join(each.ljust(width) for each in rows))


def _packed(path: Path, parameters: Sequence[_WrittenParameter]) -> bytes:
    """The parameters in whole blocks, groups first."""
    out = bytearray((0, 0, 0, INTEL))
    for number, name in enumerate(("POINT", "TRIAL", "ANALOG", "FORCE_PLATFORM"), 1):
        out += bytes((len(name), 256 - number)) + name.encode() + struct.pack("<HB", 3, 0)
    for place, each in enumerate(parameters):
        assert len(each.data) == prod(each.sizes) * abs(each.kind)
        content = bytes((each.kind % 256, len(each.sizes), *each.sizes)) + each.data + b"\0"
        way = 0 if place + 1 == len(parameters) else len(content) + 2
        out += bytes((len(each.name), each.group)) + each.name.encode() + struct.pack("<H", way) + content
    blocks = ceil(len(out) / BLOCK)
    if blocks > _MOST_BLOCKS:
        found = f"names of markers that take {len(out):,} bytes, more than C3D has room for"
        raise UnwritableFile(path=path, found=found, remedy="Write fewer markers, or give them shorter names.")
    out[2] = blocks
    return bytes(out.ljust(blocks * BLOCK, b"\0"))
