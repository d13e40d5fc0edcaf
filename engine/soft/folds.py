"""Folds: which spots of a soft body are near to another part of it, so that the others need not be looked at.

Spots are sorted into cubes as large as the edges of cells of their body, which stand in a table with open addressing.
Each cube knows the box in which its spots lay at rest. Where that reaches further from where a spot lay than FAR times
the size, in its own cube or in one beside it, the spot is near to a part that it may meet. In a body that is not folded
no cube beside reaches that far.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.hulls import SIZE, Hull

FAR = 4.0


class Folds(NamedTuple):
    """Room: cubes and what lies in them."""

    cubes: IntArray  # their places, and the body of what lies in each; -1: empty. Shape [cube_count, 4]
    lower: Array  # of their boxes at rest, shape [cube_count, 3]
    upper: Array


def new_folds(spots: int) -> Folds:
    """Make room for so many spots."""
    count = 1 << max(4, math.ceil(math.log2(2 * spots + 1)))
    return Folds(np.zeros((count, 4), np.int32), np.zeros((count, 3)), np.zeros((count, 3)))


@kernel
def find_folded(hull: Hull, folds: Folds) -> None:
    """Mark the spots that are near to other parts of their bodies, where these touch themselves."""
    hull.folded[:] = 0
    itself = False
    for body in range(hull.meets.shape[0]):
        itself |= hull.meets[body, body] != 0
    if not itself:
        return
    cubes, lower, upper, x, rest = folds.cubes, folds.lower, folds.upper, hull.places, hull.rest
    cubes[:, 3] = -1
    for spot in range(hull.owners.shape[0]):
        body = hull.owners[spot]
        if hull.meets[body, body] != 0:
            size, at = hull.traits[body, SIZE], 3 * spot
            a, b, c = math.floor(x[at] / size), math.floor(x[at + 1] / size), math.floor(x[at + 2] / size)
            slot = find_cube(folds, a, b, c, body)
            if cubes[slot, 3] < 0:
                cubes[slot, 0], cubes[slot, 1], cubes[slot, 2], cubes[slot, 3] = a, b, c, body
                lower[slot], upper[slot] = math.inf, -math.inf
            for axis in range(3):
                lower[slot, axis] = min(lower[slot, axis], rest[at + axis])
                upper[slot, axis] = max(upper[slot, axis], rest[at + axis])
    for spot in range(hull.owners.shape[0]):
        body = hull.owners[spot]
        if hull.meets[body, body] != 0:
            hull.folded[spot] = 1 if is_folded(hull, folds, spot, body) else 0


@kernel
def is_folded(hull: Hull, folds: Folds, spot: int, body: int) -> bool:
    """Tell whether a cube near a spot reaches far from it at rest."""
    size, at, x, rest = hull.traits[body, SIZE], 3 * spot, hull.places, hull.rest
    far = (FAR * size) ** 2
    i, j, k = math.floor(x[at] / size), math.floor(x[at + 1] / size), math.floor(x[at + 2] / size)
    for a in range(i - 1, i + 2):
        for b in range(j - 1, j + 2):
            for c in range(k - 1, k + 2):
                slot, away = find_cube(folds, a, b, c, body), 0.0
                if folds.cubes[slot, 3] < 0:
                    continue
                for axis in range(3):
                    place = rest[at + axis]
                    away += max(folds.upper[slot, axis] - place, place - folds.lower[slot, axis]) ** 2
                if away > far:
                    return True
    return False


@inlined
def find_cube(folds: Folds, a: int, b: int, c: int, body: int) -> int:
    """Find where a cube stands, or the empty place where it would."""
    cubes = folds.cubes
    slot = (a * 73856093 ^ b * 19349663 ^ c * 83492791 ^ body * 49979687) & (cubes.shape[0] - 1)
    while cubes[slot, 3] >= 0 and not (
        cubes[slot, 0] == a and cubes[slot, 1] == b and cubes[slot, 2] == c and cubes[slot, 3] == body
    ):
        slot = (slot + 1) & (cubes.shape[0] - 1)
    return int(slot)
