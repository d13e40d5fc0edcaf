"""Action: one thing that a person can do, as data; and Topic, the class of what the actions of one module do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from app.session import Session
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.features.window import Window

Menu = Literal["File", "Edit", "Select", "Add", "Pose", "Figure", "Animate", "Time", "View", "Help"]
MENUS: dict[Menu, str] = {
    "File": "Alt+F", "Edit": "Alt+E", "Select": "Alt+S", "Add": "Alt+A", "Pose": "Alt+P", "Figure": "Alt+G",
    "Animate": "Alt+M", "Time": "Alt+T", "View": "Alt+V", "Help": "Alt+H",
}  # fmt: skip


Context = Literal["part", "actor", "lock", "ground", "layer", "key", "filling", "block", "sheet", "lane", "muscle"]
PART: tuple[Context, ...] = ("part",)


@dataclass(frozen=True, kw_only=True)
class Action:
    """One thing that a person can do. `call`, `when`, `checked` and `text` are methods of its module's Topic; one of
    several that one method does is a `partial` of it, by keyword, which its docstring may name in braces."""

    id: str
    label: str
    menu: Menu
    call: Callable[..., None]
    keys: tuple[str, ...] = ()
    icon: str = ""
    when: Callable[..., bool] | None = None  # enabled only if this is true
    checked: Callable[..., bool] | None = None  # a switch, in the state that this gives
    text: Callable[..., str] | None = None  # the label as it is now
    submenu: str = ""
    begins_group: bool = False
    about: str = ""  # what it does, where the docstring of `call` does not say it
    contexts: tuple[Context, ...] = ()  # of the menus that the right button opens: what they are about


class Topic:
    """The methods of the actions of one module. No widget is made here."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._session: Session = window.session
