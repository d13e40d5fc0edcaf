"""Actions: everything that a menu or a key does, as one table. Menus, shortcuts and the sheet of keys come from here.

A module a topic: its `ACTIONS`, in the order in which menus show them, beside the class that does them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.shell.actions import (
    add,
    curves,
    dragging,
    edit,
    figure,
    file,
    help,
    keys,
    layers,
    limits,
    locks,
    other_times,
    pose,
    secondary,
    selecting,
    sequences,
    showing,
    targets,
    time,
    timeline,
    tools,
    view,
    workspaces,
)
from app.shell.actions.action import MENUS as MENUS
from app.shell.actions.action import Action as Action
from app.shell.actions.action import Topic as Topic

if TYPE_CHECKING:
    from app.shell.window import MainWindow

TOPICS: tuple[tuple[tuple[Action, ...], type[Topic]], ...] = (
    (file.ACTIONS, file.FileCommands),
    (edit.ACTIONS, edit.EditCommands),
    (tools.ACTIONS, tools.ToolCommands),
    (selecting.ACTIONS, selecting.SelectingCommands),
    (add.ACTIONS, add.AddCommands),
    (pose.ACTIONS, pose.PoseCommands),
    (secondary.ACTIONS, secondary.SecondaryCommands),
    (targets.ACTIONS, targets.TargetsCommands),
    (dragging.ACTIONS, dragging.DraggingCommands),
    (locks.ACTIONS, locks.LocksCommands),
    (figure.ACTIONS, figure.FigureCommands),
    (limits.ACTIONS, limits.LimitsCommands),
    (time.ACTIONS, time.TimeCommands),
    (timeline.ACTIONS, timeline.TimelineCommands),
    (curves.ACTIONS, curves.CurvesCommands),
    (keys.ACTIONS, keys.KeysCommands),
    (layers.ACTIONS, layers.LayersCommands),
    (sequences.ACTIONS, sequences.SequencesCommands),
    (workspaces.ACTIONS, workspaces.WorkspaceCommands),
    (view.ACTIONS, view.ViewCommands),
    (showing.ACTIONS, showing.ShowingCommands),
    (other_times.ACTIONS, other_times.OtherTimesCommands),
    (help.ACTIONS, help.HelpCommands),
)
ACTIONS: tuple[Action, ...] = tuple(action for actions, _ in TOPICS for action in actions)


class Commands:
    """What the actions of one window do, and whether they can be done now."""

    def __init__(self, window: MainWindow) -> None:
        self._topics = {action.id: topic for actions, kind in TOPICS for topic in (kind(window),) for action in actions}

    def call(self, action: Action) -> None:
        """Do it."""
        action.call(self._topics[action.id])

    def can(self, action: Action) -> bool:
        """Whether it can be done now."""
        return action.when is None or action.when(self._topics[action.id])

    def is_on(self, action: Action) -> bool:
        """Whether a switch is on."""
        return action.checked is not None and action.checked(self._topics[action.id])

    def text(self, action: Action) -> str:
        """Its label as it is now."""
        return action.label if action.text is None else action.text(self._topics[action.id])

    def about(self, action: Action) -> str:
        """What it does, in a sentence."""
        return action.about or first_line(action.call)

    def why_not(self, action: Action) -> str:
        """Why it cannot be done now; empty if it can."""
        if action.when is None or self.can(action):
            return ""
        asked = first_line(action.when)
        return f"Not now; it depends on {asked[:1].lower()}{asked[1:]}"


def first_line(method: Callable[..., object]) -> str:
    """What a method says that it does, for the choice that it is given."""
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
    ("Click a round mark", "Hold it in place while others are dragged, or let it go"),
    ("Drag a key of a trail", "Pose the figure anew there; a click goes to it, the handles beside it bend the trail"),
)
