"""The command `muscles`: what the muscles of a figure measure in a pose, and over a joint's range as a table."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from engine.cli.curves import document_in
from engine.document import Actor, Document
from engine.evaluate.evaluator import Evaluator
from engine.formats.sto_table import SUFFIXES, write_sto
from engine.formats.text import write_text
from engine.muscles.parts import Muscles
from engine.muscles.ranges import ArmsOverRange, arms_over, measured_dof
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.uses import muscled_actors, muscles_of
from engine.queries.naming import actor_named, ticks_of
from engine.runtime.errors import InvalidArguments, NothingThere

Rows = list[Sequence[object]]


def muscle_lines(scene: Path, *, actor: str | None = None, time: float = 0.0) -> Iterator[str]:
    """Say of each muscle how long it is, how its fibres stand and how it pulls at a time [s]."""
    document = document_in(scene)
    owner, muscles = muscled(document, actor)
    found = _stage().measured(document, owner.id, [ticks_of(time, "the time")])
    fibres = found.figure.fibres(found.lengths[0], found.rates[0], found.activations[0])
    wide = max(map(len, (each.name for each in muscles.muscles)))
    yield f"{owner.name}: {muscles.summary()}, {muscles.model}, at {time:g} s"
    for place, each in enumerate(muscles.muscles):
        yield (
            f"  {each.name:<{wide}}  length {100.0 * found.lengths[0, place]:7.2f} cm  fibres {fibres[place]:5.2f}  "
            f"activation {found.activations[0, place]:4.2f}  force {found.forces[0, place]:8.1f} N"
        )


def arm_table(
    scene: Path,
    dof: str,
    *,
    span: tuple[float, float] | None = None,
    steps: int = 61,
    actor: str | None = None,
    time: float = 0.0,
) -> Rows:
    """Lengths and moment arms of all muscles over a degree of freedom, from one value to another [degrees or m]: a row
    of names, then one for each value."""
    document = document_in(scene)
    owner, muscles = muscled(document, actor)
    turns = measured_dof(owner.figure, dof).kind == "hinge"
    unit = math.pi / 180.0 if turns else 1.0
    within = None if span is None else (span[0] * unit, span[1] * unit)
    over = over_range(document, owner, muscles, dof, time=time, span=within, steps=steps)
    names = [each.id for each in muscles.muscles]
    arm = "moment arm [m]" if turns else "moment arm"
    rows: Rows = [
        (f"{dof} [{'deg' if turns else 'm'}]", *(f"{id} length [m]" for id in names), *(f"{id} {arm}" for id in names))
    ]
    for value, lengths, arms in zip(over.values / unit, over.lengths, over.arms, strict=True):
        rows.append((float(value), *lengths.tolist(), *arms.tolist()))
    return rows


def over_range(
    document: Document,
    owner: Actor,
    muscles: Muscles,
    dof: str,
    *,
    time: float = 0.0,
    span: tuple[float, float] | None = None,
    steps: int = 61,
) -> ArmsOverRange:
    """Measure the muscles of an actor over a degree of freedom [rad or m], all others as they are at a time [s]."""
    evaluator = Evaluator()
    muscled_figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
    q = evaluator.coordinates(document, owner.id, [ticks_of(time, "the time")])[0]
    return arms_over(muscled_figure, q, dof, span=span, steps=steps)


def write_table(rows: Rows, out: Path | None) -> None:
    """Write a table as CSV, every number with all its digits; against time as STO, too."""
    ending = ".csv" if out is None else out.suffix.lower()
    if out is not None and ending in SUFFIXES and rows[0][0] == "time [s]":
        write_sto(out, out.stem, [str(each) for each in rows[0][1:]], [tuple(map(_number, row)) for row in rows[1:]])
        return
    if ending != ".csv":
        allowed = "one that ends in .csv" + (" or .sto" if rows[0][0] == "time [s]" else "")
        raise InvalidArguments(what="the file to write", value=str(out), allowed=allowed)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    if out is None:
        print(text.getvalue(), end="")
    else:
        write_text(out, text.getvalue())


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else float("nan")


def muscled(document: Document, name: str | None) -> tuple[Actor, Muscles]:
    """The actor of a name with its muscles, or the first that has some."""
    found = [owner for owner, muscles in muscled_actors(document) if muscles.muscles]
    owner = actor_named(document, name) if name is not None else next(iter(found), None)
    muscles = None if owner is None else muscles_of(owner)
    if owner is None or muscles is None or not muscles.muscles:
        who = "Nobody" if owner is None else owner.name
        raise NothingThere(f"{who} has muscles" if owner is None else f"{who} has none", remedy="Add muscles to it")
    return owner, muscles


def _stage() -> MusclesStage:
    return cast(MusclesStage, Evaluator().stage(NAME))
