"""Actions: everything that a menu or a key does, as data. Menus, shortcuts and the sheet of keys come from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Menu = Literal["File", "Edit", "Add", "Time", "View", "Help"]
MENUS: tuple[Menu, ...] = ("File", "Edit", "Add", "Time", "View", "Help")


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing that a person can do. `call`, `when`, `checked` and `text` name members of `Commands`."""

    id: str
    label: str
    menu: Menu
    call: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    when: str = ""  # enabled only if this is true
    checked: str = ""  # a switch, in the state that this gives
    text: str = ""  # the label as it is now
    submenu: str = ""
    begins_group: bool = False


ACTIONS: tuple[Action, ...] = (
    Action(id="file.new", label="New", menu="File", call="new", keys=("Ctrl+N",), icon="file-plus"),
    Action(id="file.open", label="Open…", menu="File", call="open", keys=("Ctrl+O",), icon="folder-open"),
    Action(id="file.save", label="Save", menu="File", call="save", keys=("Ctrl+S",), icon="save", begins_group=True),
    Action(
        id="file.save_as", label="Save As…", menu="File", call="save_as", keys=("Ctrl+Shift+S",), icon="save-all"
    ),
    Action(
        id="file.export", label="Export…", menu="File", call="export", keys=("Ctrl+E",),
        when="has_touched_actor", begins_group=True,
    ),
    Action(
        id="file.ask_again", label="Ask about imports again", menu="File", call="ask_about_imports",
        when="imports_unasked",
    ),
    Action(
        id="file.quit", label="Quit", menu="File", call="quit", keys=("Ctrl+Q",), icon="log-out", begins_group=True
    ),
    Action(
        id="edit.undo", label="Undo", menu="Edit", call="undo", keys=("Ctrl+Z",), icon="undo-2",
        when="can_undo", text="undo_text",
    ),
    Action(
        id="edit.redo", label="Redo", menu="Edit", call="redo", keys=("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo-2",
        when="can_redo", text="redo_text",
    ),
    Action(
        id="edit.reset_pose", label="Reset pose", menu="Edit", call="reset_pose", keys=("Alt+R",), icon="rotate-ccw",
        when="has_pose", begins_group=True,
    ),
    *(
        Action(
            id=f"edit.lock_{name}", label=f"Lock {name}", menu="Edit", call=f"lock_{name}", when="can_lock",
            icon="lock", submenu="Lock",
        )
        for name in ("position", "orientation", "both")
    ),
    Action(
        id="edit.unlock", label="Unlock", menu="Edit", call="unlock", when="has_locks", icon="lock-open",
        submenu="Lock",
    ),
    Action(
        id="edit.bind_skin", label="Bind mesh as skin…", menu="Edit", call="bind_skin", icon="person-standing",
        when="can_bind_skin",
    ),
    Action(
        id="edit.remove_skins", label="Remove skins", menu="Edit", call="remove_skins", when="has_skins",
    ),
    Action(
        id="edit.delete", label="Delete", menu="Edit", call="delete", keys=("Del",), icon="trash-2",
        when="has_selected_actor",
    ),
    Action(
        id="edit.select_all", label="Select all", menu="Edit", call="select_all", keys=("Ctrl+A",),
        when="has_actors", begins_group=True,
    ),
    Action(
        id="edit.deselect", label="Deselect", menu="Edit", call="deselect", keys=("Ctrl+Shift+A",),
        when="has_selection",
    ),
    Action(id="add.human", label="Human", menu="Add", call="add_human", keys=("Shift+H",), icon="person-standing"),
    Action(id="add.ball", label="Ball", menu="Add", call="add_ball", icon="circle", begins_group=True),
    Action(id="add.box", label="Box", menu="Add", call="add_box", icon="box"),
    Action(id="add.stick", label="Stick", menu="Add", call="add_stick", icon="slash"),
    Action(id="add.mesh", label="Mesh from file…", menu="Add", call="open", icon="triangle"),
    Action(
        id="time.play", label="Play", menu="Time", call="play", keys=("Space",), icon="play", text="play_text",
    ),
    Action(
        id="time.back", label="One frame back", menu="Time", call="frame_back", keys=(",",), icon="step-back",
        begins_group=True,
    ),
    Action(id="time.on", label="One frame on", menu="Time", call="frame_on", keys=(".",), icon="step-forward"),
    Action(id="time.start", label="To the start", menu="Time", call="to_start", keys=("Ctrl+,",), icon="skip-back"),
    Action(id="time.end", label="To the end", menu="Time", call="to_end", keys=("Ctrl+.",), icon="skip-forward"),
    Action(
        id="time.loop", label="Loop", menu="Time", call="toggle_loop", keys=("Ctrl+L",), icon="repeat",
        checked="is_looping", begins_group=True,
    ),
    Action(
        id="view.maximise", label="Maximise view", menu="View", call="toggle_maximised", keys=("M", "Ctrl+Space"),
        when="has_view", icon="maximize-2", checked="is_maximised",
    ),
    Action(
        id="view.frame_selected", label="Frame selected", menu="View", call="frame_selected", keys=("F",),
        when="has_view", icon="scan",
    ),
    Action(
        id="view.frame_all", label="Frame all", menu="View", call="frame_all", keys=("A", "Home"), when="has_view",
        icon="globe",
    ),
    *(
        Action(
            id=f"view.{name.lower()}", label=name, menu="View", call=f"look_{name.lower()}", keys=(key,),
            when="has_view", submenu="Look from",
        )
        for name, key in (
            ("Front", "1"), ("Back", "Ctrl+1"), ("Right", "3"), ("Left", "Ctrl+3"), ("Top", "7"), ("Bottom", "Ctrl+7")
        )
    ),
    Action(
        id="view.orthographic", label="Without perspective", menu="View", call="toggle_orthographic", keys=("5",),
        when="has_view", submenu="Look from", checked="is_orthographic", begins_group=True,
    ),
    *(
        Action(
            id=f"view.{name.lower()}", label=name, menu="View", call=f"show_{name.lower()}", keys=(key,),
            when="has_view", submenu="Show figures as", checked=f"is_{name.lower()}",
        )
        for name, key in (("Mannequin", "Alt+1"), ("Skin", "Alt+2"), ("Bones", "Alt+3"), ("Lines", "Alt+4"))
    ),
    Action(
        id="view.light", label="Light theme", menu="View", call="toggle_theme", checked="is_light", begins_group=True
    ),
    Action(
        id="view.smooth_auto", label="Automatic", menu="View", call="smooth_automatically",
        submenu="Smooth edges", checked="is_smooth_auto",
    ),
    Action(
        id="view.smooth_on", label="On", menu="View", call="smooth_always", submenu="Smooth edges",
        checked="is_smooth_on",
    ),
    Action(
        id="view.smooth_off", label="Off", menu="View", call="smooth_never", submenu="Smooth edges",
        checked="is_smooth_off",
    ),
    Action(id="help.keys", label="Keys", menu="Help", call="show_keys", keys=("F1",), icon="keyboard"),
    Action(id="help.formats", label="Files", menu="Help", call="show_formats", icon="file"),
    Action(
        id="help.prepare", label="Prepare engine", menu="Help", call="prepare_engine", when="engine_can_be_prepared"
    ),
    Action(id="help.about", label="About Sinew", menu="Help", call="show_about", icon="info", begins_group=True),
)  # fmt: skip

MOUSE: tuple[tuple[str, str], ...] = (
    ("Click", "Select a body part"),
    ("Shift + click", "Add to the selection, or take out"),
    ("Drag a round mark", "Reach with it; Shift follows an axis, Escape drops it"),
    ("Click a round mark", "Hold it in place while others are dragged, or let it go"),
    ("Middle button", "Orbit; pan in a view along an axis"),
    ("Shift + middle button", "Pan"),
    ("Ctrl + middle button", "Zoom"),
    ("Alt + left, middle, right", "Orbit, pan, zoom"),
    ("Wheel", "Zoom to the pointer"),
)
