"""Studies: one is opened, run, ended."""

from __future__ import annotations

from app.features.action import Action, Topic
from app.features.study.running import StudyRun
from app.features.window import FileKind

STUDIES = FileKind(name="study", title="Open a study", endings={".toml": "Studies"})


class StudyCommands(Topic):
    """The commands of studies."""

    def open(self) -> None:
        """Open a study: a scene that is done many times with other numbers, and measured into one table."""
        self._window.asking.choose_of(STUDIES, self._session.of(StudyRun).open)
        self._window.show_panel("study")


ACTIONS: tuple[Action, ...] = (
    Action(
        id="study.open", label="Open study…", menu="File", call=StudyCommands.open, icon="chart-line", begins_group=True
    ),
)
