"""Commands of targets beside adding, moving and meeting them: taken from the picture, kept as null-space edits, baked.

Functions of the session, for the dock and the actions alike; each is one entry of the history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.current_targets import CurrentTargets
from engine.document import Layer
from engine.document.values import new_id
from engine.kinodynamics.commands.bake_swing import BakeSwing
from engine.targets.commands.keep_change import KeepChange
from engine.targets.commands.take_target import Taken, TakeTarget

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document.target import TargetKind

NO_DRAFT = (
    "Pose the figure at this time, with Auto-key off where it has keys (drag its ghost, or hold Ctrl: a plain "
    "drag sets a target): what you change of its corrected motion can then be kept."
)


def may_meet(session: Session) -> bool:
    """True if something is to be met, or was and is off now, so that its correction would go."""
    owner = session.of(CurrentTargets).owner
    if owner is None or not owner.swings or owner.secondary is None:
        return False
    held = any(each.correction is not None for each in owner.layers)
    return any(each.on or held for each in owner.secondary.targets)


def take_here(session: Session, what: Taken) -> None:
    """Let the chosen target ask for what is seen at the playhead."""
    owner, target = session.of(CurrentTargets).owner, session.of(CurrentTargets).target
    if owner is not None and target is not None:
        session.work_out(TakeTarget(actor=owner.id, target=target.id, what=what, time=session.playhead))


def set_kind(session: Session, kind: TargetKind) -> None:
    """Let the chosen target be about the place or the turn of its joint; what it asked for goes."""
    target = session.of(CurrentTargets).target
    if target is not None and target.joint is not None and target.kind != kind:
        session.of(CurrentTargets).change(
            kind=kind, position=None, rotation=None, speed=None, place=True, velocity=False
        )


def set_joints(session: Session, *, selected: bool) -> None:
    """Let the chosen pose be about the selected joints, or about all; what it held of others goes."""
    owner, target = session.of(CurrentTargets).owner, session.of(CurrentTargets).target
    if owner is None or target is None or target.kind != "pose":
        return
    joints = session.layering.selected_joints if selected else None
    if joints == ():
        session.note("note", "Select joints of the figure: the pose is to be met by them alone.")
        return
    if joints != target.joints:
        session.of(CurrentTargets).change(joints=joints, values=None, rates=None)


def draft_of(session: Session) -> Layer | None:
    """Find the layer with a draft at the playhead, of a figure that swings and has targets, null-space edits too."""
    owner = session.of(CurrentTargets).owner
    if owner is None or not owner.swings or owner.frozen or owner.secondary is None or not owner.secondary.targets:
        return None
    return next((each for each in owner.layers if each.draft_at(session.playhead) is not None), None)


def keep_change(session: Session) -> None:
    """Keep the pose that is drafted here as a change of the corrected motion, around which targets are met."""
    owner, layer = session.of(CurrentTargets).owner, draft_of(session)
    if owner is None or layer is None:
        session.note("note", NO_DRAFT)
        return
    made = new_id("target")
    session.work_out(
        KeepChange(actor=owner.id, layer=layer.id, time=session.playhead, id=made, correction=new_id("layer"))
    )
    session.of(CurrentTargets).choose(made)


def bake(session: Session) -> None:
    """Make what is seen of the figure's secondary motion its own, frame by frame, and switch secondary motion off."""
    owner = session.of(CurrentSecondary).owner
    if owner is not None and owner.swings:
        session.work_out(BakeSwing(id=new_id("layer"), actor=owner.id))
