"""LogPanel: the log, filtered by kind, copied as a script, cleared."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from app.features.log.lines import ICONS, KINDS, LogList, as_text
from app.features.log.rows import WIDE, LogRow
from app.session import LogEntry, Session
from app.style.grounds import make_panel
from app.style.hint import paint_hint
from app.style.icon_button import IconButton

TIPS = {"edit": "Show edits", "note": "Show notes", "warning": "Show warnings", "error": "Show errors"}


class LogPanel(QWidget):
    """The panel of the log: commands and messages, newest last."""

    title = "Log"
    help_text = """
<p>What was done and what Sinew has to say, newest last. The buttons choose what is listed.</p>
<p>Each change has its line of Python, which the switch at the right shows beside the words: copy the chosen lines, or
all of them, and run them without a window. File &gt; Save log… keeps the whole of it, to be done
again in another session.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self.lines = LogList(session.log, self)
        self.view = _View(self.lines)
        self.view.copied.connect(self.copy)
        self.kinds = {kind: _kind_button(kind) for kind in KINDS}
        self.python = IconButton("scroll-text", "Show the line of Python of each change", size=13)
        self.python.setCheckable(True)
        self.copy_button = IconButton("copy", "Copy as Python: the chosen lines, or all", size=13)
        self.clear_button = IconButton("eraser", "Clear the log", size=13)
        self._lay_out()
        for button in self.kinds.values():
            button.toggled.connect(self._narrow)
        self.python.toggled.connect(self.view.show_python)
        self.copy_button.clicked.connect(self.copy)
        self.clear_button.clicked.connect(self.clear)
        session.logged.connect(self._add)
        self.view.scrollToBottom()
        self._say_what_can_be_done()

    def sizeHint(self) -> QSize:
        return QSize(480, 130)

    def copy(self) -> None:
        """Put the chosen lines, or all that are seen, on the clipboard."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        seen = self.lines.seen
        QGuiApplication.clipboard().setText(as_text([seen[row] for row in rows] or seen))

    def clear(self) -> None:
        """Forget all lines."""
        self.lines.clear()
        self._say_what_can_be_done()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 0, 8, 3)
        bar.setSpacing(2)
        for button in self.kinds.values():
            bar.addWidget(button)
        bar.addStretch(1)
        bar.addWidget(self.python)
        bar.addWidget(self.copy_button)
        bar.addWidget(self.clear_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.view, 1)

    def _add(self, entry: LogEntry) -> None:
        bar = self.view.verticalScrollBar()
        self.view.follows_end |= bar.value() >= bar.maximum()
        self.lines.add(entry)
        self._say_what_can_be_done()

    def _narrow(self) -> None:
        self.lines.show_kinds(kind for kind, button in self.kinds.items() if button.isChecked())
        self.view.scrollToBottom()

    def _say_what_can_be_done(self) -> None:
        self.copy_button.setEnabled(not self.lines.is_empty)
        self.clear_button.setEnabled(not self.lines.is_empty)


def _kind_button(kind: str) -> IconButton:
    name, colour = ICONS[kind]
    button = IconButton(name, TIPS[kind], colour="disabled", on="text_quiet" if kind == "edit" else colour, size=13)
    button.setProperty("plain", True)
    button.setCheckable(True)
    button.setChecked(True)
    return button


class _View(QListView):
    copied = Signal()

    def __init__(self, lines: LogList) -> None:
        super().__init__()
        self._lines = lines
        self.follows_end = False  # from the next layout on, which is one for all lines that come until then
        self._row = LogRow(self)
        self.setAccessibleName("Log")
        self.setModel(lines)
        self.setItemDelegate(self._row)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_python(self, shown: bool) -> None:
        """Show the Python of each change beside its words, or the words alone."""
        self._row.shows_python = shown
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def doItemsLayout(self) -> None:
        super().doItemsLayout()
        if self.follows_end:
            self.follows_end = False
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = self.viewport().width() >= WIDE
        if wide != self._row.wide:
            self._row.wide = wide
            self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._lines.rowCount() == 0:
            empty = "What you do appears here, in words."
            paint_hint(self, empty if self._lines.is_empty else "No line of these kinds.", "scroll-text")
