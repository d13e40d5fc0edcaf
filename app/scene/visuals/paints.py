"""Paints: what parts of a form are painted with; the pictures of textures on the card.

A form whose surfaces have materials carries a colour and a place on the texture with every vertex, and one part for
each material: what is opaque first, what is translucent last. Colours are linear; below 0 is the figure's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Indices, WrappedTexture
from app.scene.unpacking import unpacked
from engine.model import BARE, Colouring, Material, TextureImage, split, triangles_by_material
from engine.runtime.quick_dataclass import dataclass

PAINT_FIELDS = (("own", 4), ("corner", 2))
PAINT_HEAD = """
attribute vec4 own;
attribute vec2 corner;
"""

Unpack = Callable[[TextureImage], tuple[bool, NDArray[np.uint8] | None]]  # whether pixels are there, and they


@dataclass(eq=False)
class Paint:
    """Some triangles of a form and their material; None: the figure's own colour."""

    part: Indices
    material: Material | None
    hollow: bool = False
    picture: WrappedTexture | None = None  # on the card, once it was drawn

    @property
    def image(self) -> TextureImage | None:
        """Its texture."""
        return None if self.material is None else self.material.texture

    @property
    def blends(self) -> bool:
        """True if what is behind it may be seen through it."""
        return self.material is not None and self.material.alpha == "blend"

    @property
    def has_gaps(self) -> bool:
        """True if something may be seen through it, or through its holes."""
        return self.material is not None and self.material.alpha != "opaque"

    def cull(self, usual: Literal["back"] | None) -> Literal["back"] | None:
        """The faces that are left out, where the form leaves out the usual ones."""
        return usual if self.material is None else None if self.material.two_sided else "back"


@dataclass(frozen=True, eq=False)
class Painted:
    """The vertices of a surface with what they carry of its materials, and triangles by material."""

    source: NDArray[np.int64]  # which vertex of the surface each was
    triangles: NDArray[np.int64]
    rows: NDArray[np.float32]  # of `PAINT_FIELDS`
    parts: list[tuple[Material | None, NDArray[np.int64]]]  # numbers of triangles


def painted(triangles: NDArray[np.integer[Any]], colouring: Colouring | None, count: int) -> Painted:
    """Lay out a surface of so many vertices; without a colouring it stays as it is."""
    if colouring is None:
        rows = np.tile(np.array((-1, -1, -1, 1, 0, 0), dtype=np.float32), (count, 1))
        return Painted(np.arange(count), triangles.astype(np.int64), rows, [(None, np.arange(len(triangles)))])
    found = split(triangles, colouring, by_material=True)
    rows = np.zeros((len(found.source), 6), dtype=np.float32)
    rows[:, :4] = 1.0 if found.colours is None else found.colours / 255.0
    if found.coordinates is not None:
        rows[:, 4:] = found.coordinates
    parts: list[tuple[Material | None, NDArray[np.int64]]] = []
    for material, numbers in triangles_by_material(colouring, len(triangles)):
        corners = np.unique(found.triangles[numbers])
        bare = material.digest == BARE.digest
        rows[corners, :4] *= np.array(material.colour, dtype=np.float32)
        if bare:
            rows[corners, :3] = -1.0
        parts.append((None if bare else material, numbers))
    return Painted(found.source, found.triangles, rows, parts)


Part = tuple[Material | None, NDArray[np.int64], bool]  # the triangles of a material, and whether they are hollow


def paints_of(triangles: NDArray[np.uint32], parts: Sequence[Part]) -> list[Paint]:
    """One paint for each material; those that are seen through after all others."""
    together: dict[tuple[str, bool], list[Part]] = {}
    for each in parts:
        together.setdefault((each[0].digest if each[0] is not None else "", each[2]), []).append(each)
    found = [
        Paint(Indices(triangles[np.concatenate([numbers for _, numbers, _ in same])]), same[0][0], same[0][2])
        for same in together.values()
    ]
    return sorted(found, key=lambda each: each.blends)


def at_once(image: TextureImage) -> tuple[bool, NDArray[np.uint8] | None]:
    """Unpack a texture while the caller waits, as videos do; see `Unpacking.pixels`."""
    return True, unpacked(image)


class CardPictures:
    """Pictures of textures on the card, each once while a form has it."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[str, WrappedTexture] = WeakValueDictionary()
        self.unpack: Unpack = at_once

    def of(self, paint: Paint) -> WrappedTexture | None:
        """The picture of a paint; None where it has none or it is still being unpacked."""
        image = paint.image
        if image is None or paint.picture is not None:
            return paint.picture
        found = self._known.get(image.digest)
        if found is None:
            is_there, pixels = self.unpack(image)
            if not is_there:
                return None
            # What nobody can unpack is white: the base colour alone.
            found = WrappedTexture(np.full((1, 1, 4), 255, dtype=np.uint8) if pixels is None else pixels)
            self._known[image.digest] = found
        paint.picture = found
        return found
