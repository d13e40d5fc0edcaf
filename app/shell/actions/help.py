"""Help, what is to be read, and the engine."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic

ACTIONS: tuple[Action, ...] = (
    Action(id="help.here", label="Help", menu="Help", call="show_help", keys=("F1",), icon="circle-help"),
    Action(id="help.start_page", label="Start page", menu="Help", call="show_start_page", icon="grid-2x2"),
    Action(
        id="help.palette", label="Find an action…", menu="Help", call="open_palette", keys=("Ctrl+Shift+P",),
        icon="search",
    ),
    Action(id="help.keys", label="Keys…", menu="Help", call="show_keys", keys=("Ctrl+F1",), icon="keyboard"),
    Action(id="help.formats", label="Files", menu="Help", call="show_formats", icon="file"),
    Action(
        id="help.prepare", label="Prepare engine", menu="Help", call="prepare_engine", when="engine_can_be_prepared"
    ),
    Action(id="help.about", label="About Sinew", menu="Help", call="show_about", icon="info", begins_group=True),
)  # fmt: skip


class HelpCommands(Topic):
    """Help, what is to be read, and the engine."""

    def show_help(self) -> None:
        """What the panel under the pointer is for, and how to begin."""
        self._window.sheets.show_help()

    def show_start_page(self) -> None:
        """Recent files, examples and the keymap, as Sinew starts with."""
        self._window.show_start_page()

    def open_palette(self) -> None:
        """Any action by a few letters of its name."""
        self._window.sheets.open_palette()

    def show_formats(self) -> None:
        """The sheet of file formats."""
        self._window.sheets.show_formats()

    def show_keys(self) -> None:
        """All keys: found, changed, printed."""
        self._window.sheets.show_keys()

    def show_about(self) -> None:
        """Versions and licence."""
        self._window.sheets.show_about()

    def prepare_engine(self) -> None:
        """Take up preparing the kernels again."""
        self._session.engine.prepare()

    @property
    def engine_can_be_prepared(self) -> bool:
        """Whether the engine is not ready and nothing is being done about it."""
        return self._session.engine.idle
