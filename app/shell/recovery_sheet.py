"""RecoverySheet: every copy that is kept, newest first; one is recovered, or deleted after a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.session.recovering import BYTES, DAYS
from app.shell.recovery_offer import PICTURE, paint_picture, pixmap_of
from app.shell.recovery_words import line_of, state_of
from app.style.apply import current_theme
from app.style.fonts import SMALL, scaled, text_font
from app.style.sheet import Sheet
from app.style.units import size_of

if TYPE_CHECKING:
    from app.shell.recovery import Recovery
    from engine.project.runs import LeftCopy

SIZE = (640, 560)
PAD = 8
LEFT = Qt.ItemDataRole.UserRole
PIXMAP = Qt.ItemDataRole.UserRole + 1
ABOUT = (
    "Sinew copies what you work on as you change it. Copies are kept for {days} days, {size} at most, and the newest "
    "always."
)
NONE = "Nothing is kept yet."


class RecoverySheet(Sheet):
    """The list, and what can be done with what is chosen in it."""

    def __init__(self, parent: QWidget, recovery: Recovery) -> None:
        super().__init__(parent, "Recover")
        self.setObjectName("recover")
        self._recovery = recovery
        about = QLabel(ABOUT.format(days=DAYS, size=size_of(BYTES)), wordWrap=True)
        about.setProperty("quiet", True)
        self.column.addWidget(about)
        self.list = Copies()
        self.list.itemActivated.connect(lambda _: self._recover())
        self.list.itemSelectionChanged.connect(self._show_chosen)
        self.none = QLabel(NONE)
        self.none.setProperty("faint", True)
        self.none.hide()
        self.column.addWidget(self.none)
        self.column.addWidget(self.list, 1)
        buttons = self.add_button()
        self.recover = buttons.addButton("Recover", QDialogButtonBox.ButtonRole.AcceptRole)
        self.delete = buttons.addButton("Delete…", QDialogButtonBox.ButtonRole.ResetRole)
        self.recover.setDefault(True)
        self.recover.clicked.connect(self._recover)
        self.delete.clicked.connect(self._ask_to_delete)
        self.list.delete_wanted.connect(self._ask_to_delete)
        self.resize(*SIZE)
        recovering = recovery.recovering
        recovering.left_seen.connect(self._show)
        recovering.look()
        self._show_chosen()

    def _show(self, copies: tuple[LeftCopy, ...]) -> None:
        self.list.show_copies(copies)
        self.none.setVisible(not copies)
        self.list.setVisible(bool(copies))
        self.list.setFocus()
        self._show_chosen()

    def _show_chosen(self) -> None:
        for button in (self.recover, self.delete):
            button.setEnabled(self.list.chosen is not None)

    def _recover(self) -> None:
        left = self.list.chosen
        if left is not None:
            self.close()
            self._recovery.recover(left)

    def _ask_to_delete(self) -> None:
        left = self.list.chosen
        if left is None:
            return
        box = QMessageBox(self)
        box.setObjectName("delete-copy")
        box.setWindowTitle("Sinew")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)  # names may hold anything
        box.setText(f"Delete this copy of “{left.name}”?")
        box.setInformativeText(f"{line_of(left)}. It cannot be brought back.")
        delete = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        delete.clicked.connect(lambda: self._recovery.recovering.delete(left))
        box.open()


class Copies(QListWidget):
    """The copies, each with its picture."""

    delete_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Copies that are kept")
        self.setItemDelegate(CopyDelegate(self))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)

    @property
    def chosen(self) -> LeftCopy | None:
        """The copy that is chosen."""
        item = self.currentItem()
        found: LeftCopy | None = None if item is None else item.data(LEFT)
        return found

    def show_copies(self, copies: tuple[LeftCopy, ...]) -> None:
        """List these; what was chosen stays so, or what comes after it."""
        row = max(self.currentRow(), 0)
        self.clear()
        for left in copies:
            item = QListWidgetItem(left.name, self)
            item.setData(LEFT, left)
            item.setData(PIXMAP, pixmap_of(left.picture))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{left.name}, {line_of(left)}")
            item.setToolTip(str(left.path or ""))
        self.setCurrentRow(min(row, self.count() - 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)


class CopyDelegate(QStyledItemDelegate):
    """Paints a copy: picture, name, and two quiet lines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, PICTURE.height() + 2 * PAD)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        left: LeftCopy = index.data(LEFT)
        theme, place = current_theme(), QRect(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, QColor(theme.selection))
        inside = place.adjusted(PAD, PAD, -PAD, -PAD)
        paint_picture(painter, QRectF(inside.topLeft(), PICTURE.toSizeF()), index.data(PIXMAP))
        lines = ((left.name, theme.text, text_font()), (line_of(left), theme.text_quiet, text_font(SMALL)))
        quiet = " · ".join(each for each in (state_of(left), size_of(left.size)) if each)
        height, start = scaled(19), inside.left() + PICTURE.width() + 12
        top = inside.center().y() - 3 * height // 2
        for row, (text, colour, font) in enumerate((*lines, (quiet, theme.text_faint, text_font(SMALL)))):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            line = QRect(start, top + row * height, inside.right() - start, height)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.restore()
