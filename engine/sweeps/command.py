"""The command `sweep STUDY` of `python -m engine`, and of `sinew`."""

from __future__ import annotations

import json
from pathlib import Path

from engine.document import Document
from engine.formats import sinew, sinew_log
from engine.long.chosen_pieces import pieces_on
from engine.long.percent import Percent
from engine.project.schema import SUFFIX
from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.time_left import TimeLeft
from engine.sweeps.study import read_study, study_and_table
from engine.sweeps.sweep import Sweep, sweep_of


@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """The options of the command."""

    out: Path | None = None
    replace: bool = False
    workers: int | None = None
    scheduler: str | None = None
    row: int | None = None
    save: Path | None = None
    check: bool = False


def run_sweep(study: str, options: SweepOptions) -> str:
    """Do what is asked for; the lines that are printed."""
    source, usual = study_and_table(study)
    ready = sweep_of(read_study(source))
    if options.save is not None and options.row is None:
        raise InvalidArguments(what="--save", value=str(options.save), allowed="with --row: which row is saved")
    if options.row is not None:
        return _one_row(ready, options.row, options.save)
    table = usual if options.out is None else options.out
    if options.check:
        _, todo = ready.to_do(table, replace=options.replace)
        return f"{len(ready.rows)} rows, {len(todo)} of them to be worked out; {', '.join(ready.columns.names)}"
    pieces = pieces_on(options.workers, options.scheduler)
    steps, tell = ready.run(pieces, table, replace=options.replace), Percent("sweeping")
    left: TimeLeft | None = None
    while True:
        try:
            known = next(steps)
        except StopIteration as stop:
            return str(stop.value.text)
        share = known.done / known.count
        left = left or TimeLeft(first=share)  # until then processes were started
        tell(share, left.text(share))


def _one_row(ready: Sweep, number: int, path: Path | None) -> str:
    if path is None:
        return "\n".join(json.dumps(each) for each in ready.row(number).edits)
    document: Document = ready.document(number)
    name = path.name.lower()
    if name.endswith(sinew_log.SUFFIX):
        sinew_log.write_log(path, ready.log(number))
    elif name.endswith(SUFFIX):
        sinew.write(path, document)
    else:
        remedy = f"Name it {path.stem}{SUFFIX} or {path.stem}{sinew_log.SUFFIX}."
        raise UnwritableFile(path=path, found=f"no document ends in {path.suffix or 'nothing'!r}", remedy=remedy)
    return f"{path}: row {number}, digest {document.digest}"
