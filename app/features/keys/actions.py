"""Keys: of one channel, taken away, between their neighbours; and the panel that works on ranges and captures."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from app.features.action import PART, Action, Topic
from app.features.keys.panel import KeysPanel
from app.session import keying
from app.style.value_slider import ValueSlider
from engine.commands.fit_markers import FitMarkers
from engine.commands.retarget import RetargetMotion, moving
from engine.commands.take_coordinates import TakeCoordinates, holds_coordinates, holds_markers
from engine.document.capture import MarkerGaps
from engine.document.values import new_id
from engine.measured_forces.commands.take import TakeForces, holds_forces


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

    def open_retarget(self) -> None:
        """Put the motion of one figure, such as an imported capture, onto another, in the Keys panel."""
        chosen = [item.actor for item in self._session.selection.items]
        panel = self._open("Retarget")
        if panel.retargeting is not None and chosen:
            document = self._session.document
            moves = {id for id in chosen if id in document.actor_index and moving(document.actor(id)) is not None}
            recorded = next((id for id in chosen if id in moves), None)
            panel.retargeting.aim(recorded, next((id for id in chosen if id != recorded), None))

    def retarget_file(self) -> None:
        """Put the motion of a file onto the selected figure: joints are paired by their names, feet stay where they
        stand. Where no name is known the Keys panel says which joint follows which. Coordinates (MOT, CSV) move those
        of their names, end-effectors follow markers (TRC, C3D), and forces of the ground (MOT) act on its feet."""
        owner = self._receiver()
        if owner is not None:
            self._window.asking.choose_motion(lambda path: self._retarget(path, owner))

    def open_fitting(self) -> None:
        """Move a figure so that its end-effectors follow captured markers, in the Keys panel."""
        panel = self._open("Fit to markers")
        if panel.fitting is not None:
            panel.fitting.aim([item.actor for item in self._session.selection.items])

    def open_scaling(self) -> None:
        """Make the bodies of a figure as large as those of the person who wore captured markers, in the Keys panel."""
        panel = self._open("Scale to markers")
        if panel.scaling is not None:
            panel.scaling.aim([item.actor for item in self._session.selection.items])

    def has_capture(self) -> bool:
        """True if there are captured markers."""
        return any(each.part(MarkerGaps) is not None for each in self._session.document.actors)

    def has_receiver(self) -> bool:
        """True if there is a figure to put a motion onto."""
        return self._receiver() is not None

    def _retarget(self, path: Path, owner: str) -> None:
        if owner not in self._session.document.actor_index:
            return
        if holds_markers(path):
            self._session.work_out(FitMarkers(actor=owner, path=path, id=new_id("layer")))
        elif holds_forces(path):
            self._session.work_out(TakeForces(actor=owner, path=path))
        elif holds_coordinates(path):
            self._session.work_out(TakeCoordinates(actor=owner, path=path, id=new_id("layer")))
        else:
            self._session.work_out(RetargetMotion(actor=owner, path=path, id=new_id("layer")))

    def _receiver(self) -> str | None:
        actors = self._session.document.actors
        chosen = [item.actor for item in self._session.selection.items]
        bodies = [each.id for each in actors if not each.figure.is_prop]
        return next((id for id in (*chosen, *bodies) if id in bodies), None)

    def has_figure(self) -> bool:
        """True if there is anything to key."""
        return bool(self._session.posing.targets())

    def _open(self, group: str) -> KeysPanel:
        self._window.show_panel("keys")
        panel = self._window.docks["keys"].widget()
        assert isinstance(panel, KeysPanel), "its dock holds it"
        panel.turn_to(group)
        return panel

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
    Action(id="keys.range", label="Edit time range…", menu="Time", call=Do.open_range),
    Action(id="keys.clean_up", label="Clean up and reduce keys…", menu="Time", call=Do.open_clean_up),
    Action(
        id="keys.retarget_file", label="Retarget a capture onto the figure…", menu="Animate", call=Do.retarget_file,
        when=Do.has_receiver, begins_group=True,
    ),
    Action(
        id="keys.retarget", label="Retarget onto another figure…", menu="Animate", call=Do.open_retarget,
        when=Do.has_receiver, contexts=("actor",),
    ),
    Action(
        id="keys.fit_markers", label="Fit to markers…", menu="Animate", call=Do.open_fitting, when=Do.has_capture,
        contexts=("actor",),
    ),
    Action(
        id="keys.scale_markers", label="Scale to markers…", menu="Animate", call=Do.open_scaling, when=Do.has_capture,
        contexts=("actor",),
    ),
)  # fmt: skip
