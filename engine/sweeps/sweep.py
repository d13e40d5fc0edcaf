"""sweep: all rows of a study worked out, wherever there is room, and kept as soon as each is known."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from engine.document import Document
from engine.edits import EDITS
from engine.edits.command_log import LoggedCommand, Start
from engine.long.pieces import PieceRunner, Task
from engine.measure import unit_of
from engine.project import disk
from engine.runtime.errors import EngineError, InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.rows import SweepRow, base_of, document_of, edits_of, rows_of
from engine.sweeps.study import Study
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


@dataclass(frozen=True, eq=False)
class Sweep:
    """A study with its document and rows, ready to be worked out."""

    study: Study
    base: Document
    rows: tuple[SweepRow, ...]
    columns: SweepColumns

    def to_do(self, table: Path, *, replace: bool = False) -> tuple[dict[str, RowResult], list[SweepRow]]:
        """The rows that are there already, by key, and those that are not, each once."""
        check_table(table)
        known = {**read_rows(table, self.columns), **read_rows(rows_beside(table), self.columns)}
        wanted = {row.key: row for row in self.rows}
        others = len(known.keys() - wanted.keys())
        if others and not replace:
            found = f"it holds {others} rows of another study, or of another document or version"
            raise UnwritableFile(path=table, found=found, remedy="Name another table, or --replace to lose those rows.")
        kept = {key: each for key, each in known.items() if key in wanted and (each.values or each.problem)}
        return kept, [row for key, row in wanted.items() if key not in kept]

    def run(self, pieces: PieceRunner, table: Path, *, replace: bool = False) -> Generator[RowKnown, None, SweepEnd]:
        """Work out what is not there and write the table; yields each row as it is known, in any order."""
        from engine.sweeps.row import MAKE, shared_of

        found, todo = self.to_do(table, replace=replace)
        beside, lost = rows_beside(table), list[str]()
        self._begin_rows(beside, found)
        count = len({each.key for each in self.rows})
        for done in pieces.run(Task(MAKE, shared_of(self.study, self.base)), [list(row.edits) for row in todo]):
            row = todo[done.place]
            if done.lost:
                lost.append(f"row {row.number}: {done.problem}")
                continue
            values = () if done.problem else tuple(cast(Sequence[float], done.result))
            found[row.key] = RowResult(values, " ".join(done.problem.split()))
            with _writing(beside):
                disk.append(beside, self.columns.line(row, found[row.key]).encode())
            yield RowKnown(row, found[row.key], len(found), count)
        if lost:
            several = f"{len(lost)} rows are" if len(lost) > 1 else "a row is"
            raise EngineError(f"{several} missing, {lost[0]}. The others are kept; run it again for what is missing")
        write_table(table, self.columns, self.rows, found)
        disk.remove(beside)
        failed = sum(bool(found[row.key].problem) for row in self.rows)
        return SweepEnd(table, len(self.rows), len(todo), failed)

    def row(self, number: int) -> SweepRow:
        """The row of a number."""
        if not 1 <= number <= len(self.rows):
            raise InvalidArguments(what="the number of a row", value=number, allowed=f"1 to {len(self.rows)}")
        return self.rows[number - 1]

    def document(self, number: int) -> Document:
        """The document of a row."""
        return document_of(self.base, self.row(number).edits)

    def log(self, number: int) -> list[LoggedCommand]:
        """List the commands that make the document of a row, for a `.sinewlog`."""
        how = f"{self.study.source.path.name}, row {number}"
        return [Start(self.base, how), *edits_of(self.row(number).edits)]

    def _begin_rows(self, beside: Path, found: dict[str, RowResult]) -> None:
        """Have a file that rows are added to, with those of it that hold."""
        rows = {each.key: each for each in self.rows}
        lines = (self.columns.line(row, found[key]) for key, row in rows.items() if key in found)
        with _writing(beside):
            disk.write_beside(beside, "".join((self.columns.head, *lines)).encode())


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise disk.unwritable(path, error, at_work=False) from error


def sweep_of(study: Study) -> Sweep:
    """Make a study ready: its first row is made, so that what cannot be is refused before anything is worked out."""
    base = base_of(study)
    rows = rows_of(study, base)
    document = _first(study, base, rows[0])
    results = []
    for each in study.results:
        from engine.cli.curves import quantity_named
        from engine.measure.measuring import check

        try:
            quantity = quantity_named(document, each.quantity)
            check(quantity, document.actor(quantity.actor))
            unit = unit_of(quantity, document.actor(quantity.actor))
        except EngineError as problem:
            remedy = "Correct the quantity; python -m engine quantities lists the kinds"
            study.source.refuse(f"{each.quantity!r}: {problem}", remedy, each.line)
        results.append(f"{each.name} [{unit}]")
    return Sweep(study, base, tuple(rows), SweepColumns(tuple(each.name for each in study.varied), tuple(results)))


def _first(study: Study, base: Document, row: SweepRow) -> Document:
    """The document of the first row; an edit that is refused is named with its line."""
    for template, edit in zip(study.edits, edits_of(row.edits), strict=True):
        if edit.may_run_kernels_on(base):
            from engine.long.prepare import prepare
            from engine.queries.needs import needs_of

            prepare({"posing", *needs_of(base)})
        try:
            base = edit.apply(base)
        except EngineError as problem:
            values = ", ".join(f"{each.name} = {value}" for each, value in zip(study.varied, row.values, strict=True))
            study.source.refuse(f"{edit.name} of the first row ({values}): {problem}", "Correct it", template.line)
    return base


def edit_lines() -> list[str]:
    """The edits that there are and their arguments, a line each."""
    from inspect import Parameter, signature

    def told(each: Parameter) -> str:
        return each.name if each.default is Parameter.empty else f"[{each.name}]"

    return [f"{name}: {', '.join(map(told, list(signature(EDITS[name]).parameters.values())[1:]))}" for name in EDITS]
