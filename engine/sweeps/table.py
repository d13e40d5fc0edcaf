"""Table: the results of a sweep as a file, a line for each row, in the order of the study.

    # Sinew sweep
    row,tension,max velocity.length:frames_5.ball [m/s],problem,key
    1,1.0,2.9174,,0c1f6a9be2d3f001

Every number is written in full. A row that could not be worked out has no numbers, and says why. The key names all that
its numbers depend on: a row with the key that is wanted is taken over, never worked out again. While a sweep goes on,
its rows are added, as they come, to a file beside the table (`rows_beside`), which goes when the table is whole.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.project import disk
from engine.runtime.errors import UnreadableFile, UnwritableFile, reason_of
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.rows import SweepRow

FIRST = "# Sinew sweep"
SUFFIXES = (".csv", ".parquet")
BESIDE = ".rows"
_ANOTHER = "Choose another name for the table, or take it away."


@dataclass(frozen=True)
class SweepColumns:
    """The heads of a table."""

    parameters: tuple[str, ...]
    results: tuple[str, ...]  # with their units

    @property
    def names(self) -> tuple[str, ...]:
        """All, in their order."""
        return ("row", *self.parameters, *self.results, "problem", "key")

    @property
    def head(self) -> str:
        """The first lines of a file."""
        return f"{FIRST}\n{_line(map(_harmless, self.names))}"

    def line(self, row: SweepRow, found: RowResult) -> str:
        """The line of a row."""
        values = found.values or ("",) * len(self.results)
        return _line([str(row.number), *map(cell, row.values), *map(cell, values), found.problem, row.key])


@dataclass(frozen=True)
class RowResult:
    """The numbers of a row, or why there are none."""

    values: tuple[float, ...]  # none where there is a problem
    problem: str = ""


def cell(value: object) -> str:
    """A value as a table has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return _harmless(value) if isinstance(value, str) else repr(value)


def check_table(path: Path) -> None:
    """Refuse a name that no table can have, before anything is worked out."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        found = f"no table ends in {path.suffix or 'nothing'!r}"
        raise UnwritableFile(path=path, found=found, remedy=f"Name it {path.stem}.csv or {path.stem}.parquet.")
    if suffix == ".parquet":
        _parquet(path)
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    if path.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")


def rows_beside(table: Path) -> Path:
    """The file of the rows that are known while a sweep goes on."""
    return table.with_name(f"{table.name}{BESIDE}")


def read_rows(path: Path, columns: SweepColumns) -> dict[str, RowResult]:
    """The rows that a file holds, by key; none where there is no file. A line that was being written as the process
    died is left out."""
    if not path.exists():
        return {}
    if path.suffix.lower() == ".parquet":
        return _read_parquet(path, columns)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:
        raise UnreadableFile(path=path, found=reason_of(problem), remedy=_ANOTHER) from problem
    if not text:
        return {}
    if not text.startswith(f"{FIRST}\n"):
        raise UnreadableFile(path=path, found="no table of a sweep", remedy=_ANOTHER)
    whole = text[: text.rfind("\n") + 1].removeprefix(f"{FIRST}\n")
    head, *lines = csv.reader(io.StringIO(whole)) if whole else [[]]
    places = [head.index(_harmless(each)) if _harmless(each) in head else -1 for each in columns.results]
    known = dict[str, RowResult]()
    for line in lines:
        if len(line) == len(head) and head[-2:] == ["problem", "key"] and min(places) >= 0:
            try:
                values = () if line[-2] else tuple(float(line[place]) for place in places)
            except ValueError:
                continue  # of a damaged line nothing is taken over
            known[line[-1]] = RowResult(values, line[-2])
        elif line:
            known[line[-1]] = RowResult(())
    return known


def write_table(path: Path, columns: SweepColumns, rows: Sequence[SweepRow], found: Mapping[str, RowResult]) -> None:
    """Write the table whole, or leave what stood there."""
    try:
        if path.suffix.lower() == ".parquet":
            disk.write_beside(path, lambda draft: _write_parquet(draft, columns, rows, found))
        else:
            text = columns.head + "".join(columns.line(row, found[row.key]) for row in rows)
            disk.write_beside(path, text.encode())
    except OSError as error:
        raise disk.unwritable(path, error, at_work=False) from error


def _line(cells: Iterable[str]) -> str:
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerow(cells)
    return output.getvalue()


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _parquet(path: Path) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as problem:
        remedy = f"Install pyarrow (pip install pyarrow), or name the table {path.stem}.csv."
        raise UnwritableFile(path=path, found="Parquet needs the package pyarrow", remedy=remedy) from problem
    return pyarrow


def _write_parquet(path: Path, columns: SweepColumns, rows: Sequence[SweepRow], found: Mapping[str, RowResult]) -> None:
    pyarrow = _parquet(path)
    results = [found[row.key] for row in rows]
    arrays = {"row": pyarrow.array([row.number for row in rows])}
    for place, name in enumerate(columns.parameters):
        given = [row.values[place] for row in rows]
        mixed = len({type(each) for each in given} - {int, float}) > 0 and len({type(each) for each in given}) > 1
        numbers = {type(each) for each in given} == {int, float}
        arrays[name] = pyarrow.array([cell(each) if mixed else float(each) if numbers else each for each in given])
    for place, name in enumerate(columns.results):
        numbers_found = [each.values[place] if each.values else None for each in results]
        arrays[name] = pyarrow.array(numbers_found, type=pyarrow.float64())
    arrays["problem"] = pyarrow.array([each.problem for each in results])
    arrays["key"] = pyarrow.array([row.key for row in rows])
    table = pyarrow.table(arrays).replace_schema_metadata({"sinew": FIRST})
    pyarrow.parquet.write_table(table, path)


def _read_parquet(path: Path, columns: SweepColumns) -> dict[str, RowResult]:
    pyarrow = _parquet(path)
    try:
        table = pyarrow.parquet.read_table(path)
    except (OSError, ValueError) as problem:  # pyarrow's own errors are among these
        raise UnreadableFile(path=path, found=reason_of(problem), remedy=_ANOTHER) from problem
    if (table.schema.metadata or {}).get(b"sinew") != FIRST.encode():
        raise UnreadableFile(path=path, found="no table of a sweep", remedy=_ANOTHER)
    read = table.to_pydict()
    known = dict[str, RowResult]()
    for place, (key, why) in enumerate(zip(read["key"], read["problem"], strict=True)):
        values = tuple(read[name][place] for name in columns.results if name in read)
        known[key] = RowResult(() if why or len(values) < len(columns.results) else values, why)
    return known
