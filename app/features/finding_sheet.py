"""FindingSheet: a dialogue that finds a change of a figure; it is seen, with what is said of it, before it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QScrollArea, QWidget

from app.features.sheet_form import SheetForm, quiet
from app.session import Session
from app.session.trial import Trial
from app.style.fonts import scaled
from app.style.sheet import Sheet
from engine.command import Gradual
from engine.runtime.errors import EngineError
from engine.runtime.options import About

HINT = "Nothing is changed until you press Keep."
WORKING = "Being worked out… The cross below the window cancels it."
WIDTH, HEIGHT = 460, 150  # [logical px] of what is said


class FindingSheet(Sheet):
    """Asks, shows and keeps. `about` says how it is found, `said` what of; `command` is made of the answers, `words` of
    its report: none of any other's."""

    def __init__(
        self,
        parent: QWidget,
        session: Session,
        owner: str,
        *,
        title: str,
        about: str,
        said: str,
        asked: Mapping[str, tuple[About, Any]],
        command: Callable[[dict[str, Any]], Gradual],
        words: Callable[[object], str | None],
    ) -> None:
        super().__init__(parent, title)
        self._session, self._owner, self._command, self._words = session, owner, command, words
        self.trial = Trial(session, self)
        self.values: dict[str, Any] = {name: usual for name, (_, usual) in asked.items()}
        self.form = SheetForm(asked, self._take, grows=False)
        self.said = QLabel(HINT, wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.said.setAccessibleName(said)
        area = QScrollArea()
        area.setWidget(self.said)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFixedHeight(scaled(HEIGHT))
        area.setMinimumWidth(scaled(WIDTH))
        self.begin, self.keep = QPushButton("Find"), QPushButton("Keep")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.addButton(self.begin, QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.ActionRole)
        self.begin.clicked.connect(self._find)
        self.keep.clicked.connect(self._keep)
        self.buttons.rejected.connect(self.reject)
        for widget in (quiet(about), self.form, area, self.buttons):
            self.column.addWidget(widget)
        self.finished.connect(lambda _: self._leave())
        self.trial.changed.connect(self._show)
        self.begin.setDefault(True)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Be as high as all of it takes, where Qt would give two thirds of the screen."""
        if not event.spontaneous():
            self.form.setMinimumHeight(self.form.sizeHint().height())
            self.resize(self.width(), max(self.height(), self.column.totalHeightForWidth(self.width())))
        super().showEvent(event)

    def _take(self, name: str, value: Any) -> None:
        self.values[name] = value
        if not self.trial.keeping:
            self.trial.drop()

    def _find(self) -> None:
        document = self._session.document
        if self._owner not in document.actor_index:
            self.reject()
            return
        try:
            command = self._command(self.values)
        except EngineError as problem:
            self.said.setText(str(problem))
            return
        self.trial.show(command.label(document), command)

    def _keep(self) -> None:
        if self._words(self.trial.report) is not None:
            self.trial.keep()
            self.accept()

    def _leave(self) -> None:
        if not self.trial.keeping:
            self.trial.drop()

    def _show(self) -> None:
        words = self._words(self.trial.report)
        self.keep.setEnabled(words is not None)
        self.begin.setEnabled(not self.trial.open)
        self.said.setText(words if words is not None else WORKING if self.trial.open else HINT)
