"""sweep: all rows of a study worked out, wherever there is room, and kept as soon as each is known."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from engine.document import Document
from engine.edits import EDITS
from engine.edits.command_log import LoggedCommand, Start
from engine.long.pieces import PieceRunner, Task
from engine.measure import unit_of
from engine.runtime.errors import EngineError, InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.filling import RowKnown, SweepEnd, filled, rows_to_do
from engine.sweeps.rows import SweepRow, base_of, document_of, edits_of, rows_of
from engine.sweeps.study import Study
from engine.sweeps.table import RowResult, SweepColumns


@dataclass(frozen=True, eq=False)
class Sweep:
    """A study with its document and rows, ready to be worked out."""

    study: Study
    base: Document
    rows: tuple[SweepRow, ...]
    columns: SweepColumns

    def to_do(self, table: Path, *, replace: bool = False) -> tuple[dict[str, RowResult], list[SweepRow]]:
        """The rows that are there already, by key, and those that are not, each once."""
        return rows_to_do(table, self.columns, self.rows, replace=replace)

    def run(self, pieces: PieceRunner, table: Path, *, replace: bool = False) -> Generator[RowKnown, None, SweepEnd]:
        """Work out what is not there and write the table; yields each row as it is known, in any order."""
        from engine.sweeps.row import MAKE, shared_of

        found, todo = self.to_do(table, replace=replace)
        task, asked = Task(MAKE, shared_of(self.study, self.base)), [list(row.edits) for row in todo]
        return (yield from filled(pieces, task, asked, table, self.columns, self.rows, found, todo))

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
