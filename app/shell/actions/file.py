"""Files: new, open, save, export, recover, quit."""

from __future__ import annotations

from functools import partial
from typing import cast

from app.features.action import Action
from app.shell.actions.topic import ShellTopic
from app.style.export_button import AGAINST_TIME, KINDS, HasCurves
from engine.queries.examples import EXAMPLES

_EXAMPLES = {
    "standing": "A human whose feet are pinned.",
    "walk": "A human that walks ahead, step by step.",
    "ball": "A human that steps up to a ball, takes it and waves.",
    "jump": "A human that jumps.",
    "punch": "A boxer whose body swings and whose fist meets a ball.",
    "fast_punch": "The same punch, met at a speed.",
    "hands": "Two figures that hold hands.",
    "lamp": "A desk lamp that looks at a ball.",
    "letters": "A dancer whose loose body meets four letters.",
    "grasp": "A hand that stands still as it touches a cup, and takes it.",
    "hanging_ball": "A ball on a string three times, with a short, a middling and a long window.",
    "skeleton": "A human skeleton of 103 bones that stands on its feet; drag any of them.",
    "muscled_walk": "A skeleton that walks, its muscles activated as the walk takes it.",
    "limp": "The same skeleton with weak abductors of its left hip: how it walks was found.",
    "body": "The skeleton with all of its 823 muscles, some of them activated.",
    "quadruped": "An animal that lifts a paw.",
    "ragdoll": "A human that jumps, is let go in the air and tumbles over crates.",
    "belly": "A human with a soft belly, let go in the air: both push each other, and it falls on a bench.",
    "jelly": "A soft cube that falls on a log and rolls off it.",
    "snake": "A soft snake that crawls by waves of its two splines.",
    "word": "Three soft snakes that crawl and curl up to the word COS, read from above.",
    "stool": "A soft stool that walks by impulses of the splines in its legs.",
    "table": "A planar table that walks by three splines.",
    "leap": "A planar table that jumps to a mark: what its splines do was searched for.",
    "lamp_leap": "A desk lamp whose leap was found: the least effort that takes it there (Spacetime panel).",
    "long_leap": "A desk lamp that leaps farther and lands gently, its blows bounded.",
    "pendulum": "A double pendulum with one muscle, whose rods are in line in the end.",
    "links": "Three links that straighten by the best of several ways that were found.",
    "kneel": "Legs that kneel in as long as costs them least.",
    "fall": "A ball that is thrown and falls: nothing drives it, and its path is the parabola.",
    "throw": "An arm that swings in space and lets a ball go with a velocity; then physics has it.",
    "ball_play": "Two desk lamps that play a ball to each other: found in one search.",
    "two_particles": "Two particles on a spring: the forces that took them along were found again.",
    "lizard": "A soft lizard of six splines.",
    "biceps": "A soft arm that a spline bends over a crate.",
    "overlap": "Two soft cylinders afloat, each with two splines that share points.",
    "regions": "Three soft cylinders with the same spline, whose regions are small, middling and large.",
    "hat": "A figure that stoops so that its floppy hat clears a door frame.",
    "face": "A loose face that smiles and tilts its head exactly on time.",
    "dam": "A dam that breaks on a block.",
    "splash": "A ball that drops into a basin and comes up again.",
    "floats": "Boxes from cork to stone in one tank.",
    "duck": "A soft duck that drops into a bath and floats.",
    "face_down": "A figure that is let go above a pool.",
    "waves": "A wave maker, whose waves carry a plank against a post.",
    "stream": "A current that comes in at one end of a tank and goes out at the other, past a post.",
    "pond": "A pond with a raft and buoys, into which a stone falls.",
    "arm": "A soft arm of five muscles about stiff bones, which lift it off a table.",
    "curl": "An arm of bones and five muscles that lifts a weight, the second time against its own triceps.",
    "lift": "The same arm, simulated: nothing but its muscles lifts the weight, throws it up and holds it stiffly.",
    "squat": "The body with all of its muscles in a squat: those redden that the motion takes.",
    "dropped": "Two bodies let go in the air in one pose: the relaxed one crumples, the tensed one lands stiffly.",
    "flesh": "A human of flesh about a stiffened skeleton, which walks.",
    "seesaw": "A soft cube that falls on a seesaw and throws up a ball.",
}
_WRITTEN = {
    ".csv": "as a table, every number with all its digits",
    ".npz": "as arrays for numpy",
    ".svg": "as a drawing",
    ".sto": "as a table that OpenSim reads",
}


