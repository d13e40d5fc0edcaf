"""Sentences about soft bodies."""

from __future__ import annotations

from collections.abc import Sequence

from app.style.units import TIME
from engine.document import Actor, Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.runtime.amounts import amount_text
from engine.soft.goals import SoftKeyframe
from engine.soft.parts import NodalForces, SoftBody
from engine.soft.queries.report import SoftReport

NO_BODY = "Select a soft body to see what it is made of, or add one: Add > Soft body."
NO_BODIES = "There is no soft body yet. Add > Soft body makes one of a box, a cylinder, a mesh file or a figure's skin."
FROZEN = "{name} is frozen: thaw it in the outliner to change it."
SIMULATED = "It stands as it is placed up to {time}, and is simulated from there."
WINDOWED = "It is worked out anew for each time, over the {window} before it."
BAKED = "It follows baked frames from {start} to {end}, and is simulated on from there."
ATTACH = "Select a part of another actor, too (Shift + click), to attach the body to it."
PLAN_NO_CONTROL = "It has nothing to move by: draw a spline in the Activation panel, or put forces on its points."
PLAN_WINDOWED = "It is stepped over a window, so it has no motion to plan: let it be stepped from its start."
PLAN_NO_KEYFRAMES = "Go to a time, say that it is to be here then, and drag the mark to where it should be."
PLAN_MARKED = "Drag the marks in a view. Plan searches for what its splines and forces must do to be there."
MET = 1e-3  # [m] that nobody sees
CELLS = {
    "edges": ("edge", "edges"),
    "squares": ("square", "squares"),
    "tetrahedra": ("tetrahedron", "tetrahedra"),
    "hexahedra": ("hexahedron", "hexahedra"),
}


def about(owner: Actor | None, body: SoftBody | None, *, any_soft: bool) -> str:
    """Say how a soft body moves, or what to do where there is none."""
    if owner is None or body is None:
        return NO_BODY if any_soft else NO_BODIES
    if owner.frozen:
        return FROZEN.format(name=owner.name)
    if body.bake is not None:
        return BAKED.format(start=_time(body.bake.start), end=_time(body.bake.end))
    if body.stepped == "over_window":
        return WINDOWED.format(window=f"{body.window:.3g} s")
    return SIMULATED.format(time=_time(body.start))


def size_text(body: SoftBody, report: SoftReport | None) -> str:
    """Say of how many cells and points a body is, and how heavy."""
    one, many = CELLS[body.shape]
    cells = f"{body.cell_count:,} {one if body.cell_count == 1 else many}"
    text = f"{cells}, {body.point_count:,} points"
    return text if report is None else f"{text}, {report.mass:.3g} kg"


def pace_text(report: SoftReport | None) -> str:
    """Say how long a step of all soft bodies takes, and whether time can keep up."""
    if report is None or report.takes is None or report.pace is None:
        return ""
    text = f"A step of {_milliseconds(report.step)} takes {_milliseconds(report.takes)}"
    return f"{text}: slower than real time, {100.0 * report.pace:.0f} % of it." if report.pace < 1.0 else f"{text}."


def said_text(report: SoftReport | None) -> str:
    """Say what a person should know of the simulation."""
    return "" if report is None else "\n".join(f"{each[:1].upper()}{each[1:].rstrip('.')}." for each in report.said)


def plan_text(body: SoftBody, keyframes: Sequence[SoftKeyframe]) -> str:
    """Say what to do for a plan of a body."""
    if body.stepped == "over_window":
        return PLAN_WINDOWED
    if not (body.splines or body.forces):
        return PLAN_NO_CONTROL
    return PLAN_MARKED if keyframes else PLAN_NO_KEYFRAMES


def keyframe_text(keyframe: SoftKeyframe, missed: float | None) -> str:
    """Name a keyframe: its time, what is wanted, and by how much that is missed."""
    what = "centre" if keyframe.shape is None else "shape"
    if keyframe.velocity is not None:
        still = all(each == 0.0 for each in keyframe.velocity)
        what += ", still" if still else " and velocity"
    parts = [_time(keyframe.time), what]
    if missed is not None:
        parts.append(f"missed by {amount_text(missed, 'm')}" if missed >= MET else "met")
    return " · ".join(parts)


def forces_text(forces: NodalForces) -> str:
    """Name nodal forces, and how long they act."""
    if forces.mute:
        return f"{forces.name}, muted"
    if not forces.times:
        return f"{forces.name} · none yet"
    return f"{forces.name} · {_time(forces.times[0])} to {_time(forces.times[-1])}"


def held_by(document: Document, target: str, joint: str) -> str:
    """Name what a body is attached to."""
    if target not in document.actor_index:
        return "what is gone"
    actor = document.actor(target)
    if actor.figure.is_prop or joint not in actor.figure.joint_index:
        return actor.name
    return f"{actor.figure.joint(joint).name}, {actor.name}"


def _milliseconds(seconds: float) -> str:
    found = 1e3 * seconds
    return f"{found:.0f} ms" if found >= 100.0 else f"{found:.2g} ms" if found < 10.0 else f"{found:.3g} ms"


def _time(ticks: int) -> str:
    return TIME.text(ticks / TICKS_PER_SECOND)
