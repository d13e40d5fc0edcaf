"""Material libraries of OBJ files: diffuse colour, its texture and opacity of each material.

Only files in the folder of the OBJ file are opened (`engine.formats.textures.beside`); a library or a texture that is
not there leaves the colour of the surface alone and is noted. Coordinates go up in OBJ and down here. After Wavefront's
material library format (.mtl), 1995: `newmtl`, `Kd`, `d`, `Tr`, `map_Kd`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.document import Blob, Colouring, Material, TextureImage
from engine.document.material import FARTHEST, MOST_MATERIALS
from engine.formats.binary import read_bytes
from engine.formats.text import as_number, read_text, shown
from engine.formats.textures import MOST_TEXTURE_BYTES, Textures, beside
from engine.maths.arrays import Array, LongArray
from engine.model.colourings import BARE
from engine.runtime.errors import UnreadableFile, printable

MOST_LIBRARIES = 16


class ObjMaterials:
    """The materials of a file's libraries, by name."""

    def __init__(self, path: Path, libraries: Sequence[str]) -> None:
        self._path, self.textures = path, Textures()
        self.notes: list[str] = []
        self._known: dict[str, Material] = {}
        for name in list(dict.fromkeys(libraries))[:MOST_LIBRARIES]:
            place = beside(path, name)
            if place is None:
                self.notes.append(f"the library of materials {shown(name)} is not beside the file: left out")
                continue
            try:
                self._read(place)
            except UnreadableFile as error:
                self.notes.append(f"the library of materials {shown(name)} cannot be read ({error.found}): left out")

    def __bool__(self) -> bool:
        return bool(self._known)

    def colouring(self, names: Sequence[str], coordinates: Array, corners: LongArray) -> Colouring | None:
        """Colour triangles: the material of each by name, and of each of their corners its place in the list of
        coordinates, -1: none; None where no material is known."""
        used = [each for each in dict.fromkeys(names) if each in self._known]
        if not used:
            return None
        own = [self._known[each] for each in used]
        places = {name: place for place, name in enumerate(used)}
        chosen = np.array([places.get(each, len(own)) for each in names], "<i4")
        if (chosen == len(own)).any():
            own.append(BARE)
        laid = None
        if len(coordinates) and (corners >= 0).any():
            found = np.where(corners[..., None] >= 0, coordinates[np.maximum(corners, 0)], 0.0)
            found[..., 1] = np.where(corners >= 0, 1.0 - found[..., 1], 0.0)
            laid = Blob(np.clip(found, -FARTHEST, FARTHEST).astype("<f4"))
        return Colouring(materials=tuple(own), of_triangles=Blob(chosen) if len(own) > 1 else None, coordinates=laid)

    def _read(self, path: Path) -> None:
        name, colour, opacity, image = "", [1.0, 1.0, 1.0], 1.0, None

        def keep() -> None:
            if name and len(self._known) < MOST_MATERIALS - 1:
                red, green, blue = (1.0, 1.0, 1.0) if image is not None else colour
                alpha = "blend" if opacity < 1.0 else "opaque"
                self._known[name] = Material(
                    name=printable(name)[:200], colour=(red, green, blue, opacity), texture=image, two_sided=True,
                    alpha="blend" if alpha == "blend" else "opaque",
                )  # fmt: skip

        for text in read_text(path, "a library of materials").lines:
            words = text.split("#", 1)[0].split()
            if len(words) < 2:
                continue
            key = words[0].lower()
            if key == "newmtl":
                keep()
                name, colour, opacity, image = " ".join(words[1:]), [1.0, 1.0, 1.0], 1.0, None
            elif key == "kd" and len(words) >= 4:
                colour = [_share(each) for each in words[1:4]]
            elif key in ("d", "tr"):
                share = _share(words[-1])
                opacity = share if key == "d" else 1.0 - share
            elif key == "map_kd":
                image = self._texture(words)
        keep()

    def _texture(self, words: Sequence[str]) -> TextureImage | None:
        """The picture that a line names after its options, spaces and all."""
        for first in range(1, len(words)):
            named = " ".join(words[first:])
            place = beside(self._path, named)
            if place is not None:
                try:
                    return self.textures.take(place.name, read_bytes(place, "a picture", MOST_TEXTURE_BYTES))
                except UnreadableFile:
                    break
        self.textures.leave_out(words[-1], "is not beside the file")
        return None


def _share(word: str) -> float:
    """A number from 0 to 1; 1 where it is none."""
    value = as_number(word)
    return 1.0 if value is None else min(max(value, 0.0), 1.0)
