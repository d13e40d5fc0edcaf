"""SearchFields: how the motion is searched for; the iterates of the last search, and the minima that it found."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.listed import IdList
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.effort import edit_weight
from app.features.spacetime.words import minimum_text
from app.session import Session
from app.style.units import COUNT, TIME
from app.style.value_slider import ValueSlider
from engine.runtime.options import About, about
from engine.spacetime.parts import Spacetime

OPTIONS = ("whole", "guesses", "form", "implicit", "solver")
IN_A_PLANE = ("form", "implicit")  # in space bounds hold everywhere, and torques follow from the motion


class SearchFields(QWidget):
    """The search for the motion that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.live = QCheckBox("Again after each change")
        self.live.setToolTip(
            "Where a motion was found, find it anew while a slider or a constraint is dragged; what was found before "
            "stays to be seen until then"
        )
        self.live.clicked.connect(self._current.set_live)
        self.present = QCheckBox("Begin with its present motion")
        self.present.setToolTip(
            "A search begins with the motion that the figure has, such as its keys; else with a straight line between "
            "its poses"
        )
        self.present.clicked.connect(self._current.begin_present)
        self.iterate = ValueSlider("Iteration", unit=COUNT)
        self.iterate.setAccessibleName("Iteration that is looked at")
        self.iterate.setToolTip(
            "Look at any step of the last search, and keep it: the motion that looks best is sometimes an early one"
        )
        self.iterate.moved.connect(self._look)
        self.compare = QPushButton("Compare minima")
        self.compare.setToolTip(
            "Search from several guesses: each way of moving that they end in is listed, best first"
        )
        self.compare.clicked.connect(lambda: self._current.run(compare=True))
        self.said = QLabel(wordWrap=True)
        self.said.setProperty("quiet", True)
        self.minima = IdList("Minima")
        self.minima.picked.connect(lambda at: self._current.show(self._current.minima[int(at)]))
        self.form = EditForm(session, search_options(), partial(edit_weight, session), units={"whole": TIME})
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        for widget in (self.live, self.present, self.iterate, self.compare, self.minima, self.said, self.form):
            column.addWidget(widget)

    def show_plan(self) -> None:
        """Show how it is searched."""
        part = self._current.part
        if part is not None:
            self.live.setChecked(self._current.live)
            self.present.setChecked(self._current.begins_present)
            self.form.show_values(part)
            for name in IN_A_PLANE:
                self.form.set_row_visible(name, part.plane is not None)
            self.form.set_row_visible("whole", len(part.stages) > 1 or part.whole > 0.0)
            self.show_search()

    def show_search(self) -> None:
        """Show what the last search came to."""
        current, count = self._current, len(self._current.iterates)
        at = next((at for at, each in enumerate(current.iterates) if each is current.motion), count - 1)
        self.iterate.setVisible(count > 1)
        self.iterate.set_limits(0.0, float(max(count - 1, 1)))
        if not self.iterate.is_open:
            self.iterate.set_value(float(at))
        self.compare.setEnabled(not current.running)
        minima = current.minima
        shown = next((str(place) for place, each in enumerate(minima) if each is current.motion), None)
        several = len(minima) > 1
        rows = [(str(place), minimum_text(place + 1, each), None) for place, each in enumerate(minima)]
        self.minima.show_rows(rows if several else [], shown)
        self.said.setText("Click one to see it; Keep keeps the one that is seen." if several else "")
        self.said.setVisible(several)

    def _look(self, number: float) -> None:
        iterates = self._current.iterates
        if iterates:
            self._current.show(iterates[min(round(number), len(iterates) - 1)])


def search_options() -> dict[str, tuple[About, Any]]:
    """Give what the part tells of how it is searched."""
    usual = {each.name: each.default for each in fields(Spacetime)}
    return {name: (about(Spacetime)[name], usual[name]) for name in OPTIONS}
