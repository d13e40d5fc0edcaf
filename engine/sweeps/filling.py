"""Filling: the rows of a table worked out, wherever there is room, and kept as soon as each is known."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from engine.long.pieces import PieceRunner, Task
from engine.project import disk
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, UnwritableFile
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.rows import SweepRow
from engine.sweeps.table import RowResult, SweepColumns, check_table, read_rows, rows_beside, write_table


@dataclass(frozen=True)
class RowKnown:
    """A row that is known now."""

    row: SweepRow
    found: RowResult
    done: int  # rows that are known, of those that there are
    count: int


@dataclass(frozen=True)
class SweepEnd:
    """The result of a sweep."""

    path: Path
    rows: int
    made: int  # of them, that were worked out now
    failed: int  # that have no numbers

    @property
    def text(self) -> str:
        """The result, for a person."""
        failed = f"; {self.failed} without numbers: the column 'problem' tells why" if self.failed else ""
        return f"{self.path}: {self.rows} rows, {self.made} of them worked out now{failed}"


def rows_to_do(
    table: Path, columns: SweepColumns, rows: Sequence[SweepRow], *, replace: bool = False, own: str = ""
) -> tuple[dict[str, RowResult], list[SweepRow]]:
    """The rows that are there already, by key, and those that are not, each once. Those of something else are refused,
    but for keys that begin with `own`: rows of before."""
    check_table(table)
    known = {**read_rows(table, columns), **read_rows(rows_beside(table), columns)}
    wanted = {row.key: row for row in rows}
    others = sum(not (own and key.startswith(own)) for key in known.keys() - wanted.keys())
    if others and not replace:
        found = f"it holds {others} rows of another study, or of another document or version"
        raise UnwritableFile(path=table, found=found, remedy="Name another table, or --replace to lose those rows.")
    kept = {key: each for key, each in known.items() if key in wanted and (each.values or each.problem)}
    return kept, [row for key, row in wanted.items() if key not in kept]


def filled(
    pieces: PieceRunner,
    task: Task,
    asked: Sequence[Json],
    table: Path,
    columns: SweepColumns,
    rows: Sequence[SweepRow],
    found: dict[str, RowResult],
    todo: Sequence[SweepRow],
) -> Generator[RowKnown, None, SweepEnd]:
    """Work out what is not there, a piece that is `asked` for each row `todo`, and write the table; yields each row as
    it is known, in any order."""
    beside, lost = rows_beside(table), list[str]()
    _begin_rows(beside, columns, rows, found)
    count = len({each.key for each in rows})
    for done in pieces.run(task, asked):
        row = todo[done.place]
        if done.lost:
            lost.append(f"row {row.number}: {done.problem}")
            continue
        values = () if done.problem else tuple(cast(Sequence[float], done.result))
        found[row.key] = RowResult(values, " ".join(done.problem.split()))
        with _writing(beside):
            disk.append(beside, columns.line(row, found[row.key]).encode())
        yield RowKnown(row, found[row.key], len(found), count)
    if lost:
        several = f"{len(lost)} rows are" if len(lost) > 1 else "a row is"
        raise EngineError(f"{several} missing, {lost[0]}. The others are kept; run it again for what is missing")
    write_table(table, columns, rows, found)
    disk.remove(beside)
    return SweepEnd(table, len(rows), len(todo), sum(bool(found[row.key].problem) for row in rows))


def _begin_rows(beside: Path, columns: SweepColumns, rows: Sequence[SweepRow], found: dict[str, RowResult]) -> None:
    """Have a file that rows are added to, with those of it that hold."""
    by_key = {each.key: each for each in rows}
    lines = (columns.line(row, found[key]) for key, row in by_key.items() if key in found)
    with _writing(beside):
        disk.write_beside(beside, "".join((columns.head, *lines)).encode())


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise disk.unwritable(path, error, at_work=False) from error
