"""Meetings that are made, changed and taken away by hand: functions of the session, each one entry of the history."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.planning import edit_of, free_name, place_at_playhead, point_of
from engine.document import Actor, Document
from engine.document.values import new_id
from engine.spacetime.parts import Spacetime, SpacetimeMeeting

if TYPE_CHECKING:
    from app.session import Item
    from app.session.session import Session

NO_TWO = (
    "Select a body part of the other figure, then, with Shift, one of the figure that is planned: click, Shift-click."
)
NO_BORDER = "They push each other where one stage ends and another begins: put the playhead there."


def picked_two(session: Session) -> tuple[Item, Item] | None:
    """The part of the figure that is meant, selected last, and that of another one that was selected before."""
    actor, active = session.of(CurrentSpacetime).actor, session.selection.active
    if actor is None or active is None or active.actor != actor.id or active.part is None:
        return None
    others = [each for each in session.selection.items if each.actor != actor.id and each.part is not None]
    return (active, others[-1]) if others else None


def meet_here(session: Session, *, blow: bool = False) -> None:
    """Have the selected points of two figures in one place at the playhead; with a blow they push each other there."""
    current, two = session.of(CurrentSpacetime), picked_two(session)
    place = place_at_playhead(session)
    part = current.part
    if two is None or part is None:
        session.note("note", NO_TWO)
        return
    if place is None:
        return
    stage, at = place
    if blow:
        number = part.stages.index(part.stage(stage)) - (at == 0.0)
        if at not in (0.0, 1.0) or not 0 <= number < len(part.stages) - 1:
            session.note("note", NO_BORDER)
            return
        stage, at = part.stages[number].id, 1.0
    document, (own, other) = session.document, two
    figure, its = document.actor(own.actor).figure, document.actor(other.actor).figure
    assert own.part is not None, "a part of it"
    assert other.part is not None, "a part of it"
    verb = "strikes" if blow else "meets"
    name = f"{figure.joint(own.part).name} {verb} {its.joint(other.part).name} of {document.actor(other.actor).name}"
    made = SpacetimeMeeting(
        id=new_id("meeting"),
        name=free_name(part.meetings, name),
        stage=stage,
        at=at,
        joint=own.part,
        point=point_of(figure, own.part),
        other=other.actor,
        other_joint=other.part,
        other_point=point_of(its, other.part),
        blow=blow,
    )
    put_meeting(session, made)
    session.when_free(lambda: current.choose(made.id))


def put_meeting(session: Session, meeting: SpacetimeMeeting) -> None:
    """Put a meeting in place of the one of its id."""
    made = edit_of(session, "put_spacetime_meeting", meeting=meeting)
    if made is not None:
        session.do(made)


def change_meeting(session: Session, **fields: object) -> None:
    """Change fields of the meeting that is chosen."""
    found = session.of(CurrentSpacetime).meeting
    if found is not None:
        put_meeting(session, replace(found, **fields))  # type: ignore[arg-type]


def others_meetings(document: Document, actor: Actor | None) -> list[tuple[Actor, SpacetimeMeeting]]:
    """List the meetings with an actor that stand in the plans of others."""
    pairs = ((each, each.part(Spacetime)) for each in document.actors)
    return [
        (each, meeting)
        for each, plan in pairs
        for meeting in (() if plan is None else plan.meetings)
        if actor is not None and meeting.other == actor.id
    ]
