"""STL, 3D Systems' lists of triangles, binary or text.

Binary: 80 bytes of title, a count (little-endian), and 50 bytes for each triangle: normal, three corners, two bytes.
A file is binary if its length says so, since titles may begin with "solid" too. Corners at the very same place become
one vertex, so that the surface hangs together; the stored normals are of the faces and follow from the corners.
"""

from __future__ import annotations

import codecs
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.formats.binary import MOST_BYTES, read_bytes
from engine.formats.format import Contents, FileMesh, Format, Options
from engine.formats.meshes import MOST_TRIANGLES, check_counts, check_points, surface_of
from engine.formats.names import Names
from engine.formats.text import TextFile, read_text, shown
from engine.model.same_points import number_points
from engine.runtime import progress
from engine.runtime.errors import UnreadableFile, printable

_TITLE, _EACH = 84, 50


def read(path: Path, options: Options) -> Contents:
    """One surface for each solid."""
    data = read_bytes(path, "an STL file")
    count = int.from_bytes(data[80:84], "little") if len(data) >= _TITLE else -1
    if count >= 0 and len(data) == _TITLE + count * _EACH:
        check_counts(path, 0, count)
        solids = [(printable(path.stem), _binary(data))]
    elif data.removeprefix(codecs.BOM_UTF8).lstrip()[:5].lower() == b"solid" and b"\0" not in data[: _TITLE * 4]:
        with progress.part(0.0, 0.6):
            solids = _text(read_text(path, "an STL file"))
    elif count >= 0:
        found = f"{len(data)} bytes where {count} triangles need {_TITLE + count * _EACH}"
        raise UnreadableFile(path=path, found=found, remedy="Get the whole file.")
    else:
        raise UnreadableFile(path=path, found=f"{len(data)} bytes that are no STL", remedy="Choose an STL file.")
    with progress.part(0.6, 1.0):
        return _contents(path, solids, options)


def _contents(path: Path, solids: list[tuple[str, NDArray[np.float64]]], options: Options) -> Contents:
    names, surfaces = Names(), []
    notes: list[str] = []
    for place, (name, corners) in enumerate(progress.each(solids)):
        with progress.part(place / len(solids), (place + 1) / len(solids)):
            surface, said = _surface(path, names.take(name or printable(path.stem)), corners, options)
        surfaces.append(surface)
        notes += said
    return Contents(surfaces=tuple(surfaces), notes=tuple(notes), again=partial(_contents, path, solids))


def _binary(data: bytes) -> NDArray[np.float64]:
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    return np.frombuffer(data, kind, offset=_TITLE)["corners"].reshape(-1, 3).astype(float)


def _text(file: TextFile) -> list[tuple[str, NDArray[np.float64]]]:
    solids: list[tuple[str, NDArray[np.float64]]] = []
    name: str | None = None
    corners: list[tuple[float, float, float]] = []
    in_loop = facets = 0
    for line, text in enumerate(progress.each(file.lines), 1):
        words = text.split()
        key = words[0].lower() if words else ""
        if key == "solid" and name is None:
            name, corners = " ".join(words[1:]), []
        elif key == "vertex" and name is not None:
            corners.append(file.vector(words[1:], line, "a vertex"))
            in_loop += 1
        elif key == "endloop" and in_loop != 3:
            file.refuse(f"a facet with {in_loop} corners", "A facet has three.", line)
        elif key == "endloop":
            in_loop, facets = 0, facets + 1
            check_counts(file.path, 0, facets)
        elif key == "endsolid" and name is not None:
            solids.append((name, np.array(corners, float).reshape(-1, 3)))
            name = None
        elif key not in ("", "facet", "outer", "endfacet"):
            file.refuse(
                f"a line that begins with {shown(words[0])}", "Expected: facet, vertex, endsolid, or solid.", line
            )
    if name is not None or not solids:
        file.refuse("no endsolid", "Get the whole file: it ends with endsolid.", len(file.lines))
    if in_loop:
        file.refuse("a facet without endloop", "Get the whole file.", len(file.lines))
    return solids


def _surface(path: Path, name: str, corners: NDArray[np.float64], options: Options) -> tuple[FileMesh, tuple[str, ...]]:
    check_points(path, corners, "corner")
    numbers, first = number_points(corners)
    return surface_of(path, name, corners[first], numbers.reshape(-1, 3), options)


FORMAT = Format(
    name="STL mesh",
    suffixes=(".stl",),
    kind="mesh",
    read=read,
    about="Triangles, binary or text; corners at the same place are joined; no unit.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
)
