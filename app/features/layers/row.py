"""LayerRow: one layer of the list. A click works on it, a double click renames it, a drag moves it up or down."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.session import Session
from app.session.hand import Hand
from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.icon_button import IconButton
from app.style.units import SHARE
from app.style.value_slider import ValueSlider
from engine.document import Actor, Layer
from engine.edits import Edit, edit

MODES = (("replace", "Replace"), ("add", "Add"))
CORRECTION = "correction"  # a layer that holds nothing else
LEAVE_OUT, COUNT_AGAIN = "Mute layer", "Unmute layer"
RECEIVE, RECEIVES = "Let keys go to this layer", "Keys go to this layer; click to let them go to the uppermost"
UPPERMOST = "Keys go to this layer, the uppermost that counts; click to let them go to it at all times"
SLACK = 5  # [logical px] that a click may move
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class LayerRow(QWidget):
    """One layer: what can be set of it. Kept from document to document; only what differs is shown anew."""

    changed = Signal(str, str, dict)  # layer; name and arguments of the edit that a person wants
    chosen = Signal(str)  # layer
    received = Signal(str)
    renamed = Signal(str, str)  # layer, name
    stepped = Signal(int)  # to the row so many further down
    removal_wanted = Signal(str)
    dragged = Signal(int)  # y on the screen
    dropped = Signal(int)
    let_go = Signal()  # a drag that moves nothing

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.layer: Layer | None = None
        self.current = self.held = False
        self.actor = ""
        self._place, self._count = 0, 0
        self._from: float | None = None  # y on the screen where it was pressed
        self._editor: QLineEdit | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.receives = IconButton("key-round", RECEIVE)
        self.receives.setCheckable(True)
        self.shown = IconButton("eye", LEAVE_OUT)
        self.alone = IconButton("headphones", "Solo")
        self.alone.setCheckable(True)
        self.name = ElidedLabel()
        self.name.setMinimumWidth(56)
        self.name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.kind = QLabel()
        self.kind.setProperty("quiet", True)
        self.mode = QComboBox()
        self.mode.setToolTip("Take the place of what is below, or add to it")
        for mode, text in MODES:
            self.mode.addItem(text, mode)
        self.weight = ValueSlider("", unit=SHARE)
        self.weight.set_limits(0.0, 1.0)
        self.weight.set_rest(1.0)
        self.weight.setFixedWidth(74)
        self.weight.setToolTip("How much it counts")
        self.hand = Hand(session, self.weight, label="Set layer weight", make_edit=self._weighed)
        self.up, self.down = IconButton("chevron-up", "Further up"), IconButton("chevron-down", "Further down")
        self.remove = IconButton("trash-2", "Remove")
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 1, 8, 1)
        line.setSpacing(4)
        for widget in (self.receives, self.shown, self.alone, self.name, self.kind, self.mode, self.weight, self.up,
                       self.down, self.remove):  # fmt: skip
            line.addWidget(widget, 1 if widget is self.name else 0)
        self._connect()

    def show_layer(self, owner: Actor, layer: Layer, place: int, *, current: bool, receives: bool) -> None:
        """Show a layer of an actor that stands at a place of the list, the lowest being 0."""
        self.actor, count = owner.id, len(owner.layers)
        if current != self.current:
            self.current = current
            self.update()
        self.receives.setChecked(receives)
        tip = RECEIVES if owner.receiver == layer.id else UPPERMOST
        self.receives.set_tip(tip if receives else RECEIVE)
        if layer is self.layer and (place, count) == (self._place, self._count):
            return
        if self.layer is not None and layer.id != self.layer.id and self._editor is not None:
            self._close_editor()
        self.layer, self._place, self._count = layer, place, count
        self.shown.set_icon("eye-off" if layer.mute else "eye")
        self.shown.set_tip(COUNT_AGAIN if layer.mute else LEAVE_OUT)
        self._show_choices(layer)
        self.name.set_text(layer.name, tip="")
        self.name.set_colour("text_faint" if layer.mute else "text")
        self.kind.setText(kind_of(layer))
        self.mode.setAccessibleName(f"How {layer.name} counts")
        self.weight.setAccessibleName(f"How much {layer.name} counts")
        self.hand.show(layer.weight)
        self.up.setEnabled(place < count - 1)
        self.down.setEnabled(place > 0)

    def set_narrow(self, narrow: bool) -> None:
        """Leave out what keys, drags and the menu do as well."""
        for widget in (self.kind, self.up, self.down, self.remove):
            widget.setVisible(not narrow)

    def rename(self) -> None:
        """Open a line for another name."""
        if self.layer is None or self._editor is not None:
            return
        editor = self._editor = QLineEdit(self.layer.name, self)
        editor.setAccessibleName("Name of the layer")
        editor.setGeometry(self.name.geometry().adjusted(-4, -3, 4, 3))
        editor.editingFinished.connect(self._finish_editor)
        editor.installEventFilter(self)
        editor.show()
        editor.selectAll()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Keys of the list go before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            dropped = event.key() == Qt.Key.Key_Escape and self.held
            if dropped or (event.key() in _KEYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier):
                event.accept()
                return True
        return super().event(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Escape leaves the name as it is."""
        if watched is self._editor and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.KeyPress:
                self._close_editor()
            event.accept()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape and self.held:
            self._let_go()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Delete and self.layer is not None:
            self.removal_wanted.emit(self.layer.id)
        elif key in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.rename()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.layer is not None:
            self.chosen.emit(self.layer.id)
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.globalPosition().y()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is None:
            return
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._let_go()
            return
        if abs(event.globalPosition().y() - self._from) > SLACK:
            self.held = True
        if self.held:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.dragged.emit(round(event.globalPosition().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            held = self.held
            self._let_go()
            if held:
                self.dropped.emit(round(event.globalPosition().y()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.name.geometry().contains(event.position().toPoint()):
            self.rename()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(3.5, 0.5, -3.5, -0.5)
        if self.current or self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selection if self.current else theme.hover))
            painter.drawRoundedRect(ground, 4.0, 4.0)
        painter.end()

    # Within

    def _show_choices(self, layer: Layer) -> None:
        """Show the choices that a person changes before it is known whether they may."""
        self.alone.setChecked(layer.solo)
        self.mode.setCurrentIndex([mode for mode, _ in MODES].index(layer.mode))
        self.mode.setEnabled(kind_of(layer) != CORRECTION)  # which adds, whatever the mode

    def _let_go(self) -> None:
        self._from, self.held = None, False
        self.unsetCursor()
        self.let_go.emit()

    def _finish_editor(self) -> None:
        if self._editor is not None and self.layer is not None:
            text, layer = self._editor.text(), self.layer
            self._close_editor()
            if text != layer.name:  # it may be closed because the layer has gone
                self.renamed.emit(layer.id, text)

    def _close_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.hide()
            editor.deleteLater()
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _weighed(self, weight: float) -> Edit:
        assert self.layer is not None, "shown only for one"
        return edit("set_layer_weight", actor=self.actor, layer=self.layer.id, weight=weight)

    def _connect(self) -> None:
        self.shown.clicked.connect(lambda: self._ask("mute_layer", mute=self.shown.toolTip() == LEAVE_OUT))
        self.alone.clicked.connect(lambda: self._ask("solo_layer", solo=self.alone.isChecked()))
        self.mode.activated.connect(lambda place: self._ask("set_layer_mode", mode=self.mode.itemData(place)))
        self.up.clicked.connect(lambda: self._ask("move_layer", index=self._place + 1))
        self.down.clicked.connect(lambda: self._ask("move_layer", index=self._place - 1))
        self.receives.clicked.connect(lambda: self._say(self.received))
        self.remove.clicked.connect(lambda: self._say(self.removal_wanted))

    def _say(self, what: SignalInstance) -> None:
        if self.layer is not None:
            what.emit(self.layer.id)

    def _ask(self, name: str, **arguments: object) -> None:
        if self.layer is not None:
            self.changed.emit(self.layer.id, name, arguments)
            self._show_choices(self.layer)  # what was asked for may have been refused


def kind_of(layer: Layer) -> str:
    """Say in a word or two what the layer holds."""
    if layer.samples is not None:
        frames = layer.samples.frame_count
        return f"{frames} frame{'' if frames == 1 else 's'}"
    if layer.tracks:
        count = sum(len(track.keys) for track in layer.tracks)
        return f"{count} key{'' if count == 1 else 's'}"
    return "pose" if layer.correction is None or layer.values or layer.drafts else CORRECTION
