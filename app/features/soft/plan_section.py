"""PlanSection: where the soft body is to be and when, by which splines and forces, at what cost; the search for it, how
near it came."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.features.form import EditForm
from app.features.sheet_form import quiet
from app.features.soft.current_plan import CurrentPlan
from app.features.soft.fields import narrow
from app.features.soft.forces_section import ForcesSection
from app.features.soft.listed import ID, fit, item_of
from app.features.soft.plan_chart import PlanChart
from app.features.soft.plan_run import PlanRun
from app.features.soft.words import keyframe_text, plan_text
from app.session import Session
from app.style.icon_button import IconButton
from app.style.row import row_of
from app.style.section import FoldedSection
from app.style.units import LENGTH, Unit
from engine.document import Actor
from engine.runtime.options import About, described
from engine.soft.goals import SoftKeyframe, SoftPlanChoices
from engine.soft.parts import SoftBody

SPEED = Unit(suffix=" m/s", words="metres per second", scale=1.0, decimals=2, step=0.1, coarse=0.5)
WEIGHED = ("dear", "calm", "reach")
PLACES = ("x", "y", "z")
SPEEDS = ("vx", "vy", "vz")
KEYFRAME: dict[str, tuple[About, Any]] = {
    "time": (About(label="At", unit="ticks", note="When the body is to be there"), 0),
    **{each: (About(label=each.upper(), note="Of its centre of mass, in the world"), 0.0) for each in PLACES},
    "weight": described(SoftKeyframe)["weight"],
    "moves": (About(label="With a velocity", note="The body is to go as fast as that, too; at 0 it stands"), False),
    **{each: (About(label=f"Velocity {each[1].upper()}", note="Of all of it, in the world"), 0.0) for each in SPEEDS},
}
UNITS = {**dict.fromkeys(PLACES, LENGTH), **dict.fromkeys(SPEEDS, SPEED)}
START: dict[str, tuple[About, Any]] = {
    "start": (About(label="From", unit="ticks", note="Until then its splines and forces do what they do now"), 0)
}


class PlanSection(QWidget):
    """The plan of the body that is meant."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._current, self._run = session.of(CurrentPlan), session.of(PlanRun)
        self.about = quiet()
        self.here, self.shape = QPushButton("Be here at this time"), QPushButton("In this shape")
        self.list, self.splines, self.forces = QListWidget(), QListWidget(), ForcesSection(session)
        self.remove = IconButton("trash-2", "Remove this keyframe", action="soft.remove_keyframe")
        self.fields = EditForm(session, KEYFRAME, self._current.edit_keyframe, plays_on=True, units=UNITS)
        self.start = EditForm(session, START, self._current.edit_start, plays_on=True)
        every = described(SoftPlanChoices())
        weighed = {name: every[name] for name in WEIGHED}
        rest = {name: each for name, each in every.items() if name not in WEIGHED}
        self.weights = EditForm(session, weighed, self._current.edit_choices, plays_on=True)
        self.search = EditForm(session, rest, self._current.edit_choices, plays_on=True)
        self.folded = FoldedSection("Search", lambda: self.search)
        self.plan, self.stop = QPushButton("Plan"), QPushButton("Stop")
        self.keep, self.drop = QPushButton("Keep"), QPushButton("Drop")
        self.bar, self.chart = QProgressBar(), PlanChart()
        self.said, self.problem = QLabel(wordWrap=True), QLabel(wordWrap=True)
        self._shown: tuple[object, ...] = ()
        self._arrange()
        self._connect()

    def show_body(self, owner: Actor, body: SoftBody) -> None:
        """Show what is planned of a body."""
        current, keyframes = self._current, self._current.plan.keyframes
        self.about.setText(plan_text(body, keyframes))
        self._fill_keyframes(owner)
        self._fill_splines(body)
        self.forces.show_body(owner, body)
        self._by_splines.setVisible(bool(body.splines))
        chosen = current.keyframe
        self.fields.setVisible(chosen is not None)
        self.remove.setVisible(chosen is not None)
        if chosen is not None:
            velocity = chosen.velocity or (0.0, 0.0, 0.0)
            values = {"time": chosen.time, "weight": chosen.weight, "moves": chosen.velocity is not None}
            values |= dict(zip((*PLACES, *SPEEDS), (*chosen.position, *velocity), strict=True))
            self.fields.show_values(values)
            for name in SPEEDS:
                self.fields.set_row_visible(name, chosen.velocity is not None)
        start = current.plan.start
        self.start.show_values({"start": body.start if start is None else start})
        for form in (self.weights, self.search):
            form.show_values(current.choices)
        shown: tuple[QWidget, ...] = (self.start, self.weights, self.folded)
        for each in shown:
            each.setVisible(bool(keyframes))
        used: tuple[QWidget, ...] = (self.here, self.shape, self.fields, self.remove, self.start, self.splines)
        for each in used:
            each.setEnabled(not owner.frozen)
        self.tell()

    def tell(self) -> None:
        """Show where the search stands."""
        run = self._run
        self.plan.setVisible(not run.running)
        self.plan.setEnabled(run.may_plan)
        self.stop.setVisible(run.running)
        self.keep.setEnabled(run.may_keep)
        self.drop.setVisible(run.may_keep)
        self.bar.setVisible(run.running)
        self.bar.setValue(round(1000 * run.share))
        self.chart.setVisible(len(run.objectives) > 1)
        self.chart.show_curve(run.objectives)
        self.said.setText("\n".join(() if run.last is None else run.last.said))
        self.said.setVisible(bool(self.said.text()))
        self.problem.setText(run.problem)
        self.problem.setVisible(bool(run.problem))

    def _fill_keyframes(self, owner: Actor) -> None:
        keyframes, chosen = self._current.plan.keyframes, self._current.keyframe
        texts = [keyframe_text(each, self._run.missed(owner.id, each.time)) for each in keyframes]
        shown = (owner.id, *zip((each.id for each in keyframes), texts, strict=True), chosen and chosen.id)
        if shown == self._shown:
            return
        self._shown = shown
        self.list.blockSignals(True)
        self.list.clear()
        for each, text in zip(keyframes, texts, strict=True):
            item = item_of(text, each.id)
            self.list.addItem(item)
            if chosen is not None and each.id == chosen.id:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        fit(self.list)

    def _fill_splines(self, body: SoftBody) -> None:
        used, list_ = self._current.used, self.splines
        list_.blockSignals(True)
        if [list_.item(row).data(ID) for row in range(list_.count())] != [each.id for each in body.splines]:
            list_.clear()
            for each in body.splines:
                list_.addItem(item_of(each.name, each.id))
        fit(list_)
        for row, spline in enumerate(body.splines):
            item, is_used = list_.item(row), spline.id in used and not spline.mute
            item.setText(f"{spline.name}, muted" if spline.mute else spline.name)
            item.setCheckState(Qt.CheckState.Checked if is_used else Qt.CheckState.Unchecked)
        list_.blockSignals(False)

    def _seek(self, item: QListWidgetItem) -> None:
        found = self._current.plan.keyframe(item.data(ID))
        if found is not None:
            self._session.set_playhead(found.time)

    def _connect(self) -> None:
        current, run = self._current, self._run
        self.here.clicked.connect(lambda: current.want_here(whole=False))
        self.shape.clicked.connect(lambda: current.want_here(whole=True))
        self.remove.clicked.connect(lambda: current.remove())
        self.list.currentItemChanged.connect(lambda item, _: current.choose("" if item is None else item.data(ID)))
        self.list.itemDoubleClicked.connect(self._seek)
        self.splines.itemChanged.connect(
            lambda item: current.use(item.data(ID), item.checkState() == Qt.CheckState.Checked)
        )
        for button, call in (
            (self.plan, run.plan),
            (self.stop, run.cancel),
            (self.keep, run.keep),
            (self.drop, run.drop),
        ):
            button.clicked.connect(call)

    def _arrange(self) -> None:
        self.here.setToolTip("Want its centre at the playhead where it is now; then drag the mark in a view")
        self.shape.setToolTip("Want all of it at the playhead where it is now, standing still; then drag the mark")
        self.plan.setToolTip("Search for what its splines and forces must do, from what they do now")
        self.stop.setToolTip("End the search; the last motion that was found stays")
        self.keep.setToolTip("Let splines and forces do that, as one step that can be undone")
        self.drop.setToolTip("Forget what was found")
        self.list.setAccessibleName("Where the body is to be")
        self.list.setToolTip("A double click goes to its time")
        self.splines.setAccessibleName("Splines that may be used")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How far the search is, at most")
        self.said.setProperty("quiet", True)
        self.problem.setProperty("warned", True)
        for form in (self.fields, self.start, self.weights, self.search):
            narrow(form)
        for list_ in (self.list, self.splines):
            list_.setUniformItemSizes(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(4)
        name = self._by_splines = QLabel("By its splines")
        name.setProperty("quiet", True)
        line = row_of(self.list, self.remove)
        for widget in (
            self.about, row_of(self.here, self.shape), line, self.fields, name, self.splines, self.forces,
            self.start, self.weights,
            self.folded, row_of(self.plan, self.stop, self.keep, self.drop), self.bar, self.chart, self.said,
            self.problem,
        ):  # fmt: skip
            column.addWidget(widget)
        self.search.setParent(self)
        self.search.hide()
