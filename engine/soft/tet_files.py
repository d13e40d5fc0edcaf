"""Volume meshes read from text files: Gmsh's .msh (2 and 4), TetGen's .node with .ele, Medit's .mesh, VTK's .vtk and
.vtu (`vtk_files.py`), Abaqus's .inp (`abaqus_files.py`).

Read here in a page, since the libraries that read many formats (meshio, gmsh) are unkept or under the GPL. Only linear
tetrahedra and hexahedra are taken, of ten-node ones the corners; surfaces, lines and points of the files are left out.
Corners are put into the order of `mesh.py` whatever a file's is. Lengths are metres unless a unit is given. Binary
files are refused; every program that writes them writes text too.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.formats.text import TextFile, read_text
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import UnreadableFile
from engine.soft.abaqus_files import read_abaqus
from engine.soft.cell_lists import ReadCells, place_of, whole_of, words_of
from engine.soft.mesh import MOST_CELLS, MOST_POINTS, Shape, volume_mesh, without_unused
from engine.soft.meshing import Meshed
from engine.soft.vtk_files import read_vtk, read_vtu

SUFFIXES = (".msh", ".node", ".ele", ".mesh", ".vtk", ".vtu", ".inp")
_TETRAHEDRON, _HEXAHEDRON, _TEN_NODES = 4, 5, 11  # of Gmsh


def read_volume_mesh(path: Path, unit: float = 1.0) -> Meshed:
    """Read a volume mesh, its lengths in a unit [m]."""
    suffix = path.suffix.lower()
    if suffix == ".msh":
        found = _read_gmsh(read_text(path, "a Gmsh file"))
    elif suffix == ".mesh":
        found = _read_medit(read_text(path, "a Medit file"))
    elif suffix in (".node", ".ele"):
        found = _read_tetgen(path)
    elif suffix == ".vtk":
        found = read_vtk(read_text(path, "a legacy file of VTK"))
    elif suffix == ".vtu":
        found = read_vtu(read_text(path, "a .vtu file of VTK"))
    elif suffix == ".inp":
        found = read_abaqus(read_text(path, "an input file of Abaqus"))
    else:
        remedy = f"Choose a file that ends in {', '.join(SUFFIXES)}."
        raise UnreadableFile(path=path, found=f"the suffix {suffix or 'none'}", remedy=remedy)
    return _meshed(path, found, unit)


def _meshed(path: Path, found: ReadCells, unit: float) -> Meshed:
    notes = []
    listed, shape = found.tetrahedra, "tetrahedra"
    if not listed:
        listed, shape = found.hexahedra, "hexahedra"
    elif found.hexahedra:
        notes.append(f"{len(found.hexahedra):,} hexahedra beside the tetrahedra were left out")
    if not listed:
        raise UnreadableFile(path=path, found="no tetrahedra or hexahedra", remedy="Choose a mesh of a volume.")
    if not found.points:
        raise UnreadableFile(path=path, found="no points", remedy="Get the whole file: its cells are of points.")
    numbers = np.array(sorted(found.points))
    if len(numbers) > MOST_POINTS or len(listed) > MOST_CELLS:
        remedy = f"Use {MOST_POINTS:,} points and {MOST_CELLS:,} cells at most."
        raise UnreadableFile(path=path, found=f"{len(numbers):,} points, {len(listed):,} cells", remedy=remedy)
    wanted = np.array(listed)
    cells = np.searchsorted(numbers, wanted).astype(np.int32)
    lost = (cells >= len(numbers)) | (numbers[np.minimum(cells, len(numbers) - 1)] != wanted)
    if lost.any():
        remedy = "Get the whole file: it names what it does not hold."
        raise UnreadableFile(path=path, found=f"a cell of point {wanted[lost][0]}, which is not there", remedy=remedy)
    points = np.array([found.points[number] for number in numbers.tolist()]) * unit
    points, corners = without_unused(points, cells)
    corners, turned = _ordered(points, corners, shape == "hexahedra")
    if turned:
        notes.append(f"{turned:,} cells had their corners the other way round and were turned")
    kind: Shape = "hexahedra" if shape == "hexahedra" else "tetrahedra"
    return Meshed(volume_mesh(points, corners, kind, name=path.name), tuple(notes))


def _ordered(points: Array, cells: IntArray, bricks: bool) -> tuple[IntArray, int]:
    """Give cells the order in which their volumes are above zero."""
    ends = (1, 3, 4) if bricks else (1, 2, 3)
    sides = np.stack([points[cells[:, end]] - points[cells[:, 0]] for end in ends], axis=1)
    inside_out = np.linalg.det(sides) < 0.0
    other = cells[:, [4, 5, 6, 7, 0, 1, 2, 3]] if bricks else cells[:, [1, 0, 2, 3]]
    return np.where(inside_out[:, None], other, cells), int(inside_out.sum())


def _read_gmsh(file: TextFile) -> ReadCells:
    found = ReadCells({}, [], [])
    lines, at = file.lines, 0
    version = 0.0
    while at < len(lines):
        head = lines[at].strip()
        at += 1
        if head == "$MeshFormat":
            words = words_of(file, at, 3)
            version = file.number(words[0], at + 1, "the version")
            if words[1] != "0":
                file.refuse("a binary Gmsh file", "Save it as text (Mesh.Binary = 0).", at + 1)
            if int(version) not in (2, 4):
                file.refuse(f"version {words[0]}", "Save it as version 2 or 4.", at + 1)
        elif head in ("$Nodes", "$Elements"):
            if version == 0.0:
                file.refuse("no $MeshFormat before the points", "Get the whole file.", at)
            if head == "$Nodes":
                at = _gmsh_nodes(file, at, version, found)
            else:
                at = _gmsh_elements(file, at, version, found)
    if version == 0.0:
        file.refuse("no $MeshFormat", "Choose a mesh of Gmsh.", 1)
    return found


def _gmsh_nodes(file: TextFile, at: int, version: float, found: ReadCells) -> int:
    if version < 4.0:
        count = whole_of(file, words_of(file, at, 1)[0], at)
        for line in range(at + 1, at + 1 + count):
            words = words_of(file, line, 4)
            found.points[whole_of(file, words[0], line)] = place_of(file, words[1:4], line)
        return at + 1 + count
    blocks = whole_of(file, words_of(file, at, 2)[0], at)
    at += 1
    for _ in range(blocks):
        head = words_of(file, at, 4)
        # 4.0 had the number of an entity before its dimension, 4.1 has it behind; the count is last in both
        count = whole_of(file, head[3], at)
        if version < 4.1:
            for line in range(at + 1, at + 1 + count):
                words = words_of(file, line, 4)
                found.points[whole_of(file, words[0], line)] = place_of(file, words[1:4], line)
            at += 1 + count
            continue
        for each in range(count):
            number = whole_of(file, words_of(file, at + 1 + each, 1)[0], at + 1 + each)
            line = at + 1 + count + each
            found.points[number] = place_of(file, words_of(file, line, 3)[:3], line)
        at += 1 + 2 * count
    return at


def _gmsh_elements(file: TextFile, at: int, version: float, found: ReadCells) -> int:
    if version < 4.0:
        count = whole_of(file, words_of(file, at, 1)[0], at)
        for line in range(at + 1, at + 1 + count):
            words = words_of(file, line, 3)
            kind, tags = whole_of(file, words[1], line), whole_of(file, words[2], line)
            _take(file, kind, words[3 + tags :], line, found)
        return at + 1 + count
    blocks = whole_of(file, words_of(file, at, 2)[0], at)
    at += 1
    for _ in range(blocks):
        head = words_of(file, at, 4)
        kind, count = whole_of(file, head[2], at), whole_of(file, head[3], at)
        for line in range(at + 1, at + 1 + count):
            _take(file, kind, words_of(file, line, 1)[1:], line, found)
        at += 1 + count
    return at


def _take(file: TextFile, kind: int, words: list[str], line: int, found: ReadCells) -> None:
    """Keep a cell that is one of a volume."""
    wanted = {_TETRAHEDRON: 4, _TEN_NODES: 4, _HEXAHEDRON: 8}.get(kind)
    if wanted is None:
        return
    if len(words) < wanted:
        file.refuse(f"a cell of {len(words)} points", f"Write {wanted} of them.", line + 1)
    corners = [whole_of(file, word, line) for word in words[:wanted]]
    (found.hexahedra if kind == _HEXAHEDRON else found.tetrahedra).append(corners)


def _read_tetgen(path: Path) -> ReadCells:
    """Read two files of one name: a count, then a row each, numbered from 0 or 1."""
    found = ReadCells({}, [], [])
    for suffix in (".node", ".ele"):
        beside = path.with_suffix(suffix)
        file = read_text(beside, f"a TetGen file, {suffix} beside {path.name}")
        kept = [(line, text.split("#", 1)[0].split()) for line, text in enumerate(file.lines)]
        rows = [row for row in kept if row[1]]
        if not rows:
            file.refuse("an empty file", "Get the whole file.", 1)
        count = whole_of(file, rows[0][1][0], rows[0][0])
        if len(rows) - 1 < count:
            file.refuse(f"{len(rows) - 1} rows of {count}", "Get the whole file.", rows[0][0] + 1)
        for line, words in rows[1 : 1 + count]:
            wanted = 4 if suffix == ".node" else 5
            if len(words) < wanted:
                file.refuse(f"a row of {len(words)} numbers", f"Write {wanted} or more.", line + 1)
            if suffix == ".node":
                found.points[whole_of(file, words[0], line)] = place_of(file, words[1:4], line)
            else:
                found.tetrahedra.append([whole_of(file, word, line) for word in words[1:5]])
    return found


def _read_medit(file: TextFile) -> ReadCells:
    found = ReadCells({}, [], [])
    words = [(word.text, word.line - 1) for word in file.words() if not word.text.startswith("#")]
    at = 0
    while at < len(words):
        head = words[at][0]
        wanted = {"Vertices": 4, "Tetrahedra": 5, "Hexahedra": 9}.get(head)
        at += 1
        if wanted is None:
            continue
        if at >= len(words):
            file.refuse(f"no count after {head}", "Get the whole file.", words[-1][1] + 1)
        count = whole_of(file, *words[at])
        at += 1
        if at + wanted * count > len(words):
            file.refuse(f"fewer than {count} {head.lower()}", "Get the whole file.", words[-1][1] + 1)
        for number in range(count):
            row = words[at + wanted * number : at + wanted * (number + 1)]
            texts, line = [text for text, _ in row], row[0][1]
            if head == "Vertices":
                found.points[number + 1] = place_of(file, texts[:3], line)
            else:
                corners = [whole_of(file, text, line) for text in texts[:-1]]
                (found.tetrahedra if head == "Tetrahedra" else found.hexahedra).append(corners)
        at += wanted * count
    return found
