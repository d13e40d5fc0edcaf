"""FilmSheet: what is to be exported as a video or as pictures, looked at as it is chosen, before a file is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.export.choices import Choices
from app.export.planning import bytes_of, plan_of, suggested
from app.export.preview import FramePreview
from app.features.films.view.fields import FilmFields
from app.features.films.view.frame import FilmView
from app.features.sheet_form import quiet, sentence
from app.style.fonts import number_font, scaled
from app.style.sheet import Sheet
from app.style.units import size_of
from engine.document.motion import TICKS_PER_SECOND
from engine.runtime.errors import EngineError, InvalidArguments

if TYPE_CHECKING:
    from app.export.plan import Plan
    from app.features.films.films import Films
    from app.features.window import Window

SIZE, SIDE = (880, 560), 352
LINES = {  # of the sheet, by what a plan refuses
    "the codec": "codec",
    "the size": "width",
    "the camera": "view",
    "the number of samples": "samples",
    "the rate": "rate",
    "the end of the range": "start",
    "the number of frames": "start",
    "the turns of the turntable": "turn_seconds",
    "the seconds of the turntable": "turn_seconds",
    "the background": "background",
}


class FilmSheet(Sheet):
    """Fields at the left; at the right what comes of them."""

    def __init__(self, window: Window, films: Films) -> None:
        super().__init__(window, "Export pictures and video")
        self.setObjectName("film")
        self._window, self._films = window, films
        self.plan: Plan | None = None  # what the choices come to; None while they make no sense
        self._choices = window.preferred("film", Choices)
        self._was_shown = False
        self.fields = FilmFields(window, self._choices)
        self.view = FilmView()
        self.problem, self.told, self.notes = QLabel(wordWrap=True), QLabel(wordWrap=True), quiet()
        self.problem.setProperty("wrong", True)
        self.told.setFont(number_font())
        self.preview = FramePreview(window.session, self)
        self.preview.drawn.connect(self.view.picture.show_image)
        self.preview.refused.connect(self.view.picture.say)
        both = QHBoxLayout()
        both.setSpacing(22)
        both.addWidget(_scrolled(self.fields), 1)
        both.addWidget(self._right())
        self.column.addLayout(both, 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.choose = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.choose.setText("Choose file…")
        self.buttons.accepted.connect(self._choose_file)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        self.fields.changed.connect(self._check)
        self.view.moved.connect(self._show_frame)
        self.finished.connect(self._end)
        room = (max(window.width() - 20, SIDE + 300), max(window.height() - 40, 360))
        self.resize(min(scaled(SIZE[0]), room[0]), min(scaled(SIZE[1]), room[1]))
        self._check()

    def _right(self) -> QWidget:
        right = QWidget()
        right.setFixedWidth(SIDE)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for each in (self.view, self.told, self.notes, self.problem):
            column.addWidget(each)
        column.addStretch(1)
        return right

    def _check(self) -> None:
        """Look at what is chosen: what is wrong is said beside it."""
        choices = self.fields.choices
        problems, foot, plan = dict(self.fields.problems), "", None
        out = suggested(choices, self._window.session)
        if not problems:
            try:
                plan = plan_of(choices, self._window.session, self._window.view, out)
            except InvalidArguments as problem:
                if problem.what in LINES:
                    problems[LINES[problem.what]] = sentence(problem)
                else:
                    foot = sentence(problem)
            except EngineError as problem:
                foot = sentence(problem)
        self.plan = plan
        self.fields.say(problems)
        self.problem.setText(foot)
        self.problem.setVisible(bool(foot))
        self.choose.setEnabled(plan is not None)
        if plan is None:
            self.told.setText("")
            if self.view.picture.image is None:
                self.view.picture.say("")
            self.notes.hide()
            return
        self._choices = choices
        self.view.set_frames(plan.count, first=None if self._was_shown else self._frame_of_playhead(plan))
        self._was_shown = True
        self.told.setText(in_words(plan))
        self.notes.setText("\n".join(sentence(EngineError(note)) for note in plan.notes))
        self.notes.setVisible(bool(plan.notes))
        self._show_frame()

    def _show_frame(self) -> None:
        if self.plan is not None:
            self.view.tell(self.plan.time(self.view.number), self.plan.count)
            self.preview.show(self.plan, self.view.number)

    def _frame_of_playhead(self, plan: Plan) -> int:
        passed = self._window.session.playhead - plan.start
        return min(max(passed * plan.rate[0] // (TICKS_PER_SECOND * plan.rate[1]), 0), plan.count - 1)

    def _choose_file(self) -> None:
        if self.plan is not None:
            place = suggested(self._choices, self._window.session)
            self._window.asking.place_of_pictures(place, self._begin)

    def _begin(self, path: Path) -> None:
        if self.plan is not None:
            self._films.want(replace(self.plan, out=with_ending(path, self.plan)), path)
            self.accept()

    def _end(self) -> None:
        self.preview.close()
        if self.plan is not None:  # else what was half typed would be there the next time
            self._films.remember(replace(self._choices, unfolded=self.fields.unfolded))


def with_ending(path: Path, plan: Plan) -> Path:
    """Return the path with an ending that says what it is."""
    return path if path.suffix.lower() in plan.kind.suffixes else path.with_name(path.name + plan.kind.suffixes[0])


def in_words(plan: Plan) -> str:
    """Say how many files and frames, how long, and about how large."""
    large = f"about {size_of(round(bytes_of(plan)))}"
    width, height = plan.frame_size
    if plan.count == 1:
        return f"1 file, {width} x {height}, {large}"
    seconds = (plan.span[1] - plan.span[0]) / TICKS_PER_SECOND
    files = f"{plan.count:,} files" if plan.codec == "png" else f"1 file of {plan.count:,} frames"
    return f"{files}, {width} x {height}, {seconds:.2f} s, {large}"


def _scrolled(inside: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    return area
