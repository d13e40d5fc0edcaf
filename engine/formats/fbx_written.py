"""Materials, textures and colours of corners in an FBX file in the making: Phong materials, pictures in the file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.document import Colouring, Material, TextureImage
from engine.formats.fbx_binary import FbxNode, Value
from engine.formats.textures import bytes_of, suffix_of
from engine.maths.arrays import Array

Add = Callable[[str, str, str, str], tuple[FbxNode, int]]
Link = Callable[[int, int, str], None]


class FbxPaint:
    """The numbers of the materials and textures that the file has already, by their digests."""

    def __init__(self, add: Add, link: Link) -> None:
        self._add, self._link = add, link
        self._materials: dict[str, int] = {}
        self._textures: dict[str, int] = {}

    def hang(self, colouring: Colouring, model: int) -> None:
        """Connect a mesh's materials to its model, in their order."""
        for material in colouring.materials:
            self._link(self._material(material), model, "")

    def _material(self, material: Material) -> int:
        if material.digest in self._materials:
            return self._materials[material.digest]
        node, number = self._add("Material", material.name, "Material", "")
        node.add("Version", 102)
        node.add("ShadingModel", "phong")
        node.add("MultiLayer", 0)
        properties = node.add("Properties70")
        *colour, opacity = material.colour
        opacity = opacity if material.alpha == "blend" else 1.0
        rows: list[tuple[str, str, str, tuple[float, ...]]] = [
            ("DiffuseColor", "Color", "", tuple(colour)),
            ("DiffuseFactor", "Number", "", (1.0,)),
            ("TransparentColor", "Color", "", (1.0, 1.0, 1.0)),
            ("TransparencyFactor", "Number", "", (1.0 - opacity,)),
            ("Opacity", "Number", "", (opacity,)),
            ("SpecularFactor", "Number", "", (0.0,)),
        ]
        for name, kind, label, values in rows:
            properties.add("P", name, kind, label, "A", *values)
        self._materials[material.digest] = number
        if material.texture is not None:
            texture = self._texture(material.texture)
            self._link(texture, number, "DiffuseColor")
            if material.alpha != "opaque":
                self._link(texture, number, "TransparentColor")
        return number

    def _texture(self, image: TextureImage) -> int:
        if image.digest in self._textures:
            return self._textures[image.digest]
        name = image.name if image.name.lower().endswith((".png", ".jpg", ".jpeg")) else image.name + suffix_of(image)
        name = name.replace("\\", "/").rsplit("/", 1)[-1]
        node, number = self._add("Texture", name, "Texture", "")
        node.add("Type", "TextureVideoClip")
        node.add("Version", 202)
        node.add("TextureName", f"{name}\x00\x01Texture")
        node.add("Media", f"{name}\x00\x01Video")
        clip, video = self._add("Video", name, "Video", "Clip")
        clip.add("Type", "Clip")
        for each in (node, clip):
            each.add("FileName" if each is node else "Filename", name)
            each.add("RelativeFilename", name)
        clip.add("UseMipMap", 0)
        clip.add("Content", bytes_of(image))
        node.add("ModelUVTranslation", 0.0, 0.0)
        node.add("ModelUVScaling", 1.0, 1.0)
        node.add("Texture_Alpha_Source", "Alpha_Black")
        node.add("Cropping", 0, 0, 0, 0)
        self._link(video, number, "")
        self._textures[image.digest] = number
        return number


def add_elements(geometry: FbxNode, colouring: Colouring) -> list[str]:
    """Write what corners and triangles say of materials; the kinds of layer elements that were made."""
    made = []
    if colouring.coordinates is not None:
        laid = colouring.coordinates.array.reshape(-1, 2).astype("<f8")
        laid[:, 1] = 1.0 - laid[:, 1]
        made.append(_indexed(geometry, "LayerElementUV", "UVMap", ("UV", "UVIndex"), laid))
    if colouring.colours is not None:
        paint = colouring.colours.array.reshape(-1, 4) / 255.0
        made.append(_indexed(geometry, "LayerElementColor", "Col", ("Colors", "ColorIndex"), paint))
    chosen = colouring.of_triangles
    element = _element(geometry, "LayerElementMaterial", "", "AllSame" if chosen is None else "ByPolygon")
    element.add("ReferenceInformationType", "IndexToDirect")
    element.add("Materials", np.zeros(1, "<i4") if chosen is None else chosen.array)
    return [*made, "LayerElementMaterial"]


def _indexed(geometry: FbxNode, kind: str, called: str, names: tuple[str, str], rows: Array) -> str:
    """Numbers of each corner, equal ones once."""
    values, places = np.unique(rows, axis=0, return_inverse=True)
    element = _element(geometry, kind, called, "ByPolygonVertex")
    element.add("ReferenceInformationType", "IndexToDirect")
    arrays: tuple[Value, Value] = np.ascontiguousarray(values, "<f8").ravel(), places.ravel().astype("<i4")
    for name, array in zip(names, arrays, strict=True):
        element.add(name, array)
    return kind


def _element(geometry: FbxNode, kind: str, called: str, mapping: str) -> FbxNode:
    element = geometry.add(kind, 0)
    element.add("Version", 101)
    element.add("Name", called)
    element.add("MappingInformationType", mapping)
    return element
