"""SecondaryFollows: what becomes of gains where general edits change the figure whose joints they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.document import Actor, Figure, OwnGains
from engine.edits.follows import Follows


class SecondaryFollows(Follows):
    """Gains go with the freedoms that have them."""

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without gains of joints that have gone, in the order of the figure."""
        old = actor.secondary
        if old is None:
            return actor
        own = tuple(old.own_of[id] for id in content.joint_index if id in old.own_of)
        return replace(actor, secondary=replace(old, own=own))

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        old = actor.secondary
        if old is None:
            return actor
        before = {dof.id: joint.id for joint in actor.figure.joints for dof in joint.dofs}
        own: list[OwnGains] = []
        for joint in content.joints:
            sources = [before[dof.id] for dof in joint.dofs if dof.id in before]
            found = next((old.own_of[id] for id in sources if id in old.own_of), None)
            if found is not None:
                own.append(replace(found, joint=joint.id))
        return replace(actor, secondary=replace(old, own=tuple(own)))
