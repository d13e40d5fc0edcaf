"""Materials of surfaces: what they refuse, and that documents without them stay what they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Blob, Colouring, Material, TextureImage
from engine.document.mirrored import mirrored_shape
from engine.runtime.errors import InvalidDocument
from tests.coloured import BLUE, RED, laid, square, texture, two_materials


def test_a_surface_without_colours_is_written_as_before() -> None:
    assert "colouring" not in square().text
    assert square(two_materials()).digest != square().digest


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("of_triangles", Blob(np.array([0, 1, 0], "<i4"))),
        ("coordinates", Blob(np.zeros((2, 2), "<f4"))),
        ("colours", Blob(np.zeros((2, 3, 3), np.uint8))),
    ],
)
def test_colours_of_another_surface_are_refused(field: str, value: Blob) -> None:
    with pytest.raises(InvalidDocument, match="of a mesh"):
        square(replace(two_materials(), **{field: value}))  # type: ignore[arg-type]


def test_a_triangle_of_no_material_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="a material of a triangle"):
        replace(two_materials(), of_triangles=Blob(np.array([0, 2], "<i4")))
    with pytest.raises(InvalidDocument, match="number of materials"):
        Colouring(materials=())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"colour": (0.0, 0.0, 1.5, 1.0)}, "the colour"),
        ({"colour": (0.0, 0.0, 1.0)}, "the colour"),
        ({"cutoff": float("nan")}, "the cutoff"),
        ({"alpha": "some"}, "the opacity"),
    ],
)
def test_what_is_no_colour_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidDocument, match=words):
        Material(name="odd", **changes)  # type: ignore[arg-type]


def test_a_texture_that_nobody_could_unpack_is_refused() -> None:
    data = texture(RED, BLUE).data
    for sides in ((0, 8), (20_000, 1), (16_000, 16_000)):
        with pytest.raises(InvalidDocument, match="pixels"):
            TextureImage(name="bomb", data=data, width=sides[0], height=sides[1])


def test_a_mirrored_mesh_keeps_its_texture_where_it_was() -> None:
    shape = square(two_materials())
    image = mirrored_shape(shape)
    assert image.colouring is not None  # type: ignore[union-attr]
    before = {
        (-x, y): tuple(place)
        for triangle, places in zip(shape.triangles.array, laid().array, strict=True)
        for (x, y, _), place in zip(shape.positions.array[triangle].tolist(), places.tolist(), strict=True)
    }
    for triangle, places in zip(image.triangles.array, image.colouring.coordinates.array, strict=True):  # type: ignore[union-attr]
        for corner, place in zip(image.positions.array[triangle].tolist(), places.tolist(), strict=True):  # type: ignore[union-attr]
            assert before[corner[0], corner[1]] == tuple(place)
