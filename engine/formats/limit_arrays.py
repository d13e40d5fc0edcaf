"""Arrays of joint limits beside a `.figure.toml`: numpy archives without pickles, exact, in radians."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engine.document import Blob
from engine.document.limit import MOST_NODES
from engine.formats.binary import write_bytes
from engine.formats.npz import read_arrays
from engine.runtime.errors import InvalidDocument, UnreadableFile

LIMIT_SUFFIX = ".limit.npz"
MOST_BYTES = 16 * MOST_NODES + 2**16  # of all arrays of a file, unpacked, with their heads


def read(path: Path, types: Mapping[str, str]) -> dict[str, Blob]:
    """The arrays of these names and types in a file; raises `UnreadableFile`."""
    remedy = f"Put the {LIMIT_SUFFIX} file that Sinew wrote with the figure beside it."
    arrays = read_arrays(path, types, remedy, most=MOST_BYTES)
    for name, array in arrays.items():
        if array.dtype.kind not in "iuf":
            raise UnreadableFile(path=path, found=f"{name} of type {array.dtype}", remedy=remedy)
    try:
        return {name: Blob(arrays[name].astype(type)) for name, type in types.items()}
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=f"no sound joint limit ({error})", remedy=remedy) from error


def write(path: Path, arrays: Mapping[str, Blob]) -> None:
    """Write arrays by name; raises `UnwritableFile`."""
    content = io.BytesIO()
    found: dict[str, Any] = {name: blob.array for name, blob in arrays.items()}
    np.savez_compressed(content, **found)
    write_bytes(path, content.getvalue())
