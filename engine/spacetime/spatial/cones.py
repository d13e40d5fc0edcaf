"""Contacts whose normal and friction are forces of their own: linear constraints on their coefficients.

Friction along each of two directions is at most mu / sqrt 2 times the normals, a pyramid within the cone; hat functions
that keep within it where pieces meet do so everywhere. What slides is only pushed here; its friction is in `slides`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.spacetime.constraints import ProbeConstraint
from engine.spacetime.problem import ConstraintOrigin
from engine.spacetime.spatial.layout import SpatialLayout
from engine.spacetime.spatial.problem import SpatialCone, SpatialProblem


@dataclass
class ConeRows:
    """Linear constraints, by rows, columns and numbers."""

    constraints: list[ProbeConstraint] = field(default_factory=list)
    entries: list[tuple[int, int, float]] = field(default_factory=list)

    def add_sum(self, constraint: ProbeConstraint, columns: IntArray) -> None:
        """Add a constraint on the sum of some variables."""
        self.entries += [(len(self.constraints), int(column), 1.0) for column in columns]
        self.constraints.append(constraint)

    @property
    def rows(self) -> IntArray:
        """Row of each number, the first of these constraints being 0."""
        return np.array([each[0] for each in self.entries], np.int32)

    @property
    def columns(self) -> IntArray:
        """Variable of each number."""
        return np.array([each[1] for each in self.entries], np.int32)

    @property
    def numbers(self) -> Array:
        """The numbers."""
        return np.array([each[2] for each in self.entries], np.float64)


def list_cones(problem: SpatialProblem, layout: SpatialLayout) -> ConeRows:
    """List the constraints of all cones."""
    found = ConeRows()
    for cone in problem.cones:
        stage = problem.stage(cone.stage)
        blown = any(each.name == cone.normals[0] for each in problem.blows)
        pieces = problem.stages[stage].pieces
        for node in (pieces,) if blown else range(pieces + 1):
            columns = {
                name: _column(problem, layout, stage, name, node, blown) for name in (*cone.normals, *cone.tangents)
            }
            _add(problem, cone, stage, node / pieces, columns, found)
    return found


def _add(
    problem: SpatialProblem, cone: SpatialCone, stage: int, share: float, columns: dict[str, int], found: ConeRows
) -> None:
    scale = problem.figure.mass * 9.81
    pressing = {columns[name]: cone.friction for name in cone.normals}

    def demand(words: str, of: str, parts: dict[int, float], most: float) -> None:
        row = len(found.constraints)
        origin = ConstraintOrigin("cone", of)
        found.constraints.append(ProbeConstraint(0.0, most, scale, words, stage, share, origin))
        found.entries += [(row, column, number) for column, number in parts.items()]

    for name in cone.normals:
        demand(f"{name} pushes", name, {columns[name]: 1.0}, np.inf)
    for name in () if cone.slides else cone.tangents:
        words = f"{name} within friction"
        inside = {column: each / np.sqrt(2.0) for column, each in pressing.items()}
        for way in (1.0, -1.0):
            demand(words, name, {**inside, columns[name]: way}, np.inf)


def _column(problem: SpatialProblem, layout: SpatialLayout, stage: int, name: str, node: int, blown: bool) -> int:
    """The variable of a force at a node, or of a blow."""
    packed = layout.packed
    if blown:
        return int(layout.blows[stage, [each.name for each in problem.blows].index(name)])
    f = [each.name for each in problem.forces].index(name)
    pieces = np.flatnonzero(packed.pieces[:, 0] == stage)
    piece, at = int(pieces[min(node, len(pieces) - 1)]), 4 * len(problem.figure.coordinates) + 2 * f
    hat = packed.hat_counts[stage, f] == 2
    return int(packed.columns[piece, at + (1 if hat and node == len(pieces) else 0)])
