"""Actions: everything that a menu or a key does, as one table. Menus, shortcuts and the sheet of keys come from here.

A module a topic: its `ACTIONS`, in the order in which menus show them, beside the class that does them.
"""

from __future__ import annotations

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
        getattr(self._topics[action.id], action.call)()

    def can(self, action: Action) -> bool:
        """Whether it can be done now."""
        return not action.when or bool(getattr(self._topics[action.id], action.when))

    def is_on(self, action: Action) -> bool:
        """Whether a switch is on."""
        return bool(getattr(self._topics[action.id], action.checked))

    def text(self, action: Action) -> str:
        """Its label as it is now."""
        return str(getattr(self._topics[action.id], action.text)) if action.text else action.label

    def about(self, action: Action) -> str:
        """What it does, in a sentence."""
        return _first_line(getattr(type(self._topics[action.id]), action.call))

    def why_not(self, action: Action) -> str:
        """Why it cannot be done now; empty if it can."""
        if self.can(action):
            return ""
        asked = _first_line(getattr(type(self._topics[action.id]), action.when))
        return f"Not now; it depends on {asked[:1].lower()}{asked[1:]}"


def _first_line(member: object) -> str:
    return (member.__doc__ or "").strip().partition("\n")[0]


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
