"""Undo, redo, delete, and preferences."""

from __future__ import annotations

from app.features.action import Action
from app.features.feature import Features
from app.shell.actions.topic import ShellTopic
from engine.edits import edit


class EditCommands(ShellTopic):
    """Undo, redo, delete, and preferences."""

    def undo(self) -> None:
        """Take back the last change."""
        self._session.undo()

    def redo(self) -> None:
        """Do again what was undone."""
        self._session.redo()

    def can_undo(self) -> bool:
        """True if there is a change to take back."""
        return self._session.history.undo_entry is not None

    def can_redo(self) -> bool:
        """True if there is an undone change."""
        return self._session.history.redo_entry is not None

    def undo_text(self) -> str:
        """Undo, and what."""
        entry = self._session.history.undo_entry
        return f"Undo {_lowered(entry.label)}" if entry else "Undo"

    def redo_text(self) -> str:
        """Redo, and what."""
        entry = self._session.history.redo_entry
        return f"Redo {_lowered(entry.label)}" if entry else "Redo"

    def open_menu(self) -> None:
        """Open the menu of what is selected, as the right button does."""
        self._window.context_menu.open_at_pointer()

    def show_preferences(self) -> None:
        """Choose how Sinew looks, and how the mouse and keys work."""
        self._window.sheets.show_preferences()

    def delete(self) -> None:
        """Take away the target that was chosen, else the selected actors and pins, or the reference or selection set
        that is chosen; joints stay."""
        held = next((each for each in self._session.hands if each.in_hand), None)
        if held is not None:
            held.remove()
            return
        self._session.of(Features).remove(self._session, self._session.selection.items)
        for actor in self._selected_actors():
            self._session.do(edit("remove_actor", actor=actor))
        if self._session.references.chosen is not None:
            self._session.do(edit("remove_reference", reference=self._session.references.chosen))
        elif not self.has_selected_actor:
            found = self._session.sets.chosen
            if found is not None:
                self._session.do(edit("remove_selection_set", selection_set=found.id))

    def has_what_can_go(self) -> bool:
        """True if an actor, a pin, a target, a reference or a selection set is chosen."""
        chosen = self._session.references.chosen is not None or self._session.sets.chosen is not None
        return self.has_selected_actor or chosen or any(each.in_hand for each in self._session.hands)

    @property
    def has_selected_actor(self) -> bool:
        """True if a whole actor or a pin is selected."""
        return bool(self._selected_actors()) or any(item.added is not None for item in self._session.selection.items)

    def _selected_actors(self) -> list[str]:
        return [item.actor for item in self._session.selection.items if item.part is None]


def _lowered(label: str) -> str:
    """Return a label in the middle of another: its first word in small letters, unless it is a name."""
    first, _, rest = label.partition(" ")
    return f"{first.lower()} {rest}".strip()


Do = EditCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="edit.undo", label="Undo", menu="Edit", call=Do.undo, keys=("Ctrl+Z",), icon="undo-2",
        when=Do.can_undo, text=Do.undo_text,
    ),
    Action(
        id="edit.redo", label="Redo", menu="Edit", call=Do.redo, keys=("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo-2",
        when=Do.can_redo, text=Do.redo_text,
    ),
    Action(
        id="edit.delete", label="Delete", menu="Edit", call=Do.delete, keys=("Del",), icon="trash-2",
        when=Do.has_what_can_go, contexts=("actor", "lock"),
    ),
    Action(
        id="edit.menu", label="Context menu…", menu="Edit", call=Do.open_menu, keys=("Shift+F10", "Menu"),
    ),
    Action(
        id="edit.preferences", label="Preferences…", menu="Edit", call=Do.show_preferences, keys=("Ctrl+Alt+,",),
        icon="settings", begins_group=True,
    ),
)  # fmt: skip
