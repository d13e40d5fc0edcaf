"""Volume meshes of Abaqus's input files (.inp): nodes, and elements of the types C3D4, C3D10 and C3D8 with its kin.

Lines that begin with two asterisks are comments, with one they are keywords; a row that ends in a comma goes on in the
next. Numbers of nodes count once in a file: one of several parts is refused.
"""

from __future__ import annotations

from engine.formats.text import TextFile
from engine.soft.cell_lists import ReadCells, place_of, whole_of

_CORNERS = {"C3D4": 4, "C3D10": 4, "C3D8": 8, "C3D20": 8}


def read_abaqus(file: TextFile) -> ReadCells:
    """Read a file."""
    found, section, corners, row = ReadCells({}, [], []), "", 0, list[str]()
    for line, text in enumerate(file.lines):
        text = text.strip()
        if not text or text.startswith("**"):
            continue
        if text.startswith("*"):
            section, corners = _keyword(file, text, line)
            row = []
            continue
        if not section:
            continue
        row += [word.strip() for word in text.split(",")]
        if text.endswith(","):
            row.pop()
            continue
        _take(file, section, corners, row, line, found)
        row = []
    if not found.points:
        file.refuse("no *NODE", "Choose an input file that holds a mesh.", 1)
    return found


def _keyword(file: TextFile, text: str, line: int) -> tuple[str, int]:
    """Tell what the rows behind a keyword are: nodes, elements of so many corners, or nothing that is read."""
    words = [word.strip().upper() for word in text.split(",")]
    if words[0] == "*INCLUDE":
        file.refuse("a file that includes another", "Write the mesh into one file.", line + 1)
    if words[0] == "*NODE":
        return "nodes", 0
    if words[0] != "*ELEMENT":
        return "", 0
    options = dict(word.replace(" ", "").split("=", 1) for word in words[1:] if "=" in word)
    kind = options.get("TYPE", "")
    known = next((count for name, count in _CORNERS.items() if kind.rstrip("HIMRTSE") == name), 0)
    return ("elements" if known else ""), known


def _take(file: TextFile, section: str, corners: int, row: list[str], line: int, found: ReadCells) -> None:
    wanted = 4 if section == "nodes" else 1 + corners
    if len(row) < wanted:
        file.refuse(f"a row of {len(row)} numbers", f"Write {wanted} or more.", line + 1)
    if section == "elements":
        cells = found.tetrahedra if corners == 4 else found.hexahedra
        cells.append([whole_of(file, word, line) for word in row[1 : 1 + corners]])
        return
    number, place = whole_of(file, row[0], line), place_of(file, row[1:4], line)
    if found.points.setdefault(number, place) != place:
        file.refuse(f"a second node {number} elsewhere", "Save it as one part, without instances.", line + 1)
