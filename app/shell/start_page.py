"""StartPage: what to begin with: new, open, recent files and examples with their pictures, and the keymap.

It lies over the middle of the window; choosing anything, Escape or a press beside it closes it, and the document behind
it is there all the while.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QEvent, QLocale, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.session.recent_files import RecentFile, RecentSeen, folder_of, look_at
from app.shell.keymaps import KEYMAPS, keys_text
from app.shell.recent_pictures import picture_of
from app.shell.recovery_offer import Offers
from app.shell.start_tiles import StartTile, Tiles
from app.style.apply import current_theme
from app.style.fonts import TITLE, scaled, text_font
from app.style.icon_button import IconButton
from app.style.icons import icon
from app.style.resources import FOLDER
from engine import __version__
from engine.queries.examples import EXAMPLES

if TYPE_CHECKING:
    from app.shell.window import MainWindow
    from engine.project.runs import LeftCopy
    from engine.runtime.worker import PublishedFrame

SIZE = (900, 660)  # [logical px] at most
LEAST = 400
SIDE, MARGIN = 176, 20
SEEN = "recent files"  # the key of what looks at them
WAYS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
OWN_KEYS = {*WAYS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Space}


class StartPage(QFrame):
    """One page over one window, gone once it is closed."""

    help_text = """
