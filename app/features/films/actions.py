"""Videos and pictures: what moves written as a video, or what is seen as a picture."""

from __future__ import annotations

from app.features.action import Action, Topic
from app.features.films.films import Films


class FilmsCommands(Topic):
    """The commands that draw files: pictures and videos."""

    def export_film(self) -> None:
        """Write what moves as a video, or as a picture for each frame."""
        self._window.of(Films).show_sheet()

    def export_picture(self) -> None:
        """Write what the active view shows now as one picture, of the size that videos have."""
        self._window.of(Films).export_picture()

    def show_exports(self) -> None:
        """List what is exported and what waits, to cancel it or to find it on the disk."""
        self._window.of(Films).show_queue()

    def has_exports(self) -> bool:
        """True if something was exported since the start."""
        return self._window.of(Films).has_any

    def has_viewport(self) -> bool:
        """True if there is a 3D picture."""
        return self._window.viewport is not None


Do = FilmsCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="file.export_film", label="Export pictures and video…", menu="File", call=Do.export_film,
        keys=("Ctrl+Shift+E",), when=Do.has_viewport, icon="film", begins_group=True,
    ),
    Action(
        id="file.export_picture", label="Export this picture…", menu="File", call=Do.export_picture,
        when=Do.has_viewport, icon="image",
    ),
    Action(id="file.exports", label="Export queue", menu="File", call=Do.show_exports, when=Do.has_exports),
)  # fmt: skip
