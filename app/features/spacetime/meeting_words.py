"""Words of meetings: in the list of the dock and in the timeline."""

from __future__ import annotations

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.style.units import TIME
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.spacetime.parts import SpacetimeMeeting

QUANTITIES = {"point": "meet", "velocity": "as fast as each other", "time": "at one time"}


def meeting_text(current: CurrentSpacetime, meeting: SpacetimeMeeting) -> str:
    """Say who meets whom, when, and by how much the motion that is shown misses it."""
    part = current.part
    begin = 0 if part is None else part.start
    when = TIME.text((current.tick_of(meeting.stage, meeting.at) - begin) / TICKS_PER_SECOND)
    if meeting.until is not None:
        end = (current.tick_of(meeting.stage, meeting.until) - begin) / TICKS_PER_SECOND
        when = f"{when.partition(' ')[0]} to {TIME.text(end)}"
    missed = any(each.constraint == meeting.id for each in current.misses)
    what = "push each other" if meeting.blow else QUANTITIES[meeting.quantity]
    return " · ".join(filter(None, (meeting.name, what, when, "missed" if missed else "")))


def meeting_tip(document: Document, meeting: SpacetimeMeeting, missed: str, when: str) -> str:
    """Say what a meeting asks for, and by how much it is missed."""
    other = document.actor(meeting.other)
    joint = other.figure.joint(meeting.other_joint)
    head = f"{meeting.name}{'' if meeting.on else ', left out'}: with {joint.name} of {other.name}, {when}"
    blow = "They push each other there, at the end of a stage of both." if meeting.blow else ""
    drag = "" if meeting.blow else "Drag it within its stage."
    return "\n".join(each for each in (head, missed, blow, drag) if each)
