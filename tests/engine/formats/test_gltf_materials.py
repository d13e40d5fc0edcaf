"""Base colours of glTF: factor, texture, vertex colours, opacity, sides, several materials; read, written, refused."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygltflib
import pytest

from engine.commands.bring_in import bring_in
from engine.document import Actor, Blob, Colouring, prop
from engine.formats.format import Contents, Options
from engine.formats.gltf import FORMAT
from engine.formats.textures import bytes_of, size_of
from engine.model.colourings import merged, split
from engine.runtime.errors import UnreadableFile
from tests.coloured import GREEN, RED, laid, png, square, texture, two_materials
from tests.engine.formats.gltf_scenes import Builder
from tests.engine.formats.gltf_validator import assert_valid
from tests.engine.shared_data import shared

CORNERS = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]


def read(path: Path) -> Contents:
    assert FORMAT.read is not None
    return FORMAT.read(path, Options())


def colouring_of(path: Path) -> Colouring:
    found = read(path).surfaces[0].colouring
    assert found is not None
    return found


def scene(uri: str, **base: object) -> Builder:
    """A triangle with a texture."""
    made = Builder()
    coordinates = made.add(CORNERS)
    made.json["meshes"] = [{"primitives": [made.triangle(TEXCOORD_0=coordinates) | {"material": 0}]}]
    made.json |= {"nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "images": [{"uri": uri}]}
    made.json["textures"] = [{"source": 0}]
    named = {"index": 0, **base}
    made.json["materials"] = [{"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": named}}]
    return made


def embedded(data: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(data).decode()


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    shape, path = square(two_materials()), tmp_path / "square.glb"
    assert FORMAT.write is not None
    FORMAT.write(path, Contents(figure=prop("square", (shape,))), Options())
    (found,) = read(path).surfaces
    assert found.colouring is not None
    assert [each.digest for each in found.colouring.materials] == [each.digest for each in two_materials().materials]
    corners = found.positions[found.triangles]
    assert np.allclose(corners, shape.positions.array[shape.triangles.array], atol=1e-7)
    for name in ("of_triangles", "coordinates", "colours"):
        assert getattr(found.colouring, name) == getattr(two_materials(), name), name
    brought = bring_in(path)
    actor = brought.actor or brought.props[0]
    assert actor.figure.joints[0].shapes[0].colouring == found.colouring  # type: ignore[union-attr]


def test_another_program_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "square.glb"
    assert FORMAT.write is not None
    FORMAT.write(path, Contents(figure=prop("square", (square(two_materials()),))), Options())
    file = pygltflib.GLTF2().load(str(path))
    assert file is not None
    cloth, glass = file.materials
    assert (cloth.alphaMode, cloth.alphaCutoff, cloth.doubleSided) == ("MASK", 0.25, True)
    assert (glass.alphaMode, glass.pbrMetallicRoughness.baseColorFactor) == ("BLEND", [0.25, 0.5, 0.75, 0.5])
    view = file.bufferViews[file.images[0].bufferView]
    data = file.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    assert data == bytes_of(texture(RED, GREEN))
    assert file.images[0].mimeType == "image/png"
    assert_valid(path)


def test_a_mesh_of_several_materials_is_one_surface(tmp_path: Path) -> None:
    made = scene(embedded(bytes_of(texture(RED, GREEN))))
    made.json["materials"].append({"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]}, "doubleSided": True})
    made.json["meshes"][0]["primitives"].append(made.triangle() | {"material": 1})
    (surface,) = read(made.save(tmp_path / "two.gltf")).surfaces
    assert surface.colouring is not None
    assert surface.colouring.of_triangles is not None
    assert surface.colouring.of_triangles.array.tolist() == [0, 1]
    assert [each.two_sided for each in surface.colouring.materials] == [False, True]
    assert len(surface.positions) == 6


def test_a_texture_is_moved_as_the_file_says(tmp_path: Path) -> None:
    moved = {"KHR_texture_transform": {"offset": [0.25, 0.5], "scale": [2.0, 3.0], "rotation": np.pi / 2}}
    made = scene(embedded(bytes_of(texture(RED, GREEN))), extensions=moved)
    found = colouring_of(made.save(tmp_path / "moved.gltf")).coordinates
    assert found is not None
    # p' = offset + R (scale p): a turn by a takes (1, 0) to (cos a, -sin a), since v goes down.
    assert np.allclose(found.array[0], [(0.25, 0.5), (0.25, -1.5), (3.25, 0.5)], atol=1e-6)


def test_colours_of_vertices_need_no_material(tmp_path: Path) -> None:
    made = Builder()
    colours = made.add([(255, 0, 0), (0, 255, 0), (0, 0, 51)], "u1", normalised=True)
    made.json["meshes"] = [{"primitives": [made.triangle(COLOR_0=colours)]}]
    made.json |= {"nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}]}
    found = colouring_of(made.save(tmp_path / "colours.glb"))
    assert found.colours is not None
    assert found.colours.array[0].tolist() == [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 51, 255]]


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("gone.png", "is not there"),
        ("text.png", "is no sound PNG or JPEG"),
        (embedded(b"GIF89a" + bytes(40)), "is no sound PNG or JPEG"),
        (embedded(bytes_of(texture(RED))[:20]), "is no sound PNG or JPEG"),
        (embedded(bytes_of(texture(RED))[:16] + b"\x00\x01\x00\x00" * 2 + bytes(40)), "65,536 x 65,536 pixels"),
    ],
)
def test_a_texture_that_cannot_be_taken_leaves_the_colour(tmp_path: Path, uri: str, words: str) -> None:
    (tmp_path / "text.png").write_text("no picture", encoding="utf-8")
    contents = read(scene(uri).save(tmp_path / "bad.gltf"))
    assert any(words in note for note in contents.notes), contents.notes
    colouring = contents.surfaces[0].colouring
    assert colouring is not None
    assert colouring.materials[0].texture is None


def test_a_texture_beside_the_file_is_read_and_none_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "scene"
    folder.mkdir()
    for place in (folder, tmp_path):
        (place / "skin.png").write_bytes(bytes_of(texture(RED, GREEN)))
    found = colouring_of(scene("skin.png").save(folder / "sound.gltf")).materials[0].texture
    assert found is not None
    assert (found.name, found.width) == ("skin.png", 16)
    for uri in ("../skin.png", str(tmp_path / "skin.png"), "file:///skin.png"):
        with pytest.raises(UnreadableFile, match="out of the folder"):
            read(scene(uri).save(folder / "bad.gltf"))


def test_coordinates_for_other_vertices_are_refused(tmp_path: Path) -> None:
    made = scene(embedded(bytes_of(texture(RED))))
    made.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = made.add([(0.0, 0.0)])
    with pytest.raises(UnreadableFile, match="TEXCOORD_0"):
        read(made.save(tmp_path / "bad.glb"))


def test_sizes_are_read_from_headers() -> None:
    assert size_of(png(np.zeros((3, 5, 4), np.uint8))) == (5, 3)
    frame = b"\xff\xc2\x00\x11\x08" + (480).to_bytes(2, "big") + (640).to_bytes(2, "big") + bytes(10)
    assert size_of(b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xdb\x00\x03c" + frame) == (640, 480)
    for cut in range(12):
        assert size_of(b"\xff\xd8\xff\xe0\x00\x04ab"[:cut]) is None


def test_seams_split_vertices_for_files_alone() -> None:
    shape, colouring = square(), two_materials()
    found = split(shape.triangles.array, replace(colouring, colours=None))
    assert len(found.source) == 4
    seam = laid().array.copy()
    seam[1] += 1.0
    assert (
        len(split(shape.triangles.array, Colouring(materials=colouring.materials[:1], coordinates=Blob(seam))).source)
        == 6
    )
    assert np.array_equal(found.source[found.triangles], shape.triangles.array)
    assert found.coordinates is not None
    assert np.array_equal(found.coordinates[found.triangles], laid().array)


def test_colours_of_surfaces_are_put_together() -> None:
    whole = merged([(None, 3), (two_materials(), 2)])
    assert whole is not None
    assert whole.of_triangles is not None
    assert whole.of_triangles.array.tolist() == [0, 0, 0, 1, 2]
    assert merged([(None, 3)]) is None


def test_a_real_box_is_textured() -> None:
    for path in ("BoxTextured-glTF-Binary/BoxTextured.glb", "BoxTextured-glTF-Embedded/BoxTextured.gltf"):
        brought = bring_in(shared("gltf", *path.split("/")))
        actor: Actor = brought.actor or brought.props[0]
        colouring = actor.figure.joints[0].shapes[0].colouring  # type: ignore[union-attr]
        assert colouring is not None
        image = colouring.materials[0].texture
        assert image is not None
        assert (image.width, image.height) == (211, 211)
