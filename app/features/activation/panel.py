"""ActivationPanel: the dock of muscle activation: tools, the chosen spline's alpha, the head of time, and the lanes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QMenu, QVBoxLayout, QWidget

from app.features.activation.alpha_hand import AlphaHand
from app.features.activation.contractions import Contractions
from app.features.activation.current_splines import CurrentSplines
from app.features.activation.lanes.view import ActivationLanes
from app.session import FileOutcome, Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.fonts import mono_font, scaled
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from app.timeline.axis import TimeAxis
from app.timeline.sheet import NAMES
from app.timeline.time_head import TimeHead
from engine.edits import edit
from engine.runtime.options import about
from engine.soft.parts import ACTIVATIONS, LEAST_ALPHA, MOST_ALPHA, ActivationSpline

ALPHA_UNIT = Unit(suffix="", words="", scale=1.0, decimals=2, step=0.01, coarse=0.1)
FIRST_EXPRESSION = "1 - 0.3*cos(2*pi*t)"
GAP = 10  # [logical px] between groups of tools


class ActivationPanel(Following):
    """The dock."""

    title = "Muscle activation"
    reported = Signal(str)  # a word for the status line
    action_asked = Signal(str)  # the id of an action
    menu_asked = Signal(QMenu, str)  # to be filled with what can be done in a "lane"
    help_text = """
