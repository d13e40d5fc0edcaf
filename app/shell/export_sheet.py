"""The dialogue of an export: which format, and what it cannot carry, before a file is chosen and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QFormLayout, QLabel, QWidget

from app.shell.imports import UNITS
from app.shell.sheets import Sheet
from app.style.fonts import text_font
from engine.document import Document

if TYPE_CHECKING:
    from engine.formats.format import Format, Options

WIDTH = 460
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
        """What the format does not settle itself; what it does not heed stays unsaid."""
        from engine.formats.format import Options
        from engine.jobs.files import rate_from

        heeds = self.format.write_options
        return Options(
            unit=UNITS.get(self.unit.currentText()) if "unit" in heeds else None,
            up=self.up.currentText().lower() if "up" in heeds else None,  # type: ignore[arg-type]
            rate=rate_from(self.rate.currentText()) if "rate" in heeds and self.rate.currentIndex() > 0 else None,
        )

    def _show_format(self) -> None:
        from engine.jobs.export import left_out

        heeds = self.format.write_options
        for widget, option in ((self.unit, "unit"), (self.up, "up"), (self.rate, "rate")):
            widget.setEnabled(option in heeds)
        self.about.setText(self.format.about)
        lost = left_out(self.format, self._document, self._actors)
        lines = "\n".join(f"–  {each}" for each in lost)
        self.lost.setText(f"Left out or changed:\n{lines}" if lost else "Nothing is left out.")
        self.adjustSize()


def _words(tone: str) -> QLabel:
    label = QLabel()
    label.setFont(text_font())
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    if tone:
        label.setProperty(tone, True)
    return label
