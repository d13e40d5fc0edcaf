"""Markers that a camera system saw, as contents: a figure with one joint a marker, and one layer of samples.

Each marker is a ball on a joint with three slides, named `LASI.x`, `LASI.y`, `LASI.z`, and a handle. Where it was not
seen the way goes straight from where it was seen last to where it is seen next, or stays; `MarkerGaps` says when that
is. A marker that is never seen is left out.

Files of captures say which axis is up at most in words. Usual in biomechanics is that a person walks along x (OpenSim:
y up; laboratories: z up); Sinew's figures look along z. Points are therefore turned from x to z about the upward axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Dof, Ellipsoid, Figure, Handle, Joint, Layer, Samples
from engine.document.capture import MarkerGap, MarkerGaps
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.document.validation import validate_figure
from engine.document.values import Quaternion
from engine.formats.conventions import unit_of, upright
from engine.formats.format import Contents, Options, Up
from engine.formats.frames import figure_of, frames_of
from engine.formats.losses import listed
from engine.formats.names import Names
from engine.formats.text import LARGEST, counted
from engine.formats.turns import motion_of
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, product, turn_about
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable
from engine.runtime.quick_dataclass import dataclass

MOST_MARKERS = 4_000
RADIUS = 0.018  # [m] of the ball that shows a marker: larger than most are, so that a whole body of them is seen

_FORWARD = turn_about(AXES[1], -0.5 * math.pi)  # x of the file, its way ahead, becomes z
_FEW = 8  # markers of which nobody can tell which way is up
_LONGER = 1.3  # times as long along z as along y is a person that stands along z


@dataclass(frozen=True, eq=False)
class SeenMarkers:
    """Markers as a file has them."""

    labels: tuple[str, ...]
    points: Array  # in the file's unit and axes, nan where a marker was not seen, shape [frame_count, markers, 3]
    rate: Rate
    start: int  # tick of the first frame
    unit: float  # metres per unit that the file states
    up: Up | None  # that the file states
    usual_up: Up  # where neither the file nor the markers say it
    notes: tuple[str, ...] = ()


def contents_of(path: Path, capture: SeenMarkers, options: Options) -> Contents:
    """The figure of the markers, and their ways as a layer."""
    notes = [*capture.notes]
    up, guessed = options.up or capture.up, False
    if up is None:
        up, guessed = _likely_up(capture), True
        notes.append(f"the file does not say which axis is up: taken is {up}")
    seen: NDArray[np.bool_] = np.asarray(np.isfinite(capture.points).all(axis=2))
    there: NDArray[np.bool_] = np.asarray(seen.any(axis=0))
    gone = [label for label, found in zip(capture.labels, there, strict=True) if not found]
    if not there.any():
        raise UnreadableFile(path=path, found="no marker that is seen", remedy="Choose a file with points.")
    if gone:
        notes.append(f"markers that are never seen, left out: {listed(gone)}")
    points, seen = capture.points[:, there], seen[:, there]
    if np.nanmax(np.abs(points)) > LARGEST:
        raise UnreadableFile(path=path, found="places too far away for any figure", remedy="Check its unit.")
    turn = rotation_matrix(file_turn(up))
    with np.errstate(invalid="ignore"):
        points = points @ turn.T * unit_of(options, capture.unit)
    names = Names()
    ids = [names.take(label) for label, found in zip(capture.labels, there, strict=True) if found]
    notes += names.note("markers")
    part, said = _gaps(ids, seen, capture)
    try:
        figure = marker_figure(printable(path.stem), ids)
        samples = Samples(
            coordinates=figure.coordinates,
            values=Blob(_filled(points, seen).reshape(len(points), -1)),
            rate=capture.rate,
            start=capture.start,
        )
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the numbers named.") from error
    return Contents(
        figure=figure,
        layers=(Layer(id="motion", name=printable(path.stem).split(".")[0] or "Markers", samples=samples),),
        parts=(part,),
        rate=capture.rate,
        assumed_unit=unit_of(options, capture.unit) if guessed else None,
        assumed_up=up if guessed else None,
        notes=(*notes, *said),
        again=partial(contents_of, path, capture),
    )


def marker_figure(name: str, ids: Sequence[str]) -> Figure:
    """A ball, a handle and three slides for each marker."""
    joints = tuple(
        Joint(
            id=id,
            name=id,
            dofs=tuple(
                Dof(id=f"{id}.{letter}", name=f"Move {letter.upper()}", kind="slide", axis=axis)
                for letter, axis in zip("xyz", AXES, strict=True)
            ),
            shapes=(Ellipsoid(radii=(RADIUS, RADIUS, RADIUS)),),
        )
        for id in ids
    )
    handles = tuple(Handle(id=f"{id}.place", name=id, joint=id) for id in ids)
    figure = Figure(name=name, joints=joints, handles=handles)
    validate_figure(figure)
    return figure


def file_turn(up: Up | None) -> Quaternion:
    """The turn from a capture's axes to the engine's."""
    return product(_FORWARD, upright(Options(up=up)))


def check_size(path: Path, markers: int, labels: Sequence[str] = ()) -> None:
    """Refuse more markers than anybody wears, and names that are no text."""
    if markers > MOST_MARKERS:
        remedy = f"Choose a file of at most {MOST_MARKERS:,} markers."
        raise UnreadableFile(path=path, found=f"{markers:,} markers", remedy=remedy)
    if not markers:
        raise UnreadableFile(path=path, found="no markers", remedy="Choose a file with points.")


def markers_of(path: Path, contents: Contents, options: Options) -> tuple[tuple[str, ...], Array, Rate, int]:
    """Names and places [m] of the handles of a figure that moves, nan in gaps, in the engine's axes; of the joints
    where it has no handles. Shape [frame_count, markers, 3], then the rate and the first tick."""
    figure = figure_of(path, contents)
    frames = frames_of(path, figure, contents, options)
    spots = figure.handles or tuple(Handle(id=each.id, name=each.name, joint=each.id) for each in figure.joints)
    names = Names()
    labels = tuple(names.take(" ".join(each.name.split()) or each.id) for each in spots)
    points = handle_places(figure, spots, frames.q)
    for part in contents.parts:
        if isinstance(part, MarkerGaps):
            _hide(part, [each.joint for each in spots], frames.rate, frames.start, points)
    return labels, points, frames.rate, frames.start


def handle_places(figure: Figure, spots: Sequence[Handle], q: Array) -> Array:
    """Where handles are in poses [m], shape [poses, handles, 3]; q has shape [poses, coordinates]."""
    worlds: dict[str, tuple[Array, Array]] = {}
    column = 0
    for joint in figure.joints:
        width = sum(len(dof.coordinates) for dof in joint.dofs)
        way, rotation = motion_of(joint, q[:, column : column + width], rest=True)
        column += width
        way = way + joint.offset
        if joint.parent is not None:
            turn, origin = worlds[joint.parent]
            way, rotation = origin + np.einsum("fij,fj->fi", turn, way), turn @ rotation
        worlds[joint.id] = rotation, way
    found = [worlds[each.joint][1] + worlds[each.joint][0] @ np.array(each.point) for each in spots]
    return np.asarray(np.stack(found, axis=1), dtype=np.float64)


def frame_seconds(count: int, rate: Rate, start: int) -> Array:
    """When each frame is [s]."""
    return np.asarray(start / TICKS_PER_SECOND + np.arange(count) * (rate[1] / rate[0]), dtype=np.float64)


def unseen(part: MarkerGaps, joint: str, count: int, rate: Rate, start: int) -> NDArray[np.bool_]:
    """The frames in which a marker was not seen, shape [count]."""
    times = start + np.arange(count) * (TICKS_PER_SECOND * rate[1] / rate[0])
    found = np.zeros(count, dtype=np.bool_)
    for gap in part.of(joint):
        found |= (times > gap.start - 1.0) & (times < gap.end + 1.0)
    return found


def _hide(part: MarkerGaps, joints: Sequence[str], rate: Rate, start: int, points: Array) -> None:
    for place, joint in enumerate(joints):
        points[unseen(part, joint, len(points), rate, start), place] = np.nan


def _likely_up(capture: SeenMarkers) -> Up:
    """y or z, whichever the markers stretch along in the frame in which most are seen."""
    seen: NDArray[np.bool_] = np.asarray(np.isfinite(capture.points).all(axis=2))
    best = int(seen.sum(axis=1).argmax())
    if seen[best].sum() < _FEW:
        return capture.usual_up
    _, y, z = np.ptp(capture.points[best][seen[best]], axis=0)
    return "z" if z > _LONGER * y else "y" if y > _LONGER * z else capture.usual_up


def _filled(points: Array, seen: NDArray[np.bool_]) -> Array:
    """Places in gaps, straight between those beside them."""
    frames, out = np.arange(len(points)), points.copy()
    for marker in np.flatnonzero(~seen.all(axis=0)):
        known = seen[:, marker]
        for axis in range(3):
            out[:, marker, axis] = np.interp(frames, frames[known], points[known, marker, axis])
    return out


def _gaps(ids: Sequence[str], seen: NDArray[np.bool_], capture: SeenMarkers) -> tuple[MarkerGaps, tuple[str, ...]]:
    """The gaps as spans of ticks, and a note of them."""
    gaps, said = [], []
    step = TICKS_PER_SECOND * capture.rate[1] / capture.rate[0]
    for place, id in enumerate(ids):
        edges = np.flatnonzero(np.diff(np.concatenate(([True], seen[:, place], [True])).astype(np.int8)))
        for first, end in edges.reshape(-1, 2).tolist():
            ends = (capture.start + round(first * step), capture.start + round((end - 1) * step))
            gaps.append(MarkerGap(joint=id, start=ends[0], end=ends[1]))
        if len(edges):
            said.append(f"{id} in {counted(int((~seen[:, place]).sum()), 'frame')}")
    note = f"markers that are not always seen, their way filled in between: {listed(said)}"
    return MarkerGaps(gaps=tuple(gaps)), (note,) if said else ()
