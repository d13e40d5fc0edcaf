"""Window: what a feature may ask of the main window. The window itself is of `app.shell`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QMainWindow, QMenu

from app.session import Session
from app.style.panel_dock import PanelDock
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Marker, Typist, Viewport
    from app.tools import ManipulatorTool, Toolbox
    from app.tools.leading import Leader
    from app.tools.telling import TellingTool


ChoiceT = TypeVar("ChoiceT")
PartT = TypeVar("PartT")


@dataclass(frozen=True, kw_only=True)
class FileKind:
    """Files that a feature reads or writes, as a dialogue asks for one."""

    name: str
    title: str  # of the dialogue
    endings: Mapping[str, str]  # that may be chosen, and what each is called; the usual one stands first
    also: tuple[str, ...] = ()  # endings that may be typed
    together: str = ""  # what all of them are called where a dialogue lists them as one

    @property
    def known(self) -> tuple[str, ...]:
        """Every ending that a file of it may have."""
        return (*self.endings, *self.also)

    @property
    def listed(self) -> tuple[str, ...]:
        """The endings as a dialogue lists them."""
        if self.together:
            return (f"{self.together} ({' '.join(f'*{ending}' for ending in self.endings)})",)
        return tuple(f"{name} (*{ending})" for ending, name in self.endings.items())


class FileQuestions(Protocol):
    """Asks for files; each answer comes by calling back, or not at all."""

    def choose_and_open(self) -> None:
        """Ask which file, then open it."""

    def choose_motion(self, then: Callable[[Path], None]) -> None:
        """Ask which file of motion is meant."""

    def choose_picture(self) -> None:
        """Ask which picture, then hang it into the views."""

    def choose_video(self) -> None:
        """Ask which video, then hang it into the views."""

    def choose_sound(self) -> None:
        """Ask which sound, then let it be heard with the motion."""

    def choose_skin(self, actor: str) -> None:
        """Ask which mesh, then bind it to a figure."""

    def place_of_pictures(self, suggested: Path, then: Callable[[Path], None]) -> None:
        """Ask where a video or pictures are to be written: the suggested ending says what it is."""

    def stop_exports(self, count: int, stop: Callable[[], None]) -> None:
        """Ask whether to end so many exports."""

    def choose_of(self, kind: FileKind, then: Callable[[Path], None]) -> None:
        """Ask which file of a kind is to be read."""

    def place_of(self, kind: FileKind, name: str, then: Callable[[Path], None]) -> None:
        """Ask where a file of a kind is to be written; `name` is suggested, without an ending."""


class Window(QMainWindow):
    """The main window, as far as a feature sees it."""

    session: Session
    viewport: Viewport | None  # None before the first paint
    toolbox: Toolbox | None
    manipulators: ManipulatorTool | None
    docks: dict[str, PanelDock]

    @property
    def view(self) -> Viewport:
        """The viewport, which is there from the first paint on."""
        raise NotImplementedError

    @property
    def asking(self) -> FileQuestions:
        """Asks for files."""
        raise NotImplementedError

    def switch(self, name: str) -> bool:
        """True if a switch of the preferences is on."""
        raise NotImplementedError

    def preferred(self, name: str, kind: type[ChoiceT]) -> ChoiceT:
        """Return the value of the preferences under a name."""
        raise NotImplementedError

    def of(self, kind: Callable[[Window], PartT]) -> PartT:
        """Return a feature's state in this window: the one object of that class, made when it is first asked for."""
        raise NotImplementedError

    def keep(self, **choices: Any) -> None:
        """Keep what was chosen elsewhere, as preferences that nothing else shows."""
        raise NotImplementedError

    def add_words(self, words: Callable[[str, bool], str]) -> None:
        """Say this of an actor that the pointer is over, and of its ghost, as it is keyed."""
        raise NotImplementedError

    def before_closing(self, asks: Callable[[], bool], end: Callable[[], None]) -> None:
        """Close only once nothing is asked any more, and with this ended."""
        raise NotImplementedError

    def offer(self, job: str, tip: str, show: Callable[[], None]) -> None:
        """Let a click on a job in the status line show more of it."""
        raise NotImplementedError

    def say(self, text: str, *, do: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a message over the views; `do` names a button that calls `act`."""
        raise NotImplementedError

    def wait_for(self, is_busy: Callable[[], bool], ended: SignalInstance) -> None:
        """Close only once that is done, if it would be lost."""
        raise NotImplementedError

    def add_tool(self, tool: TellingTool, *, first: bool = False) -> None:
        """Let a tool see the pointer over the views, whatever is in the hand; before those of other features, if it
        takes nothing but what a person has asked it for."""
        raise NotImplementedError

    def add_typist(self, typist: Typist) -> None:
        """Let it take keys that are typed over the views, before others do."""
        raise NotImplementedError

    def add_marks(self, marks: Callable[[], tuple[Marker, ...]], changed: SignalInstance | None = None) -> None:
        """Show these among the marks of the views; anew whenever that signal comes, beside those of the session."""
        raise NotImplementedError

    def lead_by(self, leader: Leader) -> None:
        """Leave a drag of what it leads to it."""
        raise NotImplementedError

    def prefer(self, **choices: Any) -> None:
        """Change preferences, show them and keep them."""
        raise NotImplementedError

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front."""
        raise NotImplementedError

    def refresh_actions(self) -> None:
        """Bring texts of actions, switches and what is enabled up to date."""
        raise NotImplementedError

    def submenu(self, menu: str, name: str, *, before: str = "") -> QMenu:
        """Return a menu within a menu, made when it is first asked for, above the action of that id."""
        raise NotImplementedError

    def tell(self, text: str) -> None:
        """Show in the status line what the mouse would do."""
        raise NotImplementedError
