"""Commands: what each action does, and whether it can be done now. No widget is made here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.session import Item, Session, actors
from app.style.theme import THEMES
from engine.document import Actor
from engine.edits import edit

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.shell.files import Files
    from app.shell.window import MainWindow


class Commands:
    """The members that `actions.ACTIONS` names."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._session: Session = window.session
        self._files: Files = window.files

    # File

    def new(self) -> None:
        """Begin a new document, after asking about changes that are not saved."""
        self._files.new()

    def open(self) -> None:
        """Choose a file and open it."""
        self._files.choose_and_open()

    def save(self) -> None:
        """Save where the document came from, else ask."""
        self._files.save()

    def save_as(self) -> None:
        """Choose where to save."""
        self._files.save_as()

    def export(self) -> None:
        """Write the selected actors as another format."""
        self._files.export(self._touched_actors())

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

    # Edit

    def undo(self) -> None:
        """Take back the last change."""
        self._session.undo()

    def redo(self) -> None:
        """Do again what was undone."""
        self._session.redo()

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return self._session.history.undo_entry is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone change."""
        return self._session.history.redo_entry is not None

    @property
    def undo_text(self) -> str:
        """Undo, and what."""
        entry = self._session.history.undo_entry
        return f"Undo {_lowered(entry.label)}" if entry else "Undo"

    @property
    def redo_text(self) -> str:
        """Redo, and what."""
        entry = self._session.history.redo_entry
        return f"Redo {_lowered(entry.label)}" if entry else "Redo"

    def reset_pose(self) -> None:
        """Back to rest: the figures that are selected, or all if nothing is."""
        for actor in self._posed():
            for layer in actor.layers:
                if layer.values:
                    self._session.do(edit("reset_pose", actor=actor.id, layer=layer.id))

    @property
    def has_pose(self) -> bool:
        """Whether there is a pose to reset."""
        return any(layer.values for actor in self._posed() for layer in actor.layers)

    def _posed(self) -> list[Actor]:
        chosen = {item.actor for item in self._session.selection.items}
        return [each for each in self._session.document.actors if not chosen or each.id in chosen]

    def bind_skin(self) -> None:
        """Choose a mesh that becomes a skin of the figure that is selected."""
        self._files.choose_skin(self._figures()[0].id)

    @property
    def can_bind_skin(self) -> bool:
        """Whether one figure is selected and the engine is ready to bind a mesh to it."""
        free = self._session.engine_state.ready and not self._session.binding.running
        return free and len(self._figures()) == 1

    def remove_skins(self) -> None:
        """Take the skins off the figures that are selected."""
        for actor in self._figures():
            for skin in actor.figure.skins:
                self._session.do(edit("remove_skin", actor=actor.id, skin=skin.id))

    @property
    def has_skins(self) -> bool:
        """Whether a selected figure has a skin."""
        return any(actor.figure.skins for actor in self._figures())

    def _figures(self) -> list[Actor]:
        """Figures of which something is selected; props are none."""
        chosen = {item.actor for item in self._session.selection.items}
        actors = (actor for actor in self._session.document.actors if actor.id in chosen)
        return [actor for actor in actors if not actor.figure.is_prop]

    def lock_position(self) -> None:
        """Hold the selected parts at the places where they stand."""
        self._lock("position")

    def lock_orientation(self) -> None:
        """Hold the selected parts turned as they are."""
        self._lock("orientation")

    def lock_both(self) -> None:
        """Hold the selected parts where they stand and turned as they are."""
        self._lock("both")

    def unlock(self) -> None:
        """Let the selected parts go."""
        for actor, joint in self._lockable():
            for lock in self._session.document.actor(actor).locks:
                if lock.joint == joint:
                    self._session.do(edit("remove_lock", actor=actor, lock=lock.id))

    def _lock(self, held: str) -> None:
        for actor, joint in self._lockable():
            self._session.work_out(actors.lock_here(self._session.document, actor, joint, held, self._session.playhead))

    @property
    def can_lock(self) -> bool:
        """Whether a part is selected."""
        return bool(self._lockable())

    @property
    def has_locks(self) -> bool:
        """Whether a selected part is held."""
        document = self._session.document
        return any(lock.joint == joint for actor, joint in self._lockable() for lock in document.actor(actor).locks)

    def _lockable(self) -> list[tuple[str, str]]:
        """The selected joints, each once; the one joint of a prop."""
        found = []
        for item in self._session.selection.items:
            figure = self._session.document.actor(item.actor).figure
            joint = item.part or (figure.joints[0].id if figure.is_prop else None)
            found += [(item.actor, joint)] if joint is not None else []
        return list(dict.fromkeys(found))

    def delete(self) -> None:
        """Take the selected actors out of the scene and the selected locks off; joints stay."""
        for item in self._session.selection.items:
            if item.lock is not None:
                self._session.do(edit("remove_lock", actor=item.actor, lock=item.lock))
        for actor in self._selected_actors():
            self._session.do(edit("remove_actor", actor=actor))

    @property
    def has_selected_actor(self) -> bool:
        """Whether a whole actor or a lock is selected."""
        return bool(self._selected_actors()) or any(item.lock is not None for item in self._session.selection.items)

    def _selected_actors(self) -> list[str]:
        return [item.actor for item in self._session.selection.items if item.part is None]

    def select_all(self) -> None:
        """Select every actor."""
        self._session.select(Item(actor.id) for actor in self._session.document.actors)

    def deselect(self) -> None:
        """Select nothing."""
        self._session.select(())

    @property
    def has_actors(self) -> bool:
        """Whether there is anything to select."""
        return bool(self._session.document.actors)

    @property
    def has_selection(self) -> bool:
        """Whether something is selected."""
        return bool(self._session.selection)

    # Add

    def add_human(self) -> None:
        """Add a human beside what is there."""
        self._add(actors.human(self._session.document))

    def add_ball(self) -> None:
        """Add a ball."""
        self._add(actors.ball(self._session.document))

    def add_box(self) -> None:
        """Add a box."""
        self._add(actors.box(self._session.document))

    def add_stick(self) -> None:
        """Add a stick."""
        self._add(actors.stick(self._session.document))

    def _add(self, actor: Actor) -> None:
        self._session.do(edit("add_actor", actor=actor), choose=Item(actor.id))

    # Time

    def play(self) -> None:
        """Play, or pause on the picture that is seen."""
        self._session.play()

    @property
    def play_text(self) -> str:
        """What it would do now."""
        return "Pause" if self._session.player.playing else "Play"

    def frame_back(self) -> None:
        """One frame back."""
        self._window.transport.step(-1)

    def frame_on(self) -> None:
        """One frame on."""
        self._window.transport.step(1)

    def to_start(self) -> None:
        """To the first frame that is played."""
        self._window.transport.go_to_end(last=False)

    def to_end(self) -> None:
        """To the last frame that is played."""
        self._window.transport.go_to_end(last=True)

    def toggle_loop(self) -> None:
        """Whether the start follows on the end."""
        self._session.player.set_looping(not self._session.player.looping)

    @property
    def is_looping(self) -> bool:
        """Whether it plays over and over."""
        return self._session.player.looping

    # View

    @property
    def _view(self) -> Viewport:
        return self._window.view

    @property
    def has_view(self) -> bool:
        """Whether the viewport is there yet."""
        return self._window.viewport is not None

    def toggle_maximised(self) -> None:
        """The view under the pointer over the whole picture, or all four."""
        self._view.toggle_maximised(self._view.view_under_pointer())

    @property
    def is_maximised(self) -> bool:
        """Whether one view fills the picture."""
        return self.has_view and self._view.maximised is not None

    def frame_selected(self) -> None:
        """Bring what is selected into view; everything if nothing is."""
        self._view.frame(self._window.selected_bodies() or None)

    def frame_all(self) -> None:
        """Bring everything into view."""
        self._view.frame()

    def look_front(self) -> None:
        """Look at the front."""
        self._look("Front")

    def look_back(self) -> None:
        """Look at the back."""
        self._look("Back")

    def look_right(self) -> None:
        """Look from the right."""
        self._look("Right")

    def look_left(self) -> None:
        """Look from the left."""
        self._look("Left")

    def look_top(self) -> None:
        """Look from above."""
        self._look("Top")

    def look_bottom(self) -> None:
        """Look from below."""
        self._look("Bottom")

    def _look(self, direction: str) -> None:
        self._view.look_from(self._view.view_under_pointer(), direction)

    def toggle_orthographic(self) -> None:
        """With or without perspective, in the view under the pointer."""
        view = self._view.view_under_pointer()
        self._view.set_orthographic(view, not self._view.cameras[view].orthographic)

    @property
    def is_orthographic(self) -> bool:
        """Whether the active view is without perspective."""
        return self.has_view and self._view.cameras[self._view.active].orthographic

    def show_mannequin(self) -> None:
        """Figures as their shapes, in all views."""
        self._view.set_display("mannequin")

    def show_skin(self) -> None:
        """Figures in their skins, in all views."""
        self._view.set_display("skin")

    def show_bones(self) -> None:
        """Figures as bones between their joints, in all views."""
        self._view.set_display("bones")

    def show_lines(self) -> None:
        """Figures as lines between their joints, in all views."""
        self._view.set_display("lines")

    @property
    def is_mannequin(self) -> bool:
        """Whether the active view shows shapes."""
        return self._displays("mannequin")

    @property
    def is_skin(self) -> bool:
        """Whether the active view shows skins."""
        return self._displays("skin")

    @property
    def is_bones(self) -> bool:
        """Whether the active view shows bones."""
        return self._displays("bones")

    @property
    def is_lines(self) -> bool:
        """Whether the active view shows lines."""
        return self._displays("lines")

    def _displays(self, display: str) -> bool:
        return self.has_view and self._view.displays[self._view.active] == display

    def toggle_theme(self) -> None:
        """Dark or light."""
        now = self._window.preferences.theme
        self._window.prefer(theme=next(name for name in THEMES if name != now))

    @property
    def is_light(self) -> bool:
        """Whether the light theme is on."""
        return self._window.preferences.theme == "light"

    def smooth_automatically(self) -> None:
        """Smooth edges where the drawing is quick enough."""
        self._smooth("auto")

    def smooth_always(self) -> None:
        """Smooth edges always."""
        self._smooth("on")

    def smooth_never(self) -> None:
        """Plain edges always."""
        self._smooth("off")

    def _smooth(self, choice: str) -> None:
        if choice != self._window.preferences.anti_aliasing:
            self._window.prefer(anti_aliasing=choice)
            self._session.note("note", "Smooth edges change with the next start.")

    @property
    def is_smooth_auto(self) -> bool:
        """Whether the program chooses."""
        return self._window.preferences.anti_aliasing == "auto"

    @property
    def is_smooth_on(self) -> bool:
        """Whether edges are always smooth."""
        return self._window.preferences.anti_aliasing == "on"

    @property
    def is_smooth_off(self) -> bool:
        """Whether edges are never smooth."""
        return self._window.preferences.anti_aliasing == "off"

    # Help

    def show_formats(self) -> None:
        """The sheet of file formats."""
        self._window.show_formats()

    def show_keys(self) -> None:
        """The sheet of keys."""
        self._window.show_keys()

    def show_about(self) -> None:
        """Versions and licence."""
        self._window.show_about()

    def prepare_engine(self) -> None:
        """Take up preparing the kernels again."""
        self._session.engine.prepare()

    @property
    def engine_can_be_prepared(self) -> bool:
        """Whether the engine is not ready and nothing is being done about it."""
        return self._session.engine.idle


def _lowered(label: str) -> str:
    """A label in the middle of another: its first word in small letters, unless it is a name."""
    first, _, rest = label.partition(" ")
    return f"{first.lower()} {rest}".strip()
