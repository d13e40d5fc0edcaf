"""Actions on lanes: show, key, draw and record activations of muscles and of splines."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import PART, Action, Context, Topic
from app.lanes.current_lanes import CurrentLanes
from engine.document.motion import Extrapolation

if TYPE_CHECKING:
    from app.features.activation.panel import ActivationPanel
    from app.lanes.view import LaneView
    from engine.document import Track

_Activation = partial(Action, menu="Animate", submenu="Activation")


class ActivationCommands(Topic):
    """Of the lane that is chosen, and of those that are listed."""

    @property
    def _current(self) -> CurrentLanes:
        return self._session.of(CurrentLanes)

    @property
    def _is_made(self) -> bool:
        return self._window.docks["activation"].is_made

    @property
    def _panel(self) -> ActivationPanel:
        panel: ActivationPanel = self._window.docks["activation"].widget()  # type: ignore[assignment]
        return panel

    @property
    def _lanes(self) -> LaneView:
        """The lanes, once they know the document of now: behind another tab they have not followed."""
        self._panel.refresh()
        return self._panel.lanes

    def show(self) -> None:
        """Show activations of muscles and of splines over time, lengths, forces and moment arms."""
        self._window.show_panel("activation")

    def key(self) -> None:
        """Set a key of the chosen lane at the playhead, at what its value is there."""
        self._lanes.key_here()

    def key_all(self) -> None:
        """Set a key of every lane that is listed at the playhead."""
        self._current.key_listed()

    def delete_keys(self) -> None:
        """Take away the keys of activations that are chosen."""
        self._lanes.remove()

    def extend(self, kind: Extrapolation) -> None:
        """Let the keyed activation of the chosen lane go on like that before its first key and after its last."""
        lane = self._current.lane()
        if lane is not None:
            self._session.do(lane.edit(lane.kind.extend, before=kind, after=kind))

    def extends(self, kind: Extrapolation) -> bool:
        """True if its activation goes on like that."""
        track = self._track
        return track is not None and track.before == track.after == kind

    def toggle_freehand(self) -> None:
        """Let a drag over a lane draw the curve of its activation, or choose and move keys."""
        self._panel.lanes.set_drawing(not self.draws_freehand())

    def toggle_record(self) -> None:
        """Let bars of activations that are moved while it plays set keys along the time that passes."""
        self._current.record(not self.records())

    def may_change(self) -> bool:
        """True if a lane is chosen, of an actor that is not frozen."""
        return self._current.may_change and self._window.viewport is not None

    def has_listed(self) -> bool:
        """True if there are lanes, and the engine is ready."""
        return bool(self._current.groups) and self._window.viewport is not None

    def is_keyed(self) -> bool:
        """True if the chosen lane has keys."""
        return self.may_change() and self._track is not None

    def has_chosen_keys(self) -> bool:
        """True if keys of activations are chosen."""
        return self._is_made and bool(self._panel.lanes.picked)

    def draws_freehand(self) -> bool:
        """True if a drag over a lane draws."""
        return self._is_made and self._panel.lanes.draws

    def records(self) -> bool:
        """True if bars record."""
        return self._current.records

    @property
    def _track(self) -> Track | None:
        source, chosen = self._current.source, self._current.chosen
        return None if source is None or chosen is None else source.track_of(chosen)


Do = ActivationCommands
LANE: tuple[Context, ...] = ("lane", "muscle")
_EXTENDED: tuple[tuple[Extrapolation, str, str], ...] = (
    ("hold", "Extrapolation: hold", "Hold the first value before the keys and the last one after them."),
    ("linear", "Extrapolation: linear", "Let it go on straight before its first key and after its last."),
    ("cycle", "Extrapolation: cycle", "Repeat the keys of the chosen lane before the first and after the last."),
    ("cycle_offset", "Extrapolation: cycle with offset", "Repeat the keys, each time from the last value."),
)

ACTIONS: tuple[Action, ...] = (
    _Activation(
        id="activation.show", label="Show muscle activation", call=Do.show, icon="activity", contexts=(*PART, "lock"),
        begins_group=True,
    ),
    _Activation(
        id="activation.key", label="Key activation", call=Do.key, keys=("Ctrl+Alt+K",), icon="key-round",
        when=Do.may_change, contexts=LANE, begins_group=True,
    ),
    _Activation(id="activation.key_all", label="Key all listed lanes", call=Do.key_all, when=Do.has_listed),
    _Activation(
        id="activation.delete_keys", label="Delete chosen keys", call=Do.delete_keys, icon="trash-2",
        when=Do.has_chosen_keys, contexts=LANE,
    ),
    _Activation(
        id="activation.freehand", label="Draw curves over lanes", call=Do.toggle_freehand, icon="pencil",
        when=Do.may_change, checked=Do.draws_freehand, contexts=LANE,
    ),
    _Activation(
        id="activation.record", label="Record sliders", call=Do.toggle_record, icon="circle-dot", when=Do.may_change,
        checked=Do.records, contexts=LANE,
    ),
    *(
        _Activation(
            id=f"activation.{kind}", label=label, about=about, call=partial(Do.extend, kind=kind), when=Do.is_keyed,
            checked=partial(Do.extends, kind=kind), contexts=LANE, begins_group=kind == "hold",
        )
        for kind, label, about in _EXTENDED
    ),
)  # fmt: skip
