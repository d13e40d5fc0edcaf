"""Parts of an actor that name joints, when its figure is hung up at another: locks, gains and targets (`reroot`)."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Document, Figure, Lock, OwnGains, Secondary
from engine.edits.fitting import fitted_secondary


def held_joints(document: Document, actor: str) -> set[str]:
    """The joints of an actor that attachments, locks and targets name, attachments and locks from either side."""
    owner, found = document.actor(actor), set[str]()
    found.update(each.joint for each in owner.attachments)
    found.update(lock.joint for lock in owner.locks)
    if owner.secondary is not None:
        found.update(each.joint for each in owner.secondary.targets if each.joint is not None)
    for other in document.actors:
        found.update(each.target_joint for each in other.attachments if each.target == actor)
        found.update(lock.target_joint or "" for lock in other.locks if lock.target == actor)
    return found


def turned_locks(owner: Actor, content: Figure) -> tuple[Lock, ...]:
    """The locks; a joint that has gone moves nothing any more, and the one that now carries what it did does."""
    carrier = {dof.id: joint.id for joint in content.joints for dof in joint.dofs}
    moved = {joint.id: [carrier.get(dof.id, "") for dof in joint.dofs] for joint in owner.figure.joints}
    out = []
    for lock in owner.locks:
        if lock.joints is not None:
            kept = {id for joint in lock.joints for id in (joint, *moved[joint])}
            lock = replace(lock, joints=tuple(each.id for each in content.joints if each.id in kept))
        out.append(lock)
    return tuple(out)


def turned_secondary(owner: Actor, content: Figure) -> Secondary | None:
    """Gains go with the freedoms that had them, what a joint of a target's pose did with what carries that now."""
    old = owner.secondary
    if old is None:
        return None
    before = {dof.id: joint.id for joint in owner.figure.joints for dof in joint.dofs}
    own: dict[str, OwnGains] = {}
    for joint in content.joints:
        sources = [before[dof.id] for dof in joint.dofs if dof.id in before]
        found = next((old.own_of[id] for id in sources if id in old.own_of), None)
        if found is not None:
            own[joint.id] = replace(found, joint=joint.id)
    carriers: dict[str, set[str]] = {}
    for joint in content.joints:
        for dof in joint.dofs:
            carriers.setdefault(before.get(dof.id, joint.id), set()).add(joint.id)
    targets = []
    for target in old.targets:
        if target.joints is not None:
            kept = {id for joint in target.joints for id in (joint, *carriers.get(joint, ()))}
            target = replace(target, joints=tuple(kept))
        targets.append(target)
    return fitted_secondary(replace(old, own=tuple(own.values()), targets=tuple(targets)), content)
