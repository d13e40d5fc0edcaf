"""Rows: the list of edits of each row of a study, as records that make its document anywhere, and their keys."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import cast

from engine import __version__
from engine.document import Document
from engine.edits import Edit, from_record
from engine.runtime.child import Json
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass
from engine.sweeps.study import Study
from engine.sweeps.varied import Plain, choose

VERSION = 1  # of what a row means: another one, and no kept row is taken over


@dataclass(frozen=True)
class SweepRow:
    """One row, not worked out yet."""

    number: int  # from 1 on
    values: tuple[Plain, ...]  # of the parameters
    edits: tuple[Json, ...]  # records, in their order
    key: str  # of all that its results depend on


def base_of(study: Study) -> Document:
    """The document that a study begins with."""
    if study.document is None:
        from engine.queries.examples import example

        try:
            return example(study.example).build()
        except EngineError as problem:
            study.source.refuse(str(problem), "Name one that Sinew brings", study.source.key_line("example", 1))
    from engine.cli.curves import document_in

    return document_in(study.document)


def rows_of(study: Study, base: Document) -> list[SweepRow]:
    """All rows in their order."""
    measured = [[each.quantity, each.of, each.at] for each in study.results]
    common = json.dumps([VERSION, __version__, base.digest, study.start, study.end, study.rate, measured])
    began = blake2b(common.encode(), digest_size=8)
    found = []
    for number, values in enumerate(choose(study.draw, study.varied, study.count, study.seed), 1):
        edits = tuple(each.filled(values) for each in study.edits)
        key = began.copy()
        key.update(json.dumps(edits).encode())
        found.append(SweepRow(number, values, cast(tuple[Json, ...], edits), key.hexdigest()))
    return found


def edits_of(records: Iterable[Json]) -> list[Edit]:
    """The edits of a row; a list is taken as what documents have in its place."""
    return [from_record(cast(dict[str, Json], each)) for each in records]  # type: ignore[arg-type]


def document_of(base: Document, records: Sequence[Json]) -> Document:
    """The document of a row."""
    for each in edits_of(records):
        base = each.apply(base)
    return base
