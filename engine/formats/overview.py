"""An overview of every format for a person who chooses one: the rows of the help page and of the README's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.formats.format import Format, Option
from engine.formats.table import FORMATS

OPTIONS: dict[Option, tuple[str, str]] = {
    "unit": ("--unit", "unit of length"),
    "up": ("--up", "upward axis"),
    "rate": ("--fps", "frames a second"),
    "figure": ("--figure", "file of the figure"),
    "start": ("--start", "from when"),
    "end": ("--end", "until when"),
}
"""Each option as the command line calls it, and in words."""


class FormatRow(NamedTuple):
    """One format."""

    name: str
    suffixes: str
    use: str  # read, written, or both
    about: str
    limits: str
    options: str


HEADS = FormatRow("Format", "Files", "Use", "Carries", "At most", "Options")


def rows() -> Iterator[FormatRow]:
    """Every format, in the order in which lists show them."""
    for each in FORMATS:
        yield FormatRow(each.name, ", ".join(each.suffixes), _use(each), each.about, each.limits, _options(each))


def markdown() -> str:
    """The rows as a table for the README."""
    head = [HEADS, FormatRow(*("---" for _ in HEADS))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *rows()))


def _use(format: Format) -> str:
    return " and ".join(word for word, there in (("read", format.read), ("written", format.write)) if there)


def _options(format: Format) -> str:
    """List the options of a format, marked where only one of them heeds it."""
    found = []
    for option, (_, words) in OPTIONS.items():
        reads, writes = option in format.read_options, option in format.write_options
        if reads or writes:
            both = (reads and writes) or not (format.read and format.write)
            found.append(words if both else f"{words} ({'reading' if reads else 'writing'})")
    return ", ".join(found) or "nothing"
