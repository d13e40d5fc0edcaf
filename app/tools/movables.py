"""Movables: a joint, turned about its own degrees of freedom or pulled by inverse kinematics; a root or a prop, moved
along its slides; an actor as a whole, placed.

Joints are posed by their keys: with secondary motion they stand on its ghost, where that is shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.scene.manipulator import AXES, MOVES, TURNS, WORLD
from app.session import BodyGrip, Session
from app.tools.movable import (
    AxesOf,
    Finder,
    Kind,
    ManipulatorFrame,
    Movable,
    Owner,
    TransformDelta,
    body_frame,
    can_be_moved,
    triple,
)
from engine.commands.reach import PullHandle
from engine.commands.turn_joints import SlideJoint, TurnJoints
from engine.document import Actor, Joint
from engine.document.values import Vector3, new_id
from engine.edits import edit
from engine.ik.goals import PositionGoal, Spot
from engine.maths.quaternions import product, turn_about, turned, unit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.camera import Array
    from app.session.gesture import EditOrCommand
    from engine.model import Snapshot

ORIGIN: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class MovableJoint:
    """A joint of an actor, and others of the same actor that turn by the same angle."""

    session: Session
    actor: Actor
    joint: Joint
    stood: Vector3  # [m] where its origin stood
    drag: str  # names the pull in its requests
    beside: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The joint's name, or that of the prop that it is."""
        return self.actor.name if self.actor.figure.is_prop else self.joint.name

    @property
    def slides(self) -> bool:
        """True if it moves by its own slides."""
        return any(dof.kind == "slide" and not dof.driven for dof in self.joint.dofs)

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame, at the joint's origin."""
        frame = body_frame(snapshot, self.actor.id, self.joint.id, keyed=True)
        if frame is None or (self.slides and self.actor.is_held_at(self.joint.id)):
            return None
        above = _above(snapshot, self.actor, self.joint)
        x, y, z = frame[:, 3].tolist()
        if kind == "move":
            own = {"local": frame[:, :3], "parent": above, "world": np.eye(3)}[axes]
            movable = self.slides or self.session.reaching.ready
            return ManipulatorFrame(place=(x, y, z), axes=triple(own), parts=MOVES) if movable else None
        hinges = [dof.axis for dof in self.joint.dofs if dof.kind == "hinge" and not dof.driven]
        free = len(hinges) == 3 or any(dof.kind == "ball" for dof in self.joint.dofs)
        if not free and not 0 < len(hinges) < 3:
            return None
        if not free:
            return replace(_hinge_rings(self.joint, hinges, frame, above), place=(x, y, z))
        owner: Owner = {"local": "joint", "parent": "parent", "world": "world"}[axes]  # type: ignore[assignment]
        rotation = {"local": frame[:, :3], "parent": above, "world": np.eye(3)}[axes]
        own_axes = tuple((owner, axis) for axis in WORLD)
        return ManipulatorFrame(place=(x, y, z), axes=triple(rotation), own=own_axes, parts=TURNS)

    def command(self, change: TransformDelta) -> EditOrCommand:
        """Return the edit that turns its hinges or moves its slides, or the command that pulls the chain that it
        ends."""
        actor, time = self.actor.id, self.session.playhead
        if change.kind == "rotate":
            (owner, axis), joints = change.own, (self.joint.id, *self.beside)
            return TurnJoints(actor=actor, joints=joints, axis=axis, of=owner, angle=change.angle, time=time)
        if self.slides:
            return SlideJoint(actor=actor, joint=self.joint.id, shift=change.shift, time=time)
        reaching, document = self.session.reaching, self.session.document
        held = (each.within(document) for each in reaching.held_beside(BodyGrip(actor, self.joint.id, ORIGIN)))
        x, y, z = (here + way for here, way in zip(self.stood, change.shift, strict=True))
        return PullHandle(
            drag=self.drag,
            actor=actor,
            goals=(PositionGoal(spot=Spot(actor=actor, joint=self.joint.id), target=(x, y, z)),),
            held=tuple(Spot(actor=actor, joint=each.joint, point=each.point) for each in held if each is not None),
            method=reaching.method,
            terms=reaching.terms,
        )

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return the angle by which the joint's body has turned."""
        frames = [body_frame(each, self.actor.id, self.joint.id, keyed=True) for each in (before, snapshot)]
        if frames[0] is None or frames[1] is None:
            return None
        turn: Array = frames[1][:, :3] @ frames[0][:, :3].T
        skew = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
        return math.atan2(float(skew @ axis), float(np.trace(turn) - np.array(axis) @ turn @ axis))


