"""sweep as a job: `python -m engine job sweep JSON`, for the window; yields each row as it is known."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path

from engine.long.chosen_pieces import pieces_on
from engine.runtime.child import Json, Message
from engine.runtime.errors import InvalidArguments
from engine.sweeps.study import read_study
from engine.sweeps.sweep import sweep_of

ARGUMENTS = ("study", "table", "workers", "scheduler")


def sweep(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Work out the study in a file into a table, with so many `workers` of this machine (null: all cores) or a cluster.

    Says first what the columns are and which rows are there already.
    """
    if set(arguments) != set(ARGUMENTS):
        raise InvalidArguments(what="the arguments of sweep", value=sorted(arguments), allowed=", ".join(ARGUMENTS))
    workers, scheduler = arguments["workers"], arguments["scheduler"]
    pieces = pieces_on(
        None if workers is None else int(str(workers)), None if scheduler is None else str(scheduler) or None
    )
    ready = sweep_of(read_study(Path(str(arguments["study"]))))
    table = Path(str(arguments["table"]))
    found, _ = ready.to_do(table)
    columns = ready.columns
    yield {"parameters": columns.parameters, "results": columns.results, "rows": len(ready.rows)}
    for row in ready.rows:
        if row.key in found:
            yield {"row": row.number, "values": row.values, "numbers": found[row.key].values}
    steps = ready.run(pieces, table)
    while True:
        try:
            known = next(steps)
        except StopIteration as stop:
            return {"path": str(stop.value.path), "made": stop.value.made, "text": stop.value.text}
        yield {
            "progress": known.done / known.count,
            "text": f"Row {known.done} of {known.count}",
            "row": known.row.number,
            "values": known.row.values,
            "numbers": known.found.values,
        }