<p>What to begin with. Click an example or a recent file to open it; under the pointer an example moves. A file that has
gone is grey, and its cross takes it off the list. The arrow keys go from one to the next, Enter opens, Del removes a
file from the list.</p>
<p>If Sinew ended before your work was saved, it stands here first: <b>Recover</b> goes on where it was, with all that
can be undone; <b>Not now</b> keeps it in File › Recover….</p>
<p><b>First scene</b> is a guided tour of a few minutes.</p>
<p>Escape, or a click beside the page, closes it: the scene behind it is ready. Help › Start page brings it back.</p>
"""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setObjectName("start-page")
        self.setAccessibleName("Start page")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = window
        self.recent, self.examples = Tiles(), Tiles()
        self.recent_heading = heading("Recent")
        self.offers = Offers()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        row.addWidget(self._make_side())
        row.addWidget(self._make_choice(), 1)
        self._fill()
        self._connect()
        self._place()
        self.show()
        self.raise_()
        self._first().setFocus()

    # Made

    def _make_side(self) -> QWidget:
        side, theme = QWidget(), current_theme()
        side.setFixedWidth(scaled(SIDE) + MARGIN)
        column = QVBoxLayout(side)
        column.setContentsMargins(MARGIN, MARGIN, 12, MARGIN)
        column.setSpacing(8)
        title = QLabel("Sinew")
        title.setFont(text_font(TITLE + 5))
        version = QLabel(__version__)
        version.setProperty("faint", True)
        self.new, self.open, self.tour = QPushButton("New"), QPushButton("Open…"), QPushButton("First scene")
        is_new = not self._window.preferences.tour_done
        self.tour.setDefault(is_new)
        for button, name, action, colour in (
            (self.new, "file-plus", "file.new", "text_quiet"),
            (self.open, "folder-open", "file.open", "text_quiet"),
            (self.tour, "person-standing", "help.tour", "accent_text" if is_new else "text_quiet"),
        ):
            button.setIcon(icon(name, theme, colour))
            button.setToolTip(keys_text(self._window.keys[action]))
            button.clicked.connect(partial(self._do, action))
        self.tour.setToolTip("A guided tour of a few minutes: pose, pin, key, play")
        self.keymaps = {name: QRadioButton(keymap.label) for name, keymap in KEYMAPS.items()}
        self.shows = QCheckBox("Show at start")
        self.shows.setToolTip("Show this page when Sinew starts without a file")
        column.addWidget(title)
        column.addWidget(version)
        column.addSpacing(10)
        column.addWidget(self.new)
        column.addWidget(self.open)
        column.addWidget(self.tour)
        column.addStretch(1)
        column.addWidget(heading("Keys and mouse"))
        for name, choice in self.keymaps.items():
            choice.setToolTip(KEYMAPS[name].about)
            choice.setChecked(name == self._window.preferences.keymap)
            choice.clicked.connect(partial(self._choose_keymap, name))
            column.addWidget(choice)
        column.addSpacing(10)
        column.addWidget(self.shows)
        self.shows.setChecked(self._window.preferences.start_page)
        self.shows.toggled.connect(lambda shown: self._window.prefer(start_page=shown))
        return side

    def _make_choice(self) -> QWidget:
        self._inside = inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(14, MARGIN, MARGIN - 8, MARGIN)
        column.setSpacing(8)
        column.addWidget(self.offers)
        column.addWidget(self.recent_heading)
        column.addWidget(self.recent)
        column.addSpacing(6)
        column.addWidget(heading("Examples"))
        column.addWidget(self.examples)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cross = IconButton("x", "Close (Esc)", parent=self)
        self.cross.clicked.connect(self.close)
        return self.area

    def _fill(self) -> None:
        for each in EXAMPLES:
            picture = FOLDER / "examples" / f"{each.id}.png"
            tile = StartTile(
                each.label,
                each.about,
                picture,
                self.examples,
                symbol="person-standing",
                flipbook=picture.with_suffix(".jpg"),
            )
            tile.setToolTip(each.about)
            tile.clicked.connect(partial(self._do, f"file.example_{each.id}"))
            self.examples.add(tile)
        self._tile_of: dict[Path, StartTile] = {}
        for path in map(Path, self._window.preferences.recent):
            tile = StartTile(path.name, folder_of(path), picture_of(path), self.recent)
            tile.setToolTip(str(path))
            tile.clicked.connect(partial(self._open, path))
            tile.removal_wanted.connect(partial(self._remove, path))
            self.recent.add(tile)
            self._tile_of[path] = tile
        self._show_recent()

    def _connect(self) -> None:
        session, application = self._window.session, QApplication.instance()
        assert application is not None, "a window has one"
        application.installEventFilter(self)
        session.document_changed.connect(self._leave)
        session.engine.answered.connect(self._take)
        self.offers.recover_wanted.connect(self._recover)
        self.offers.aside_wanted.connect(session.recovering.set_aside)
        self.offers.changed.connect(self._take_offers)
        session.recovering.left_seen.connect(self.offers.show_copies)
        session.recovering.look()
        if self._tile_of:
            paths = tuple(self._tile_of)
            session.engine.submit(SEEN, partial(look_at, paths), document=None)

    # Chosen

    def _do(self, action: str) -> None:
        self.close()
        self._window.menus.actions[action].trigger()

    def _open(self, path: Path) -> None:
        if self._tile_of[path].is_missing:
            self._window.session.note(
                "warning",
                f"{path.name} is not in {path.parent} any more. Find it with Open, or take it off the list with Del.",
            )
            return
        self.close()
        self._window.files.open(path)

    def _recover(self, left: LeftCopy) -> None:
        self.close()
        self._window.recovery.recover(left)

    def _take_offers(self) -> None:
        """Put what could be lost first: Enter recovers it."""
        self._place()
        (self.offers.buttons[0] if self.offers.buttons else self._first()).setFocus()

    def _remove(self, path: Path) -> None:
        tile = self._tile_of.pop(path)
        place = self.recent.tiles.index(tile)
        had_focus = tile.hasFocus()
        self.recent.remove(tile)
        self._window.forget_recent(path)
        self._show_recent()
        if had_focus:
            rest = self.recent.tiles or self.examples.tiles
            rest[min(place, len(rest) - 1)].setFocus()

    def _choose_keymap(self, name: str) -> None:
        self._window.prefer(keymap=name)

    def _leave(self, *_: object) -> None:
        self.close()

    def _show_recent(self) -> None:
        for widget in (self.recent_heading, self.recent):
            widget.setVisible(bool(self.recent.tiles))

    def _take(self, key: Hashable, frame: PublishedFrame) -> None:
        if key == SEEN and isinstance(frame.value, RecentSeen):
            for each in frame.value.files:
                if each.path in self._tile_of:
                    self._tile_of[each.path].show_line(line_of(each), missing=each.changed is None)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Take the keys that the page needs before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        now = QApplication.focusWidget()
        if key == Qt.Key.Key_Escape:
            self.close()
        elif key in WAYS and now is not None:
            self._go(now, *WAYS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(now, QAbstractButton):
            now.click()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the page at a press beside it, which goes where it was meant for; keep the page in the middle."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent) and isinstance(watched, QWidget):
            inside = self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint()))
            if watched.window() is self._window and not inside:
                self.close()
        elif kind == QEvent.Type.Resize and watched is self._window:
            self._place()
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._would_keep(watched, event):
            self.keyPressEvent(event)
            return True
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        if self._window.viewport is not None:
            self._window.viewport.take_keyboard()

    def _place(self) -> None:
        room = self._window.contentsRect()
        top = self._window.menuBar().height()
        width = min(scaled(SIZE[0]), room.width() - 24)
        self.resize(width, self.height())
        self._row.activate()
        wanted = max(self._inside.sizeHint().height() + 2, scaled(LEAST))
        height = min(wanted, scaled(SIZE[1]), room.height() - top - 48)
        left = (room.width() - width) // 2
        self.setGeometry(QRect(left, top + (room.height() - top - height) // 2, width, height))
        self.cross.move(width - self.cross.sizeHint().width() - 8, 8)
        self.cross.raise_()

    def _first(self) -> QWidget:
        return (self.recent.tiles or self.examples.tiles)[0]

    def _buttons(self) -> Iterator[QAbstractButton]:
        yield from (self.new, self.open, self.tour, *self.keymaps.values(), self.shows, *self.offers.buttons)
        yield from (*self.recent.tiles, *self.examples.tiles)

    def _would_keep(self, watched: QObject, event: QKeyEvent) -> bool:
        """True if a button would keep an arrow to itself, as radio buttons do."""
        return event.key() in WAYS and any(watched is each for each in self._buttons())

    def _go(self, now: QWidget, across: int, down: int) -> None:
        """To the nearest button that lies that way."""
        here = middle(now, self)
        best, least = None, float("inf")
        for each in self._buttons():
            offset = middle(each, self) - here
            along, aside = offset.x() * across + offset.y() * down, abs(offset.x() * down + offset.y() * across)
            if along > 4 and (cost := along + 3 * aside) < least:
                best, least = each, cost
        if best is not None:
            best.setFocus(Qt.FocusReason.TabFocusReason)
            if isinstance(best, StartTile):
                self.area.ensureWidgetVisible(best, 0, 24)


def _is_own(event: QKeyEvent) -> bool:
    return event.key() in OWN_KEYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def heading(text: str) -> QLabel:
    """Make the heading of a group."""
    label = QLabel(text)
    label.setProperty("quiet", True)
    return label


def middle(widget: QWidget, page: QWidget) -> QPoint:
    """Find the middle of a widget, on the page."""
    return widget.mapTo(page, widget.rect().center())


def line_of(file: RecentFile) -> str:
    """Say when it was changed, and where it lies."""
    if file.changed is None:
        return f"Not found · {folder_of(file.path)}"
    when = QDateTime.fromSecsSinceEpoch(int(file.changed)).date()
    return f"{QLocale().toString(when, QLocale.FormatType.ShortFormat)} · {folder_of(file.path)}"
