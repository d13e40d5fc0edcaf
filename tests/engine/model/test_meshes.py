"""Meshes: closed, outward, and as large as the solids they stand for."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.document import (
    Actor,
    Box,
    Capsule,
    Document,
    Ellipsoid,
    Figure,
    Joint,
    Loft,
    Section,
    Shape,
    decode_document,
    encode_document,
)
from engine.document.values import Vector3
from engine.evaluate import mesh_of
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.meshes import Mesh, build_mesh
from engine.model.solids import monotone_cubic, segment_count
from engine.runtime.errors import InvalidDocument


def cylinder(caps: tuple[float, float], **section: float) -> Loft:
    """A straight loft of length 1 with half extents of 0.1."""
    ends = tuple(Section(along=along, width=0.1, depth=0.1, **section) for along in (0.0, 1.0))
    return Loft(sections=ends, caps=caps)


TAPERED = Loft(
    sections=(
        Section(along=-0.1, width=0.05, depth=0.04, depth_back=0.08, shift_front=0.02),
        Section(along=0.1, width=0.09, depth=0.06, squareness=0.5, shift_side=0.03),
        Section(along=0.4, width=0.03, depth=0.02),
    ),
    axis=(1.0, 2.0, 0.5),
    side=(0.0, 1.0, 1.0),
    origin=(0.1, 0.2, 0.3),
    caps=(0.0, 1.5),
)
SHAPES: dict[str, Shape] = {
    "sphere": Ellipsoid(radii=(0.1, 0.1, 0.1), centre=(1.0, 2.0, 3.0)),
    "ellipsoid": Ellipsoid(radii=(0.02, 0.1, 0.3)),
    "capsule": Capsule(start=(0.0, 0.0, 0.0), end=(0.1, 0.3, -0.2), radius=0.05),
    "capsule of no length": Capsule(start=(0.1, 0.0, 0.0), end=(0.1, 0.0, 0.0), radius=0.05),
    "sharp box": Box(half=(0.1, 0.2, 0.3), centre=(0.5, 0.0, 0.0)),
    "rounded box": Box(half=(0.1, 0.2, 0.3), rounding=0.04),
    "box that is a sphere": Box(half=(0.1, 0.1, 0.1), rounding=0.1),
    "cylinder with round ends": cylinder((1.0, 1.0)),
    "cylinder with flat ends": cylinder((0.0, 0.0)),
    "tapered loft": TAPERED,
}


@pytest.fixture(params=SHAPES, name="mesh")
def _mesh(request: pytest.FixtureRequest) -> Mesh:
    return build_mesh([(SHAPES[request.param],)])


def corners(mesh: Mesh) -> Array:
    """The three corners of every triangle, shape [triangle_count, 3, 3]."""
    return mesh.positions.astype(float)[mesh.triangles]


def face_vectors(mesh: Mesh) -> Array:
    """Outward face vectors, as long as twice the areas."""
    a, b, c = corners(mesh).swapaxes(0, 1)
    return np.asarray(np.cross(b - a, c - a))


def area(mesh: Mesh) -> float:
    return float(0.5 * np.linalg.norm(face_vectors(mesh), axis=1).sum())


def volume(mesh: Mesh) -> float:
    a, b, c = corners(mesh).swapaxes(0, 1)
    return float(np.einsum("ij,ij", a, np.cross(b, c)) / 6.0)


def welded(mesh: Mesh) -> NDArray[np.int64]:
    """Triangles by place: vertices of the same body at one place count as one."""
    keyed = np.column_stack((np.round(mesh.positions.astype(float), 6), mesh.body))
    return np.asarray(np.unique(keyed, axis=0, return_inverse=True)[1].reshape(-1)[mesh.triangles.astype(int)])


def edges(triangles: NDArray[np.int64]) -> Counter[tuple[int, int]]:
    return Counter((int(t[i]), int(t[(i + 1) % 3])) for t in triangles for i in range(3))


def test_surface_is_closed_every_edge_used_once_each_way(mesh: Mesh) -> None:
    found = edges(welded(mesh))
    assert set(found.values()) == {1}
    assert all((b, a) in found for a, b in found)


def test_surface_has_the_topology_of_a_sphere(mesh: Mesh) -> None:
    triangles = welded(mesh)
    assert len(np.unique(triangles)) - len(edges(triangles)) // 2 + len(triangles) == 2


def test_no_triangle_is_degenerate(mesh: Mesh) -> None:
    sides = np.linalg.norm(corners(mesh) - np.roll(corners(mesh), 1, axis=1), axis=2)
    assert sides.min() > 1e-5
    assert np.linalg.norm(face_vectors(mesh), axis=1).min() > 1e-9


def test_normals_are_unit_and_outward(mesh: Mesh) -> None:
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
    faces = face_vectors(mesh)
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    assert np.einsum("ijk,ik->ij", mesh.normals[mesh.triangles], faces).min() > 0.0
    assert volume(mesh) > 0.0


@pytest.mark.parametrize(
    ("shape", "wanted_area", "wanted_volume"),
    [
        (Ellipsoid(radii=(0.1, 0.1, 0.1)), 4.0 * math.pi * 0.01, 4.0 / 3.0 * math.pi * 0.001),
        (
            Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.3, 0.4), radius=0.1),
            2.0 * math.pi * 0.1 * 0.5 + 4.0 * math.pi * 0.01,
            math.pi * 0.01 * 0.5 + 4.0 / 3.0 * math.pi * 0.001,
        ),
        (
            Box(half=(0.1, 0.2, 0.3), rounding=0.05),
            8.0 * (0.05 * 0.15 + 0.15 * 0.25 + 0.25 * 0.05) + 4.0 * math.pi * 0.05 * 0.45 + 4.0 * math.pi * 0.0025,
            8.0 * (0.05 * 0.15 * 0.25 + 0.05 * (0.05 * 0.15 + 0.15 * 0.25 + 0.25 * 0.05))
            + 2.0 * math.pi * 0.0025 * 0.45
            + 4.0 / 3.0 * math.pi * 0.05**3,
        ),
        (
            cylinder((1.0, 1.0)),
            2.0 * math.pi * 0.1 + 4.0 * math.pi * 0.01,
            math.pi * 0.01 + 4.0 / 3.0 * math.pi * 0.001,
        ),
    ],
    ids=["sphere", "capsule", "rounded box", "loft"],
)
def test_area_and_volume_match_closed_forms(shape: Shape, wanted_area: float, wanted_volume: float) -> None:
    mesh = build_mesh([(shape,)])
    # A polyhedron inscribed in a curved solid is a little smaller, by the square of the angle between its faces.
    bound = 1.0 - 0.5 * (2.0 * math.pi / segment_count(0.05)) ** 2
    assert bound < volume(mesh) / wanted_volume <= 1.0 + 1e-6
    assert bound < area(mesh) / wanted_area <= 1.0 + 1e-6


def test_sharp_box_is_exact_and_its_faces_are_flat() -> None:
    mesh = build_mesh([(Box(half=(0.1, 0.2, 0.3)),)])
    assert volume(mesh) == pytest.approx(0.048, rel=1e-6)
    assert area(mesh) == pytest.approx(0.88, rel=1e-6)
    assert set(np.abs(mesh.normals).max(axis=1)) == {1.0}


@pytest.mark.parametrize("name", ["sphere", "ellipsoid", "capsule of no length"])
def test_normals_of_round_solids_are_exact(name: str) -> None:
    shape, mesh = SHAPES[name], build_mesh([(SHAPES[name],)])
    radii = np.array(shape.radii if isinstance(shape, Ellipsoid) else (0.05, 0.05, 0.05))
    centre = np.array(shape.centre if isinstance(shape, Ellipsoid) else (0.1, 0.0, 0.0))
    wanted = (mesh.positions - centre) / radii**2
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    assert np.abs(mesh.normals - wanted).max() < 1e-4


def test_normals_of_a_loft_follow_its_surface() -> None:
    mesh = build_mesh([(cylinder((1.0, 1.0)),)])
    nearest = np.clip(mesh.positions[:, 1], 0.0, 1.0)
    wanted = mesh.positions - np.stack((0 * nearest, nearest, 0 * nearest), axis=1)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    error = np.degrees(np.arccos(np.clip((mesh.normals * wanted).sum(axis=1), -1.0, 1.0)))
    # At the rims the curvature jumps, and a mean of two faces lies between.
    assert error.max() < 6.0
    assert np.median(error) < 0.1


def test_loft_reaches_its_sections_and_never_swells_beyond_them() -> None:
    loft = Loft(
        sections=(
            Section(along=0.0, width=0.05, depth=0.05, depth_back=0.02),
            Section(along=0.1, width=0.09, depth=0.05, depth_back=0.03),
            Section(along=0.3, width=0.04, depth=0.06, depth_back=0.01),
        ),
        caps=(0.5, 0.5),
    )
    low, high = (build_mesh([(loft,)]).positions.min(axis=0), build_mesh([(loft,)]).positions.max(axis=0))
    assert high == pytest.approx([0.09, 0.305, 0.06], abs=1e-6)
    assert low == pytest.approx([-0.09, -0.01, -0.03], abs=1e-6)


def test_monotone_cubic_keeps_knots_and_order() -> None:
    x, values = np.array([0.0, 1.0, 3.0, 4.0]), np.array([[0.0, 5.0], [1.0, 5.0], [1.5, 2.0], [6.0, 4.0]])
    assert np.array_equal(monotone_cubic(x, values, x), values)
    fine = monotone_cubic(x, values, np.linspace(0.0, 4.0, 401))
    assert (np.diff(fine[:, 0]) >= -1e-12).all()
    assert fine[:, 1].min() == pytest.approx(2.0)
    assert fine[:, 1].max() == pytest.approx(5.0)


def test_two_sections_make_a_straight_taper() -> None:
    x, values = np.array([0.0, 2.0]), np.array([[1.0], [3.0]])
    assert monotone_cubic(x, values, np.array([0.5, 1.0]))[:, 0] == pytest.approx([1.5, 2.0])


def test_bodies_keep_their_numbers_and_their_tones() -> None:
    ball, dark = Ellipsoid(radii=(0.1, 0.1, 0.1)), Ellipsoid(radii=(0.1, 0.1, 0.1), tone=0.5)
    mesh = build_mesh([(ball,), (), (ball, dark)])
    assert sorted(set(mesh.body.tolist())) == [0, 2]
    assert (mesh.body == 2).sum() == 2 * (mesh.body == 0).sum()
    assert set(mesh.tone[mesh.body == 0]) == {1.0}
    assert set(mesh.tone[mesh.body == 2]) == {1.0, 0.5}
    assert len({len(array) for array in (mesh.positions, mesh.normals, mesh.body, mesh.tone)}) == 1
    assert (np.ptp(mesh.body[mesh.triangles], axis=1) == 0).all()


@pytest.mark.parametrize("bodies", [[], [()], [(), ()]])
def test_nothing_gives_an_empty_mesh(bodies: list[tuple[Shape, ...]]) -> None:
    mesh = build_mesh(bodies)
    assert mesh.positions.shape == mesh.normals.shape == mesh.triangles.shape == (0, 3)
    assert len(mesh.digest) == 32


def test_arrays_have_the_types_that_are_drawn_and_are_read_only() -> None:
    mesh = build_mesh([(TAPERED,)])
    types = [array.dtype for array in (mesh.positions, mesh.normals, mesh.body, mesh.triangles, mesh.tone)]
    assert types == [np.float32, np.float32, np.int32, np.uint32, np.float32]
    with pytest.raises(ValueError, match="read-only"):
        mesh.positions[0, 0] = 1.0


def test_digest_is_of_the_content() -> None:
    again = Ellipsoid(radii=(0.1, 0.1, 0.1), centre=(1.0, 2.0, 3.0))
    assert build_mesh([(again,)]).digest == build_mesh([(SHAPES["sphere"],)]).digest
    other = Ellipsoid(radii=(0.1, 0.1, 0.1), centre=(1.0, 2.0, 3.0), tone=0.9)
    assert build_mesh([(other,)]).digest != build_mesh([(again,)]).digest


def test_shapes_survive_the_text_form_of_a_document() -> None:
    figure = Figure(name="All", joints=(Joint(id="all", name="All", shapes=tuple(SHAPES.values())),))
    document = Document(actors=(Actor(id="a", name="A", figure=figure),))
    again = decode_document(document.digest, encode_document(document).texts, lambda digest: b"")
    found = again.actors[0].figure
    assert found is not None
    assert found.joints[0].shapes == tuple(SHAPES.values())
    assert mesh_of(found).digest == build_mesh([tuple(SHAPES.values())]).digest


@pytest.mark.parametrize(
    ("axis", "side"),
    [((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), ((0.0, 1.0, 0.0), (0.0, -2.0, 0.0))],
    ids=["zero", "parallel"],
)
def test_loft_refuses_directions_that_span_no_plane(axis: Vector3, side: Vector3) -> None:
    with pytest.raises(InvalidDocument, match="axis and side"):
        Loft(sections=TAPERED.sections, axis=axis, side=side)


@pytest.mark.parametrize("tone", [-0.1, 1.1])
def test_tone_out_of_range_is_refused(tone: float) -> None:
    with pytest.raises(InvalidDocument, match="tone"):
        Ellipsoid(radii=(1.0, 1.0, 1.0), tone=tone)


def test_human_is_detailed_but_light() -> None:
    figure = load_figure("human")
    mesh = build_mesh([joint.shapes for joint in figure.joints])
    assert 12_000 <= len(mesh.triangles) <= 18_000
    found = edges(welded(mesh))
    assert all((b, a) in found for a, b in found)
