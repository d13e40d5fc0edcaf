"""Planning: what is done with the problem that a person works on, for the dock and the actions alike.

Functions of the session; each is one entry of the history.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.features.spacetime.current_spacetime import CurrentSpacetime
from engine.document.key_times import key_times
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.spacetime.commands.constrain_here import ConstrainCentre, ConstrainPoint, ConstrainPose, TakeAgain
from engine.spacetime.commands.fill_between import FillBetween
from engine.spacetime.commands.plan_motion import PlanMotion
from engine.spacetime.commands.stand_on import StandOn
from engine.spacetime.parts import (
    SpacetimeCalm,
    SpacetimeConstraint,
    SpacetimeMuscle,
    SpacetimeStage,
)
from engine.spacetime.queries.drivable import drivable

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document import Figure, Joint

NO_FIGURE = "Select a figure: its motion can be planned then."
NO_JOINT = "Select a joint of the figure: click a body part."
OUTSIDE = (
    "The playhead is not within the planned motion, {start:.2f} to {end:.2f} s: move it there, or lengthen a stage."
)
NEW_STAGE = 0.3  # [s]
HARDEST = 2.0  # [N s] of a gentle blow at first


def plan_here(session: Session) -> None:
    """Plan a motion that begins with the pose at the playhead."""
    _plan(session, session.playhead, None)


def plan_between(session: Session, begin: int, end: int) -> None:
    """Plan a motion from the pose at one time to that at another."""
    _plan(session, begin, end)


def fill_between(session: Session, begin: int, end: int) -> None:
    """Fill the time between two poses with the motion of least effort that leads from one to the other."""
    actor = session.of(CurrentSpacetime).actor
    if actor is None:
        session.note("note", NO_FIGURE)
        return
    session.work_out(FillBetween(actor=actor.id, id=new_id("layer"), begin=begin, end=end))


def remove_plan(session: Session) -> None:
    """Take the problem away; a layer that was kept stays."""
    _do(session, "remove_spacetime")


# Constraints


def be_here(session: Session) -> None:
    """Have the figure, at the playhead, as it is posed there."""
    current, place = session.of(CurrentSpacetime), place_at_playhead(session)
    actor, part = current.actor, current.part
    if place is None or actor is None or part is None:
        return
    stage, at = place
    ends = (part.stages[0].id, 0.0), (part.stages[-1].id, 1.0)
    name = {ends[0]: "Begin", ends[1]: "End"}.get(place, "Pose")
    made = new_id("constraint")
    session.work_out(
        ConstrainPose(
            id=made, name=free_name(part.constraints, name), actor=actor.id, stage=stage, at=at, time=session.playhead,
            rests=place in ends,
        )
    )  # fmt: skip
    session.when_free(lambda: current.choose(made))


def point_here(session: Session, *, velocity: bool = False) -> None:
    """Have the point of the selected joint, at the playhead, where it is seen there, or as fast."""
    current, picked = session.of(CurrentSpacetime), picked_point(session)
    actor, part = current.actor, current.part
    if picked is None:
        session.note("note", NO_JOINT)
        return
    place = place_at_playhead(session)
    if place is None or actor is None or part is None:
        return
    joint, point = picked
    name, made = f"{joint.name}, velocity" if velocity else joint.name, new_id("constraint")
    session.work_out(
        ConstrainPoint(
            id=made, name=free_name(part.constraints, name), actor=actor.id, joint=joint.id, point=point,
            stage=place[0], at=place[1], time=session.playhead, velocity=velocity,
        )
    )  # fmt: skip
    session.when_free(lambda: current.choose(made))


def centre_here(session: Session) -> None:
    """Have the centre of mass, at the playhead, where it is seen there."""
    current, place = session.of(CurrentSpacetime), place_at_playhead(session)
    actor, part = current.actor, current.part
    if place is None or actor is None or part is None:
        return
    made, name = new_id("constraint"), free_name(part.constraints, "Centre of mass")
    session.work_out(
        ConstrainCentre(id=made, name=name, actor=actor.id, stage=place[0], at=place[1], time=session.playhead)
    )
    session.when_free(lambda: current.choose(made))


def add_gentle_blow(session: Session) -> None:
    """Let the ground strike the selected joint no harder than by a number, at the end of the stage at the playhead."""
    current, picked = session.of(CurrentSpacetime), picked_point(session)
    stage, part = current.stage, current.part
    if picked is None or stage is None or part is None:
        session.note("note", NO_JOINT)
        return
    made = SpacetimeConstraint(
        id=new_id("constraint"),
        name=free_name(part.constraints, f"{picked[0].name}, blow"),
        stage=stage.id,
        quantity="impulse",
        of=picked[0].id,
        at=1.0,
        most=HARDEST,
    )
    put_constraint(session, made)
    session.when_free(lambda: current.choose(made.id))


def take_again(session: Session) -> None:
    """Let the chosen constraint demand what is seen at the playhead."""
    current, old = session.of(CurrentSpacetime), session.of(CurrentSpacetime).constraint
    actor = current.actor
    if actor is not None and old is not None:
        session.work_out(TakeAgain(actor=actor.id, constraint=old.id, time=session.playhead))


def put_constraint(session: Session, constraint: SpacetimeConstraint) -> None:
    """Put a constraint in place of the one of its id."""
    _do(session, "put_spacetime_constraint", constraint=constraint)


def remove_chosen(session: Session) -> None:
    """Take the chosen constraint, meeting or force away, or the chosen stage."""
    current, constraint = session.of(CurrentSpacetime), session.of(CurrentSpacetime).constraint
    if constraint is not None:
        _do(session, "remove_spacetime_constraint", constraint=constraint.id)
    elif current.meeting is not None:
        _do(session, "remove_spacetime_meeting", meeting=current.meeting.id)
    elif current.force is not None:
        _do(session, "remove_spacetime_force", force=current.force.id)
    elif current.chosen is not None:
        _do(session, "remove_spacetime_stage", stage=current.chosen)


def picked_point(session: Session) -> tuple[Joint, Vector3] | None:
    """The joint of the figure that was selected last, and its point: that of a handle on it, or its origin."""
    actor, active = session.of(CurrentSpacetime).actor, session.selection.active
    if actor is None or active is None or active.actor != actor.id or active.part not in actor.figure.joint_index:
        return None
    return actor.figure.joint(active.part), point_of(actor.figure, active.part)


def point_of(figure: Figure, joint: str) -> Vector3:
    """The point that is meant of a joint: that of a handle on it, or its origin."""
    handle = next((each for each in figure.handles if each.joint == joint), None)
    return (0.0, 0.0, 0.0) if handle is None else handle.point


# Stages


def add_stage(session: Session) -> None:
    """Add a stage behind the one that is chosen."""
    current = session.of(CurrentSpacetime)
    part, stage = current.part, current.stage
    if part is None or stage is None:
        return
    made = SpacetimeStage(
        id=new_id("stage"), name=free_name(part.stages, "Stage"), length=NEW_STAGE, pieces=max(4, stage.pieces)
    )
    _do(session, "put_spacetime_stage", stage=made, place=part.stages.index(stage) + 1)
    session.when_free(lambda: current.choose(made.id))


def move_stage(session: Session, by: int) -> None:
    """Let the chosen stage change places with the one before or after it."""
    current = session.of(CurrentSpacetime)
    actor, part, stage = current.actor, current.part, current.stage
    if actor is None or part is None or stage is None:
        return
    stages, at = list(part.stages), part.stages.index(stage)
    if 0 <= at + by < len(stages):
        stages[at], stages[at + by] = stages[at + by], stages[at]
        session.do(edit("put_spacetime", actor=actor.id, spacetime=replace(part, stages=tuple(stages))))


def remove_stage(session: Session) -> None:
    """Take the chosen stage away, with what is demanded in it."""
    stage = session.of(CurrentSpacetime).stage
    if stage is not None:
        _do(session, "remove_spacetime_stage", stage=stage.id)


def stand_here(session: Session) -> None:
    """Let the lowest points of the selected joint's body stand on the ground during the chosen stage."""
    current, picked = session.of(CurrentSpacetime), picked_point(session)
    actor, stage = current.actor, current.stage
    if picked is None or actor is None or stage is None:
        session.note("note", NO_JOINT)
        return
    session.work_out(StandOn(actor=actor.id, stage=stage.id, joint=picked[0].id, time=session.playhead))


