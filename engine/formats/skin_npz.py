"""Skins that ship with Sinew: numpy archives without pickles, one array for each field.

`positions` float32, `triangles`, `joints` (ids as text), `bind` float64, `influences` uint8 and `weights` as shares of
65,535; the pose that `bind` tells need not be the figure's rest pose.
"""

from __future__ import annotations

import zipfile
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from engine.document import Blob, Skin
from engine.runtime.errors import InvalidDocument, UnreadableFile

SUFFIX = ".skin.npz"


def read(path: Path | str) -> Skin:
    """The skin in a file; raises `UnreadableFile`."""
    path = Path(path)
    name = path.name.removesuffix(SUFFIX)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            weights = arrays["weights"].astype(np.float64)
            return Skin(
                id=f"{name}_skin",
                name=f"{name.capitalize()} skin",
                positions=Blob(arrays["positions"].astype("<f4")),
                triangles=Blob(arrays["triangles"].astype("<i4")),
                joints=tuple(arrays["joints"].tolist()),
                bind=Blob(arrays["bind"].astype("<f8")),
                influences=Blob(arrays["influences"].astype("<i4")),
                weights=Blob((weights / np.maximum(weights.sum(axis=1, keepdims=True), 1.0)).astype("<f4")),
            )
    except (OSError, EOFError, LookupError, TypeError, ValueError, zipfile.BadZipFile, InvalidDocument) as error:
        remedy = f"Choose a {SUFFIX} file that Sinew made."
        raise UnreadableFile(path=path, found=f"no sound skin ({error})", remedy=remedy) from error


@cache
def load_skin(name: str) -> Skin:
    """One of the skins in `resources/skins`."""
    with as_file(files("resources") / "skins" / f"{name}{SUFFIX}") as path:
        return read(path)
