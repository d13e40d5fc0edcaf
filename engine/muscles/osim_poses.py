"""Poses of a figure in which it is looked how near lines of paths come to wraps: at rest, and with each coordinate at a
few places of its range."""

from __future__ import annotations

import numpy as np

from engine.document import Figure
from engine.formats.turns import motion_of
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.muscles.parts import MuscleWrap, PathPoint

_PLACES = 7  # of a range
_STEPS = 33  # of a line
_WIDE = 1.5  # [rad] or [m] to each side, where a coordinate has no range


class SampledPoses:
    """The joints of a figure in all these poses, at rest in the first."""

    def __init__(self, figure: Figure) -> None:
        q = sampled_coordinates(figure)
        count = len(q)
        self._rotations: dict[str | None, Array] = {None: np.tile(np.eye(3), (count, 1, 1))}
        self._places: dict[str | None, Array] = {None: np.zeros((count, 3))}
        for joint in figure.joints:
            columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
            way, rotation = motion_of(joint, q[:, columns], rest=True)
            turn, place = self._rotations[joint.parent], self._places[joint.parent]
            self._rotations[joint.id] = turn @ rotation
            self._places[joint.id] = place + np.einsum("pij,pj->pi", turn, np.array(joint.offset) + way)

    def clearance(self, wrap: MuscleWrap, start: PathPoint, end: PathPoint) -> float:
        """The least distance [m] of the line between two points from a wrap, in any pose; below 0 inside of it."""
        line = self._line(wrap, start, end)
        radii = np.array(wrap.radii)
        if wrap.shape == "sphere":
            away = np.linalg.norm(line, axis=2) - radii[0]
        elif wrap.shape == "cylinder":
            away = np.linalg.norm(line[..., :2], axis=2) - radii[0]
            if wrap.length is not None:
                away = np.maximum(away, np.abs(line[..., 2]) - 0.5 * wrap.length)
        elif wrap.shape == "ellipsoid":
            away = (np.linalg.norm(line / radii, axis=2) - 1.0) * radii.min()
        else:
            away = np.hypot(np.linalg.norm(line[..., :2], axis=2) - radii[0], line[..., 2]) - radii[1]
        return float(away.min())

    def along(self, wrap: MuscleWrap, start: PathPoint, end: PathPoint) -> float:
        """How far along the line between two points a wrap is at rest: 0 at its start, 1 at its end."""
        line = self._line(wrap, start, end)[0]
        way = line[-1] - line[0]
        return float(-np.dot(line[0], way) / max(np.dot(way, way), 1e-12))

    def _line(self, wrap: MuscleWrap, start: PathPoint, end: PathPoint) -> Array:
        """Points of a line in the frame of a wrap, shape [poses, steps, 3]."""
        turn, place = self._rotations[wrap.joint], self._places[wrap.joint]
        centre = place + np.einsum("pij,j->pi", turn, np.array(wrap.centre))
        frame = turn @ rotation_matrix(wrap.rotation)
        ends = [
            np.einsum("pji,pj->pi", frame, self._places[each.joint] + self._rotations[each.joint] @ each.point - centre)
            for each in (start, end)
        ]
        shares = np.linspace(0.0, 1.0, _STEPS)[:, None]
        return np.asarray(ends[0][:, None] * (1.0 - shares) + ends[1][:, None] * shares)


def sampled_coordinates(figure: Figure) -> Array:
    """The coordinates of all poses, shape [poses, coordinates]."""
    rest = [figure.rest[name] for name in figure.coordinates]
    rows = [rest]
    for dof in figure.dofs:
        if dof.driven or dof.kind == "ball":
            continue
        here = figure.rest[dof.id]
        lower = here - _WIDE if dof.lower is None else dof.lower
        upper = here + _WIDE if dof.upper is None else dof.upper
        for value in np.linspace(lower, upper, _PLACES) if upper > lower else ():
            row = list(rest)
            row[figure.coordinate_index[dof.id]] = float(value)
            for other in figure.driven:
                if any(each.dof == dof.id for each in other.driven):
                    values = {**figure.rest, dof.id: float(value)}
                    moved = sum(each.value(values[each.dof]) for each in other.driven)
                    row[figure.coordinate_index[other.id]] = moved
            rows.append(row)
    return np.array(rows)
