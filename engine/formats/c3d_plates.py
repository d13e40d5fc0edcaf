"""Forces of plates in C3D files: analog channels that `FORCE_PLATFORM` puts together, as forces on who stands on them.

Types 2 and 4 have the force and its moment about the plate's sensor, type 4 after a matrix; type 3 the forces of eight
sensors (two along x, two along y, four along z). The plate's axes follow from its corners: x from the second to the
first, y from the fourth to the first. With the moment M about the middle of its surface the force F acts at

    p = (-M_y / F_z, M_x / F_z, 0),    with the free torque  (0, 0, M_z - (p x F)_z),

and where less than `LOADED` presses at the middle, with M. A sample is (number - ANALOG:OFFSET) ANALOG:SCALE
ANALOG:GEN_SCALE. Forces are taken as those on the person, which press upwards; `FORCE_PLATFORM:ZERO` is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from engine.document.measured_forces import CHANNELS
from engine.formats.c3d_frame import (
    C3dFile,
    C3dHead,
    C3dParameter,
    head_of,
    number_of,
    numbers_of,
    open_c3d,
    rate_of_frames,
    rows_of,
    start_of,
    texts_of,
    unit_said,
    up_said,
)
from engine.formats.captured import file_turn
from engine.formats.force_columns import PlateForce, PlateForces
from engine.formats.names import Names
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross, rotation_matrix
from engine.runtime.errors import UnreadableFile

LOADED = 5.0  # [N] along the plate's axis, from which on it is known where the force acts
_NUMBERS = {2: 6, 3: 8, 4: 6}  # channels of a plate, by its type


def holds_plates(path: Path) -> bool:
    """Tell whether a file has plates; False where it cannot be read."""
    try:
        file, known = open_c3d(path)
        return bool(number_of(file, known, "FORCE_PLATFORM:USED"))
    except UnreadableFile:
        return False


def read_plates(path: Path) -> PlateForces:
    """Read the forces of the plates."""
    file, known = open_c3d(path)
    head = head_of(file, known)
    count = int(number_of(file, known, "FORCE_PLATFORM:USED") or 0)
    if count < 1:
        raise UnreadableFile(path=path, found="no force plates", remedy="Choose a trial that was walked over plates.")
    (unit, unsaid), (up, said) = unit_said(known), up_said(known)
    turn = rotation_matrix(file_turn(up or "z"))
    samples, each_frame = _samples(file, known, head)
    names, labels = Names(), texts_of(known, "FORCE_PLATFORM:NAMES")
    plates = []
    for number in range(count):
        values = _plate(file, known, number, samples, unit)
        turned = values.reshape(-1, 3, 3) @ turn.T
        name = labels[number] if number < len(labels) else ""
        plates.append(PlateForce(names.take(name or f"plate {number + 1}"), turned.reshape(-1, CHANNELS).copy()))
    rate = rate_of_frames(file, known)
    notes = (*unsaid, *said, *(() if up or said else ("the file does not say which axis is up: taken is z",)))
    return PlateForces(tuple(plates), (rate[0] * each_frame, rate[1]), start_of(head, rate), notes)


def _samples(file: C3dFile, known: Mapping[str, C3dParameter], head: C3dHead) -> tuple[Array, int]:
    """Samples of all channels, shape [sample_count, channel_count], and how many there are in a frame."""
    each_frame = max(file.word(18), 1)
    if not head.analog or head.analog % each_frame:
        raise file.refuse(f"{head.analog} analog samples in a frame, {each_frame} of each channel,", 4)
    rows, size = rows_of(file, head)
    data = np.ascontiguousarray(rows[:, size * 4 * head.markers :]).tobytes()
    count = head.analog // each_frame
    unsigned = texts_of(known, "ANALOG:FORMAT")[:1] == ["UNSIGNED"]
    if size == 4:
        raw = file.floats(data)
    else:
        words = file.integers(data)
        raw = (words.astype(np.uint16) if unsigned else words).astype(np.float64)
    whole = number_of(file, known, "ANALOG:GEN_SCALE")
    scales, offsets = _each(file, known, "SCALE", count, 1.0), _each(file, known, "OFFSET", count, 0.0)
    if not unsigned:
        offsets = np.where(offsets > 32767.0, offsets - 65536.0, offsets)
    found = (raw.reshape(-1, count) - offsets) * (scales * (1.0 if whole is None else whole))
    if not np.isfinite(found).all():
        raise file.refuse("analog samples that are no numbers", head.data_at)
    return found, each_frame


def _each(file: C3dFile, known: Mapping[str, C3dParameter], name: str, count: int, usual: float) -> Array:
    """A number of each channel, without a sign where it is a whole one."""
    numbers = numbers_of(file, known, f"ANALOG:{name}")[:count]
    return np.array([*numbers, *[usual] * (count - len(numbers))])


def _plate(file: C3dFile, known: Mapping[str, C3dParameter], number: int, samples: Array, unit: float) -> Array:
    """Force [N], point [m] and free torque [N m] of a plate in the file's axes, shape [sample_count, 9]."""
    kinds = numbers_of(file, known, "FORCE_PLATFORM:TYPE")
    kind = int(kinds[number]) if number < len(kinds) else 0
    if kind not in _NUMBERS:
        remedy = "Export it with plates of type 2, 3 or 4, or their forces as MOT."
        raise UnreadableFile(path=file.path, found=f"plate {number + 1} of type {kind}", remedy=remedy)
    corners = _block(file, known, "CORNERS", number, 12).reshape(4, 3) * unit
    origin = _block(file, known, "ORIGIN", number, 3) * unit
    if origin[2] > 0.0:
        origin *= (1.0, 1.0, -1.0) if kind == 3 else -1.0  # of type 3 the first two are ways between sensors
    channel = known["FORCE_PLATFORM:CHANNEL"].sizes if "FORCE_PLATFORM:CHANNEL" in known else ()
    places = _block(file, known, "CHANNEL", number, channel[0] if channel else 0)[: _NUMBERS[kind]].astype(int) - 1
    if len(places) < _NUMBERS[kind] or places.min() < 0 or places.max() >= samples.shape[1]:
        raise _without(file, "CHANNEL", number)
    force, moment = _wrench(file, known, number, kind, samples[:, places], origin, unit)
    axis_x = corners[0] - corners[1]
    axis_z = np.cross(axis_x, corners[0] - corners[3])
    axes = np.stack([axis_x, np.cross(axis_z, axis_x), axis_z], axis=1)
    lengths = np.linalg.norm(axes, axis=0)
    if not lengths.min() > 0.0:
        raise _without(file, "CORNERS", number)
    axes /= lengths
    known_where = np.abs(force[:, 2]) >= LOADED
    down = np.where(known_where, force[:, 2], 1.0)
    place = np.stack([-moment[:, 1] / down, moment[:, 0] / down, np.zeros(len(down))], axis=1)
    place[~known_where] = 0.0
    torque = moment - cross(place, force)
    torque[known_where, :2] = 0.0
    return np.concatenate([force @ axes.T, place @ axes.T + corners.mean(axis=0), torque @ axes.T], axis=1)


