"""OutlinedSplines: the splines of a soft body as rows of the outliner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.features.outlining import OutlineRow
from app.session import Item
from engine.document import Actor
from engine.edits import Edit, edit
from engine.soft.parts import ActivationSpline, SoftBody

if TYPE_CHECKING:
    from engine.model import Snapshot


class OutlinedSplines:
    """Splines stand below their actor."""

    def rows(self, actor: Actor, snapshot: Snapshot | None) -> Iterator[OutlineRow]:
        """List the splines of an actor."""
        body = actor.part(SoftBody) if actor.parts else None
        for spline in () if body is None else body.splines:
            yield OutlineRow(
                item=Item(actor.id, actor.figure.joints[0].id, spline.id),
                name=spline.name,
                icon="spline",
                about="Spline",
                words=words_of(spline),
                counts=not spline.mute,
                state="muted" if spline.mute else words_of(spline),
            )

    def rename(self, item: Item, name: str) -> Edit:
        """Make the edit that names a spline."""
        return edit("rename_activation_spline", actor=item.actor, spline=item.added, name=name)

    def let_count(self, item: Item, *, counts: bool) -> Edit:
        """Make the edit that mutes a spline, or lets it count again."""
        return edit("set_activation_spline", actor=item.actor, spline=item.added, mute=not counts)

    def remove(self, item: Item) -> Edit:
        """Make the edit that takes a spline away."""
        return edit("remove_activation_spline", actor=item.actor, spline=item.added)


def words_of(spline: ActivationSpline) -> str:
    """Say in a few words where the alpha of a spline comes from."""
    if spline.activation == "keys" and spline.track is not None:
        count = len(spline.track.keys)
        return f"{count} key" if count == 1 else f"{count} keys"
    if spline.activation == "expression":
        return "f(t, s)"
    return "passive" if spline.alpha == 1.0 else f"\N{GREEK SMALL LETTER ALPHA} {spline.alpha:.2f}"
