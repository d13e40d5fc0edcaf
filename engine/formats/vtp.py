"""VTK's PolyData as XML (.vtp), as the bones of OpenSim are written: points and polygons, as text.

What is binary or appended is refused. Normals are left to be worked out; colours and other arrays are left out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.formats.format import Contents, Format, Options
from engine.formats.meshes import MOST_TRIANGLES, check_counts, contents_of
from engine.formats.text import LARGEST, MOST_BYTES, shown
from engine.formats.xml_text import Element, XmlFile, read_xml
from engine.maths.arrays import Array

_WHOLE = "Get the whole file."


def read(path: Path, options: Options) -> Contents:
    """One surface."""
    file = read_xml(path, "a VTP file")
    piece = next((each for each in file.root.every() if each.tag == "Piece"), None)
    if file.root.tag != "VTKFile" or piece is None:
        file.refuse(f"<{shown(file.root.tag)}> without a piece of PolyData", "Choose a VTP file.", file.root.line)
    points = _array(file, piece, "Points", "", "a coordinate")
    corners, ends = (_array(file, piece, "Polys", name, name) for name in ("connectivity", "offsets"))
    if len(points) % 3 or not len(points):
        file.refuse(f"{len(points)} numbers of points", "Each point has three.", piece.line)
    sizes = np.diff(ends, prepend=0.0)
    if (corners % 1).any() or (ends % 1).any() or (sizes < 3).any() or (len(ends) and ends[-1] > len(corners)):
        file.refuse("polygons of fewer than three corners, or of some that are not there", _WHOLE, piece.line)
    check_counts(path, len(points) // 3, int(np.maximum(sizes - 2, 0).sum()))
    places, until = corners.astype(np.int64).tolist(), ends.astype(np.int64).tolist()
    polygons = [places[start:end] for start, end in zip([0, *until[:-1]], until, strict=True)]
    return contents_of(path, points.reshape(-1, 3), polygons, None, (), options)


def _array(file: XmlFile, piece: Element, tag: str, name: str, what: str) -> Array:
    """Read the numbers of an array of a piece."""
    held = piece.child(tag)
    arrays = [] if held is None else [each for each in held.children if each.tag == "DataArray"]
    found = next((each for each in arrays if not name or each.attributes.get("Name") == name), None)
    if found is None:
        file.refuse(f"no {name or tag}", _WHOLE, piece.line)
    if found.attributes.get("format", "ascii") != "ascii":
        file.refuse(f"data as {shown(found.attributes['format'])}", "Save it as text (ASCII).", found.line)
    try:
        array = np.array(found.text.split(), dtype=np.float64)
    except ValueError:
        return np.array(file.numbers(found, what), dtype=np.float64)
    if len(array) and not (np.abs(array) <= LARGEST).all():
        file.refuse(f"{what} that is no number of a sane size", "Write finite numbers.", found.line)
    return array


FORMAT = Format(
    name="VTP mesh",
    suffixes=(".vtp",),
    kind="mesh",
    read=read,
    about="Polygons of VTK as text, as the bones of OpenSim's models; no unit, no colours.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
)
