"""Touched: what solids did to soft bodies in a step, as forces on spots, and on the points that carry these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.soft.contact import PUSH_X, ColliderContacts
from engine.soft.meeting import Meeting
from engine.soft.spots import ContactSkin


class TouchedSpots(NamedTuple):
    """Where bodies are touched by solids."""

    places: Array  # [m], shape [count, 3]
    forces: Array  # [N] on the body
    points: IntArray  # that carry most of each


class Touched(NamedTuple):
    """Forces of solids, on points."""

    points: IntArray
    colliders: IntArray  # numbers in the step's list
    pushes: Array  # [N] on points, shape [count, 3]
    spots: TouchedSpots


_NONE, _NUMBERS = np.zeros((0, 3)), np.zeros(0, dtype=np.int32)
_NOTHING = Touched(_NUMBERS, _NUMBERS, _NONE, TouchedSpots(_NONE, _NONE, _NUMBERS))


def find_touched(skin: ContactSkin, touching: ColliderContacts, meeting: Meeting, x: Array) -> Touched:
    """Find what solids did to the bodies, whose points are at `x`. A force on a spot and those on its points have the
    same sum and torque."""
    count, places = int(touching.number[0]), x.reshape(-1, 3)
    if not count and not meeting.tied.number[0]:
        return _NOTHING
    spots, colliders = touching.pairs[:count, 0], touching.pairs[:count, 1].copy()
    pushes = touching.states[:count, PUSH_X : PUSH_X + 3].copy()
    felt = np.flatnonzero(meeting.colliders[: int(meeting.tied.number[0])] >= 0)
    if len(skin.corners) == len(skin.points) and not len(felt):  # all of them points
        points = skin.points[spots]
        return Touched(points, colliders, pushes, TouchedSpots(places[points], pushes, points))
    starts, ends = skin.starts[spots], skin.starts[spots + 1]
    rows, entries = _spans(starts, ends)
    weights = skin.weights[entries]
    points, of, forces = skin.corners[entries], colliders[rows], weights[:, None] * pushes[rows]
    at = _sums(rows, weights[:, None] * places[points], count)
    if not len(felt):
        return Touched(points, of, forces, TouchedSpots(at, pushes, skin.points[spots]))
    tied = meeting.tied
    rows, entries = _spans(tied.starts[felt], tied.starts[felt + 1])
    on, shares = meeting.states[felt, PUSH_X : PUSH_X + 3], tied.weights[entries]
    also = tied.points[entries]
    lower = TouchedSpots(_sums(rows, -shares[:, None] * places[also], len(felt)), -on, skin.points[meeting.spots[felt]])
    return Touched(
        np.concatenate((points, also)),
        np.concatenate((of, meeting.colliders[felt][rows])),
        np.concatenate((forces, shares[:, None] * on[rows])),
        TouchedSpots(
            np.concatenate((at, lower.places)),
            np.concatenate((pushes, lower.forces)),
            np.concatenate((skin.points[spots], lower.points)),
        ),
    )


def _spans(starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """List all entries of some rows, and the place of the row of each."""
    lengths = ends - starts
    rows = np.repeat(np.arange(len(starts), dtype=np.int32), lengths)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return rows, (np.arange(len(rows)) - first + starts[rows]).astype(np.int32)


def _sums(rows: IntArray, values: Array, count: int) -> Array:
    """Sum the values of each row, shape [count, 3]."""
    found = [np.bincount(rows, weights=values[:, axis], minlength=count) for axis in range(3)]
    return np.stack(found, axis=1)
