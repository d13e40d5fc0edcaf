"""FigureTables: what a `.figure.toml` may have of a system beside the figure, such as muscles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Protocol

from engine.document import Figure
from engine.document.parts import Part
from engine.formats.tables import TomlTable
from engine.systems import load, systems


class FigureTables(Protocol):
    """One system's tables."""

    keys: tuple[str, ...]  # of the file, that are its own
    kind: type[Part]  # what they make

    def read(self, top: TomlTable, figure: Figure, unit: float) -> Part | None:
        """Read the part of a figure; None where the file has none of its keys. `unit`: radians per unit of angles."""

    def head(self, part: Part) -> Iterator[str]:
        """Yield what stands at the head of the file, a line each."""

    def blocks(self, part: Part, figure: Figure, *, degrees: bool) -> Iterator[str]:
        """Yield the tables that hold a part, for a file whose angles are degrees, or radians."""


@cache
def figure_tables() -> tuple[FigureTables, ...]:
    """Those of all systems, those above others first: examples name what ships by its number in this order."""
    return tuple(load(each.figure_tables) for each in reversed(systems()) if each.figure_tables is not None)


def tables_of(parts: Iterable[Part]) -> Iterator[tuple[FigureTables, Part]]:
    """Yield the parts that a figure's file can hold, each with its tables."""
    for part in parts:
        yield from ((each, part) for each in figure_tables() if type(part) is each.kind)
