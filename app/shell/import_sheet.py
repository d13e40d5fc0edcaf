"""The dialogue of an import: what was found, what the file does not say, and how tall that makes the figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)  # fmt: skip

from app.shell.imports import UNITS, ImportChoice
from app.style.fonts import TITLE, text_font
from app.style.sheet import Sheet

if TYPE_CHECKING:
    from engine.commands.bring_in import BroughtIn, Taken

CUSTOM = "Custom scale"
RATES = ("23.976", "24", "25", "29.97", "30", "50", "59.94", "60", "100", "120", "200", "240")
SMALLEST, LARGEST = 1e-9, 1e6  # [m] per unit


class ImportSheet(Sheet):
    """Asks about one file. Cancel is Escape; `choice` is the answer."""

    def __init__(self, parent: QWidget, path: Path, found: BroughtIn, others: int) -> None:
        super().__init__(parent, f"Import {path.name}")
        self.setObjectName("import")
        assert found.taken is not None, "asked only then"
        self._taken: Taken = found.taken
        self.column.addWidget(_quiet(found_in_words(found)))
        self.size_line = QLabel()
        self.size_line.setFont(text_font(TITLE))
        self.column.addWidget(self.size_line)
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setVerticalSpacing(8)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.unit, self.scale, self.up, self.rate = QComboBox(), _scale_field(), QComboBox(), QComboBox()
        self._fill(form)
        self.column.addLayout(form)
        self.for_all = QCheckBox(
            f"Same for the other {f'{others} {path.suffix} files' if others > 1 else f'{path.suffix} file'}"
        )
        self.for_all.setVisible(others > 0)
        self.for_kind = QCheckBox(f"Do not ask again for {path.suffix} files")
        self.column.addWidget(self.for_all)
        self.column.addWidget(self.for_kind)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        self._show_size()

    @property
    def choice(self) -> ImportChoice:
        """The person's choice."""
        return ImportChoice(
            unit=self._unit() if self.unit.currentIndex() > 0 else None,
            up=self.up.currentText().lower() if self.up.currentIndex() > 0 else None,
            rate=self._rate() if self.rate.currentIndex() > 0 else None,
            for_all=self.for_all.isChecked(),
            for_kind=self.for_kind.isChecked(),
        )

    def _fill(self, form: QFormLayout) -> None:
        taken = self._taken
        if taken.unit is not None and taken.up is not None:
            self.unit.addItems([f"As guessed ({unit_in_words(taken.unit)})", *UNITS, CUSTOM])
            self.scale.setText(f"{taken.unit:.6g}")
            row = QHBoxLayout()
            row.addWidget(self.unit, 1)
            row.addWidget(self.scale)
            form.addRow("Unit of length", row)
            self.up.addItems([f"As guessed ({taken.up.upper()})", "Y", "Z", "X"])
            form.addRow("Upward axis", self.up)
            self.scale.hide()
        if taken.rate is not None:
            self.rate.addItems([f"As guessed ({taken.rate[0] / taken.rate[1]:.6g})", *RATES])
            form.addRow("Frames a second", self.rate)
        for each in (self.unit, self.up):
            each.currentIndexChanged.connect(self._show_size)
        self.scale.textChanged.connect(self._show_size)

    def _unit(self) -> float | None:
        """Metres per unit of length; None where the custom scale makes no sense."""
        chosen = self.unit.currentText()
        if chosen == CUSTOM:
            try:
                scale = float(self.scale.text())
            except ValueError:
                return None
            return scale if SMALLEST <= scale <= LARGEST else None
        return UNITS.get(chosen, self._taken.unit)

    def _rate(self) -> tuple[int, int]:
        from engine.cli.files import rate_from

        return rate_from(self.rate.currentText())

    def _show_size(self) -> None:
        custom = self.unit.currentText() == CUSTOM
        self.scale.setVisible(custom)
        unit, taken = self._unit(), self._taken
        sound = unit is not None or taken.unit is None
        self.scale.setProperty("wrong", not sound)
        self.scale.style().polish(self.scale)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(sound)
        if not sound:
            self.size_line.setText("Metres per unit, such as 0.0254")
            return
        up = self.up.currentText().lower() if self.up.currentIndex() > 0 else taken.up
        height = taken.height(unit, up)  # type: ignore[arg-type]
        self.size_line.setText(f"{length_in_words(height)} tall, {(up or 'y').upper()} up")


def found_in_words(found: BroughtIn) -> str:
    """Joints or markers, frames and rate."""
    from engine.document.capture import MarkerGaps

    assert found.actor is not None, "asked only of actors"
    what = "joint" if found.actor.part(MarkerGaps) is None else "marker"
    parts = [_counted(len(found.actor.figure.joints), what)]
    samples = [layer.samples for layer in found.actor.layers if layer.samples is not None]
    if samples:
        count, (frames, seconds) = samples[0].frame_count, samples[0].rate
        parts.append(_counted(count, "frame"))
        parts.append(f"{(count - 1) * seconds / frames:.3g} s at {frames / seconds:.6g} a second")
    return ", ".join(parts)


def unit_in_words(unit: float) -> str:
    """Return a unit's name, else its length."""
    return next((name for name, each in UNITS.items() if each == unit), f"{unit:.4g} m")


def length_in_words(metres: float) -> str:
    """Return a length that a person can picture."""
    if metres >= 1e5:
        return f"{metres / 1e3:,.0f} km"
    return f"{metres:.2f} m" if metres >= 0.1 else f"{metres * 1e3:.3g} mm"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _scale_field() -> QLineEdit:
    field = QLineEdit()
    field.setFixedWidth(96)
    field.setToolTip("Metres per unit of length of the file")
    validator = QDoubleValidator(SMALLEST, LARGEST, 12, field)
    validator.setLocale(QLocale.c())
    field.setValidator(validator)
    return field


def _quiet(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("quiet", True)
    return label
