"""SequencesPanel: the library of motions: find one, see its flipbook, put it on a figure, keep one's own."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QSize
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.panels.sequences.grid import SequenceGrid
from app.panels.sequences.model import SequenceList
from app.session import EngineState, KeptSequence, Session
from app.session.sequences import with_manner
from app.style.apply import current_theme
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.icons import icon
from app.style.message_bar import MessageBar
from app.style.search_field import SearchField
from app.style.units import COUNT, FRAMES, Unit
from app.style.value_slider import ValueSlider

NOTHING_FOUND = "No sequence has such a name."
MOST_RUNS, MOST_EASE = 100.0, 300.0


class SequencesPanel(Following):
    """The grid, what narrows and adds to it, and how a sequence is put on a figure."""

    title = "Sequences"
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
    )

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._library = session, session.sequences
        self.sequences = SequenceList(self)
        self.grid = SequenceGrid(self.sequences)
        self.search = SearchField("Find a sequence")
        self.mirrored = IconButton("flip-horizontal-2", "Left as right and right as left")
        self.selected_only = IconButton("bone", "On the selected joints alone")
        self.into = IconButton("key-round", "Into the layer that receives keys, not one of its own")
        self.keep = IconButton("plus", "Keep what plays as a sequence", action="sequence.keep")
        for switch in (self.mirrored, self.selected_only, self.into):
            switch.setCheckable(True)
        self.runs = _number("Runs", COUNT, 1.0, MOST_RUNS, "How often it runs, one run after the other")
        self.ease_in = _number("In", FRAMES, 0.0, MOST_EASE, "Frames over which it fades in")
        self.ease_out = _number("Out", FRAMES, 0.0, MOST_EASE, "Frames over which it fades out")
        self.message = MessageBar()
        self._arrange()
        self._connect()
        self._show_manner()
        self._follow_engine(session.engine_state)
        self._behind = True  # looked up once it is seen

    def sizeHint(self) -> QSize:
        return QSize(220, 320)

    def refresh(self) -> None:
        """Show the library as it is now."""
        self.sequences.show(self._library.sequences)
        self.grid.hint = NOTHING_FOUND
        self.grid.viewport().update()
        self._library.draw_missing()

    def apply(self, kept: KeptSequence, **changes: object) -> None:
        """Put a sequence on what is selected, in the manner that is set but for what is said here."""
        self._library.put(kept, manner=with_manner(self._library.manner, **changes))

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with a sequence."""
        menu, theme, kept = QMenu(self), current_theme(), self.sequences.kept_at(index)
        menu.addAction("Apply").triggered.connect(lambda: self.apply(kept))
        mirror = menu.addAction(icon("flip-horizontal-2", theme), "Apply mirrored")
        mirror.triggered.connect(lambda: self.apply(kept, mirrored=True))
        some = menu.addAction(icon("bone", theme), "Apply to selected joints")
        some.triggered.connect(lambda: self.apply(kept, on_selected=True))
        some.setEnabled(any(joints is not None for _, joints in self._session.posing.targets()))
        menu.addSeparator()
        rename = menu.addAction(icon("pencil", theme), "Rename")
        remove = menu.addAction(icon("trash-2", theme), "Remove")
        rename.triggered.connect(lambda: self.grid.edit(self.sequences.index_of(kept)))
        remove.triggered.connect(lambda: self._remove(kept))
        for action in (rename, remove):
            action.setEnabled(kept.own)
        return menu

    # Within

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 8, 4)
        head.setSpacing(2)
        head.addWidget(self.search, 1)
        for button in (self.mirrored, self.selected_only, self.into, self.keep):
            head.addWidget(button)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 4, 8, 6)
        foot.setSpacing(4)
        for slider in (self.runs, self.ease_in, self.ease_out):
            foot.addWidget(slider, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.grid, 1)
        column.addWidget(self.message)
        column.addLayout(foot)

    def _connect(self) -> None:
        library, grid = self._library, self.grid
        self.search.textChanged.connect(self.sequences.search)
        self.keep.clicked.connect(library.keep_present)
        self.sequences.renamed.connect(library.rename)
        grid.doubleClicked.connect(lambda index: self.apply(self.sequences.kept_at(index)))
        grid.clicked.connect(lambda index: library.choose(self.sequences.kept_at(index)))
        grid.removal_wanted.connect(lambda index: self._remove(self.sequences.kept_at(index)))
        grid.customContextMenuRequested.connect(self._offer)
        library.changed.connect(self.follow)
        library.manner_changed.connect(self._show_manner)
        library.added.connect(self._show_added)
        self._session.engine_changed.connect(self._follow_engine)
        self.mirrored.clicked.connect(lambda on: self._set(mirrored=on))
        self.selected_only.clicked.connect(lambda on: self._set(on_selected=on))
        self.into.clicked.connect(lambda on: self._set(into="receiver" if on else "layer"))
        for name, slider in (("runs", self.runs), ("ease_in", self.ease_in), ("ease_out", self.ease_out)):
            slider.moved.connect(partial(self._set_number, name))

    def _set(self, **changes: object) -> None:
        self._library.set_manner(with_manner(self._library.manner, **changes))

    def _set_number(self, name: str, value: float) -> None:
        self._set(**{name: round(value)})

    def _show_manner(self) -> None:
        manner = self._library.manner
        self.mirrored.setChecked(manner.mirrored)
        self.selected_only.setChecked(manner.on_selected)
        self.into.setChecked(manner.into == "receiver")
        for slider, value in (
            (self.runs, manner.runs),
            (self.ease_in, manner.ease_in),
            (self.ease_out, manner.ease_out),
        ):
            slider.set_value(float(value))

    def _offer(self, where: QPoint) -> None:
        index = self.grid.indexAt(where)
        if index.isValid():
            self.grid.setCurrentIndex(index)
            self._library.choose(self.sequences.kept_at(index))
            self.menu_for(index).popup(self.grid.viewport().mapToGlobal(where))

    def _remove(self, kept: KeptSequence) -> None:
        if not kept.own:
            self.message.say(f"{kept.name} comes with Sinew and stays.")
            return
        self._library.remove(kept)
        if kept not in self._library.sequences:
            self.message.say(f"Removed {kept.name}.", do="Undo", act=self._library.restore)

    def _show_added(self, kept: KeptSequence) -> None:
        """Show what was kept, ready to be given a name."""
        if self._seen and self.isVisible():
            self.search.clear()
            index = self.sequences.index_of(kept)
            self.grid.setCurrentIndex(index)
            self.grid.scrollTo(index)
            self.grid.edit(index)

    def _follow_engine(self, state: EngineState) -> None:
        for widget in (self.grid, self.keep):
            widget.setEnabled(state.ready)


def _number(label: str, unit: Unit, least: float, most: float, tip: str) -> ValueSlider:
    slider = ValueSlider(label, unit=unit)
    slider.set_limits(least, most)
    slider.set_rest(1.0 if least else 6.0)
    slider.setToolTip(tip)
    slider.setMinimumWidth(62)  # three of them in a narrow dock
    return slider