class FileCommands(ShellTopic):
    """Files: new, open, save, export, quit."""

    def new(self) -> None:
        """Begin a new document, after asking about changes that are not saved."""
        self._files.new()

    def open(self) -> None:
        """Choose a file and open it."""
        self._files.choose_and_open()

    def bring_in(self) -> None:
        """Choose a file of another program, a capture, a character, a mesh: it joins the scene that is open."""
        self._files.choose_and_import()

    def open_example(self, *, example: str) -> None:
        """Begin with an example."""
        self._files.open_example(example)

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
        """Write the selected actors, all where none is, as another format."""
        actors = self._touched_actors() or [actor.id for actor in self._session.document.actors]
        if actors:
            self._files.export(actors)
        else:
            self._session.note("warning", "There is nothing to export: add a figure by the Add menu, or open a file.")

    def export_curves(self, *, panel: str, suffix: str) -> None:
        """Write curves to a file."""
        shown = cast(HasCurves, self._window.docks[panel].widget())
        if shown.has_curves:
            self._files.export_curves(shown, suffix)
        else:
            title = self._window.docks[panel].windowTitle()
            self._session.note("warning", f"There is nothing to export: the {title} panel shows no curve. Look at it.")

    def has_drawn_curves(self) -> bool:
        """True if the Curves panel draws a curve."""
        return self._has_curves("curves")

    def has_solve(self) -> bool:
        """True if the Method panel shows what a solve came to."""
        return self._has_curves("method")

    def has_plot(self) -> bool:
        """True if what is selected has a quantity that is ticked in the Plot panel."""
        return self._has_curves("plot")

    def _has_curves(self, panel: str) -> bool:
        """True, too, for a panel that nobody has seen yet: menus are brought up to date while the window starts, and
        three panels would be made for that."""
        dock = self._window.docks[panel]
        return not dock.is_made or cast(HasCurves, dock.widget()).has_curves

    def has_viewport(self) -> bool:
        """True if there is a 3D picture."""
        return self._window.viewport is not None

    def save_log(self) -> None:
        """Write all that was done as a log that can be done again."""
        self._files.save_log()

    def save_figure(self) -> None:
        """Write the figure of which something was selected last as text, apart from its pose."""
        self._files.save_figure(self._touched_actors()[-1])

    def has_touched_actor(self) -> bool:
        """True if an actor, or a part of one, is selected."""
        return bool(self._touched_actors())

    def _touched_actors(self) -> list[str]:
        chosen = {item.actor for item in self._session.selection.items}
        return [actor.id for actor in self._session.document.actors if actor.id in chosen]

    def recover(self) -> None:
        """List the copies that Sinew keeps of what was open, to go on with one."""
        self._window.recovery.show_sheet()

    def keeps_copies(self) -> bool:
        """True if there is a folder for copies."""
        return self._session.recovering.folder is not None

    def ask_about_imports(self) -> None:
        """Ask again about the kinds of files that are imported without a question."""
        self._files.imports.forget()

    def imports_unasked(self) -> bool:
        """True if kinds of files are imported without a question."""
        return bool(self._files.imports.remembered)

    def quit(self) -> None:
        """Close the window."""
        self._window.close()


Do = FileCommands

ACTIONS: tuple[Action, ...] = (
    Action(id="file.new", label="New", menu="File", call=Do.new, keys=("Ctrl+N",), icon="file-plus"),
    Action(id="file.open", label="Open…", menu="File", call=Do.open, keys=("Ctrl+O",), icon="folder-open"),
    *(
        Action(
            id=f"file.example_{each.id}", label=each.label, menu="File", call=partial(Do.open_example, example=each.id),
            submenu="Open example", about=_EXAMPLES[each.id],
        )
        for each in EXAMPLES
    ),
    Action(id="file.save", label="Save", menu="File", call=Do.save, keys=("Ctrl+S",), icon="save", begins_group=True),
    Action(
        id="file.save_as", label="Save as…", menu="File", call=Do.save_as, keys=("Ctrl+Shift+S",), icon="save-all"
    ),
    Action(
        id="file.save_numbered", label="Save a numbered version", menu="File", call=Do.save_numbered,
        keys=("Ctrl+Alt+S",),
    ),
    Action(id="file.pack", label="Pack for sharing…", menu="File", call=Do.pack, icon="box"),
    Action(id="file.import", label="Import…", menu="File", call=Do.bring_in, begins_group=True),
    Action(id="file.export", label="Export…", menu="File", call=Do.export, keys=("Ctrl+E",)),
    *(
        Action(
            id=f"file.{name}_{suffix[1:]}", label=label, menu="File",
            call=partial(Do.export_curves, panel=panel, suffix=suffix), when=when, submenu=submenu,
            about=f"Write the {what}{'' if suffix == '.svg' else steps} {_WRITTEN[suffix]}.",
        )
        for name, panel, submenu, when, what, steps in (
            ("plot", "plot", "Export plot", Do.has_plot, "curves of the Plot panel", ""),
            ("keys", "curves", "Export curves of keys", Do.has_drawn_curves, "curves of the Curves panel",
             ", frame by frame,"),
            ("solve", "method", "Export residuals", Do.has_solve, "residuals of the last solve",
             ", iteration by iteration,"),
        )
        for suffix, label in (AGAINST_TIME if name == "plot" else KINDS)
    ),
)  # fmt: skip

LATER: tuple[Action, ...] = (
    Action(
        id="file.save_log", label="Save log…", menu="File", call=Do.save_log, icon="scroll-text", begins_group=True
    ),
    Action(
        id="file.save_figure", label="Save figure as…", menu="File", call=Do.save_figure, when=Do.has_touched_actor,
    ),
    Action(
        id="file.recover", label="Recover…", menu="File", call=Do.recover, when=Do.keeps_copies, icon="history",
        begins_group=True,
    ),
    Action(
        id="file.ask_again", label="Ask about imports again", menu="File", call=Do.ask_about_imports,
        when=Do.imports_unasked,
    ),
    Action(
        id="file.quit", label="Quit", menu="File", call=Do.quit, keys=("Ctrl+Q",), icon="log-out", begins_group=True
    ),
)  # fmt: skip
