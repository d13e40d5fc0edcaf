"""Skins and faces that ship with Sinew, and which arrays are theirs.

One stands in `resources/skins` as a numpy archive and, beside it, as the text of the part, which names the arrays by
their digests. The text alone makes the skin; the arrays are read when someone draws it, and a document that holds it
stores none of them. Hence a file there may be added but not changed: saved documents name what it holds. Faces stand
in `resources/faces` in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

from engine.document.blobs import Blob, ShippedBlob
from engine.document.skin import SKIN_ARRAYS, Skin

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUFFIX, TEXT_SUFFIX = ".skin.npz", ".skin.json"
SHIPPED = ("human", "anatomy")
FACES = ("face",)
WHOLE = 65535  # of which the weights in an archive are shares


@cache
def load_skin(name: str) -> Skin:
    """One of the skins in `resources/skins`, its arrays not read yet."""
    plain = json.loads((files("resources") / "skins" / f"{name}{TEXT_SUFFIX}").read_text(encoding="utf-8"))
    positions, triangles, bind, influences, weights = (_shipped(name, field, plain[field]) for field in SKIN_ARRAYS)
    return Skin(
        id=plain["id"],
        name=plain["name"],
        positions=positions,
        triangles=triangles,
        joints=tuple(plain["joints"]),
        bind=bind,
        influences=influences,
        weights=weights,
    )


def shipped_array(digest: str) -> Blob | None:
    """The array of that digest, if one of the skins or faces that ship holds it."""
    skins = (load_skin(name) for name in SHIPPED)
    found: list[Blob] = [getattr(skin, field) for skin in skins for field in SKIN_ARRAYS]
    found += [blob for name in FACES for blob in face_arrays(name).values()]
    return next((blob for blob in found if blob.digest == digest), None)


@cache
def face_arrays(name: str) -> dict[str, Blob]:
    """The arrays of one of the faces in `resources/faces` by their names, not read yet."""
    found: dict[str, Blob] = {}
    for field, (digest, type, shape) in _face_text(name)["arrays"].items():
        found[field] = ShippedBlob(digest, type, tuple(shape), partial(_face_array, name, field))
    return found


def face_shapes(name: str) -> tuple[tuple[str, str], ...]:
    """The ids and names of the shapes of such a face."""
    return tuple((id, called) for id, called in _face_text(name)["shapes"])


def _face_text(name: str) -> Any:
    return json.loads((files("resources") / "faces" / f"{name}.json").read_text(encoding="utf-8"))


def _face_array(name: str, field: str) -> Blob:
    import numpy as np

    with as_file(files("resources") / "faces" / f"{name}.npz") as path, np.load(path) as arrays:
        return Blob(arrays[field])


def skin_of(name: str, arrays: Mapping[str, NDArray[Any]]) -> Skin:
    """The skin that the arrays of an archive make."""
    import numpy as np  # here, for the window is painted before it is loaded

    weights = arrays["weights"].astype(np.float64)
    whole = np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    return Skin(
        id=f"{name}_skin",
        name=f"{name.capitalize()} skin",
        positions=Blob(arrays["positions"].astype("<f4")),
        triangles=Blob(arrays["triangles"].astype("<i4")),
        joints=tuple(map(str, np.atleast_1d(arrays["joints"]).tolist())),
        bind=Blob(arrays["bind"].astype("<f8")),
        influences=Blob(arrays["influences"].astype("<i4")),
        weights=Blob((weights / whole).astype("<f4")),
        blending=str(arrays["blending"]) if "blending" in arrays else "dual",  # type: ignore[arg-type]
    )


def _shipped(name: str, field: str, plain: Mapping[str, object]) -> Blob:
    shape = plain["shape"]
    assert isinstance(shape, list), "written by us"
    return ShippedBlob(str(plain["blob"]), str(plain["numbers"]), tuple(shape), partial(_array, name, field))


def _array(name: str, field: str) -> Blob:
    found: Blob = getattr(_read_shipped(name), field)
    return found


@cache
def _read_shipped(name: str) -> Skin:
    import numpy as np

    with as_file(files("resources") / "skins" / f"{name}{SUFFIX}") as path, np.load(path) as arrays:
        return skin_of(name, dict(arrays))
