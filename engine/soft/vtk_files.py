"""Volume meshes of VTK's files as text: legacy .vtk (unstructured grids), and .vtu with ascii arrays.

Of the kinds of cells tetrahedra (10, and 24 by their corners) and hexahedra (12, 25, and voxels 11, whose corners stand
row by row) are kept. Tags of .vtu are found in its text; nothing else of XML is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from engine.formats.text import TextFile, Word
from engine.soft.cell_lists import ReadCells, place_of, whole_of

_CORNERS = {10: 4, 24: 4, 12: 8, 25: 8, 11: 8}
_VOXEL, _OF_VOXEL = 11, (0, 1, 3, 2, 4, 5, 7, 6)
_PIECE = re.compile(r"<Piece\b[^>]*>(.*?)</Piece>", re.DOTALL)
_ARRAY = re.compile(r"<DataArray\b([^>]*)>([^<]*)<")
_ATTRIBUTE = re.compile(r"(\w+)\s*=\s*[\"']([^\"']*)[\"']")
_WHOLE = "Get the whole file."
_AS_TEXT = "Save it as text (ASCII)."


def read_vtk(file: TextFile) -> ReadCells:
    """Read a legacy file."""
    if not file.lines or not file.lines[0].startswith("# vtk DataFile"):
        file.refuse("no '# vtk DataFile' in its first line", "Choose a legacy file of VTK.", 1)
    kind = file.lines[2].strip().upper() if len(file.lines) > 2 else ""
    if kind != "ASCII":
        file.refuse(f"{kind[:20] or 'nothing'} in its third line", _AS_TEXT, 3)
    found, words = ReadCells({}, [], []), file.words(4)
    lists: list[list[int]] = []
    kinds: list[int] = []
    for word in words:
        head = word.text.upper()
        if head == "DATASET":
            (kind_of,) = _next(file, words, 1)
            if kind_of.text.upper() != "UNSTRUCTURED_GRID":
                file.refuse(f"a data set {kind_of.text[:40]}", "Save it as an unstructured grid.", kind_of.line)
        elif head == "POINTS":
            count, _ = _next(file, words, 2)
            for number in range(_whole(file, count)):
                row = _next(file, words, 3)
                found.points[number] = place_of(file, [each.text for each in row], row[0].line - 1)
        elif head == "CELLS":
            lists = _lists(file, words)
        elif head == "CELL_TYPES":
            (count,) = _next(file, words, 1)
            kinds = [_whole(file, each) for each in _next(file, words, _whole(file, count))]
        elif head in ("POINT_DATA", "CELL_DATA"):
            break
    _sort(file, lists, kinds, found, 0)
    return found


def read_vtu(file: TextFile) -> ReadCells:
    """Read a file of XML."""
    text, found = "\n".join(file.lines), ReadCells({}, [], [])
    if "UnstructuredGrid" not in text:
        file.refuse("no UnstructuredGrid", "Choose a .vtu file of VTK.", 1)
    for piece in _PIECE.finditer(text):
        first, arrays = len(found.points), _arrays(file, text, piece)
        missing = {"points", "connectivity", "offsets", "types"} - set(arrays)
        if missing:
            file.refuse(f"a piece without {', '.join(sorted(missing))}", _WHOLE)
        places = arrays["points"]
        for number in range(len(places) // 3):
            row = places[3 * number : 3 * number + 3]
            found.points[first + number] = place_of(file, [each.text for each in row], row[0].line - 1)
        joined = [_whole(file, each) for each in arrays["connectivity"]]
        ends = [_whole(file, each) for each in arrays["offsets"]]
        if sorted(ends) != ends or (ends and ends[-1] > len(joined)):
            file.refuse("offsets beyond its connectivity", _WHOLE)
        lists = [joined[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        _sort(file, lists, [_whole(file, each) for each in arrays["types"]], found, first)
    return found


def _arrays(file: TextFile, text: str, piece: re.Match[str]) -> dict[str, list[Word]]:
    """Find the arrays of a piece; that of its points has three numbers each and any name."""
    found: dict[str, list[Word]] = {}
    points = re.compile(r"<Points\b").search(text, piece.start(1), piece.end(1))
    closing = -1 if points is None else text.find("</Points", points.start())
    for array in _ARRAY.finditer(text, piece.start(1), piece.end(1)):
        attributes = dict(_ATTRIBUTE.findall(array[1]))
        is_points = points is not None and points.start() < array.start() < closing
        name = "points" if is_points else attributes.get("Name", "")
        if name not in ("points", "connectivity", "offsets", "types"):
            continue
        line = text.count("\n", 0, array.start(2)) + 1
        if attributes.get("format", "ascii") != "ascii":
            file.refuse(f"an array whose format is {attributes['format'][:20]}", _AS_TEXT, line)
        rows = array[2].split("\n")
        found[name] = [Word(word, line + at) for at, row in enumerate(rows) for word in row.split()]
    return found


def _lists(file: TextFile, words: Iterator[Word]) -> list[list[int]]:
    """Read cells: a count before each, or since version 5 where each begins and then all corners."""
    first, second = (_whole(file, each) for each in _next(file, words, 2))
    (head,) = _next(file, words, 1)
    if head.text.upper() != "OFFSETS":
        given = [_whole(file, each) for each in (head, *_next(file, words, max(second - 1, 0)))]
        found, at = [], 0
        for _ in range(first):
            if at >= len(given) or at + 1 + given[at] > len(given):
                file.refuse("cells of more points than are listed", _WHOLE, head.line)
            found.append(given[at + 1 : at + 1 + given[at]])
            at += 1 + given[at]
        return found
    _next(file, words, 1)
    ends = [_whole(file, each) for each in _next(file, words, first)]
    _next(file, words, 2)
    joined = [_whole(file, each) for each in _next(file, words, second)]
    if sorted(ends) != ends or (ends and ends[-1] > second):
        file.refuse("offsets beyond its connectivity", _WHOLE, head.line)
    return [joined[start:end] for start, end in pairwise(ends)]


def _sort(file: TextFile, lists: list[list[int]], kinds: list[int], found: ReadCells, first: int) -> None:
    """Keep the cells of volumes."""
    if len(lists) != len(kinds):
        file.refuse(f"{len(lists)} cells, of {len(kinds)} of which it says what they are", _WHOLE)
    for given, kind in zip(lists, kinds, strict=True):
        wanted = _CORNERS.get(kind)
        if wanted is None:
            continue
        if len(given) < wanted:
            file.refuse(f"a cell of {len(given)} points", f"Write {wanted} of them.")
        corners = [given[each] for each in _OF_VOXEL] if kind == _VOXEL else given[:wanted]
        (found.tetrahedra if wanted == 4 else found.hexahedra).append([first + each for each in corners])


def _next(file: TextFile, words: Iterator[Word], count: int) -> list[Word]:
    found = list(islice(words, count))
    if len(found) < count:
        file.refuse("the end in the middle of a list", _WHOLE, len(file.lines))
    return found


def _whole(file: TextFile, word: Word) -> int:
    return whole_of(file, word.text, word.line - 1)
