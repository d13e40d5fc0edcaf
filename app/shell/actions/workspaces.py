"""Workspaces: how panels and views are arranged."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic
from app.shell.arrangement import PLANS, label_of

ACTIONS: tuple[Action, ...] = (
    *(
        Action(
            id=f"view.workspace_{name}", label=plan.label, menu="View", call=f"go_to_{name}", submenu="Workspace",
            keys=(f"Shift+F{place}",), checked=f"is_{name}",
        )
        for place, (name, plan) in enumerate(PLANS.items(), 1)
    ),
    Action(
        id="view.workspace_reset", label="Reset workspace", menu="View", call="reset", submenu="Workspace",
        icon="rotate-ccw", begins_group=True,
    ),
    Action(
        id="view.workspace_save", label="Save workspace as…", menu="View", call="save_as", submenu="Workspace",
        icon="bookmark-plus",
    ),
    Action(
        id="view.workspace_remove", label="Remove workspace", menu="View", call="remove", submenu="Workspace",
        icon="trash-2", when="is_own", text="remove_text",
    ),
    Action(
        id="view.panels", label="Show all panels", menu="View", call="show_panels", submenu="Panels",
    ),
)  # fmt: skip


class WorkspaceCommands(Topic):
    """How panels and views are arranged."""

    def go_to_pose(self) -> None:
        """Panels and views for posing by hand."""
        self._window.workspaces.go_to("pose")

    def go_to_figure(self) -> None:
        """Panels and views for building figures."""
        self._window.workspaces.go_to("figure")

    def go_to_animate(self) -> None:
        """One large view, with poses, layers and time."""
        self._window.workspaces.go_to("animate")

    def go_to_inspect(self) -> None:
        """Panels and views for methods, numbers and the log."""
        self._window.workspaces.go_to("inspect")

    @property
    def is_pose(self) -> bool:
        """Whether that workspace is on."""
        return self._window.workspaces.present == "pose"

    @property
    def is_figure(self) -> bool:
        """Whether that workspace is on."""
        return self._window.workspaces.present == "figure"

    @property
    def is_animate(self) -> bool:
        """Whether that workspace is on."""
        return self._window.workspaces.present == "animate"

    @property
    def is_inspect(self) -> bool:
        """Whether that workspace is on."""
        return self._window.workspaces.present == "inspect"

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

    @property
    def is_own(self) -> bool:
        """Whether the present workspace is one that you saved."""
        return self._window.workspaces.is_own

    @property
    def remove_text(self) -> str:
        """With its name."""
        return f"Remove “{label_of(self._window.workspaces.present)}”" if self.is_own else "Remove workspace"

    def show_panels(self) -> None:
        """Bring back every panel that was closed, each where it stood."""
        for dock in self._window.docks.values():
            dock.show()
