"""Words of targets for a person, and how the timeline shows one: its colour, and the span of its correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.document import Actor, Span, Target
from engine.targets.queries.mark_targets import spot_name

if TYPE_CHECKING:
    from engine.targets.commands.meet_targets import TargetMet

COLOUR = "good"  # of the theme


def met_text(report: TargetMet) -> str:
    """Report in words if a target was met."""
    return "Met" if report.met else f"Missed by {report.amount}. {report.text}"


def rule_label(target: Target) -> str:
    """Return the label of a target that stands for many: the times that it stands for."""
    frames = "frame" if target.frames == 1 else f"{target.frames} frames"
    which = {"keys": "every key", "marked": "marked keys", "every": f"one each {frames}"}
    return f"Reach {which[target.source]}"


def target_label(actor: Actor, target: Target) -> str:
    """Return the label of a target."""
    if target.kind == "wish":
        return "Null-space edit"
    turns, joint = target.kind == "turn", target.joint
    known = joint is not None and joint in actor.figure.joint_index
    name = "the pose" if joint is None else spot_name(actor, joint) if known else joint
    name = name if target.carried is None else f"what {name} carries"
    if not target.place:
        return f"{'Angular velocity' if turns else 'Velocity'} of {name}"
    return f"{'Turn' if turns else 'Reach'} {name}{' at a velocity' if target.velocity else ''}"


def target_span(target: Target) -> Span:
    """Return the span of a target's correction; both its eases end at the target's time."""
    bell = target.bell_at(target.time)
    return Span(start=bell.start, end=bell.end, ease_in=bell.before, ease_out=bell.after)
