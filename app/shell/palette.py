"""The palette: every action by name, recent files and workspaces of one's own too. Type a few letters, choose with the
arrow keys, Enter does it, Escape closes.

Before anything is typed, what was chosen last stands first. What cannot be done now is shown, fainter, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.shell.actions import ACTIONS, Action, Commands
from app.shell.finding import answers
from app.shell.keymaps import Keys, key_text
from app.style.apply import current_theme
from app.style.fonts import SMALL, scaled, text_font
from app.style.icons import icon
from app.style.search_field import SearchField
from engine.runtime.quick_dataclass import dataclass

WIDTH, ROW_HEIGHT, ROWS = 560, 34, 9
ICON, MARGIN = 16, 12
INDEX = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -ROWS, Qt.Key.Key_PageDown: ROWS}


@dataclass(frozen=True)
class PaletteRow:
    """An action as the palette shows it."""

    action: Action
    label: str
    keys: Keys
    about: str
    why_not: str  # empty: it can be done
    do: Callable[[], None]

    @property
    def place(self) -> str:
        """The menu in which it stands."""
        return " › ".join(filter(None, (self.action.menu, self.action.submenu)))


class _Rows(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: Sequence[PaletteRow] = ()

    def show(self, rows: Sequence[PaletteRow]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: INDEX = QModelIndex()) -> int:  # noqa: B008  (Qt's signature)
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: INDEX, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == _ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.label
        return None


class Palette(QFrame):
    """A list over the window, made anew each time."""

    def __init__(
        self,
        window: QWidget,
        commands: Commands,
        keys: Mapping[str, Keys],
        recent: Sequence[str],
        run: Callable[[Action], None],
        listed: Iterable[PaletteRow] = (),
    ) -> None:
        """`run` does what is chosen, after the palette has closed; `listed` is what is in no table of actions."""
        super().__init__(window, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        order = {action: place for place, action in enumerate(recent)}
        rows = (
            PaletteRow(
                each,
                commands.text(each),
                keys[each.id],
                commands.about(each),
                commands.why_not(each),
                partial(run, each),
            )
            for each in sorted(ACTIONS, key=lambda action: order.get(action.id, len(order)))
        )
        self._all = [*rows, *listed]
        self.field = SearchField("What do you want to do?")
        self._rows = _Rows(self)
        self.list = QListView()
        self.list.setModel(self._rows)
        self.list.setItemDelegate(_Painter(self))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedHeight(ROWS * scaled(ROW_HEIGHT))
        self.list.clicked.connect(lambda index: self._choose())
        self.told = QLabel()
        self.told.setProperty("quiet", True)
        self.told.setFont(text_font(SMALL))
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 8)
        column.setSpacing(8)
        for widget in (self.field, self.list, self.told):
            column.addWidget(widget)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._find)
        self.list.selectionModel().currentChanged.connect(lambda now, before: self._tell())
        self._find("")
        self.setFixedWidth(WIDTH)

    def open_over(self, window: QWidget) -> None:
        """Below the middle of the window's upper edge."""
        self.adjustSize()
        self.move(window.mapToGlobal(QPoint((window.width() - self.width()) // 2, scaled(56))))
        self.show()
        self.field.setFocus()

    @property
    def chosen(self) -> PaletteRow | None:
        """The line that Enter would do."""
        row: PaletteRow | None = self.list.currentIndex().data(_ROW)
        return row

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the list work while the field has the keyboard; Escape closes at once."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif key in _STEPS:
            self._go(min(max(self.list.currentIndex().row() + _STEPS[key], 0), len(self._rows.rows) - 1))
        elif key == Qt.Key.Key_Escape:
            self.close()
        else:
            return super().eventFilter(watched, event)
        return True

    def _find(self, query: str) -> None:
        scored = [(answers(query, row.action, row.label, row.keys), row) for row in self._all]
        found = [(score, row) for score, row in scored if score is not None]
        found.sort(key=lambda each: (bool(each[1].why_not), -each[0]))
        self._rows.show([row for _, row in found])
        self._go(0)
        self._tell()

    def _go(self, row: int) -> None:
        self.list.setCurrentIndex(self._rows.index(row))

    def _tell(self) -> None:
        row = self.chosen
        if row is None:
            self.told.setText("No action is called that.")
        else:
            self.told.setText(row.why_not or row.about)

    def _choose(self) -> None:
        row = self.chosen
        if row is not None and not row.why_not:
            self.close()
            row.do()


class _Painter(QStyledItemDelegate):
    """An icon, the name, where it stands in the menus, and its first key at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: INDEX) -> QSize:
        return QSize(0, scaled(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: INDEX) -> None:
        row: PaletteRow = index.data(_ROW)
        theme, frame = current_theme(), QRectF(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selection if state & QStyle.StateFlag.State_Selected else theme.hover))
            painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 5, 5)
        colour = "text_faint" if row.why_not else "text"
        if row.action.icon:
            top = int(frame.center().y()) - ICON // 2
            shade = "disabled" if row.why_not else "text_quiet"
            icon(row.action.icon, theme, shade).paint(painter, int(frame.left()) + MARGIN, top, ICON, ICON)
        inner = frame.adjusted(MARGIN + ICON + 10, 0, -MARGIN, 0)
        inner.setRight(self._paint_key(painter, inner, row))
        painter.setFont(text_font())
        painter.setPen(QColor(theme.token(colour)))
        metrics = QFontMetricsF(text_font())
        label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, label)
        inner.setLeft(inner.left() + metrics.horizontalAdvance(label) + 12)
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(theme.text_faint))
        place = QFontMetricsF(text_font(SMALL)).elidedText(row.place, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, place)
        painter.restore()

    def _paint_key(self, painter: QPainter, inner: QRectF, row: PaletteRow) -> float:
        """Paint a row's key; give where what stands before it has to end."""
        if not row.keys:
            return inner.right()
        theme, font, text = current_theme(), text_font(SMALL), key_text(row.keys[0])
        width, height = QFontMetricsF(font).horizontalAdvance(text) + 14, float(scaled(20))
        cap = QRectF(inner.right() - width, inner.center().y() - height / 2, width, height)
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setFont(font)
        painter.setPen(QColor(theme.text_faint if row.why_not else theme.text_quiet))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, text)
        return cap.left() - 10
