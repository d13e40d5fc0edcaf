"""Points and cells as volume meshes list them in text files, and how their words are read."""

from __future__ import annotations

from typing import NamedTuple

from engine.document.values import Vector3
from engine.formats.text import TextFile


class ReadCells(NamedTuple):
    """Points by their numbers in the file, and cells of those numbers."""

    points: dict[int, Vector3]
    tetrahedra: list[list[int]]
    hexahedra: list[list[int]]


def words_of(file: TextFile, line: int, least: int) -> list[str]:
    """Split a line, counted from 0, that has so many words or more."""
    if line >= len(file.lines):
        file.refuse("the end in the middle of a list", "Get the whole file.", len(file.lines))
    words = file.lines[line].split()
    if len(words) < least:
        file.refuse(f"{len(words)} words where {least} are needed", "Get the whole file.", line + 1)
    return words


def whole_of(file: TextFile, word: str, line: int) -> int:
    """Read a count or a number of a point, on a line counted from 0."""
    if not (word.isascii() and word.isdigit() and len(word) < 12):
        file.refuse(f"{word[:40]!r} where a count or a number of a point is needed", "Write a whole number.", line + 1)
    return int(word)


def place_of(file: TextFile, words: list[str], line: int) -> Vector3:
    """Read three coordinates."""
    x, y, z = (file.number(word, line + 1, "a coordinate") for word in words)
    return (x, y, z)
