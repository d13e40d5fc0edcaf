"""Skins in files of their own: numpy archives without pickles, one array for each field.

`positions` float32, `triangles`, `joints` (ids as text), `bind` float64, `influences`, `weights` as shares of 65,535
and `blending`; the pose that `bind` tells need not be the figure's rest pose.
Those that ship with Sinew are such files, too (`engine.document.shipped`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.document import Skin
from engine.document.shipped import SUFFIX, WHOLE, skin_of
from engine.document.skin import SKIN_ARRAYS
from engine.formats.npz import Arrays, read_arrays
from engine.formats.text import LARGEST
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable

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
    name = printable(path.name).removesuffix(SUFFIX)
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
    for each in ("positions", "bind"):
        if not (np.abs(arrays[each].astype(np.float64)) <= LARGEST).all():
            raise ValueError(f"{each} that are not finite or far too large")
    return skin_of(name, arrays)


def write(path: Path, skin: Skin) -> None:
    """Write a skin; weights are rounded to shares of 65,535."""
    joint_count, vertex_count = len(skin.joints), len(skin.positions.array)
    np.savez_compressed(
        path,
        positions=skin.positions.array,
        triangles=skin.triangles.array.astype(np.uint16 if vertex_count <= WHOLE else np.int32),
        joints=np.array(skin.joints),
        bind=skin.bind.array,
        influences=skin.influences.array.astype(np.uint8 if joint_count <= 256 else np.int32),
        weights=np.round(skin.weights.array * np.float32(WHOLE)).astype(np.uint16),
        blending=np.array(skin.blending),
    )
