"""ExpressionFields: the expression that tells the activation of the chosen muscle, as it is typed; given to all that
are listed, and made keys of."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from app.features.muscles.current_muscles import CurrentMuscles
from app.session import Session
from app.style.fonts import mono_font
from app.style.icon_button import IconButton
from app.style.row import row_of

FIRST_EXPRESSION = "0.5 + 0.5*sin(2*pi*t)"


class ExpressionFields(QWidget):
    """A line that is typed, why it is no expression, and what else is done with it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._current = session.of(CurrentMuscles)
        self._refused: tuple[str, str] | None = None  # a muscle, and a text that is no expression
        self.field = QLineEdit()
        self.field.setFont(mono_font())
        self.field.setAccessibleName("Expression of activation")
        self.field.setPlaceholderText(FIRST_EXPRESSION)
        self.field.setToolTip(
            "Activation of the chosen muscle from the time t [s], held within 0 to 1; Enter takes it, an empty line "
            "leaves it to its keys"
        )
        self.field.editingFinished.connect(self._enter)
        tip = "Give all listed muscles this expression"
        self.all = IconButton("copy", tip, action="muscles.express_listed")
        self.all.clicked.connect(self._current.express_listed)
        self.keys = IconButton("diamond", "Make keys of listed expressions", action="muscles.key_expressions")
        self.keys.clicked.connect(self._current.key_expressions)
        self.problem = QLabel(wordWrap=True)
        self.problem.setProperty("wrong", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(row_of(self.field, self.all, self.keys))
        column.addWidget(self.problem)

    def refresh(self) -> None:
        """Show the expression of the chosen muscle, unless another one is being typed."""
        muscle = self._current.muscle
        if muscle is None:
            return
        if self._refused is None or self._refused[0] != muscle.id:
            self._say("")
            if not self.field.hasFocus() or not self.field.isModified():
                self.field.setText(self._current.expression)
        self.field.setEnabled(self._current.may_change)
        self.all.setEnabled(self._current.has_expression)
        self.keys.setEnabled(self._current.has_listed_expression)

    def _enter(self) -> None:
        from engine.muscles.queries.expressed import expression_problem  # which brings numpy

        muscle, text = self._current.muscle, self.field.text().strip()
        self.field.setModified(False)
        if muscle is None:
            return
        why = expression_problem(text) if text else ""
        self._refused = (muscle.id, text) if why else None
        self._say(why)
        if not why and text != self._current.expression:
            self._current.express((muscle.id,), text)

    def _say(self, why: str) -> None:
        """Show why what was written is no expression; nothing of one that is."""
        self.problem.setText(why)
        self.problem.setVisible(bool(why))
        if self.field.property("wrong") != bool(why):
            self.field.setProperty("wrong", bool(why))
            self.field.style().polish(self.field)
