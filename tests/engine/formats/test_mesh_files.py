"""OBJ, PLY, STL and OFF: what is read, what is refused, and OBJ written."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from engine.formats import obj, off, ply, stl
from engine.formats.format import Contents, Format, Options
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.drawn import HealthCheck, given, settings, st
from tests.engine.shared_data import shared

FORMATS = {each.suffixes[0]: each for each in (obj.FORMAT, ply.FORMAT, stl.FORMAT, off.FORMAT)}
QUAD = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
PLY_QUAD = (
    "ply\nformat ascii 1.0\ncomment a quad and a triangle\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 1 2\n"
)
DEFAULT = Options()
FOUR = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)


def read(path: Path, content: str | bytes, options: Options = DEFAULT) -> Contents:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    reader = FORMATS[path.suffix].read
    assert reader is not None
    return reader(path, options)


def area(contents: Contents) -> float:
    total = 0.0
    for surface in contents.surfaces:
        a, b, c = (surface.positions[surface.triangles[:, each]] for each in range(3))
        total += float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2
    return total


def binary_ply(order: str, faces: bytes, count: int) -> bytes:
    name = {"<": "binary_little_endian", ">": "binary_big_endian"}[order]
    head = f"ply\nformat {name} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    head += f"element face {count}\nproperty list uchar int vertex_indices\nend_header\n"
    return head.encode() + struct.pack(f"{order}12f", *FOUR.ravel()) + faces


def binary_stl(corners: list[float]) -> bytes:
    count = len(corners) // 9
    each = [struct.pack("<12fH", 0, 0, 0, *corners[9 * n : 9 * n + 9], 0) for n in range(count)]
    return b"solid, yet binary".ljust(80) + struct.pack("<I", count) + b"".join(each)


def test_polygons_become_triangles_that_cover_them(tmp_path: Path) -> None:
    contents = read(tmp_path / "a.obj", QUAD + "f 1 2 3 4\n")
    assert contents.surfaces[0].triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert area(contents) == pytest.approx(1.0, abs=1e-15)


def test_a_concave_polygon_is_not_folded_over(tmp_path: Path) -> None:
    arrow = "v 0 0 5\nv 2 0 5\nv 2 2 5\nv 1 0.5 5\nv 0 2 5\n"
    for start in range(5):
        order = " ".join(str((start + each) % 5 + 1) for each in range(5))
        contents = read(tmp_path / "a.obj", f"{arrow}f {order}\n")
        assert area(contents) == pytest.approx(2.5, abs=1e-12)


def test_objects_become_surfaces_and_groups_do_where_there_are_none(tmp_path: Path) -> None:
    faces = "o one\nf 1 2 3\ng inner\nf 1 3 4\no two\nf 1 2 4\n"
    assert [each.name for each in read(tmp_path / "a.obj", QUAD + faces).surfaces] == ["one", "two"]
    grouped = QUAD + "g one\nf 1 2 3\ng two\nf 1 3 4\n"
    assert [each.name for each in read(tmp_path / "a.obj", grouped).surfaces] == ["one", "two"]
    assert len(read(tmp_path / "a.obj", grouped).surfaces[0].positions) == 3


def test_a_vertex_with_two_normals_becomes_two(tmp_path: Path) -> None:
    faces = "vn 0 0 2\nvn 0 3 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n"
    surface = read(tmp_path / "a.obj", QUAD + faces).surfaces[0]
    assert surface.normals is not None
    assert len(surface.positions) == 6
    assert surface.normals[surface.triangles[0, 0]].tolist() == [0.0, 0.0, 1.0]
    assert surface.normals[surface.triangles[1, 0]].tolist() == [0.0, 1.0, 0.0]


def test_indices_count_back_and_lines_go_on(tmp_path: Path) -> None:
    contents = read(tmp_path / "a.obj", QUAD.replace("\n", "\r\n") + "f -4 \\\r\n -3 -2 # the last\r\n")
    assert contents.surfaces[0].positions[contents.surfaces[0].triangles[0]].tolist() == FOUR[:3].tolist()


def test_unit_and_upward_axis_are_asked_for(tmp_path: Path) -> None:
    contents = read(tmp_path / "a.obj", QUAD + "v 0 0 10\nf 1 2 5\n", Options(unit=0.01, up="z"))
    top = contents.surfaces[0].positions[2]
    assert top == pytest.approx([0.0, 0.1, 0.0], abs=1e-15)


def test_triangles_without_area_are_dropped_and_said(tmp_path: Path) -> None:
    contents = read(tmp_path / "a.obj", QUAD + "o flag\nf 1 2 3\nf 1 1 2\nv 2 0 0\nf 1 2 5\n")
    assert len(contents.surfaces[0].triangles) == 1
    assert "2 triangles of flag without area, left out" in contents.notes


@pytest.mark.parametrize("order", "<>")
def test_binary_ply_mixes_triangles_and_quads(tmp_path: Path, order: str) -> None:
    faces = struct.pack(f"{order}B4i", 4, 0, 1, 2, 3) + struct.pack(f"{order}B3i", 3, 0, 1, 2)
    contents = read(tmp_path / "a.ply", binary_ply(order, faces, 2))
    assert contents.surfaces[0].triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2]]
    assert contents.surfaces[0].triangles.tolist() == read(tmp_path / "b.ply", PLY_QUAD).surfaces[0].triangles.tolist()


def test_ply_keeps_normals(tmp_path: Path) -> None:
    text = PLY_QUAD.replace("property float z\n", "property float z\nproperty float nx\nproperty float ny\n")
    text = text.replace("property float ny\n", "property float ny\nproperty float nz\n").replace(" 0\n", " 0 0 0 1\n")
    normals = read(tmp_path / "a.ply", text).surfaces[0].normals
    assert normals is not None
    assert normals.tolist() == [[0.0, 0.0, 1.0]] * 4


def test_stl_joins_corners_at_the_same_place(tmp_path: Path) -> None:
    corners = [*FOUR[0], *FOUR[1], *FOUR[2], *FOUR[0], *FOUR[2], *FOUR[3]]
    contents = read(tmp_path / "a.stl", binary_stl(corners))
    assert contents.surfaces[0].positions.tolist() == FOUR.tolist()
    assert contents.surfaces[0].triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_stl_text_may_hold_several_solids(tmp_path: Path) -> None:
    solid = "solid {0}\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\nendloop\n"
    solid += "endfacet\nendsolid {0}\n"
    contents = read(tmp_path / "a.stl", solid.format("a") + solid.format("b").upper())
    assert [each.name for each in contents.surfaces] == ["a", "B"]


def test_off_reads_counts_on_the_first_line_and_polygons(tmp_path: Path) -> None:
    contents = read(tmp_path / "a.off", "OFF 4 1 0\n# a quad\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n")
    assert area(contents) == pytest.approx(1.0, abs=1e-15)


def test_obj_is_written_in_full(tmp_path: Path) -> None:
    rough = np.random.default_rng(3).normal(size=(4, 3))
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in rough.tolist())
    once = read(tmp_path / "a.obj", text + "vn 0 0 1\no one\nf 1//1 2//1 3//1\no two\nf 1 3 4\n")
    obj.write(tmp_path / "b.obj", once, Options(unit=0.01, up="z"))
    again = obj.read(tmp_path / "b.obj", Options(unit=0.01, up="z"))
    for first, second in zip(once.surfaces, again.surfaces, strict=True):
        assert first.name == second.name
        np.testing.assert_allclose(first.positions, second.positions, atol=1e-15)
        np.testing.assert_array_equal(first.triangles, second.triangles)
        assert (first.normals is None) == (second.normals is None)


def test_obj_without_surfaces_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match="no surface"):
        obj.write(tmp_path / "a.obj", Contents(), Options())
    assert not (tmp_path / "a.obj").exists()


@pytest.mark.parametrize(
    ("name", "content", "line", "found"),
    [
        ("a.obj", "", None, "empty file"),
        ("a.obj", QUAD + "f 1 2 9\n", 5, "vertex 9 of 4"),
        ("a.obj", QUAD + "f 1 2 0\n", 5, "vertex 0 of 4"),
        ("a.obj", QUAD + "f 1 2\n", 5, "2 corners"),
        ("a.obj", QUAD + "f 1 2 3.5\n", 5, "3.5"),
        ("a.obj", QUAD + "f 1//1 2//1 3//1\n", 5, "normal 1 of 0"),
        ("a.obj", "v 0 nan 0\n" + QUAD + "f 1 2 3\n", 1, "nan"),
        ("a.obj", "v 0 1.2.3 0\n", 1, "1.2.3"),
        ("a.obj", QUAD, 4, "no face"),
        ("a.obj", b"v 0 0 0\n\x00\x01", 2, "binary"),
        ("a.ply", "plx\n", None, "begin with ply"),
        ("a.ply", PLY_QUAD[:120], 8, "end_header"),
        ("a.ply", PLY_QUAD.replace("vertex 4", "vertex 99999999999"), None, "99,999,999,999 rows"),
        ("a.ply", PLY_QUAD.replace("3 0 1 2\n", ""), 15, "1 of 2 rows of face"),
        ("a.ply", PLY_QUAD.replace("3 0 1 2\n", "3 0 1 7\n"), None, "vertex 7 of 4"),
        ("a.ply", PLY_QUAD.replace("1 1 0\n", "1 nan 0\n"), 13, "nan"),
        ("a.ply", PLY_QUAD.replace("float x", "fraction x"), 5, "fraction"),
        ("a.ply", binary_ply("<", struct.pack("<B2i", 3, 0, 1), 1), None, "a list of 3|end of the file"),
        ("a.stl", b"solid", 1, "endsolid"),
        ("a.stl", binary_stl([0.0] * 9)[:-1], None, "133 bytes"),
        ("a.stl", binary_stl([float("nan")] * 9), None, "nan"),
        ("a.stl", binary_stl([0.0] * 9), None, "no triangle"),
        ("a.stl", "solid a\nvertex 0 0 0\nendloop\nendsolid\n", 3, "1 corners"),
        ("a.stl", "solid a\nfacet\nouter loop\nvertex 0 0 0\n", 4, "endsolid"),
        ("a.off", "OFF\n4 1\n0 0 0\n", 2, "1 rows for 4"),
        ("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", 6, "vertex '3' of 3"),
        ("a.off", "OFF\n99999999999 1 0\n", 2, "rows for"),
        ("a.off", "OFF\nmany\n", 2, "instead of counts"),
    ],
)
def test_unsound_files_are_refused_with_place_and_reason(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, found: str
) -> None:
    with pytest.raises(UnreadableFile, match=found) as caught:
        read(tmp_path / name, content)
    assert caught.value.line == line
    assert caught.value.path == tmp_path / name


def test_every_shared_mesh_reads() -> None:
    expected = {
        "assimp_OBJ/box.obj": (8, 12),
        "assimp_OFF/Cube.off": (8, 12),
        "assimp_PLY/cube.ply": (8, 12),
        "assimp_PLY/cube_binary.ply": (8, 12),
        "assimp_PLY/float-color.ply": (3, 1),
        "assimp_STL/Spider_ascii.stl": (722, 1312),
        "assimp_STL/triangle.stl": (3, 1),
        "spot.obj": (2930, 5856),
    }
    for name, counts in expected.items():
        path = shared("meshes", *name.split("/"))
        reader = FORMATS[path.suffix].read
        assert reader is not None
        surface = reader(path, Options()).surfaces[0]
        assert (len(surface.positions), len(surface.triangles)) == counts, name
    spider = obj.read(shared("meshes", "assimp_OBJ", "spider.obj"), Options())
    assert len(spider.surfaces) == 19
    assert all(surface.normals is not None for surface in spider.surfaces)


@pytest.mark.parametrize(
    "name", ["assimp_STL/Spider_ascii.stl", "assimp_PLY/cube.ply", "assimp_PLY/cube_binary.ply", "assimp_OFF/Cube.off"]
)
def test_areas_agree_with_trimesh(name: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = shared("meshes", *name.split("/"))
    reader = FORMATS[path.suffix].read
    assert reader is not None
    peer = trimesh.load(path, force="mesh", process=False)
    assert area(reader(path, Options())) == pytest.approx(peer.area, rel=1e-9)


def _survives(format: Format, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert format.read is not None
    try:
        contents = format.read(path, Options())
    except UnreadableFile:
        return
    for surface in contents.surfaces:
        assert np.isfinite(surface.positions).all()
        assert 0 <= surface.triangles.min() <= surface.triangles.max() < len(surface.positions)


SEEDS = {
    ".obj": [(QUAD + "vn 0 0 1\no a\nf 1//1 2//1 3//1 4//1\nf -1 -2 -3\n").encode()],
    ".ply": [PLY_QUAD.encode(), binary_ply("<", struct.pack("<B3i", 3, 0, 1, 2) * 2, 2)],
    ".stl": [
        binary_stl([*FOUR[0], *FOUR[1], *FOUR[2]]),
        b"solid a\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendsolid",
    ],
    ".off": [b"OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"],
}


@st.composite
def damaged(draw: st.DrawFn, suffix: str) -> bytes:
    """A sound file with bytes replaced, put in or cut out."""
    content = bytearray(draw(st.sampled_from(SEEDS[suffix])))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.integers(0, 8))] = draw(
            st.binary(max_size=8) | st.sampled_from([b"nan", b"-", b"99999999"])
        )
    return bytes(content)


def _fuzz(suffix: str, folder: Path, examples: int) -> None:
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

    @settings(max_examples=examples, suppress_health_check=quiet)
    @given(content=damaged(suffix))
    def attempt(content: bytes) -> None:
        _survives(FORMATS[suffix], folder / f"fuzz{suffix}", content)

    attempt()


@pytest.mark.parametrize("suffix", list(FORMATS))
def test_damaged_files_are_read_or_refused(tmp_path: Path, suffix: str) -> None:
    _fuzz(suffix, tmp_path, 60)


@pytest.mark.deep
@pytest.mark.parametrize("suffix", list(FORMATS))
def test_many_damaged_files_are_read_or_refused(tmp_path: Path, suffix: str) -> None:
    _fuzz(suffix, tmp_path, 3000)
