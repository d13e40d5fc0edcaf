"""ArmFields: the expression of the chosen muscle, its torques now, and its moment arm over the range of a degree of
freedom, beside the lanes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QVBoxLayout

from app.features.muscles.arm_chart import ArmChart
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.expression_fields import ExpressionFields
from app.features.muscles.shown_torques import ShownTorques, in_words
from app.lanes.kind import LaneFields
from app.session import Session

TORQUES = "Torques of the chosen muscle about all that it crosses now, τ = r F"


class ArmFields(LaneFields):
    """The chart, and over which degree of freedom it is."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._current, self._torques = session.of(CurrentMuscles), session.of(ShownTorques)
        self.dofs, self.chart, self.arm = QComboBox(), ArmChart(), QLabel()
        self.expression, self.torques = ExpressionFields(session), QLabel()
        self.torques.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lines: tuple[str, ...] = ()  # of torques, whole
        self.torques.setProperty("quiet", True)
        self.torques.installEventFilter(self)
        self.dofs.setAccessibleName("Over which degree of freedom")
        self.dofs.setToolTip("The degree of freedom over whose range the moment arm is shown")
        self.dofs.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.arm.setProperty("quiet", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        for each in (self.expression, self.torques, self.dofs, self.chart, self.arm):
            column.addWidget(each)
        self.dofs.activated.connect(lambda place: self._current.choose_dof(self.dofs.itemData(place)))
        self._current.arm_changed.connect(self._show_arm)
        self._torques.changed.connect(self._show_torques)

    def refresh(self) -> None:
        self.expression.refresh()
        dof, items = self._current.dof, self._named_dofs()
        if items != [(self.dofs.itemText(n), self.dofs.itemData(n)) for n in range(self.dofs.count())]:
            self.dofs.clear()
            for name, id in items:
                self.dofs.addItem(name, id)
        self.dofs.setVisible(bool(items))
        if dof is not None:
            self.dofs.setCurrentIndex([id for _, id in items].index(dof.id))
        self._show_arm()
        self._show_torques()

    def _named_dofs(self) -> list[tuple[str, str]]:
        """List the degrees of freedom that the muscle crosses, each with the joint's name before its own."""
        owner = self._current.owner
        if owner is None:
            return []
        joints = {dof.id: joint.name for joint in owner.figure.joints for dof in joint.dofs}
        return [(f"{joints[each.id]}, {each.name.lower()}", each.id) for each in self._current.dofs]

    def _show_arm(self) -> None:
        dof, curve = self._current.dof, self._current.arm
        seen = curve if dof is not None and curve is not None and curve.dof == dof.id else None
        self.chart.show_curve(seen, turns=dof is None or dof.kind == "hinge")
        self.arm.setText(f"Moment arm {self.chart.now_text}" if seen is not None else "")

    def _show_torques(self) -> None:
        found, names = self._torques.found, {id: name for name, id in self._named_dofs()}
        told = () if found is None else found.torques
        self._lines = tuple(
            f"{in_words(each.torque, turns=each.turns)}  {names[each.dof]}" for each in told if each.dof in names
        )
        self.torques.setToolTip("\n".join((TORQUES, *self._lines)))
        self._fit_torques()

    def _fit_torques(self) -> None:
        """Write each line as far as there is room."""
        metrics, width = self.torques.fontMetrics(), self.torques.width()
        lines = (metrics.elidedText(each, Qt.TextElideMode.ElideRight, width) for each in self._lines)
        self.torques.setText("\n".join(lines))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the torques anew when their width changes."""
        if watched is self.torques and event.type() == QEvent.Type.Resize:
            self._fit_torques()
        return super().eventFilter(watched, event)
