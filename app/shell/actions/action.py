"""Action: one thing that a person can do, as data; and Topic, the class of what the actions of one module do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.session import Session

if TYPE_CHECKING:
    from app.shell.files import Files
    from app.shell.window import MainWindow

Menu = Literal["File", "Edit", "Select", "Add", "Pose", "Figure", "Animate", "Time", "View", "Help"]
MENUS: dict[Menu, str] = {
    "File": "Alt+F", "Edit": "Alt+E", "Select": "Alt+S", "Add": "Alt+A", "Pose": "Alt+P", "Figure": "Alt+G",
    "Animate": "Alt+M", "Time": "Alt+T", "View": "Alt+V", "Help": "Alt+H",
}  # fmt: skip


Context = Literal["part", "actor", "lock", "ground", "layer", "key", "filling", "block", "sheet"]
PART: tuple[Context, ...] = ("part",)


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing that a person can do. `call`, `when`, `checked` and `text` name members of its module's Topic."""

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
    contexts: tuple[Context, ...] = ()  # of the menus that the right button opens: what they are about


class Topic:
    """The members that the actions of one module name. No widget is made here."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._session: Session = window.session
        self._files: Files = window.files
