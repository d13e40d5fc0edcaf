"""The library's function for sweeps: a scene done many times with other numbers, as one table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.document import Document
    from engine.maths.arrays import Array
    from engine.sweeps.sweep import Sweep

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Swept:
    """The table of a sweep that is whole."""

    path: Path
    made: int  # rows that were worked out now; the others were there
    columns: Mapping[str, Array]  # numbers by name: parameters, and results; not a number where a row has none
    problems: Mapping[int, str]  # why, by the number of the row, from 1 on
    sweep: Sweep

    def __getitem__(self, name: str) -> Array:
        """The numbers of a parameter or a result."""
        from engine.runtime.errors import UnknownPart

        if name not in self.columns:
            raise UnknownPart(kind="column", id=name, known=tuple(self.columns))
        return self.columns[name]

    def document(self, row: int) -> Document:
        """The scene of a row, from 1 on."""
        return self.sweep.document(row)


def sweep(
    study: PathLike,
    table: PathLike | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    replace: bool = False,
) -> Swept:
    """Work out a study (docs/sweeps.md), a TOML file or one that comes with Sinew, such as "hanging_ball", into a
    table: beside it, .csv, where none is named. Rows that it holds are kept, those of another study lost only with
    `replace`.

    So many `workers` do it, processes of this machine, as many as it has cores; or those of a Dask `scheduler`, such as
    "tcp://10.0.0.5:8786".
    """
    from engine.long.chosen_pieces import pieces_on
    from engine.long.percent import Percent
    from engine.sweeps.study import read_study, study_and_table
    from engine.sweeps.sweep import sweep_of

    source, usual = study_and_table(os.fspath(study))
    ready = sweep_of(read_study(source))
    path = usual if table is None else Path(table)
    tell, steps = Percent("sweeping"), ready.run(pieces_on(workers, scheduler), path, replace=replace)

    while True:
        try:
            known = next(steps)
        except StopIteration as stop:
            return _swept(ready, path, stop.value.made)
        tell(known.done / known.count)


def _swept(ready: Sweep, path: Path, made: int) -> Swept:
    import numpy as np

    from engine.sweeps.table import read_rows

    known = read_rows(path, ready.columns)
    found = [known[row.key] for row in ready.rows]
    columns = {
        each.name: np.array([row.values[at] for row in ready.rows]) for at, each in enumerate(ready.study.varied)
    }
    for place, each in enumerate(ready.study.results):
        columns[each.name] = np.array([one.values[place] if one.values else np.nan for one in found])
    problems = {row.number: one.problem for row, one in zip(ready.rows, found, strict=True) if one.problem}
    return Swept(path, made, columns, problems, ready)
