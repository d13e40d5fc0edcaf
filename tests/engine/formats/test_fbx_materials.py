"""Materials of FBX: written, and read back by ufbx and by Assimp; textures inside the file, beside it, and missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.bring_in import bring_in
from engine.document import Colouring
from engine.formats import fbx
from engine.formats.format import Contents, Options
from engine.formats.textures import bytes_of
from tests.coloured import GREEN, RED, texture, two_materials
from tests.engine.formats.test_fbx_write import arm
from tests.engine.shared_data import shared


def sleeve() -> Contents:
    """An arm whose skin has two materials."""
    given = arm()
    return replace(given, layers=(), surfaces=(replace(given.surfaces[0], colouring=two_materials()),))


def written(path: Path) -> Path:
    assert fbx.FORMAT.write is not None
    fbx.FORMAT.write(path, sleeve(), Options())
    return path


def read(path: Path) -> tuple[Colouring, tuple[str, ...]]:
    contents = fbx.read(path, Options())
    found = contents.surfaces[0].colouring
    assert found is not None
    return found, contents.notes


def test_materials_come_back(tmp_path: Path) -> None:
    pytest.importorskip("ufbx")
    found, notes = read(written(tmp_path / "arm.fbx"))
    assert not notes
    cloth, glass = found.materials
    assert cloth.texture == texture(RED, GREEN)
    assert (cloth.alpha, cloth.colour) == ("blend", (1.0, 1.0, 1.0, 1.0))  # FBX knows no mask
    assert (glass.name, glass.colour, glass.alpha) == ("glass", (0.25, 0.5, 0.75, 0.5), "blend")
    for name in ("of_triangles", "coordinates", "colours"):
        assert getattr(found, name) == getattr(two_materials(), name), name


def test_a_texture_is_found_beside_the_file_or_said_to_be_missing(tmp_path: Path) -> None:
    pytest.importorskip("ufbx")
    data, path = written(tmp_path / "arm.fbx").read_bytes(), tmp_path / "beside.fbx"
    picture = bytes_of(texture(RED, GREEN))
    assert data.count(picture) == 1
    # Content of the same length that is nothing: the file names a picture, and holds none.
    at = data.index(b"Content") + len("Content")
    kept = data[:at] + b"R" + len(picture).to_bytes(4, "little") + bytes(len(picture)) + data[at + 5 + len(picture) :]
    emptied = kept.replace(b"\x07Content", b"\x07Contenu")
    path.write_bytes(emptied)
    found, notes = read(path)
    assert found.materials[0].texture is None
    assert any("stripes.png" in note for note in notes), notes
    (tmp_path / "beside.fbm").mkdir()
    (tmp_path / "beside.fbm" / "stripes.png").write_bytes(picture)
    found, notes = read(path)
    assert not notes
    assert found.materials[0].texture == texture(RED, GREEN)
    (tmp_path / "beside.fbm" / "stripes.png").write_bytes(b"no picture at all")
    found, notes = read(path)
    assert found.materials[0].texture is None
    assert any("no sound PNG or JPEG" in note for note in notes), notes


def test_assimp_reads_the_same(tmp_path: Path) -> None:
    assimp = pytest.importorskip("assimp_py", reason="the package assimp-py is not here; install it to check")
    scene = assimp.import_file(str(written(tmp_path / "arm.fbx")), 0)
    cloth, glass = scene.materials
    assert (cloth["NAME"], cloth["TEXTURE_BASE"]) == ("cloth", "stripes.png")
    np.testing.assert_allclose(glass["COLOR_DIFFUSE"], (0.25, 0.5, 0.75))
    assert glass["OPACITY"] == 0.5
    first, second = scene.meshes
    assert (first.material_index, second.material_index) == (0, 1)
    places = np.array(first.texcoords[0]).reshape(3, 2)
    np.testing.assert_allclose(places, [(0, 0), (1, 0), (1, 1)])
    np.testing.assert_allclose(np.array(second.colors[0]).reshape(3, 4)[2], (1.0, 128 / 255, 0.0, 1.0), atol=1e-6)


def test_real_cubes_have_their_colours() -> None:
    pytest.importorskip("ufbx")
    brought = bring_in(shared("fbx", "cubes_with_mirroring_and_pivot.fbx"))
    actors = [brought.actor] if brought.actor is not None else list(brought.props)
    shapes = [shape for actor in actors for joint in actor.figure.joints for shape in joint.shapes]
    colours = {shape.colouring.materials[0].colour for shape in shapes if shape.colouring is not None}  # type: ignore[union-attr]
    assert colours == {(0.0, 1.0, 0.0, 1.0), (1.0, 0.0, 0.0, 1.0)}
