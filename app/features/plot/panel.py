"""PlotPanel: quantities of what is selected against time: the list of them, their curves, and the legend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from app.features.plot.choices import ChoicesView, QuantityModel
from app.features.plot.curves import CurvesView, TimeScale
from app.features.plot.legend import Legend, LegendView
from app.features.plot.plotting import SORTS, Plotting
from app.session import Selection, Session
from app.style.export_button import AGAINST_TIME, ExportButton
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.search_field import SearchField
from engine.document import Document
from engine.measure import KINDS
from engine.queries.plots import MOST_SERIES

if TYPE_CHECKING:
    from app.features.plot.plotting import Series

SELECT = "Select a joint or an actor: its curves are drawn here."
TICK = "Tick in the list on the left what is to be drawn."
NOT_THERE = "What is selected has nothing of what is ticked. Tick something that is not pale."


class PlotPanel(Following):
    """The panel that plots quantities of the selection against time."""

    title = "Plot"
    help_text = """
<p>Any quantity of what is selected against time: angles, rates, accelerations, distances to limits, points, and of
whole figures the centre of mass, momentum and energy. Select joints or actors, several with Shift, and tick on the left
what you want to see. Of a muscle that is chosen its own curves are shown, of a figure those of all its muscles.</p>
<p>Beside torques of inverse dynamics stand those of a planned motion that a search has found and that is not kept.</p>
<p>Inverse dynamics tells the torque, power and work of a joint, and the residual at the root: what must act on a figure
from outside. Forces of the ground count where they were measured and put on the figure; else the residual holds them
too, and legs that stand are computed without them.</p>
<p><b>Drag</b> in the curves to another time; the legend tells the numbers there. The wheel zooms about the pointer,
with Shift it moves in time, as the middle button does; a double click shows all that is played.</p>
<p>A click in the legend mutes a curve. The bookmark keeps all that is shown, to be compared with what is selected next;
the eraser lets go of it. Dashed lines are differences of what is seen, where pins, attachments or secondary motion
move the figure; grey ones are not worked out yet.</p>
<p>The disk exports the curves as numbers (CSV and NPZ, in SI units, every digit) or as a drawing (SVG), as does
File &gt; Export plot.</p>
<p>Inverse dynamics, as it is plotted: what the joints and the root must bring for the motion that is seen</p>
<p class="equation">τ = M(q) q̈ + h(q, q̇), &nbsp;&nbsp; power τ q̇, &nbsp;&nbsp; work ∫ τ q̇ dt</p>
"""
    export_asked = Signal(str)  # the ending of the file
    export_name = "curves"

    def __init__(self, session: Session, axis: TimeScale, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._plotting = session, session.of(Plotting)
        self.choices, self.legend = QuantityModel(self), Legend(self)
        self.search = SearchField("Find a quantity")
        self.list, self.curves, self.rows = (
            ChoicesView(self.choices),
            CurvesView(session, axis),
            LegendView(self.legend),
        )
        self.keep = IconButton("bookmark-plus", "Keep these curves when something else is selected")
        self.forget = IconButton("eraser", "Keep no curves")
        self.all = IconButton("scan", "Show all that is played")
        self.export = ExportButton(AGAINST_TIME)
        self.note, self.caution = QLabel(wordWrap=True), QLabel(wordWrap=True)
        self.note.setProperty("faint", True)
        self.caution.setProperty("warned", True)
        for label in (self.note, self.caution):
            label.setContentsMargins(8, 2, 8, 4)
        self._lay_out()
        self._connect()
        self._there = frozenset[str]()
        self._about: tuple[Selection, Document] | None = None
        self._seen, self._behind = False, True  # until its dock says so
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(640, 200)

    def set_seen(self, seen: bool) -> None:
        """Curves are worked out only while they are seen."""
        super().set_seen(seen)
        self._plotting.watch(seen)

    @property
    def has_curves(self) -> bool:
        """True if there is anything to be written."""
        return self._plotting.wanted(self._session.document) is not None

    def write_curves(self, path: Path) -> None:
        """Write what is plotted."""
        self._plotting.write(path)

    def refresh(self) -> None:
        """Show what is chosen and what is worked out of it."""
        plotting = self._plotting
        self._show_choices()
        series = plotting.series
        names = [] if plotting.plot is None else _names(plotting.plot.document, series)
        self.legend.show_series(series, names, self._session.playhead)
        self._show_curves()
        self._say()
        self.keep.setEnabled(bool(series))
        self.export.setEnabled(bool(series))
        self.forget.setEnabled(bool(plotting.kept))

    def _show_choices(self) -> None:
        """Show what is ticked; list the choices anew where something else is selected or the document is another."""
        plotting, before = self._plotting, self._about
        self._about = about = (self._session.selection, self._session.shown)
        if before is None or before[0] is not about[0] or before[1] is not about[1]:
            self._there = frozenset(name for name, sort in SORTS.items() if plotting.applies(sort))
        self.choices.show_chosen(frozenset(plotting.chosen), self._there)

    def _lay_out(self) -> None:
        left, right = QWidget(), QWidget()
        for side in (left, right):
            make_panel(side)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        top = QHBoxLayout()
        top.setContentsMargins(8, 4, 6, 0)
        top.addWidget(self.search)
        column.addLayout(top)
        column.addWidget(self.list, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(6, 2, 6, 0)
        buttons.setSpacing(2)
        for button in (self.keep, self.forget):
            buttons.addWidget(button)
        buttons.addStretch(1)
        for button in (self.all, self.export):
            buttons.addWidget(button)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(buttons)
        column.addWidget(self.rows, 1)
        column.addWidget(self.caution)
        column.addWidget(self.note)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for widget in (left, self.curves, right):
            self.splitter.addWidget(widget)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes([190, 400, 230])
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.splitter)

    def _connect(self) -> None:
        session, plotting = self._session, self._plotting
        self.search.textChanged.connect(self.choices.search)
        self.choices.toggled.connect(plotting.toggle)
        self.legend.muted_changed.connect(self._show_curves)
        self.keep.clicked.connect(plotting.keep)
        self.forget.clicked.connect(lambda: plotting.forget())
        self.all.clicked.connect(self.curves.show_all)
        self.export.asked.connect(self.export_asked)
        plotting.changed.connect(self.follow)
        plotting.chosen_changed.connect(self.follow)
        session.selection_changed.connect(lambda selection: self.follow())
        session.document_changed.connect(lambda old, new: self.follow())
        session.engine_changed.connect(lambda state: self.follow())
        session.playhead_moved.connect(self._show_time)

    def _show_time(self, time: int) -> None:
        if self._seen:
            self.legend.show_time(time)

    def _show_curves(self) -> None:
        rows = [(row, each) for row, each in enumerate(self.legend.series) if not self.legend.is_muted(row)]
        self.curves.show_rows(rows, self._hint())

    def _hint(self) -> str:
        """Say what to do where nothing is drawn."""
        session, plotting = self._session, self._plotting
        state = session.engine_state
        if not state.ready:
            return f"{state.text}. Curves are drawn when it is done."
        if self.legend.series:
            return "All curves are muted: click one in the legend."
        if not session.selection:
            return SELECT
        if not plotting.chosen:
            return TICK
        return "" if plotting.quantities(session.shown) else NOT_THERE

    def _say(self) -> None:
        """Show what of the choices is missing, and notes about what is drawn."""
        plot = self._plotting.plot
        said = [] if plot is None else list(plot.problems)
        count = len(self._plotting.quantities(self._session.shown))
        if count > MOST_SERIES:
            said.append(f"{MOST_SERIES} of {count} curves are shown: select fewer parts.")
        cautions = [] if plot is None else list(dict.fromkeys(each.caution for each in plot.series if each.caution))
        for label, lines in ((self.note, said), (self.caution, cautions)):
            label.setText("\n".join(lines))
            label.setVisible(bool(lines))


def _names(document: Document, series: Sequence[Series]) -> list[str]:
    """List the legend's texts; with the actor's name where there are several."""
    several = len({each.quantity.actor for each in series}) > 1
    names = {actor.id: actor.name for actor in document.actors}
    return [
        f"{names[each.quantity.actor]}: {each.label}"
        if several and KINDS[each.quantity.kind].of != "figure"
        else each.label
        for each in series
    ]
