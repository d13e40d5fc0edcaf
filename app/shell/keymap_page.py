"""The page of keys: the whole table of actions, found by name, menu or key; pressing another key changes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeView,
    QWidget,
)

from app.shell.actions import ACTIONS, Action
from app.shell.file_chooser import FileChooser
from app.shell.finding import answers
from app.shell.key_sheet import as_html, write_pdf
from app.shell.keymaps import (
    KEYMAPS,
    MOST,
    Keymap,
    Keys,
    assigned,
    key_text,
    keys_in,
    keys_text,
    menu_keys,
    owner_of,
    pressed,
    reset,
    swapped,
)
from app.style.apply import current_theme
from app.style.fonts import scaled
from app.style.icon_button import IconButton
from app.style.message_bar import MessageBar
from app.style.search_field import SearchField
from app.style.sheet import Sheet

if TYPE_CHECKING:
    from app.shell.window import MainWindow

SIZE = (760, 640)
HEADS = ("Action", "Menu", "Keys")
KEY_COLUMN, ROW_HEIGHT = 190, 26
INDEX = QModelIndex | QPersistentModelIndex
KINDS = {"PDF (*.pdf)": ".pdf", "HTML (*.html)": ".html"}


class ShortcutField(QLineEdit):
    """Takes the next key that is pressed, whatever it does elsewhere; Escape gives up."""

    taken = Signal(str)
    given_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName("Press a key")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.hide()

    def ask(self, what: str) -> None:
        """Wait for a key."""
        self.setText(what)
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """Keys come here before Tab moves on and before shortcuts see them."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._take(event)
            return True
        return super().event(event)

    def _take(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.given_up.emit()
        elif key := pressed(event.keyCombination()):
            self.hide()
            self.taken.emit(key)


class _Table(QAbstractTableModel):
    """One line for each action that is found."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: Sequence[Action] = ()
        self.keys: Mapping[str, Keys] = {}
        self.usual: Mapping[str, Keys] = {}

    def show(self, lines: Sequence[Action], keys: Mapping[str, Keys], usual: Mapping[str, Keys]) -> None:
        self.beginResetModel()
        self.lines, self.keys, self.usual = lines, keys, usual
        self.endResetModel()

    def rowCount(self, parent: INDEX = QModelIndex()) -> int:  # noqa: B008  (Qt's signature)
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: INDEX = QModelIndex()) -> int:  # noqa: B008
        return len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: INDEX, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        action = self.lines[index.row()]
        changed = self.keys[action.id] != self.usual[action.id]
        if role == Qt.ItemDataRole.DisplayRole:
            place = " › ".join(filter(None, (action.menu, action.submenu)))
            return (action.label.rstrip("…"), place, keys_text(self.keys[action.id]))[index.column()]
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(0, scaled(ROW_HEIGHT))
        if role == Qt.ItemDataRole.ForegroundRole and index.column():
            theme = current_theme()
            return QColor(theme.accent if changed and index.column() == 2 else theme.text_quiet)
        if role == Qt.ItemDataRole.ToolTipRole and changed and index.column() == 2:
            return f"Usually {keys_text(self.usual[action.id]) or 'no key'}"
        return None


class KeymapPage(Sheet):
    """The dialogue of keys."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "Keys")
        self.setObjectName("keys")
        self._window = window
        self._only_key = ""  # show what has this key
        self._adding = False
        self.keymaps = QComboBox()
        for name, keymap in KEYMAPS.items():
            self.keymaps.addItem(keymap.label, name)
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.search = SearchField("Search by name, menu or key")
        self.by_key = IconButton("keyboard", "Search by pressing a key", size=16)
        self.message = MessageBar()
        self.field = ShortcutField()
        self.table = _Table(self)
        self.view = QTreeView(rootIsDecorated=False, uniformRowHeights=True, itemsExpandable=False)
        self.view.setModel(self.table)
        self.view.setAllColumnsShowFocus(True)
        head = self.view.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.resizeSection(1, KEY_COLUMN)
        head.resizeSection(2, KEY_COLUMN)
        self.change, self.add, self.remove, self.reset, self.reset_all, self.save = (
            QPushButton(text)
            for text in ("Change…", "Add another…", "Remove", "Reset", "Reset all", "Save for printing…")
        )
        self._lay_out()
        self._connect()
        self.resize(*SIZE)
        self._show()
        self.search.setFocus()

    @property
    def keymap(self) -> Keymap:
        """The one that is on."""
        return KEYMAPS[self._window.preferences.keymap]

    @property
    def chosen(self) -> Action | None:
        """The line that the buttons act on."""
        row = self.view.currentIndex().row()
        return self.table.lines[row] if row >= 0 else None

    def choose(self, action: str) -> None:
        """Go to the line of an action that is listed."""
        row = next(row for row, line in enumerate(self.table.lines) if line.id == action)
        self.view.setCurrentIndex(self.table.index(row, 0))

    def _lay_out(self) -> None:
        top, middle = QHBoxLayout(), QHBoxLayout()
        top.addWidget(QLabel("Keymap"))
        top.addWidget(self.keymaps)
        top.addWidget(self.about, 1)
        middle.addWidget(self.search, 1)
        middle.addWidget(self.by_key)
        row = QHBoxLayout()
        for button in (self.change, self.add, self.remove, self.reset):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        self.reset_all.setAutoDefault(False)
        row.addWidget(self.reset_all)
        self.column.addLayout(top)
        self.column.addLayout(middle)
        self.column.addWidget(self.view, 1)
        self.column.addWidget(self.message)
        self.column.addWidget(self.field)
        self.column.addLayout(row)
        self.add_button().addButton(self.save, QDialogButtonBox.ButtonRole.ActionRole)
        self.save.setAutoDefault(False)

    def _connect(self) -> None:
        self.keymaps.activated.connect(lambda place: self._keep(keymap=self.keymaps.itemData(place)))
        self.search.textEdited.connect(lambda text: self._search_for(""))
        self.search.textChanged.connect(lambda text: self._show())
        self.by_key.clicked.connect(lambda: self._ask("Press the key to look for; Escape gives up", None))
        self.view.activated.connect(lambda index: self._begin(adding=False))
        self.view.selectionModel().currentChanged.connect(lambda now, before: self._show_buttons())
        self.field.taken.connect(self._take)
        self.field.given_up.connect(self.view.setFocus)
        self.change.clicked.connect(lambda: self._begin(adding=False))
        self.add.clicked.connect(lambda: self._begin(adding=True))
        self.remove.clicked.connect(lambda: self._change_chosen(()))
        self.reset.clicked.connect(self._reset)
        self.reset_all.clicked.connect(lambda: self._keep_own({}))
        self.save.clicked.connect(self._ask_where)

    # Finding

    def _search_for(self, key: str) -> None:
        self._only_key = key
        if key:
            self.search.setText(key_text(key))
            self._show()

    def _show(self) -> None:
        before, keys = self.chosen, self._keys()
        query = self.search.text()
        if not query:
            self._only_key = ""
        scored = [(answers(query, each, each.label, keys[each.id]), each) for each in ACTIONS]
        found = [each for score, each in sorted(scored, key=lambda line: -(line[0] or 0.0)) if score is not None]
        if self._only_key:
            found = [each for each in found if self._only_key in keys[each.id]]
        self.table.show(found, keys, keys_in(self.keymap, {}))
        self.keymaps.setCurrentIndex(self.keymaps.findData(self.keymap.name))
        self.about.setText(self.keymap.about)
        if found:
            self.choose((before if before in found else found[0]).id)
        self._show_buttons()

    def _show_buttons(self) -> None:
        action, keys = self.chosen, self.table.keys
        for button in (self.change, self.add, self.remove, self.reset):
            button.setEnabled(action is not None)
        self.reset_all.setEnabled(bool(self._window.preferences.own_keys))
        if action is not None:
            self.remove.setEnabled(bool(keys[action.id]))
            self.add.setEnabled(0 < len(keys[action.id]) < MOST)
            self.reset.setEnabled(keys[action.id] != self.table.usual[action.id])

    # Changing

    def _begin(self, *, adding: bool) -> None:
        action = self.chosen
        if action is not None:
            self._adding = adding
            which = "another key" if adding else "the new key"
            self._ask(f"Press {which} for {action.label.rstrip('…')}; Escape gives up", action)

    def _ask(self, what: str, action: Action | None) -> None:
        self._for = action
        self.message.dismiss()
        self.field.ask(what)
        QTimer.singleShot(0, self._stay_in_sight)

    def _take(self, key: str) -> None:
        action, keys = self._for, self._keys()
        if action is None:
            self._search_for(key)
            return
        self.view.setFocus()
        kept = tuple(each for each in keys[action.id] if each != key) if self._adding else ()
        owner = owner_of(key, keys)
        if owner in (None, action.id):
            menu = next((menu for menu, opens in menu_keys(keys).items() if opens == key), "")
            self._change(action.id, (*kept, key))
            if menu:
                self.message.say(f"{key_text(key)} does not open the menu {menu} any more.")
            return
        other = next(each for each in ACTIONS if each.id == owner)
        change = {**swapped(key, action.id, keys), **({action.id: (*kept, key)} if kept else {})}
        if kept:
            change[other.id] = tuple(each for each in keys[other.id] if each != key)
        gets = keys_text(change[other.id]) or "no key"
        self.message.say(
            f"{key_text(key)} is the key of {other.label.rstrip('…')} (menu {other.menu}), which then has {gets}.",
            kind="warning",
            do="Swap" if not kept and keys[action.id] else "Take it",
            act=lambda: self._keep_own(assigned(self._own(), change)),
        )
        QTimer.singleShot(0, self._stay_in_sight)

    def _stay_in_sight(self) -> None:
        """Keep the chosen line in sight after a question or a message has taken some of the list's room."""
        self.view.scrollTo(self.view.currentIndex())

    def _change_chosen(self, keys: Keys) -> None:
        if self.chosen is not None:
            self._change(self.chosen.id, keys)

    def _change(self, action: str, keys: Keys) -> None:
        self._keep_own(assigned(self._own(), {action: keys}))

    def _reset(self) -> None:
        if self.chosen is not None:
            self._keep_own(reset(self._own(), self.keymap, self.chosen.id))

    def _own(self) -> Mapping[str, Keys]:
        return self._window.preferences.own_keys

    def _keys(self) -> dict[str, Keys]:
        return keys_in(self.keymap, self._own())

    def _keep_own(self, own: Mapping[str, Keys]) -> None:
        self._keep(keys={**self._window.preferences.keys, self.keymap.name: own})

    def _keep(self, **choices: object) -> None:
        self.message.dismiss()
        self._window.prefer(**choices)
        self._show()

    # Printing

    def _ask_where(self) -> None:
        chooser = FileChooser(self, "Save the keys", Path.home(), ";;".join(KINDS))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix("pdf")
        chooser.filterSelected.connect(lambda kind: chooser.setDefaultSuffix(KINDS[kind][1:]))
        chooser.selectFile("sinew-keys.pdf")
        chooser.accepted.connect(lambda: self.write(Path(chooser.selectedFiles()[0])))
        chooser.open()

    def write(self, path: Path) -> None:
        """Write the key sheet there; what goes wrong is said."""
        try:
            if path.suffix.lower() in (".html", ".htm"):
                path.write_text(as_html(self.keymap, self._keys()), encoding="utf-8")
            else:
                write_pdf(path, self.keymap, self._keys())
        except OSError as problem:
            reason = problem.strerror or str(problem)
            self.message.say(f"{path} cannot be written: {reason}. Choose another place.", kind="error")
        else:
            self.message.say(f"Saved {path}.")
