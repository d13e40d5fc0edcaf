"""The command `measure FOLDER TABLE QUANTITY...` of `python -m engine`: a row for each file of a folder, in the table
that sweeps write. A row is kept as long as its file, the quantities and the version of Sinew are the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from engine import __version__
from engine.cli.batch import readable_files
from engine.cli.curves import document_in, quantity_named
from engine.document.motion import Rate
from engine.evaluate.evaluator import Evaluator
from engine.long.percent import Percent
from engine.long.pieces import PieceRunner, Task, Work
from engine.measure import unit_of
from engine.measure.measuring import check
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, UnreadableFile, reason_of
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.filling import SweepEnd, filled, rows_to_do
from engine.sweeps.row import numbers
from engine.sweeps.rows import SweepRow
from engine.sweeps.table import SweepColumns

MAKE = "engine.sweeps.measured_files:begin"
VERSION = 1  # of what a row means
TRIED = 8  # files that are asked whether they have the quantities, before it is refused


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """The options of the command."""

    quantities: tuple[str, ...]
    of: tuple[str, ...] = ("mean", "min", "max")
    start: float | None = None
    end: float | None = None
    rate: Rate | None = None
    replace: bool = False  # lose the rows of something else

    @property
    def results(self) -> list[tuple[str, str]]:
        """Each quantity, and how it is reduced."""
        return [(name, of) for name in dict.fromkeys(self.quantities) for of in dict.fromkeys(self.of)]


def measure_folder(pieces: PieceRunner, folder: Path, table: Path, options: MeasureOptions) -> SweepEnd:
    """Measure each file that can be read; says on standard error how far it is."""
    files = readable_files(folder)
    columns = SweepColumns(("file",), _heads(files, options))
    shared: Json = {
        "results": cast(Json, options.results), "span": [options.start, options.end], "rate": options.rate,
    }  # fmt: skip
    common = blake2b(json.dumps([VERSION, __version__, shared]).encode(), digest_size=4).hexdigest()
    rows = [SweepRow(number, (path.name,), (), _key(common, path)) for number, path in enumerate(files, 1)]
    found, todo = rows_to_do(table, columns, rows, replace=options.replace, own=common)
    asked = [str(files[row.number - 1].absolute()) for row in todo]
    steps = filled(pieces, Task(MAKE, shared), asked, table, columns, rows, found, todo)
    tell = Percent("measuring")
    while True:
        try:
            known = next(steps)
        except StopIteration as stop:
            end: SweepEnd = stop.value
            return end
        tell(known.done / known.count)


def begin(shared: Json) -> Work:
    """The function that measures one file."""
    told = cast(dict[str, Any], shared)
    results = [(str(name), str(of), None) for name, of in told["results"]]
    start, end = told["span"]
    evaluator = Evaluator()

    def work(piece: Json) -> Json:
        document = document_in(Path(str(piece)))
        document = document if told["rate"] is None else replace(document, rate=tuple(told["rate"]))
        return numbers(evaluator, document, results, start, end)

    return work


def _heads(files: Sequence[Path], options: MeasureOptions) -> tuple[str, ...]:
    """The heads of columns, with the units that the first file has which has all quantities."""
    problem: EngineError | None = None
    for path in files[:TRIED]:
        try:
            document = document_in(path)
            units = {}
            for name in options.quantities:
                quantity = quantity_named(document, name)
                check(quantity, document.actor(quantity.actor))
                units[name] = unit_of(quantity, document.actor(quantity.actor))
        except EngineError as found:
            problem = problem or found
        else:
            return tuple(f"{of} {name} [{units[name]}]" for name, of in options.results)
    assert problem is not None, "there is a file"
    raise problem


def _key(common: str, path: Path) -> str:
    """Name what a row depends on: first what all rows of the table share."""
    key = blake2b(json.dumps(path.name).encode(), digest_size=8)
    try:
        key.update(path.read_bytes())
    except OSError as problem:
        raise UnreadableFile(path=path, found=reason_of(problem), remedy="Check that it may be read.") from problem
    return common + key.hexdigest()