def _wrench(
    file: C3dFile, known: Mapping[str, C3dParameter], number: int, kind: int, values: Array, origin: Array, unit: float
) -> tuple[Array, Array]:
    """Force [N] and moment about the middle of the surface [N m] in the plate's axes, shapes [sample_count, 3]."""
    if kind == 3:
        (x12, x34, y14, y23, z1, z2, z3, z4), (a, b, c) = values.T, origin
        force = np.stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4], axis=1)
        moment = np.stack([b * (z1 + z2 - z3 - z4), a * (z2 + z3 - z1 - z4), b * (x34 - x12) + a * (y14 - y23)], axis=1)
        return force, moment + cross(force, np.array([0.0, 0.0, c]))
    if kind == 4:
        values = values @ _block(file, known, "CAL_MATRIX", number, 36).reshape(6, 6)  # column by column in the file
    force = values[:, :3].copy()
    return force, values[:, 3:] * _moment_unit(known, unit) + cross(force, origin)


def _moment_unit(known: Mapping[str, C3dParameter], unit: float) -> float:
    """Newton metres in the unit of moments: that of length, unless the channels' say N m."""
    words = {
        each.replace(" ", "").replace("*", "").replace(".", "").lower() for each in texts_of(known, "ANALOG:UNITS")
    }
    return 1.0 if "nm" in words and "nmm" not in words else unit


def _block(file: C3dFile, known: Mapping[str, C3dParameter], name: str, number: int, count: int) -> Array:
    numbers = numbers_of(file, known, f"FORCE_PLATFORM:{name}")[number * count : (number + 1) * count]
    if not count or len(numbers) < count:
        raise _without(file, name, number)
    return np.array(numbers)


def _without(file: C3dFile, name: str, number: int) -> UnreadableFile:
    remedy = "Export it again with its force plates, or their forces as MOT."
    return UnreadableFile(path=file.path, found=f"plate {number + 1} without a sound {name}", remedy=remedy)
