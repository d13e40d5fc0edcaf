"""Skins in files of their own: numpy archives without pickles, one array for each field.

`positions` float32, `triangles`, `joints` (ids as text), `bind` float64, `influences`, `weights` as shares of 65,535
and `blending`; the pose that `bind` tells need not be the figure's rest pose.

A skin that ships stands in `resources/skins` as such a file and, beside it, as the text of the part, which names the
arrays by their digests. The text alone makes the skin; the arrays are read when someone draws it, and a document that
holds it stores none of them. Hence a file there may be added but not changed: saved documents name what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from engine.document import Blob, Skin
from engine.document.blobs import ShippedBlob
from engine.document.skin import SKIN_ARRAYS
from engine.formats.npz import Arrays, read_arrays
from engine.formats.text import LARGEST
from engine.runtime.errors import InvalidDocument, UnreadableFile

SUFFIX, TEXT_SUFFIX = ".skin.npz", ".skin.json"
SHIPPED = ("human",)
_WHOLE = 65535
_KINDS = {
    "positions": ("f", 2),
    "triangles": ("iu", 2),
    "joints": ("U", 1),
    "bind": ("f", 3),
    "influences": ("iu", 2),
    "weights": ("u", 2),
}


def read(path: Path | str) -> Skin:
    """The skin in a file; raises `UnreadableFile`."""
    path = Path(path)
    name = path.name.removesuffix(SUFFIX)
    remedy = f"Choose a {SUFFIX} file that Sinew made."
    arrays = read_arrays(path, (*SKIN_ARRAYS, "joints"), remedy, optional=("blending",))
    try:
        return _skin(name, arrays)
    except (OverflowError, TypeError, ValueError, IndexError, InvalidDocument) as error:
        raise UnreadableFile(path=path, found=f"no sound skin ({str(error)[:200]})", remedy=remedy) from error


def _skin(name: str, arrays: Arrays) -> Skin:
    for each, (kinds, dimensions) in _KINDS.items():
        if arrays[each].dtype.kind not in kinds or arrays[each].ndim != dimensions:
            raise ValueError(f"{each} of {arrays[each].dtype}, shape {arrays[each].shape}")
    weights = arrays["weights"].astype(np.float64)
    whole = np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    for each in ("positions", "bind"):
        if not (np.abs(arrays[each].astype(np.float64)) <= LARGEST).all():
            raise ValueError(f"{each} that are not finite or far too large")
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


def write(path: Path, skin: Skin) -> None:
    """Write a skin; weights are rounded to shares of 65,535."""
    joint_count, vertex_count = len(skin.joints), len(skin.positions.array)
    np.savez_compressed(
        path,
        positions=skin.positions.array,
        triangles=skin.triangles.array.astype(np.uint16 if vertex_count <= _WHOLE else np.int32),
        joints=np.array(skin.joints),
        bind=skin.bind.array,
        influences=skin.influences.array.astype(np.uint8 if joint_count <= 256 else np.int32),
        weights=np.round(skin.weights.array * np.float32(_WHOLE)).astype(np.uint16),
        blending=np.array(skin.blending),
    )


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
    """The array of that digest, if one of the skins that ship holds it."""
    skins = (load_skin(name) for name in SHIPPED)
    found: list[Blob] = [getattr(skin, field) for skin in skins for field in SKIN_ARRAYS]
    return next((blob for blob in found if blob.digest == digest), None)


def _shipped(name: str, field: str, plain: Mapping[str, object]) -> Blob:
    shape = plain["shape"]
    assert isinstance(shape, list), "written by us"
    return ShippedBlob(str(plain["blob"]), str(plain["numbers"]), tuple(shape), partial(_array, name, field))


def _array(name: str, field: str) -> Blob:
    found: Blob = getattr(_read_shipped(name), field)
    return found


@cache
def _read_shipped(name: str) -> Skin:
    with as_file(files("resources") / "skins" / f"{name}{SUFFIX}") as path:
        return read(path)
