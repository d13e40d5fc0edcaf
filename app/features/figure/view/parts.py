"""Figure parts: the parts of a figure under edit that can be dragged: joints, end-effectors and the ends of limits.

The figure is shown at rest, so places come from its document alone. A limit stands on an arc about its hinge, in the
direction in which the bone points at that angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from engine.document import Actor, Dof, Joint
from engine.document.frames import Frame, fixed_frame, rest_frames, rest_motion
from engine.document.segment import middle_of_segment
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.maths.quaternions import turn_about, turned
from engine.runtime.quick_dataclass import dataclass

ORIGIN: Vector3 = (0.0, 0.0, 0.0)
ARC = 0.6  # radius of an arc, as a share of the bone's length
LEAST, MOST = 0.05, 0.3  # [m] between which it is
_STEP = 0.05  # [rad] between the points of an arc
_SHORT = 1e-6


@dataclass(frozen=True, kw_only=True)
class FigurePart:
    """One part that can be dragged, its position, and the edit of a drag."""

    id: str  # of its marker
    name: str
    joint: str  # whose body carries the marker
    place: Vector3  # [m] in the world

    def moved(self, actor: Actor, to: Vector3, *, keep_children: bool) -> Edit:
        """Return the edit that moves it to a place [m] in the world."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """The name of the drag in the history."""
        return f"Move {self.name}"


@dataclass(frozen=True, kw_only=True)
class JointPart(FigurePart):
    """The origin of a joint."""

    def moved(self, actor: Actor, to: Vector3, *, keep_children: bool) -> Edit:
        joint = actor.figure.joint(self.joint)
        above = base_of(actor) if joint.parent is None else body_frames(actor)[joint.parent]
        offset = above.seeing(Frame(to)).position
        how = {"keep_children": keep_children, "stretch": True}
        return edit("set_joint_frame", actor=actor.id, joint=self.joint, offset=offset, rest=joint.rest, **how)


@dataclass(frozen=True, kw_only=True)
class EndPart(FigurePart):
    """An end-effector."""

    handle: str

    def moved(self, actor: Actor, to: Vector3, *, keep_children: bool) -> Edit:
        point = body_frames(actor)[self.joint].seeing(Frame(to)).position
        return edit("move_handle", actor=actor.id, handle=self.handle, point=point, stretch=True)


@dataclass(frozen=True, kw_only=True)
class LimitPart(FigurePart):
    """One end of the arc of a hinge."""

    dof: Dof
    end: Literal["lower", "upper"]
    arc: Arc

    @property
    def label(self) -> str:
        return f"Set {self.end} limit of {self.dof.name}"

    def moved(self, actor: Actor, to: Vector3, *, keep_children: bool) -> Edit:
        old = self.dof.lower if self.end == "lower" else self.dof.upper
        assert old is not None, "only a limit has an end"
        angle = self.arc.angle_at(to)
        value = old + math.remainder(angle - old, math.tau)
        lower, upper = self.dof.lower, self.dof.upper
        if self.end == "lower":
            lower = value if upper is None else min(value, upper)
        else:
            upper = value if lower is None else max(value, lower)
        return edit("set_limits", actor=actor.id, dof=self.dof.id, lower=lower, upper=upper)


@dataclass(frozen=True, kw_only=True)
class Arc:
    """The circle about a hinge on which the bone's direction turns: u at 0, v a quarter turn on."""

    centre: Vector3  # [m] in the world
    u: Vector3
    v: Vector3
    radius: float

    @property
    def axis(self) -> Vector3:
        """The axis that it goes round."""
        return _cross(self.u, self.v)

    def at(self, angle: float) -> Vector3:
        """Return the place at an angle [rad]."""
        cosine, sine = self.radius * math.cos(angle), self.radius * math.sin(angle)
        x, y, z = (c + cosine * a + sine * b for c, a, b in zip(self.centre, self.u, self.v, strict=True))
        return (x, y, z)

    def angle_at(self, place: Vector3) -> float:
        """Return the angle [rad] at which a place is seen from the middle."""
        way = _minus(place, self.centre)
        return math.atan2(_dot(way, self.v), _dot(way, self.u))

    def between(self, lower: float, upper: float) -> tuple[Vector3, ...]:
        """Return points from one angle to another."""
        count = max(2, min(round((upper - lower) / _STEP), 256))
        return tuple(self.at(lower + (upper - lower) * place / count) for place in range(count + 1))