# Muscles


def drive_joints(session: Session, *, selected: bool) -> None:
    """Give muscles to all joints, or to those that are selected and to no others; those that there are stay as they
    are."""
    current = session.of(CurrentSpacetime)
    actor, part = current.actor, current.part
    if actor is None or part is None:
        return
    joints = session.layering.selected_joints if selected else None
    if joints is not None and not joints:
        session.note("note", NO_JOINT)
        return
    figure, known = actor.figure, {each.dof: each for each in part.muscles}
    meant = [dof for dof in drivable(figure, part.plane) if joints is None or figure.dof_joint[dof].id in joints]
    muscles = tuple(known.get(dof) or SpacetimeMuscle(dof=dof) for dof in meant)
    session.do(edit("put_spacetime", actor=actor.id, spacetime=replace(part, muscles=muscles)))


def move_in_plane(session: Session, plane: Vector3 | None) -> None:
    """Let the figure move in another plane, or (None) in space; what drove joints that turn in it goes on to do so,
    and those that did not have muscles, too."""
    current = session.of(CurrentSpacetime)
    actor, part = current.actor, current.part
    if actor is None or part is None or part.plane == plane:
        return
    known = {each.dof: each for each in part.muscles}
    before = drivable(actor.figure, part.plane)
    muscles = tuple(
        known.get(dof) or SpacetimeMuscle(dof=dof)
        for dof in drivable(actor.figure, plane)
        if dof in known or dof not in before
    )
    session.do(edit("put_spacetime", actor=actor.id, spacetime=replace(part, plane=plane, muscles=muscles)))


