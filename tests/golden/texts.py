"""Texts: what is compared of a file that was exported.

A text is its words, the same on every machine, and its numbers, which another processor may round otherwise; what a
reader of the format must know beside is how many decimals it writes. Of files that hold bytes the arrays are numbers.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.golden.found import Found, digest

_NUMBER = re.compile(rb"(-?(?<![\w.])\d+(?:\.\d+)?(?:[eE][+-]?\d+(?!\w))?)")
_DECIMALS = re.compile(rb"\.(\d+)")
LINES = 2000
_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def content(path: Path) -> Found:
    """What is compared of a file, by what its name ends in."""
    data = path.read_bytes()
    if path.suffix == ".npz":
        return _of_arrays(data)
    if path.suffix == ".glb":
        return _of_glb(data)
    return _of_text(data)


def _of_text(data: bytes) -> Found:
    """Of all of it what is no number; of so many lines in even steps their words, numbers and decimals."""
    lines = data.split(b"\n")
    some = b"\n".join(lines[each] for each in sorted({round(at) for at in np.linspace(0, len(lines) - 1, LINES)}))
    apart = _NUMBER.split(some)  # what stands between numbers, and they, in turn
    decimals = max((len(each) for each in _DECIMALS.findall(some)), default=0)
    told = {"lines": len(lines), "letters": digest(data.translate(None, b"+-.0123456789eE")), "decimals": decimals}
    return Found(
        exact={**told, "words": digest(b"#".join(apart[::2]))},
        close={"numbers": np.array([float(each) for each in apart[1::2]])},
        bytes={"file": digest(data)},
    )


def _of_arrays(data: bytes) -> Found:
    """Of the file's members, not of its bytes: what deflates them may be of another version."""
    found = Found()
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        found.exact["members"] = [[each.filename, list(each.date_time)] for each in file.infolist()]
    with np.load(io.BytesIO(data)) as arrays:
        for name in arrays.files:
            _add(found, name, arrays[name])
    return found


def _add(found: Found, name: str, array: NDArray[np.generic]) -> None:
    found.exact[name] = [array.dtype.str, list(array.shape)]
    if array.dtype.kind == "f":
        found.close[name] = array
    else:
        found.exact[f"{name} content"] = digest(array.astype("S").tobytes() if array.dtype.kind == "U" else array)


def _of_glb(data: bytes) -> Found:
    """Of a glTF file with its buffer inside."""
    (length,) = struct.unpack_from("<I", data, 12)
    said, start = json.loads(data[20 : 20 + length]), 20 + length + 8
    found = _of_text(json.dumps(said, indent=1).encode())
    found.exact["size"] = len(data)
    found.bytes["file"] = digest(data)
    floats = []
    for each in said["accessors"]:
        view = said["bufferViews"][each["bufferView"]]
        first = start + view.get("byteOffset", 0) + each.get("byteOffset", 0)
        count = each["count"] * _WIDTHS[each["type"]]
        array = np.frombuffer(data, _TYPES[each["componentType"]], count, first)
        if array.dtype.kind == "f":
            floats.append(array)
    found.close["arrays"] = np.concatenate(floats)
    return found