<p>Every spline of every soft body has a lane: its activation alpha over time. Below 1 a spline contracts, above it
extends, at the dotted line, 1, it is passive. The second, thinner curve is how long it really is, times its length at
rest, as the simulation has come to it.</p>
<p>Click a lane to choose its spline; the view shows it. <b>Double-click</b> in a lane to set a key there, or press K to
set one at the playhead. Drag keys in time and value, with Shift in one of both; draw a box to choose several;
{edit.delete} deletes them. With the pencil a drag over a lane draws its curve, of which few keys are kept.</p>
<p>The bar below a name is its slider: it sets the constant, or where alpha is keyed a key at the playhead. Switch
<b>Record</b> on and play: what you do with a slider becomes keys.</p>
<p>As an <b>expression</b> alpha is computed from the time t, in seconds, and the place s along the spline, 0 to 1:
<code>1 + 0.3*cos(2*pi*(t - s))</code> is a wave that runs along it.</p>
<p>{activation.draw} draws a spline by clicks inside a body; the inspector has its stiffness and its region.</p>
<p>Each segment of a spline, of length l along e and l₀ at rest, is a damped spring that wants the length α l₀:</p>
<p class="equation">a = −k (l − α l₀) e − c e eᵀ Δv</p>
"""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self.axis = session, axis
        self._current, self._hand = session.of(CurrentSplines), session.of(AlphaHand)
        self._measured = session.of(Contractions)
        self.head = TimeHead(session, axis, margin=NAMES)
        self.lanes = ActivationLanes(session, axis)
        self.name = ElidedLabel("", colour="text_quiet")
        self.name.setFixedWidth(scaled(110))
        self.kind, self.alpha, self.expression = self._kind(), self._slider(), self._expression()
        self.problem = QLabel(wordWrap=True)
        self.problem.setProperty("wrong", True)
        self.problem.setContentsMargins(scaled(NAMES), 0, 8, 3)
        self.problem.hide()
        self._refused: tuple[str, str] | None = None  # a spline, and a text that is no expression
        self._lay_out()
        self.lanes.reported.connect(self.reported)
        self.lanes.drawing_changed.connect(self._show_tools)
        self.lanes.menu_wanted.connect(self._offer)
        self._measured.changed.connect(lambda: self.lanes.show_measured(self._measured.found))
        self._current.changed.connect(self.follow)
        self._current.held_changed.connect(self._show_tools)
        session.playhead_moved.connect(lambda time: self._show_alpha())
        session.snapshot_ready.connect(self._begin)
        session.filed.connect(self._show_opened)

    def sizeHint(self) -> QSize:
        return QSize(640, 200)

    def set_seen(self, seen: bool) -> None:
        """Measure contractions only while they are seen."""
        super().set_seen(seen)
        self._measured.watch(seen)

    def refresh(self) -> None:
        """Show the present splines, once there was a picture."""
        if self._session.snapshot is None:
            return
        self.axis.set_rate(self._session.document.rate)
        self.lanes.fit_axis()
        self.lanes.follow()
        self._show_spline()
        self._show_tools()

    # The chosen spline

    def _show_spline(self) -> None:
        spline = self._current.spline
        self.name.set_text("" if spline is None else spline.name)
        fields: tuple[QWidget, ...] = (self.kind, self.alpha, self.expression)
        for widget in fields:
            widget.setEnabled(spline is not None and self._current.may_change)
        if spline is None:
            for widget in (*fields, self.problem):
                widget.hide()
            return
        self.kind.show()
        self.kind.setCurrentIndex(ACTIVATIONS.index(spline.activation))
        expressed = spline.activation == "expression"
        self.expression.setVisible(expressed)
        self.alpha.setVisible(not expressed)
        refused = self._refused if self._refused is not None and self._refused[0] == spline.id else None
        if refused is None:
            self._say("")
            if not self.expression.hasFocus() or not self.expression.isModified():
                self.expression.setText(spline.expression)
        self._show_alpha()

    def _show_alpha(self) -> None:
        spline = self._current.spline
        if spline is None or self.lanes.keys is None or not self._seen or self.alpha.is_open:
            return
        lane = next((each for each in self.lanes.keys.lanes if each.spline.id == spline.id), None)
        if lane is not None and self._hand.held != spline.id:
            self.alpha.set_value(self.lanes.alpha_of(lane))

    def _set_kind(self, place: int) -> None:
        spline, kind = self._current.spline, ACTIVATIONS[place]
        if spline is None or spline.activation == kind:
            return
        if kind == "keys" and spline.track is None:
            self.lanes.key_here()
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
        owner, spline = self._current.owner, self._current.spline
        if owner is None or spline is None or not self._hand.begin(owner.id, spline.id):
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
        slider.setFixedWidth(scaled(190))
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

    def _lay_out(self) -> None:
        tools = QHBoxLayout()
        tools.setContentsMargins(6, 3, 8, 3)
        tools.setSpacing(1)
        self.draw_spline = self._add(tools, "spline", "Draw a spline by clicks inside the body", "activation.draw")
        self.seed = self._add(tools, "chart-spline", "Spline along the body's own axis", "activation.seed")
        tools.addSpacing(GAP)
        self.key = self._add(tools, "key-round", "Set a key at the playhead", "activation.key")
        self.freehand = self._add(tools, "pencil", "Draw curves: drag over a lane", "activation.freehand")
        self.record = self._add(tools, "circle-dot", "Record: sliders set keys while it plays", "activation.record")
        self.all = IconButton("scan", "Show all that is played")
        self.all.clicked.connect(self.lanes.show_all)
        tools.addWidget(self.all)
        for each in (self.draw_spline, self.freehand, self.record):
            each.setCheckable(True)
        tools.addSpacing(GAP)
        tools.addWidget(self.name)
        tools.addSpacing(4)
        tools.addWidget(self.kind)
        tools.addSpacing(4)
        tools.addWidget(self.alpha)
        tools.addWidget(self.expression, 1)
        tools.addStretch(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(self.problem)
        column.addWidget(self.head)
        column.addWidget(self.lanes, 1)

    def _add(self, tools: QHBoxLayout, name: str, tip: str, action: str) -> IconButton:
        button = IconButton(name, tip, action=action)
        button.clicked.connect(lambda _: self.action_asked.emit(action))
        button.clicked.connect(self._show_tools)
        tools.addWidget(button)
        return button

    def _show_tools(self) -> None:
        current = self._current
        self.draw_spline.setChecked(current.hold == "draw")
        self.freehand.setChecked(self.lanes.draws)
        self.record.setChecked(current.records)
        for each in (self.draw_spline, self.seed):
            each.setEnabled(current.may_change)
        for each in (self.key, self.freehand, self.record):
            each.setEnabled(current.spline is not None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.alpha.setFixedWidth(scaled(190))

    def _offer(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setObjectName("context")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_asked.emit(menu, "lane")
        menu.popup(at)

    def _begin(self) -> None:
        self._session.snapshot_ready.disconnect(self._begin)
        self.follow()

    def _show_opened(self, outcome: FileOutcome) -> None:
        if outcome.kind in ("open", "example") and outcome.went_well and self._seen:
            self.lanes.show_all()
