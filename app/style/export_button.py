"""ExportButton: the disk above curves, with the kinds of files that they can be written as."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton

from app.style.icon_button import IconButton

KINDS = ((".csv", "As numbers (CSV)…"), (".npz", "As arrays (NPZ)…"), (".svg", "As a drawing (SVG)…"))
"""Ending and words of each."""
AGAINST_TIME = (*KINDS, (".sto", "For OpenSim (STO)…"))
"""Those of curves against time."""


class HasCurves(Protocol):
    """A panel whose curves can be written to a file."""

    export_name: str  # what the curves are, as it stands in the name of a file

    @property
    def has_curves(self) -> bool:
        """True if there is anything to write."""

    def write_curves(self, path: Path) -> None:
        """Write what is shown now in the format of the file's ending."""


class ExportButton(IconButton):
    """A button that asks for a file of the chosen kind."""

    asked = Signal(str)  # the ending of the file

    def __init__(self, kinds: Sequence[tuple[str, str]] = KINDS) -> None:
        super().__init__("save", "Export the curves")
        menu = QMenu(self)
        for suffix, text in kinds:
            menu.addAction(text).triggered.connect(lambda on=False, end=suffix: self.asked.emit(end))
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
