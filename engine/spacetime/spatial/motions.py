"""A solution as a motion in space: what every function is at any time, torques computed from it among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.maths.arrays import Array
from engine.spacetime.motions import stage_at
from engine.spacetime.spatial.layout import SpatialLayout
from engine.spacetime.spatial.points import PointWork, new_point_work, read_point, set_torques
from engine.spacetime.spatial.power import new_tree_work
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.splines import spline_basis


@dataclass(frozen=True, eq=False)
class SpatialMotion:
    """The variables of a problem, read as functions of time; before and after, they are held."""

    problem: SpatialProblem
    layout: SpatialLayout
    x: Array

    @property
    def lengths(self) -> Array:
        """Lengths of the stages [s]."""
        found: Array = self.x[self.layout.packed.lengths]
        return found

    @property
    def duration(self) -> float:
        """Length of the whole [s]."""
        return float(self.lengths.sum())

    def coordinates(self, time: float, *, order: int = 0, before: bool = False) -> Array:
        """Return q, or its rates or accelerations."""
        return self.stage_coordinates(*stage_at(self.lengths, time, before=before), order=order)

    def stage_coordinates(self, stage: int, share: float, *, order: int = 0) -> Array:
        """Return them at a share of a stage."""
        work = self._read(stage, share)
        return (work.q, work.v, work.a)[order].copy()

    def torques(self, time: float, *, before: bool = False) -> Array:
        """Torques and forces that coordinates need, computed from the motion; of what is free 0, but for errors."""
        return self.stage_torques(*stage_at(self.lengths, time, before=before))

    def stage_torques(self, stage: int, share: float) -> Array:
        """Return them at a share of a stage."""
        work = self._read(stage, share)
        set_torques(self.layout.packed, work)
        return work.tree.tau.copy()

    def forces(self, time: float, *, before: bool = False) -> Array:
        """Sizes of all forces [N]."""
        return self.stage_forces(*stage_at(self.lengths, time, before=before))

    def stage_forces(self, stage: int, share: float) -> Array:
        """Return them at a share of a stage."""
        return self._read(stage, share).sizes.copy()

    def blows(self, stage: int) -> Array:
        """Sizes of all blows at the end of a stage [N s]."""
        found: Array = self.x[self.layout.blows[stage]]
        return found

    def values(self, time: float, *, before: bool = False) -> dict[str, float]:
        """Return the figure's own coordinates at a time, by name; a ball's are a quaternion."""
        return self.problem.figure.values(self.coordinates(time, before=before))

    def functions(self, time: float, *, order: int = 0, before: bool = False) -> Array:
        """Return all functions of the problem at a time, in their order; of torques, forces and blows, their values."""
        return self.stage_functions(*stage_at(self.lengths, time, before=before), order=order)

    def stage_functions(self, stage: int, share: float, *, order: int = 0) -> Array:
        """Return them at a share of a stage."""
        coordinates = self.stage_coordinates(stage, share, order=order)
        driven = [self.problem.figure.coordinate(each.limb) for each in self.problem.muscles]
        torques = self.stage_torques(stage, share)[driven]
        return np.concatenate([coordinates, torques, self.stage_forces(stage, share), self.blows(stage)])

    def function(self, name: str, time: float, *, order: int = 0) -> float:
        """One function, by its name; of torques, forces and blows, its value."""
        return float(self.functions(time, order=order)[self.problem.function(name)])

    @cached_property
    def _work(self) -> PointWork:
        figure, forces = self.problem.figure, len(self.problem.forces)
        return new_point_work(new_tree_work(figure, forces), len(figure.coordinates), forces)

    def _read(self, stage: int, share: float) -> PointWork:
        pieces = self.problem.stages[stage].pieces
        pieces = self.problem.stages[stage].pieces
        piece = min(int(share * pieces), pieces - 1)
        u = share * pieces - piece
        first = int(np.flatnonzero(self.layout.packed.pieces[:, 0] == stage)[0])
        hats = np.array([1.0 - u, u])
        read_point(self.layout.packed, first + piece, spline_basis(pieces, piece, u), hats, self.x, self._work)
        return self._work
