"""Keying: keys of one channel set, keys at the playhead taken away, breakdowns; each is one entry of the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.session.posing import NO_FIGURE
from engine.commands.breakdown import Breakdown, Towards
from engine.commands.poses import PutPose
from engine.document import Actor
from engine.document.pose import coordinates_of
from engine.edits import edit

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.edits.several import Parts
    from engine.edits.spans import RangeParts

Channel = tuple[str, str]  # ids of an actor and of a degree of freedom of it
NO_CHANNEL = "Point at a slider of the inspector, or select one joint that moves in one way, then key its channel."
NO_KEYS_HERE = "No key of what is selected stands at the playhead."


def only_channel(session: Session) -> Channel | None:
    """Return the channel that is meant where one joint with one degree of freedom is selected."""
    targets = session.posing.targets()
    if len(targets) != 1 or targets[0][1] is None:
        return None
    owner, joints = targets[0]
    dofs = [dof for joint in owner.figure.joints if joint.id in (joints or ()) for dof in joint.dofs]
    return (owner.id, dofs[0].id) if len(dofs) == 1 else None


def key_channel(session: Session, channel: Channel | None) -> None:
    """Set a key to what is seen of one channel at the playhead; without one, say what to do."""
    found = None if channel is None else _find(session, channel)
    if found is None:
        session.note("warning", NO_CHANNEL)
        return
    owner, title, names = found
    session.work_out(PutPose(actor=owner.id, time=session.playhead, title=title, channels=names, key=True))


def keys_here(session: Session) -> Parts:
    """Return the keys at the playhead of what is selected: of all layers, as edits of several name them."""
    time, found = session.playhead, []
    for owner, joints in session.posing.targets():
        names = set(owner.figure.coordinates if joints is None else coordinates_of(owner.figure, joints))
        for layer in owner.layers:
            mine = (track for track in layer.tracks if track.coordinate in names)
            keys = tuple((each.coordinate, (time,)) for each in mine if any(key.time == time for key in each.keys))
            if keys:
                found.append((owner.id, layer.id, keys))
    return tuple(found)


def remove_keys_here(session: Session) -> None:
    """Take the keys at the playhead of what is selected away."""
    chosen = keys_here(session)
    if chosen:
        session.do(edit("remove_chosen", chosen=chosen))
    else:
        session.note("warning", NO_KEYS_HERE)


def breakdown(session: Session, share: float, towards: Towards = "between") -> Breakdown | None:
    """Make a breakdown of what is selected, at the playhead; None, and a warning, where there is no figure."""
    targets = session.posing.targets()
    if not targets:
        session.note("warning", NO_FIGURE)
        return None
    parts = tuple((owner.id, joints) for owner, joints in targets)
    return Breakdown(parts=parts, time=session.playhead, share=share, towards=towards)


def range_parts(session: Session, *, with_partners: bool = False) -> RangeParts:
    """List each layer that counts and moves something of what is selected, as edits of ranges name it; `with_partners`
    the joints on the other side are meant, too."""
    found = []
    for owner, joints in session.posing.targets():
        names = None
        if joints is not None:
            others = {owner.figure.joint(id).mirror or id for id in joints} if with_partners else set()
            names = coordinates_of(owner.figure, sorted(joints | others, key=owner.figure.joint_index.__getitem__))
        for layer in owner.layers:
            sampled = () if layer.samples is None else layer.samples.coordinates
            corrected = () if layer.correction is None else layer.correction.coordinates
            moved = {*layer.track_of, *sampled, *corrected}
            if not layer.mute and (moved if names is None else moved.intersection(names)):
                found.append((owner.id, layer.id, names))
    return tuple(found)


def meant(session: Session) -> str:
    """Name what is selected, for those who change motion by it."""
    targets = session.posing.targets()
    if not targets:
        return "nothing: there is no figure"
    owner, joints = targets[-1]
    if len(targets) > 1:
        return f"{len(targets)} actors"
    if joints is None:
        return f"all of {owner.name}"
    names = [joint.name for joint in owner.figure.joints if joint.id in joints]
    return f"{names[0].lower()} of {owner.name}" if len(names) == 1 else f"{len(names)} joints of {owner.name}"


def _find(session: Session, channel: Channel) -> tuple[Actor, str, frozenset[str]] | None:
    """Return the actor, what a person reads in the history, and the coordinates."""
    actor, id = channel
    if actor not in session.document.actor_index:
        return None
    owner = session.document.actor(actor)
    for joint in owner.figure.joints:
        for dof in joint.dofs:
            if dof.id == id:
                return owner, f"Key {joint.name}: {dof.name}", frozenset(dof.coordinates)
    return None
