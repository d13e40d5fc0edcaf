"""ValueSlider: one number with its name, as a field that is dragged, typed into, or stepped by keys.

Drag across it to change the value: Ctrl makes it ten times finer, Shift snaps to round numbers, Escape gives the old
value back. Click the number (or press Enter, or begin to type) to write one; beyond the limits the nearest is taken, in
words. Double-click the name to go back to rest.
All values are SI; the unit says how they look. Between `started` and `finished` or `cancelled` stands one gesture.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.style.apply import current_theme
from app.style.fonts import scaled
from app.style.number_field import NumberField
from app.style.span import ValueRange
from app.style.units import ANGLE, Unit
from app.style.value_painter import INSET, Face, paint_face, value_width

HEIGHT = 25
DRAG_DISTANCE = 3
WHEEL_PAUSE_MS = 350
SHIFT = Qt.KeyboardModifier.ShiftModifier
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
_PAGES = {Qt.Key.Key_PageDown: -1, Qt.Key.Key_PageUp: 1}
_RESETS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_OPENERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
_KEYS = {*_STEPS, *_PAGES, *_RESETS, *_OPENERS, Qt.Key.Key_Home, Qt.Key.Key_End}


class ValueSlider(QWidget):
    """One named number, dragged, typed or stepped."""

    started = Signal()
    moved = Signal(float)
    finished = Signal()
    cancelled = Signal()
    applies_again = False  # whether the value that it shows can be entered to be applied once more
    channel: tuple[str, str] | None = None  # ids of the actor and the degree of freedom that it shows, if it does

    def __init__(self, label: str, *, unit: Unit = ANGLE, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label, self._unit, self._span = label, unit, ValueRange(unit=unit)
        self._value = self._rest = self._before = self._raw = 0.0
        self._open = self._dragged = False
        self._press: float | None = None
        self._editor: NumberField | None = None
        self._wheel_end = QTimer(self, singleShot=True, interval=WHEEL_PAUSE_MS)
        self._wheel_end.timeout.connect(self._finish)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName(label)
        self._describe()

    @property
    def value(self) -> float:
        """The value [SI]."""
        return self._value

    @property
    def is_open(self) -> bool:
        """True while a gesture is open."""
        return self._open

    @property
    def face(self) -> Face:
        """The present state, to be painted."""
        return Face(
            label=self._label,
            value=self._value,
            unit=self._unit,
            lower=self._span.lower,
            upper=self._span.upper,
            rest=self._rest,
            enabled=self.isEnabled(),
            hovered=self.underMouse(),
            focused=self.hasFocus(),
            held=self._dragged,
        )

    def set_label(self, label: str) -> None:
        """Set the name, without a signal."""
        if label != self._label:
            self._label = label
            self.update()

    def set_limits(self, lower: float | None, upper: float | None) -> None:
        """Set the limits [SI], None for none on that side, without a signal."""
        span = ValueRange(unit=self._unit, lower=lower, upper=upper)
        if span != self._span:
            self._span = span
            self._describe()
            self.update()

    def set_rest(self, rest: float) -> None:
        """Set the value that a reset returns to [SI]."""
        if rest != self._rest:
            self._rest = rest
            self.update()

    def set_value(self, value: float) -> None:
        """Show another value [SI] without a signal; a value that a person is dragging stays as it is."""
        if self._open or value == self._value:
            return
        self._value = value
        self._describe()
        self.update()

    def reset(self) -> None:
        """Go back to the rest value, as one gesture."""
        self._change_once(self._rest)

    def cancel(self) -> None:
        """End an open gesture with the value that it began with; whoever cannot serve `started` may call this."""
        self._wheel_end.stop()
        if self._open:
            self._open, self._value = False, self._before
            self._describe()
            self.update()
            self.cancelled.emit()

    def edit(self, text: str | None = None) -> None:
        """Open the field for typing, with `text` or the present number in it."""
        if not self.isEnabled():
            return
        self._finish()
        editor = NumberField(self, unit=self._unit, present=self._value, again=self.applies_again)
        editor.entered.connect(self._take_typed)
        editor.closed.connect(self._close_editor)
        self._editor = editor
        editor.begin(text)

    def sizeHint(self) -> QSize:
        return QSize(220, scaled(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(110, scaled(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_face(painter, QRectF(self.rect()), self.face, current_theme())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._finish()
        self._press = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press is None:
            return
        x = event.position().x()
        if not self._dragged:
            if abs(x - self._press) < DRAG_DISTANCE:
                return
            self._dragged, self._raw = True, self._value
            self._begin()
        self._drag_by(x - self._press, event.modifiers())
        self._press = x

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._press is None:
            return
        x, dragged = event.position().x(), self._dragged
        if dragged and x != self._press:
            self._drag_by(x - self._press, event.modifiers())
        self._let_go()
        self._finish()
        if not dragged and self._is_on_number(x):
            self.edit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._is_on_number(event.position().x()):
            self.reset()

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / 120.0
        if not self.hasFocus() or not notches:
            event.ignore()
            return
        self._step(notches, event.modifiers())
        self._wheel_end.start()
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._wants(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if key == Qt.Key.Key_Escape and self._open:
            self.cancel()
        elif key in _STEPS:
            self._step(_STEPS[key], modifiers)
        elif key in _PAGES:
            self._step(_PAGES[key], SHIFT)
        elif key == Qt.Key.Key_Home and self._span.lower is not None:
            self._change_once(self._span.lower)
        elif key == Qt.Key.Key_End and self._span.upper is not None:
            self._change_once(self._span.upper)
        elif key in _RESETS:
            self.reset()
        elif key in _OPENERS:
            self.edit()
        elif _begins_number(event):
            self.edit(event.text())
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if (event.key() in _STEPS or event.key() in _PAGES) and not event.isAutoRepeat() and not self._dragged:
            self._finish()
            return
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if not self._dragged:
            self._finish()
        self.update()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._let_go()
        self._finish()
        super().hideEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._editor is not None:
            self._editor.setGeometry(self.rect())
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self._let_go()
            self.cancel()
        self.update()
        super().changeEvent(event)

    def _wants(self, event: QKeyEvent) -> bool:
        """Return True for keys that work here while the field has the focus, whatever they do elsewhere in the
        window."""
        if event.modifiers() & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return False
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            return self._open
        return key in _KEYS or _begins_number(event)

    def _is_on_number(self, x: float) -> bool:
        return x >= self.width() - max(value_width(self.face), 0.4 * self.width())

    def _drag_by(self, pixels: float, modifiers: Qt.KeyboardModifier) -> None:
        if self._open:
            self._raw = self._span.dragged(self._raw, pixels, self.width() - 2.0 * INSET, modifiers)
            self._move(self._span.snapped(self._raw) if modifiers & SHIFT else self._raw)

    def _step(self, count: float, modifiers: Qt.KeyboardModifier) -> None:
        if not self._dragged:
            self._begin()
            self._move(self._span.stepped(self._value, count, modifiers))

    def _change_once(self, value: float, *, again: bool = False) -> None:
        self._finish()
        value = self._span.clamped(value)
        if value == self._value and not again:
            return
        self._begin()
        if value != self._value:
            self._move(value)
        elif self._open:
            self.moved.emit(value)
        self._finish()

    def _take_typed(self, typed: float) -> None:
        """Take a typed number, or the limit that it is beyond, and say so."""
        self._change_once(typed, again=self.applies_again)
        taken = self._span.clamped(typed)
        given, limit = (f"{each * self._unit.scale:.6g}{self._unit.suffix}" for each in (typed, taken))
        if given != limit:
            beyond = "less than the least" if typed < taken else "more than the most"
            words = f"{given} is {beyond}, {limit}, which is taken".replace("-", "\N{MINUS SIGN}")
            self.setAccessibleDescription(words)
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), words, self)

    def _begin(self) -> None:
        if not self._open:
            self._open, self._before = True, self._value
            self.started.emit()

    def _move(self, value: float) -> None:
        value = self._span.clamped(value)
        if self._open and value != self._value:
            self._value = value
            self._describe()
            self.update()
            self.moved.emit(value)

    def _finish(self) -> None:
        self._wheel_end.stop()
        if self._open:
            self._open = False
            self.finished.emit()

    def _let_go(self) -> None:
        self._press, self._dragged = None, False
        self.update()

    def _close_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            if editor.hasFocus():
                self.setFocus()  # before hiding, which would hand the focus to the next field
            editor.hide()
            editor.deleteLater()
        self.update()

    def _describe(self) -> None:
        words = self._unit.spoken(self._value)
        if self._span.lower is not None and self._span.upper is not None:
            words += f", from {self._unit.spoken(self._span.lower)} to {self._unit.spoken(self._span.upper)}"
        self.setAccessibleDescription(words)  # of which Qt tells who listens


def _begins_number(event: QKeyEvent) -> bool:
    control = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    return not control and bool(event.text()) and event.text() in "0123456789.-+("
