"""Unwrapping: of all equal angles, those nearest to the ones before, so that curves may be filtered and joined.

A hinge's angle may change by any multiple of 2 pi. A joint of three hinges n0, n1, n2 with n1 at right angles to both
others (all twelve Euler orders, with axes of either sign) has a second triple for every rotation:
R0(a) R1(b) R2(c) = R0(a + pi) R1(f - b) R2(c + pi), where f is twice the angle from n2 to n0 about n1, since
R0(pi) R1(b') R2(pi) = R1(-b') R0(pi) R2(pi) and two half turns about axes at an angle g make a turn of 2 g: f = +-pi
for three different axes and 0 for a repeated one. Which triple to take in each frame is chosen for the whole motion
at once (Viterbi's algorithm over the two, the sum of squared changes being least); the first frame stays as it is.
A quaternion's sign is that nearest to the frame before. Frames with a NaN are passed over.

Angles in radians, values of shape [frame_count, coordinate_count].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Dof, Figure, Joint, Samples, Track
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

_TURN = 2.0 * math.pi
_SQUARE = 1e-9  # cosine of axes that count as being at right angles


@dataclass(frozen=True)
class Rotations:
    """The columns of some values that hold rotations."""

    hinges: tuple[int, ...]  # columns of hinges that belong to no triple
    triples: tuple[tuple[tuple[int, int, int], float], ...]  # columns and f
    balls: tuple[tuple[int, int, int, int], ...]


def flip_offset(dofs: Sequence[Dof]) -> float | None:
    """f [rad] of three hinges; None where their rotations have no second triple."""
    if len(dofs) != 3 or any(dof.kind != "hinge" for dof in dofs):
        return None
    first, middle, last = (np.array(dof.axis) for dof in dofs)
    if abs(first @ middle) > _SQUARE or abs(middle @ last) > _SQUARE:
        return None
    return 2.0 * math.atan2(float(np.cross(last, first) @ middle), float(last @ first))


def triple_of(joint: Joint) -> tuple[Dof, Dof, Dof] | None:
    """The three hinges of a joint that has just these and no slide between them."""
    hinges = [place for place, dof in enumerate(joint.dofs) if dof.kind == "hinge"]
    if len(hinges) != 3 or hinges[2] - hinges[0] != 2 or any(dof.kind == "ball" for dof in joint.dofs):
        return None
    first, middle, last = (joint.dofs[place] for place in hinges)
    return first, middle, last


def find_rotations(figure: Figure, coordinates: Sequence[str]) -> Rotations:
    """The hinges, triples and balls that stand complete among some coordinates."""
    column = {name: place for place, name in enumerate(coordinates)}
    triples: list[tuple[tuple[int, int, int], float]] = []
    taken: set[int] = set()
    for joint in figure.joints:
        dofs = triple_of(joint)
        if dofs is None or any(dof.id not in column for dof in dofs):
            continue
        offset = flip_offset(dofs)
        if offset is not None:
            first, middle, last = (column[dof.id] for dof in dofs)
            triples.append(((first, middle, last), offset))
            taken.update((first, middle, last))
    balls = [
        tuple(column[name] for name in dof.coordinates)
        for dof in figure.dofs
        if dof.kind == "ball" and all(name in column for name in dof.coordinates)
    ]
    owners = ((place, figure.coordinate_dof.get(name)) for name, place in column.items())
    hinges = tuple(place for place, dof in owners if dof is not None and dof.kind == "hinge" and place not in taken)
    return Rotations(hinges, tuple(triples), tuple((w, x, y, z) for w, x, y, z in balls))


def together(figure: Figure, coordinates: Sequence[str]) -> list[tuple[int, ...]]:
    """The columns that are unwrapped together, all of them: those of a triple or of a ball, and each of the others."""
    found = find_rotations(figure, coordinates)
    several = [*(columns for columns, _ in found.triples), *found.balls]
    taken = {column for columns in several for column in columns}
    return [*several, *((column,) for column in range(len(coordinates)) if column not in taken)]


def unwrap_values(figure: Figure, coordinates: Sequence[str], values: Array) -> Array:
    """Make the angles and quaternions of poses continuous over time."""
    found = find_rotations(figure, coordinates)
    unwrapped = np.array(values, dtype=np.float64)
    if found.hinges:
        hinges = list(found.hinges)
        unwrapped[:, hinges] = unwrap_angles(unwrapped[:, hinges])
    for columns, offset in found.triples:
        unwrapped[:, columns] = unwrap_triples(unwrapped[:, columns], offset)
    for ball in found.balls:
        quaternions = np.ascontiguousarray(unwrapped[:, ball])
        align_signs(quaternions)
        unwrapped[:, ball] = quaternions
    return unwrapped


def normalise_balls(figure: Figure, coordinates: Sequence[str], out_values: Array) -> None:
    """Scale the four numbers of every ball to norm 1, after work that treated them as plain curves."""
    for ball in find_rotations(figure, coordinates).balls:
        out_values[:, ball] /= np.linalg.norm(out_values[:, ball], axis=1, keepdims=True)


def unwrap_samples(figure: Figure, samples: Samples) -> Samples:
    """Samples with continuous angles; the identical object where they are continuous already."""
    values = unwrap_values(figure, samples.coordinates, samples.values.array)
    return samples if np.array_equal(values, samples.values.array) else replace(samples, values=Blob(values))


def unwrap_tracks(figure: Figure, tracks: Sequence[Track]) -> tuple[Track, ...]:
    """Tracks whose keys have continuous angles; a triple changes as one where its three tracks share their times."""
    done = {track.coordinate: track for track in tracks}
    for joint in figure.joints:
        dofs = triple_of(joint)
        offset = None if dofs is None else flip_offset(dofs)
        if dofs is None or offset is None or any(dof.id not in done for dof in dofs):
            continue
        three = [done[dof.id] for dof in dofs]
        if len({tuple(key.time for key in track.keys) for track in three}) > 1:
            continue
        values = np.array([[key.value for key in track.keys] for track in three]).T
        changed = unwrap_triples(values, offset)
        for place, track in enumerate(three):
            # A flip turns the middle angle about, so that v + v' = f up to whole turns, where without it v - v' is.
            flipped = np.abs(np.sin(0.5 * (changed[:, 0] - values[:, 0]))) > 0.5
            signs = np.where(flipped & (place == 1), -1.0, 1.0)
            done[track.coordinate] = _with_values(track, changed[:, place], signs)
    for name, track in done.items():
        dof = figure.coordinate_dof.get(name)
        if dof is not None and dof.kind == "hinge":
            changed = unwrap_angles(np.array([[key.value] for key in track.keys]))
            done[name] = _with_values(track, changed[:, 0], np.ones(len(track.keys)))
    return tuple(done[track.coordinate] for track in tracks)


def unwrap_angles(values: Array) -> Array:
    """Angles without jumps of more than pi from frame to frame, each column on its own."""
    unwrapped = np.array(values, dtype=np.float64)
    remove_turns(unwrapped)
    return unwrapped


def unwrap_triples(angles: Array, offset: float) -> Array:
    """Triples [frame_count, 3] of equal rotation that change least; `offset` is f."""
    unwrapped = np.ascontiguousarray(angles, dtype=np.float64).copy()
    choose_triples(offset, np.empty((len(unwrapped), 2), dtype=np.int32), unwrapped)
    return unwrapped


def _with_values(track: Track, values: Array, signs: Array) -> Track:
    keys = tuple(
        key
        if value == key.value
        else replace(
            key, value=float(value), slope_in=float(sign * key.slope_in), slope_out=float(sign * key.slope_out)
        )
        for key, value, sign in zip(track.keys, values.tolist(), signs.tolist(), strict=True)
    )
    return track if all(new is old for new, old in zip(keys, track.keys, strict=True)) else replace(track, keys=keys)


@kernel
def whole_turns(change: float) -> float:
    """The multiple of 2 pi nearest to a change of angle."""
    return _TURN * round(change / _TURN)


@kernel
def remove_turns(out_values: Array) -> None:
    """Take whole turns out of every column, in place."""
    for column in range(out_values.shape[1]):
        last = np.nan
        for frame in range(out_values.shape[0]):
            value = out_values[frame, column]
            if math.isnan(value):
                continue
            if not math.isnan(last):
                value -= whole_turns(value - last)
            out_values[frame, column] = value
            last = value


@kernel
def triple_angle(angles: Array, frame: int, place: int, flipped: int, offset: float) -> float:
    """One angle of a frame's triple, or of its second triple."""
    angle: float = angles[frame, place]
    if flipped == 0:
        return angle
    return offset - angle if place == 1 else angle + math.pi


