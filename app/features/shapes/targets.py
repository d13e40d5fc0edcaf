"""ShapeTargetsSection: what a surface is to be at some times: a list, fields of one, by how much it is missed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.inspecting import TURN_NAMES, show_turns, turn_slider, turns_shown
from app.features.shapes.current_surface import CurrentSurface
from app.features.shapes.weights import WeightSliders
from app.features.shapes.words import missed_text
from app.session import Session
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.turns import quaternion_of
from app.style.units import TIME
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.runtime.options import described
from engine.shapes.parts import ShapeTarget

ROWS = 5  # of the list, at most, that are seen at once
NONE = (
    "There are no targets yet. Reach this here has the surface be exactly as it is keyed at the playhead, however "
    "loosely it follows its keys."
)
USUAL = ShapeTarget(id="", name="", time=0)


class ShapeTargetsSection(QWidget):
    """The targets of the surface that is meant."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._current = session, session.of(CurrentSurface)
        self.reach = QPushButton("Reach this here")
        self.reach.setToolTip("Have the surface be exactly as it is keyed at the playhead")
        self.reach.clicked.connect(self._current.reach_here)
        self.remove = IconButton("trash-2", "Remove the chosen target")
        self.remove.clicked.connect(self._current.remove_target)
        self.list = QListWidget()
        self.list.setAccessibleName("Targets of the surface")
        self.list.currentRowChanged.connect(self._choose)
        self.told = QLabel(wordWrap=True)
        self.told.setProperty("quiet", True)
        self.form = EditForm(session, described(USUAL), self._current.target_edit)
        self.take = QPushButton("Take what is keyed here")
        self.take.setToolTip("Give the chosen target the weights (and the place that it asks for) of the playhead")
        self.take.clicked.connect(self._current.take_pose)
        self.weights = WeightSliders(session, self._current.target_weight_edit)
        self.turns = [turn_slider(name) for name in TURN_NAMES]
        self._hands = [
            Hand(session, slider, label=f"Set {name.lower()} of target", make_edit=lambda _: self._turned())
            for slider, name in zip(self.turns, TURN_NAMES, strict=True)
        ]
        self._arrange()
        for signal in (self._current.changed, self._current.told_changed):
            signal.connect(self.show_targets)
        self.show_targets()

    def show_targets(self) -> None:
        """Show the targets, which is chosen, and by how much each is missed."""
        current, surface = self._current, self._current.surface
        targets = () if surface is None else tuple(sorted(surface.targets, key=lambda each: each.time))
        self._show_list(targets)
        target = current.target
        self.remove.setEnabled(target is not None and current.may_change)
        self.reach.setEnabled(current.may_change)
        for widget in (self.list, self.form):
            widget.setVisible(target is not None)
        told = None if current.told is None or target is None else current.told.told(target.id)
        self.told.setText(NONE if target is None else missed_text(told, target, swings=current.motion.on))
        given = target is not None and target.pose == "given"
        placed = target is not None and target.place == "given"
        self.weights.setVisible(given)
        self.take.setVisible(given or placed)
        for slider in self.turns:
            slider.setVisible(placed)
        if target is None or surface is None:
            return
        self.form.show_values(target)
        asked = dict(target.weights)
        if given:
            self.weights.show_shapes(surface.shapes, lambda shape: asked.get(shape.id, 0.0))
        if placed:
            show_turns(self.turns, self._hands, target.rotation)

    def _show_list(self, targets: tuple[ShapeTarget, ...]) -> None:
        list_, told = self.list, self._current.told
        list_.blockSignals(True)
        while list_.count() > len(targets):
            list_.takeItem(list_.count() - 1)
        for at, target in enumerate(targets):
            if at >= list_.count():
                list_.addItem(QListWidgetItem())
            found = None if told is None else told.told(target.id)
            mark = "" if found is None else "met" if found.met else "missed"
            time = TIME.text(target.time / TICKS_PER_SECOND)
            list_.item(at).setText("  ".join(filter(None, (target.name, time, "left out" if target.mute else mark))))
            list_.item(at).setData(Qt.ItemDataRole.UserRole, target.id)
        chosen = self._current.target
        list_.setCurrentRow(next((at for at, each in enumerate(targets) if each is chosen), -1))
        list_.blockSignals(False)
        row = max(list_.sizeHintForRow(0), 18)
        list_.setFixedHeight(row * min(max(len(targets), 1), ROWS) + 8)

    def _choose(self, row: int) -> None:
        item = self.list.item(row)
        if item is not None:
            self._current.choose(item.data(Qt.ItemDataRole.UserRole))

    def _turned(self) -> Edit:
        owner, target = self._current.owner, self._current.target
        assert owner is not None, "its slider is seen"
        assert target is not None, "its slider is seen"
        rotation = quaternion_of(turns_shown(self.turns))
        return edit("set_shape_target", actor=owner.id, target=target.id, rotation=rotation)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self.reach, 1)
        line.addWidget(self.remove)
        column.addLayout(line)
        for widget in (self.list, self.told, self.form, *self.turns, self.take, self.weights):
            column.addWidget(widget)
