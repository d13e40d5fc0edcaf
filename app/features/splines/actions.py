"""Actions on activation splines: draw, seed and paint them in the views; mute, copy, remove them."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Context, Topic
from app.features.splines.current_splines import CurrentSplines, Hold
from app.features.splines.painted import PaintedRegion

_Activation = partial(Action, menu="Animate", submenu="Activation")


class SplineCommands(Topic):
    """Of the soft body that was selected last, and its chosen spline."""

    @property
    def _current(self) -> CurrentSplines:
        return self._session.of(CurrentSplines)

    @property
    def _painted(self) -> PaintedRegion:
        return self._session.of(PaintedRegion)

    def take(self, hold: Hold) -> None:
        """Choose this tool, or put it away."""
        self._current.take("" if self._current.hold == hold else hold)
        if self._current.hold:
            self._window.view.take_keyboard()

    def takes(self, hold: Hold) -> bool:
        """True if the left button does this."""
        return self._current.hold == hold

    def seed(self) -> None:
        """Give the soft body a spline along its own long axis."""
        self._current.seed()

    def fill_region(self) -> None:
        """Let the spline act on the whole body: all of it is painted, to be erased in part."""
        self._painted.fill(1.0)

    def clear_region(self) -> None:
        """Paint nothing of the body, to begin anew."""
        self._painted.fill(0.0)

    def toggle_mute(self) -> None:
        """Leave the chosen spline out for now, or let it count again."""
        spline = self._current.spline
        if spline is not None:
            self._current.do("set_activation_spline", mute=not spline.mute)

    def duplicate(self) -> None:
        """Add a copy of the chosen spline to its body."""
        self._current.duplicate()

    def remove(self) -> None:
        """Take the chosen spline out of its body."""
        self._current.do("remove_activation_spline")

    def may_change(self) -> bool:
        """True if there is a soft body that is not frozen."""
        return self._current.may_change and self._window.viewport is not None

    def has_spline(self) -> bool:
        """True if a spline of such a body is chosen."""
        return self.may_change() and self._current.spline is not None

    def is_selected(self) -> bool:
        """True if a spline of such a body is selected."""
        active, spline = self._session.selection.active, self._current.spline
        return self.has_spline() and active is not None and spline is not None and active.added == spline.id

    def is_muted(self) -> bool:
        """True if the chosen spline is left out."""
        spline = self._current.spline
        return spline is not None and spline.mute


Do = SplineCommands
LANE: tuple[Context, ...] = ("lane",)

ACTIONS: tuple[Action, ...] = (
    _Activation(
        id="activation.draw", label="Draw spline", call=partial(Do.take, hold="draw"), keys=("Ctrl+Shift+D",),
        icon="spline", when=Do.may_change, checked=partial(Do.takes, hold="draw"), contexts=PART, begins_group=True,
        about="Click inside a soft body to set the points of a spline; Enter ends it, Backspace takes one back.",
    ),
    _Activation(
        id="activation.seed", label="Spline along the body's axis", call=Do.seed, when=Do.may_change, contexts=PART,
    ),
    _Activation(
        id="activation.paint", label="Paint region", call=partial(Do.take, hold="paint"), icon="pencil",
        when=Do.has_spline, checked=partial(Do.takes, hold="paint"), begins_group=True,
        about="Drag over the body to paint the part of it that the chosen spline acts on.",
    ),
    _Activation(
        id="activation.erase", label="Erase region", call=partial(Do.take, hold="erase"), icon="eraser",
        when=Do.has_spline, checked=partial(Do.takes, hold="erase"),
        about="Drag over the body to take parts out of the region of the chosen spline.",
    ),
    _Activation(id="activation.fill_region", label="Paint the whole body", call=Do.fill_region, when=Do.has_spline),
    _Activation(id="activation.clear_region", label="Paint nothing", call=Do.clear_region, when=Do.has_spline),
    _Activation(
        id="activation.mute", label="Mute spline", call=Do.toggle_mute, icon="eye-off", when=Do.is_selected,
        checked=Do.is_muted, contexts=("lock", "lane"), begins_group=True,
    ),
    _Activation(
        id="activation.duplicate", label="Duplicate spline", call=Do.duplicate, icon="copy", when=Do.is_selected,
        contexts=("lock", "lane"),
    ),
    _Activation(
        id="activation.remove", label="Remove spline", call=Do.remove, icon="trash-2", when=Do.is_selected,
        contexts=LANE,
    ),
)  # fmt: skip
