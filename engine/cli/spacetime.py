"""The commands `spacetime` and `between`: motions that a project plans, found without a window."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

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
from engine.spacetime.planned import CompiledMotion, compiled
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.optimise.report import SolveReport
    from engine.spacetime.search import FoundMotion

_TOLD_EVERY = 1.0  # [s]


def find_motions(
    project: Path,
    *,
    actor: str | None = None,
    guesses: int | None = None,
    stop_after: float | None = None,
    out: Path | None = None,
) -> tuple[list[str], bool]:
    """Find what the actors of a project plan, or one of them: lines that say how each search ended, and whether all
    demands are met. The project with the motions kept is written where `out` says."""
    document = sinew.read(project)
    owners = [each for each in document.actors if spacetime_of(each) is not None]
    if actor is not None:
        owners = [actor_named(document, actor)]
    if not owners or spacetime_of(owners[0]) is None:
        who = f"No actor of {project.name} plans" if actor is None else f"{owners[0].name} does not plan"
        remedy = "Plan one in the window (Animate > Spacetime), and save the project"
        raise NothingThere(f"{who} a motion", remedy=remedy)
    lines, met = list[str](), True
    for owner in owners:
        made, found, seconds = search_plan(document, owner, guesses=guesses, stop_after=stop_after)
        lines += _lines(owner.name, made, found, seconds)
        met = met and found[0].report.solved
        document = keep(document, made, found[0], id=new_id("layer"))
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
    change = finish(telling(command.work_through(Evaluator(), document), Percent(owner.name)))
    sinew.write(out, change.apply(document))
    return f"{owner.name}: from {start:g} to {end:g} s, in {out}"


def search_plan(
    document: Document, owner: Actor, *, guesses: int | None = None, stop_after: float | None = None
) -> tuple[CompiledMotion, tuple[FoundMotion, ...], float]:
    """Search an actor's plan to its end, or for some seconds; the minima that were found, the best first."""
    plan = spacetime_of(owner)
    if plan is not None and guesses is not None:
        document = document.with_actor(owner.with_part(replace(plan, guesses=guesses)))
    begun = told = time.monotonic()
    made = compiled(document, owner.id)
    steps, last = made.steps(), None
    while True:
        try:
            search, iterate = next(steps)
        except StopIteration as end:
            return made, end.value, time.monotonic() - begun
        now, last = time.monotonic(), (search, iterate)
        if now - told >= _TOLD_EVERY and not is_quiet():
            told = now
            say(f"{owner.name}: iteration {iterate.iteration}, objective {iterate.objective:.6g}")
        if stop_after is not None and now - begun >= stop_after:
            steps.close()
            return made, (made.stopped(*last),), now - begun


def keep(document: Document, made: CompiledMotion, found: FoundMotion, *, id: str) -> Document:
    """Keep what was found as a layer of the actor, with this id unless one was kept before, and the torques of its
    muscles as curves."""
    layer = made.layer(found.motion, id=made.plan.layer or id)
    curves = made.curves(found.motion, id=f"{layer.id}_torques") if made.plan.muscles else None
    change = edit("keep_spacetime", actor=made.actor.id, layer=layer, curves=curves, lengths=made.lengths(found.motion))
    return change.apply(document)


def told(made: CompiledMotion, found: FoundMotion) -> SolveReport:
    """Give the report of a search in the words of the document: names of what is missed, with times and units, and what
    is wrong with the plan."""
    missed = () if found.report.solved else made.worst(found.report.last.x, problem=found.motion.problem)
    unmet = tuple(
        replace(own, demand=f"{each.name} at {each.seconds:.3f} s", amount=each.amount, unit=each.unit)
        for own, each in zip(found.report.unmet, missed, strict=False)
    )
    notes = (*(str(each) for each in made.checked()), *found.notes)
    return replace(found.report, unmet=unmet, notes=tuple(f"{each[:1].upper()}{each[1:]}." for each in notes))


def _lines(name: str, made: CompiledMotion, found: tuple[FoundMotion, ...], seconds: float) -> Iterator[str]:
    best = found[0]
    last = best.report.last
    for fault in made.checked():
        yield f"{name}: {fault}"
    how = "solved" if best.report.solved else "stopped" if best.report.ending == "stopped" else "not solved"
    yield (
        f"{name}: {how} after {last.iteration} iterations, {seconds:.2f} s: objective {last.objective:.8g}, "
        f"violation {last.violation:.2g}"
    )
    lengths = zip(made.plan.stages, best.motion.lengths.tolist(), strict=True)
    yield "  " + ", ".join(f"{stage.name} {length:.4f} s" for stage, length in lengths)
    for note in best.notes:
        yield f"  {note}"
    for number, each in enumerate(found[1:], 2):
        yield f"  minimum {number}: objective {each.report.last.objective:.8g}"
    for demand in () if best.report.solved else made.worst(last.x, problem=best.motion.problem):
        yield f"  {demand}"