@dataclass(frozen=True)
class MovableActor:
    """An actor as a whole, where it was placed; turned about its root."""

    actor: Actor
    root: Vector3  # [m] where its root stood

    @property
    def name(self) -> str:
        """The name of the actor."""
        return self.actor.name

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame, at the root; None where the actor always hangs on another one."""
        frame = body_frame(snapshot, self.actor.id, self.actor.figure.joints[0].id)
        if frame is None or self.actor.held_always is not None:
            return None
        x, y, z = frame[:, 3].tolist()
        rotation = self.actor.placement.rotation
        own = tuple(turned(rotation, axis) for axis in WORLD) if axes == "local" else WORLD
        parts = MOVES if kind == "move" else TURNS
        return ManipulatorFrame(place=(x, y, z), axes=own, own=tuple(("world", axis) for axis in own), parts=parts)  # type: ignore[arg-type]

    def command(self, change: TransformDelta) -> EditOrCommand:
        """Return the edit that places the actor elsewhere."""
        by = turn_about(change.axis, change.angle)
        old = self.actor.placement
        away = tuple(here - root for here, root in zip(old.position, self.root, strict=True))
        round = turned(by, away) if change.angle != 0.0 else away  # type: ignore[arg-type]
        x, y, z = (root + way + move for root, way, move in zip(self.root, round, change.shift, strict=True))
        rotation = unit(product(by, old.rotation)) if change.angle != 0.0 else old.rotation
        return edit("place_actor", actor=self.actor.id, position=(x, y, z), rotation=rotation)

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return None: it turns exactly as asked."""
        return None


def find_movable(session: Session, snapshot: Snapshot, kind: Kind) -> Movable | None:
    """Return the item that was selected last; none of an actor that is frozen or whose figure is edited."""
    item, document = session.selection.active, session.document
    if item is None or item.added is not None or item.actor not in document.actor_index:
        return None
    actor = document.actor(item.actor)
    if not can_be_moved(session, actor):
        return None
    root = actor.figure.joints[0]
    if item.part is not None and item.part not in actor.figure.joint_index:
        return None
    chosen = root if item.part is None else actor.figure.joint(item.part)
    frame = body_frame(snapshot, actor.id, chosen.id, keyed=True)
    if frame is None:
        return None
    x, y, z = frame[:, 3].tolist()
    if item.part is None and not (actor.figure.is_prop and root.dofs):
        return MovableActor(actor, (x, y, z))
    parts = [each.part for each in session.selection.items if each.actor == actor.id and each.added is None]
    beside = tuple(part for part in parts if part is not None and part != chosen.id)
    return MovableJoint(session, actor, chosen, (x, y, z), new_id("drag"), beside)


FINDERS: tuple[Finder, ...] = (find_movable,)


def _above(snapshot: Snapshot, actor: Actor, joint: Joint) -> Array:
    """Return the axes of a joint's parent: another body, or the actor's own frame."""
    if joint.parent is not None:
        frame = body_frame(snapshot, actor.id, joint.parent, keyed=True)
        if frame is not None:
            return frame[:, :3]
    return np.array([turned(actor.placement.rotation, axis) for axis in WORLD]).T


def _hinge_rings(joint: Joint, hinges: list[Vector3], frame: Array, above: Array) -> ManipulatorFrame:
    """Return one ring for each of one or two hinges: the last turns with the body, the first with its parent."""
    axes, own, letters = list(WORLD), [("world", axis) for axis in WORLD], list[int]()
    for number, axis in enumerate(hinges):
        free = [each for each in range(3) if each not in letters]
        letter = max(free, key=lambda each: abs(axis[each]))
        letters.append(letter)
        last = number == len(hinges) - 1
        fixed = axis if last else turned(joint.rest, axis)
        x, y, z = ((frame[:, :3] if last else above) @ fixed).tolist()
        axes[letter], own[letter] = (x, y, z), ("joint" if last else "parent", fixed)
    parts = frozenset(AXES[each] for each in letters)
    return ManipulatorFrame(place=ORIGIN, axes=tuple(axes), own=tuple(own), parts=parts)  # type: ignore[arg-type]
