"""SplineFields: where the alpha of the chosen spline comes from: a constant, keys, or an expression that is typed."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QVBoxLayout

from app.features.splines.current_splines import CurrentSplines
from app.lanes.current_lanes import CurrentLanes
from app.lanes.hand import LaneHand
from app.lanes.kind import LaneFields
from app.session import Session
from app.style.fonts import mono_font
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from engine.edits import edit
from engine.runtime.options import about
from engine.soft.parts import ACTIVATIONS, LEAST_ALPHA, MOST_ALPHA, ActivationSpline

ALPHA_UNIT = Unit(suffix="", words="", scale=1.0, decimals=2, step=0.01, coarse=0.1)
FIRST_EXPRESSION = "1 - 0.3*cos(2*pi*t)"


class SplineFields(LaneFields):
    """The fields beside the lanes."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current, self._hand = session, session.of(CurrentSplines), session.of(LaneHand)
        self.kind, self.alpha, self.expression = self._kind(), self._slider(), self._expression()
        self.problem = QLabel(wordWrap=True)
        self.problem.setProperty("wrong", True)
        self._refused: tuple[str, str] | None = None  # a spline, and a text that is no expression
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for each in (self.kind, self.alpha, self.expression, self.problem):
            column.addWidget(each)
        session.playhead_moved.connect(lambda _: self._show_alpha())

    def refresh(self) -> None:
        spline = self._current.spline
        if spline is None:
            return
        for widget in (self.kind, self.alpha, self.expression):
            widget.setEnabled(self._current.may_change)
        self.kind.setCurrentIndex(ACTIVATIONS.index(spline.activation))
        expressed = spline.activation == "expression"
        self.expression.setVisible(expressed)
        self.alpha.setVisible(not expressed)
        if self._refused is None or self._refused[0] != spline.id or not expressed:
            self._say("")
            if not self.expression.hasFocus() or not self.expression.isModified():
                self.expression.setText(spline.expression)
        self._show_alpha()

    def _show_alpha(self) -> None:
        if not self.isVisible() or self.alpha.is_open or self._session.snapshot is None:
            return
        lane = self._session.of(CurrentLanes).lane()
        if lane is not None and lane.of != self._hand.held:
            self.alpha.set_value(lane.value_at(self._session.playhead))

    def _set_kind(self, place: int) -> None:
        spline, kind, lane = self._current.spline, ACTIVATIONS[place], self._session.of(CurrentLanes).lane()
        if spline is None or lane is None or spline.activation == kind:
            return
        if kind == "keys" and spline.track is None:
            time = self._session.playhead
            self._session.do(lane.keys_edit((lane.key_at(time, lane.value_at(time)),)))
        elif kind == "expression" and not spline.expression:
            self._current.do("set_activation", activation=kind, expression=FIRST_EXPRESSION)
        else:
            self._current.do("set_activation", activation=kind)

    def _enter_expression(self) -> None:
        owner, spline, text = self._current.owner, self._current.spline, self.expression.text().strip()
        self.expression.setModified(False)
        if owner is None or spline is None or spline.activation != "expression":
            return
        why = self._current.refusal(owner.id, spline.id, text) if text else "Write an expression in t and s."
        self._refused = (spline.id, text) if why else None
        self._say(why)
        if not why and text != spline.expression:
            self._session.do(edit("set_activation", actor=owner.id, spline=spline.id, expression=text))

    def _say(self, why: str) -> None:
        """Show why what was written is no expression; nothing of one that is."""
        self.problem.setText(why)
        self.problem.setVisible(bool(why))
        if self.expression.property("wrong") != bool(why):
            self.expression.setProperty("wrong", bool(why))
            self.expression.style().polish(self.expression)

    def _begin_slider(self) -> None:
        lane = self._session.of(CurrentLanes).lane()
        if lane is None or not self._hand.begin(lane):
            self.alpha.cancel()

    # How it is made

    def _kind(self) -> QComboBox:
        option, box = about(ActivationSpline)["activation"], QComboBox()
        box.addItems(list(option.labels))
        box.setAccessibleName("Where alpha comes from")
        box.setToolTip("Where the alpha of the chosen spline comes from")
        box.activated.connect(self._set_kind)
        return box

    def _slider(self) -> ValueSlider:
        option = about(ActivationSpline)["alpha"]
        slider = ValueSlider("Alpha", unit=ALPHA_UNIT)
        slider.setAccessibleName("Alpha of the chosen spline")
        slider.set_limits(LEAST_ALPHA, MOST_ALPHA)
        slider.set_rest(1.0)
        slider.setToolTip(f"{option.note}\nSets the constant, or a key at the playhead")
        slider.started.connect(self._begin_slider)
        slider.moved.connect(self._hand.move)
        slider.finished.connect(self._hand.finish)
        slider.cancelled.connect(self._hand.cancel)
        return slider

    def _expression(self) -> QLineEdit:
        field = QLineEdit()
        field.setFont(mono_font())
        field.setAccessibleName("Expression of alpha")
        field.setPlaceholderText(FIRST_EXPRESSION)
        field.setToolTip("Alpha from the time t [s] and the place s along the spline, 0 to 1; Enter takes it")
        field.editingFinished.connect(self._enter_expression)
        return field
