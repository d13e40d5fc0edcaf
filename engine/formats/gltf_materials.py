"""Materials of a glTF scene: base colour factor, texture and vertex colours, opacity, sides.

After the glTF 2.0 specification, 3.9 and 3.7.2.1 (COLOR_0 is linear), and the extensions KHR_texture_transform and
KHR_materials_pbrSpecularGlossiness (its diffuse colour). Metal, roughness, normal maps and the like are left out.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Colouring, Material, TextureImage
from engine.document.material import FARTHEST, WHITE, Alpha, Colour
from engine.formats.gltf_buffer import PER_CORNER
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_json import JsonItem
from engine.formats.textures import Textures
from engine.maths.arrays import Array, LongArray
from engine.runtime.errors import printable

_ALPHAS: dict[str, Alpha] = {"OPAQUE": "opaque", "MASK": "mask", "BLEND": "blend"}
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)

Affine = tuple[float, float, float, float, float, float]  # rows of a 2 x 3 matrix

_PLAIN = Material(name="vertex colours", two_sided=True), 0, _IDENTITY


class GltfMaterials:
    """The materials of a file, each made when a mesh first asks for it."""

    def __init__(self, file: GltfFile) -> None:
        self._file, self.textures = file, Textures()
        self._items, self._images = file.root.items("materials"), file.root.items("images")
        self._sources = file.root.items("textures")
        self._made: dict[int, tuple[Material, int, Affine]] = {}

    def colouring(
        self, primitive: JsonItem, attributes: JsonItem, triangles: LongArray, count: int
    ) -> Colouring | None:
        """Find what colours the triangles of a primitive of `count` vertices; None where nothing does."""
        own = primitive.item("extensions")
        own = own.item(PER_CORNER) if own is not None else None
        if own is not None:
            return self._per_corner(own, len(triangles))
        colours = self._colours(attributes, "COLOR_0", count)
        if not primitive.has("material"):
            if colours is None:
                return None
            material, number, affine = _PLAIN
        else:
            material, number, affine = self._material(primitive.index("material", len(self._items)))
        coordinates, name = None, f"TEXCOORD_{number}"
        if attributes.has(name):
            found = self._file.array(attributes, name, ("VEC2",))
            _check_count(attributes, name, found, count)
            coordinates = Blob(_placed(found, affine)[triangles])
        paint = None if colours is None else Blob(colours[triangles])
        return Colouring(materials=(material,), coordinates=coordinates, colours=paint)

    def _per_corner(self, own: JsonItem, count: int) -> Colouring:
        """Take what the reader of FBX says of each corner of `count` triangles, which splits no vertex for it."""
        made = [self._material(each) for each in own.indices("materials", len(self._items))] or [_PLAIN]
        places = coordinates = None
        if own.has("triangles"):
            found = self._file.array(own, "triangles", ("SCALAR",)).ravel()
            _check_count(own, "triangles", found, count)
            places = Blob(np.clip(found, 0, len(made) - 1).astype("<i4"))
        if own.has("coordinates"):
            found = self._file.array(own, "coordinates", ("VEC2",))
            _check_count(own, "coordinates", found, 3 * count)
            coordinates = Blob(_placed(found, _IDENTITY).reshape(-1, 3, 2))
        colours = self._colours(own, "colours", 3 * count)
        return Colouring(
            materials=tuple(material for material, _, _ in made),
            of_triangles=places if len(made) > 1 else None,
            coordinates=coordinates,
            colours=None if colours is None else Blob(colours.reshape(-1, 3, 4)),
        )

    def _colours(self, owner: JsonItem, name: str, count: int) -> NDArray[np.uint8] | None:
        if not owner.has(name):
            return None
        found = self._file.array(owner, name, ("VEC3", "VEC4"))
        _check_count(owner, name, found, count)
        rgba = np.ones((count, 4))
        rgba[:, : found.shape[1]] = found
        return np.rint(np.clip(rgba, 0.0, 1.0) * 255.0).astype(np.uint8)

    def _texture(self, named: JsonItem, material_name: str) -> TextureImage | None:
        """The picture of a texture, if it can be drawn."""
        source = self._sources[named.index("index", len(self._sources))]
        if not source.has("source"):
            self.textures.leave_out(source.text("name") or source.where, "is of a kind that Sinew does not read")
            return None
        item = self._images[source.index("source", len(self._images))]
        uri = item.text("uri")
        name = item.text("name") or (material_name if not uri or uri.startswith("data:") else uri.rsplit("/", 1)[-1])
        data = self._file.image(item)
        if data:
            return self.textures.take(name, data)
        self.textures.leave_out(name, "is not there")
        return None

    def _material(self, place: int) -> tuple[Material, int, Affine]:
        if place not in self._made:
            self._made[place] = self._read(self._items[place], place)
        return self._made[place]

    def _read(self, item: JsonItem, place: int) -> tuple[Material, int, Affine]:
        base = item.item("pbrMetallicRoughness")
        factor, texture = "baseColorFactor", "baseColorTexture"
        extensions = item.item("extensions")
        other = extensions.item("KHR_materials_pbrSpecularGlossiness") if extensions is not None else None
        if other is not None:
            base, factor, texture = other, "diffuseFactor", "diffuseTexture"
        numbers = base.numbers(factor, 4) if base is not None else None
        colour: Colour = WHITE
        if numbers is not None:
            red, green, blue, opacity = (min(max(each, 0.0), 1.0) for each in numbers)
            colour = (red, green, blue, opacity)
        named = base.item(texture) if base is not None else None
        image, number, affine = None, 0, _IDENTITY
        if named is not None:
            image = self._texture(named, printable(item.text("name")) or f"texture {place}")
            number, affine = _laid(named)
        alpha = item.text("alphaMode") or "OPAQUE"
        if alpha not in _ALPHAS:
            item.refuse(alpha, f"Write one of {', '.join(_ALPHAS)}.", "alphaMode")
        cutoff = item.number("alphaCutoff", 0.5)
        material = Material(
            name=printable(item.text("name"))[:200] or f"material {place}",
            colour=colour,
            texture=image,
            alpha=_ALPHAS[alpha],
            cutoff=min(max(cutoff, 0.0), 1.0),
            two_sided=item.is_true("doubleSided"),
        )
        return material, number, affine


def _check_count(owner: JsonItem, name: str, values: Array, count: int) -> None:
    if len(values) != count:
        owner.refuse(f"{len(values)} values for {count}", "Write one for each.", name)


def _laid(named: JsonItem) -> tuple[int, Affine]:
    """The number of the coordinates that a texture is laid by, and how these are moved: offset R(rotation) scale."""
    number = named.whole("texCoord", 0, most=64)
    extensions = named.item("extensions")
    own = extensions.item("KHR_texture_transform") if extensions is not None else None
    if own is None:
        return number, _IDENTITY
    (x, y), (wide, high) = own.numbers("offset", 2) or (0.0, 0.0), own.numbers("scale", 2) or (1.0, 1.0)
    turn = own.number("rotation", 0.0)
    cosine, sine = math.cos(turn), math.sin(turn)
    return own.whole("texCoord", number, most=64), (wide * cosine, high * sine, x, -wide * sine, high * cosine, y)


def _placed(coordinates: Array, affine: Affine) -> NDArray[np.float32]:
    """Coordinates after that, kept where a texture can be found."""
    found = coordinates if affine == _IDENTITY else coordinates @ np.array(affine).reshape(2, 3)[:, :2].T + affine[2::3]
    return np.clip(found, -FARTHEST, FARTHEST).astype(np.float32)
