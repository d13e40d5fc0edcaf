"""Results of experiments: tables, pictures, and claims of the source beside what we measured.

A result is written as one CSV file a table, one SVG file a picture, files for other programs, and `report.txt`. The
same seed gives the same bytes; only what is measured in seconds cannot, and stands in files of its own, whose names
begin with `times`.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

Cell = str | int | float
TIMES = "times"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a run of an experiment."""

    seed: int = 1
    quick: bool = False  # a few cases of each, to see that it works; too few to compare with the source
    data: Path | None = None  # a motion to take the place of the captured jumps

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise InvalidArguments(what="the seed", value=self.seed, allowed="0 and above")


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of numbers; its name is that of its file."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def text(self) -> str:
        """The table as CSV, numbers with nine digits."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([[_text(cell) for cell in row] for row in self.rows])
        return out.getvalue()


@dataclass(frozen=True, kw_only=True)
class ResultPlot:
    """A plot; its name is that of its file."""

    name: str
    svg: str


@dataclass(frozen=True, kw_only=True)
class ResultFile:
    """A file for another program, by its whole name."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim of the source, and our finding."""

    source: str
    ours: str
    agrees: bool
    timed: bool = False  # rests on seconds, which differ from run to run

    @property
    def text(self) -> str:
        """The claim for a person."""
        return f"{'agrees' if self.agrees else 'DIFFERS'}: {self.source}\n    ours: {self.ours}"


@dataclass(frozen=True, kw_only=True)
class Result:
    """One experiment's outcome."""

    title: str
    tables: tuple[Table, ...]
    pictures: tuple[ResultPlot, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    files: tuple[ResultFile, ...] = ()

    def report(self, *, timed: bool) -> str:
        """Notes and claims; those that rest on seconds, or the others."""
        notes = () if timed else tuple(f"note: {note}" for note in self.notes)
        return "\n".join([self.title, *notes, *(claim.text for claim in self.claims if claim.timed == timed), ""])


def write_result(result: Result, folder: Path) -> list[Path]:
    """Write all files of a result; their paths."""
    texts = {f"{table.name}.csv": table.text for table in result.tables}
    texts |= {f"{picture.name}.svg": picture.svg for picture in result.pictures}
    texts |= {each.name: each.text for each in result.files}
    texts["report.txt"] = result.report(timed=False)
    if any(claim.timed for claim in result.claims):
        texts[f"{TIMES}.txt"] = result.report(timed=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as problem:
        found = problem.strerror or str(problem)
        raise UnwritableFile(path=folder, found=found, remedy="Choose another folder with --out.") from problem
    return [folder / name for name in texts]


def _text(cell: Cell) -> str:
    return f"{cell:.9g}" if isinstance(cell, float) else str(cell)
