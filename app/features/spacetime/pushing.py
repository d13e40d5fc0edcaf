"""Pushing: what is done with forces and blows of one's own, for the dock and the views; and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.plan_words import push_text
from app.features.spacetime.planning import NO_JOINT, edit_of, free_name, picked_point
from engine.document.values import new_id
from engine.spacetime.parts import SpacetimeForce

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document import Actor

HARD, KICK = 10.0, 1.0  # [N] of a force, [N s] of a blow at first


def add_push(session: Session, *, blow: bool) -> None:
    """Push the point of the selected joint upwards: by a force on all stages, or by a blow at the end of the stage that
    is chosen."""
    current, picked = session.of(CurrentSpacetime), picked_point(session)
    part, stage = current.part, current.stage
    if part is None or stage is None:
        return
    if picked is None:
        session.note("note", NO_JOINT)
        return
    joint, point = picked
    size = KICK if blow else HARD
    made = SpacetimeForce(
        id=new_id("force"), name=free_name(part.forces, f"{joint.name}, {'blow' if blow else 'force'}"), joint=joint.id,
        point=point, blow=blow, stages=(stage.id,) if blow else (), least=size, most=size,
    )  # fmt: skip
    put_force(session, made)
    session.when_free(lambda: current.choose(made.id))


def put_force(session: Session, force: SpacetimeForce) -> None:
    """Put a force in place of the one of its id."""
    made = edit_of(session, "put_spacetime_force", force=force)
    if made is not None:
        session.do(made)


def remove_force(session: Session, force: str) -> None:
    """Take a force away, with what is demanded of it."""
    made = edit_of(session, "remove_spacetime_force", force=force)
    if made is not None:
        session.do(made)


def act_on(session: Session, force: SpacetimeForce, stage: str, *, on: bool) -> None:
    """Let a force act on a stage, or (a blow) at its end, or no longer; it acts on one at least."""
    part = session.of(CurrentSpacetime).part
    if part is None:
        return
    every = tuple(each.id for each in part.stages)
    now = {*(force.stages or every), stage} if on else {*(force.stages or every)} - {stage}
    stages = tuple(each for each in every if each in now)
    if stages:
        put_force(session, replace(force, stages=() if stages == every else stages))
    else:
        session.note("note", f"{force.name} acts on one stage at least: remove it, if it shall act on none.")
        session.of(CurrentSpacetime).changed.emit()


def force_text(owner: Actor, force: SpacetimeForce) -> str:
    """Say what a force is, for a list."""
    where = owner.figure.joint(force.joint).name if force.joint in owner.figure.joint_index else force.joint
    name = force.name if where in force.name else f"{force.name} · {where}"
    return f"{name} · {push_text(force)}"
