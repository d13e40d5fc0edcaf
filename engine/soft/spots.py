"""Spots: where soft bodies touch things. Each is a point of a body, or a place that the corners of one cell carry.

A spot s = sum w_j x_j has the weights of `embedding.py`, which sum to 1. A force on it goes back to the corners through
the same weights, and a stiffness H of it enters the blocks of all pairs of corners as w_i w_j H: they are joined by
their cell already.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.lanes import PLACE
from engine.soft.pattern import Pattern


class ContactSkin(NamedTuple):
    """The spots of all bodies; rows of weights."""

    points: IntArray  # of each spot the one that carries most of it, shape [spot_count]
    traits: Array  # the columns below, shape [spot_count, TRAITS]
    starts: IntArray  # shape [spot_count + 1]
    corners: IntArray  # which points carry it
    weights: Array  # how much of it each does


STIFF, TIME, FORWARD, BACKWARD, SIDEWAYS, THICK, ALONG, OWNER, TRAITS = 0, 1, 2, 3, 4, 5, 6, 9, 10
"""Stiffness [N/m], damping time [s], friction, thickness [m], the body's own direction, the number of the body."""


@inlined
def place_spot(skin: ContactSkin, spot: int, x: Array) -> tuple[float, float, float]:
    """Compute where a spot is; its velocity from those of the points."""
    first, end = skin.starts[spot], skin.starts[spot + 1]
    if end - first == 1:
        at = (3 * skin.points[spot]) & PLACE
        return x[at], x[at + 1], x[at + 2]
    a, b, c = 0.0, 0.0, 0.0
    for each in range(first, end):
        at, weight = (3 * skin.corners[each]) & PLACE, skin.weights[each]
        a += weight * x[at]
        b += weight * x[at + 1]
        c += weight * x[at + 2]
    return a, b, c


@kernel
def place_spots(skin: ContactSkin, x: Array, out: Array) -> None:
    """Compute where all spots are, shape [3 spot_count]."""
    for spot in range(skin.points.shape[0]):
        out[3 * spot], out[3 * spot + 1], out[3 * spot + 2] = place_spot(skin, spot, x)


@inlined
def push_spot(skin: ContactSkin, spot: int, force: Array, out: Array) -> None:
    """Add a force on a spot to those on its points."""
    for each in range(skin.starts[spot], skin.starts[spot + 1]):
        at, weight = (3 * skin.corners[each]) & PLACE, skin.weights[each]
        for way in range(3):
            out[at + way] += weight * force[way]


@kernel
def stiffen_spot(skin: ContactSkin, spot: int, block: Array, pattern: Pattern, out_values: Array) -> None:
    """Add a symmetric block of a spot to those of the pairs of its points."""
    first, end = skin.starts[spot], skin.starts[spot + 1]
    for one in range(first, end):
        for other in range(first, end):
            low, high = skin.corners[one], skin.corners[other]
            if low <= high:
                place = pattern.starts[low]
                while pattern.columns[place] != high:
                    place += 1
                to, share = (9 * place) & PLACE, skin.weights[one] * skin.weights[other]
                for each in range(9):
                    out_values[to + each] += share * block[each]
