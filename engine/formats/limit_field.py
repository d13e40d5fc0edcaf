"""The field of a joint limit as a numpy archive, for `numpy.load`; nothing pickled is written or read.

`distances` [rad], float64, negative inside, one axis for each angle; `lower` and `spacing` [rad] of the nodes along
each axis, `periodic`, whether it goes round, and `hinges`, the name of each angle. Sizes are checked before any array
is unpacked.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.document.blobs import Blob
from engine.document.limit import MOST_ANGLES, Grid, GridRange
from engine.formats.binary import write_bytes
from engine.formats.npz import Arrays, read_arrays
from engine.runtime.errors import InvalidDocument, UnreadableFile

SUFFIX = ".field.npz"
FARTHEST = 100.0  # [rad] that a distance can be

_NAMES = ("distances", "lower", "spacing", "periodic", "hinges")
_REMEDY = "Choose a field that Sinew wrote, or write the arrays " + ", ".join(_NAMES) + "."


class FieldFile(NamedTuple):
    """A grid, its distances and its hinges, as such a file holds them."""

    grid: Grid
    range: GridRange
    hinges: tuple[str, ...]


def write(path: Path, grid: Grid, distances: NDArray[np.float64], hinges: Sequence[str]) -> None:
    """Write signed distances [rad], shape grid.counts, exactly."""
    output = io.BytesIO()
    np.savez_compressed(
        output,
        distances=distances,
        lower=np.array(grid.lower),
        spacing=np.array(grid.spacing),
        periodic=np.array(grid.periodic),
        hinges=np.array(hinges, dtype=np.str_),
    )
    write_bytes(path, output.getvalue())


def read(path: Path) -> FieldFile:
    """The field in a file; raises `UnreadableFile`."""
    arrays = read_arrays(path, _NAMES, _REMEDY)
    distances = arrays["distances"]
    size = distances.ndim
    _check(path, arrays)
    numbers = distances.astype(np.float64)
    bad = int(np.count_nonzero(~(np.abs(numbers) <= FARTHEST)))
    if bad:
        found = f"{bad:,} of {numbers.size:,} distances that are not finite, or beyond {FARTHEST:g} rad"
        raise UnreadableFile(path=path, found=found, remedy="Write a finite distance in radians at every node.")
    try:
        grid = Grid(
            counts=numbers.shape,
            lower=tuple(arrays["lower"].astype(np.float64).tolist()),
            spacing=tuple(arrays["spacing"].astype(np.float64).tolist()),
            periodic=tuple(arrays["periodic"].astype(np.bool_).tolist()),
        )
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy=_REMEDY) from error
    hinges = tuple(str(arrays["hinges"][each]) for each in range(size))
    return FieldFile(grid, GridRange(distances=Blob(np.ascontiguousarray(numbers))), hinges)


def _check(path: Path, arrays: Arrays) -> None:
    """Types and shapes."""
    size = arrays["distances"].ndim
    kinds = {"distances": "f", "lower": "f", "spacing": "f", "periodic": "b", "hinges": "U"}
    sound = 1 <= size <= MOST_ANGLES and all(arrays[name].dtype.kind == kind for name, kind in kinds.items())
    if not sound or any(arrays[name].shape != (size,) for name in _NAMES[1:]):
        shapes = ", ".join(f"{name} {array.dtype} {list(array.shape)}" for name, array in arrays.items())
        raise UnreadableFile(path=path, found=f"arrays that do not fit: {shapes}", remedy=_REMEDY)
