"""Limits that count for a file as a whole, and progress where a file takes long: no small one stops the engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import bring_in
from engine.formats import meshes, npz, obj, off, ply, stl, text
from engine.formats.format import Options
from engine.formats.meshes import clip_ears, triangulated
from engine.maths.arrays import Array
from engine.model.same_points import number_points
from engine.runtime.errors import UnreadableFile
from engine.runtime.progress import Cancelled, listening

CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_arrays_of_a_file_are_limited_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, one=np.zeros(1000), two=np.zeros(1000))
    assert len(npz.read_arrays(path, ("one", "two"), "", most=17_000)) == 2
    unpacked: list[object] = []
    monkeypatch.setattr(np.lib.format, "read_array", unpacked.append)
    with pytest.raises(UnreadableFile, match=r"arrays of 16,256 bytes, unpacked"):
        npz.read_arrays(path, ("one", "two"), "", most=16_000)
    assert unpacked == []


def test_triangles_of_all_surfaces_are_counted_before_they_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meshes, "MOST_TRIANGLES", 3)
    made: list[object] = []
    for reader in (obj, stl):
        monkeypatch.setattr(reader, "surface_of", made.append)
    parts = "".join(f"g {number}\nf 1 2 3\n" for number in range(4))
    solid = "solid\n" + "facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n" * 4
    rows = "3 0 1 2\n" * 4
    head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    head += "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    points = "0 0 0\n1 0 0\n0 1 0\n"
    for name, read, content in (
        ("a.obj", obj.read, CORNERS + parts),
        ("a.stl", stl.read, solid + "endsolid\n"),
        ("b.stl", stl.read, bytes(80) + (4).to_bytes(4, "little") + bytes(200)),
        ("a.off", off.read, f"OFF\n3 4 0\n{points}{rows}"),
        ("a.ply", ply.read, head + points + rows),
    ):
        with pytest.raises(UnreadableFile, match=r"meshes of 4 triangles or more\. Reduce it to 3"):
            read(written(tmp_path / name, content), Options())
    assert made == []


def test_a_list_that_no_face_has_is_refused(tmp_path: Path) -> None:
    head = "ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint uchar vertex_indices\nend_header\n"
    content = head.encode() + (5000).to_bytes(4, "little") + bytes(5000)
    with pytest.raises(UnreadableFile, match="a list of 5000 numbers"):
        ply.read(written(tmp_path / "a.ply", content), Options())


def test_text_of_absurdly_many_lines_is_not_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_LINES", 10)
    assert len(text.read_text(written(tmp_path / "a.txt", "a\r\n" * 10), "a text").lines) == 10
    with pytest.raises(UnreadableFile, match="11 lines"):
        text.read_text(written(tmp_path / "a.txt", "a\r\n" * 11), "a text")


@pytest.mark.parametrize("name", ["a.obj", "a.stl"])
def test_many_surfaces_are_told_one_by_one_and_may_be_cancelled(tmp_path: Path, name: str) -> None:
    facet = "facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    content = (
        CORNERS + "".join(f"g {number}\nf 1 2 3\n" for number in range(40))
        if name == "a.obj"
        else "".join(f"solid s{number}\n{facet}endsolid\n" for number in range(40))
    )
    path, shares = written(tmp_path / name, content), list[float]()
    with listening(shares.append):
        bring_in(path)
    assert sum(0.5 < share < 1.0 for share in shares) >= 39
    assert sum(0.0 <= share <= 0.5 for share in shares) >= 79

    def cancel(share: float) -> None:
        if share > 0.7:
            raise Cancelled(what="reading")

    with listening(cancel), pytest.raises(Cancelled):
        bring_in(path)


@pytest.mark.parametrize("name", ["a.obj", "a.off", "a.ply", "a.stl"])
def test_progress_only_grows(tmp_path: Path, name: str) -> None:
    folded = [spiral(count) for count in (40, 60, 80)]
    points, starts = np.concatenate(folded), np.cumsum([0, 40, 60])
    faces = [(start + np.arange(len(each))).tolist() for start, each in zip(starts, folded, strict=True)]
    rows = [" ".join(f"{number:.6f}" for number in point) for point in points.tolist()]
    counted = [f"{len(each)} {' '.join(map(str, each))}" for each in faces]
    facet = "facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    properties = "property float x\nproperty float y\nproperty float z\n"
    content = {
        "a.obj": "".join(f"v {row}\n" for row in rows)
        + "".join(f"g {each[0]}\nf {' '.join(str(place + 1) for place in each)}\n" for each in faces),
        "a.off": "\n".join((f"OFF\n{len(rows)} {len(faces)} 0", *rows, *counted, "")),
        "a.ply": f"ply\nformat ascii 1.0\nelement vertex {len(rows)}\n{properties}element face {len(faces)}\n"
        + "\n".join(("property list uchar int vertex_indices\nend_header", *rows, *counted, "")),
        "a.stl": "".join(f"solid s{number}\n{facet}endsolid\n" for number in range(5)),
    }[name]
    shares = list[float]()
    with listening(shares.append):
        bring_in(written(tmp_path / name, content))
    assert len(set(shares)) > 5
    assert shares == sorted(shares)


def spiral(count: int) -> Array:
    """Corners of a band that winds inwards, in the order of its outline: every ear blocks many others."""
    turn = np.linspace(0.0, 12.0 * np.pi, count // 2)
    edges = [
        np.stack(((turn + wide) * np.cos(turn), (turn + wide) * np.sin(turn), 0.0 * turn), axis=1)
        for wide in (6.0, 4.0)
    ]
    return np.concatenate((edges[0], edges[1][::-1]))


def test_a_polygon_that_winds_is_cut_whole() -> None:
    points = spiral(400)
    triangles = clip_ears(points, np.arange(len(points)))
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    double = np.cross(b - a, c - a)
    rolled = np.roll(points, -1, axis=0)
    whole = float((points[:, 0] * rolled[:, 1] - points[:, 1] * rolled[:, 0]).sum())
    assert len(triangles) == len(points) - 2
    assert double[:, 2].sum() == pytest.approx(whole)
    assert (double[:, 2] * np.sign(whole) >= 0.0).all()
    assert len(triangulated(Path("a"), points, [list(range(len(points)))])) == len(points) - 2


def test_points_at_one_place_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    points = rng.integers(-2, 3, (500, 3)).astype(float)
    points[::7] *= -0.0
    numbers, first = number_points(points)
    _, expected, inverse = np.unique(points + 0.0, axis=0, return_index=True, return_inverse=True)
    assert sorted(first.tolist()) == sorted(expected.tolist())
    assert (first[numbers] == expected[inverse.ravel()]).all()
    assert (np.diff(first) > 0).all(), "in the order in which they come"
    assert len(number_points(np.empty((0, 3)))[1]) == 0
