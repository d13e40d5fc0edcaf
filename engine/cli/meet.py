"""The command `meet`: targets of a project are met, without a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import new_id
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.queries.naming import actor_named
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from engine.targets.actor_targets import compile_targets
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet


def meet_file(project: Path, *, actor: str | None = None, out: Path | None = None) -> tuple[list[str], bool]:
    """Meet the targets of a project's actors, or of one: lines that say how they came out, and whether all are met.
    The project as it is then is kept where `out` says."""
    document, evaluator = sinew.read(project), Evaluator()
    everyone = [each for group in document.groups for each in group]  # what hangs on others comes behind them
    chosen = [actor_named(document, actor)] if actor is not None else []
    if actor is None:
        chosen = [each for each in everyone if _aims(evaluator, document, each)]
    if not chosen:
        raise InvalidArguments(what="the targets of the project", value="none", allowed="an actor with targets")
    lines, all_met = list[str](), True
    for owner in chosen:
        change = MeetTargets(actor=owner.id, id=new_id("layer"))
        found = finish(change.work_through(evaluator, document))
        document, all_met = found.edit.apply(document), all_met and found.met
        lines += _lines(owner.name, found)
    if out is not None:
        sinew.write(out, document)
    left = (each for each in everyone if actor is None and each not in chosen)
    return lines + [_left_out(each) for each in left if each.secondary is not None and each.secondary.targets], all_met


def _aims(evaluator: Evaluator, document: Document, owner: Actor) -> bool:
    """Tell whether an actor has targets to meet, or a correction that no target needs any more."""
    if owner.secondary is None or not (owner.swings and owner.secondary.targets):
        return False
    actor_targets = compile_targets(evaluator, document, owner.id)
    return bool(actor_targets.targets or actor_targets.null_space_edits or actor_targets.layer is not None)


def _left_out(owner: Actor) -> str:
    why = (
        "none of its targets is on, at a key or at a time of its own" if owner.swings else "its secondary motion is off"
    )
    return f"{owner.name}: left as it is, since {why}"


def _lines(name: str, found: TargetsMet) -> Iterator[str]:
    yield f"{name}: {found.text}; {found.simulations} simulations"
    for each in found.targets:
        how = "met" if each.met else f"missed by {each.amount}. {each.text}"
        yield f"  {each.time / TICKS_PER_SECOND:9.4f} s  {each.target}: {how}"
