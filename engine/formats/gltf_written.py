"""Materials in a glTF file in the making: each once, its texture inside the file as the bytes that it came with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.document import Material, TextureImage
from engine.formats.gltf_buffer import INDICES, INT, GltfBuffer, Json
from engine.formats.textures import bytes_of, is_jpeg

_ALPHAS = {"opaque": "OPAQUE", "mask": "MASK", "blend": "BLEND"}


class WrittenMaterials:
    """The numbers of the materials and textures that a file has already, by their digests."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._textures: dict[str, int] = {}

    def primitive(
        self, buffer: GltfBuffer, attributes: Json, triangles: NDArray[np.integer[Any]], material: Material | None
    ) -> Json:
        """A primitive of some triangles over shared vertices."""
        made: Json = {"attributes": attributes, "indices": buffer.array(triangles.ravel(), INT, INDICES), "mode": 4}
        if material is not None:
            made["material"] = self._number(buffer, material)
        return made

    def _number(self, buffer: GltfBuffer, material: Material) -> int:
        number = self._numbers.get(material.digest)
        if number is None:
            listed = buffer.json.setdefault("materials", [])
            listed.append(self._made(buffer, material))
            number = self._numbers[material.digest] = len(listed) - 1
        return number

    def _made(self, buffer: GltfBuffer, material: Material) -> Json:
        base: Json = {"baseColorFactor": list(material.colour), "metallicFactor": 0.0, "roughnessFactor": 0.8}
        if material.texture is not None:
            base["baseColorTexture"] = {"index": self._texture(buffer, material.texture)}
        made: Json = {"name": material.name, "pbrMetallicRoughness": base}
        if material.alpha != "opaque":
            made["alphaMode"] = _ALPHAS[material.alpha]
        if material.alpha == "mask":
            made["alphaCutoff"] = material.cutoff
        if material.two_sided:
            made["doubleSided"] = True
        return made

    def _texture(self, buffer: GltfBuffer, texture: TextureImage) -> int:
        number = self._textures.get(texture.digest)
        if number is None:
            data = bytes_of(texture)
            kind = "image/jpeg" if is_jpeg(data) else "image/png"
            images, textures = buffer.json.setdefault("images", []), buffer.json.setdefault("textures", [])
            images.append({"name": texture.name, "mimeType": kind, "bufferView": buffer.view(data)})
            textures.append({"source": len(images) - 1})
            number = self._textures[texture.digest] = len(textures) - 1
        return number
