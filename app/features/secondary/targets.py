"""TargetsSection: what secondary motion is to meet, and when: a list, fields of the chosen one, how near it comes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.features.secondary.convergence import ConvergencePlot
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_commands import draft_of, keep_change, may_meet
from app.features.secondary.wanted import WantedFields
from app.session import Session
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.units import ANGLE, LENGTH, TIME
from app.style.value_slider import ValueSlider
from app.style.whole_number_box import WholeNumberBox
from engine.document import Actor, Target
from engine.document.correction import BELL_KINDS
from engine.document.target import WIDTH
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.targets.queries.mark_targets import spot_name

RULES = (("keys", "Every key"), ("marked", "Marked keys"), ("every", "One each"))
BELLS = {"gaussian": "Gaussian", "polynomial": "Polynomial"}
LEAST, MOST = 0.02, 3.0  # [s] of a width
ROWS = 5  # of the list, at most, that are seen at once
NONE = "There are no targets yet. Reach this here sets one at the playhead; every key can be one, too."
CHANGED = "Not solved since it was opened or changed. Meet targets solves it."
MUTED = "The correction is muted: the body goes as it would without it."
WIDTH_TIP = "How long the correction takes to come: the ease of its bell, B of f(t) = Σ λ φ(t) (Rahgoshay 2011, 4.3)"
AFTER_TIP = "How long the correction takes to go"
VELOCITY_TIP = (
    "The velocity that is seen is to be met, too: that of the keys, or a given one; of a turn, how fast it turns about "
    "the axes of the world (Rahgoshay 2011, 4.9 to 4.11)"
)
KEEP_TIP = (
    "Pose the figure at a time where nothing has to be met, as a working pose (drag its ghost, or hold Ctrl: a plain "
    "drag sets a target); kept, it becomes a null-space edit: the corrected motion goes there, and the targets are met "
    "again around it (the null space of 8.1)"
)


class TargetsSection(QWidget):
    """The targets of the figure that is meant."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._current_targets = session, session.of(CurrentTargets)
        self._hands: dict[str, Hand] = {}
        self._make_list()
        self._make_fields()
        self.meet = QPushButton("Meet targets")
        self.meet.setToolTip("Find the correction of the keys with which every target is met; it becomes a layer")
        self.meet.clicked.connect(self._current_targets.meet)
        self.always = QCheckBox("After each edit")
        self.always.setToolTip("Meet targets again after each edit that touches them, and while one is dragged")
        self.always.clicked.connect(self._current_targets.meet_always)
        self.told = QLabel(wordWrap=True)
        self.told.setProperty("quiet", True)
        self.curve = ConvergencePlot()
        self._arrange()
        for signal in (self._current_targets.changed, self._current_targets.marks.changed):
            signal.connect(self.show_targets)
        session.playhead_moved.connect(lambda _: self._show_draft())
        self.show_targets()

    def show_targets(self) -> None:
        """Show the targets, which is chosen, and how they came out."""
        current_targets, owner = self._current_targets, self._current_targets.owner
        self._show_list(owner)
        rule = current_targets.rule
        self.rule.setChecked(rule is not None)
        if rule is not None:
            self.source.setCurrentIndex(self.source.findData(rule.source))
            if rule.source == "every":
                self.frames.setValue(rule.frames)
        self.frames.setVisible(self.source.currentData() == "every")
        target = current_targets.target
        self.fields.setVisible(target is not None)
        self.remove.setEnabled(target is not None)
        if target is not None and owner is not None:
            self._show_fields(owner, target)
        self._show_draft()
        self.meet.setEnabled(may_meet(self._session))
        self.always.setChecked(current_targets.automatic)
        found = current_targets.found if current_targets.targets else None
        state = found.text if found is not None else MUTED if current_targets.is_left_out else CHANGED
        self.told.setText(state if current_targets.targets else NONE)
        self.curve.show_curve(() if found is None else found.curve)
        self.curve.setVisible(found is not None)

    # How it is done

    def _show_list(self, owner: Actor | None) -> None:
        targets, list_ = self._current_targets.targets, self.list
        list_.blockSignals(True)
        while list_.count() > len(targets):
            list_.takeItem(list_.count() - 1)
        for at, target in enumerate(targets):
            if at >= list_.count():
                list_.addItem(QListWidgetItem())
            item = list_.item(at)
            item.setText("" if owner is None else self._words(owner, target))
            item.setData(Qt.ItemDataRole.UserRole, target.id)
            reports = [each for each in self._current_targets.reports_of(target.id) if not each.met]
            item.setToolTip("\n".join(f"{each.time / TICKS_PER_SECOND:.2f} s: {each.text}" for each in reports[:8]))
        chosen = next((at for at, each in enumerate(targets) if each is self._current_targets.target), -1)
        list_.setCurrentRow(chosen)
        list_.setFixedHeight(min(max(len(targets), 1), ROWS) * max(list_.sizeHintForRow(0), 1) + 2 * list_.frameWidth())
        list_.setVisible(bool(targets))
        list_.blockSignals(False)

    def _show_draft(self) -> None:
        self.keep.setEnabled(draft_of(self._session) is not None)

    def _words(self, owner: Actor, target: Target) -> str:
        if target.kind == "wish":
            return " · ".join(("Null-space edit", TIME.text(target.time / TICKS_PER_SECOND), _size(owner, target)))
        whose = spot_name(owner, target.joint) if target.joint in owner.figure.joint_index else "Pose"
        what = whose if target.kind in ("pose", "point") else f"{whose}, turn"
        if not target.place:
            what += ", velocity alone"
        elif target.velocity:
            what += " and velocity"
        when = {
            "own": TIME.text(target.time / TICKS_PER_SECOND),
            "keys": "every key",
            "marked": "marked keys",
            "every": f"one each {target.frames} frames",
        }[target.source]
        reports = self._current_targets.reports_of(target.id)
        missed = [each for each in reports if not each.met]
        how = f"missed by {missed[0].amount}" if missed else "met" if reports else self._seen(target)
        several = f"{len(missed)} of {len(reports)} " if missed and len(reports) > 1 else ""
        return " · ".join(filter(None, (what, when, several + how)))

    def _seen(self, target: Target) -> str:
        """Say how near the body comes by its symbol in the views, where nothing was searched since a change."""
        mark = self._current_targets.marks.of(target.id) if target.source == "own" and target.on else None
        return "" if mark is None else mark.missed or "seen to be met"

    def _show_fields(self, owner: Actor, target: Target) -> None:
        after = target.width if target.after is None else target.after
        for name, ticks in (("width", target.width), ("after", after)):
            self._hands[name].show(ticks / TICKS_PER_SECOND)
        self.bell.setCurrentIndex(self.bell.findData(target.bell))
        self.place.setText({"turn": "Turn", "pose": "Pose"}.get(target.kind, "Place"))
        self.place.setChecked(target.place)
        self.velocity.setChecked(target.velocity)
        self.on.setChecked(target.on)
        for widget in (self.place, self.velocity, self.wanted):
            widget.setVisible(target.kind != "wish")
        self.wanted.show_target(owner, target)

    def _make_list(self) -> None:
        self.list = QListWidget()
        self.list.setAccessibleName("Targets")
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._choose)
        self.list.itemClicked.connect(lambda item: self._choose(self.list.row(item)))
        self.add = QPushButton("Reach this here")
        self.add.setToolTip("What is selected is to be, at the playhead, where the keys have it; of a figure, its pose")
        self.add.clicked.connect(self._current_targets.add_here)
        self.keep = QPushButton("Keep this change")
        self.keep.setToolTip(KEEP_TIP)
        self.keep.clicked.connect(lambda: keep_change(self._session))
        self.remove = IconButton("trash-2", "Remove the chosen target")
        self.remove.clicked.connect(self._current_targets.remove)
        self.rule = QCheckBox("Keys are targets")
        self.rule.setToolTip("What has a key is to be hit there, and goes on to be when keys move")
        self.rule.clicked.connect(lambda _: self._set_rule())
        self.source = QComboBox()
        self.source.setAccessibleName("Which keys are targets")
        for source, label in RULES:
            self.source.addItem(label, source)
        self.source.activated.connect(lambda _: self._set_rule() if self.rule.isChecked() else self.show_targets())
        self.frames = WholeNumberBox()
        self.frames.setRange(1, 1000)
        self.frames.setValue(10)
        self.frames.setSuffix(" frames")
        self.frames.setKeyboardTracking(False)
        self.frames.setAccessibleName("From one target to the next")
        self.frames.editingFinished.connect(lambda: self._set_rule() if self.rule.isChecked() else None)

    def _make_fields(self) -> None:
        self.width_slider = self._edited("width", "Ease in", WIDTH_TIP)
        self.after_slider = self._edited("after", "Ease out", AFTER_TIP)
        self.bell = QComboBox()
        self.bell.setAccessibleName("Bell")
        self.bell.setToolTip("The shape of the correction in time: φ(t)")
        for kind in BELL_KINDS:
            self.bell.addItem(BELLS[kind], kind)
        self.bell.activated.connect(lambda at: self._current_targets.change(bell=self.bell.itemData(at)))
        self.place = QCheckBox("Place")
        self.place.clicked.connect(lambda on: self._ask(place=on))
        self.velocity = QCheckBox("Velocity")
        self.velocity.setToolTip(VELOCITY_TIP)
        self.velocity.clicked.connect(lambda on: self._ask(velocity=on))
        self.wanted = WantedFields(self._session)
        self.on = QCheckBox("On")
        self.on.clicked.connect(lambda on: self._current_targets.change(on=on))

    def _edited(self, name: str, label: str, note: str) -> ValueSlider:
        slider = ValueSlider(label, unit=TIME)
        rest = WIDTH / TICKS_PER_SECOND
        slider.set_limits(LEAST, MOST)
        slider.set_rest(rest)
        slider.setToolTip(f"{note}\nFrom {TIME.text(LEAST)} to {TIME.text(MOST)}, usually {TIME.text(rest)}")

        def change(value: float) -> Edit:
            owner, target = self._current_targets.owner, self._current_targets.target
            assert owner is not None, "shown only for one"
            assert target is not None, "likewise"
            changes = ((name, max(1, round(value * TICKS_PER_SECOND))),)
            return edit("set_targets", actor=owner.id, targets=(target.id,), changes=changes)

        self._hands[name] = Hand(self._session, slider, label=f"{label} of target", make_edit=change, plays_on=True)
        return slider

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        column.addWidget(self.list)
        column.addLayout(_line(self.add, self.remove, stretch=self.add))
        column.addWidget(self.keep)
        column.addLayout(_line(self.rule, self.source, self.frames, stretch=self.source))
        self.fields = QWidget()
        inside = QVBoxLayout(self.fields)
        inside.setContentsMargins(0, 2, 0, 2)
        inside.setSpacing(3)
        inside.addWidget(self.width_slider)
        inside.addWidget(self.after_slider)
        asked = QGridLayout()
        for at, widget in enumerate((self.on, self.place, self.velocity)):
            asked.addWidget(widget, 0, at)
        asked.addWidget(self.bell, 1, 0, 1, 3)
        inside.addLayout(asked)
        inside.addWidget(self.wanted)
        column.addWidget(self.fields)
        column.addLayout(_line(self.meet, self.always, stretch=self.meet))
        column.addWidget(self.told)
        column.addWidget(self.curve)

    def _choose(self, row: int) -> None:
        """Delete is for it then, and not for the figure that is selected."""
        item = self.list.item(row)
        if item is not None:
            self._current_targets.choose(item.data(Qt.ItemDataRole.UserRole), in_hand=True)

    def _set_rule(self) -> None:
        self._current_targets.set_rule(
            self.source.currentData() if self.rule.isChecked() else None, self.frames.value()
        )

    def _ask(self, **asked: bool) -> None:
        """Keep at least one of both switched on."""
        target = self._current_targets.target
        if target is not None:
            wanted = {"place": target.place, "velocity": target.velocity} | asked
            self._current_targets.change(**(wanted if any(wanted.values()) else {"place": True, "velocity": False}))
            self.show_targets()


def _line(*widgets: QWidget, stretch: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(6)
    for widget in widgets:
        line.addWidget(widget, 1 if widget is stretch else 0)
    return line


def _size(owner: Actor, target: Target) -> str:
    """Say by how much a null-space edit changes the keys at most."""
    turning = {name for dof in owner.figure.dofs if dof.kind != "slide" for name in dof.rates}
    turns = [abs(number) for name, number in target.change or () if name in turning]
    moves = [abs(number) for name, number in target.change or () if name not in turning]
    return f"up to {ANGLE.text(max(turns))}" if turns else f"up to {LENGTH.text(max(moves, default=0.0))}"
