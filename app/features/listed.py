"""IdList: a list of what there is of one kind, by ids; of which one is chosen, and some may be ticked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.style.fonts import scaled

ROW, MOST_ROWS = 22, 7  # [logical px] of a row; rows that are seen at once
ID = Qt.ItemDataRole.UserRole
Row = tuple[str, str, bool | None]  # id, what is read, whether it is ticked; None: it has no tick


class IdList(QListWidget):
    """The list; it is as high as it has rows, up to a few."""

    picked = Signal(str)  # id, by a person
    ticked = Signal(str, bool)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.currentItemChanged.connect(lambda item, _: self._pick(item))
        self.itemClicked.connect(self._pick)
        self.itemChanged.connect(self._tick)
        self._fit()

    def show_rows(self, rows: Sequence[Row], chosen: str | None) -> None:
        """Show these rows, and which is chosen."""
        self.blockSignals(True)
        while self.count() > len(rows):
            self.takeItem(self.count() - 1)
        for at, row in enumerate(rows):
            if at >= self.count():
                self.addItem(QListWidgetItem())
            if at >= len(self._rows) or row != self._rows[at]:
                self._fill(self.item(at), row)
        self._rows = tuple(rows)
        at = next((at for at, (id, _, _) in enumerate(rows) if id == chosen), -1)
        if at != self.currentRow():
            self.setCurrentRow(at)
        self.blockSignals(False)
        self._fit()

    @property
    def chosen(self) -> str | None:
        """The id of the row that is chosen."""
        item = self.currentItem()
        return None if item is None else str(item.data(ID))

    def row_of(self, id: str) -> QListWidgetItem:
        """Return the row of an id."""
        return next(self.item(at) for at, (each, _, _) in enumerate(self._rows) if each == id)

    def _fill(self, item: QListWidgetItem, row: Row) -> None:
        id, text, ticked = row
        item.setText(text)
        item.setToolTip(text)
        item.setData(ID, id)
        item.setSizeHint(QSize(0, scaled(ROW)))
        if ticked is None:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
            item.setData(Qt.ItemDataRole.CheckStateRole, None)
        else:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)

    def _fit(self) -> None:
        rows = min(len(self._rows), MOST_ROWS)
        self.setFixedHeight(rows * scaled(ROW) + 2 * self.frameWidth() + 4)
        self.setVisible(rows > 0)

    def _pick(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.picked.emit(str(item.data(ID)))

    def _tick(self, item: QListWidgetItem) -> None:
        id, on = str(item.data(ID)), item.checkState() == Qt.CheckState.Checked
        if any(each == id and ticked is not None and ticked != on for each, _, ticked in self._rows):
            self.ticked.emit(id, on)
