"""Tells of a search for a plan in the messages of a process, which `engine.soft.queries.plan_told` reads.

Every one has all that is needed to show an iterate or to keep it, so that whoever reads them may end the process at any
time.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.document import Document
from engine.runtime.child import Json
from engine.soft.control.planned import PlanStage, plan_of, said_of, search_plan
from engine.soft.control.planning import MotionPlan

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

GHOSTS = 8  # shapes of each body over the span, at most
PLACES = 64  # of its centre
MOST_BYTES = 2**21  # of shapes in one message


def tell_search(evaluation: Evaluation, document: Document) -> Generator[Mapping[str, Json], None, Json]:
    """Search for the plan of a scene; the result is the objective of the last iterate."""
    yield {"progress": 0.0, "text": "Looking at the scene"}
    plan, value = plan_of(evaluation, document), None
    yield {"plan": _about(plan)}
    for count, stage in enumerate(search_plan(plan)):
        value = stage.iterate.run.value
        yield {"progress": min(stage.share, 1.0), "iterate": _told(plan, stage, count)}
    return value


def _about(plan: MotionPlan) -> Json:
    """Tell what is searched for."""
    changes = plan.choices.tolerance != plan.tolerance
    return {
        "splines": [list(each) for each in plan.splines],
        "forces": [list(each) for each in plan.chosen.forces],
        "knots": list(plan.knots),
        "keyframes": [[key.actor, key.time] for key in plan.keys],
        "tolerance": plan.choices.tolerance if changes else None,
    }


def _told(plan: MotionPlan, stage: PlanStage, count: int) -> Json:
    run = stage.iterate.run
    return {
        "number": count,
        "until": stage.until,
        "objective": run.value,
        "effort": run.parts.effort,
        "missed": [[each.place, each.velocity] for each in run.missed],
        "said": list(said_of(plan, run)),
        "parts": [[actor, spline, keys] for actor, spline, keys in _keys(plan, stage)],
        "forces": [
            [actor, forces, list(times), b64encode(values.data).decode()]
            for actor, forces, times, values in plan.chosen.kept(plan.problem.controls, stage.iterate.values)
        ],
        "shapes": _shapes(plan, stage),
    }


def _keys(plan: MotionPlan, stage: PlanStage) -> Sequence[tuple[str, str, list[list[float]]]]:
    """Give the keys by which the document moves so: times [ticks] and alphas."""
    parts = dict(plan.edit(stage.iterate.values).arguments)["parts"]
    return [(actor, spline, [[key.time, key.value] for key in keys]) for actor, spline, keys in parts]  # type: ignore[attr-defined]


def _shapes(plan: MotionPlan, stage: PlanStage) -> Json:
    """Give shapes of each planned body over the span, and the way of its centre, of the steps that are kept."""
    run, found = stage.iterate.run, dict[str, Json]()
    kept = [plan.ticks[step] for step in sorted(run.states)]
    for actor in dict.fromkeys(key.actor for key in plan.keys):
        member = plan.scene.member(actor)
        times = _some(kept[1:], min(GHOSTS, MOST_BYTES // (12 * len(member.masses)) or 1))
        way, shares = _some(kept, PLACES), member.masses / member.masses.sum()
        points = np.array(plan.shapes(run, actor, times), dtype="<f4")
        found[actor] = {
            "times": times,
            "points": b64encode(points.tobytes()).decode(),
            "way": [(shares @ each).tolist() for each in plan.shapes(run, actor, way)],
        }
    return found


def _some(times: Sequence[int], most: int) -> list[int]:
    """Choose some of all times evenly, the last one among them."""
    apart = max(1, -(-len(times) // most))
    return list(times[::-1][::apart][::-1])
