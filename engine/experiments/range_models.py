"""Boxes, cones, reach cones and fields of what a joint went through, queried and projected alike.

Each is fitted to poses and widened by a margin: a box by the ends of each angle; a cone by an ellipse of swings about
the bone at rest and a twist; a reach cone by a polygon on the sphere, seen from the middle of where the bone pointed,
and a twist; a field as everywhere. A cone has no constant-time projection: p is led towards an angle triple inside
and the boundary is found by halving, 24 times.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.document.limit import ConeRange, PolygonRange
from engine.document.values import Vector3
from engine.limits.cones import Pointing, across, measure_pointing, pointing
from engine.limits.field import Field
from engine.limits.packed import pack_limits
from engine.limits.query import project_angles, value_at
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.maths.rotation_arrays import chain, upright_quaternions
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

_HALVINGS, _SECTORS, _WIDEST = 24, 24, 2.8
_LEAST = 1e-3  # [rad] of a swing that was never made


@dataclass(frozen=True, eq=False)
class Fitted:
    """A range of one joint."""

    inside: Callable[[Array], BoolArray]  # which rows of angles [rad], shape [n, 3], it allows
    project: Callable[[Array, Array], None]  # rows, and where the allowed ones go
    bytes: int
    numbers: int  # that a person gives who makes one by hand


def fit_box(seen: Array, margin: float) -> Fitted:
    """Fit a box from the least to the greatest of each angle."""
    lower, upper = seen.min(axis=0) - margin, seen.max(axis=0) + margin

    def inside(rows: Array) -> BoolArray:
        return np.asarray(((rows >= lower) & (rows <= upper)).all(axis=1))

    return Fitted(inside, lambda rows, out: project_box(lower, upper, rows, out), lower.nbytes + upper.nbytes, 6)


def fit_cone(seen: Array, axes: Array, bone: Array, margin: float) -> Fitted:
    """The smallest ellipse, of the widths of the swings, that has all of them."""
    first, second = across(bone)
    pointed, twist = _pointed(seen, axes, bone, margin)
    turned = np.cross(bone, pointed)
    sine = np.linalg.norm(turned, axis=1)
    angle = np.arctan2(sine, pointed @ bone)
    swings = (
        turned * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 0.0)[:, None] @ np.array([first, second]).T
    )
    widths = np.maximum(np.abs(swings).max(axis=0), _LEAST)
    widths = widths * max(1.0, float(np.linalg.norm(swings / widths, axis=1).max())) + margin
    a, b = np.minimum(widths, math.pi).tolist()
    return _cone(pointing(ConeRange(axis=_vector(bone), swing=(a, b), twist=twist), axes), seen, 4)


def fit_reach_cone(seen: Array, axes: Array, bone: Array, margin: float) -> Fitted:
    """Fit a cone of so many corners around the middle, each as far out as any direction near it."""
    pointed, twist = _pointed(seen, axes, bone, margin)
    middle = pointed.sum(axis=0) / np.linalg.norm(pointed.sum(axis=0))
    first, second = across(middle)
    sector = np.arctan2(pointed @ second, pointed @ first) / math.tau * _SECTORS
    angle = np.arccos(np.clip(pointed @ middle, -1.0, 1.0))
    corners = []
    for each in range(_SECTORS):
        near = np.abs(np.remainder(sector - each + 0.5 * _SECTORS, _SECTORS) - 0.5 * _SECTORS) <= 1.0
        out = min(float(angle[near].max(initial=0.0)) + margin, _WIDEST)
        around = math.tau * each / _SECTORS
        corners.append(
            _vector(math.cos(out) * middle + math.sin(out) * (math.cos(around) * first + math.sin(around) * second))
        )
    cone = PolygonRange(axis=_vector(bone), corners=tuple(corners), twist=twist)
    return _cone(pointing(cone, axes), seen, 2 * _SECTORS + 2)


def fit_field(field: Field) -> Fitted:
    """A field that was worked out."""
    packed = pack_limits([(field, range(3))])

    def inside(rows: Array) -> BoolArray:
        out = np.empty(len(rows))
        measure_field(packed.ints, packed.floats, rows, out)
        return np.asarray(out <= 0.0)

    return Fitted(inside, lambda rows, out: project_field(packed.ints, packed.floats, rows, out), field.bytes, 2)


def _pointed(seen: Array, axes: Array, bone: Array, margin: float) -> tuple[Array, tuple[float, float]]:
    """Compute the directions of the bone, and the ends of its twist."""
    rotations = chain(axes, seen)
    turned = upright_quaternions(rotations)
    twist = np.remainder(2.0 * np.arctan2(turned[:, 1:] @ bone, turned[:, 0]) + math.pi, math.tau) - math.pi
    ends = max(float(twist.min()) - margin, -math.pi), min(float(twist.max()) + margin, math.pi)
    return np.asarray(rotations @ bone), ends


def _cone(made: Pointing, seen: Array, numbers: int) -> Fitted:
    def measured(rows: Array) -> Array:
        out = np.empty(len(rows))
        measure_cone(*made, rows, out)
        return out

    values = measured(seen)
    centre = np.ascontiguousarray(seen[int(np.argmin(values))])
    return Fitted(
        lambda rows: measured(rows) <= 0.0,
        lambda rows, out: project_cone(*made, centre, rows, out),
        sum(each.nbytes for each in made),
        numbers,
    )


def _vector(direction: Array) -> Vector3:
    x, y, z = direction.tolist()
    return x, y, z


@kernel
def measure_cone(axes: Array, numbers: Array, corners: Array, rows: Array, out_values: Array) -> None:
    """The measure of `engine.limits.cones` at each row."""
    for each in range(len(rows)):
        out_values[each] = measure_pointing(axes, numbers, corners, rows[each])


@kernel
def measure_field(ints: IntArray, floats: Array, rows: Array, out_values: Array) -> None:
    """The value at each row."""
    for each in range(len(rows)):
        out_values[each] = value_at(ints, floats, 0, rows[each])


@kernel
def project_box(lower: Array, upper: Array, rows: Array, out_rows: Array) -> None:
    """Each angle to its nearer end."""
    for each in range(len(rows)):
        for axis in range(3):
            out_rows[each, axis] = min(max(rows[each, axis], lower[axis]), upper[axis])


@kernel
def project_cone(axes: Array, numbers: Array, corners: Array, centre: Array, rows: Array, out_rows: Array) -> None:
    """Towards angles inside, to the boundary."""
    for each in range(len(rows)):
        for axis in range(3):
            out_rows[each, axis] = rows[each, axis]
        if measure_pointing(axes, numbers, corners, out_rows[each]) > 0.0:
            inner, outer = 0.0, 1.0
            for _ in range(_HALVINGS):
                share = 0.5 * (inner + outer)
                for axis in range(3):
                    out_rows[each, axis] = centre[axis] + share * (rows[each, axis] - centre[axis])
                if measure_pointing(axes, numbers, corners, out_rows[each]) > 0.0:
                    outer = share
                else:
                    inner = share
            for axis in range(3):
                out_rows[each, axis] = centre[axis] + inner * (rows[each, axis] - centre[axis])


@kernel
def project_field(ints: IntArray, floats: Array, rows: Array, out_rows: Array) -> None:
    """Project rows as every solver does."""
    for each in range(len(rows)):
        project_angles(ints, floats, 0, rows[each], out_rows[each])
