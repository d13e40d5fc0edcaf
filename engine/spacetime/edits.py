"""Edits of planned motions: stages, muscles, forces, constraints, what is to be least, and the motion that is kept.

What is None stays as it is, unless an edit says otherwise. Times within stages are shares of their length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.document import Actor, Document, Layer
from engine.document.conformance import given_fields
from engine.document.values import Vector3
from engine.edits.find import find_figure
from engine.physics.parts import TorqueCurves
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeCalm,
    SpacetimeConstraint,
    SpacetimeContact,
    SpacetimeCurve,
    SpacetimeForce,
    SpacetimeMeeting,
    SpacetimeMuscle,
    SpacetimeStage,
)
from engine.spacetime.uses import spacetime_of

_OF = "a planned motion"


def put_spacetime(document: Document, *, actor: str, spacetime: Spacetime) -> Document:
    """Plan a motion of an actor, in place of the one that was planned."""
    return _with(document, actor, spacetime)


def remove_spacetime(document: Document, *, actor: str) -> Document:
    """Take the plan away; a layer that was kept stays."""
    return document.with_actor(document.actor(actor).without_part(Spacetime))


def set_spacetime(
    document: Document,
    *,
    actor: str,
    start: int | None = None,
    torque: float | None = None,
    power: float | None = None,
    work: float | None = None,
    smoothness: float | None = None,
    whole: float | None = None,
    form: str | None = None,
    implicit: bool | None = None,
    guesses: int | None = None,
    solver: str | None = None,
) -> Document:
    """Set when the motion begins [ticks], the weights of what is to be least, and how it is searched."""
    given = given_fields(
        Spacetime, of=_OF, start=start, torque=torque, power=power, work=work, smoothness=smoothness, whole=whole,
        form=form, implicit=implicit, guesses=guesses, solver=solver,
    )  # fmt: skip
    return _set(document, actor, **given)


def set_spacetime_plane(document: Document, *, actor: str, plane: Vector3 | None) -> Document:
    """Set the normal of the plane of the motion, in the actor's frame; None: it moves in space."""
    return _set(document, actor, plane=plane)


def put_spacetime_stage(document: Document, *, actor: str, stage: SpacetimeStage, place: int | None = None) -> Document:
    """Put a stage in place of the one of its id; or, a new one, before the stage at a place, or (None) at the end."""
    old = _plan(document, actor)
    if any(each.id == stage.id for each in old.stages):
        return _set(document, actor, stages=_put(old.stages, stage))
    at = len(old.stages) if place is None else place
    if not 0 <= at <= len(old.stages):
        raise InvalidDocument(what="the place of a stage", value=at, allowed=f"0 to {len(old.stages)}")
    return _set(document, actor, stages=(*old.stages[:at], stage, *old.stages[at:]))


def set_spacetime_stage(
    document: Document,
    *,
    actor: str,
    stage: str,
    name: str | None = None,
    pieces: int | None = None,
    nailed: bool | None = None,
    impact: bool | None = None,
    contacts: tuple[SpacetimeContact, ...] | None = None,
    curves: tuple[SpacetimeCurve, ...] | None = None,
) -> Document:
    """Set what a stage is called, its pieces, and what stands meanwhile."""
    given = given_fields(
        SpacetimeStage, of="a stage", name=name, pieces=pieces, nailed=nailed, impact=impact, contacts=contacts,
        curves=curves,
    )  # fmt: skip
    return _with_stage(document, actor, stage, **given)


def set_spacetime_length(
    document: Document,
    *,
    actor: str,
    stage: str,
    length: float,
    least_length: float | None = None,
    most_length: float | None = None,
) -> Document:
    """Set the length of a stage [s], and between which ones it is free; None: that end is the length itself."""
    return _with_stage(document, actor, stage, length=length, least_length=least_length, most_length=most_length)


def move_spacetime_border(
    document: Document, *, actor: str, stage: str, length: float, shifts: bool = True
) -> Document:
    """End a stage at another length [s]: what comes after moves along, or (not `shifts`) the next stage gives or takes
    the time. Ranges of free lengths move with the lengths."""
    old = _plan(document, actor)
    at = old.stages.index(old.stage(stage))
    change = length - old.stages[at].length
    changed = {at: change}
    if not shifts:
        if at + 1 == len(old.stages):
            raise InvalidDocument(what="the stage to end", value=stage, allowed="one with a stage after it")
        changed[at + 1] = -change
    stages = tuple(_longer(each, changed.get(place, 0.0)) for place, each in enumerate(old.stages))
    return _set(document, actor, stages=stages)


def remove_spacetime_stage(document: Document, *, actor: str, stage: str) -> Document:
    """Take a stage away, with what is demanded in it; the last one stays."""
    old = _plan(document, actor)
    gone = old.stage(stage)
    if len(old.stages) == 1:
        raise InvalidDocument(what="the stage to remove", value=gone.name, allowed="one of several")
    return _set(
        document,
        actor,
        stages=tuple(each for each in old.stages if each is not gone),
        constraints=tuple(each for each in old.constraints if each.stage != stage),
        meetings=tuple(each for each in old.meetings if each.stage != stage),
        forces=tuple(without_stages(old.forces, {stage})),
    )


