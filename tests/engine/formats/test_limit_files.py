"""Boundaries of joint limits as OBJ files, their fields as numpy archives."""

from __future__ import annotations

import errno
import math
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob
from engine.document.limit import Grid, Limit, MeshRange
from engine.formats import limit_field, limit_mesh
from engine.limits.surface import Boundary, zero_level
from engine.limits.wrapping import icosphere, shrink_wrap
from engine.maths.arrays import Array, IntArray
from engine.project import disk
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.limits.shapes import ball, cube, euler_characteristic, mesh_of, ring, volume

HINGES = ("Shoulder z", "Shoulder y", "Shoulder z2")


def surface_of(mesh: MeshRange) -> Boundary:
    return Boundary(mesh.positions.array, mesh.faces.array)


def test_a_mesh_comes_back_in_degrees_with_its_axes_named(tmp_path: Path) -> None:
    grid = cube(16)
    for surface in (zero_level(grid, ring(grid)), shrink_wrap(grid, ball(grid))):
        limit_mesh.write(tmp_path / "limit.obj", mesh_of(surface), HINGES)
        text = (tmp_path / "limit.obj").read_text()
        assert "degrees" in text.splitlines()[0]
        assert text.splitlines()[1] == "# x: Shoulder z, y: Shoulder y, z: Shoulder z2"
        again = limit_mesh.read(tmp_path / "limit.obj", 3)
        assert np.abs(again.positions.array - surface.positions).max() < 1e-14
        assert (again.faces.array == surface.faces).all()
        largest = max(float(word) for line in text.splitlines() if line[:2] == "v " for word in line.split()[1:])
        assert largest == pytest.approx(math.degrees(surface.positions.max()))


def test_a_line_comes_back(tmp_path: Path) -> None:
    grid = cube(20, size=2)
    lines = zero_level(grid, ball(grid))
    limit_mesh.write(tmp_path / "limit.obj", mesh_of(lines), HINGES[:2])
    again = surface_of(limit_mesh.read(tmp_path / "limit.obj", 2))
    assert volume(again) == pytest.approx(volume(lines))


