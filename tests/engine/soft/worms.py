"""A worm: a long box of tetrahedra that can be simulated, for tests of splines."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.document import Actor, Blob, Document, Key, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.soft.embedding import surface_facets
from engine.soft.meshing import box
from engine.soft.parts import ALPHA, ActivationSpline, SoftBody

SIZE = (0.8, 0.16, 0.16)  # [m], about its middle
KEYS = ((0.0, 1.0), (0.5, 0.7), (1.0, 1.2), (2.0, 1.0))  # [s] and alpha


def along(id: str, y: float = 0.0, **given: Any) -> ActivationSpline:
    """A spline from one end of it to the other, at a height from its middle [m]."""
    points = tuple((x, y, 0.0) for x in (-0.36, -0.12, 0.12, 0.36))
    return ActivationSpline(id=id, name=id.capitalize(), points=points, **given)


def keyed(id: str, y: float = 0.0, keys: tuple[tuple[float, float], ...] = KEYS) -> ActivationSpline:
    """One with keys of alpha."""
    track = Track(coordinate=ALPHA, keys=tuple(Key(round(time * SECOND), alpha) for time, alpha in keys))
    return along(id, y, activation="keys", track=track)


def worm_body(*splines: ActivationSpline, cells: tuple[int, int, int] = (6, 1, 1), **given: Any) -> SoftBody:
    """The body."""
    mesh = box(SIZE, cells)
    facets, _ = surface_facets(mesh)
    used = np.unique(facets)
    place = np.full(len(mesh.points), -1)
    place[used] = np.arange(len(used))
    return SoftBody(
        points=Blob(mesh.points), cells=Blob(mesh.cells), shape="tetrahedra",
        positions=Blob(mesh.points[used].astype(np.float32)), triangles=Blob(place[facets].astype(np.int32)),
        material="corotational", splines=splines, **given,
    )  # fmt: skip


def worm(*splines: ActivationSpline, at: Vector3 = (0.0, 0.3, 0.0), **given: Any) -> Actor:
    """The actor."""
    figure, body = prop("Worm", ()), worm_body(*splines, **given)
    return Actor(id="worm", name="Worm", figure=figure, placement=Placement(position=at), parts=(body,))


def worm_scene(*splines: ActivationSpline, **given: Any) -> Document:
    """A scene of it, two seconds long."""
    return Document(actors=(worm(*splines, **given),), play=Span(start=0, end=2 * SECOND))
