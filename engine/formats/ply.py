"""PLY, Stanford's polygon files, as text or binary of either byte order.

Read are `vertex` (x, y, z, and nx, ny, nz if all are there) and `face` (`vertex_indices` or `vertex_index`); other
elements and properties are passed over. After G. Turk, The PLY polygon file format, 1994.
"""

from __future__ import annotations

import codecs
import re
import struct
from dataclasses import field
from pathlib import Path
from typing import NoReturn

import numpy as np

from engine.formats.binary import MOST_BYTES, read_bytes
from engine.formats.format import Contents, Format, Options
from engine.formats.meshes import MOST_CORNERS, MOST_TRIANGLES, check_counts, contents_of
from engine.formats.text import as_number, shown
from engine.maths.arrays import Array
from engine.runtime import progress
from engine.runtime.errors import UnreadableFile
from engine.runtime.quick_dataclass import dataclass

Rows = dict[str, Array | list[list[int]]]  # a column for each number, a list of lists for each list

_TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}
_TYPES |= {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I"}
_TYPES |= {"float32": "f", "float64": "d"}
_NUMPY = {"b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4", "f": "f4", "d": "f8"}
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_MOST_HEADER = 2**16
_MOST_IN_LISTS = 9 * MOST_TRIANGLES  # three corners, and places in a picture for each
_LINE_END = re.compile(rb"\r\n|\r|\n")
_FACES = ("vertex_indices", "vertex_index")


@dataclass
class _Element:
    name: str
    count: int
    properties: list[tuple[str, str, str]] = field(default_factory=list)  # name, type, type of the count or ""

    @property
    def least(self) -> int:
        """Bytes that a row has at least."""
        return sum(struct.calcsize("=" + (count or kind)) for _, kind, count in self.properties)


def read(path: Path, options: Options) -> Contents:
    """One surface."""
    data = read_bytes(path, "a PLY file").removeprefix(codecs.BOM_UTF8)
    order, elements, body, line = _header(path, data)
    with progress.part(0.0, 0.8):
        rows = _binary(path, data, body, order, elements) if order else _text(path, data[body:], line, elements)
    vertex, face = rows.get("vertex", {}), rows.get("face", {})
    polygons = next((face[name] for name in _FACES if isinstance(face.get(name), list)), None)
    columns = [vertex.get(name) for name in ("x", "y", "z", "nx", "ny", "nz")]
    points = [each for each in columns[:3] if isinstance(each, np.ndarray)]
    if len(points) < 3:
        _refuse(path, "no vertices with x, y and z", "Choose a mesh.")
    if not isinstance(polygons, list) or not polygons:
        _refuse(path, "no faces", "Choose a mesh: a cloud of points has no surface.")
    found = [each for each in columns[3:] if isinstance(each, np.ndarray)]
    normals = np.stack(found, axis=1) if len(found) == 3 else None
    with progress.part(0.8, 1.0):
        return contents_of(path, np.stack(points, axis=1), polygons, normals, (), options)


def _header(path: Path, data: bytes) -> tuple[str, list[_Element], int, int]:
    """Byte order ("" for text), elements, and where the rows begin: byte and line."""
    if data[:3] != b"ply":
        _refuse(path, "a file that does not begin with ply", "Choose a PLY file.")
    end = data.find(b"end_header", 0, _MOST_HEADER)
    line_end = _LINE_END.search(data, end) if end >= 0 else None
    if line_end is None:
        _refuse(path, "a header without end_header", "Get the whole file.", len(data[:_MOST_HEADER].splitlines()))
    body = line_end.end()
    order, elements = None, []
    lines = data[:end].decode("latin-1").splitlines()
    for line, text in enumerate(lines, 1):
        words = text.split()
        if words[:1] == ["format"] and len(words) > 1:
            order = _ORDERS.get(words[1])
        elif words[:1] == ["element"]:
            elements.append(_element(path, words, line))
        elif words[:1] == ["property"]:
            if not elements:
                _refuse(path, "a property before any element", "Write element first.", line)
            elements[-1].properties.append(_property(path, words, line))
        elif words and words[0] not in ("ply", "comment", "obj_info", "format"):
            _refuse(path, f"{shown(words[0])} in the header", "Known: format, element, property, comment.", line)
    if order is None:
        _refuse(path, "no format that is known", f"Known formats: {', '.join(_ORDERS)}.", 2)
    left = len(data) - body
    for element in elements:
        if element.properties and element.count * (element.least if order else 2 * len(element.properties)) > left + 1:
            found = f"{element.count:,} rows of {element.name} in {left:,} bytes"
            _refuse(path, found, "Get the whole file, or correct the count.")
        check_counts(path, element.count, element.count if element.name == "face" else 0)
    return order, [each for each in elements if each.properties and each.count], body, len(lines) + 1


def _element(path: Path, words: list[str], line: int) -> _Element:
    if len(words) != 3 or not (words[2].isascii() and words[2].isdigit() and len(words[2]) < 16):
        _refuse(path, f"{shown(' '.join(words))}", "Write element, its name and a count.", line)
    return _Element(words[1], int(words[2]))


def _property(path: Path, words: list[str], line: int) -> tuple[str, str, str]:
    kinds = [_TYPES.get(word) for word in (words[2:4] if words[1:2] == ["list"] else words[1:2])]
    if len(words) != 2 + len(kinds) + (words[1:2] == ["list"]) or None in kinds or not kinds:
        known = ", ".join(sorted(_TYPES))
        _refuse(path, f"{shown(' '.join(words))}", f"Write property, a type and a name; types: {known}.", line)
    sound = [kind for kind in kinds if kind is not None]
    if len(sound) == 2 and sound[0] in "fd":
        _refuse(path, "a list counted in fractions", "Count lists in whole numbers.", line)
    return words[-1], sound[-1], sound[0] if len(sound) == 2 else ""


def _text(path: Path, data: bytes, line: int, elements: list[_Element]) -> dict[str, Rows]:
    lines = data.decode("latin-1").splitlines()
    filled = [(line + at, text.split()) for at, text in enumerate(lines, 1) if text.strip()]
    found: dict[str, Rows] = {}
    at = 0
    for number, element in enumerate(elements):
        rows, total = [], 0
        with progress.part(number / len(elements), (number + 1) / len(elements)):
            for row in progress.each(filled[at : at + element.count]):
                rows.append(_text_row(path, element, *row))
                total = _check_list(path, element, max(map(len, rows[-1])), total)
        if len(rows) < element.count:
            stated = f"{len(rows)} of {element.count} rows of {element.name}"
            _refuse(path, stated, "Get the whole file.", line + len(lines))
        at += element.count
        found[element.name] = _columns(element, rows)
    return found


def _check_list(path: Path, element: _Element, size: int, total: int) -> int:
    """Refuse a list that no face has, and more numbers than a mesh that can be drawn; return the sum so far."""
    if size > MOST_CORNERS:
        _refuse(
            path, f"a list of {size} numbers in a row of {element.name}", f"A face has 3 to {MOST_CORNERS:,} corners."
        )
    if total + size > _MOST_IN_LISTS:
        found = f"lists of more than {_MOST_IN_LISTS:,} numbers in the rows of {element.name}"
        _refuse(path, found, f"Reduce the mesh to {MOST_TRIANGLES:,} triangles or fewer in a program for meshes.")
    return total + size


def _text_row(path: Path, element: _Element, line: int, words: list[str]) -> list[list[float]]:
    numbers = [as_number(word) for word in words]
    sound = [number for number in numbers if number is not None]
    if len(sound) < len(numbers):
        wrong = words[numbers.index(None)]
        _refuse(path, f"{shown(wrong)} in a row of {element.name}", "Write finite numbers.", line)
    row, at = [], 0
    for _, _, count in element.properties:
        size = 1
        if count and at < len(sound):
            size, at = int(sound[at]), at + 1
        if size < 0 or at + size > len(sound):
            _refuse(path, f"a row of {element.name} with {len(sound)} numbers", "Get the whole row.", line)
        row.append(sound[at : at + size])
        at += size
    return row


def _binary(path: Path, data: bytes, at: int, order: str, elements: list[_Element]) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for number, element in enumerate(elements):
        with progress.part(number / len(elements), (number + 1) / len(elements)):
            rows, at = _binary_rows(path, data, at, order, element)
        found[element.name] = rows
    return found


def _binary_rows(path: Path, data: bytes, at: int, order: str, element: _Element) -> tuple[Rows, int]:
    if not any(count for _, _, count in element.properties):
        kind = np.dtype([(f"{n}", order + _NUMPY[each]) for n, (_, each, _) in enumerate(element.properties)])
        if len(data) - at < element.count * kind.itemsize:
            _refuse(path, f"the end of the file among the rows of {element.name}", "Get the whole file.")
        block = np.frombuffer(data, kind, element.count, at)
        names = [name for name, _, _ in element.properties]
        columns: Rows = {name: block[f"{n}"].astype(float) for n, name in enumerate(names)}
        return columns, at + element.count * kind.itemsize
    rows: list[list[list[float]]] = []
    total = 0
    try:
        for _ in progress.each(range(element.count)):
            row = []
            for _, kind_, count in element.properties:
                size = 1
                if count:
                    (size,) = struct.unpack_from(order + count, data, at)
                    at += struct.calcsize("=" + count)
                if size < 0 or size > len(data) - at:
                    _refuse(path, f"a list of {size} numbers in a row of {element.name}", "Get the whole file.")
                total = _check_list(path, element, size, total) if count else total
                row.append(list(struct.unpack_from(f"{order}{size}{kind_}", data, at)))
                at += size * struct.calcsize("=" + kind_)
            rows.append(row)
    except struct.error:
        _refuse(path, f"the end of the file among the rows of {element.name}", "Get the whole file.")
    return _columns(element, rows), at


def _columns(element: _Element, rows: list[list[list[float]]]) -> Rows:
    found: Rows = {}
    for place, (name, _, count) in enumerate(element.properties):
        if count:
            found[name] = [[int(each) if abs(each) < 2**40 else -1 for each in row[place]] for row in rows]
        else:
            found[name] = np.array([row[place][0] for row in rows], float)
    return found


def _refuse(path: Path, found: str, remedy: str, line: int | None = None) -> NoReturn:
    raise UnreadableFile(path=path, found=found, remedy=remedy, line=line)


FORMAT = Format(
    name="PLY mesh",
    suffixes=(".ply",),
    kind="mesh",
    read=read,
    about="Polygons with normals, text or binary; no unit, no colours.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
)
