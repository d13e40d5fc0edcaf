"""Workspaces: how panels and views are arranged."""

from __future__ import annotations

from functools import partial

from app.features.action import Action
from app.shell.actions.topic import ShellTopic
from app.shell.arrangement import PLANS, label_of

_PLANS = {
    "pose": "Panels and views for posing by hand.",
    "figure": "Panels and views for building figures.",
    "animate": "One large view, with poses, layers and time.",
    "inspect": "Panels and views for methods, numbers and the log.",
}


class WorkspaceCommands(ShellTopic):
    """The commands that arrange panels and views."""

    def go_to(self, *, workspace: str) -> None:
        """Arrange panels and views so."""
        self._window.workspaces.go_to(workspace)

    def is_at(self, *, workspace: str) -> bool:
        """True if that workspace is on."""
        return self._window.workspaces.present == workspace

    def reset(self) -> None:
        """Arrange panels and views of this workspace as they were at first."""
        self._window.workspaces.reset()

    def save_as(self) -> None:
        """Keep the present arrangement under a name of your own."""
        workspaces = self._window.workspaces
        suggested = workspaces.present if workspaces.is_own else ""
        self._window.questions.workspace_name(suggested, workspaces.save_as)

    def remove(self) -> None:
        """Forget this workspace of your own."""
        self._window.workspaces.remove()

    def is_own(self) -> bool:
        """True if the present workspace is one that you saved."""
        return self._window.workspaces.is_own

    def remove_text(self) -> str:
        """With its name."""
        return f"Remove “{label_of(self._window.workspaces.present)}”" if self.is_own() else "Remove workspace"

    def show_panels(self) -> None:
        """Bring back every panel that was closed, each where it stood."""
        for dock in self._window.docks.values():
            dock.show()


Do = WorkspaceCommands

ACTIONS: tuple[Action, ...] = (
    *(
        Action(
            id=f"view.workspace_{name}", label=plan.label, menu="View", call=partial(Do.go_to, workspace=name),
            submenu="Workspace", keys=(f"Shift+F{place}",), checked=partial(Do.is_at, workspace=name),
            about=_PLANS[name],
        )
        for place, (name, plan) in enumerate(PLANS.items(), 1)
    ),
    Action(
        id="view.workspace_reset", label="Reset workspace", menu="View", call=Do.reset, submenu="Workspace",
        icon="rotate-ccw", begins_group=True,
    ),
    Action(
        id="view.workspace_save", label="Save workspace as…", menu="View", call=Do.save_as, submenu="Workspace",
        icon="bookmark-plus",
    ),
    Action(
        id="view.workspace_remove", label="Remove workspace", menu="View", call=Do.remove, submenu="Workspace",
        icon="trash-2", when=Do.is_own, text=Do.remove_text,
    ),
    Action(
        id="view.panels", label="Show all panels", menu="View", call=Do.show_panels, submenu="Panels",
    ),
)  # fmt: skip
