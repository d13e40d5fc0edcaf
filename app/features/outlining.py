"""Rows that a feature adds to the outliner below an actor: parts of it that a person selects, names and takes away."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from app.session import Item
from engine.document import Actor
from engine.edits import Edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.model import Snapshot


@dataclass(frozen=True, kw_only=True)
class OutlineRow:
    """A part of an actor, and how it stands in a picture."""

    item: Item
    name: str
    icon: str
    about: str  # its kind, before its name
    words: str  # what it does
    counts: bool  # whether its eye is open
    state: str = ""  # how it does it in the picture, in a few words
    missed: bool = False  # whether that is not what is asked for
    on_joint: bool = False  # whether it stands below the joint of its item, not below the actor


class Outlined(Protocol):
    """Additions of a feature to the outliner."""

    def rows(self, actor: Actor, snapshot: Snapshot | None) -> Iterable[OutlineRow]:
        """List the parts of an actor, as a picture shows them."""

    def rename(self, item: Item, name: str) -> Edit:
        """Make the edit that names one."""

    def let_count(self, item: Item, *, counts: bool) -> Edit:
        """Make the edit that opens or closes its eye."""

    def remove(self, item: Item) -> Edit:
        """Make the edit that takes it away."""
