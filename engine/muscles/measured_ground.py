"""Forces of the ground that were measured, as OpenSim's MOT files have them: of each plate a force, where it acts, and
a torque about that place.

Columns `ground_force_vx`, `_vy`, `_vz`, `_px`, `_py`, `_pz` and `ground_torque_x`, `_y`, `_z`, those of further plates
with something before or within: `1_ground_force_vx`, `ground_force_l_vx`. Plates act on the joints that are named, or
on those whose places are nearest to where they act while they carry something. Files look along x, figures along z: all
is turned about the upward axis, as their markers and models are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.document import Figure
from engine.document.frames import rest_frames
from engine.document.ticks import TICKS_PER_SECOND
from engine.formats.storage import Storage, read_storage
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass

CARRIES = 20.0  # [N] from which on a plate counts where its joint is looked for
HIGHER = 0.03  # [m] that a foot's joint may be above that of its toes, at rest
_AXES = "xyz"


@dataclass(frozen=True, eq=False)
class MeasuredGround:
    """Forces that plates measured, at even times; axes of the world, x to the left and z ahead."""

    name: str  # of the file
    plates: tuple[str, ...]
    start: float  # [s]
    step: float
    forces: Array  # [N], shape [rows, plates, 3]
    places: Array  # [m]
    torques: Array  # [N m] about these places

    def at(self, times: Sequence[float]) -> tuple[Array, Array, Array]:
        """Give forces, places and torques at some times [ticks], shapes [len(times), plates, 3]; none beyond the first
        and the last row."""
        seconds = np.array(times, dtype=np.float64) / TICKS_PER_SECOND
        rows = (seconds - self.start) / self.step
        last = len(self.forces) - 1
        known = (rows >= -1e-6) & (rows <= last + 1e-6)
        low = np.clip(np.floor(rows), 0, max(last - 1, 0)).astype(np.int64)
        share = np.clip(rows - low, 0.0, 1.0)[:, None, None]
        high = np.minimum(low + 1, last)
        found = [each[low] + share * (each[high] - each[low]) for each in (self.forces, self.places, self.torques)]
        return found[0] * known[:, None, None], found[1], found[2] * known[:, None, None]


@dataclass(frozen=True, eq=False)
class AppliedGround:
    """Forces that were measured, and the numbers of the joints that they act on."""

    measured: MeasuredGround
    joints: tuple[int, ...]

    def wrenches(self, times: Sequence[float], places: Array) -> Array:
        """Give force [N] on each joint's body and torque about its origin [N m] at some times [ticks]; `places` of all
        joints then [m], shape [len(times), joint_count, 3]. Shape [len(times), joint_count, 6]."""
        forces, points, torques = self.measured.at(times)
        found = np.zeros((*places.shape[:2], 6))
        for plate, joint in enumerate(self.joints):
            found[:, joint, :3] += forces[:, plate]
            found[:, joint, 3:] += torques[:, plate] + np.cross(points[:, plate] - places[:, joint], forces[:, plate])
        return found


def read_ground(path: Path) -> MeasuredGround:
    """Read a file; refuse one without forces."""
    table = read_storage(path)
    stems = list(_stems(table))
    if not stems:
        remedy = "Give a MOT file with columns such as ground_force_vx, ground_force_px and ground_torque_x"
        raise NothingThere(f"{path.name} has no forces of the ground", remedy=remedy)
    kinds = [((stem, "_v"), (stem, "_p"), (stem.replace("force", "torque"), "_")) for stem in stems]
    groups = [[_turned(table, *each) for each in plate] for plate in kinds]
    forces, places, torques = (np.stack([group[part] for group in groups], axis=1) for part in range(3))
    rate = table.rate
    return MeasuredGround(
        name=path.name, plates=tuple(stems), start=table.start / TICKS_PER_SECOND, step=rate[1] / rate[0],
        forces=forces, places=places, torques=torques,
    )  # fmt: skip


def joints_of_plates(
    ground: MeasuredGround, figure: Figure, named: Sequence[str], places: Array, times: Sequence[int]
) -> list[int]:
    """The numbers of the joints that plates act on: those named, or those nearest; `places` of all joints at some times
    [m], shape [len(times), joint_count, 3]."""
    if named:
        unknown = next((each for each in named if each not in figure.joint_index), None)
        if unknown is not None or len(named) != len(ground.plates):
            allowed = f"{len(ground.plates)} joints of {figure.name}, one for each of {', '.join(ground.plates)}"
            raise InvalidArguments(what="the joints on which the ground acts", value=tuple(named), allowed=allowed)
        return [figure.joint_index[each] for each in named]
    forces, points, _ = ground.at(times)
    found = []
    for plate in range(len(ground.plates)):
        carries = np.linalg.norm(forces[:, plate], axis=1) > CARRIES
        rows = np.flatnonzero(carries) if carries.any() else np.arange(len(times))
        away = np.linalg.norm(places[rows] - points[rows, plate, None], axis=2)
        found.append(figure.joint_index[_foot(figure, figure.joints[int(away.mean(axis=0).argmin())].id)])
    return found


def _foot(figure: Figure, joint: str) -> str:
    """Go from toes up to the foot: to joints that are hardly higher at rest."""
    frames = rest_frames(figure)
    parent = figure.joint(joint).parent
    while parent is not None and frames[parent].position[1] <= frames[joint].position[1] + HIGHER:
        joint, parent = parent, figure.joint(parent).parent
    return joint


def _stems(table: Storage) -> Iterator[str]:
    for label in table.labels:
        stem = label.removesuffix("_vx")
        others = (f"{stem}{kind}{axis}" for kind in ("_v", "_p") for axis in _AXES)
        if stem != label and "force" in label.lower() and all(each in table.labels for each in others):
            yield stem


def _turned(table: Storage, stem: str, kind: str) -> Array:
    """Three columns as vectors, their x turned to z; nothing where a file has none."""
    zeros = np.zeros(len(table.values))
    names = [f"{stem}{kind}{axis}" for axis in _AXES]
    x, y, z = (table.values[:, table.labels.index(each)] if each in table.labels else zeros for each in names)
    return np.stack((-z, y, x), axis=1)