def put_spacetime_muscles(document: Document, *, actor: str, muscles: tuple[SpacetimeMuscle, ...]) -> Document:
    """Give degrees of freedom muscles, in place of those that they have."""
    found = {each.dof: each for each in (*_plan(document, actor).muscles, *muscles)}
    return _set(document, actor, muscles=tuple(found.values()))


def remove_spacetime_muscles(document: Document, *, actor: str, dofs: tuple[str, ...]) -> Document:
    """Let degrees of freedom have no muscle."""
    old = _plan(document, actor)
    gone = {old.muscle(dof).dof for dof in dofs}
    return _set(document, actor, muscles=tuple(each for each in old.muscles if each.dof not in gone))


def put_spacetime_force(document: Document, *, actor: str, force: SpacetimeForce) -> Document:
    """Put a force or a blow, in place of the one of its id."""
    return _set(document, actor, forces=_put(_plan(document, actor).forces, force))


def remove_spacetime_force(document: Document, *, actor: str, force: str) -> Document:
    """Take a force or a blow away, with what is demanded of it."""
    old = _plan(document, actor)
    gone = old.force(force)
    return _set(
        document,
        actor,
        forces=tuple(each for each in old.forces if each is not gone),
        constraints=tuple(each for each in old.constraints if each.quantity != "impulse" or each.of != force),
        stages=tuple(
            replace(stage, curves=tuple(each for each in stage.curves if (each.what, each.of) != ("force", force)))
            for stage in old.stages
        ),
    )


def put_spacetime_constraint(document: Document, *, actor: str, constraint: SpacetimeConstraint) -> Document:
    """Put a constraint, in place of the one of its id."""
    return _set(document, actor, constraints=_put(_plan(document, actor).constraints, constraint))


def set_spacetime_constraint(
    document: Document,
    *,
    actor: str,
    constraint: str,
    name: str | None = None,
    on: bool | None = None,
    position: Vector3 | None = None,
    direction: Vector3 | None = None,
    values: tuple[tuple[str, float], ...] | None = None,
    rates: tuple[tuple[str, float], ...] | None = None,
) -> Document:
    """Set what a constraint is called, if it counts, and where or how what it is of shall be."""
    given = given_fields(
        SpacetimeConstraint, of="a constraint", name=name, on=on, position=position, direction=direction,
        values=values, rates=rates,
    )  # fmt: skip
    return _with_constraint(document, actor, constraint, **given)


def set_spacetime_bounds(
    document: Document, *, actor: str, constraint: str, least: float | None, most: float | None
) -> Document:
    """Set between which sizes what a constraint is of shall be; None: no bound on that side. A position goes."""
    return _with_constraint(document, actor, constraint, least=least, most=most, position=None)


def move_spacetime_constraint(
    document: Document, *, actor: str, constraint: str, stage: str, at: float, until: float | None = None
) -> Document:
    """Demand it at another time: a share of a stage, or (`until`) a range of it."""
    return _with_constraint(document, actor, constraint, stage=stage, at=at, until=until)


def remove_spacetime_constraint(document: Document, *, actor: str, constraint: str) -> Document:
    """Take a constraint away."""
    old = _plan(document, actor)
    gone = old.constraint(constraint)
    return _set(document, actor, constraints=tuple(each for each in old.constraints if each is not gone))


def put_spacetime_meeting(document: Document, *, actor: str, meeting: SpacetimeMeeting) -> Document:
    """Let a point of the actor meet one of another, in place of the meeting of its id."""
    return _set(document, actor, meetings=_put(_plan(document, actor).meetings, meeting))


def remove_spacetime_meeting(document: Document, *, actor: str, meeting: str) -> Document:
    """Take a meeting away."""
    old = _plan(document, actor)
    gone = old.meeting(meeting)
    return _set(document, actor, meetings=tuple(each for each in old.meetings if each is not gone))


def set_spacetime_calm(document: Document, *, actor: str, calm: tuple[SpacetimeCalm, ...]) -> Document:
    """Set which points shall be calm, and how much that counts."""
    return _set(document, actor, calm=calm)


def keep_spacetime(
    document: Document,
    *,
    actor: str,
    layer: Layer,
    curves: TorqueCurves | None = None,
    lengths: tuple[float, ...] | None = None,
) -> Document:
    """Keep a motion that was found, as the caller read it: a layer in place of the one that was kept before, or else on
    top; where some layers are soloed, so is it. With the torques that were found for it, in place of those there are,
    physics can drive the actor. Stages whose length is free are as long then as was found [s]."""
    owner, old = document.actor(actor), _plan(document, actor)
    known = {each.id for each in owner.layers}
    gone = layer.id if layer.id in known else old.layer
    layer = replace(layer, solo=any(each.solo for each in owner.layers))
    layers = tuple(layer if each.id == gone else each for each in owner.layers)
    stages = old.stages if lengths is None else _as_long(old.stages, lengths)
    kept = owner.with_part(replace(old, layer=layer.id, stages=stages))
    kept = kept if curves is None else kept.with_part(curves)
    return document.with_actor(replace(kept, layers=layers if gone in known else (*layers, layer)))