def base_of(actor: Actor) -> Frame:
    """Return the placement of the actor itself."""
    return Frame(actor.placement.position, actor.placement.rotation)


def body_frames(actor: Actor) -> dict[str, Frame]:
    """Return the frames of the bodies in the world at rest."""
    base = base_of(actor)
    return {id: base.holding(frame) for id, frame in rest_frames(actor.figure).items()}


def parts_of(actor: Actor, selected: str | None) -> tuple[FigurePart, ...]:
    """Return all parts of a figure; limits of the selected joint only."""
    frames = body_frames(actor)
    found: list[FigurePart] = [
        JointPart(id=f"joint {joint.id}", name=joint.name, joint=joint.id, place=frames[joint.id].position)
        for joint in actor.figure.joints
    ]
    for handle in actor.figure.handles:
        place = frames[handle.joint].at(handle.point)
        found.append(
            EndPart(id=f"end {handle.id}", name=handle.name, joint=handle.joint, place=place, handle=handle.id)
        )
    for dof, arc in arcs_of(actor, selected):
        for end, value in (("lower", dof.lower), ("upper", dof.upper)):
            if value is not None and selected is not None:
                id, name = f"{end} {dof.id}", f"{end.capitalize()} limit of {dof.name}"
                place = arc.at(value)
                found.append(LimitPart(id=id, name=name, joint=selected, place=place, dof=dof, end=end, arc=arc))  # type: ignore[arg-type]
    return tuple(found)


def arcs_of(actor: Actor, selected: str | None) -> Iterator[tuple[Dof, Arc]]:
    """Return the hinges of the selected joint that are limited, and their arcs."""
    if selected is None or selected not in actor.figure.joint_index:
        return
    joint = actor.figure.joint(selected)
    above = base_of(actor) if joint.parent is None else body_frames(actor)[joint.parent]
    frame = above.holding(fixed_frame(joint))
    for place, dof in enumerate(joint.dofs):
        if dof.kind == "hinge" and (dof.lower is not None or dof.upper is not None):
            before = frame.holding(rest_motion(actor.figure, replace(joint, dofs=joint.dofs[:place])))
            yield dof, _arc(actor, joint, dof, before)


def _arc(actor: Actor, joint: Joint, dof: Dof, frame: Frame) -> Arc:
    x, y, z = (2.0 * each for each in middle_of_segment(actor.figure, joint.id))
    radius = min(max(ARC * math.hypot(x, y, z), LEAST), MOST)
    u = _square((x, y, z), dof.axis)
    v = turned(turn_about(dof.axis, 0.5 * math.pi), u)
    return Arc(centre=frame.position, u=turned(frame.rotation, u), v=turned(frame.rotation, v), radius=radius)


def _square(way: Vector3, axis: Vector3) -> Vector3:
    """Return the component of a direction normal to an axis, as a unit vector; any normal where it lies along that."""
    for each in (way, (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        along = _dot(each, axis)
        x, y, z = (a - along * b for a, b in zip(each, axis, strict=True))
        norm = math.hypot(x, y, z)
        if norm > _SHORT:
            return (x / norm, y / norm, z / norm)
    raise AssertionError("two axes are never both in line with a third")


def _dot(a: Vector3, b: Vector3) -> float:
    return math.fsum(first * second for first, second in zip(a, b, strict=True))


def _minus(a: Vector3, b: Vector3) -> Vector3:
    x, y, z = (first - second for first, second in zip(a, b, strict=True))
    return (x, y, z)


def _cross(a: Vector3, b: Vector3) -> Vector3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
