"""FeatureWindow: what features ask of the main window, done; the window itself adds what they do not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QMenu

from app.features.table import FEATURES
from app.features.window import ChoiceT, FileQuestions, PartT, Window

if TYPE_CHECKING:
    from app.scene import Marker, Typist
    from app.shell.files import Files
    from app.shell.lower_area import LowerArea
    from app.shell.menus import Menus
    from app.shell.preferences import Preferences
    from app.shell.status_line import StatusLine
    from app.shell.tool_belt import ToolBelt
    from app.style.message_bar import MessageBar
    from app.tools.leading import Leader
    from app.tools.telling import TellingTool


class FeatureWindow(Window):
    """The side of the window that features know."""

    preferences: Preferences
    files: Files
    menus: Menus
    status: StatusLine
    message: MessageBar
    lower_area: LowerArea

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[object, object] = {}  # of features, by class
        self._words: list[Callable[[str, bool], str]] = []  # of an actor that the pointer is over
        self._busy: list[Callable[[], bool]] = []  # with what would be lost
        self._asks_before: list[Callable[[], bool]] = []  # it closes
        self._ends: list[Callable[[], None]] = []  # as it closes
        self._belt: ToolBelt | None = None  # made with the views

    @property
    def asking(self) -> FileQuestions:
        """Asks for files."""
        return self.files

    def switch(self, name: str) -> bool:
        """True if a switch of the preferences is on."""
        usual = {name: on for feature in FEATURES for name, on in feature.switches.items()}
        if name in usual:
            return self.preferences.switches.get(name, usual[name])
        return bool(getattr(self.preferences, name))

    def preferred(self, name: str, kind: type[ChoiceT]) -> ChoiceT:
        """Return the value of the preferences under a name."""
        found = getattr(self.preferences, name)
        assert isinstance(found, kind), f"{name} is of that kind"
        return found

    def of(self, kind: Callable[[Window], PartT]) -> PartT:
        """Return a feature's state in this window: the one object of that class, made when it is first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        return cast(PartT, self._parts[kind])

    def before_closing(self, asks: Callable[[], bool], end: Callable[[], None]) -> None:
        """Close only once nothing is asked any more, and with this ended."""
        self._asks_before.append(asks)
        self._ends.append(end)

    def offer(self, job: str, tip: str, show: Callable[[], None]) -> None:
        """Let a click on a job in the status line show more of it."""
        self.status.job.offer(job, tip, show)

    def say(self, text: str, *, do: str = "", act: Callable[[], None] | None = None) -> None:
        """Show a message in the status line; `do` names a button that calls `act`."""
        self.message.say(text, do=do, act=act)

    def keep(self, **choices: Any) -> None:
        """Keep what was chosen elsewhere, as preferences that nothing else shows."""
        if any(getattr(self.preferences, name) != value for name, value in choices.items()):
            self.preferences = replace(self.preferences, **choices)
            self._keep()
        self.menus.refresh_soon()

    def wait_for(self, is_busy: Callable[[], bool], ended: SignalInstance) -> None:
        """Close only once that is done, if it would be lost."""
        self._busy.append(is_busy)
        ended.connect(self._close_if_wanted)

    def add_words(self, words: Callable[[str, bool], str]) -> None:
        """Say this of an actor that the pointer is over, and of its ghost, as it is keyed."""
        self._words.append(words)

    def add_tool(self, tool: TellingTool, *, first: bool = False) -> None:
        """Let a tool see the pointer over the views, whatever is in the hand; before those of other features, if it
        takes nothing but what a person has asked it for."""
        assert self._belt is not None, "made with the views"
        tool.status_changed.connect(self.tell)
        self._belt.toolbox.add_always(tool, first=first)

    def add_typist(self, typist: Typist) -> None:
        """Let it take keys that are typed over the views, before others do."""
        from app.tools.typists import Typists

        self.view.typist = Typists(typist, self.view.typist)

    def add_marks(self, marks: Callable[[], tuple[Marker, ...]], changed: SignalInstance | None = None) -> None:
        """Show these among the marks of the views; anew whenever that signal comes, beside those of the session."""
        assert self._belt is not None, "made with the views"
        self._belt.marks.add(marks, changed)

    def lead_by(self, leader: Leader) -> None:
        """Leave a drag of what it leads to it."""
        assert self._belt is not None, "made with the views"
        self._belt.posing.leader = leader

    def refresh_actions(self) -> None:
        """Bring texts of actions, switches and what is enabled up to date; the end of a gesture does, too."""
        if self.session.shown is self.session.document:
            self.menus.refresh_soon()

    def submenu(self, menu: str, name: str, *, before: str = "") -> QMenu:
        """Return a menu within a menu, made when it is first asked for, above the action of that id."""
        return self.menus.submenu(menu, name, before=before)

    def tell(self, text: str) -> None:
        """Show in the status line what the mouse would do."""
        self.status.pointer.set_text(text, tip="")

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front."""
        self.docks[name].show()
        self.docks[name].raise_()
        self.lower_area.give_room(self.docks[name])

    def _keep(self) -> None:
        """Write the preferences."""
        raise NotImplementedError

    def _close_if_wanted(self) -> None:
        """Close, if that waited for something that has ended."""
        raise NotImplementedError
