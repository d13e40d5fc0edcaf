"""What the left button does: select and pose, or a manipulator that moves or turns; its axes and its steps."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic

AXES_OF = ("local", "parent", "world")  # kept in the preferences

ACTIONS: tuple[Action, ...] = (
    Action(
        id="tool.pose", label="Select and pose", menu="Edit", call="take_pose", keys=("Q",), icon="crosshair",
        when="has_view", checked="is_pose", begins_group=True,
    ),
    Action(
        id="tool.move", label="Move", menu="Edit", call="take_move", keys=("W",), icon="move-3d", when="has_view",
        checked="is_move",
    ),
    Action(
        id="tool.rotate", label="Rotate", menu="Edit", call="take_rotate", keys=("E",), icon="rotate-3d",
        when="has_view", checked="is_rotate",
    ),
    *(
        Action(
            id=f"tool.axes_{name}", label=label, menu="Edit", call=f"use_{name}", submenu="Axes of manipulators",
            checked=f"is_{name}",
        )
        for name, label in (("local", "Its own"), ("parent", "Of what it hangs on"), ("world", "Of the world"))
    ),
    Action(
        id="tool.axes_next", label="Next axes", menu="Edit", call="use_next", keys=("X",), icon="axis-3d",
        submenu="Axes of manipulators", begins_group=True,
    ),
    Action(
        id="tool.snap", label="Snap", menu="Edit", call="toggle_snaps", keys=("Shift+X",), submenu="Snapping",
        checked="is_snapping",
    ),
    Action(
        id="tool.grid", label="To lines of the world's grid", menu="Edit", call="toggle_grid", submenu="Snapping",
        checked="is_to_lines",
    ),
    Action(id="tool.steps", label="Steps…", menu="Edit", call="show_steps", submenu="Snapping"),
)  # fmt: skip


class ToolCommands(Topic):
    """What the left button does: select and pose, or a manipulator that moves or turns; its axes and its steps."""

    @property
    def has_view(self) -> bool:
        """Whether the viewport is there yet."""
        return self._window.toolbox is not None

    def take_pose(self) -> None:
        """Select with a click, drag bodies and round marks."""
        self._take("pose")

    def take_move(self) -> None:
        """Arrows that move what is selected; the letter of an axis and a number may follow."""
        self._take("move")

    def take_rotate(self) -> None:
        """Rings that turn what is selected; the letter of an axis and a number may follow."""
        self._take("rotate")

    @property
    def is_pose(self) -> bool:
        """Whether that is in the hand."""
        return self._taken == "pose"

    @property
    def is_move(self) -> bool:
        """Whether that is in the hand."""
        return self._taken == "move"

    @property
    def is_rotate(self) -> bool:
        """Whether that is in the hand."""
        return self._taken == "rotate"

    def use_local(self) -> None:
        """Move and turn along the axes of what is selected."""
        self._window.prefer(axes="local")

    def use_parent(self) -> None:
        """Move and turn along the axes of the joint or the actor that it hangs on."""
        self._window.prefer(axes="parent")

    def use_world(self) -> None:
        """Move and turn along the axes of the world."""
        self._window.prefer(axes="world")

    def use_next(self) -> None:
        """Its own axes, those of what it hangs on, those of the world, and its own again."""
        self._window.prefer(axes=AXES_OF[(AXES_OF.index(self._window.preferences.axes) + 1) % len(AXES_OF)])

    @property
    def is_local(self) -> bool:
        """Whether these axes are used."""
        return self._window.preferences.axes == "local"

    @property
    def is_parent(self) -> bool:
        """Whether these axes are used."""
        return self._window.preferences.axes == "parent"

    @property
    def is_world(self) -> bool:
        """Whether these axes are used."""
        return self._window.preferences.axes == "world"

    def toggle_snaps(self) -> None:
        """Move and turn by whole steps; Shift does the opposite while a part is dragged."""
        self._window.prefer(snaps=not self.is_snapping)

    @property
    def is_snapping(self) -> bool:
        """Whether manipulators go by steps."""
        return self._window.preferences.snaps

    def toggle_grid(self) -> None:
        """Along the axes of the world, snap places to lines a step apart instead of by steps from where they were."""
        self._window.prefer(grid="steps" if self.is_to_lines else "lines")

    @property
    def is_to_lines(self) -> bool:
        """Whether places go to lines."""
        return self._window.preferences.grid == "lines"

    def show_steps(self) -> None:
        """How far one step of snapping goes: a page of the preferences."""
        self._window.sheets.show_preferences("Posing")

    @property
    def _taken(self) -> str:
        return self._window.toolbox.taken if self._window.toolbox is not None else ""

    def _take(self, name: str) -> None:
        toolbox, manipulators = self._window.toolbox, self._window.manipulators
        if toolbox is not None and manipulators is not None:
            toolbox.take(name)
            manipulators.await_number()
            self._window.view.take_keyboard()
