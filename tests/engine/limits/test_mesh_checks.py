"""Meshes that bound nothing are refused, with where and how often."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from engine.limits.mesh_checks import check_mesh, outwards
from engine.limits.surface import Boundary
from engine.limits.wrapping import icosphere
from engine.runtime.errors import InvalidDocument
from tests.engine.limits.shapes import volume

LINE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
ROUND = np.array([(0, 1), (1, 2), (2, 3), (3, 0)], dtype=np.int32)


def ball() -> Boundary:
    return Boundary(*icosphere(2))


def without_faces(count: int) -> Boundary:
    return ball()._replace(faces=ball().faces[count:])


def turned_over() -> Boundary:
    faces = ball().faces.copy()
    faces[5] = faces[5][::-1]
    return ball()._replace(faces=faces)


def with_a_fin() -> Boundary:
    positions = np.concatenate((ball().positions, [[2.0, 2.0, 2.0]]))
    a, b, _ = ball().faces[0]
    return Boundary(positions, np.concatenate((ball().faces, [[a, b, len(positions) - 1]])).astype(np.int32))


def pushed_through() -> Boundary:
    """One vertex stands beyond the other side."""
    positions = ball().positions.copy()
    positions[20] *= -2.0
    return ball()._replace(positions=positions)


def two_that_overlap() -> Boundary:
    positions, faces = ball()
    moved = np.concatenate((positions, positions + np.array([0.9, 0.1, 0.2])))
    return Boundary(moved, np.concatenate((faces, faces + len(positions))).astype(np.int32))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: without_faces(1), r"open at 3 edges, the first between \(.*\)° and \(.*\)°.*fill the holes"),
        (lambda: without_faces(319), "open at 3 edges"),
        (turned_over, "turned over at 3 edges"),
        (with_a_fin, "open at 2 edges"),
        (pushed_through, r"crosses itself at \d+ edges, the first from"),
        (two_that_overlap, "crosses itself at"),
        (lambda: ball()._replace(faces=ball().faces[:0]), "without faces"),
        (lambda: ball()._replace(positions=ball().positions * 1e-9), "encloses nothing"),
        (lambda: ball()._replace(faces=np.array([(0, 1, 1)], dtype=np.int32)), "name a vertex twice"),
        (lambda: Boundary(LINE, ROUND[:3]), r"open at 2 vertices, the first at \(0.0, 0.0\)°"),
        (lambda: Boundary(LINE, np.array([(0, 1), (1, 2), (3, 2), (3, 0)], dtype=np.int32)), "meet wrongly"),
        (lambda: Boundary(LINE[[0, 2, 1, 3]] + [[0, 0], [0.2, 0.1], [0, 0], [0, 0]], ROUND), "crosses itself at one"),
        (lambda: Boundary(np.zeros((4, 4)), np.zeros((1, 4), dtype=np.int32)), "4 angles"),
    ],
)
def test_what_encloses_nothing_is_refused(made: Callable[[], Boundary], words: str) -> None:
    with pytest.raises(InvalidDocument, match=words):
        check_mesh(*made())


def test_closed_meshes_and_several_apart_are_taken() -> None:
    positions, faces = ball()
    check_mesh(positions, faces)
    apart = np.concatenate((positions, positions + np.array([2.5, 0.0, 0.0])))
    check_mesh(apart, np.concatenate((faces, faces + len(positions))).astype(np.int32))
    check_mesh(LINE, ROUND)


def test_three_faces_at_an_edge_are_refused() -> None:
    positions, faces = ball()
    a, b, c = faces[0]
    top = len(positions)
    tent = [(a, b, top), (b, c, top), (c, a, top), (a, c, b)]
    mesh = Boundary(np.concatenate((positions, [positions[faces[0]].mean(axis=0) * 1.5])), np.array([*faces, *tent]))
    with pytest.raises(InvalidDocument, match="shared by three faces or more at 3 edges"):
        check_mesh(mesh.positions, mesh.faces.astype(np.int32))


def test_a_mesh_inside_out_is_turned() -> None:
    positions, faces = ball()
    inside_out = np.ascontiguousarray(faces[:, ::-1])
    assert volume(Boundary(positions, inside_out)) < 0.0
    assert volume(Boundary(positions, outwards(positions, inside_out))) == pytest.approx(4 / 3 * math.pi, rel=0.06)
    assert (outwards(positions, faces) == faces).all()
