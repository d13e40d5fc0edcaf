"""Preferences: how Sinew looks, and how mouse, keys and posing work. Every choice counts at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.shell.keymaps import KEYMAPS
from app.shell.preferences import MOST_EARLIER
from app.style.fonts import SCALES, scaled
from app.style.sheet import Pages, Sheet
from app.style.theme import THEME_LABELS
from engine.queries.trails import MOST_ONIONS

if TYPE_CHECKING:
    from app.shell.window import MainWindow

SIZE = (640, 400)
LIST_WIDTH = 130
EXTENTS = {
    "usual": "The limb; all once something is held",
    "part": "The part alone",
    "branch": "The limb, up to its branch",
    "joint": "Up to where the chain ends",
    "whole": "The whole figure",
}
OF_ALL = {False: "What is selected", True: "Everything"}
SHORT = {False: "All that is played", True: "Frames around the playhead"}
BY = {"frames": "Frames", "keys": "Keys"}
EDGES = {"auto": "Automatic", "on": "Always", "off": "Never"}


class PreferencesSheet(Sheet):
    """A page a topic."""

    def __init__(self, window: MainWindow, topic: str = "Appearance") -> None:
        super().__init__(window, "Preferences")
        self.setObjectName("preferences")
        self._window = window
        self.pages = Pages(LIST_WIDTH)
        self.stack = QStackedWidget()
        topics = {
            "Appearance": self._appearance(),
            "Keys and mouse": self._keys(),
            "Viewport": self._viewport(),
            "Posing": self._posing(),
            "Trails and skins": self._times(),
            "Files": self._files(),
        }
        for title, page in topics.items():
            self.pages.add(title)
            self.stack.addWidget(page)
        self.pages.currentRowChanged.connect(self.stack.setCurrentIndex)
        self.pages.setCurrentRow(list(topics).index(topic))
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.pages)
        row.addWidget(self.stack, 1)
        self.column.addLayout(row, 1)
        self.add_button()
        self.resize(*SIZE)

    def _appearance(self) -> QWidget:
        chosen, prefer = self._window.preferences, self._window.prefer
        self.theme = choice(THEME_LABELS.items(), chosen.theme, lambda name: prefer(theme=name))
        sizes = [(scale, f"{scale:.0%}") for scale in SCALES]
        self.text_scale = choice(sizes, chosen.text_scale, lambda scale: prefer(text_scale=scale))
        return page(("Theme", self.theme), ("Size of text", self.text_scale))

    def _keys(self) -> QWidget:
        labels = [(name, keymap.label) for name, keymap in KEYMAPS.items()]
        self.keymap = choice(labels, self._window.preferences.keymap, self._choose_keymap)
        self.about_keymap = QLabel(wordWrap=True)
        self.about_keymap.setProperty("quiet", True)
        self.about_keymap.setText(KEYMAPS[self._window.preferences.keymap].about)
        self.all_keys = QPushButton("All keys…")
        self.all_keys.setAutoDefault(False)
        self.all_keys.clicked.connect(self._show_keys)
        return page(("Keymap", self.keymap), ("", self.about_keymap), ("", self.all_keys))

    def _choose_keymap(self, name: object) -> None:
        self._window.prefer(keymap=name)
        self.about_keymap.setText(KEYMAPS[self._window.preferences.keymap].about)

    def _show_keys(self) -> None:
        self.close()
        self._window.sheets.show_keys()

    def _viewport(self) -> QWidget:
        window = self._window
        self.edges = choice(EDGES.items(), window.preferences.anti_aliasing, self._choose_edges)
        rows: list[tuple[str, QWidget]] = [("Smooth edges", self.edges), ("", quiet("From the next start on."))]
        if window.viewport is not None:
            from app.scene.displays import DISPLAY_NAMES

            viewport = window.viewport
            now = viewport.displays[0] if len(set(viewport.displays)) == 1 else None
            self.display = choice(DISPLAY_NAMES.items(), now, viewport.set_display)
            if now is None:
                self.display.setPlaceholderText("Each view its own way")
            rows.append(("Show figures as", self.display))
        return page(*rows)

    def _choose_edges(self, how: object) -> None:
        self._window.prefer(anti_aliasing=how)

    def _posing(self) -> QWidget:
        chosen, prefer = self._window.preferences, self._window.prefer
        self.extent = choice(EXTENTS.items(), chosen.extent, lambda extent: prefer(extent=extent))
        self.iterations = count(1, 1000, chosen.iterations, lambda most: prefer(iterations=most))
        self.angle_step = measure("°", 0.1, 180.0, chosen.angle_step, lambda step: prefer(angle_step=step))
        self.length_step = measure(" cm", 0.01, 1000.0, chosen.length_step, lambda step: prefer(length_step=step))
        return page(
            ("A drag moves", self.extent),
            ("Iterations in one answer", self.iterations),
            ("", quiet("These are also what the Method panel begins with.")),
            ("Rotate snaps by", self.angle_step),
            ("Move snaps by", self.length_step),
        )

    def _times(self) -> QWidget:
        chosen, prefer = self._window.preferences, self._window.prefer
        self.of_all = choice(OF_ALL.items(), chosen.times_of_all, lambda of_all: prefer(times_of_all=of_all))
        self.short = choice(SHORT.items(), chosen.trail_short, self._choose_short)
        self.trail_frames = count(1, 1000, chosen.trail_frames, lambda frames: prefer(trail_frames=frames))
        self.trail_frames.setEnabled(chosen.trail_short)
        self.by = choice(BY.items(), chosen.onions_by, lambda by: prefer(onions_by=by))
        self.before = count(0, MOST_ONIONS, chosen.onions_before, lambda before: prefer(onions_before=before))
        self.after = count(0, MOST_ONIONS, chosen.onions_after, lambda after: prefer(onions_after=after))
        self.every = count(1, 1000, chosen.onions_step, lambda step: prefer(onions_step=step))
        return page(
            ("Show them of", self.of_all),
            ("Trails reach over", self.short),
            ("Frames on each side", self.trail_frames),
            ("Onion skins stand at", self.by),
            ("Skins before", self.before),
            ("Skins after", self.after),
            ("One at every so many", self.every),
        )

    def _choose_short(self, short: bool) -> None:
        self._window.prefer(trail_short=short)
        self.trail_frames.setEnabled(short)

    def _files(self) -> QWidget:
        imports = self._window.files.imports
        self.ask_again = QPushButton("Ask again")
        self.ask_again.setAutoDefault(False)
        self.kinds = QLabel(wordWrap=True)
        self._show_kinds()
        self.ask_again.clicked.connect(imports.forget)
        self.ask_again.clicked.connect(self._show_kinds)
        earlier = self._window.preferences.earlier_versions
        self.earlier = count(0, MOST_EARLIER, earlier, lambda most: self._window.prefer(earlier_versions=most))
        return page(
            ("Read without a question", self.kinds),
            ("", self.ask_again),
            ("Earlier versions kept", self.earlier),
            ("", quiet("A save keeps the file as it was, as name.1.sinew and so on, the newest first.")),
        )

    def _show_kinds(self) -> None:
        kinds = sorted(self._window.files.imports.remembered)
        self.kinds.setText(", ".join(kinds) or "None: every import that leaves something open is asked about.")
        self.ask_again.setEnabled(bool(kinds))


def page(*rows: tuple[str, QWidget]) -> QWidget:
    """Names at the left, what they name at the right."""
    made = QWidget()
    form = QFormLayout()
    form.setHorizontalSpacing(18)
    form.setVerticalSpacing(12)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
    for name, widget in rows:
        if isinstance(widget, QLabel):
            widget.setMinimumWidth(scaled(240))
        else:
            widget.setAccessibleName(name)
        form.addRow(name, widget)
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 2, 0, 0)
    column.addLayout(form)
    column.addStretch(1)
    return made


def measure(unit: str, least: float, most: float, now: float, take: Callable[[float], object]) -> QDoubleSpinBox:
    """Make a field of a number with its unit; `take` is given what is entered."""
    box = QDoubleSpinBox()
    box.setDecimals(2)
    box.setRange(least, most)
    box.setValue(now)
    box.setSuffix(unit)
    box.setKeyboardTracking(False)
    box.valueChanged.connect(take)
    return box


def count(least: int, most: int, now: int, take: Callable[[int], object]) -> QSpinBox:
    """Make a field of a whole number; `take` is given what is entered."""
    box = QSpinBox()
    box.setRange(least, most)
    box.setValue(now)
    box.setKeyboardTracking(False)
    box.valueChanged.connect(take)
    return box


def quiet(text: str) -> QLabel:
    """Make a line that explains."""
    label = QLabel(text, wordWrap=True)
    label.setProperty("quiet", True)
    return label


V = TypeVar("V")


def choice(options: Iterable[tuple[V, str]], now: V | None, take: Callable[[V], object]) -> QComboBox:
    """Make a list of a few; `take` is given what is chosen."""
    box = QComboBox()
    values = []
    for value, label in options:
        values.append(value)
        box.addItem(label)
    box.setCurrentIndex(values.index(now) if now in values else -1)
    box.activated.connect(lambda place: take(values[place]))
    return box
