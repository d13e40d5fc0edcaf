"""The command `residuals`: a motion changed a little so that it agrees with its measured forces."""

from __future__ import annotations

from pathlib import Path

from engine.cli.curves import document_in
from engine.document import Document
from engine.document.values import new_id
from engine.evaluate.evaluator import Evaluator
from engine.evaluation import Evaluation
from engine.formats import sinew
from engine.long.percent import Percent
from engine.measured_forces.commands.reduce import HEAVIEST, FoundReduction, ReduceResiduals
from engine.measured_forces.uses import forces_of
from engine.queries.naming import actor_named, ticks_of
from engine.runtime import progress
from engine.runtime.errors import NothingThere, UnwritableFile

NOTHING = "none"
"""The trunk of a figure whose masses stay."""


def find_reduction(
    document: Document,
    *,
    actor: str | None = None,
    start: float | None = None,
    end: float | None = None,
    trunk: str | None = None,
    degrees: float = 3.0,
    centimetres: float = 3.0,
    spacing: float = 0.05,
    layer: str | None = None,
    evaluator: Evaluation | None = None,
) -> FoundReduction:
    """Reduce the residuals of an actor from one time to another [s], of the first that has measured forces."""
    known = [each.id for each in document.actors if forces_of(each) is not None]
    if actor is None and not known:
        raise NothingThere("nobody has measured forces", remedy="Put some on a figure first: python -m engine forces")
    owner = document.actor(known[0]) if actor is None else actor_named(document, actor)
    command = ReduceResiduals(
        actor=owner.id,
        id=layer or new_id("layer"),
        start=None if start is None else ticks_of(start, "the start of the time"),
        end=None if end is None else ticks_of(end, "the end of the time"),
        spacing=spacing,
        degrees=degrees,
        centimetres=centimetres,
        trunk=HEAVIEST if trunk is None else None if trunk == NOTHING else owner.figure.joint(trunk).id,
    )
    return progress.finish(command.work_through(evaluator or Evaluator(), document))


def reduce_residuals_of(
    scene: Path,
    out: Path,
    *,
    actor: str | None = None,
    start: float | None = None,
    end: float | None = None,
    trunk: str | None = None,
    degrees: float = 3.0,
    centimetres: float = 3.0,
    spacing: float = 0.05,
) -> list[str]:
    """Write a project in which the motion of a figure is changed; what is said, in lines."""
    if out.suffix.lower() != ".sinew":
        raise UnwritableFile(path=out, found="it is no project", remedy="Name it so that it ends in .sinew.")
    document = document_in(scene)
    with progress.listening(Percent("reducing residuals")):
        found = find_reduction(
            document, actor=actor, start=start, end=end, trunk=trunk, degrees=degrees, centimetres=centimetres,
            spacing=spacing,
        )  # fmt: skip
    sinew.write(out, found.edit.apply(document))
    return list(found.words)
