"""Preferences: how Sinew looks, and how mouse, keys and posing work. Every choice counts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.features.form import Row
from app.features.sheet_form import SheetForm, quiet
from app.shell.keymaps import KEYMAPS
from app.style.fonts import scaled
from app.style.sheet import Pages, Sheet
from engine.runtime.options import About, described

if TYPE_CHECKING:
    from app.shell.window import MainWindow

SIZE = (640, 400)
LIST_WIDTH = 130
ADDRESS = 260  # [px] of a field
ONIONS = ("onions_by", "onions_before", "onions_after", "onions_step")
SHADOWS = "Automatic: all with a graphics card; without one, what keeps up while something moves, all at rest."
CLUSTER = (
    "The address of a Dask scheduler, such as tcp://10.0.0.5:8786, whose workers do the runs of studies. Empty: the "
    "cores of this machine. The Study panel has it, too."
)
EARLIER = "A save keeps the file as it was, as name.1.sinew and so on, the newest first."


class PreferencesSheet(Sheet):
    """A page a topic."""

    def __init__(self, window: MainWindow, topic: str = "Appearance") -> None:
        super().__init__(window, "Preferences")
        self.setObjectName("preferences")
        self._window = window
        self.fields: dict[str, Any] = {}
        self.pages = Pages(LIST_WIDTH)
        self.stack = QStackedWidget()
        topics = {
            "Appearance": self._form("theme", "text_scale"),
            "Keys and mouse": self._keys(),
            "Viewport": self._viewport(),
            "Posing": self._posing(),
            "Trails and skins": self._times(),
            "Files": self._files(),
            "Long work": self._long_work(),
        }
        for title, page in topics.items():
            self.pages.add(title)
            self.stack.addWidget(_at_top(page))
        self.pages.currentRowChanged.connect(self.stack.setCurrentIndex)
        self.pages.setCurrentRow(list(topics).index(topic))
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.pages)
        row.addWidget(self.stack, 1)
        self.column.addLayout(row, 1)
        self.add_button()
        self.resize(*SIZE)

    def _form(self, *rows: Row, **more: tuple[About, Any]) -> SheetForm:
        """Make a page of preferences and of `more`, which the sheet knows itself."""
        form = SheetForm(
            described(self._window.preferences) | more, self._take, rows=rows, wide=("cluster",), grows=False
        )
        self.fields |= form.fields
        return form

    def _take(self, name: str, value: Any) -> None:
        if name == "display":
            assert self._window.viewport is not None, "asked only of one"
            self._window.viewport.set_display(value)
            return
        self._window.prefer(**{name: value})
        if name == "keymap":
            self.about_keymap.setText(KEYMAPS[value].about)
        elif name == "trail_short":
            self.fields["trail_frames"].setEnabled(value)

    def _keys(self) -> QWidget:
        self.about_keymap = quiet(KEYMAPS[self._window.preferences.keymap].about)
        self.all_keys = QPushButton("Keyboard shortcuts…")
        self.all_keys.setAutoDefault(False)
        self.all_keys.clicked.connect(self._show_keys)
        return self._form("keymap", (self.about_keymap,), (self.all_keys,))

    def _show_keys(self) -> None:
        self.close()
        self._window.sheets.show_keys()

    def _viewport(self) -> QWidget:
        viewport = self._window.viewport
        edges: tuple[Row, ...] = ("anti_aliasing", (quiet("From the next start on."),), "shadows", (quiet(SHADOWS),))
        if viewport is None:
            return self._form(*edges)
        from app.scene.displays import DISPLAY_NAMES

        now = viewport.displays[0] if len(set(viewport.displays)) == 1 else None
        about = About(label="Show figures as", choices=tuple(DISPLAY_NAMES), labels=tuple(DISPLAY_NAMES.values()))
        form = self._form(*edges, "display", display=(about, now))
        self.fields["display"].setPlaceholderText("Each view its own way")
        return form

    def _posing(self) -> QWidget:
        also = quiet("These are also what the Method panel begins with.")
        return self._form("extent", "iterations", (also,), "angle_step", "length_step")

    def _times(self) -> QWidget:
        form = self._form("times_of_all", "trail_short", "trail_frames", *ONIONS)
        self.fields["trail_frames"].setEnabled(self._window.preferences.trail_short)
        return form

    def _long_work(self) -> QWidget:
        form = self._form("cluster", (quiet(CLUSTER),))
        self.fields["cluster"].setMinimumWidth(scaled(ADDRESS))
        self.fields["cluster"].setPlaceholderText("on this machine")
        return form

    def _files(self) -> QWidget:
        imports, self.kinds = self._window.files.imports, QLabel(wordWrap=True)
        self.ask_again = QPushButton("Ask again")
        self.ask_again.setAutoDefault(False)
        self._show_kinds()
        self.ask_again.clicked.connect(imports.forget)
        self.ask_again.clicked.connect(self._show_kinds)
        form = self._form()
        form.add(self.kinds, label="Read without a question")
        for row in (self.ask_again, "earlier_versions", quiet(EARLIER)):
            form.add(row)
        self.fields |= form.fields
        return form

    def _show_kinds(self) -> None:
        kinds = sorted(self._window.files.imports.remembered)
        self.kinds.setText(", ".join(kinds) or "None: every import that leaves something open is asked about.")
        self.ask_again.setEnabled(bool(kinds))


def _at_top(form: QWidget) -> QWidget:
    """Make a page of a form."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 2, 0, 0)
    column.addWidget(form)
    column.addStretch(1)
    return page
