"""Materials of OBJ files: colours and textures of a library beside the file, and none from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.formats.format import Contents, Options
from engine.formats.obj import FORMAT
from engine.formats.textures import bytes_of
from tests.coloured import GREEN, RED, texture

MESH = """mtllib paint.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 2 0 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl red cloth
f 1/1 2/2 3/3 4/4
usemtl glass
f 2 5 3
usemtl nothing
f 3 5 2
"""
LIBRARY = """newmtl red cloth
Kd 0.5 0.25 0.125
map_Kd -s 1 1 1 the skin.png
newmtl glass
Kd 0 0 1
d 0.5
"""


def read(folder: Path, library: str = LIBRARY, mesh: str = MESH) -> Contents:
    (folder / "mesh.obj").write_text(mesh, encoding="utf-8")
    if library:
        (folder / "paint.mtl").write_text(library, encoding="utf-8")
    assert FORMAT.read is not None
    return FORMAT.read(folder / "mesh.obj", Options())


def test_faces_have_the_materials_of_the_library(tmp_path: Path) -> None:
    (tmp_path / "the skin.png").write_bytes(bytes_of(texture(RED, GREEN)))
    contents = read(tmp_path)
    assert contents.notes == ()
    found = contents.surfaces[0].colouring
    assert found is not None
    cloth, glass, none = found.materials
    assert cloth.texture is not None
    assert (cloth.texture.name, cloth.colour) == ("the skin.png", (1.0, 1.0, 1.0, 1.0))
    assert (glass.colour, glass.alpha, none.name) == ((0.0, 0.0, 1.0, 0.5), "blend", "no material")
    assert found.of_triangles is not None
    assert found.of_triangles.array.tolist() == [0, 0, 1, 2]
    assert found.coordinates is not None
    assert found.coordinates.array[0].tolist() == [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize("library", ["", "newmtl red cloth\nmap_Kd ../skin.png\n", "\0\0"])
def test_what_is_not_beside_the_file_is_said(tmp_path: Path, library: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "skin.png").write_bytes(bytes_of(texture(RED, GREEN)))
    contents = read(folder, library)
    assert len(contents.notes) == 1
    assert "left out" in contents.notes[0]
    colouring = contents.surfaces[0].colouring
    assert colouring is None or colouring.materials[0].texture is None


def test_a_mesh_without_materials_is_as_it_was(tmp_path: Path) -> None:
    plain = read(tmp_path, "", MESH.replace("mtllib paint.mtl\n", ""))
    assert plain.surfaces[0].colouring is None
    assert plain.notes == ()
