"""The dialogue of an export: which format, and what it cannot carry, before a file is chosen and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QLabel, QWidget

from app.session.clock import rate_text
from app.shell.imports import UNITS
from app.style.fonts import number_font, text_font
from app.style.sheet import Sheet
from engine.document import Document
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_count

if TYPE_CHECKING:
    from engine.formats.format import Format, Options

WIDTH = 460
MARGIN = 6  # of a number, to stand below what lists show
AS_USUAL = "As usual for the format"
RATES = ("24", "25", "30", "50", "60", "100", "120", "240")


class ExportSheet(Sheet):
    """Asks how actors are to be written; `format`, `options` and `suffix` are the answer."""

    def __init__(self, parent: QWidget, document: Document, actors: Sequence[str]) -> None:
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
        self.start, self.end = _Moment(self._first), _Moment(self._last)
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
    """A time in seconds, no more digits than it needs."""

    def __init__(self, time: int) -> None:
        super().__init__()
        most = TICKS_LIMIT / TICKS_PER_SECOND
        self.setDecimals(4)
        self.setRange(-most, most)
        self.setSingleStep(0.1)
        self.setSuffix(" s")
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)
        self.setValue(time / TICKS_PER_SECOND)

    def textFromValue(self, value: float) -> str:
        """Without zeros at the end."""
        point = self.locale().decimalPoint()
        text = self.locale().toString(value, "f", self.decimals())
        return text.rstrip("0").removesuffix(point)


def _ticks(box: QDoubleSpinBox, before: int) -> int | None:
    """Read the ticks that a person chose; None: it is as it was."""
    chosen = round(box.value() * TICKS_PER_SECOND)
    return None if abs(chosen - before) < TICKS_PER_SECOND * 1e-4 else chosen


def _words(tone: str) -> QLabel:
    label = QLabel()
    label.setFont(text_font())
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    if tone:
        label.setProperty(tone, True)
    return label
