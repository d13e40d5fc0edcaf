"""OFF, the Geometry Center's object file format: counts, then vertices, then polygons, as text.

The first word may be OFF, COFF, NOFF or CNOFF, or be missing; normals of vertices are kept, colours are left out.
Only three dimensions and text are read.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.formats.format import Contents, Format, Options
from engine.formats.meshes import MOST_TRIANGLES, check_counts, contents_of
from engine.formats.text import MOST_BYTES, TextFile, read_text, shown
from engine.runtime import progress

_HEADS = ("OFF", "COFF", "NOFF", "CNOFF")


def read(path: Path, options: Options) -> Contents:
    """One surface."""
    file = read_text(path, "an OFF file")
    rows = [(line, text.split("#", 1)[0].split()) for line, text in enumerate(file.lines, 1)]
    rows = [row for row in rows if row[1]]
    head = "OFF"
    if rows and rows[0][1][0].upper() in _HEADS:
        head = rows[0][1].pop(0).upper()
        rows = rows if rows[0][1] else rows[1:]
    if not rows:
        file.refuse("no counts of vertices and faces", "Get the whole file.", len(file.lines))
    vertices, faces = _counts(file, *rows[0])
    if len(rows) - 1 < vertices + faces:
        found = f"{len(rows) - 1} rows for {vertices} vertices and {faces} faces"
        file.refuse(found, "Get the whole file, or correct the counts.", rows[0][0])
    check_counts(path, vertices, faces)
    width = 6 if "N" in head else 3
    with progress.part(0.0, 0.4):
        numbers = [
            [file.number(word, line, "a coordinate") for word in words[:width]] if len(words) >= width
            else file.refuse(f"a vertex of {len(words)} numbers", f"Write {width} numbers or more.", line)
            for line, words in progress.each(rows[1 : 1 + vertices])
        ]  # fmt: skip
    with progress.part(0.4, 0.8):
        faced = progress.each(rows[1 + vertices : 1 + vertices + faces])
        polygons = [_polygon(file, line, words, vertices) for line, words in faced]
    points = np.array(numbers, float).reshape(-1, width)
    normals = points[:, 3:] if width == 6 else None
    more = len(rows) - 1 - vertices - faces
    said = (f"{more} rows more than stated, left out",) if more else ()
    with progress.part(0.8, 1.0):
        return contents_of(path, points[:, :3], polygons, normals, said, options)


def _counts(file: TextFile, line: int, words: list[str]) -> tuple[int, int]:
    if len(words) < 2 or not all(word.isascii() and word.isdigit() and len(word) < 12 for word in words[:2]):
        remedy = "An OFF file begins with OFF and the counts of vertices, faces and edges."
        file.refuse(f"{shown(' '.join(words))} instead of counts", remedy, line)
    return int(words[0]), int(words[1])


def _polygon(file: TextFile, line: int, words: list[str], vertices: int) -> list[int]:
    count = int(words[0]) if words[0].isascii() and words[0].isdigit() and len(words[0]) < 6 else -1
    if count < 3 or len(words) < count + 1:
        found = f"a face {shown(' '.join(words))}"
        file.refuse(found, "Write the number of corners, three or more, and as many vertices.", line)
    found_indices = []
    for word in words[1 : count + 1]:
        if not (word.isascii() and word.isdigit() and len(word) < 12 and int(word) < vertices):
            found = f"a face asks for vertex {shown(word)} of {vertices}"
            file.refuse(found, "Write whole numbers, counted from 0.", line)
        found_indices.append(int(word))
    return found_indices


FORMAT = Format(
    name="OFF mesh",
    suffixes=(".off",),
    kind="mesh",
    read=read,
    about="Polygons as text; no unit, no colours.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
)
