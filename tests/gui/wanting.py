"""Brings about what actions on planned motion need: a soft body that is wanted somewhere, forces, a search, something
found."""

from __future__ import annotations

from app.features.soft.current_forces import CurrentForces
from app.features.soft.plan_run import PlanRun
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.document.values import new_id
from engine.edits import edit
from engine.soft.goals import SoftKeyframe
from engine.soft.parts import ActivationSpline
from engine.soft.uses import soft_body
from tests.stage import Stage

NEEDS = ("has_keyframe", "may_plan", "is_planning", "has_found", "may_push_near", "is_pushed")  # conditions of actions


def want(opened: Stage, actor: str, what: str, patience: float) -> None:
    """Want a soft body somewhere a few steps after its start; search for that where it is needed."""
    session, run = opened.session, opened.session.of(PlanRun)
    run.drop()
    opened.until(lambda: not run.running, patience=patience)
    body = soft_body(session.document.actor(actor))
    assert body is not None
    if what in ("may_push_near", "is_pushed"):
        session.of(CurrentForces).mean(actor, 0)
        if what == "is_pushed":
            session.of(CurrentForces).put(everywhere=True)
            opened.until(lambda: session.at_rest, patience=patience)
        return
    low, high = body.points.array.min(axis=0), body.points.array.max(axis=0)
    ends = tuple((x, y, z) for x, y, z in (low + share * (high - low) for share in (0.25, 0.75)))
    spline = ActivationSpline(id=new_id("spline"), name="Spline", points=ends, samples=3)
    session.do(edit("add_activation_spline", actor=actor, spline=spline))
    session.do(edit("remove_soft_keyframes", actor=actor))
    session.do(edit("set_plan_choices", iterations=1, tolerance=1e-3))
    keyframe = SoftKeyframe(id=new_id("keyframe"), time=body.start + SECOND // 15, position=(0.0, 1.0, 0.0))
    session.do(edit("put_soft_keyframe", actor=actor, keyframe=keyframe))
    if what in ("is_planning", "has_found"):
        opened.until(lambda: session.at_rest and run.may_plan, patience=patience)
        run.plan()
    if what == "has_found":
        opened.until(lambda: not run.running, patience=patience)
