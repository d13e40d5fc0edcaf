"""Actions that show secondary motion in the views."""

from __future__ import annotations

from app.features.action import Action, Topic


class ShowingSecondaryCommands(Topic):
    """The commands that show secondary motion in the views."""

    def toggle_keyed(self) -> None:
        """Show how figures that swing are keyed, as ghosts."""
        self._window.prefer(show_keyed=not self.shows_keyed())

    def shows_keyed(self) -> bool:
        """True if the keyed pose is shown."""
        return self._window.switch("show_keyed")

    def toggle_targets(self) -> None:
        """Show where figures that swing are to be, and by how much they miss it."""
        self._window.prefer(show_targets=not self.shows_targets())

    def shows_targets(self) -> bool:
        """True if targets are shown."""
        return self._window.switch("show_targets")

    def toggle_paths(self) -> None:
        """Show how what is selected goes as it is keyed, with secondary motion, and by full dynamics from the start."""
        self._window.prefer(show_paths=not self.shows_paths())

    def shows_paths(self) -> bool:
        """True if the paths are shown."""
        return self._window.switch("show_paths")


Do = ShowingSecondaryCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="view.show_keyed", label="Keyed figure behind secondary motion", menu="View", call=Do.toggle_keyed,
        submenu="Show", checked=Do.shows_keyed,
    ),
    Action(
        id="view.show_targets", label="Targets of secondary motion", menu="View", call=Do.toggle_targets,
        submenu="Show", checked=Do.shows_targets,
    ),
    Action(
        id="view.show_paths", label="Secondary motion's paths", menu="View", call=Do.toggle_paths, submenu="Show",
        checked=Do.shows_paths,
    ),
)  # fmt: skip
