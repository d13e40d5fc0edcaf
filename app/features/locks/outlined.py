"""OutlinedLocks: the pins of an actor as rows of the outliner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.features.locks.words import icon_of, words_of
from app.features.outlining import OutlineRow
from app.session import Item
from engine.document import Actor, Lock
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from engine.model import LockMark, Snapshot


class OutlinedLocks:
    """Pins stand below their actor, before its joints."""

    def rows(self, actor: Actor, snapshot: Snapshot | None) -> Iterator[OutlineRow]:
        """List the pins of an actor, and how a picture keeps them; those that it does not tell of do not count."""
        marks = {} if snapshot is None else {each.lock: each for each in snapshot.locks if each.owner == actor.id}
        for lock in actor.locks:
            mark = None if lock.mute else marks.get(lock.id)
            yield OutlineRow(
                item=Item(actor.id, lock.joint, lock.id),
                name=lock.name,
                icon=icon_of(lock),
                about="Pin",
                words=words_of(lock),
                counts=not lock.mute,
                state=_state(lock, mark),
                missed=mark is not None and not mark.kept,
            )

    def rename(self, item: Item, name: str) -> Edit:
        """Make the edit that names a pin."""
        return edit("rename_lock", actor=item.actor, lock=item.added, name=name)

    def let_count(self, item: Item, *, counts: bool) -> Edit:
        """Make the edit that mutes a pin, or lets it count again."""
        return edit("mute_lock", actor=item.actor, lock=item.added, mute=not counts)

    def remove(self, item: Item) -> Edit:
        """Make the edit that takes a pin away."""
        return edit("remove_lock", actor=item.actor, lock=item.added)


def _state(lock: Lock, mark: LockMark | None) -> str:
    if lock.mute:
        return "muted"
    if mark is None:
        return "off now"
    if not mark.kept:
        return mark.text
    return "met" if mark.share > 0.999 else f"eased, {100.0 * mark.share:.0f} %"
