"""Actions on activation splines: draw, seed and paint them in the views; key, draw and record their activation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import PART, Action, Context, Topic
from app.features.activation.current_splines import CurrentSplines, Hold
from app.features.activation.painted import PaintedRegion
from engine.document.motion import Extrapolation

if TYPE_CHECKING:
    from app.features.activation.lanes.view import ActivationLanes
    from app.features.activation.panel import ActivationPanel

_Activation = partial(Action, menu="Animate", submenu="Activation")


class ActivationCommands(Topic):
    """Of the soft body that was selected last, and its chosen spline."""

    @property
    def _current(self) -> CurrentSplines:
        return self._session.of(CurrentSplines)

    @property
    def _painted(self) -> PaintedRegion:
        return self._session.of(PaintedRegion)

    @property
    def _is_made(self) -> bool:
        return self._window.docks["activation"].is_made

    @property
    def _panel(self) -> ActivationPanel:
        panel: ActivationPanel = self._window.docks["activation"].widget()  # type: ignore[assignment]
        return panel

    def show(self) -> None:
        """Show the activation of splines over time."""
        self._window.show_panel("activation")

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

    def key(self) -> None:
        """Set a key of the chosen spline at the playhead, at what its alpha is there."""
        self._lanes_now.key_here()

    def delete_keys(self) -> None:
        """Take away the keys of activations that are chosen."""
        self._lanes_now.remove()

    def extend(self, kind: Extrapolation) -> None:
        """Let the keyed alpha of the chosen spline go on like that before its first key and after its last."""
        self._current.do("extend_activation", before=kind, after=kind)

    def extends(self, kind: Extrapolation) -> bool:
        """True if its alpha goes on like that."""
        spline = self._current.spline
        return spline is not None and spline.track is not None and spline.track.before == spline.track.after == kind

    def is_keyed(self) -> bool:
        """True if the chosen spline has keys."""
        return self.has_spline() and self._current.spline is not None and self._current.spline.track is not None

    def toggle_freehand(self) -> None:
        """Let a drag over a lane draw the curve of its activation, or choose and move keys."""
        self._panel.lanes.set_drawing(not self.draws_freehand())

    def toggle_record(self) -> None:
        """Let sliders of activations that are moved while it plays set keys along the time that passes."""
        self._current.record(not self.records())

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

    def has_chosen_keys(self) -> bool:
        """True if keys of activations are chosen."""
        return self._is_made and bool(self._panel.lanes.picked)

    def draws_freehand(self) -> bool:
        """True if a drag over a lane draws."""
        return self._is_made and self._panel.lanes.draws

    def records(self) -> bool:
        """True if sliders record."""
        return self._current.records

    def is_muted(self) -> bool:
        """True if the chosen spline is left out."""
        spline = self._current.spline
        return spline is not None and spline.mute

    @property
    def _lanes_now(self) -> ActivationLanes:
        """The lanes, once they know the document of now: behind another tab they have not followed."""
        self._panel.refresh()
        return self._panel.lanes


Do = ActivationCommands
LANE: tuple[Context, ...] = ("lane",)
_EXTENDED: tuple[tuple[Extrapolation, str, str], ...] = (
    ("hold", "Extrapolation: hold", "Hold the first alpha before the keys and the last one after them."),
    ("linear", "Extrapolation: linear", "Let alpha go on straight before its first key and after its last."),
    ("cycle", "Extrapolation: cycle", "Repeat the keys of the chosen spline before the first and after the last."),
    ("cycle_offset", "Extrapolation: cycle with offset", "Repeat the keys, each time from the last value."),
)

ACTIONS: tuple[Action, ...] = (
    _Activation(
        id="activation.show", label="Show muscle activation", call=Do.show, icon="waves", contexts=PART,
        begins_group=True,
    ),
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
        id="activation.key", label="Key activation", call=Do.key, keys=("Ctrl+Alt+K",), icon="key-round",
        when=Do.has_spline, contexts=LANE, begins_group=True,
    ),
    _Activation(
        id="activation.delete_keys", label="Delete chosen keys", call=Do.delete_keys, icon="trash-2",
        when=Do.has_chosen_keys, contexts=LANE,
    ),
    _Activation(
        id="activation.freehand", label="Draw curves over lanes", call=Do.toggle_freehand, icon="pencil",
        when=Do.has_spline, checked=Do.draws_freehand, contexts=LANE,
    ),
    _Activation(
        id="activation.record", label="Record sliders", call=Do.toggle_record, icon="circle-dot", when=Do.has_spline,
        checked=Do.records, contexts=LANE,
    ),
    *(
        _Activation(
            id=f"activation.{kind}", label=label, about=about, call=partial(Do.extend, kind=kind), when=Do.is_keyed,
            checked=partial(Do.extends, kind=kind), contexts=LANE, begins_group=kind == "hold",
        )
        for kind, label, about in _EXTENDED
    ),
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
