"""Actions of the left button: select and pose, or a manipulator that moves or turns; its axes and its steps."""

from __future__ import annotations

from functools import partial

from app.features.action import Action
from app.shell.actions.topic import ShellTopic

AXES_OF = ("local", "parent", "world")  # kept in the preferences


class ToolCommands(ShellTopic):
    """The commands of the left button: select and pose, or a manipulator that moves or turns; its axes and its
    steps."""

    def has_view(self) -> bool:
        """True if the viewport is there yet."""
        return self._window.toolbox is not None

    def take(self, *, tool: str) -> None:
        """Take a tool."""
        toolbox, manipulators = self._window.toolbox, self._window.manipulators
        if toolbox is not None and manipulators is not None:
            toolbox.take(tool)
            manipulators.await_number()
            self._window.view.take_keyboard()

    def takes(self, *, tool: str) -> bool:
        """True if that tool is taken."""
        return self._window.toolbox is not None and self._window.toolbox.taken == tool

    def use(self, *, axes: str) -> None:
        """Move and turn along other axes."""
        self._window.prefer(axes=axes)

    def uses(self, *, axes: str) -> bool:
        """True if these axes are used."""
        return self._window.preferences.axes == axes

    def use_next(self) -> None:
        """Use its own axes, those of what it hangs on, those of the world, and its own again."""
        self._window.prefer(axes=AXES_OF[(AXES_OF.index(self._window.preferences.axes) + 1) % len(AXES_OF)])

    def toggle_snaps(self) -> None:
        """Move and turn by whole steps; Shift does the opposite while a part is dragged."""
        self._window.prefer(snaps=not self.is_snapping())

    def is_snapping(self) -> bool:
        """True if manipulators go by steps."""
        return self._window.preferences.snaps

    def toggle_grid(self) -> None:
        """Along the axes of the world, snap places to lines a step apart instead of by steps from where they were."""
        self._window.prefer(grid="steps" if self.is_to_lines() else "lines")

    def is_to_lines(self) -> bool:
        """True if places go to lines."""
        return self._window.preferences.grid == "lines"

    def show_steps(self) -> None:
        """Set how far one step of snapping goes: a page of the preferences."""
        self._window.sheets.show_preferences("Posing")


Do = ToolCommands

ACTIONS: tuple[Action, ...] = (
    *(
        Action(
            id=f"tool.{name}", label=label, menu="Edit", call=partial(Do.take, tool=name), keys=(key,),
            icon=icon, when=Do.has_view, checked=partial(Do.takes, tool=name), about=about,
            begins_group=name == "pose",
        )
        for name, label, key, icon, about in (
            ("pose", "Select and pose", "Q", "crosshair", "Select with a click, drag bodies and round marks."),
            ("move", "Move", "W", "move-3d",
             "Arrows that move what is selected; the letter of an axis and a number may follow."),
            ("rotate", "Rotate", "E", "rotate-3d",
             "Rings that turn what is selected; the letter of an axis and a number may follow."),
        )
    ),
    *(
        Action(
            id=f"tool.axes_{name}", label=label, menu="Edit", call=partial(Do.use, axes=name),
            submenu="Manipulator axes", checked=partial(Do.uses, axes=name),
            about=f"Move and turn along the axes of {whose}.",
        )
        for name, label, whose in (
            ("local", "Local", "what is selected"),
            ("parent", "Parent", "the joint or the actor that it hangs on"),
            ("world", "World", "the world"),
        )
    ),
    Action(
        id="tool.axes_next", label="Next axes", menu="Edit", call=Do.use_next, keys=("X",), icon="axis-3d",
        submenu="Manipulator axes", begins_group=True,
    ),
    Action(
        id="tool.snap", label="Snap", menu="Edit", call=Do.toggle_snaps, keys=("Shift+X",), submenu="Snapping",
        checked=Do.is_snapping,
    ),
    Action(
        id="tool.grid", label="To the world grid", menu="Edit", call=Do.toggle_grid, submenu="Snapping",
        checked=Do.is_to_lines,
    ),
    Action(id="tool.steps", label="Steps…", menu="Edit", call=Do.show_steps, submenu="Snapping"),
)  # fmt: skip
