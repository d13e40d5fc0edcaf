"""SoftSheet: asks how finely a surface is to be filled with cells, before a soft body is made of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.features.sheet_form import SheetForm, quiet
from app.style.sheet import Sheet
from engine.runtime.options import About

Asked = dict[str, tuple[About, Any]]

CELLS: tuple[About, str] = (
    About(
        label="Cells", choices=("tetrahedra", "hexahedra"), labels=("Tetrahedra", "Cubes"),
        note="Tetrahedra bend more easily; cubes are fewer and quicker",
    ),
    "tetrahedra",
)  # fmt: skip


def along(usual: int) -> tuple[About, int]:
    """Return the number of cells along the longest side."""
    note = "Across its longest side: twice as many bend finer, and take eight times as long"
    return About(label="Cells in a row", least=2, most=80, note=note), usual


OF_SURFACE: Asked = {
    "along": along(12),
    "cells": CELLS,
    "mend": (About(label="Close holes", note="Fill a surface with holes as if these were closed"), False),
    "unit": (
        About(
            label="A unit is", choices=(None, 1.0, 0.01, 0.001), labels=("As the file says", "1 m", "1 cm", "1 mm"),
            note="The length that 1 stands for in the file",
        ),
        None,
    ),
}  # fmt: skip
OF_CELLS: Asked = {"unit": OF_SURFACE["unit"]}
OF_SKIN: Asked = {
    "along": along(24),
    "cells": CELLS,
    "hold": (
        About(
            label="Its bones hold it", choices=("hard", "spring"), labels=("Exactly", "By springs"),
            note="Points about the bones go exactly where these do, or are drawn there",
        ),
        "hard",
    ),
}  # fmt: skip


class SoftSheet(Sheet):
    """Asks; `values` are the answer."""

    def __init__(self, parent: QWidget, title: str, asked: Asked, about: str) -> None:
        super().__init__(parent, title)
        self.setObjectName("soft")
        self.values = {name: usual for name, (_, usual) in asked.items()}
        self.form = SheetForm(asked, self.values.__setitem__, grows=False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Add")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        for widget in (quiet(about), self.form, self.buttons):
            self.column.addWidget(widget)
