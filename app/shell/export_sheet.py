"""The dialogue of an export: which format, and what it cannot carry, before a file is chosen and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QLabel, QWidget

from app.session.clock import rate_text
from app.session.player import frame_of
from app.session.typed_time import WrongTime, time_of_text, usual_times
from app.shell.imports import UNITS
from app.style.fonts import number_font, text_font
from app.style.sheet import Sheet
from engine.document import Document
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_count, frame_time

if TYPE_CHECKING:
    from engine.formats.format import Format, Options

WIDTH = 460
NEAR = TICKS_PER_SECOND // 10_000  # of a frame, to be it
MARGIN = 6  # of a number, to stand below what lists show
AS_USUAL = "As usual for the format"
RATES = ("24", "25", "30", "50", "60", "100", "120", "240")


class ExportSheet(Sheet):
    """Asks how actors are to be written; `format`, `options` and `suffix` are the answer."""

    def __init__(self, parent: QWidget, document: Document, actors: Sequence[str], *, seconds: bool = False) -> None:
        """`seconds`: times are shown in seconds, else as frames."""
        from engine.formats.table import writers

        self._document, self._actors = document, actors
        names = [document.actor(id).name for id in actors]
        super().__init__(parent, f"Export {', '.join(names) if len(names) < 4 else f'{len(names)} actors'}")
        self.setObjectName("export")
        self._formats = [
            (each, suffix) for each in writers() for suffix in each.suffixes if (each.kind != "document") or suffix
        ]
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setVerticalSpacing(8)
        self.kind, self.unit, self.up, self.rate = QComboBox(), QComboBox(), QComboBox(), QComboBox()
        self.kind.addItems([f"{each.name} ({suffix})" for each, suffix in self._formats])
        self.unit.addItems([AS_USUAL, *UNITS])
        self.up.addItems(["Y", "Z", "X"])
        self.rate.addItems(["As the motion", *RATES])
        form.addRow("Format", self.kind)
        form.addRow("Unit of length", self.unit)
        form.addRow("Upward axis", self.up)
        form.addRow("Frames a second", self.rate)
        self._first, self._last, self._rate = _played(document, actors)
        self.start, self.end = (_Moment(each, self._rate, seconds=seconds) for each in (self._first, self._last))
        self.end.setMinimum(self.start.value())
        self.start.valueChanged.connect(self.end.setMinimum)
        form.addRow("From", self.start)
        form.addRow("To", self.end)
        self.frames = QLabel()
        self.frames.setFont(number_font())
        form.addRow("Frames", self.frames)
        self.column.addLayout(form)
        self.about, self.lost = _words("quiet"), _words("")
        self.column.addWidget(self.about)
        self.column.addWidget(self.lost)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Choose file…")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        self.setMinimumWidth(WIDTH)
        self.kind.currentIndexChanged.connect(self._show_format)
        self.rate.currentIndexChanged.connect(self._show_frames)
        for moment in (self.start, self.end):
            moment.valueChanged.connect(self._show_frames)
        self.kind.setCurrentIndex(next(place for place, (_, suffix) in enumerate(self._formats) if suffix == ".bvh"))

    @property
    def format(self) -> Format:
        """The format that is chosen."""
        return self._formats[self.kind.currentIndex()][0]

    @property
    def suffix(self) -> str:
        """The end of the file's name."""
        return self._formats[self.kind.currentIndex()][1]

    @property
    def options(self) -> Options:
        """The options that the format does not settle itself; those that it does not heed are left out."""
        from engine.cli.files import rate_from
        from engine.formats.format import Options

        heeds = self.format.write_options
        return Options(
            unit=UNITS.get(self.unit.currentText()) if "unit" in heeds else None,
            up=self.up.currentText().lower() if "up" in heeds else None,  # type: ignore[arg-type]
            rate=rate_from(self.rate.currentText()) if "rate" in heeds and self.rate.currentIndex() > 0 else None,
            start=_ticks(self.start, self._first) if "start" in heeds else None,
            end=_ticks(self.end, self._last) if "end" in heeds else None,
        )

    def _show_frames(self) -> None:
        """Say how many frames are written."""
        if "start" not in self.format.write_options:
            self.frames.setText("None: this format holds no motion in frames")
            return
        options = self.options
        rate = options.rate or self._rate
        first = self._first if options.start is None else options.start
        last = self._last if options.end is None else options.end
        count = frame_count(rate, first, max(first, last))
        self.frames.setText(f"{count:,} {'frame' if count == 1 else 'frames'}, {rate_text(rate)} a second")

    def _show_format(self) -> None:
        from engine.long.export import left_out

        heeds = self.format.write_options
        widgets = {"unit": self.unit, "up": self.up, "rate": self.rate, "start": self.start, "end": self.end}
        for option, widget in widgets.items():
            widget.setEnabled(option in heeds)
        self._show_frames()
        self.about.setText(self.format.about)
        lost = left_out(self.format, self._document, self._actors)
        lines = "\n".join(f"–  {each}" for each in lost)
        self.lost.setText(f"Left out or changed:\n{lines}" if lost else "Nothing is left out.")
        self.adjustSize()


def _played(document: Document, actors: Sequence[str]) -> tuple[int, int, Rate]:
    """From when to when there is something to write [ticks], and at which rate."""
    from engine.long.scenes import scene_contents

    scene = scene_contents(document, actors).scene
    assert scene is not None, "it was made of actors"
    return scene.first, scene.last, scene.rate


class _Moment(QDoubleSpinBox):
    """A time, shown as the timeline counts and typed as a frame or in seconds."""

    def __init__(self, time: int, rate: Rate, *, seconds: bool) -> None:
        super().__init__()
        self._rate, self._seconds = rate, seconds
        most = TICKS_LIMIT / TICKS_PER_SECOND
        self.setDecimals(6)
        self.setRange(-most, most)
        self.setSingleStep(0.1 if seconds else rate[1] / rate[0])
        self.setToolTip(f"Type {usual_times(seconds=seconds)}")
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)
        self.setValue(time / TICKS_PER_SECOND)

    @property
    def time(self) -> int:
        """The tick that is chosen, of a frame where one is that near."""
        tick = round(self.value() * TICKS_PER_SECOND)
        frame = frame_time(frame_of(tick + NEAR, self._rate), self._rate)
        return frame if abs(frame - tick) <= NEAR else tick

    def textFromValue(self, value: float) -> str:
        """A frame, or seconds without zeros at the end."""
        tick = round(value * TICKS_PER_SECOND)
        frame = frame_of(tick + NEAR, self._rate)
        if not self._seconds and abs(frame_time(frame, self._rate) - tick) <= NEAR:
            return str(frame)
        return f"{value:.4f}".rstrip("0").rstrip(".") + " s"

    def valueFromText(self, text: str) -> float:
        """Read what is typed; what is no time yet leaves the value as it is."""
        try:
            return time_of_text(text, 0, self._rate, seconds=self._seconds, exact=True) / TICKS_PER_SECOND
        except WrongTime:
            return self.value()

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Take what is a time; let the rest be typed on."""
        try:
            time_of_text(text, 0, self._rate, seconds=self._seconds, exact=True)
        except WrongTime:
            return QValidator.State.Intermediate, text, place
        return QValidator.State.Acceptable, text, place


def _ticks(box: _Moment, before: int) -> int | None:
    """Read the ticks that a person chose; None: it is as it was."""
    return None if abs(box.time - before) <= NEAR else box.time


def _words(tone: str) -> QLabel:
    label = QLabel()
    label.setFont(text_font())
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    if tone:
        label.setProperty(tone, True)
    return label
