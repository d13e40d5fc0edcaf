"""Words of planned motions in the timeline and over the views, and their colour there."""

from __future__ import annotations

from app.features.spacetime.words import QUANTITIES
from app.style.units import LENGTH
from engine.document import Actor, Document
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeForce, SpacetimeMeeting, SpacetimeStage

COLOUR = "axis_z"  # of the theme
LENGTHS = "Drag a border for its length: what comes after moves along, with Shift the next stage gives the time."


def seconds_text(seconds: float) -> str:
    """Write a length of time."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1e3 * seconds:.0f} ms"


def stage_tip(stage: SpacetimeStage, seconds: float, *, found: bool) -> str:
    """Say what a stage is: its length, what stands, what may strike."""
    least, most = stage.lengths
    length = f"{stage.name}: {seconds_text(seconds)}"
    if stage.is_free:
        length += (
            f"{' as found' if found else ' as first guess'}, free from {seconds_text(least)} to {seconds_text(most)}"
        )
    stands = "in the air"
    if stage.nailed:
        stands = "the root stays where it is"
    elif stage.contacts:
        count = len(stage.contacts)
        stands = f"stands on {count} {'point' if count == 1 else 'points'}"
    lines = [length, f"{stage.pieces} pieces, {stands}"]
    if stage.impact:
        most_text = "" if stage.hardest is None else f", at most {stage.hardest:g} N s each"
        lines.append(f"The ground may strike at its end{most_text}")
    if stage.is_free:
        lines.append("Drag the ends of the bar below for how short and how long it may be.")
    return "\n".join((*lines, LENGTHS))


def constraint_tip(owner: Actor, constraint: SpacetimeConstraint, missed: str, when: str) -> str:
    """Say what a constraint asks for, and by how much it is missed."""
    what = QUANTITIES[constraint.quantity]
    of = constraint.joint or constraint.of
    where = f" of {owner.figure.joint(of).name}" if of in owner.figure.joint_index else ""
    head = f"{constraint.name}{'' if constraint.on else ', left out'}: {what}{where}, {when}"
    ranged = "" if constraint.until is None else ", or an end for how long it holds"
    return "\n".join(each for each in (head, missed, f"Drag it within its stage{ranged}.") if each)


def meeting_tip(document: Document, meeting: SpacetimeMeeting, missed: str, when: str) -> str:
    """Say what a meeting asks for, and by how much it is missed."""
    other = document.actor(meeting.other)
    joint = other.figure.joint(meeting.other_joint)
    head = f"{meeting.name}{'' if meeting.on else ', left out'}: with {joint.name} of {other.name}, {when}"
    blow = "They push each other there, at the end of a stage of both." if meeting.blow else ""
    drag = "" if meeting.blow else "Drag it within its stage."
    far = f"Their distance is {distance_text(meeting)}." if meeting.quantity == "distance" else ""
    return "\n".join(each for each in (head, missed, blow, far, drag) if each)


def distance_text(meeting: SpacetimeMeeting) -> str:
    """Say how far apart two points shall be."""
    least, most = (None if each is None else LENGTH.text(each) for each in (meeting.least, meeting.most))
    if least is None or most is None:
        return f"at most {most}" if most else f"at least {least}" if least else "not said"
    return most if least == most else f"{least} to {most}"


def push_text(force: SpacetimeForce) -> str:
    """Say how large a force or a blow is."""
    unit = "N s" if force.blow else "N"
    least, most = force.least, force.most
    if least is not None and least == most:
        return f"{least:.3g} {unit}"
    if least is None and most is None:
        return "as large as it takes"
    if least is None or most is None:
        return f"at most {most:.3g} {unit}" if least is None else f"at least {least:.3g} {unit}"
    return f"{least:.3g} to {most:.3g} {unit}"


def force_tip(owner: Actor, plan: Spacetime, force: SpacetimeForce) -> str:
    """Say where a force acts, how large it is, and when."""
    stages = ", ".join(each.name for each in plan.stages if not force.stages or each.id in force.stages)
    joint = owner.figure.joint(force.joint).name
    what = f"a blow to {joint} at the end of {stages}" if force.blow else f"a force on {joint} during {stages}"
    return f"{force.name}: {what}, {push_text(force)}\nDrag the head of its arrow in a view to turn it."


HELP = """
<p><b>In the timeline</b> a planned motion has a row of stages and, folded below it, what it is made of. Drag a
border to change how long a stage lasts: what comes after moves along, with Shift the next stage gives the time. Drag a
block, or where the first begins, to move all of it. A pale line below a block says that the figure stands there, an
arrow at its end that the ground may strike. A stage of a free length has a bar: drag its ends for how short and how
long it may be; the dot is where it ends.</p>
<p>Constraints are marks in their own rows, those over a time bars: drag them, or the ends of bars, within their stage.
{edit.delete} takes the chosen one away. What a search misses most is red. Torques of the muscles are curves, all at one
scale; rest the pointer on one for its numbers.</p>
<p><b>In the views</b>, while the Spacetime panel is shown, the motion that the search has come to is drawn beside the
figure: as it is at the playhead, and fainter along its way. Four corners stand where a point, or the centre of mass,
shall be, a diamond where the root of a pose: drag them, with Shift along an axis, and the motion follows. Click to
choose, {edit.delete} takes away. Blows of the ground are thick arrows with their size, its forces at the playhead thin
ones, as long as they are hard. Choose a stage to see where it stands and its cones of friction, or a pose to see it.
Small dots stand on the ghost at the playhead: drag one, and that point shall be there then. Forces and blows of your
own are blue arrows: drag their heads. Where minima were compared they stand beside each other, in the order of their
effort, and play together: click one to look at it.
The three demands that are missed most stand there with their amount.</p>
"""
