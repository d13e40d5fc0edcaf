"""Edits of what is planned of soft bodies: where they are to be and when, by which splines and forces, by which
choices; and what a search has found, as one step.

What is None stays as it is, unless an edit says otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.document import Blob, Document, Key
from engine.document.conformance import given_fields
from engine.document.values import Vector3
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.soft.edits import draw_activation, set_soft_world
from engine.soft.goals import SoftKeyframe, SoftPlan, SoftPlanChoices
from engine.soft.nodal_edits import set_nodal_values
from engine.soft.uses import soft_body

_OF = "a plan of soft bodies"


def put_soft_keyframe(document: Document, *, actor: str, keyframe: SoftKeyframe) -> Document:
    """Say where a soft body is to be at a time, in place of a keyframe of that id and of one at that time."""
    owner = document.actor(actor)
    body = soft_body(owner)
    if body is None:
        raise InvalidDocument(what="the actor of a keyframe", value=owner.name, allowed="a soft body")
    if keyframe.shape is not None and keyframe.shape.shape != (body.point_count, 3):
        allowed = f"one place for each of the {body.point_count} points of {owner.name}"
        raise InvalidDocument(what="the shape of a keyframe", value=keyframe.shape.shape, allowed=allowed)
    return _with_plan(document, actor, (owner.part(SoftPlan) or SoftPlan()).with_keyframe(keyframe))


def move_soft_keyframe(
    document: Document, *, actor: str, keyframe: str, time: int | None = None, position: Vector3 | None = None
) -> Document:
    """Want a body at another time or place; a keyframe that stands at that time gives way."""
    given = given_fields(SoftKeyframe, of=_OF, time=time, position=position)
    return _with_keyframe(document, actor, keyframe, **given)


def set_soft_keyframe(document: Document, *, actor: str, keyframe: str, weight: float | None = None) -> Document:
    """Set how much a keyframe counts."""
    return _with_keyframe(document, actor, keyframe, **given_fields(SoftKeyframe, of=_OF, weight=weight))


def set_keyframe_velocity(document: Document, *, actor: str, keyframe: str, velocity: Vector3 | None) -> Document:
    """Set how fast the body is to be at a keyframe [m/s]; None: as fast as it likes."""
    return _with_keyframe(document, actor, keyframe, velocity=velocity)


def remove_soft_keyframes(document: Document, *, actor: str, keyframes: tuple[str, ...] | None = None) -> Document:
    """Take keyframes of a body away; None: all of them."""
    plan = _plan(document, actor)
    for each in keyframes or ():
        _keyframe(plan, each)
    kept = tuple(each for each in plan.keyframes if keyframes is not None and each.id not in keyframes)
    return _with_plan(document, actor, replace(plan, keyframes=kept))


def set_planned_splines(document: Document, *, actor: str, splines: tuple[str, ...] | None) -> Document:
    """Say which splines a plan of a body may use; None: all that are not muted."""
    body = soft_body(document.actor(actor))
    known = () if body is None else tuple(each.id for each in body.splines)
    for each in splines or ():
        if each not in known:
            raise UnknownPart(kind="spline", id=each, known=known)
    return _with_plan(document, actor, replace(_plan(document, actor), splines=splines))


def set_planned_forces(document: Document, *, actor: str, forces: tuple[str, ...] | None) -> Document:
    """Say which nodal forces a plan of a body may use; None: all that are not muted."""
    body = soft_body(document.actor(actor))
    known = () if body is None else tuple(each.id for each in body.forces)
    for each in forces or ():
        if each not in known:
            raise UnknownPart(kind="nodal forces", id=each, known=known)
    return _with_plan(document, actor, replace(_plan(document, actor), forces=forces))


def set_plan_start(document: Document, *, actor: str, start: int | None) -> Document:
    """Set until when splines of a body do what they do now [ticks]; None: until the body begins to move."""
    return _with_plan(document, actor, replace(_plan(document, actor), start=start))


def set_plan_choices(
    document: Document,
    *,
    effort: str | None = None,
    dear: float | None = None,
    calm: float | None = None,
    reach: float | None = None,
    velocity_time: float | None = None,
    spacing: float | None = None,
    least: float | None = None,
    most: float | None = None,
    tolerance: float | None = None,
    iterations: int | None = None,
    staged: bool | None = None,
) -> Document:
    """Set what plans of all bodies have in common."""
    given = given_fields(
        SoftPlanChoices, of=_OF, effort=effort, dear=dear, calm=calm, reach=reach, velocity_time=velocity_time,
        spacing=spacing, least=least, most=most, tolerance=tolerance, iterations=iterations, staged=staged,
    )  # fmt: skip
    old = document.part(SoftPlanChoices) or SoftPlanChoices()
    new = replace(old, **given)
    return document if new == old else document.with_part(new)


def keep_soft_plan(
    document: Document,
    *,
    parts: tuple[tuple[str, str, tuple[Key, ...]], ...] = (),
    forces: tuple[tuple[str, str, tuple[int, ...], Blob], ...] = (),
    tolerance: float | None = None,
) -> Document:
    """Let splines and nodal forces do what a search has found, as one step: each (actor, spline, keys of its alpha,
    over their span) and (actor, forces, times, values), in steps of the plan's tolerance."""
    if not (parts or forces) or not all(keys for _, _, keys in parts):
        raise InvalidDocument(what="a plan that is kept", value=len(parts), allowed="splines with keys, or forces")
    if tolerance is not None:
        document = set_soft_world(document, tolerance=tolerance)
    for actor, spline, keys in parts:
        times = [key.time for key in keys]
        document = draw_activation(document, actor=actor, spline=spline, start=min(times), end=max(times), keys=keys)
    for actor, id, knots, values in forces:
        document = set_nodal_values(document, actor=actor, forces=id, times=knots, values=values)
    return document


def _plan(document: Document, actor: str) -> SoftPlan:
    owner = document.actor(actor)
    if soft_body(owner) is None and owner.part(SoftPlan) is None:
        raise InvalidDocument(what="the actor of a plan", value=owner.name, allowed="a soft body")
    return owner.part(SoftPlan) or SoftPlan()


def _with_plan(document: Document, actor: str, new: SoftPlan) -> Document:
    """The document with another plan of an actor, or none where it says nothing; the identical one where it is the
    same."""
    owner = document.actor(actor)
    old = owner.part(SoftPlan)
    if new == (old or SoftPlan()):
        return document
    return document.with_actor(owner.with_part(new) if new != SoftPlan() else owner.without_part(SoftPlan))


def _keyframe(plan: SoftPlan, id: str) -> SoftKeyframe:
    found = plan.keyframe(id)
    if found is None:
        raise UnknownPart(kind="keyframe", id=id, known=tuple(each.id for each in plan.keyframes))
    return found


def _with_keyframe(document: Document, actor: str, id: str, **given: Any) -> Document:
    plan = _plan(document, actor)
    return _with_plan(document, actor, plan.with_keyframe(replace(_keyframe(plan, id), **given)))
