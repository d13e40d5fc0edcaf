"""The plan that a document asks for: all of its soft bodies with keyframes, by the choices that they share; and where a
search for it stands, in words and numbers for whoever shows it.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.document import Actor, Document, Span
from engine.document.extent import play_extent
from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.soft.control.descent import DescentIterate
from engine.soft.control.planning import MotionKey, MotionPlan, plan_motion
from engine.soft.control.problem import ControlledRun
from engine.soft.goals import SoftKeyframe, SoftPlan, SoftPlanChoices
from engine.soft.parts import SoftBody
from engine.soft.uses import soft_actors

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

_FAR = 5e-3  # [m] that is worth a word about splines at their ends
_MANY = 0.2  # of the knots
_ON = 1e-9  # of alpha, to its end


class PlanStage(NamedTuple):
    """Where a search stands: keyframes up to a time count."""

    until: int  # [ticks]
    share: float  # of the search, at most
    iterate: DescentIterate[ControlledRun]


def planned_actors(document: Document) -> list[tuple[Actor, SoftBody, SoftPlan]]:
    """List the soft bodies that have keyframes; frozen ones go on as they do."""
    found = []
    for actor, body in soft_actors(document):
        plan = actor.part(SoftPlan)
        if plan is not None and plan.keyframes and not actor.frozen:
            found.append((actor, body, plan))
    return found


def plan_of(evaluation: Evaluation, document: Document, *, iterations: int | None = None) -> MotionPlan:
    """Set up the plan of a document; refused in words where there is none, or none can be made. `iterations` stand in
    for those of the document."""
    planned = planned_actors(document)
    if not planned:
        remedy = "Say where a soft body is to be at some time: Plan motion, in the Soft body panel"
        raise NothingThere("no soft body has a keyframe", remedy=remedy)
    splines, forces, keys, starts = {}, {}, list[MotionKey](), []
    for actor, body, plan in planned:
        splines[actor.id], forces[actor.id] = _used(actor, body, plan)
        starts.append(_start(actor, body, plan))
        keys += [_key(actor, body, each) for each in plan.keyframes]
    choices = document.part(SoftPlanChoices) or SoftPlanChoices()
    if iterations is not None:
        choices = replace(choices, iterations=iterations)
    span = Span(start=min(starts), end=max(key.time for key in keys))
    plan = plan_motion(evaluation, document, splines=splines, forces=forces, keys=keys, span=span, choices=choices)
    _, end = play_extent(document)
    plan.notes = tuple(
        f"{document.actor(key.actor).name} at {_seconds(key.time)}: after the end of what is played, at {_seconds(end)}"
        for key in keys
        if key.time > end
    )
    return plan


def search_plan(plan: MotionPlan) -> Generator[PlanStage, None, None]:
    """Search as the choices of the plan say, keyframe by keyframe or for all at once."""
    times, most = sorted({key.time for key in plan.keys}), plan.choices.iterations
    if plan.choices.staged:
        for until, iterate in plan.search_in_stages():
            yield PlanStage(until, (times.index(until) + iterate.number / most) / len(times), iterate)
    else:
        for iterate in plan.search():
            yield PlanStage(times[-1], iterate.number / most, iterate)


def said_of(plan: MotionPlan, run: ControlledRun) -> tuple[str, ...]:
    """Say by how much keyframes are missed, and of a far miss what may be in the way."""
    lines = (*plan.said(run), *plan.notes)
    if max((each.place for each in run.missed), default=0.0) < _FAR:
        return lines
    controls, names = plan.problem.controls, list(plan.chosen.names())
    alphas = run.values[: controls.spline_count, 1:]
    ends = [
        (name, _at(values, plan.choices.least), _at(values, plan.choices.most))
        for name, values in zip(names, alphas, strict=False)
    ]
    found = [
        f"{name} {'contracts' if low >= high else 'extends'} as far as it may "
        f"for {max(low, high):.0%} of the time (alpha {plan.choices.least if low >= high else plan.choices.most:g})"
        for name, low, high in ends
        if max(low, high) >= _MANY
    ]
    for name, rows, each in zip(names[controls.spline_count :], controls.force_rows, controls.forces, strict=True):
        at_end = np.abs(run.values[rows]) >= each.strongest * (1.0 - _ON)
        hard = float(at_end.reshape(-1, 3, at_end.shape[1]).any(axis=1).mean())  # of points and knots
        if hard >= _MANY:
            found.append(
                f"{name} push as hard as they may for {hard:.0%} of the time ({each.strongest:g} N along an axis)"
            )
    return (*lines, *found)


def _at(values: Array, end: float) -> float:
    return float(np.mean(np.abs(values - end) < _ON))


def _used(actor: Actor, body: SoftBody, plan: SoftPlan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The splines that pull and the nodal forces, those that may be used."""
    splines, forces = (
        tuple(each.id for each in own if not each.mute and (used is None or each.id in used))
        for own, used in ((body.splines, plan.splines), (body.forces, plan.forces))
    )
    if not (splines or forces):
        lacking = (
            "has no spline and no nodal forces"
            if not (body.splines or body.forces)
            else ("has no spline and no nodal forces that may be used and are not muted")
        )
        remedy = "Draw a spline in the Activation panel, or put forces on its points in Plan motion"
        raise NothingThere(f"{actor.name} {lacking}, so nothing can move it", remedy=remedy)
    return splines, forces


def _start(actor: Actor, body: SoftBody, plan: SoftPlan) -> int:
    """From when on a body is planned."""
    if body.stepped == "over_window":
        remedy = "Let it be stepped from its start: Soft body panel, Stepped"
        raise NothingThere(f"{actor.name} is stepped over a window, so it has no motion to plan", remedy=remedy)
    start = body.start if plan.start is None else max(plan.start, body.start)
    if body.bake is not None and body.bake.end > start:
        remedy = "Remove its bake, or let the plan start after its end"
        raise NothingThere(f"{actor.name} follows baked frames", remedy=remedy)
    early = [each for each in plan.keyframes if each.time <= start]
    if early:
        what = f"the keyframe of {actor.name} at {_seconds(early[0].time)}"
        allowed = f"one after the start of its plan at {_seconds(start)}"
        raise InvalidArguments(what=what, value=_seconds(early[0].time), allowed=allowed)
    return start


def _key(actor: Actor, body: SoftBody, keyframe: SoftKeyframe) -> MotionKey:
    given = {"actor": actor.id, "time": keyframe.time, "velocity": keyframe.velocity, "weight": keyframe.weight}
    if keyframe.shape is None:
        return MotionKey(centre=keyframe.position, **given)  # type: ignore[arg-type]
    if keyframe.shape.shape[0] != body.point_count:
        what = f"the shape that {actor.name} is to have at {_seconds(keyframe.time)}"
        allowed = f"one of its {body.point_count} points: set it anew"
        raise InvalidArguments(what=what, value=f"{keyframe.shape.shape[0]} points", allowed=allowed)
    points = keyframe.shape.array + np.array(keyframe.position)
    return MotionKey(points=points, **given)  # type: ignore[arg-type]


def _seconds(time: int) -> str:
    return f"{time / TICKS_PER_SECOND:.4g} s"