def test_what_a_modeller_writes_is_welded_turned_and_cut_into_triangles(tmp_path: Path) -> None:
    corners = [(x, y, z) for x in (-30, 30) for y in (-40, 40) for z in (-50, 50)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    lines, count = ["# any modeller", "mtllib box.mtl", "o Box", "v 999 999 999"], 1
    for quad in quads:
        lines += [f"v {corners[each][0]} {corners[each][1]} {corners[each][2]}" for each in quad]
        lines += ["vn 0 1 0", "f " + " ".join(f"{count + each}//1" for each in (4, 3, 2, 1))]
        count += 4
    path = tmp_path / "box.obj"
    path.write_text("\n".join(lines) + "\n")
    box = surface_of(limit_mesh.read(path, 3))
    assert (len(box.positions), len(box.faces)) == (8, 12)
    assert euler_characteristic(box) == 2
    assert volume(box) == pytest.approx(math.radians(60) * math.radians(80) * math.radians(100))


def test_meshes_that_bound_nothing_are_refused_with_file_and_remedy(tmp_path: Path) -> None:
    positions, faces = icosphere(1)
    path = tmp_path / "bad.obj"
    cases: list[tuple[Array, IntArray, str]] = [
        (positions, faces[1:], r"is open at 3 edges, the first between \([-0-9., ]*\)°.*closed surface"),
        (positions * 400.0, faces, r"an angle of 400\.0°"),
        (positions * np.where(np.arange(len(positions)) == 5, -2.0, 1.0)[:, None], faces, "crosses itself"),
    ]
    for points, chosen, words in cases:
        limit_mesh.write(path, MeshRange(positions=Blob(np.radians(points)), faces=Blob(chosen)), HINGES)
        with pytest.raises(UnreadableFile, match=words):
            limit_mesh.read(path, 3)
    path.write_text("v 0 0 0\n")
    for size, words in ((3, "0 triangles"), (2, "0 lines")):
        with pytest.raises(UnreadableFile, match=words):
            limit_mesh.read(path, size)
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n")
    with pytest.raises(UnreadableFile, match=r"open at 2 vertices.*closed line"):
        limit_mesh.read(path, 2)
    path.write_text("v 0 0 0\nv 1 0 nan\nv 1 1 0\nf 1 2 3\n")
    with pytest.raises(UnreadableFile, match=r"line 2"):
        limit_mesh.read(path, 3)
    path.write_text("v 0 0 0\nl 1 7\n")
    with pytest.raises(UnreadableFile, match="vertex 7 of 1"):
        limit_mesh.read(path, 2)


def test_a_field_comes_back_to_the_bit_and_makes_a_limit(tmp_path: Path) -> None:
    grid = Grid(counts=(12, 9), lower=(-math.pi, -0.3), spacing=(math.tau / 12, 0.1), periodic=(True, False))
    distances = np.random.default_rng(1).normal(size=grid.counts)
    limit_field.write(tmp_path / "hip.field.npz", grid, distances, HINGES[:2])
    found = limit_field.read(tmp_path / "hip.field.npz")
    assert found.grid == grid
    assert found.hinges == HINGES[:2]
    assert (found.range.distances.array == distances).all()
    Limit(id="l", name="Hip", dofs=("a", "b"), range=found.range, grid=found.grid)


def test_unsound_fields_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.field.npz"
    sound = {
        "distances": ball(cube(4)),
        "lower": np.full(3, -1.5),
        "spacing": np.full(3, 1.0),
        "periodic": np.zeros(3, dtype=np.bool_),
        "hinges": np.array(HINGES),
    }
    hole = ball(cube(4))
    hole[1, 2, 3] = np.nan
    cases: list[tuple[dict[str, object], str]] = [
        ({"distances": hole}, "1 of 64 distances that are not finite"),
        ({"distances": ball(cube(4)) * 1e9}, "beyond 100 rad"),
        ({"distances": np.ones((4, 4))}, r"arrays that do not fit: distances float64 \[4, 4\]"),
        ({"distances": np.ones((1, 1, 1, 1, 1, 1))}, "arrays that do not fit"),
        ({"distances": np.ones((4, 4, 4), dtype=np.int64)}, "int64"),
        ({"distances": np.ones((4, 1, 4))}, "the nodes of a grid"),
        ({"spacing": np.array([1.0, 0.0, 1.0])}, "the spacing of a grid"),
        ({"lower": np.array([1.0, np.nan, 1.0])}, "the first node of a grid"),
        ({"periodic": np.ones(3, dtype=np.bool_)}, "2 pi in all"),
        ({"periodic": np.zeros(3)}, "periodic float64"),
        ({"hinges": np.array(HINGES[:2])}, "arrays that do not fit"),
        ({"distances": np.array([object()] * 3, dtype=object)}, "distances"),
    ]
    for changed, words in cases:
        np.savez(path, **{**sound, **changed})  # type: ignore[arg-type]
        with pytest.raises(UnreadableFile, match=words):
            limit_field.read(path)
    np.savez(path, distances=sound["distances"])
    with pytest.raises(UnreadableFile, match="no array 'lower'"):
        limit_field.read(path)
    path.write_bytes(b"no archive")
    with pytest.raises(UnreadableFile, match="no sound NPZ file"):
        limit_field.read(path)
    with pytest.raises(UnreadableFile, match="Check the name, and that the file is there"):
        limit_field.read(tmp_path / "missing.field.npz")


class FullDisk(disk.Disk):
    """Has no room left."""

    def write(self, path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_and_a_vanished_folder_leave_what_stood_there(tmp_path: Path) -> None:
    grid, mesh, field = cube(8), tmp_path / "limit.obj", tmp_path / "limit.field.npz"
    mesh.write_text("before")
    field.write_text("before")
    former = disk.put(FullDisk())
    try:
        with pytest.raises(UnwritableFile, match="disk is full"):
            limit_mesh.write(mesh, mesh_of(zero_level(grid, ball(grid))), HINGES)
        with pytest.raises(UnwritableFile, match="disk is full"):
            limit_field.write(field, grid, ball(grid), HINGES)
    finally:
        disk.put(former)
    assert [each.read_text() for each in (mesh, field)] == ["before", "before"]
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(UnwritableFile, match="no such folder"):
        limit_field.write(tmp_path / "gone" / "limit.field.npz", grid, ball(grid), HINGES)
