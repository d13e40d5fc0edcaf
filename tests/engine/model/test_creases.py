"""Normals by crease, and the masses of meshes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.document import Blob, Box, Ellipsoid, Joint, Shape, TriangleMesh
from engine.document.mirrored import mirrored_shape
from engine.model.creases import creased
from engine.model.inertia import body_of, moments_of
from engine.model.solids import Surface, surface_of
from engine.runtime.errors import InvalidDocument


def mesh_of(surface: Surface) -> TriangleMesh:
    return TriangleMesh(
        positions=Blob(surface.positions.astype("<f4")),
        normals=Blob(surface.normals.astype("<f4")),
        triangles=Blob(surface.triangles.astype("<i4")),
    )


def soup(shape: Shape) -> tuple[NDArray[np.float64], NDArray[np.integer]]:
    """Every triangle with corners of its own, as an STL file has them."""
    surface = surface_of(shape)
    points = surface.positions[surface.triangles].reshape(-1, 3)
    return points, np.arange(len(points)).reshape(-1, 3)


def test_a_box_has_sharp_edges_and_a_ball_has_none() -> None:
    box = creased(*soup(Box(half=(0.1, 0.2, 0.3))))
    assert len(box.positions) == 24
    assert set(map(tuple, np.abs(box.normals).tolist())) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    shape = Ellipsoid(radii=(0.5, 0.5, 0.5))
    ball = creased(*soup(shape))
    assert len(ball.positions) == len(surface_of(shape).positions)
    assert np.abs(ball.normals - ball.positions / 0.5).max() < 0.02


def test_a_crease_of_zero_is_flat_and_one_of_a_half_turn_smooth() -> None:
    points, triangles = soup(Box(half=(0.1, 0.1, 0.1)))
    assert len(creased(points, triangles, math.pi).positions) == 8
    ball = creased(*soup(Ellipsoid(radii=(0.5, 0.5, 0.5))), 0.0)
    a, b, c = (ball.positions[ball.triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    assert np.abs(ball.normals[ball.triangles] - faces[:, None]).max() < 1e-6


SOLIDS = (Box(half=(0.1, 0.2, 0.3), centre=(1.0, 2.0, -0.5)), Ellipsoid(radii=(0.3, 0.3, 0.2)))


@pytest.mark.parametrize("shape", SOLIDS)
@pytest.mark.parametrize("inside_out", [False, True])
def test_a_closed_mesh_weighs_what_it_holds(shape: Shape, inside_out: bool) -> None:
    surface = creased(*soup(shape))
    if inside_out:
        surface = surface._replace(triangles=surface.triangles[:, [0, 2, 1]])
    found, wanted = moments_of(mesh_of(surface)), moments_of(shape)
    tolerance = 0.02 if isinstance(shape, Ellipsoid) else 1e-5
    assert found.volume == pytest.approx(wanted.volume, rel=tolerance)
    assert np.abs(found.first - wanted.first).max() < tolerance * wanted.volume
    body_of(Joint(id="j", name="J", shapes=(mesh_of(surface),)))  # an inertia that some mass can have


def test_a_mesh_with_a_hole_weighs_as_its_hull_and_a_flat_one_nothing() -> None:
    box = Box(half=(0.1, 0.2, 0.3))
    points, triangles = soup(box)
    assert moments_of(mesh_of(creased(points, triangles[1:]))).volume == pytest.approx(moments_of(box).volume, rel=1e-5)
    assert body_of(Joint(id="j", name="J", shapes=(mesh_of(creased(points, triangles[:2])),))).mass == 0.0


def test_a_mirrored_mesh_is_a_mirror_image_that_faces_outwards() -> None:
    mesh = mesh_of(creased(*soup(Box(half=(0.1, 0.2, 0.3), centre=(0.5, 0.0, 0.0)))))
    mirrored = mirrored_shape(mesh)
    assert isinstance(mirrored, TriangleMesh)
    assert moments_of(mirrored).first[0] == pytest.approx(-moments_of(mesh).first[0])
    a, b, c = (mirrored.positions.array[mirrored.triangles.array[:, corner]] for corner in range(3))
    normals = mirrored.normals.array[mirrored.triangles.array[:, 0]]
    assert (np.einsum("ni,ni->n", np.cross(b - a, c - a), normals) > 0.0).all()
    assert mirrored_shape(mirrored) == mesh


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"triangles": Blob(np.array([[0, 1, 9]], dtype="<i4"))}, "corner"),
        ({"triangles": Blob(np.array([[0, 1, -1]], dtype="<i4"))}, "corner"),
        ({"triangles": Blob(np.zeros((0, 3), dtype="<i4"))}, "one or more"),
        ({"normals": Blob(np.zeros((3, 3), dtype="<f4"))}, "norm 1"),
        ({"normals": Blob(np.ones((2, 3), dtype="<f4"))}, "normals"),
        ({"positions": Blob(np.zeros((3, 3)))}, "positions"),
    ],
)
def test_an_unsound_mesh_is_refused_by_name(change: dict[str, Blob], said: str) -> None:
    sound = {
        "positions": Blob(np.eye(3, dtype="<f4")),
        "normals": Blob(np.eye(3, dtype="<f4")),
        "triangles": Blob(np.array([[0, 1, 2]], dtype="<i4")),
    }
    TriangleMesh(**sound)  # type: ignore[arg-type]
    with pytest.raises(InvalidDocument, match=said):
        TriangleMesh(**{**sound, **change})  # type: ignore[arg-type]
