"""Lattices over closed surfaces: they cover them, keep what matters, and refuse or mend what is unsound."""

import math
from typing import Any

import numpy as np
import pytest

from engine.limits.winding import add_turns
from engine.limits.wrapping import icosphere
from engine.runtime.errors import InvalidArguments
from engine.soft.closed_surfaces import close_surface
from engine.soft.embedding import embed, surface_facets
from engine.soft.lattice import fill_surface, stiffened
from engine.soft.mesh import UnsoundBody
from engine.soft.meshing import box, split_cubes
from engine.soft.winding_numbers import winding_numbers

BALL = icosphere(2)
BOX = (box((1.0, 2.0, 0.5), (2, 3, 2)).points, surface_facets(box((1.0, 2.0, 0.5), (2, 3, 2)))[0])


def test_a_lattice_covers_its_surface_and_its_tetrahedra_have_no_gaps() -> None:
    points, faces = BALL
    made = fill_surface(points, faces, along=9)
    assert not embed(made.mesh, points).outside.any()
    inside = points[None] * np.linspace(0.0, 0.99, 7)[:, None, None]
    assert not embed(made.mesh, inside.reshape(-1, 3)).outside.any()
    tetrahedra = split_cubes(made)
    assert tetrahedra.volumes.sum() == pytest.approx(made.mesh.volumes.sum(), rel=1e-12)
    outer, _ = surface_facets(tetrahedra)
    assert np.linalg.det(tetrahedra.points[outer]).sum() / 6.0 == pytest.approx(made.mesh.volumes.sum(), rel=1e-12)
    assert not embed(tetrahedra, points).outside.any()


def test_only_cubes_that_are_inside_or_cut_are_kept() -> None:
    points, faces = BALL
    made = fill_surface(points, faces, spacing=0.2)
    middles = np.linalg.norm(made.mesh.points[made.mesh.cells].mean(axis=1), axis=1)
    assert middles.max() < 1.0 + 0.5 * 0.2 * math.sqrt(3.0)
    assert made.mesh.volumes.sum() == pytest.approx(4.0 / 3.0 * math.pi, rel=0.6)
    assert made.mesh.volumes.sum() > 4.0 / 3.0 * math.pi * 0.95


def test_a_box_on_the_lattice_is_filled_exactly() -> None:
    made = fill_surface(*BOX, spacing=0.25)
    assert made.mesh.volumes.sum() == pytest.approx(1.0, rel=1e-12)
    assert len(made.mesh.cells) == 4 * 8 * 2
    assert made.notes == ()


def test_a_hollow_stays_hollow() -> None:
    points, faces = BALL
    shell = np.vstack((points, 0.5 * points)), np.vstack((faces, faces[:, ::-1] + len(points)))
    made = fill_surface(*shell, along=20)
    middles = np.linalg.norm(made.mesh.points[made.mesh.cells].mean(axis=1), axis=1)
    assert middles.min() > 0.35


def test_an_open_surface_is_refused_with_its_place_or_mended() -> None:
    points, faces = BALL
    with pytest.raises(UnsoundBody, match=r"open at 3 edges, the first between \(.*Fill its holes"):
        fill_surface(points, faces[1:], along=8)
    mended = fill_surface(points, faces[1:], along=8, mend=True)
    assert "holes along 3 edges" in mended.notes[0]
    assert len(mended.mesh.cells) == len(fill_surface(points, faces, along=8).mesh.cells)


def test_inverted_surfaces_and_triangles_are_turned_and_that_is_said() -> None:
    points, faces = BALL
    whole = close_surface(points, faces)
    assert whole.notes == ()
    inside_out = close_surface(points, faces[:, ::-1])
    assert "inside out" in inside_out.notes[0]
    assert np.array_equal(inside_out.triangles[:, ::-1], faces) or (inside_out.triangles.shape == whole.triangles.shape)
    mixed = faces.copy()
    mixed[::3] = mixed[::3, ::-1]
    two = np.vstack((points, points + 3.0)), np.vstack((mixed, faces[:, ::-1] + len(points)))
    turned = close_surface(*two)
    assert "turned over" in turned.notes[0]
    volume = np.linalg.det(turned.positions[turned.triangles]).sum() / 6.0
    assert volume == pytest.approx(2.0 * np.linalg.det(points[faces]).sum() / 6.0)


