"""The records of a binary FBX file, version 7.4: nodes with properties and children, numbers as little-endian bytes.

Arrays are not compressed, and the time of creation is a fixed one whose codes stand at the end of the file, so that the
same content gives the same bytes.
"""

from __future__ import annotations

import struct
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from engine.runtime.quick_dataclass import dataclass

VERSION = 7400
CREATED = "1970-01-01 10:00:00:000"
FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")  # of that time, as is the code of the footer

_HEAD = b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", VERSION)
_FOOT = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")
_RECORD = 13
_ARRAYS = {"d": "<f8", "f": "<f4", "i": "<i4", "l": "<i8"}

Value = bool | int | float | str | bytes | NDArray[np.generic]


@dataclass
class FbxNode:
    """One record. Whole numbers are of 32 bits, those made by `long` of 64."""

    name: str
    values: tuple[Value, ...] = ()
    children: list[FbxNode] = field(default_factory=list)

    def add(self, name: str, *values: Value) -> FbxNode:
        """A child more."""
        self.children.append(FbxNode(name, values))
        return self.children[-1]


class Long(int):
    """A whole number that is written with 64 bits."""


def file_of(nodes: list[FbxNode]) -> bytes:
    """The bytes of a file with those records."""
    parts, at = [_HEAD], len(_HEAD)
    for node in nodes:
        parts.append(_record(node, at))
        at += len(parts[-1])
    body = b"".join(parts) + bytes(_RECORD) + _FOOT + bytes(4)
    body += bytes(16 - len(body) % 16)
    return body + struct.pack("<I", VERSION) + bytes(120) + _END


def _record(node: FbxNode, at: int) -> bytes:
    """A record that begins at that byte of the file; it says where it ends."""
    name, values = node.name.encode(), b"".join(map(_value, node.values))
    inner, start = [], at + _RECORD + len(name) + len(values)
    for each in node.children:
        inner.append(_record(each, start))
        start += len(inner[-1])
    if node.children or not node.values:
        inner.append(bytes(_RECORD))
        start += _RECORD
    head = struct.pack("<IIIB", start, len(node.values), len(values), len(name))
    return b"".join((head, name, values, *inner))


def _value(value: Value) -> bytes:
    if isinstance(value, np.ndarray):
        kind = next(letter for letter, type in _ARRAYS.items() if value.dtype == np.dtype(type))
        data = np.ascontiguousarray(value).tobytes()
        return kind.encode() + struct.pack("<III", value.size, 0, len(data)) + data
    if isinstance(value, bool):
        return b"C" + struct.pack("<B", value)
    if isinstance(value, Long):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, int):
        return b"I" + struct.pack("<i", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    data = value.encode() if isinstance(value, str) else value
    return (b"S" if isinstance(value, str) else b"R") + struct.pack("<I", len(data)) + data
