"""ForcesSection: the nodal forces by which a plan may move the soft body: on which points, how strong, what they do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.soft.current_forces import REACH, CurrentForces
from app.features.soft.fields import narrow
from app.features.soft.listed import ID, fit, item_of
from app.features.soft.words import forces_text
from app.session import Session
from app.style.icon_button import IconButton
from app.style.row import row_of
from app.style.units import LENGTH
from app.style.value_slider import ValueSlider
from engine.document import Actor
from engine.runtime.options import described
from engine.soft.parts import NodalForces, SoftBody

SHORTEST, LONGEST = 1e-3, 5.0  # [m] around a point


class ForcesSection(QWidget):
    """The forces of the body that is meant, the fields of the chosen ones, and what makes new ones."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._current = session.of(CurrentForces)
        self.list = QListWidget()
        self.everywhere, self.near = QPushButton("On all points"), QPushButton("Near a point")
        self.remove = IconButton("trash-2", "Remove these forces", action="soft.remove_forces")
        self.clear = QPushButton("Let them do nothing")
        self.form = EditForm(session, described(NodalForces), self._current.edit_forces, plays_on=True)
        self.reach = ValueSlider("Points within", unit=LENGTH)
        self._shown: tuple[object, ...] = ()
        self._arrange()
        self._connect()

    def show_body(self, owner: Actor, body: SoftBody) -> None:
        """Show the forces on a body."""
        current, chosen = self._current, self._current.forces
        self._fill(owner, body)
        for widget in (self.remove, self.form):
            widget.setVisible(chosen is not None)
        self.clear.setVisible(chosen is not None and bool(chosen.times))
        if chosen is not None:
            self.form.show_values(chosen)
        self.reach.setVisible(current.spot is not None)
        self.reach.set_value(current.reach)
        self.near.setEnabled(current.spot is not None)
        self.setEnabled(not owner.frozen)

    def _fill(self, owner: Actor, body: SoftBody) -> None:
        used, chosen, list_ = self._current.used, self._current.forces, self.list
        texts = [forces_text(each) for each in body.forces]
        shown = (owner.id, *zip(body.forces, texts, strict=True), used, chosen and chosen.id)
        if shown == self._shown:
            return
        self._shown = shown
        list_.blockSignals(True)
        list_.clear()
        for each, text in zip(body.forces, texts, strict=True):
            item = item_of(text, each.id)
            is_used = each.id in used and not each.mute
            item.setCheckState(Qt.CheckState.Checked if is_used else Qt.CheckState.Unchecked)
            list_.addItem(item)
            if chosen is not None and each.id == chosen.id:
                list_.setCurrentItem(item)
        list_.blockSignals(False)
        fit(list_)

    def _connect(self) -> None:
        current = self._current
        self.everywhere.clicked.connect(lambda: current.put(everywhere=True))
        self.near.clicked.connect(lambda: current.put(everywhere=False))
        self.remove.clicked.connect(current.remove)
        self.clear.clicked.connect(current.clear)
        self.reach.moved.connect(current.set_reach)
        self.list.currentItemChanged.connect(lambda item, _: current.choose("" if item is None else item.data(ID)))
        self.list.itemChanged.connect(
            lambda item: current.use(item.data(ID), item.checkState() == Qt.CheckState.Checked)
        )

    def _arrange(self) -> None:
        self.everywhere.setToolTip("Let a plan push each point of the body by a force of its own")
        self.near.setToolTip("Let a plan push the points around the point of the body that was clicked last in a view")
        self.clear.setToolTip("Forget what these forces do over time")
        self.reach.set_limits(SHORTEST, LONGEST)
        self.reach.set_rest(REACH)
        self.reach.setToolTip("Points of the body that are no farther at rest from the clicked one get forces")
        self.list.setAccessibleName("Forces that may be used")
        self.list.setUniformItemSizes(True)
        narrow(self.form)
        name = QLabel("By forces on its points")
        name.setProperty("quiet", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (
            name, row_of(self.list, self.remove), self.form, self.clear, self.reach, row_of(self.everywhere, self.near),
        ):  # fmt: skip
            column.addWidget(widget)
