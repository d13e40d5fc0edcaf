"""Mesh files of several parts beside a figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.document import TriangleMesh
from engine.formats.figure_toml import read, write
from engine.runtime.errors import UnreadableFile

TEXT = """name = "Bones"
angles = "degrees"

[[joint]]
id = "bone"
shapes = [{{ {shape} }}]
"""


def figure(folder: Path, shape: str) -> Path:
    corners = {"one": 1.0, "two": 2.0}
    arrays = {}
    for name, size in corners.items():
        points = size * np.eye(3, dtype="<f4")
        arrays |= {f"{name}.positions": points, f"{name}.normals": np.eye(3, dtype="<f4"),
                   f"{name}.triangles": np.array([[0, 1, 2]], dtype="<u2")}  # fmt: skip
    np.savez_compressed(folder / "bones.mesh.npz", allow_pickle=False, **arrays)
    path = folder / "bones.figure.toml"
    path.write_text(TEXT.format(shape=shape), encoding="utf-8")
    return path


@pytest.mark.parametrize(("part", "size"), [("one", 1.0), ("two", 2.0)])
def test_a_shape_is_the_part_that_it_names(part: str, size: float, tmp_path: Path) -> None:
    found = read(figure(tmp_path, f'kind = "mesh", file = "bones.mesh.npz", part = "{part}", tone = 0.5'))
    (shape,) = found.joints[0].shapes
    assert isinstance(shape, TriangleMesh)
    assert shape.positions.array.max() == size
    assert shape.tone == 0.5
    write(tmp_path / "again.figure.toml", found)
    assert read(tmp_path / "again.figure.toml") == found


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ('kind = "mesh", file = "bones.mesh.npz", part = "three"', "no array 'three.positions'"),
        ('kind = "mesh", file = "bones.mesh.npz"', "no array 'positions'"),
        ('kind = "mesh", file = "bones.obj", part = "one"', "is a part of 'bones.obj'"),
        ('kind = "box", half = [1, 1, 1], part = "one"', "part"),
    ],
)
def test_a_part_that_is_not_there_is_refused(shape: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=said):
        read(figure(tmp_path, shape))
