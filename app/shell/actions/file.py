"""Files: new, open, save, export, quit."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic
from engine.jobs.examples import EXAMPLES

ACTIONS: tuple[Action, ...] = (
    Action(id="file.new", label="New", menu="File", call="new", keys=("Ctrl+N",), icon="file-plus"),
    Action(id="file.open", label="Open…", menu="File", call="open", keys=("Ctrl+O",), icon="folder-open"),
    *(
        Action(
            id=f"file.example_{each.id}", label=each.label, menu="File", call=f"open_{each.id}",
            submenu="Open example",
        )
        for each in EXAMPLES
    ),
    Action(id="file.save", label="Save", menu="File", call="save", keys=("Ctrl+S",), icon="save", begins_group=True),
    Action(
        id="file.save_as", label="Save as…", menu="File", call="save_as", keys=("Ctrl+Shift+S",), icon="save-all"
    ),
    Action(
        id="file.export", label="Export…", menu="File", call="export", keys=("Ctrl+E",),
        when="has_touched_actor", begins_group=True,
    ),
    Action(
        id="file.plot_csv", label="As numbers (CSV)…", menu="File", call="export_plot_csv", when="has_plot",
        submenu="Export plot",
    ),
    Action(
        id="file.plot_svg", label="As a drawing (SVG)…", menu="File", call="export_plot_svg", when="has_plot",
        submenu="Export plot",
    ),
    Action(id="file.save_log", label="Save log…", menu="File", call="save_log", icon="scroll-text"),
    Action(
        id="file.save_figure", label="Save figure as…", menu="File", call="save_figure", when="has_touched_actor",
    ),
    Action(
        id="file.ask_again", label="Ask about imports again", menu="File", call="ask_about_imports",
        when="imports_unasked",
    ),
    Action(
        id="file.quit", label="Quit", menu="File", call="quit", keys=("Ctrl+Q",), icon="log-out", begins_group=True
    ),
)  # fmt: skip


class FileCommands(Topic):
    """Files: new, open, save, export, quit."""

    def new(self) -> None:
        """Begin a new document, after asking about changes that are not saved."""
        self._files.new()

    def open(self) -> None:
        """Choose a file and open it."""
        self._files.choose_and_open()

    def open_standing(self) -> None:
        """A human whose feet are held."""
        self._files.open_example("standing")

    def open_walk(self) -> None:
        """A human that walks on the spot."""
        self._files.open_example("walk")

    def open_ball(self) -> None:
        """A human that steps up to a ball, takes it and waves."""
        self._files.open_example("ball")

    def open_jump(self) -> None:
        """A human that jumps."""
        self._files.open_example("jump")

    def open_hands(self) -> None:
        """Two figures that hold hands."""
        self._files.open_example("hands")

    def open_lamp(self) -> None:
        """A desk lamp that looks at a ball."""
        self._files.open_example("lamp")

    def open_quadruped(self) -> None:
        """An animal that lifts a paw."""
        self._files.open_example("quadruped")

    def save(self) -> None:
        """Save where the document came from, else ask."""
        self._files.save()

    def save_as(self) -> None:
        """Choose where to save."""
        self._files.save_as()

    def export(self) -> None:
        """Write the selected actors as another format."""
        self._files.export(self._touched_actors())

    def export_plot_csv(self) -> None:
        """Write the curves of the Plot panel as a table, every number with all its digits."""
        self._files.export_plot(".csv")

    def export_plot_svg(self) -> None:
        """Write the curves of the Plot panel as a drawing."""
        self._files.export_plot(".svg")

    @property
    def has_plot(self) -> bool:
        """Whether what is selected has a quantity that is ticked in the Plot panel."""
        return self._session.plotting.wanted(self._session.document) is not None

    def save_log(self) -> None:
        """Write all that was done as a log that can be done again."""
        self._files.save_log()

    def save_figure(self) -> None:
        """Write the figure of which something was selected last as text, apart from its pose."""
        self._files.save_figure(self._touched_actors()[-1])

    @property
    def has_touched_actor(self) -> bool:
        """Whether an actor, or a part of one, is selected."""
        return bool(self._touched_actors())

    def _touched_actors(self) -> list[str]:
        chosen = {item.actor for item in self._session.selection.items}
        return [actor.id for actor in self._session.document.actors if actor.id in chosen]

    def ask_about_imports(self) -> None:
        """Ask again about the kinds of files that are imported without a question."""
        self._files.imports.forget()

    @property
    def imports_unasked(self) -> bool:
        """Whether there are such kinds."""
        return bool(self._files.imports.remembered)

    def quit(self) -> None:
        """Close the window."""
        self._window.close()
