"""The command `plan`: what splines and forces of soft bodies must do for these to be where keyframes want them."""

from __future__ import annotations

from pathlib import Path

from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.long.percent import say
from engine.runtime.progress import is_quiet
from engine.soft.control.planned import plan_of, said_of, search_plan


def plan_file(project: Path, *, out: Path | None = None, iterations: int | None = None) -> list[str]:
    """Search for the plan of a project: lines that say by how much its keyframes are missed. The project as it moves
    then is kept where `out` says."""
    document = sinew.read(project)
    plan = plan_of(Evaluator(), document, iterations=iterations)
    last = None
    for last in search_plan(plan):
        if not is_quiet():
            say(f"{last.share:4.0%}  objective {last.iterate.run.value:.6g}")
    assert last is not None, "a search yields where it begins"
    if out is not None:
        sinew.write(out, plan.edit(last.iterate.values).apply(document))
    return list(said_of(plan, last.iterate.run))