@kernel
def choose_triples(offset: float, came_from: NDArray[np.int32], out_angles: Array) -> None:
    """The sequence of triples with the least sum of squared changes, in place; `came_from` [frame_count, 2] is work."""
    count = out_angles.shape[0]
    plain, flipped = 0.0, np.inf
    before = -1
    for frame in range(count):
        if math.isnan(out_angles[frame, 0] + out_angles[frame, 1] + out_angles[frame, 2]):
            continue
        if before >= 0:
            same, other = 0.0, 0.0
            for place in range(3):
                old = triple_angle(out_angles, before, place, 0, offset)
                change = triple_angle(out_angles, frame, place, 0, offset) - old
                same += (change - whole_turns(change)) ** 2
                change = triple_angle(out_angles, frame, place, 1, offset) - old
                other += (change - whole_turns(change)) ** 2
            came_from[frame, 0] = 0 if plain + same <= flipped + other else 1
            came_from[frame, 1] = 1 if flipped + same <= plain + other else 0
            plain, flipped = min(plain + same, flipped + other), min(flipped + same, plain + other)
        before = frame
    state, last = (0 if plain <= flipped else 1), before
    for frame in range(count - 1, -1, -1):
        if math.isnan(out_angles[frame, 0] + out_angles[frame, 1] + out_angles[frame, 2]):
            continue
        arrived = came_from[frame, state]
        for place in range(3):
            out_angles[frame, place] = triple_angle(out_angles, frame, place, state, offset)
        state, last = arrived, frame
    before = -1
    for frame in range(max(last, 0), count):
        if math.isnan(out_angles[frame, 0] + out_angles[frame, 1] + out_angles[frame, 2]):
            continue
        if before >= 0:
            for place in range(3):
                out_angles[frame, place] -= whole_turns(out_angles[frame, place] - out_angles[before, place])
        before = frame


@kernel
def align_signs(out_quaternions: Array) -> None:
    """Give each quaternion [frame_count, 4] the sign nearer to the one before, in place."""
    before = -1
    for frame in range(out_quaternions.shape[0]):
        dot = 0.0
        for each in range(4):
            dot += out_quaternions[frame, each] * (out_quaternions[before, each] if before >= 0 else 1.0)
        if math.isnan(dot):
            continue
        if before >= 0 and dot < 0.0:
            for each in range(4):
                out_quaternions[frame, each] = -out_quaternions[frame, each]
        before = frame
