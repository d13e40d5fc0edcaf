"""SelectionSet: actors and joints under one name, to be chosen together again."""

from __future__ import annotations

from engine.document.parts import Part
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

Chosen = tuple[str, str | None]
"""An actor by id, and one of its joints; None: the actor as a whole."""


@dataclass(frozen=True, kw_only=True)
class SelectionSet(Part):
    """Items that are chosen together, the active one last."""

    id: str
    name: str
    items: tuple[Chosen, ...]

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidDocument(what="the name of a selection set", value=self.name, allowed="some text")
        if not self.items or len(set(self.items)) < len(self.items):
            allowed = "one item or more, each once"
            raise InvalidDocument(what=f"the items of {self.name}", value=self.items, allowed=allowed)
