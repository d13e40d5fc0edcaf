"""AnswerView: what the last solve came to: its curve, its numbers, what each goal missed, and which limits hold it up.

Where two methods are compared, the second's numbers stand beside the first's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.features.method.curve import CurvePlot, ResidualLine
from app.style.elided_label import ElidedLabel
from app.style.export_button import ExportButton
from app.style.fonts import number_font
from engine.commands.reach import HeldPart, Outcome, Reached
from engine.document import Document
from engine.ik.goals import Goal

STATES = {"reached": "Reached", "nearest": "Nearest pose", "out of time": "Out of time", "on the way": "On the way"}
NONE_YET = "Select a figure and drag one of its round marks in a view: here stands what the solver did."
_FAINT = 5e-3  # [N or N m] below which a force is not worth a word
TRIED = "The last drag again, solved as it is set now; the ghost shows it. The figure stays as it was dragged."


class AnswerView(QWidget):
    """One answer."""

    def __init__(self) -> None:
        super().__init__()
        self.plot = CurvePlot()
        self.hint = QLabel(NONE_YET, wordWrap=True)
        self.hint.setProperty("faint", True)
        self.limits = QLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.limits.setProperty("quiet", True)
        self.forces = QLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self.forces.setProperty("quiet", True)
        self.export = ExportButton()
        self.export.setEnabled(False)
        self._table = QGridLayout()
        self._table.setContentsMargins(0, 4, 0, 4)
        self._table.setHorizontalSpacing(10)
        self._table.setVerticalSpacing(3)
        self._cells: dict[tuple[int, int], ElidedLabel] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.hint)
        column.addWidget(self.plot)
        column.addWidget(self.export, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(self._table)
        column.addWidget(self.limits)
        column.addWidget(self.forces)

    def show_answer(self, document: Document, reached: Reached, *, tried: bool = False) -> None:
        """Show an answer to a request about a document; `tried`: the document does not hold it."""
        self.hint.setText(TRIED)
        self.hint.setVisible(tried)
        outcomes = [each for each in (reached.outcome, reached.compared) if each is not None]
        lines = [
            ResidualLine(each.label, tuple(each.report.curve.tolist()), second=place > 0)
            for place, each in enumerate(outcomes)
        ]
        self.plot.show_lines(lines)
        self.export.setEnabled(any(line.values for line in lines))
        columns = [_numbers(document, reached, each) for each in outcomes]
        rows = [[name, *(column[place][1] for column in columns)] for place, (name, _) in enumerate(columns[0])]
        self._fill(rows if len(outcomes) > 1 else rows[1:])
        for place, stretch in enumerate((4, 5, 5 if len(outcomes) > 1 else 0)):
            self._table.setColumnStretch(place, stretch)
        active = reached.outcome.active
        self.limits.setText("At their limits: " + "; ".join(active) if active else "No joint stands at a limit.")
        self.forces.setText("\n".join(_force_text(document, each) for each in reached.outcome.holding))
        self.forces.setVisible(bool(reached.outcome.holding))

    def clear(self) -> None:
        """Show that there is none."""
        self.hint.setText(NONE_YET)
        self.hint.show()
        self.plot.show_lines([])
        self.export.setEnabled(False)
        self._fill(())
        self.limits.clear()
        self.forces.hide()

    def text_of(self, name: str, column: int = 1) -> str:
        """Return the text of a row, by the name at its left."""
        row = next(row for (row, place), cell in self._cells.items() if place == 0 and cell.text == name)
        return self._cells[row, column].text

    def _fill(self, rows: Sequence[Sequence[str]]) -> None:
        wanted = {(row, column): text for row, texts in enumerate(rows) for column, text in enumerate(texts)}
        for place in [each for each in self._cells if each not in wanted]:
            cell = self._cells.pop(place)
            self._table.removeWidget(cell)
            cell.hide()
            cell.deleteLater()
        for place, text in wanted.items():
            cell = self._cells.get(place) or self._new_cell(place)
            cell.set_text(text)

    def _new_cell(self, place: tuple[int, int]) -> ElidedLabel:
        row, column = place
        cell = ElidedLabel(colour="text" if column == 1 else "text_quiet", font=number_font() if column else None)
        self._table.addWidget(cell, row, column)
        self._cells[place] = cell
        return cell


def _numbers(document: Document, reached: Reached, outcome: Outcome) -> list[tuple[str, str]]:
    """List the numbers of an outcome, by name."""
    report = outcome.report
    numbers = [
        ("Solver", outcome.label),
        ("Answer", STATES[report.state]),
        ("Time", f"{1e6 * report.seconds:,.0f} µs".replace(",", "\N{THIN SPACE}")),
        ("Iterations", str(report.iterations)),
        ("Other starts", str(report.starts)),
        ("Branch", "another one" if report.branch_changed else "the same"),
        ("Residual", f"{report.residual:.2g}"),
    ]
    for place, goal in enumerate(reached.goals):
        missed = [each.text.replace("missed by ", "off by ") for each in report.missed if each.goal == place]
        numbers.append((_name_of(document, goal), ", ".join(missed)))
    return numbers


def _force_text(document: Document, holding: HeldPart) -> str:
    """Describe the force that holds a part."""
    found = holding.force
    actor = document.actor(holding.actor)
    name = "Centre of mass" if holding.joint is None else actor.figure.joint(holding.joint).name
    force, torque = math.hypot(*found.force), math.hypot(*found.torque)
    parts = [f"{force if force >= _FAINT else 0.0:.3g} N"] if force >= _FAINT or torque < _FAINT else []
    parts += [f"{torque:.3g} N m"] if torque >= _FAINT else []
    shared = ", partly implied by others" if found.redundant else ""
    return f"{name} is held by {' and '.join(parts)}{shared}"


def _name_of(document: Document, goal: Goal) -> str:
    """Name the handle that a goal is about."""
    spot = getattr(goal, "spot", None)
    if spot is None or spot.actor not in document.actor_index:
        return type(goal).__name__.removesuffix("Goal")
    figure = document.actor(spot.actor).figure
    names = (each.name for each in figure.handles if (each.joint, each.point) == (spot.joint, spot.point))
    return next(names, figure.joint(spot.joint).name)
