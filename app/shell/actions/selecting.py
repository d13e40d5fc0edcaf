"""What is selected."""

from __future__ import annotations

from app.session import Item
from app.shell.actions.action import Action, Topic

ACTIONS: tuple[Action, ...] = (
    Action(
        id="select.all", label="Select all", menu="Select", call="select_all", keys=("Ctrl+A",),
        when="has_actors", begins_group=True,
    ),
    Action(
        id="select.none", label="Deselect", menu="Select", call="deselect", keys=("Ctrl+Shift+A",),
        when="has_selection",
    ),
)  # fmt: skip


class SelectingCommands(Topic):
    """What is selected."""

    def select_all(self) -> None:
        """Select every actor."""
        self._session.select(Item(actor.id) for actor in self._session.document.actors)

    def deselect(self) -> None:
        """Select nothing."""
        self._session.select(())

    @property
    def has_actors(self) -> bool:
        """Whether there is anything to select."""
        return bool(self._session.document.actors)

    @property
    def has_selection(self) -> bool:
        """Whether something is selected."""
        return bool(self._session.selection)
