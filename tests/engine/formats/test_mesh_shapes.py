"""Meshes as shapes of bodies: in figure texts, in other formats, and opened as props."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import bring_in
from engine.document import Actor, Attachment, Box, Document, TriangleMesh, prop
from engine.formats import figure_toml, meshes, obj, sinew
from engine.formats.format import Contents, Options
from engine.formats.table import by_suffix
from engine.model.inertia import moments_of
from engine.runtime.errors import UnreadableFile

CUBE = """
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4
"""


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    path = tmp_path / "cube.obj"
    path.write_text(CUBE)
    return path


def mesh_in(path: Path, options: Options | None = None) -> TriangleMesh:
    actor = bring_in(path, options).actor
    assert actor is not None
    assert actor.figure.is_prop
    (shape,) = actor.figure.joints[0].shapes
    assert isinstance(shape, TriangleMesh)
    return shape


def test_a_mesh_opens_as_a_prop_that_moves_freely(cube: Path) -> None:
    found = bring_in(cube)
    assert found.actor is not None
    assert found.actor.name == "cube"
    assert [dof.kind for dof in found.actor.figure.dofs] == ["slide", "slide", "slide", "ball"]
    assert found.taken is not None
    assert (found.taken.unit, found.taken.sides) == (1.0, (2.0, 2.0, 2.0))
    assert moments_of(mesh_in(cube)).volume == pytest.approx(8.0)
    assert len(mesh_in(cube).positions.array) == 24, "edges of a cube are sharp"


def test_a_huge_thing_is_taken_as_millimetres_unless_its_unit_is_given(tmp_path: Path) -> None:
    path = tmp_path / "part.obj"
    path.write_text("\n".join(_larger(line) for line in CUBE.splitlines()))
    assert mesh_in(path).positions.array.max() == pytest.approx(0.06)
    assert "millimetres" in bring_in(path).notes[-1]
    assert mesh_in(path, Options(unit=0.01)).positions.array.max() == pytest.approx(0.6)


def _larger(line: str) -> str:
    return line.replace("1", "60") if line.startswith("v") else line


def test_absurd_numbers_of_triangles_are_refused_by_name(cube: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meshes, "MOST_TRIANGLES", 10)
    with pytest.raises(UnreadableFile, match="meshes of 12 triangles or more"):
        bring_in(cube)


def test_a_figure_text_holds_its_meshes_in_files_beside_it(cube: Path, tmp_path: Path) -> None:
    figure = prop("Cube", (mesh_in(cube), Box(half=(0.1, 0.1, 0.1))))
    path = tmp_path / "made" / "cube.figure.toml"
    path.parent.mkdir()
    figure_toml.write(path, figure)
    assert figure_toml.read(path) == figure
    assert sorted(each.suffix for each in path.parent.iterdir()) == [".npz", ".toml"]
    (mesh,) = path.parent.glob("*.npz")
    mesh.write_bytes(b"PK no more")
    with pytest.raises(UnreadableFile, match="no sound NPZ file"):
        figure_toml.read(path)


def test_a_person_names_a_mesh_file_in_a_figure_text(cube: Path, tmp_path: Path) -> None:
    path = tmp_path / "hand.figure.toml"
    text = 'name = "A"\nangles = "degrees"\n[[joint]]\nid = "a"\nshapes = [{ kind = "mesh", file = "FILE" }]\n'
    path.write_text(text.replace("FILE", "cube.obj"))
    assert figure_toml.read(path).joints[0].shapes == (mesh_in(cube),)
    for wrong in ("../cube.obj", "/etc/passwd", "cube.bvh", "none.obj"):
        path.write_text(text.replace("FILE", wrong))
        with pytest.raises(UnreadableFile):
            figure_toml.read(path)


@pytest.mark.parametrize("suffix", [".obj", ".glb"])
def test_shapes_of_bodies_are_written_as_meshes(cube: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    format = by_suffix(path)
    assert format is not None
    assert format.write is not None
    assert format.omits is not None
    contents = Contents(figure=prop("Cube", (mesh_in(cube), Box(half=(0.1, 2.0, 0.1)))))
    assert any("shapes of" in each for each in format.omits(contents))
    format.write(path, contents, Options())
    actor = bring_in(path).actor
    assert actor is not None
    skins = [skin.positions.array for skin in actor.figure.skins]
    every = [shape for joint in actor.figure.joints for shape in joint.shapes]
    points = np.concatenate((*skins, *(shape.positions.array for shape in every if isinstance(shape, TriangleMesh))))
    assert np.abs(points).max(axis=0).tolist() == pytest.approx([1.0, 2.0, 1.0])


def test_a_saved_document_keeps_meshes_and_attachments(cube: Path, tmp_path: Path) -> None:
    one = Actor(id="one", name="One", figure=prop("One", (mesh_in(cube),)))
    hold = Attachment(id="h", joint="body", target="one", target_joint="body", position=(0.5, 0.0, 0.0))
    document = Document(actors=(one, replace(one, id="two", name="Two", attachments=(hold,))))
    sinew.write(tmp_path / "a.sinew", document)
    assert sinew.read(tmp_path / "a.sinew") == document


def test_obj_of_a_prop_reads_back_as_the_same_surface(cube: Path, tmp_path: Path) -> None:
    mesh = mesh_in(cube)
    obj.write(tmp_path / "again.obj", Contents(figure=prop("Cube", (mesh,))), Options())
    again = mesh_in(tmp_path / "again.obj")
    assert np.abs(again.positions.array - mesh.positions.array).max() < 1e-6
    assert (again.triangles.array == mesh.triangles.array).all()
