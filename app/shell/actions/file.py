"""Files: new, open, save, export, recover, quit."""

from __future__ import annotations

from typing import cast

from app.panels.method import MethodPanel
from app.shell.actions.action import Action, Topic
from app.style.export_button import KINDS, HasCurves
from app.timeline.graph.panel import CurvesPanel
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
        id="file.save_numbered", label="Save a numbered version", menu="File", call="save_numbered",
        keys=("Ctrl+Alt+S",),
    ),
    Action(id="file.pack", label="Pack for sharing…", menu="File", call="pack", icon="box"),
    Action(
        id="file.export", label="Export…", menu="File", call="export", keys=("Ctrl+E",),
        when="has_touched_actor", begins_group=True,
    ),
    Action(
        id="file.plot_csv", label="As numbers (CSV)…", menu="File", call="export_plot_csv", when="has_plot",
        submenu="Export plot",
    ),
    Action(
        id="file.plot_npz", label="As arrays (NPZ)…", menu="File", call="export_plot_npz", when="has_plot",
        submenu="Export plot",
    ),
    Action(
        id="file.plot_svg", label="As a drawing (SVG)…", menu="File", call="export_plot_svg", when="has_plot",
        submenu="Export plot",
    ),
    *(
        Action(
            id=f"file.{panel}_{suffix[1:]}", label=label, menu="File", call=f"export_{panel}_{suffix[1:]}", when=when,
            submenu=submenu,
        )
        for panel, submenu, when in (
            ("keys", "Export curves of keys", "has_drawn_curves"), ("solve", "Export residuals", "has_solve"),
        )
        for suffix, label in KINDS
    ),
    Action(
        id="file.export_film", label="Export pictures and film…", menu="File", call="export_film",
        keys=("Ctrl+Shift+E",), when="has_viewport", icon="film", begins_group=True,
    ),
    Action(
        id="file.export_picture", label="Export this picture…", menu="File", call="export_picture",
        when="has_viewport", icon="image",
    ),
    Action(id="file.exports", label="Films and pictures", menu="File", call="show_exports", when="has_exports"),
    Action(
        id="file.save_log", label="Save log…", menu="File", call="save_log", icon="scroll-text", begins_group=True
    ),
    Action(
        id="file.save_figure", label="Save figure as…", menu="File", call="save_figure", when="has_touched_actor",
    ),
    Action(
        id="file.recover", label="Recover…", menu="File", call="recover", when="keeps_copies", icon="history",
        begins_group=True,
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

    def open_punch(self) -> None:
        """A boxer whose body swings and whose fist meets a ball."""
        self._files.open_example("punch")

    def open_fast_punch(self) -> None:
        """The same punch, met at a speed."""
        self._files.open_example("fast_punch")

    def open_hands(self) -> None:
        """Two figures that hold hands."""
        self._files.open_example("hands")

    def open_lamp(self) -> None:
        """A desk lamp that looks at a ball."""
        self._files.open_example("lamp")

    def open_letters(self) -> None:
        """A dancer whose loose body meets four letters."""
        self._files.open_example("letters")

    def open_grasp(self) -> None:
        """A hand that stands still as it touches a cup, and takes it."""
        self._files.open_example("grasp")

    def open_hanging_ball(self) -> None:
        """A ball on a string three times, with a short, a middling and a long window."""
        self._files.open_example("hanging_ball")

    def open_quadruped(self) -> None:
        """An animal that lifts a paw."""
        self._files.open_example("quadruped")

    def save(self) -> None:
        """Save where the document came from, else ask."""
        self._files.save()

    def save_as(self) -> None:
        """Choose where to save."""
        self._files.save_as()

    def save_numbered(self) -> None:
        """Save under the next number beside the present file (walk, walk 2, walk 3), and go on there."""
        self._files.projects.save_numbered()

    def pack(self) -> None:
        """Write a copy for others, with the videos that lie beside it and without the undo list."""
        self._files.projects.pack()

    def export(self) -> None:
        """Write the selected actors as another format."""
        self._files.export(self._touched_actors())

    def export_plot_csv(self) -> None:
        """Write the curves of the Plot panel as a table, every number with all its digits."""
        self._export_curves("plot", ".csv")

    def export_plot_npz(self) -> None:
        """Write the curves of the Plot panel as arrays for numpy."""
        self._export_curves("plot", ".npz")

    def export_plot_svg(self) -> None:
        """Write the curves of the Plot panel as a drawing."""
        self._export_curves("plot", ".svg")

    def export_keys_csv(self) -> None:
        """Write the curves of the Curves panel, frame by frame, as a table."""
        self._export_curves("curves", ".csv")

    def export_keys_npz(self) -> None:
        """Write the curves of the Curves panel, frame by frame, as arrays for numpy."""
        self._export_curves("curves", ".npz")

    def export_keys_svg(self) -> None:
        """Write the curves of the Curves panel as a drawing."""
        self._export_curves("curves", ".svg")

    def export_solve_csv(self) -> None:
        """Write the residuals of the last solve, iteration by iteration, as a table."""
        self._export_curves("method", ".csv")

    def export_solve_npz(self) -> None:
        """Write the residuals of the last solve, iteration by iteration, as arrays for numpy."""
        self._export_curves("method", ".npz")

    def export_solve_svg(self) -> None:
        """Write the residuals of the last solve as a drawing."""
        self._export_curves("method", ".svg")

    def _export_curves(self, panel: str, suffix: str) -> None:
        self._files.export_curves(cast(HasCurves, self._window.docks[panel].widget()), suffix)

    @property
    def has_drawn_curves(self) -> bool:
        """Whether the Curves panel draws a curve."""
        panel = self._window.docks["curves"].widget()
        return isinstance(panel, CurvesPanel) and panel.is_current and bool(panel.graph.seen)

    @property
    def has_solve(self) -> bool:
        """Whether the Method panel shows what a solve came to."""
        panel = self._window.docks["method"].widget()
        return isinstance(panel, MethodPanel) and panel.answer.export.isEnabled()

    @property
    def has_plot(self) -> bool:
        """Whether what is selected has a quantity that is ticked in the Plot panel."""
        return self._session.plotting.wanted(self._session.document) is not None

    def export_film(self) -> None:
        """Write what moves as a film, or as a picture for each frame."""
        self._window.films.show_sheet()

    def export_picture(self) -> None:
        """Write what the active view shows now as one picture, of the size that films have."""
        self._window.films.export_picture()

    @property
    def has_viewport(self) -> bool:
        """Whether there is a 3D picture."""
        return self._window.viewport is not None

    def show_exports(self) -> None:
        """List what is exported and what waits, to cancel it or to find it on the disk."""
        self._window.films.show_queue()

    @property
    def has_exports(self) -> bool:
        """Whether something was exported since the start."""
        return self._window.films.has_any

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

    def recover(self) -> None:
        """List the copies that Sinew keeps of what was open, to go on with one."""
        self._window.recovery.show_sheet()

    @property
    def keeps_copies(self) -> bool:
        """Whether there is a folder for copies."""
        return self._session.recovering.folder is not None

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
