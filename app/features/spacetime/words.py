"""Words: what the dock says of a problem, of its stages and constraints, and of what a search came to."""

from __future__ import annotations

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.style.units import TIME
from engine.document import Actor
from engine.document.ticks import TICKS_PER_SECOND
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMeeting, SpacetimeStage
from engine.spacetime.queries.seen_motion import SeenMotion

NO_ACTOR = (
    "Add a figure or select one: say where it begins, where it ends and which joints have muscles, and the motion of "
    "least effort that physics allows is found."
)
NO_PLAN = (
    "Pose {name} as it is to begin, then plan its motion from here. With two keys or more, it can lead from the first "
    "of those that are chosen in the timeline to the last."
)
NO_END = (
    "Next: move the playhead to where the motion is to end, up to {end:.2f} s, pose {name} there and press "
    "Be here then; or select a joint and press This point here. Then Find motion."
)
FROZEN = "{name} is frozen: thaw it in the outliner, then change it."
QUANTITIES = {
    "pose": "pose",
    "value": "value",
    "rate": "speed",
    "torque": "torque",
    "point": "place",
    "point_velocity": "velocity",
    "centre": "centre of mass",
    "centre_velocity": "velocity of centre",
    "momentum": "momentum",
    "impulse": "blow",
}
MEETINGS = {"point": "meet", "distance": "at a distance", "velocity": "as fast as each other", "time": "at one time"}


def about(actor: Actor | None) -> str:
    """Say what can be done where no motion is planned, or one that leads nowhere; nothing where it does."""
    if actor is None:
        return NO_ACTOR
    if actor.frozen:
        return FROZEN.format(name=actor.name)
    plan = actor.part(Spacetime)
    if plan is None:
        return NO_PLAN.format(name=actor.name)
    leads_somewhere = any(plan.time(each.stage, each.at) > plan.start for each in (*plan.constraints, *plan.meetings))
    return (
        "" if leads_somewhere or not plan.muscles else NO_END.format(name=actor.name, end=plan.end / TICKS_PER_SECOND)
    )


def stage_text(current: CurrentSpacetime, stage: SpacetimeStage) -> str:
    """Say how long a stage is, and what stands meanwhile."""
    span = next(each for each in current.spans if each.stage == stage.id)
    length = TIME.text(span.length)
    if stage.is_free:
        least, most = stage.lengths
        length += f" ({least:.2f} to {most:.2f})"
    actor = current.actor
    is_fixed = actor is not None and not actor.figure.joints[0].dofs
    stands = "nailed" if stage.nailed else "stands" if stage.contacts or is_fixed else "flies"
    return " · ".join((stage.name, length, stands))


def constraint_text(current: CurrentSpacetime, constraint: SpacetimeConstraint) -> str:
    """Say what is demanded, when, and by how much the motion that is shown misses it."""
    return _timed_text(current, constraint, QUANTITIES[constraint.quantity])


def meeting_text(current: CurrentSpacetime, meeting: SpacetimeMeeting) -> str:
    """Say who meets whom, when, and by how much the motion that is shown misses it."""
    return _timed_text(current, meeting, "push each other" if meeting.blow else MEETINGS[meeting.quantity])


def _timed_text(current: CurrentSpacetime, demanded: SpacetimeConstraint | SpacetimeMeeting, what: str) -> str:
    begin = 0 if current.part is None else current.part.start
    when = TIME.text((current.tick_of(demanded.stage, demanded.at) - begin) / TICKS_PER_SECOND)
    if demanded.until is not None:
        end = (current.tick_of(demanded.stage, demanded.until) - begin) / TICKS_PER_SECOND
        when = f"{when.partition(' ')[0]} to {TIME.text(end)}"
    missed = any(each.constraint == demanded.id for each in current.misses)
    return " · ".join(filter(None, (demanded.name, what, when, "missed" if missed else "")))


def minimum_text(number: int, motion: SeenMotion) -> str:
    """Say what a motion costs that a search ended in."""
    state = {"solved": "", "no way": "demands missed"}.get(motion.state, "not finished")
    parts = (f"{number}", f"effort {motion.objective:.4g}", TIME.text(motion.duration), state)
    return " · ".join(filter(None, parts))


def way_text(number: int, motion: SeenMotion) -> str:
    """Say in short what a motion costs that stands beside others."""
    return f"{number} · effort {motion.objective:.4g}"


def progress_text(current: CurrentSpacetime) -> str:
    """Say how far a search is, in numbers."""
    motion = current.motion
    if motion is None or not current.iterates:
        return "Making the problem ready…"
    last = current.iterates[-1]
    return f"Iteration {last.iteration}: effort {last.objective:.4g}, worst miss {last.violation:.2g}"