def test_seams_are_joined_and_crossings_are_said() -> None:
    points, faces = BALL
    apart = points[faces].reshape(-1, 3), np.arange(3 * len(faces), dtype=np.int32).reshape(-1, 3)
    assert len(close_surface(*apart).positions) == len(points)
    crossing = np.vstack((points, points + np.array((0.9, 0.2, 0.1)))), np.vstack((faces, faces + len(points)))
    made = fill_surface(*crossing, along=12)
    assert "crosses itself" in made.notes[0]
    both = embed(made.mesh, crossing[0])
    assert not both.outside.any()


def test_pieces_apart_are_said() -> None:
    points, faces = BALL
    made = fill_surface(np.vstack((points, points + 4.0)), np.vstack((faces, faces + len(points))), along=20)
    assert "2 pieces" in made.notes[0]


@pytest.mark.parametrize(
    ("points", "faces", "options", "says"),
    [
        (BALL[0] * np.nan, BALL[1], {}, "vertex 0"),
        (BALL[0], BALL[1] + 1, {}, "asks for a vertex"),
        (BALL[0], BALL[1][:0], {}, "no triangles"),
        (BALL[0] * (1.0, 1.0, 0.0), BALL[1], {}, "encloses nothing"),
        (BALL[0] * 0.0, BALL[1], {}, "no triangle of it has an area"),
        (BALL[0], BALL[1], {"spacing": 1e-4}, "Use cubes of"),
        (BALL[0], BALL[1], {"spacing": 0.012}, "larger cubes"),
        (BALL[0], np.zeros((1_000_001, 3), int), {}, "1,000,001 triangles"),
    ],
)
def test_surfaces_that_cannot_be_filled_are_refused(points, faces, options, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnsoundBody, match=says):
        fill_surface(points, faces, **options)


def test_sizes_of_cubes_are_checked() -> None:
    options: dict[str, Any]
    for options in ({"spacing": 0.0}, {"spacing": math.nan}, {"along": 0}):
        with pytest.raises(InvalidArguments, match="cube"):
            fill_surface(*BALL, **options)


def test_a_skeleton_stiffens_the_cells_that_it_cuts_and_no_others() -> None:
    points, faces = BALL
    bone = points * (0.13, 0.8, 0.13)
    flesh = fill_surface(points, faces, along=12)
    for mesh in (flesh.mesh, split_cubes(flesh)):
        stiff, count = stiffened(mesh, bone, faces)
        raised = stiff.factors == 250.0
        assert count == raised.sum() > 0
        assert ((stiff.factors == 1.0) | raised).all()
        low, high = (reach(mesh.points[mesh.cells], axis=1) for reach in (np.min, np.max))
        meets = ((low < bone.max(axis=0)) & (high > bone.min(axis=0))).all(axis=1)
        assert meets[raised].all()
        held = embed(mesh, np.vstack((bone, bone * 0.5))).cells
        assert raised[held].all()
        assert raised.sum() < 0.5 * len(raised)
    with pytest.raises(UnsoundBody, match="no cell of the body meets it"):
        stiffened(flesh.mesh, points * 0.1 + 5.0, faces)
    with pytest.raises(InvalidArguments, match="factor"):
        stiffened(flesh.mesh, bone, faces, 0.0)


def test_winding_numbers_are_those_of_all_triangles_one_by_one() -> None:
    points, faces = icosphere(3)
    places = np.random.default_rng(8).uniform(-1.3, 1.3, (400, 3))
    for triangles in (faces, faces[40:]):
        exact = np.zeros(len(places))
        add_turns(points, np.ascontiguousarray(triangles, dtype=np.int32), places, exact)
        assert np.abs(winding_numbers(points, triangles, places) - exact).max() < 0.01
