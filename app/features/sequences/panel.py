"""SequencesPanel: the library of motions: find one, see its flipbook, put it on a figure, keep one's own."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from app.features.sequences.grid import SequenceGrid
from app.features.sequences.library import MIME, KeptSequence, SequenceLibrary, with_manner
from app.session import Session
from app.style.icon_button import IconButton
from app.style.picture_list import PictureList
from app.style.picture_panel import PicturePanel
from app.style.units import COUNT, FRAMES, Unit
from app.style.value_slider import ValueSlider

MOST_RUNS, MOST_EASE = 100.0, 300.0


class SequencesPanel(PicturePanel[KeptSequence]):
    """The sequences, and how one of them is put on a figure."""

    title = "Sequences"
    nothing_found = "No sequence has such a name."
    help_text = (
        "<p>Motions by name, those that come with Sinew first. The one under the pointer plays its key poses.</p>"
        "<p><b>Double-click</b> one to put it on what is selected, beginning at the playhead; or <b>drag</b> it onto a "
        "figure, or to a time of the timeline. Joints are found by their names; what a figure lacks is left out, and "
        "said.</p>"
        "<p>The switches exchange left and right, leave all but the selected joints alone, and let it go into the "
        "layer that receives keys instead of a layer of its own. It begins where the figure stands, runs as often as "
        "you say, and fades in and out over so many frames.</p>"
        "<p>The plus keeps what the selected figure, or its selected joints, does while it plays ({sequence.keep}). "
        "F2 renames a sequence of your own, Del removes it; Undo brings it back.</p>"
        "<p>A sequence is a layer in which it counts by w, eased in and out:</p>"
        "<p class='equation'>q ← (1 − w(t)) q + w(t) q<sub>sequence</sub></p>"
    )

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        sequences = PictureList[KeptSequence](_about, mime=MIME)
        grid = SequenceGrid(sequences)
        keep = IconButton("plus", "Keep what plays as a sequence", action="sequence.keep")
        into = IconButton("key-round", "Into the layer that receives keys, not one of its own")
        super().__init__(
            grid, session.of(SequenceLibrary), find="Find a sequence", keep=keep, switches=[into], parent=parent
        )
        self._session, self.sequences, self.grid, self.into = session, sequences, grid, into
        self.runs = _number("Runs", COUNT, 1.0, MOST_RUNS, "How often it runs, one run after the other")
        self.ease_in = _number("In", FRAMES, 0.0, MOST_EASE, "Frames over which it fades in")
        self.ease_out = _number("Out", FRAMES, 0.0, MOST_EASE, "Frames over which it fades out")
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 4, 8, 6)
        foot.setSpacing(4)
        for slider in (self.runs, self.ease_in, self.ease_out):
            foot.addWidget(slider, 1)
        self._column.addLayout(foot)
        self._connect()
        self._show_manner()
        self.set_ready(session.engine_state.ready)

    def everything(self) -> tuple[KeptSequence, ...]:
        """Return all sequences."""
        return self._session.of(SequenceLibrary).sequences

    def has_joints(self) -> bool:
        """True if joints are selected."""
        return self._session.posing.has_joints

    def refresh(self) -> None:
        """Show the library as it is now."""
        super().refresh()
        self._session.of(SequenceLibrary).draw_missing()

    def apply(self, kept: KeptSequence, *, mirrored: bool | None = None, on_selected: bool | None = None) -> None:
        """Put a sequence on what is selected, in the manner that is set but for what is said here."""
        library, said = self._session.of(SequenceLibrary), {"mirrored": mirrored, "on_selected": on_selected}
        changes = {name: value for name, value in said.items() if value is not None}
        library.put(kept, manner=with_manner(library.manner, **changes))

    def menu_for(self, index: QModelIndex) -> QMenu:
        """Make the menu of a sequence, and choose it."""
        self._session.of(SequenceLibrary).choose(self.sequences.kept_at(index))
        return super().menu_for(index)

    def _connect(self) -> None:
        library = self._session.of(SequenceLibrary)
        self.keep.clicked.connect(library.keep_present)
        self.grid.clicked.connect(lambda index: library.choose(self.sequences.kept_at(index)))
        library.changed.connect(self.follow)
        library.manner_changed.connect(self._show_manner)
        library.added.connect(self.show_added)
        self._session.engine_changed.connect(lambda state: self.set_ready(state.ready))
        self.mirrored.clicked.connect(lambda on: self._set(mirrored=on))
        self.selected_only.clicked.connect(lambda on: self._set(on_selected=on))
        self.into.clicked.connect(lambda on: self._set(into="receiver" if on else "layer"))
        for name, slider in (("runs", self.runs), ("ease_in", self.ease_in), ("ease_out", self.ease_out)):
            slider.moved.connect(partial(self._set_number, name))

    def _set(self, **changes: object) -> None:
        library = self._session.of(SequenceLibrary)
        library.set_manner(with_manner(library.manner, **changes))

    def _set_number(self, name: str, value: float) -> None:
        self._set(**{name: round(value)})

    def _show_manner(self) -> None:
        manner = self._session.of(SequenceLibrary).manner
        self.mirrored.setChecked(manner.mirrored)
        self.selected_only.setChecked(manner.on_selected)
        self.into.setChecked(manner.into == "receiver")
        self.runs.set_value(float(manner.runs))
        self.ease_in.set_value(float(manner.ease_in))
        self.ease_out.set_value(float(manner.ease_out))


def _about(kept: KeptSequence) -> str:
    return "Double-click to apply at the playhead, or drag it onto a figure or the timeline."


def _number(label: str, unit: Unit, least: float, most: float, tip: str) -> ValueSlider:
    slider = ValueSlider(label, unit=unit)
    slider.set_limits(least, most)
    slider.set_rest(1.0 if least else 6.0)
    slider.setToolTip(tip)
    slider.setMinimumWidth(62)  # three of them in a narrow dock
    return slider