def drive(session: Session, dof: str, *, on: bool) -> None:
    """Give a degree of freedom a muscle, or take it away."""
    if on:
        _do(session, "put_spacetime_muscles", muscles=(SpacetimeMuscle(dof=dof),))
    else:
        _do(session, "remove_spacetime_muscles", dofs=(dof,))


# What shall be calm


def calm_selected(session: Session) -> None:
    """Let the point of the selected joint be calm, such as a head."""
    part, picked = session.of(CurrentSpacetime).part, picked_point(session)
    if part is None:
        return
    if picked is None:
        session.note("note", NO_JOINT)
    elif all(each.joint != picked[0].id for each in part.calm):
        made = SpacetimeCalm(joint=picked[0].id, point=picked[1], weight=0.1)
        _do(session, "set_spacetime_calm", calm=(*part.calm, made))


def edit_of(session: Session, name: str, **arguments: object) -> Edit | None:
    """Make an edit of the problem that is meant."""
    actor = session.of(CurrentSpacetime).actor
    return None if actor is None else edit(name, actor=actor.id, **arguments)


def _plan(session: Session, begin: int, end: int | None) -> None:
    actor = session.of(CurrentSpacetime).actor
    if actor is None:
        session.note("note", NO_FIGURE)
        return
    stage, first, last = new_id("stage"), new_id("constraint"), new_id("constraint")
    session.work_out(PlanMotion(actor=actor.id, time=begin, until=end, stage=stage, begin=first, end=last))


def place_at_playhead(session: Session) -> tuple[str, float] | None:
    """The stage at the playhead, and which share of it has passed; None outside of the motion, which is said."""
    current = session.of(CurrentSpacetime)
    part, place = current.part, current.place_at(session.playhead)
    if part is not None and place is None:
        from engine.document.ticks import TICKS_PER_SECOND

        start = part.start / TICKS_PER_SECOND
        session.note("note", OUTSIDE.format(start=start, end=start + current.spans[-1].ends))
    return place


def _do(session: Session, name: str, **arguments: object) -> None:
    made = edit_of(session, name, **arguments)
    if made is not None:
        session.do(made)


def free_name(known: tuple[Any, ...], name: str) -> str:
    """The name, with a number behind where it is taken."""
    names = {each.name for each in known}
    if name not in names and name != "Stage":
        return name
    number = 2 if name != "Stage" else 1
    while f"{name} {number}" in names:
        number += 1
    return f"{name} {number}"


def keys_around(session: Session) -> tuple[int, int] | None:
    """The keys of the figure before and after the playhead; None where there are not both."""
    actor, now = session.of(CurrentSpacetime).actor, session.playhead
    times = () if actor is None else key_times(session.document, [(actor.id, None, None)])
    before, after = [each for each in times if each <= now], [each for each in times if each > now]
    if before and before[-1] == now and len(before) > 1 and not after:
        return before[-2], now
    return (before[-1], after[0]) if before and after else None
