"""ShapeLimit: another range of a limit that is there, as an edit: numbers of a box or a cone, corners of a polygon.

Its grid goes with the range, with as many nodes; strokes stay. Faults of a polygon while a pointer moves its corners
are found here without numpy. Importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.commands.make_limit import grid_over
from engine.document import Document
from engine.document.limit import Range
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.maths.quaternions import cross
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

_NEAREST = 1e-4  # [rad] between two corners


@dataclass(frozen=True, kw_only=True)
class ShapeLimit(AtOnce):
    """The command to give a limit another range."""

    uses = ("limits",)

    actor: str
    limit: str
    range: Range
    most: int | None = None  # nodes along an axis, while it is moved; None: as many as it has

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Shape limit {document.actor(self.actor).figure.limit(self.limit).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it; a range that has no inside is refused, and the limit stays."""
        from engine.ik.regions import axes_of
        from engine.limits.field import compile_field

        figure = document.actor(self.actor).figure
        old = figure.limit(self.limit)
        counts = [count if self.most is None else min(count, self.most) for count in old.grid.counts]
        made = replace(old, range=self.range, grid=grid_over(figure, old.dofs, self.range, counts, old.margin))
        compile_field(made, axes_of(figure, made))
        return edit("set_limit", actor=self.actor, limit=made)


def fault_of(corners: Sequence[Vector3], before: Sequence[Vector3]) -> str:
    """Describe the fault of the corners that a polygon is to have in place of those before; empty where there is
    none."""
    if len(corners) < 3:
        return "A polygon has three corners and more."
    sides = [(corner, corners[(at + 1) % len(corners)]) for at, corner in enumerate(corners)]
    if any(not _NEAREST <= _angle(start, end) <= math.pi - _NEAREST for start, end in sides):
        return "A side is longer than nothing and shorter than half a turn."
    normals = [cross(start, end) for start, end in sides]
    for i, j in combinations(range(len(sides)), 2):
        if j - i not in (1, len(sides) - 1):
            a, b = (_dot(normals[i], each) for each in sides[j])
            c, d = (_dot(normals[j], each) for each in sides[i])
            if a * b <= 0.0 and c * d <= 0.0 and a * d > 0.0:
                return "Its sides must not cross."
    return "It must not be turned inside out." if abs(solid_angle(corners) - solid_angle(before)) > math.tau else ""


def solid_angle(corners: Sequence[Vector3]) -> float:
    """Measure the solid angle that a polygon encloses on its left [sr, 0 to 4 pi]: the sum of its angles, less those of
    a flat one."""
    total = 0.0
    for at, corner in enumerate(corners):
        following = cross(corner, corners[(at + 1) % len(corners)])
        behind = cross(corner, corners[at - 1])
        total += math.atan2(_dot(corner, cross(following, behind)), _dot(following, behind)) % math.tau
    return total - (len(corners) - 2) * math.pi


def with_part(axis: Vector3, place: int, value: float) -> Vector3:
    """A unit direction with another part along x, y or z, turned no further than it must be."""
    others = [each for each in range(3) if each != place]
    left = math.sqrt(max(0.0, 1.0 - value * value))
    length = math.hypot(*(axis[each] for each in others))
    found = list(axis)
    found[place] = value
    for at, each in enumerate(others):
        found[each] = axis[each] * left / length if length > 1e-9 else left * (1 - at)
    return found[0], found[1], found[2]


def _angle(one: Vector3, other: Vector3) -> float:
    return math.atan2(math.hypot(*cross(one, other)), _dot(one, other))


def _dot(one: Vector3, other: Vector3) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
