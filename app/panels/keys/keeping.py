"""Keeping: the two buttons below a change that is shown, and what is said of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

SHOWN = "Shown, not kept: Apply keeps it; Cancel, or anything else that is done, takes it away."
UNCHANGED = "Nothing is changed until you press Apply."


class Keeping(QWidget):
    """Apply and Cancel."""

    kept = Signal()
    dropped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.said = QLabel(wordWrap=True)
        self.said.setProperty("quiet", True)
        self.apply, self.cancel = QPushButton("Apply"), QPushButton("Cancel")
        self.apply.clicked.connect(self.kept)
        self.cancel.clicked.connect(self.dropped)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.apply, 1)
        row.addWidget(self.cancel, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(6)
        column.addWidget(self.said)
        column.addLayout(row)

    def show_state(self, *, shown: bool, problem: str, idle: str) -> None:
        """Whether a change is shown, what stands against it, and what to say where neither is so."""
        self.cancel.setEnabled(shown)
        self.apply.setEnabled(not problem)
        self.said.setText(problem or (SHOWN if shown else idle))
        self.said.setProperty("wrong", bool(problem))
        self.said.style().polish(self.said)
