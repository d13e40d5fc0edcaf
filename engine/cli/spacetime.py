"""The commands `spacetime` and `between`: motions that a project plans, found without a window."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.document import Actor, Document
from engine.document.values import new_id
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.long.percent import Percent, say
from engine.queries.naming import actor_named, ticks_of
from engine.runtime.errors import NothingThere
from engine.runtime.progress import finish, is_quiet, telling
from engine.spacetime.commands.fill_between import FillBetween
from engine.spacetime.coupled import CoupledMotions, coupled_motions
from engine.spacetime.coupled_faults import check_coupled, worst_coupled
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.optimise.report import SolveReport

_TOLD_EVERY = 1.0  # [s]


def find_motions(
    project: Path,
    *,
    actor: str | None = None,
    guesses: int | None = None,
    stop_after: float | None = None,
    out: Path | None = None,
) -> tuple[list[str], bool]:
    """Find what the actors of a project plan, or one of them with those that it meets: lines that say how each search
    ended, and whether all demands are met. The project with the motions kept is written where `out` says."""
    document = sinew.read(project)
    owners = [each for each in document.actors if spacetime_of(each) is not None]
    if actor is not None:
        owners = [actor_named(document, actor)]
    if not owners or spacetime_of(owners[0]) is None:
        who = f"No actor of {project.name} plans" if actor is None else f"{owners[0].name} does not plan"
        remedy = "Plan one in the window (Animate > Spacetime), and save the project"
        raise NothingThere(f"{who} a motion", remedy=remedy)
    lines, met, done = list[str](), True, set[str]()
    for owner in owners:
        if owner.id in done:
            continue
        made, found, seconds = search_plan(document, owner, guesses=guesses, stop_after=stop_after)
        lines += _lines(made, found, seconds)
        met = met and found[0].report.solved
        document = keep(document, made, found[0], ids={id: new_id("layer") for id in made.members})
        done |= made.members.keys()
    if out is not None:
        sinew.write(out, document)
    return lines, met


def fill_between(project: Path, name: str, start: float, end: float, out: Path) -> str:
    """Fill the time between two poses of an actor with the motion of least effort, write the project, and say how long
    that is."""
    document = sinew.read(project)
    owner = actor_named(document, name)
    begin, until = ticks_of(start, "the begin"), ticks_of(end, "the end")
    command = FillBetween(actor=owner.id, id=new_id("layer"), begin=begin, end=until)
    found = finish(telling(command.work_through(Evaluator(), document), Percent(owner.name)))
    sinew.write(out, found.edit.apply(document))
    said = f" ({found})" if found.said else ""
    return f"{owner.name}: from {start:g} to {end:g} s{said}, in {out}"


def search_plan(
    document: Document, owner: Actor, *, guesses: int | None = None, stop_after: float | None = None
) -> tuple[CoupledMotions, tuple[Any, ...], float]:
    """Search an actor's plan, with those of the actors that it meets, to its end, or for some seconds; the minima that
    were found, the best first."""
    plan = spacetime_of(owner)
    if plan is not None and guesses is not None:
        document = document.with_actor(owner.with_part(replace(plan, guesses=guesses)))
    begun = told = time.monotonic()
    made = coupled_motions(document, owner.id)
    steps, last = made.steps(), None
    while True:
        try:
            search, iterate = next(steps)
        except StopIteration as end:
            return made, end.value, time.monotonic() - begun
        now, last = time.monotonic(), (search, iterate)
        if now - told >= _TOLD_EVERY and not is_quiet():
            told = now
            say(f"{_names(made)}: iteration {iterate.iteration}, objective {iterate.objective:.6g}")
        if stop_after is not None and now - begun >= stop_after:
            steps.close()
            return made, (made.stopped(*last),), now - begun


def keep(document: Document, made: CoupledMotions, found: Any, *, ids: Mapping[str, str]) -> Document:
    """Keep what was found as a layer of each actor, with these ids unless one was kept before, and the torques of its
    muscles as curves."""
    for actor, motion in made.motions(found.motion).items():
        member = made.members[actor]
        layer = member.layer(motion, id=member.plan.layer or ids[actor])
        curves = member.curves(motion, id=f"{layer.id}_torques") if member.plan.muscles else None
        change = edit("keep_spacetime", actor=actor, layer=layer, curves=curves, lengths=member.lengths(motion))
        document = change.apply(document)
    return document


def in_words(made: CoupledMotions, found: Any) -> SolveReport:
    """Give the report of a search in the words of the document: names of what is missed, with times and units, and what
    is wrong with the plan."""
    report: SolveReport = found.report
    missed = [] if report.solved else [each.demand for each in worst_coupled(made, found.motion, report.last.x)]
    unmet = tuple(
        replace(own, demand=f"{each.name} at {each.seconds:.3f} s", amount=each.amount, unit=each.unit)
        for own, each in zip(report.unmet, missed, strict=False)
    )
    notes = (*(str(each) for each in check_coupled(made)), *found.notes)
    return replace(report, unmet=unmet, notes=tuple(f"{each[:1].upper()}{each[1:]}." for each in notes))


def _names(made: CoupledMotions) -> str:
    *others, last = (made.names[id] for id in made.members)
    return f"{', '.join(others)} and {last}" if others else last


def _lines(made: CoupledMotions, found: tuple[Any, ...], seconds: float) -> Iterator[str]:
    name = _names(made)
    best = found[0]
    last = best.report.last
    for fault in check_coupled(made):
        yield f"{name}: {fault}"
    how = "solved" if best.report.solved else "stopped" if best.report.ending == "stopped" else "not solved"
    yield (
        f"{name}: {how} after {last.iteration} iterations, {seconds:.2f} s: objective {last.objective:.8g}, "
        f"violation {last.violation:.2g}"
    )
    for id, motion in made.motions(best.motion).items():
        lengths = zip(made.plans[id].stages, motion.lengths.tolist(), strict=True)
        whose = "" if made.alone is not None else f"{made.names[id]}: "
        yield f"  {whose}" + ", ".join(f"{stage.name} {length:.4f} s" for stage, length in lengths)
    for note in best.notes:
        yield f"  {note}"
    for number, each in enumerate(found[1:], 2):
        yield f"  minimum {number}: objective {each.report.last.objective:.8g}"
    for demand in () if best.report.solved else worst_coupled(made, best.motion, last.x):
        yield f"  {demand}"
