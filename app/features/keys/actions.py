"""Keys: of one channel, taken away, between their neighbours; and the panel that works on ranges and captures."""

from __future__ import annotations

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from app.features.action import PART, Action, Topic
from app.features.keys.panel import KeysPanel
from app.session import keying
from app.style.value_slider import ValueSlider


class KeysCommands(Topic):
    """Keys of what is selected; of the first figure, where nothing is."""

    def key_channel(self) -> None:
        """Key the one channel under the pointer in the inspector, or of the joint that is selected."""
        keying.key_channel(self._session, self._channel())

    def delete_here(self) -> None:
        """Take the keys at the playhead away: of the selected joints, or of the figures."""
        keying.remove_keys_here(self._session)

    def break_down(self) -> None:
        """Key what is selected halfway between its neighbouring keys."""
        command = keying.breakdown(self._session, 0.5)
        if command is not None:
            self._session.work_out(command)

    def open_range(self) -> None:
        """Stretch, slide, reverse, mirror or loop what happens between two frames, in the Keys panel."""
        self._open("Range")

    def open_clean_up(self) -> None:
        """Take spikes out of captures, smooth them, put few keys in the place of many, in the Keys panel."""
        self._open("Clean up")

    def has_figure(self) -> bool:
        """True if there is anything to key."""
        return bool(self._session.posing.targets())

    def _open(self, group: str) -> None:
        self._window.show_panel("keys")
        panel = self._window.docks["keys"].widget()
        assert isinstance(panel, KeysPanel), "its dock holds it"
        panel.turn_to(group)

    def _channel(self) -> keying.Channel | None:
        """Find the number below the pointer, else the one that has the keyboard, else that of the selected joint."""
        for widget in (QApplication.widgetAt(QCursor.pos()), self._window.focusWidget()):
            if isinstance(widget, ValueSlider) and widget.channel is not None:
                return widget.channel
        return keying.only_channel(self._session)


Do = KeysCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="keys.channel", label="Key channel", menu="Time", call=Do.key_channel, keys=("Alt+Shift+S",),
        when=Do.has_figure, begins_group=True,
    ),
    Action(
        id="keys.delete_here", label="Delete keys here", menu="Time", call=Do.delete_here, keys=("Ctrl+Del",),
        when=Do.has_figure, contexts=(*PART, "actor"),
    ),
    Action(
        id="keys.breakdown", label="Breakdown", menu="Time", call=Do.break_down, keys=("B",), when=Do.has_figure,
        contexts=(*PART, "actor"),
    ),
    Action(id="keys.range", label="Work on a range…", menu="Time", call=Do.open_range),
    Action(id="keys.clean_up", label="Clean up and reduce keys…", menu="Time", call=Do.open_clean_up),
)  # fmt: skip
