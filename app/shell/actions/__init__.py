"""Actions: everything that a menu or a key does, as one table. Menus, shortcuts and the sheet of keys come from here.

A module a topic: its `ACTIONS`, in the order in which menus show them, beside the class that does them. Those of a
subject stand in its feature.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.features.action import MENUS as MENUS
from app.features.action import Action as Action
from app.features.feature import Actions
from app.features.table import FEATURES
from app.shell.actions import (
    edit,
    file,
    help,
    other_times,
    selecting,
    showing,
    time,
    tools,
    view,
    workspaces,
)

if TYPE_CHECKING:
    from app.shell.window import MainWindow

OWN = (
    Actions(file.ACTIONS, file.FileCommands, 0),
    Actions(file.LATER, file.FileCommands, 6),
    Actions(edit.ACTIONS, edit.EditCommands, 10),
    Actions(tools.ACTIONS, tools.ToolCommands, 20),
    Actions(selecting.ACTIONS, selecting.SelectingCommands, 30),
    Actions(time.ACTIONS, time.TimeCommands, 120),
    Actions(workspaces.ACTIONS, workspaces.WorkspaceCommands, 180),
    Actions(view.ACTIONS, view.ViewCommands, 190),
    Actions(showing.ACTIONS, showing.ShowingCommands, 200),
    Actions(showing.LATER, showing.ShowingCommands, 205),
    Actions(other_times.ACTIONS, other_times.OtherTimesCommands, 210),
    Actions(help.ACTIONS, help.HelpCommands, 220),
)
TOPICS: tuple[Actions, ...] = tuple(
    sorted((*OWN, *(each for feature in FEATURES for each in feature.actions)), key=lambda each: each.place)
)
ACTIONS: tuple[Action, ...] = tuple(action for each in TOPICS for action in each.actions)


def asking_alike() -> tuple[tuple[Action, ...], ...]:
    """Gather the actions of which one and the same question tells if they can be done now."""
    found: dict[object, list[Action]] = {}
    for number, each in enumerate(TOPICS):
        for action in each.actions:
            if action.when is not None:
                found.setdefault((number, action.when), []).append(action)
    return tuple(map(tuple, found.values()))


ASKING_ALIKE = asking_alike()


class Commands:
    """The actions of one window, called or asked for their state and texts."""

    def __init__(self, window: MainWindow) -> None:
        topics = ((each.topic(window), each.actions) for each in TOPICS)
        self._topics = {action.id: topic for topic, actions in topics for action in actions}

    def call(self, action: Action) -> None:
        """Do it."""
        action.call(self._topics[action.id])

    def can(self, action: Action) -> bool:
        """True if it can be done now."""
        return action.when is None or action.when(self._topics[action.id])

    def is_on(self, action: Action) -> bool:
        """True if a switch is on."""
        return action.checked is not None and action.checked(self._topics[action.id])

    def text(self, action: Action) -> str:
        """Return its label as it is now."""
        return action.label if action.text is None else action.text(self._topics[action.id])

    def about(self, action: Action) -> str:
        """Return its tooltip: a sentence that says what it does."""
        return action.about or first_line(action.call)

    def why_not(self, action: Action) -> str:
        """Say why it cannot be done now; empty if it can."""
        if action.when is None or self.can(action):
            return ""
        return f"Not now: only if {first_line(action.when).removeprefix('True if ')}"


def first_line(method: Callable[..., object]) -> str:
    """Return the first line of a method's docstring, filled in with the choice that the method is given."""
    whole, chosen = (method.func, method.keywords) if isinstance(method, partial) else (method, {})
    return (whole.__doc__ or "").strip().partition("\n")[0].format(**chosen)


MOUSE: tuple[tuple[str, str], ...] = (  # `{tool.move}` stands for the keys of that action
    ("Click", "Select a body part"),
    ("Shift + click", "Add to the selection, or take out"),
    ("Drag a round mark", "Reach with it; Shift follows an axis, Escape drops it"),
    (
        "Drag an arrow or a ring",
        "{tool.move} moves, {tool.rotate} rotates; Ctrl is fine, Shift snaps, a number may be typed",
    ),
    ("Click a round mark", "Pin it while others are dragged, or let it go"),
    ("Drag a key of a trail", "Pose the figure anew there; a click goes to it, the handles beside it bend the trail"),
)
