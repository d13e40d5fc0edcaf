"""Selection: which actors and which of their parts a person has chosen, in the order of choosing."""

from __future__ import annotations

from collections.abc import Iterable

from engine.document import Document
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True)
class Item:
    """An actor, or one part (joint) of it, or what a system adds on that part, such as a constraint."""

    actor: str
    part: str | None = None
    added: str | None = None


@dataclass(frozen=True)
class Selection:
    """The chosen items, each once."""

    items: tuple[Item, ...] = ()

    @staticmethod
    def of(items: Iterable[Item]) -> Selection:
        """Make a selection of these items; of repeated ones the first stays."""
        return Selection(tuple(dict.fromkeys(items)))

    @property
    def active(self) -> Item | None:
        """The item chosen last."""
        return self.items[-1] if self.items else None

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __bool__(self) -> bool:
        return bool(self.items)

    def toggled(self, item: Item) -> Selection:
        """With the item added at the end, or taken out if it is there."""
        if item in self.items:
            return Selection(tuple(each for each in self.items if each != item))
        return Selection((*self.items, item))

    def within(self, document: Document) -> Selection:
        """Without the items that the document does not hold; the same object if it holds all."""
        kept = tuple(item for item in self.items if _holds(document, item))
        return self if len(kept) == len(self.items) else Selection(kept)


def _holds(document: Document, item: Item) -> bool:
    if item.actor not in document.actor_index:
        return False
    actor = document.actor(item.actor)
    if item.added is not None and actor.joint_of(item.added) != item.part:
        return False
    return item.part is None or item.part in actor.figure.joint_index