def without_stages(forces: Iterable[SpacetimeForce], gone: set[str]) -> Iterable[SpacetimeForce]:
    """Yield forces without stages that go; those that were on no other go, too."""
    for each in forces:
        stages = tuple(stage for stage in each.stages if stage not in gone)
        if stages or not each.stages:
            yield replace(each, stages=stages)


def check_plan(actor: Actor, plan: Spacetime) -> None:
    """Refuse a plan that names joints or degrees of freedom which the actor lacks."""
    figure = actor.figure
    known = {dof.id for dof in figure.dofs if dof.kind != "ball"}
    curves = (curve for stage in plan.stages for curve in stage.curves)
    dofs = [
        *(each.dof for each in plan.muscles),
        *(curve.of for curve in curves if curve.what != "force"),
        *(each.of for each in plan.constraints if each.of and each.quantity != "impulse"),
    ]
    for dof in dofs:
        if dof not in known:
            raise UnknownPart(kind="degree of freedom", id=dof, known=tuple(known))
    for name in (name for each in plan.constraints for name, _ in (*each.values, *each.rates)):
        if name not in figure.coordinate_index:
            raise UnknownPart(kind="degree of freedom", id=name, known=figure.coordinates)
    joints = [
        *(contact.joint for stage in plan.stages for contact in stage.contacts),
        *(each.joint for each in plan.forces),
        *(each.joint for each in plan.constraints if each.joint is not None),
        *(each.joint for each in plan.calm),
        *(each.joint for each in plan.meetings),
    ]
    for joint in joints:
        figure.joint(joint)
    for each in plan.constraints:
        if each.quantity == "impulse" and each.of not in figure.joint_index:
            force = plan.force(each.of)
            if not force.blow:
                raise InvalidDocument(what=f"what {each.name} is of", value=force.name, allowed="a blow, or a joint")
    for curve in (curve for stage in plan.stages for curve in stage.curves if curve.what == "force"):
        plan.force(curve.of)


def _plan(document: Document, actor: str) -> Spacetime:
    owner, _ = find_figure(document, actor)
    found = spacetime_of(owner)
    if found is None:
        raise InvalidDocument(what=f"the plan of {owner.name}", value=None, allowed="a motion that is planned")
    return found


def _with(document: Document, actor: str, plan: Spacetime) -> Document:
    owner, _ = find_figure(document, actor)
    check_plan(owner, plan)
    for each in plan.meetings:
        if each.other == actor:
            raise InvalidDocument(what=f"whom {each.name} is with", value=owner.name, allowed="another actor")
        find_figure(document, each.other)[1].joint(each.other_joint)
    return document if spacetime_of(owner) == plan else document.with_actor(owner.with_part(plan))


def _set(document: Document, actor: str, **given: Any) -> Document:
    return _with(document, actor, replace(_plan(document, actor), **given))


def _with_stage(document: Document, actor: str, stage: str, **given: Any) -> Document:
    old = _plan(document, actor)
    return _set(document, actor, stages=_put(old.stages, replace(old.stage(stage), **given)))


def _with_constraint(document: Document, actor: str, constraint: str, **given: Any) -> Document:
    old = _plan(document, actor)
    return _set(document, actor, constraints=_put(old.constraints, replace(old.constraint(constraint), **given)))


def _put(listed: tuple[Any, ...], new: Any) -> tuple[Any, ...]:
    if any(each.id == new.id for each in listed):
        return tuple(new if each.id == new.id else each for each in listed)
    return (*listed, new)


def _as_long(stages: tuple[SpacetimeStage, ...], lengths: tuple[float, ...]) -> tuple[SpacetimeStage, ...]:
    if len(lengths) != len(stages):
        raise InvalidDocument(what="the lengths that were found", value=lengths, allowed=f"{len(stages)} of them")
    made = list[SpacetimeStage]()
    for stage, length in zip(stages, lengths, strict=True):
        least, most = stage.lengths
        within = min(max(length, least), most)
        made.append(replace(stage, length=within, least_length=least, most_length=most) if stage.is_free else stage)
    return tuple(made)


def _longer(stage: SpacetimeStage, change: float) -> SpacetimeStage:
    least, most = (None if each is None else each + change for each in (stage.least_length, stage.most_length))
    if least is not None and least <= 0.0 < stage.length + change:
        least = min(stage.least_length or 0.0, stage.length + change)
    return replace(stage, length=stage.length + change, least_length=least, most_length=most)
