"""Actions that show and hide the scene, and that freeze it."""

from __future__ import annotations

from app.features.action import Action
from app.shell.actions.topic import ShellTopic
from engine.document import Actor
from engine.edits import edit


class ShowingCommands(ShellTopic):
    """The commands that show and hide the scene, and that freeze it."""

    def toggle_balance(self) -> None:
        """Show where the mass of each actor is, and whether it stands on its feet."""
        self._window.prefer(show_balance=not self.shows_balance())

    def shows_balance(self) -> bool:
        """True if balance is shown."""
        return self._window.preferences.show_balance

    def toggle_contacts(self) -> None:
        """Mark where bodies touch the floor."""
        self._window.prefer(show_contacts=not self.shows_contacts())

    def shows_contacts(self) -> bool:
        """True if contacts are marked."""
        return self._window.preferences.show_contacts

    def hide(self) -> None:
        """Hide the actors of which something is selected."""
        for actor in self._chosen:
            self._session.do(edit("show_actor", actor=actor.id, visible=False))

    def isolate(self) -> None:
        """Hide all actors but those of which something is selected."""
        self._session.do(edit("isolate_actors", actors=tuple(actor.id for actor in self._chosen)))

    def show_all(self) -> None:
        """Show every actor."""
        self._session.do(edit("show_all_actors"))

    def toggle_frozen(self) -> None:
        """Keep the selected actors from being picked and dragged, or let them be."""
        frozen = not self._are_frozen
        for actor in self._chosen:
            self._session.do(edit("freeze_actor", actor=actor.id, frozen=frozen))

    def thaw_all(self) -> None:
        """Let every actor be picked and dragged again."""
        for actor in self._session.document.actors:
            self._session.do(edit("freeze_actor", actor=actor.id, frozen=False))

    def freeze_text(self) -> str:
        """Freeze or thaw."""
        return "Thaw selected" if self._are_frozen else "Freeze selected"

    def has_chosen(self) -> bool:
        """True if something of an actor is selected."""
        return bool(self._chosen)

    def has_hidden(self) -> bool:
        """True if an actor is hidden."""
        return any(not actor.visible for actor in self._session.document.actors)

    def has_frozen(self) -> bool:
        """True if an actor is frozen."""
        return any(actor.frozen for actor in self._session.document.actors)

    @property
    def _are_frozen(self) -> bool:
        return bool(self._chosen) and all(actor.frozen for actor in self._chosen)

    @property
    def _chosen(self) -> list[Actor]:
        wanted = {item.actor for item in self._session.selection.items}
        return [actor for actor in self._session.document.actors if actor.id in wanted]


Do = ShowingCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="view.show_balance", label="Centre of mass and support", menu="View", call=Do.toggle_balance,
        submenu="Show", checked=Do.shows_balance,
    ),
    Action(
        id="view.show_contacts", label="Contacts", menu="View", call=Do.toggle_contacts, submenu="Show",
        checked=Do.shows_contacts,
    ),
)  # fmt: skip

LATER: tuple[Action, ...] = (
    Action(
        id="view.hide", label="Hide selected", menu="View", call=Do.hide, keys=("Ctrl+H",), icon="eye-off",
        when=Do.has_chosen, begins_group=True,
    ),
    Action(
        id="view.isolate", label="Isolate selected", menu="View", call=Do.isolate, keys=("Shift+I",),
        when=Do.has_chosen,
    ),
    Action(
        id="view.show_all", label="Show all", menu="View", call=Do.show_all, keys=("Ctrl+Shift+H",), icon="eye",
        when=Do.has_hidden,
    ),
    Action(
        id="view.freeze", label="Freeze selected", menu="View", call=Do.toggle_frozen, icon="snowflake",
        when=Do.has_chosen, text=Do.freeze_text,
    ),
    Action(
        id="view.thaw_all", label="Thaw all", menu="View", call=Do.thaw_all, when=Do.has_frozen,
    ),
)  # fmt: skip
