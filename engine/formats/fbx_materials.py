"""Materials of an FBX scene as those of a glTF one: diffuse or base colour, its texture, opacity, colours of corners.

A texture that is connected to the colour takes its place. Its file is the one inside the FBX file, else one of that
name beside it (`engine.formats.textures.beside`). Coordinates go up in FBX and down in glTF. A material that would not
be seen at all is opaque: exporters write its transparency in several ways. Both sides are seen.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from engine.formats.binary import read_bytes
from engine.formats.fbx_library import all_held, held
from engine.formats.gltf_buffer import BYTE, FLOAT, INT, GltfBuffer, Json
from engine.formats.textures import MOST_TEXTURE_BYTES, beside, is_jpeg
from engine.maths.arrays import LongArray
from engine.runtime.errors import UnreadableFile

_LEAST = 0.01  # opacity


class FbxMaterials:
    """Puts materials into a glTF scene in the making, each once."""

    def __init__(self, path: Path, buffer: GltfBuffer, notes: list[str]) -> None:
        self._path, self._buffer, self._notes = path, buffer, notes
        self._numbers: dict[int, int] = {}
        self._textures: dict[int, int | None] = {}

    def colours(self, node: Any, mesh: Any, triangles: LongArray, faces: LongArray) -> Json | None:
        """Write what colours the triangles of a mesh, places in its list of corners; None where nothing does."""
        materials = all_held(node.materials) or all_held(mesh.materials)
        materials = [each for each in materials if each is not None]
        made: Json = {}
        if materials:
            made["materials"] = [self._number(each) for each in materials]
        if len(materials) > 1 and len(mesh.face_material) == len(faces):
            owner = np.repeat(np.arange(len(faces)), np.maximum(faces[:, 1] - 2, 0))
            chosen = np.array(mesh.face_material, np.int64)[owner]
            made["triangles"] = self._buffer.array(np.clip(chosen, 0, len(materials) - 1), INT)
        if materials and mesh.vertex_uv.exists:
            laid = _of_corners(mesh.vertex_uv, 2)[triangles.ravel()]
            laid = np.clip(np.nan_to_num(laid), -1e6, 1e6)
            laid[:, 1] = 1.0 - laid[:, 1]
            made["coordinates"] = self._buffer.array(laid, FLOAT)
        if mesh.vertex_color.exists:
            paint = np.clip(np.nan_to_num(_of_corners(mesh.vertex_color, 4)[triangles.ravel()]), 0.0, 1.0)
            made["colours"] = self._buffer.array(np.rint(255.0 * paint), BYTE)
        return made or None

    def _number(self, material: Any) -> int:
        if material.element_id not in self._numbers:
            listed = self._buffer.json.setdefault("materials", [])
            listed.append(self._made(material))
            self._numbers[material.element_id] = len(listed) - 1
        return self._numbers[material.element_id]

    def _made(self, material: Any) -> Json:
        fbx, pbr = held(material.fbx), held(material.pbr)
        texture = colour = None
        for of in (held(pbr.base_color), held(fbx.diffuse_color)):
            texture = texture or (held(of.texture) if of.texture_enabled else None)
            colour = _rgb(of) if colour is None and of.has_value else colour
        number = None if texture is None else self._texture(texture)
        opacity, through = self._opacity(fbx)
        base: Json = {"baseColorFactor": [*(colour or (1.0, 1.0, 1.0)), opacity]}
        if number is not None:
            base = {"baseColorFactor": [1.0, 1.0, 1.0, opacity], "baseColorTexture": {"index": number}}
        made: Json = {"name": material.name or "material", "pbrMetallicRoughness": base, "doubleSided": True}
        return made | {"alphaMode": "BLEND"} if through else made

    def _opacity(self, fbx: Any) -> tuple[float, bool]:
        """The share that is not seen through, and whether anything is."""
        colour, factor = held(fbx.transparency_color), held(fbx.transparency_factor)
        amount = float(factor.value_vec4.x) if factor.has_value else 0.0
        clear = sum(_rgb(colour)) / 3.0 if colour.has_value else 1.0
        opacity = 1.0 - amount * clear
        opacity = opacity if math.isfinite(opacity) and _LEAST <= opacity <= 1.0 else 1.0
        textured = colour.texture_enabled and held(colour.texture) is not None
        return opacity, textured or opacity < 1.0

    def _texture(self, texture: Any) -> int | None:
        """The number of a texture; None where its file is not there."""
        if texture.element_id not in self._textures:
            self._textures[texture.element_id] = self._put(texture)
        return self._textures[texture.element_id]

    def _put(self, texture: Any) -> int | None:
        files = [texture, *all_held(texture.file_textures)]
        named = [name for each in files for name in (each.relative_filename, each.filename) if name]
        name = (named[0] if named else texture.name or "texture").replace("\\", "/").rsplit("/", 1)[-1]
        data = next((bytes(each.content) for each in files if len(each.content)), b"")
        if not data:
            place = next((found for each in named if (found := beside(self._path, each)) is not None), None)
            try:
                data = b"" if place is None else read_bytes(place, "a picture", MOST_TEXTURE_BYTES)
            except UnreadableFile:
                data = b""
        if not data:
            self._notes.append(f"the texture {name!r} is not beside the file: left out")
            return None
        images, textures = self._buffer.json.setdefault("images", []), self._buffer.json.setdefault("textures", [])
        kind = "image/jpeg" if is_jpeg(data) else "image/png"
        images.append({"name": name, "mimeType": kind, "bufferView": self._buffer.view(data)})
        textures.append({"source": len(images) - 1})
        return len(textures) - 1


def _rgb(of: Any) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1."""
    value = held(of.value_vec4)
    red, green, blue = (float(each) if math.isfinite(each) else 1.0 for each in (value.x, value.y, value.z))
    return min(max(red, 0.0), 1.0), min(max(green, 0.0), 1.0), min(max(blue, 0.0), 1.0)


def _of_corners(attribute: Any, width: int) -> Any:
    values = np.array(attribute.values, np.float64).reshape(-1, width)
    own = np.array(attribute.indices, np.int64)
    return values[np.clip(own, 0, len(values) - 1)]
