"""Toolbox: the active tool of a viewport. The posing tool is always there; another one sees the pointer before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.scene import Pointer, Tool

POSE = "pose"


class Toolbox(QObject):
    """The viewport's tool: passes the pointer to the active tool, and what that leaves to the posing tool."""

    changed = Signal(str)  # the name of the tool that was taken

    def __init__(self, posing: Tool, parent: QObject, *, always: tuple[Tool, ...] = ()) -> None:
        """`always`: tools that see the pointer before the posing tool, whichever tool is active."""
        super().__init__(parent)
        self._always = always
        self._added: tuple[Tool, ...] = ()
        self.tools: dict[str, Tool] = {POSE: posing}
        self.taken = POSE
        self._pressed: Tool | None = None

    def add(self, name: str, tool: Tool) -> None:
        """Add a tool."""
        self.tools[name] = tool

    def add_always(self, tool: Tool, *, first: bool = False) -> None:
        """Keep one more that is there whatever is in the hand; behind those that were added or before them, and before
        its own."""
        self._added = (tool, *self._added) if first else (*self._added, tool)

    def take(self, name: str) -> None:
        """Make a tool the active one, which sees the pointer first."""
        if name not in self.tools:
            raise KeyError(f"no tool is named {name}; there are {', '.join(self.tools)}")
        if name != self.taken:
            self.cancel()
            self._first.hover(None)
            self.taken = name
            self.changed.emit(name)

    def hover(self, at: Pointer | None) -> bool:
        """Offer the pointer to each tool in order; those behind one that is hit get None."""
        over = False
        for tool in self._in_order:
            over = tool.hover(None if over else at) or over
        return over

    def press(self, at: Pointer) -> bool:
        """Offer the press to each tool in order; the first that takes it keeps it until the release."""
        self._pressed = next((tool for tool in self._in_order if tool.press(at)), None)
        return self._pressed is not None

    def move(self, at: Pointer) -> None:
        """Pass the move to the tool that took the press."""
        if self._pressed is not None:
            self._pressed.move(at)

    def release(self, at: Pointer) -> None:
        """Pass the release to the tool that took the press."""
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            pressed.release(at)

    def cancel(self) -> None:
        """Cancel the tool that took the press."""
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            pressed.cancel()

    @property
    def _first(self) -> Tool:
        return self.tools[self.taken]

    @property
    def _in_order(self) -> tuple[Tool, ...]:
        posing = self.tools[POSE]
        first = () if self.taken == POSE else (self._first,)
        return (*first, *self._added, *self._always, posing)
