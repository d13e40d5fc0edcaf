"""The library's functions for planned motion of soft bodies: where they are to be, and what their splines must do."""

from __future__ import annotations

from dataclasses import field
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


def plan(document: Document, *, iterations: int | None = None) -> tuple[Document, Planned]:
    """Search for what the splines of soft bodies must do for these to be where their keyframes say; the scene as it
    moves then, and how near it comes. The edit "set_plan_choices" has the choices of the search."""
    from engine.soft.control.planned import plan_of, said_of, search_plan

    prepare(document, "soft")
    found, objectives, last = plan_of(evaluator(), document, iterations=iterations), list[float](), None
    for last in search_plan(found):
        objectives.append(last.iterate.run.value)
    assert last is not None, "a search yields where it begins"
    run = last.iterate.run
    missed = tuple(each.place for each in run.missed)
    return found.edit(last.iterate.values).apply(document), Planned(said_of(found, run), missed, tuple(objectives))
