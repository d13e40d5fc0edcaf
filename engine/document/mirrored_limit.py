"""Limits over other hinges: the same region where each angle has another hinge, the other sign, or another place.

With angle k of the new limit s_k times angle `order[k]` of the old one, what was at a is at s a: ends change places,
nodes of a grid and faces of a mesh turn round. A cone's or a polygon's directions are mapped by the reflection M that
takes the frame of the joint to that of the other, and its twist, a turn, changes its sign with the mirror.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import degrees, fsum, prod
from typing import Any

from engine.document.blobs import Blob
from engine.document.limit import (
    Angles,
    BoxRange,
    ConeRange,
    Grid,
    GridRange,
    Limit,
    MeshRange,
    PolygonRange,
    Range,
    SampledRange,
    swing_axes,
)
from engine.document.values import Vector3
from engine.runtime.errors import InvalidDocument

Rows = Sequence[Sequence[float]]
MIRROR: Rows = ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

_ALIKE = 1e-9  # between the cosine of two directions and 1


def mapped_limit(
    limit: Limit,
    dofs: tuple[str, ...],
    signs: Sequence[float],
    *,
    order: Sequence[int] | None = None,
    reflection: Rows = MIRROR,
) -> Limit:
    """The limit over `dofs`; angle k is `signs[k]` times angle `order[k]` of the old one (k, where none is given)."""
    places = tuple(range(len(dofs))) if order is None else tuple(order)
    grid = limit.grid
    moved = Grid(
        counts=tuple(grid.counts[place] for place in places),
        lower=tuple(_first(grid, place, sign) for place, sign in zip(places, signs, strict=True)),
        spacing=_taken(grid.spacing, places),
        periodic=tuple(grid.periodic[place] for place in places),
    )
    strokes = tuple(
        replace(stroke, points=tuple(_turned(_taken(point, places), signs) for point in stroke.points))
        for stroke in limit.strokes
    )
    content = _range(limit.range, places, signs, reflection)
    return replace(limit, dofs=dofs, grid=moved, range=content, strokes=strokes)


def _range(range: Range, places: tuple[int, ...], signs: Sequence[float], reflection: Rows) -> Range:
    columns = list(places)
    if isinstance(range, SampledRange):
        return replace(range, angles=Blob(range.angles.array[:, columns] * tuple(signs) + 0.0))
    if isinstance(range, BoxRange):
        ends = [_taken(each, places) for each in (range.lower, range.upper)]
        pairs = [(a, b) if s > 0.0 else (0.0 - b, 0.0 - a) for a, b, s in zip(*ends, signs, strict=True)]
        return replace(range, lower=tuple(a for a, _ in pairs), upper=tuple(b for _, b in pairs))
    if isinstance(range, GridRange):
        turned: Any = tuple(slice(None, None, 1 if sign > 0.0 else -1) for sign in signs)
        return replace(range, distances=Blob(range.distances.array.transpose(columns)[turned]))
    if isinstance(range, MeshRange):
        faces = range.faces
        if prod(signs) * _parity(places) < 0.0:
            faces = Blob(faces.array[:, ::-1])
        return replace(range, positions=Blob(range.positions.array[:, columns] * tuple(signs) + 0.0), faces=faces)
    first, last = range.twist
    twist = (0.0 - last, 0.0 - first)
    if isinstance(range, ConeRange):
        axis = _image(reflection, range.axis)
        return replace(range, axis=axis, swing=_swing(range, reflection, axis), twist=twist)
    return _polygon(range, reflection, twist)


def _swing(cone: ConeRange, reflection: Rows, axis: Vector3) -> tuple[float, float]:
    """The swings of the image about `axis`: exchanged where the first one's direction becomes the second."""
    first, second = cone.swing
    moved = _image(reflection, swing_axes(cone.axis)[0])
    along, aside = (abs(fsum(a * b for a, b in zip(moved, each, strict=True))) for each in swing_axes(axis))
    if first == second or along > 1.0 - _ALIKE:
        return first, second
    if aside > 1.0 - _ALIKE:
        return second, first
    found = f"{degrees(first):g} and {degrees(second):g} degrees, about directions that the other side has not"
    raise InvalidDocument(what="the swings of a cone to mirror", value=found, allowed="two that are alike")


def _polygon(range: PolygonRange, reflection: Rows, twist: tuple[float, float]) -> PolygonRange:
    corners = tuple(_image(reflection, each) for each in reversed(range.corners))
    return replace(range, axis=_image(reflection, range.axis), corners=corners, twist=twist)


def _first(grid: Grid, place: int, sign: float) -> float:
    """The first node of an axis, which is the last one's image where the sign changes."""
    lower, spacing = grid.lower[place], grid.spacing[place]
    return lower if sign > 0.0 else 0.0 - (lower + (grid.counts[place] - 1) * spacing)


def _taken(values: Angles, places: tuple[int, ...]) -> Angles:
    return tuple(values[place] for place in places)


def _turned(values: Angles, signs: Sequence[float]) -> Angles:
    return tuple(sign * value + 0.0 for value, sign in zip(values, signs, strict=True))


def _parity(places: tuple[int, ...]) -> float:
    swaps = sum(a > b for at, a in enumerate(places) for b in places[at + 1 :])
    return -1.0 if swaps % 2 else 1.0


def _image(reflection: Rows, vector: Vector3) -> Vector3:
    x, y, z = (fsum(a * b for a, b in zip(row, vector, strict=True)) + 0.0 for row in reflection)
    return (x, y, z)
