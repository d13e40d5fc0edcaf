"""ActivationSheet: finds activations for the motion of a figure; they are seen, with what muscles lack, before they are
kept."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPushButton, QScrollArea, QWidget

from app.features.sheet_form import SheetForm, quiet
from app.session import Session
from app.session.trial import Trial
from app.style.fonts import scaled
from app.style.sheet import Sheet
from engine.document import Actor, Document
from engine.document.extent import acting_extent, play_extent
from engine.document.ticks import TICKS_LIMIT, TICKS_PER_SECOND
from engine.muscles.commands.activate import COSTS, METHODS, ActivationsFromMotion, FoundActivations
from engine.runtime.errors import EngineError
from engine.runtime.options import About

ABOUT = (
    "Torques that the motion takes, by inverse dynamics, are shared out among muscles: the least activations that give "
    "them, frame by frame (static optimisation). The ground's force is as it was measured, else it is "
    "estimated where feet stand. Computed muscle "
    "control (Thelen 2003) goes forward through physics: played with Simulate on, its activations follow the keys."
)
HINT = "Nothing is changed until you press Keep."
WORKING = "Being worked out… The cross below the window cancels it."
WIDTH, HEIGHT = 460, 150  # [logical px] of what is said
LONGEST = TICKS_LIMIT // TICKS_PER_SECOND  # [s]
MOST_RATE = 1000  # frames a second


class ActivationSheet(Sheet):
    """Asks, shows and keeps."""

    def __init__(self, parent: QWidget, session: Session, owner: Actor) -> None:
        super().__init__(parent, f"Activations of {owner.name} from its motion")
        self.setObjectName("activations")
        self._session, self._owner = session, owner.id
        self.trial = Trial(session, self)
        asked = _asked(session.document, owner)
        self.values: dict[str, Any] = {name: usual for name, (_, usual) in asked.items()}
        self.form = SheetForm(asked, self._take, grows=False)
        self.said = QLabel(HINT, wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.said.setAccessibleName("What muscles lack")
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
        for widget in (quiet(ABOUT), self.form, area, self.buttons):
            self.column.addWidget(widget)
        self.form.setMinimumHeight(self.form.sizeHint().height())
        self.finished.connect(lambda _: self._leave())
        self.trial.changed.connect(self._show)
        self.begin.setDefault(True)
        self._show()

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
            command = self._command()
        except EngineError as problem:
            self.said.setText(str(problem))
            return
        self.trial.show(command.label(document), command)

    def _command(self) -> ActivationsFromMotion:
        rate = self._session.document.rate
        frames = self.values["rate"]
        return ActivationsFromMotion(
            actor=self._owner,
            start=round(self.values["start"] * TICKS_PER_SECOND),
            end=round(self.values["end"] * TICKS_PER_SECOND),
            rate=None if frames == round(rate[0] / rate[1]) else (frames, 1),
            cost=self.values["cost"],
            method=self.values["method"],
        )

    def _keep(self) -> None:
        if isinstance(self.trial.report, FoundActivations):
            self.trial.keep()
            self.accept()

    def _leave(self) -> None:
        if not self.trial.keeping:
            self.trial.drop()

    def _show(self) -> None:
        report = self.trial.report
        found = isinstance(report, FoundActivations)
        self.keep.setEnabled(found)
        self.begin.setEnabled(not self.trial.open)
        if isinstance(report, FoundActivations):
            frames = len(report.shares.times)
            self.said.setText("\n".join((f"{frames} frames, {report.keys} keys.", *report.lacking)))
        else:
            self.said.setText(WORKING if self.trial.open else HINT)


def usual_times(document: Document, owner: Actor) -> tuple[int, int]:
    """Return the span that is played [ticks], of a figure that was captured no more than its capture."""
    start, end = play_extent(document)
    captures = [acting_extent(each) for each in owner.layers if each.samples is not None]
    known = [each for each in captures if each is not None]
    if known:
        first, last = max(start, min(each[0] for each in known)), min(end, max(each[1] for each in known))
        return (first, last) if first < last else (start, end)
    return start, end


def _asked(document: Document, owner: Actor) -> dict[str, tuple[About, Any]]:
    """List the questions with their usual answers: all that is played or was captured, at the frames of the
    document."""
    start, end = (each / TICKS_PER_SECOND for each in usual_times(document, owner))
    frames = min(max(round(document.rate[0] / document.rate[1]), 1), MOST_RATE)
    costs = About(
        label="Least are the",
        choices=COSTS,
        labels=("Squares of activations", "Cubes of activations"),
        note="Cubes share out more evenly: muscles that tire least",
    )
    ways = About(
        label="By",
        choices=METHODS,
        labels=("Static optimisation", "Computed muscle control", "The same, with motors for what muscles lack"),
        note="Of each frame of the motion as it is seen; or forward through physics, each 10 ms, along the keys",
    )
    return {
        "start": (About(label="From", unit="s", least=-LONGEST, most=LONGEST, note="The first frame"), start),
        "end": (About(label="To", unit="s", least=-LONGEST, most=LONGEST, note="The last frame"), end),
        "rate": (About(label="Frames a second", least=1, most=MOST_RATE, note="Of activations that are found"), frames),
        "cost": (costs, COSTS[0]),
        "method": (ways, METHODS[0]),
    }
