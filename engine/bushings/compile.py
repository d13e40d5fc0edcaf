"""PackedBushings: bushings of a compiled figure as packed arrays, for kernels.

A bushing changes with the rates of the joints between its two bodies alone, not with those above both: it has a column
for each, and for each rate that drives one of them. `ints`: for each bushing BUSHING numbers, rows of its two frames in
the state (0 is the ground's) and its first column and the one behind its last; then for each column COLUMN numbers, its
rate, where its motion stands in the state (-1 of a driver that moves nothing between them), whether it slides, and 1
where it carries the second body, else -1. `floats`: for each bushing FRAMES numbers, either frame's rotation row by row
and its origin in its joint, then GAINS: stiffness and damping of six axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.bushings.parts import Bushing
from engine.document import Figure
from engine.document.values import Quaternion, Vector3
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import MOTION, MOTION_START, ROW, Model
from engine.runtime.quick_dataclass import dataclass

BUSHING, COLUMN = 4, 4
FRAMES, GAINS = 2 * ROW, 12
FLOATS = FRAMES + GAINS


@dataclass(frozen=True, eq=False)
class PackedBushings:
    """Read-only arrays; `folds` names the columns of driven rates, each with its driver's and the number of its f'."""

    ints: IntArray
    floats: Array
    rates: IntArray  # of each column
    folds: IntArray  # shape [n, 3]
    spans: tuple[tuple[int, int], ...]  # of the columns of each bushing


def pack_bushings(model: Model, bushings: Sequence[Bushing], numbers: IntArray) -> PackedBushings:
    """Pack bushings between joints of a figure; columns tell of its rates by other `numbers`."""
    figure, heads, columns = model.figure, list[int](), list[tuple[int, int, int, int]]()
    floats, folds = list[float](), list[tuple[int, int, int]]()
    start, drivers = int(model.ints[MOTION_START]), _drivers(figure)
    for each in bushings:
        ends = [-1 if id is None else figure.joint_index[id] for id in (each.first, each.second)]
        first, places = len(columns), dict[int, int]()
        for side, moving in zip((-1, 1), _apart(figure, *ends), strict=True):
            for rate, slides in _rates(figure, moving):
                places[rate] = len(columns)
                columns.append((int(numbers[rate]), start + rate * MOTION, int(slides), side))
        for rate in tuple(places):
            for driver, number in drivers.get(rate, ()):
                if driver not in places:
                    places[driver] = len(columns)
                    columns.append((int(numbers[driver]), -1, 0, 0))
                folds.append((places[rate], places[driver], number))
        heads += [(ends[0] + 1) * ROW, (ends[1] + 1) * ROW, first, len(columns)]
        floats += _frame(each.first_rotation, each.first_position) + _frame(each.second_rotation, each.second_position)
        floats += [*each.turning, *each.sliding, *each.turning_damping, *each.sliding_damping]
    made = PackedBushings(
        np.array([*heads, *(number for column in columns for number in column)], dtype=np.int32),
        np.array(floats),
        np.array([column[0] for column in columns], dtype=np.int32),
        np.array(folds, dtype=np.int32).reshape(-1, 3),
        tuple(zip(heads[2::BUSHING], heads[3::BUSHING], strict=True)),
    )
    for array in (made.ints, made.floats, made.rates, made.folds):
        array.flags.writeable = False
    return made


def _frame(rotation: Quaternion, position: Vector3) -> list[float]:
    return [*rotation_matrix(rotation).ravel().tolist(), *position]


def _apart(figure: Figure, first: int, second: int) -> tuple[list[int], list[int]]:
    """The joints that carry the first body and not the second, and the other way round."""
    above = [_above(figure, joint) for joint in (first, second)]
    return [each for each in above[0] if each not in above[1]], [each for each in above[1] if each not in above[0]]


def _above(figure: Figure, joint: int) -> list[int]:
    chain = list[int]()
    while joint >= 0:
        chain.append(joint)
        parent = figure.joints[joint].parent
        joint = -1 if parent is None else figure.joint_index[parent]
    return chain


def _rates(figure: Figure, joints: Sequence[int]) -> Iterator[tuple[int, bool]]:
    for joint in joints:
        for dof in figure.joints[joint].dofs:
            yield from ((figure.rate_index[name], dof.kind == "slide") for name in dof.rates)


def _drivers(figure: Figure) -> dict[int, list[tuple[int, int]]]:
    """By the rate of each driven coordinate: those of its drivers, with the numbers of their f'."""
    found: dict[int, list[tuple[int, int]]] = {}
    pairs = [(dof, each) for dof in figure.driven for each in dof.driven]
    for number, (dof, each) in enumerate(pairs):
        found.setdefault(figure.rate_index[dof.id], []).append((figure.rate_index[each.dof], number))
    return found
