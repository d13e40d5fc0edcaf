"""Help, what is to be read, and the engine."""

from __future__ import annotations

from app.features.action import Action
from app.shell.actions.topic import ShellTopic


class HelpCommands(ShellTopic):
    """Help, what is to be read, and the engine."""

    def show_help(self) -> None:
        """Explain the panel under the pointer, and how to begin."""
        self._window.sheets.show_help()

    def show_start_page(self) -> None:
        """Recent files, examples and the keymap, as Sinew starts with."""
        self._window.show_start_page()

    def begin_tour(self) -> None:
        """Begin a guided tour of a few minutes, in a new scene: pose, pin, key, play."""
        self._window.begin_tour()

    def tour_back(self) -> None:
        """Show the step before once more."""
        if self._window.tour is not None:
            self._window.tour.back()

    def tour_skip(self) -> None:
        """Go on to the next step."""
        if self._window.tour is not None:
            self._window.tour.skip()

    def tour_end(self) -> None:
        """Put the card of the tour away."""
        if self._window.tour is not None:
            self._window.tour.end()

    def open_palette(self) -> None:
        """Any action by a few letters of its name."""
        self._window.sheets.open_palette()

    def show_formats(self) -> None:
        """List the file formats."""
        self._window.sheets.show_formats()

    def show_keys(self) -> None:
        """Show all keys: found, changed, printed."""
        self._window.sheets.show_keys()

    def show_about(self) -> None:
        """Versions and licence."""
        self._window.sheets.show_about()

    def prepare_engine(self) -> None:
        """Take up preparing the kernels again."""
        self._session.engine.prepare()

    def has_picture(self) -> bool:
        """True if there is a picture."""
        return self._window.viewport is not None

    def in_tour(self) -> bool:
        """True if the first scene is under way."""
        return self._window.tour is not None

    def engine_can_be_prepared(self) -> bool:
        """True if the engine is not ready and nothing is being done about it."""
        return self._session.engine.idle


Do = HelpCommands

ACTIONS: tuple[Action, ...] = (
    Action(id="help.here", label="Help", menu="Help", call=Do.show_help, keys=("F1",), icon="circle-help"),
    Action(
        id="help.tour", label="First scene", menu="Help", call=Do.begin_tour, icon="person-standing",
        when=Do.has_picture,
    ),
    Action(id="help.start_page", label="Start page", menu="Help", call=Do.show_start_page, icon="grid-2x2"),
    Action(
        id="help.palette", label="Find an action…", menu="Help", call=Do.open_palette, keys=("Ctrl+Shift+P",),
        icon="search",
    ),
    Action(
        id="help.keys",
        label="Keyboard shortcuts…",
        menu="Help",
        call=Do.show_keys,
        keys=("Ctrl+F1",),
        icon="keyboard",
    ),
    Action(id="help.formats", label="File formats", menu="Help", call=Do.show_formats, icon="file"),
    Action(
        id="help.prepare", label="Prepare engine", menu="Help", call=Do.prepare_engine, when=Do.engine_can_be_prepared
    ),
    Action(
        id="help.tour_back", label="Tour: step back", menu="Help", call=Do.tour_back, when=Do.in_tour,
        begins_group=True,
    ),
    Action(id="help.tour_skip", label="Tour: skip this step", menu="Help", call=Do.tour_skip, when=Do.in_tour),
    Action(id="help.tour_end", label="Tour: end", menu="Help", call=Do.tour_end, when=Do.in_tour),
    Action(id="help.about", label="About Sinew", menu="Help", call=Do.show_about, icon="info", begins_group=True),
)  # fmt: skip
