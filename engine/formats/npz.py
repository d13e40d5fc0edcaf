"""Archives of numpy arrays, read safely: nothing pickled, none unpacked before its size is known to be sane."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from tokenize import TokenError  # of a head that is no Python

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from engine.document.conformance import is_text
from engine.runtime.errors import UnreadableFile, reason_of

MOST_BYTES = 2**29  # of all arrays of a file, unpacked

Arrays = dict[str, NDArray[np.generic]]


def read_arrays(
    path: Path, names: Iterable[str], remedy: str, *, optional: Iterable[str] = (), most: int = MOST_BYTES
) -> Arrays:
    """The arrays of those names; `remedy` ends what is said of a file that does not hold them.

    Together they may take no more than `most` bytes.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            there = archive.namelist()
            wanted = (*names, *(name for name in optional if f"{name}.npy" in there))
            size = sum(archive.getinfo(f"{name}.npy").file_size for name in wanted if f"{name}.npy" in there)
            if size > most:
                found = f"arrays of {size:,} bytes, unpacked"
                raise UnreadableFile(path=path, found=found, remedy=f"Split it into files of {most:,} or fewer.")
            return {name: _array(path, archive, name, remedy) for name in wanted}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise UnreadableFile(path=path, found=f"no sound NPZ file ({error})", remedy=remedy) from error
    except (OSError, ValueError) as error:
        remedy = "Check the name, and that the file is there and may be read."
        raise UnreadableFile(path=path, found=reason_of(error), remedy=remedy) from error


def _array(path: Path, archive: zipfile.ZipFile, name: str, remedy: str) -> NDArray[np.generic]:
    """One array; its shape must agree with its size, and its size be sane."""
    try:
        member = archive.getinfo(f"{name}.npy")
        with archive.open(member) as file:
            version = npy.read_magic(file)
            shape, _, kind = npy.read_array_header_1_0(file) if version == (1, 0) else npy.read_array_header_2_0(file)
            if kind.hasobject or math.prod(shape) * kind.itemsize != member.file_size - file.tell():
                found = f"the array {name!r}, of shape {str(shape)[:40]}, in {member.file_size:,} bytes"
                raise UnreadableFile(path=path, found=found, remedy=remedy)
        with archive.open(member) as file:
            array = np.asarray(npy.read_array(file, allow_pickle=False))
        if array.dtype.kind == "U" and not all(map(is_text, array.ravel().tolist())):
            raise ValueError("texts that are very long or hold halves of characters")
        return array
    except KeyError as error:
        raise UnreadableFile(path=path, found=f"no array {name!r}", remedy=remedy) from error
    except (ValueError, RuntimeError, TokenError) as error:
        raise UnreadableFile(path=path, found=f"the array {name!r}: {str(error)[:80]}", remedy=remedy) from error
