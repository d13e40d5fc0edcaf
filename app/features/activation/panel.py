"""ActivationPanel: the dock of muscle activation: which lanes are listed, tools, the head of time, the lanes, and
beside them what belongs to the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.lanes.current_lanes import CurrentLanes
from app.lanes.kind import LaneFields, LaneSource, LaneTool
from app.lanes.places import BESIDE
from app.lanes.view import LaneView
from app.session import FileOutcome, Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.fonts import scaled
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.search_field import SearchField
from app.timeline.axis import TimeAxis
from app.timeline.time_head import TimeHead

FIELDS = 176  # [logical px] width of what stands beside the lanes
GAP = 8  # [logical px] between groups of tools


class ActivationPanel(Following):
    """The dock."""

    title = "Muscle activation"
    action_asked = Signal(str)  # the id of an action
    menu_asked = Signal(QMenu, str)  # to be filled with what can be done in a lane of a kind
    help_text = """
<p>Every <b>muscle</b> of a figure has a lane: its activation over time, from 0, relaxed, to 1, as strong as it can be.
Beside it stand its length with its tendon and its force at the playhead. Every <b>spline</b> of a soft body has one,
too: its alpha, below 1 it contracts, above it extends, at the dotted line, 1, it is passive. The second, thinner curve
and the number are how long it really is, times its length at rest, as the simulation has come to it.</p>
<p>Click a lane to choose it, or what it is of in the view. <b>Drag its bar</b> to set the constant, or where it is
keyed a key at the playhead. <b>Double-click</b> in a lane to set a key there, or press K to set one at the playhead.
Drag keys in time and value, with Shift in one of both; draw a box to choose several; {edit.delete} deletes them. With
the pencil a drag over a lane draws its curve, of which few keys are kept. Switch <b>Record</b> on and play: what you do
with a bar becomes keys. Few lanes are tall, many are low: list those of a set, a region, a joint or a body, or search
names.</p>
<p>With <i>Keys are excitations</i>, in the inspector of a muscle, its lanes key excitation u; the thin curve is the
activation a that follows, within some 15 ms up and 50 ms down:</p>
<p class="equation">a′ = (u − a)/t,  t = 15 ms (0.5 + 1.5 a) or 50 ms / (0.5 + 1.5 a)</p>
<p>{muscles.find_activations} finds activations with which the muscles give what the motion takes, and says what each
joint lacks before they are kept.</p>
<p>{muscles.add} makes a muscle between two joints that are selected, {muscles.keep_set} keeps what is listed as a set
of your own. At the right is the <b>moment arm</b> of the chosen muscle over the range of a joint, all others staying as
they are: how far it shortens for each radian, its length being l and the angle q. Above stand its torques τ about all
that it crosses, which {view.show_torques} draws as arcs in the views. A muscle pulls with F, from its
greatest force F₀, its activation a, and curves of the length l̃ and the rate ṽ of its fibres (Hill's model; rigid
tendons, or elastic ones by the model that the inspector of a muscle has):</p>
<p class="equation">r = −dl/dq,  τ = r F</p>
<p class="equation">F = F₀ (a f<sub>L</sub>(l̃) f<sub>V</sub>(ṽ) + f<sub>P</sub>(l̃)) cos α</p>
<p>At the right an <b>expression</b> in the time t, in seconds, may tell the activation of a muscle, such as
<code>0.5 + 0.5*sin(2*pi*t)</code>; {muscles.express_listed} gives it to all that are listed,
{muscles.key_expressions} makes keys of it.</p>
<p>{activation.draw} draws a spline by clicks inside a body; the inspector has its stiffness and its region. As an
<b>expression</b> its alpha is computed from the time t, in seconds, and the place s along it, 0 to 1: <code>1 +
0.3*cos(2*pi*(t - s))</code> is a wave that runs along it. Each segment of length l along e, and l₀ at rest, is a damped
spring that wants the length α l₀:</p>
<p class="equation">a = −k (l − α l₀) e − c e eᵀ Δv</p>
"""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self.axis = session, axis
        self.current = session.of(CurrentLanes)
        self.head = TimeHead(session, axis, margin=BESIDE)
        self.lanes = LaneView(session, axis)
        self.groups, self.search = QComboBox(), SearchField("Search")
        self.name = ElidedLabel("", colour="text")
        self.fields: dict[str, LaneFields] = {}  # by kind, once such a lane was chosen
        self._buttons: list[tuple[LaneSource, LaneTool, IconButton]] = []
        self._shown_groups: list[tuple[str, tuple[str, str, str]]] = []
        self._lay_out()
        self._behind = True  # until it is seen first
        self.lanes.menu_wanted.connect(self._offer)
        self.lanes.drawing_changed.connect(self._show_tools)
        self.groups.activated.connect(lambda place: self.current.choose_group(self.groups.itemData(place)))
        self.search.textChanged.connect(self.current.find)
        self.current.changed.connect(self.follow)
        self.current.records_changed.connect(self._show_tools)
        session.snapshot_ready.connect(self._begin)
        session.filed.connect(self._show_opened)

    def sizeHint(self) -> QSize:
        return QSize(760, 220)

    def set_seen(self, seen: bool) -> None:
        """Measure only while that is seen."""
        super().set_seen(seen)
        self.current.watch(seen)

    def refresh(self) -> None:
        """Show the present lanes, once there was a picture."""
        if self._session.snapshot is None:
            return
        self.axis.set_rate(self._session.document.rate)
        self.lanes.fit_axis()
        self._show_groups()
        self.lanes.follow()
        self._show_chosen()
        self._show_tools()

    def _show_groups(self) -> None:
        found, group = self.current.groups, self.current.group
        groups = [(f"{each.name} ({len(each.lanes)})", each.key) for each in found]
        if groups != self._shown_groups:
            self._shown_groups = groups
            self.groups.clear()
            for place, each in enumerate(found):
                if place and (found[place - 1].source, found[place - 1].kind) != (each.source, each.kind):
                    self.groups.insertSeparator(self.groups.count())
                self.groups.addItem(groups[place][0], each.key)
        if group is not None:
            keys = [self.groups.itemData(place) for place in range(self.groups.count())]
            self.groups.setCurrentIndex(next(at for at, each in enumerate(keys) if each and tuple(each) == group.key))
        self.groups.setEnabled(bool(found))

    def _show_chosen(self) -> None:
        source, lane = self.current.source, self.current.lane()
        self.name.set_text("" if lane is None else lane.name)
        kind = "" if source is None else source.kind.part
        if source is not None and kind not in self.fields:
            self.fields[kind] = source.make_fields()
            self._beside.insertWidget(1, self.fields[kind])
        for part, each in self.fields.items():
            each.setVisible(part == kind)
        if kind:
            self.fields[kind].refresh()

    def _show_tools(self) -> None:
        current = self.current
        self.freehand.setChecked(self.lanes.draws)
        self.record.setChecked(current.records)
        for each in (self.key, self.freehand, self.record):
            each.setEnabled(current.may_change)
        self.key_all.setEnabled(self.lanes.count > 0)
        for source, tool, button in self._buttons:
            button.setVisible(source.is_there)
            button.setEnabled(tool.enabled())
            if tool.checked is not None:
                button.setChecked(tool.checked())

    # How it is made

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setMinimumWidth(scaled(FIELDS))
        left, right = QWidget(), QWidget()
        area.setWidget(right)
        lanes = QVBoxLayout(left)
        lanes.setContentsMargins(0, 0, 0, 0)
        lanes.setSpacing(0)
        lanes.addWidget(self.head)
        lanes.addWidget(self.lanes, 1)
        self._beside = QVBoxLayout(right)
        self._beside.setContentsMargins(8, 2, 6, 4)
        self._beside.setSpacing(3)
        self._beside.addWidget(self.name)
        self._beside.addStretch(1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(area)
        split.setStretchFactor(0, 1)
        split.setCollapsible(0, False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._tools())
        column.addWidget(split, 1)

    def _tools(self) -> QHBoxLayout:
        tools = QHBoxLayout()
        tools.setContentsMargins(6, 3, 8, 3)
        tools.setSpacing(1)
        self.groups.setAccessibleName("Which lanes are listed")
        self.groups.setToolTip("Which are listed: all, a set, a region, those across a joint, those of a body")
        self.groups.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.groups.setMinimumWidth(scaled(120))
        self.groups.setMaximumWidth(scaled(220))
        self.search.setFixedWidth(scaled(130))
        tools.addWidget(self.groups, 1)
        tools.addSpacing(4)
        tools.addWidget(self.search)
        tools.addSpacing(GAP)
        self.key = self._add(tools, "key-round", "Set a key at the playhead", "activation.key")
        self.key_all = self._add(tools, "diamond", "Key all listed lanes at the playhead", "activation.key_all")
        self.freehand = self._add(tools, "pencil", "Draw curves: drag over a lane", "activation.freehand")
        self.record = self._add(tools, "circle-dot", "Record: bars set keys while it plays", "activation.record")
        for each in (self.freehand, self.record):
            each.setCheckable(True)
        self.all = IconButton("scan", "Show all that is played")
        self.all.clicked.connect(self.lanes.show_all)
        tools.addWidget(self.all)
        tools.addSpacing(GAP)
        for source in self.current.sources:
            for tool in source.tools():
                button = self._add(tools, tool.icon, tool.tip, tool.action)
                button.setCheckable(tool.checked is not None)
                self._buttons.append((source, tool, button))
        tools.addStretch(1)
        return tools

    def _add(self, tools: QHBoxLayout, name: str, tip: str, action: str) -> IconButton:
        button = IconButton(name, tip, action=action)
        button.clicked.connect(lambda _: self.action_asked.emit(action))
        button.clicked.connect(self._show_tools)
        tools.addWidget(button)
        return button

    def _offer(self, at: QPoint) -> None:
        source = self.current.source
        if source is None:
            return
        menu = QMenu(self)
        menu.setObjectName("context")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_asked.emit(menu, source.kind.context)
        menu.popup(at)

    def _begin(self) -> None:
        self._session.snapshot_ready.disconnect(self._begin)
        self.follow()

    def _show_opened(self, outcome: FileOutcome) -> None:
        """Show all of a document that was opened."""
        if outcome.kind in ("open", "example") and outcome.went_well and self._seen:
            self.lanes.show_all()
