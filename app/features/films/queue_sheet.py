"""QueueSheet: the videos that are exported one after the other: how far each is, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.style.elided_label import ElidedLabel
from app.style.fonts import SMALL, number_font, scaled, text_font
from app.style.icon_button import IconButton
from app.style.sheet import Sheet
from engine.runtime.time_left import in_words

if TYPE_CHECKING:
    from app.export.exports import Export, ExportQueue

SIZE = (520, 380)
NONE = "Nothing has been exported since Sinew was started."


class QueueSheet(Sheet):
    """One row for each export, in their order. It stays open beside the window."""

    def __init__(self, parent: QWidget, queue: ExportQueue, show_in_folder: Callable[[Path], None]) -> None:
        super().__init__(parent, "Export queue")
        self.setObjectName("exports")
        self._queue, self._show_in_folder = queue, show_in_folder
        self.rows: dict[Export, ExportRow] = {}
        self.none = QLabel(NONE)
        self.none.setProperty("faint", True)
        inside = QWidget()
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(0, 0, 10, 0)
        self._list.setSpacing(12)
        self._list.addWidget(self.none)
        self._list.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self.column.addWidget(area, 1)
        self.clear = self.add_button().addButton("Clear the list", QDialogButtonBox.ButtonRole.ResetRole)
        self.clear.setAutoDefault(False)
        self.clear.setToolTip("Forget those that have ended; their files stay")
        self.clear.clicked.connect(queue.clear)
        self.resize(scaled(SIZE[0]), scaled(SIZE[1]))
        queue.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        queue = self._queue
        for export in [each for each in self.rows if each not in queue.exports]:
            self.rows.pop(export).deleteLater()
        for export in queue.exports:
            if export not in self.rows:
                row = self.rows[export] = ExportRow(export, queue, self._show_in_folder)
                self._list.insertWidget(self._list.count() - 1, row)
            self.rows[export].show_state()
        self.none.setVisible(not queue.exports)
        self.clear.setEnabled(any(each.has_ended for each in queue.exports))


class ExportRow(QWidget):
    """One export."""

    def __init__(self, export: Export, queue: ExportQueue, show_in_folder: Callable[[Path], None]) -> None:
        super().__init__()
        self._export = export
        out = export.plan.out
        self.name = ElidedLabel(out.name)
        self.name.setToolTip(str(out))
        self.state = QLabel(wordWrap=True)
        self.state.setFont(text_font(SMALL))
        self.state.setProperty("quiet", True)
        self.left = QLabel()
        self.left.setFont(number_font())
        self.left.setProperty("quiet", True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.cancel = IconButton("x", f"Cancel {out.name}")
        self.cancel.clicked.connect(lambda: queue.cancel(export))
        self.folder = QPushButton("Show in folder")
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(lambda: show_in_folder(out))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.left, 0, 1)
        grid.addWidget(self.state, 1, 0, 1, 2)
        grid.addWidget(self.bar, 2, 0, 1, 2)
        grid.addWidget(self.cancel, 0, 2)
        grid.addWidget(self.folder, 0, 2, 2, 1)

    def show_state(self) -> None:
        """Show how far the export is."""
        export = self._export
        count = export.plan.count
        texts = {
            "waiting": f"Waits, {count:,} frames",
            "running": f"Frame {export.written:,} of {count:,}",
            "done": "Done, 1 picture" if count == 1 else f"Done, {count:,} frames",
            "cancelled": "Cancelled; nothing of it is left",
            "failed": export.problem[:1].upper() + export.problem[1:],
        }
        self.state.setText(texts[export.state])
        self.state.setProperty("wrong", export.state == "failed")
        self.state.style().polish(self.state)
        self.bar.setVisible(export.state == "running")
        self.bar.setValue(round(1000 * export.fraction))
        seconds = export.seconds_left
        self.left.setText("" if seconds is None else in_words(seconds))
        self.cancel.setVisible(not export.has_ended)
        self.folder.setVisible(export.state == "done")
