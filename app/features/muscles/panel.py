"""MusclesPanel: the dock of muscles: which are listed, their lanes, and the moment arm of the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.features.muscles.arm_chart import ArmChart
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.lanes.places import BESIDE
from app.features.muscles.lanes.view import MuscleLanes
from app.session import FileOutcome, Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.fonts import scaled
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.search_field import SearchField
from app.timeline.axis import TimeAxis
from app.timeline.time_head import TimeHead

CHART = 200  # [logical px] width of what stands beside the lanes


class MusclesPanel(Following):
    """The dock."""

    title = "Muscles"
    action_asked = Signal(str)  # the id of an action
    menu_asked = Signal(QMenu, str)  # to be filled with what can be done in a "muscle"
    help_text = """
<p>Every muscle of a figure has a lane: its activation over time, from 0, relaxed, to 1, as strong as it can be. Beside
it stand its length with its tendon and its force at the playhead.</p>
<p>Click a lane or a muscle in the view to choose it. <b>Drag its bar</b> to set its activation: the constant, or a key
at the playhead where it is keyed. <b>Double-click</b> in a lane to set a key there, or press K to set one at the
playhead; drag keys in time and value, with Shift in one of both; draw a box to choose several; {edit.delete} deletes
them.</p>
<p>{muscles.add} makes a muscle between two joints that are selected. The inspector has the points of its path, the
wraps that this goes round, and its strength; the points are dragged in the views, too.</p>
<p>List all muscles, those of a set, of a region or across a joint, and search them by name. {muscles.keep_set} keeps
what is listed as a set of your own.</p>
<p>At the right is the <b>moment arm</b> of the chosen muscle over the range of a joint, all others staying as they are:
how far it shortens for each radian, its length being l and the angle q.</p>
<p class="equation">r = −dl/dq,  τ = r F</p>
<p>A muscle pulls with F, from its greatest force F₀, its activation a, and curves of the length l̃ and the rate ṽ of
its fibres (Hill's model; rigid tendons):</p>
<p class="equation">F = F₀ (a f<sub>L</sub>(l̃) f<sub>V</sub>(ṽ) + f<sub>P</sub>(l̃)) cos α</p>
"""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self.axis = session, axis
        self._current = session.of(CurrentMuscles)
        self.head = TimeHead(session, axis, margin=BESIDE)
        self.lanes = MuscleLanes(session, axis)
        self.groups, self.dofs = QComboBox(), QComboBox()
        self.search = SearchField("Search muscles")
        self.name = ElidedLabel("", colour="text")
        self.arm = QLabel()
        self.chart = ArmChart()
        self._shown_groups: tuple[tuple[str, str, str], ...] = ()
        self._lay_out()
        self.lanes.menu_wanted.connect(self._offer)
        self.groups.activated.connect(self._choose_group)
        self.dofs.activated.connect(lambda place: self._current.choose_dof(self.dofs.itemData(place)))
        self.search.textChanged.connect(self._current.find)
        self._current.changed.connect(self.follow)
        self._current.arm_changed.connect(self._show_arm)
        session.snapshot_ready.connect(self._begin)
        session.filed.connect(self._show_opened)

    def sizeHint(self) -> QSize:
        return QSize(760, 220)

    def set_seen(self, seen: bool) -> None:
        """Measure muscles only while that is seen."""
        super().set_seen(seen)
        self._current.watch(seen)

    def refresh(self) -> None:
        """Show the present muscles, once there was a picture."""
        if self._session.snapshot is None:
            return
        self.axis.set_rate(self._session.document.rate)
        self.lanes.fit_axis()
        self._show_groups()
        self.lanes.follow()
        self._show_muscle()

    def _show_groups(self) -> None:
        groups = tuple((each.kind, each.id, f"{each.name} ({len(each.muscles)})") for each in self._current.groups)
        if groups != self._shown_groups:
            self._shown_groups = groups
            self.groups.clear()
            before = ""
            for kind, id, text in groups:
                if kind != before:
                    before = kind
                    self.groups.insertSeparator(self.groups.count())
                self.groups.addItem(text, (kind, id))
        wanted = self._current.group
        found = next((n for n in range(self.groups.count()) if self.groups.itemData(n) == wanted), 0)
        self.groups.setCurrentIndex(found)
        self.groups.setEnabled(bool(groups))
        for button in (self.key, self.keep):
            button.setEnabled(self._current.may_change and bool(self._current.listed))

    def _show_muscle(self) -> None:
        muscle, dof = self._current.muscle, self._current.dof
        self.name.set_text("" if muscle is None else muscle.name)
        items = [(each.name, each.id) for each in self._named_dofs()]
        if items != [(self.dofs.itemText(n), self.dofs.itemData(n)) for n in range(self.dofs.count())]:
            self.dofs.clear()
            for name, id in items:
                self.dofs.addItem(name, id)
        self.dofs.setVisible(bool(items))
        if dof is not None:
            self.dofs.setCurrentIndex([id for _, id in items].index(dof.id))
        self._show_arm()

    def _named_dofs(self) -> list[_NamedDof]:
        owner = self._current.owner
        if owner is None:
            return []
        joints = {dof.id: joint.name for joint in owner.figure.joints for dof in joint.dofs}
        return [_NamedDof(each.id, f"{joints[each.id]}, {each.name.lower()}") for each in self._current.dofs]

    def _show_arm(self) -> None:
        dof, curve = self._current.dof, self._current.arm
        seen = curve if dof is not None and curve is not None and curve.dof == dof.id else None
        self.chart.show_curve(seen, turns=dof is None or dof.kind == "hinge")
        self.arm.setText(f"Moment arm {self.chart.now_text}" if seen is not None else "")

    def _choose_group(self, place: int) -> None:
        kind, id = self.groups.itemData(place) or ("", "")
        self._current.choose_group(kind, id)

    def _lay_out(self) -> None:
        tools = QHBoxLayout()
        tools.setContentsMargins(6, 3, 8, 3)
        tools.setSpacing(4)
        self.groups.setAccessibleName("Which muscles are listed")
        self.groups.setToolTip("Which muscles are listed: all, a set, a region, or those across a joint")
        self.groups.setMinimumWidth(scaled(190))
        self.search.setFixedWidth(scaled(170))
        self.key = IconButton("key-round", "Key all listed muscles at the playhead", action="muscles.key_all")
        self.keep = IconButton("bookmark-plus", "Keep the listed muscles as a set", action="muscles.keep_set")
        for button, action in ((self.key, "muscles.key_all"), (self.keep, "muscles.keep_set")):
            button.clicked.connect(lambda _, action=action: self.action_asked.emit(action))
        for widget in (self.groups, self.search, self.key, self.keep):
            tools.addWidget(widget)
        tools.addStretch(1)
        left, right = QWidget(), QWidget()
        lanes = QVBoxLayout(left)
        lanes.setContentsMargins(0, 0, 0, 0)
        lanes.setSpacing(0)
        lanes.addWidget(self.head)
        lanes.addWidget(self.lanes, 1)
        beside = QVBoxLayout(right)
        beside.setContentsMargins(8, 2, 6, 4)
        beside.setSpacing(3)
        self.dofs.setAccessibleName("Over which degree of freedom")
        self.dofs.setToolTip("The degree of freedom over whose range the moment arm is shown")
        self.dofs.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.arm.setProperty("quiet", True)
        for each in (self.name, self.dofs, self.chart, self.arm):
            beside.addWidget(each)
        beside.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setWidget(right)
        area.setMinimumWidth(scaled(CHART))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(area)
        split.setStretchFactor(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(split, 1)

    def _offer(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setObjectName("context")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_asked.emit(menu, "muscle")
        menu.popup(at)

    def _begin(self) -> None:
        self._session.snapshot_ready.disconnect(self._begin)
        self.follow()

    def _show_opened(self, outcome: FileOutcome) -> None:
        """Show all of a document that was opened."""
        if outcome.kind in ("open", "example") and outcome.went_well and self._seen:
            self.lanes.show_all()


class _NamedDof:
    """A degree of freedom with the joint's name before its own."""

    def __init__(self, id: str, name: str) -> None:
        self.id, self.name = id, name
