"""The library's functions for planned motion of soft bodies: where they are to be, what may push them, and what splines
and forces must do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from engine.runtime.quick_dataclass import dataclass
from sinew.finding import actor_of, evaluator, free_id, prepare

if TYPE_CHECKING:
    from engine.document import Document
    from engine.document.values import Vector3


@dataclass(frozen=True)
class Planned:
    """Says what came of a plan."""

    said: tuple[str, ...]  # by how much each keyframe is missed, in words
    missed: tuple[float, ...]  # [m] of each keyframe
    objectives: tuple[float, ...] = field(repr=False)  # of each iterate


def keyframe(
    document: Document,
    actor: str,
    time: float,
    position: Vector3,
    *,
    velocity: Vector3 | None = None,
    weight: float = 1.0,
) -> Document:
    """Say where the centre of mass of a soft body is to be at a time [s]: its place in the world [m], and how fast."""
    from engine.edits import edit
    from engine.queries.naming import ticks_of
    from engine.soft.goals import SoftKeyframe, SoftPlan

    owner = actor_of(document, actor)
    taken = {each.id for each in (owner.part(SoftPlan) or SoftPlan()).keyframes}
    wanted = SoftKeyframe(
        id=free_id("keyframe", taken),
        time=ticks_of(time, "the time of a keyframe"),
        position=position,
        velocity=velocity,
        weight=weight,
    )
    return edit("put_soft_keyframe", actor=owner.id, keyframe=wanted).apply(document)


def push(
    document: Document,
    actor: str,
    points: Sequence[int] | None = None,
    *,
    strongest: float | None = None,
    form: str = "linear",
) -> Document:
    """Let plans push points of a soft body by forces of their own: those of these numbers, or all; no stronger than so
    much along an axis [N], or than a few times its weight all together. Between knots of a plan forces go "linear", or
    are "held"."""
    import numpy as np

    from engine.document import Blob
    from engine.edits import edit
    from engine.soft.commands.put_forces import PutForces
    from engine.soft.nodal import NodalForces
    from engine.soft.uses import soft_body

    owner = actor_of(document, actor)
    body = soft_body(owner)
    id = free_id("forces", set() if body is None else {each.id for each in body.forces})
    change = PutForces(id=id, actor=owner.id, strongest=strongest).work_out(evaluator(), document)
    forces = dict(change.arguments)["forces"]
    assert isinstance(forces, NodalForces)
    if points is not None:
        numbers = Blob(np.array(tuple(points), dtype=np.int32))
        all_together = forces.strongest * forces.count / max(numbers.shape[0], 1)
        forces = replace(forces, name="Forces", points=numbers, strongest=strongest or all_together)
    return edit("put_nodal_forces", actor=owner.id, forces=replace(forces, form=form)).apply(document)


def plan(document: Document, *, iterations: int | None = None) -> tuple[Document, Planned]:
    """Search for what splines and forces of soft bodies must do for these to be where their keyframes say; the scene as
    it moves then, and how near it comes. The edit "set_plan_choices" has the choices of the search."""
    from engine.soft.control.planned import plan_of, said_of, search_plan

    prepare(document, "soft")
    found, objectives, last = plan_of(evaluator(), document, iterations=iterations), list[float](), None
    for last in search_plan(found):
        objectives.append(last.iterate.run.value)
    assert last is not None, "a search yields where it begins"
    run = last.iterate.run
    missed = tuple(each.place for each in run.missed)
    return found.edit(last.iterate.values).apply(document), Planned(said_of(found, run), missed, tuple(objectives))
