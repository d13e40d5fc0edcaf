"""OutlinedForces: the measured forces on a figure as rows of the outliner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.features.outlining import OutlineRow
from app.session import Item
from engine.document import Actor
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from engine.model import Snapshot


class OutlinedForces:
    """Forces stand below their actor."""

    def rows(self, actor: Actor, snapshot: Snapshot | None) -> Iterator[OutlineRow]:
        """List the forces on an actor."""
        found = actor.part(MeasuredForces) if actor.parts else None
        for force in () if found is None else found.forces:
            yield OutlineRow(
                item=Item(actor.id, actor.figure.joints[0].id, force.id),
                name=force.name,
                icon="weight",
                about="Measured force",
                words=body_of_force(actor, force),
                counts=not force.mute,
                state="muted" if force.mute else body_of_force(actor, force),
            )

    def rename(self, item: Item, name: str) -> Edit:
        """Make the edit that names a force."""
        return edit("set_measured_force", actor=item.actor, force=item.added, name=name)

    def let_count(self, item: Item, *, counts: bool) -> Edit:
        """Make the edit that mutes a force, or lets it count again."""
        return edit("set_measured_force", actor=item.actor, force=item.added, mute=not counts)

    def remove(self, item: Item) -> Edit:
        """Make the edit that takes a force away."""
        return edit("remove_measured_forces", actor=item.actor, forces=(item.added,))


def body_of_force(actor: Actor, force: MeasuredForce) -> str:
    """Say on which body a force acts."""
    known = actor.figure.joint_index
    return f"on {actor.figure.joint(force.joint).name}" if force.joint in known else "on a body that is not there"
