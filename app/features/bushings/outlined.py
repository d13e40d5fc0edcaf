"""OutlinedBushings: the bushings of a figure as rows of the outliner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.features.outlining import OutlineRow
from app.session import Item
from engine.bushings.parts import Bushing, Bushings
from engine.document import Actor
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from engine.model import Snapshot


class OutlinedBushings:
    """Bushings stand below the first joint that they are on."""

    def rows(self, actor: Actor, snapshot: Snapshot | None) -> Iterator[OutlineRow]:
        """List the bushings of an actor."""
        found = actor.part(Bushings) if actor.parts else None
        for each in () if found is None else found.bushings:
            ends = ends_of(actor, each)
            yield OutlineRow(
                item=item_of(actor, each),
                name=each.name,
                icon="link-2",
                about="Bushing",
                words=ends,
                counts=not each.mute,
                state="muted" if each.mute else "",
                on_joint=True,
            )

    def rename(self, item: Item, name: str) -> Edit:
        """Make the edit that names a bushing."""
        return edit("set_bushing", actor=item.actor, bushing=item.added, name=name)

    def let_count(self, item: Item, *, counts: bool) -> Edit:
        """Make the edit that mutes a bushing, or lets it count again."""
        return edit("set_bushing", actor=item.actor, bushing=item.added, mute=not counts)

    def remove(self, item: Item) -> Edit:
        """Make the edit that takes a bushing away."""
        return edit("remove_bushings", actor=item.actor, bushings=(item.added,))


def item_of(actor: Actor, bushing: Bushing) -> Item:
    """Give what is selected where a bushing is: it on the first body that it stands on."""
    return Item(actor.id, bushing.joints[0], bushing.id)


def ends_of(actor: Actor, bushing: Bushing) -> str:
    """Say between which bodies a bushing is."""
    known = actor.figure.joint_index
    ids = (bushing.first, bushing.second)
    return " to ".join(
        "the ground" if id is None else actor.figure.joint(id).name if id in known else "nothing" for id in ids
    )
