"""FilmFields: everything that can be chosen of a film or of pictures. What a beginner does not need is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.export.choices import (
    ACTIVE,
    ALL,
    AS_VIEWS,
    GOES_ROUND,
    GOES_WITH,
    MOST_NUMBERS,
    MOST_TEXT,
    NOW,
    OWN,
    PLAYED,
    STANDS,
    TRANSPARENT,
    Choices,
)
from app.export.plan import KINDS, SAMPLES
from app.export.planning import numbers_in, size_of
from app.features.films.view import typed
from app.features.films.view.rows import ChoiceBox, Rows, quiet, short_field
from app.scene.panes import view_name
from app.session.clock import rate_text
from app.style.fonts import scaled
from app.style.section import Section
from engine.document.extent import play_extent
from engine.measure import Quantity, label_of
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from app.features.window import Window

SIZES = (
    ("1280 x 720, HD", (1280, 720)),
    ("1920 x 1080, Full HD", (1920, 1080)),
    ("2560 x 1440", (2560, 1440)),
    ("3840 x 2160, 4K", (3840, 2160)),
    ("1080 x 1080, square", (1080, 1080)),
    ("1080 x 1920, upright", (1080, 1920)),
)
AS_VIEW, OWN_SIZE = "As the view", "Own size"
PLACES = ("upper left", "upper right", "lower left", "lower right")
CAMERAS = {STANDS: "Stands still", GOES_WITH: "Goes round with the motion", GOES_ROUND: "Goes round while time stands"}
GROUNDS = {AS_VIEWS: "As in the views", TRANSPARENT: "Transparent", "#ffffff": "White", "#000000": "Black"}
OWN_GROUND, FIRST_GROUND = "Own colour", "#5b6f86"
LISTED, LIST_HEIGHT = 60, 104
ROUND, QUALITY, SEEN, WRITTEN = "Turntable", "Rate and quality", "What is seen", "Words and numbers"


N = TypeVar("N", int, float)


class FilmFields(QWidget):
    """The fields; `read` says what is chosen."""

    changed = Signal()

    def __init__(self, window: Window, choices: Choices) -> None:
        super().__init__()
        self._window, self._session, self._choices = window, window.session, choices
        self.problems: dict[str, str] = {}  # of what was typed, by line
        self.sections: dict[str, Section] = {}
        self._rows: list[tuple[Rows, Section | None]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(8)
        first = self._first()
        self._rows.append((first, None))
        column.addWidget(first)
        for title, rows in (
            (ROUND, self._round()),
            (QUALITY, self._quality()),
            (SEEN, self._seen()),
            (WRITTEN, self._written()),
        ):
            column.addWidget(self._folded(title, rows))
        column.addStretch(1)
        self.read()

    def read(self) -> Choices:
        """Read the choices; where something was typed wrongly, the last that was right."""
        self.problems = {}
        now, shown = self._choices, self._session.trails.choice
        width, height = self._size()
        start, end = self._own_range()
        self._choices = replace(
            now,
            codec=self.kind.value,
            view=self.view.value,
            range=self.range.value,
            width=width,
            height=height,
            as_view=self.sizes.value == AS_VIEW,
            start=start,
            end=end,
            sound=self.sound.isChecked() if self.sound.isEnabled() else now.sound,
            camera=self.camera.value,
            turn_seconds=self._typed("turn", typed.turn, self.turn.text(), now.turn_seconds),
            rate=self.rate.text().strip(),
            samples=self.samples.value,
            background=self.own_ground.text().strip() if self.ground.value == OWN_GROUND else self.ground.value,
            grid=self.grid.isChecked(),
            signs=self.signs.isChecked(),
            trails=_told(self.trails, now.trails, shown.trails),
            onions=_told(self.onions, now.onions, shown.onions),
            title=self.title.text(),
            time=self.time.isChecked(),
            numbers=self._numbers(),
            curves=self.curves.isChecked(),
        )
        self._show_what_counts()
        return self._choices

    @property
    def unfolded(self) -> tuple[str, ...]:
        """The groups that are open."""
        return tuple(title for title, section in self.sections.items() if section.header.unfolded)

    def say(self, problems: Mapping[str, str]) -> None:
        """Tell each line what is wrong with it; one in a folded group unfolds it."""
        for rows, section in self._rows:
            for key in rows.keys:
                rows.say(key, problems.get(key, ""))
                if key in problems and section is not None:
                    section.header.set_unfolded(True)

    def reason(self, key: str) -> str:
        """Return the problem that a line shows."""
        return next(rows.reason(key) for rows, _ in self._rows if key in rows.keys)

    # The groups

    def _first(self) -> Rows:
        rows, now, viewport = Rows(), self._choices, self._window.view
        self.kind = ChoiceBox(((name, kind.label) for name, kind in KINDS.items()), now.codec, self.changed.emit)
        names = [view_name(camera) for camera in viewport.cameras]
        views = [(place, f"{name}, {PLACES[place]}") for place, name in enumerate(names)]
        self.view = ChoiceBox(
            ((ACTIVE, f"The active view: {names[viewport.active]}"), *views), now.view, self.changed.emit
        )
        sizes: dict[tuple[int, int] | str, str] = {size: label for label, size in SIZES}
        here: tuple[int, int] | str = (now.width, now.height)
        chosen = AS_VIEW if now.as_view else here if here in sizes else OWN_SIZE
        sizes |= {AS_VIEW: AS_VIEW, OWN_SIZE: OWN_SIZE}
        self.sizes = ChoiceBox(sizes.items(), chosen, self.changed.emit)
        self.width_field = self._field(str(now.width), "Width in pixels")
        self.height_field = self._field(str(now.height), "Height in pixels")
        clock, rate = self._session.clock, self._session.document.rate
        now_text = f"One picture: {clock.name(self._session.playhead, rate)}"
        texts = {PLAYED: "What is played", ALL: "All that moves", OWN: "From, to", NOW: now_text}
        self.range = ChoiceBox(texts.items(), now.range, self.changed.emit)
        unit = "seconds" if clock.seconds else "frames"
        first, last = (now.start, now.end) if now.start != now.end else play_extent(self._session.document)
        self.first = self._field(clock.text(first, rate), f"From, in {unit}")
        self.last = self._field(clock.text(last, rate), f"To, in {unit}")
        self.sound = QCheckBox(self._sound_text())
        self.sound.setEnabled(self._session.document.sound is not None)
        self.sound.setChecked(now.sound and self.sound.isEnabled())
        self.sound.toggled.connect(self.changed)
        rows.add("kind", "Make", self.kind)
        rows.add("view", "Seen from", self.view)
        rows.add("size", "Size", self.sizes, self.width_field, self.height_field)
        rows.add("range", "Range", self.range, self.first, self.last)
        rows.add("sound", "", self.sound)
        return rows

    def _round(self) -> Rows:
        rows, now = Rows(), self._choices
        self.camera = ChoiceBox(CAMERAS.items(), now.camera, self.changed.emit)
        self.turn = self._field(f"{now.turn_seconds:g}", "Seconds for once round")
        rows.add("camera", "The camera", self.camera)
        rows.add("turn", "Seconds a turn", self.turn)
        return rows

    def _quality(self) -> Rows:
        rows, now = Rows(), self._choices
        self.rate = self._field(now.rate, "Frames a second")
        self.rate.setPlaceholderText(rate_text(self._session.document.rate))
        self.samples = ChoiceBox(((each, _samples_text(each)) for each in SAMPLES), now.samples, self.changed.emit)
        rows.add("rate", "Frames a second", self.rate, quiet("Empty: the scene's own"))
        rows.add("samples", "Smoothness", self.samples)
        return rows

    def _seen(self) -> Rows:
        rows, now, shown = Rows(), self._choices, self._session.trails
        self.grid, self.signs = self._box("Grid on the floor", now.grid), self._box("Symbols of locks", now.signs)
        self.trails = self._box("Motion trails", shown.choice.trails if now.trails is None else now.trails)
        self.onions = self._box("Onion skins", shown.choice.onions if now.onions is None else now.onions)
        own = now.background not in GROUNDS
        self.ground = ChoiceBox(
            (*GROUNDS.items(), (OWN_GROUND, OWN_GROUND)), OWN_GROUND if own else now.background, self.changed.emit
        )
        self.own_ground = self._field(now.background if own else FIRST_GROUND, "A colour such as #5b6f86")
        rows.add("background", "Background", self.ground, self.own_ground)
        rows.add("grid", "", self.grid, self.signs)
        rows.add("trails", "", self.trails, self.onions)
        rows.add("of", "", quiet(self._of_what()))
        return rows

    def _written(self) -> Rows:
        rows, now = Rows(), self._choices
        self.title = QLineEdit(now.title)
        self.title.setMaxLength(MOST_TEXT)
        self.title.textChanged.connect(self.changed)
        self.time, self.curves = self._box("The time", now.time), self._box("Curves of numbers", now.curves)
        self.numbers = self._listed()
        rows.add("title", "Title", self.title)
        rows.add("time", "", self.time, self.curves)
        if self.numbers.count():
            rows.add("numbers", "Numbers", self.numbers)
        else:
            self.numbers.hide()
            said = "Select a joint and tick quantities in the Plot panel: they are listed here."
            rows.add("numbers", "Numbers", quiet(said))
        return rows

    # How they are made

    def _folded(self, title: str, rows: Rows) -> Section:
        section = self.sections[title] = Section(title, lambda: rows)
        rows.setParent(section)
        rows.hide()
        self._rows.append((rows, section))
        section.header.set_unfolded(title in self._choices.unfolded)
        return section

    def _field(self, text: str, tip: str) -> QLineEdit:
        field = short_field(text, tip)
        field.textChanged.connect(self.changed)
        return field

    def _box(self, text: str, on: bool) -> QCheckBox:
        box = QCheckBox(text)
        box.setChecked(on)
        box.toggled.connect(self.changed)
        return box

    def _listed(self) -> QListWidget:
        """Make the list of numbers that can be written: those that were, then those that the Plot panel shows."""
        document, listed = self._session.document, QListWidget(self)
        chosen = numbers_in(self._choices, document)
        charted = () if self._session.charted is None else self._session.charted(document)
        for each in list(dict.fromkeys((*chosen, *charted)))[:LISTED]:
            item = QListWidgetItem(label_of(each, document.actor(each.actor)), listed)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Checked if each in chosen else Qt.CheckState.Unchecked)
            item.setData(Qt.ItemDataRole.UserRole, each)
        listed.setFixedHeight(scaled(LIST_HEIGHT))
        listed.itemChanged.connect(lambda _: self.changed.emit())
        return listed

    # What they say

    def _typed(self, key: str, read: Callable[[str], N], text: str, before: N) -> N:
        try:
            return read(text)
        except InvalidArguments as problem:
            self.problems.setdefault(key, typed.sentence(problem))
            return before

    def _size(self) -> tuple[int, int]:
        now = self._choices
        if self.sizes.value == OWN_SIZE:
            width = self._typed("size", typed.side("the width"), self.width_field.text(), now.width)
            return width, self._typed("size", typed.side("the height"), self.height_field.text(), now.height)
        return self.sizes.value if isinstance(self.sizes.value, tuple) else (now.width, now.height)

    def _own_range(self) -> tuple[int, int]:
        now = self._choices
        if self.range.value != OWN:
            return now.start, now.end
        read = typed.moment(self._session.clock, self._session.document.rate)
        start = self._typed("range", read("the start of the range"), self.first.text(), now.start)
        return start, self._typed("range", read("the end of the range"), self.last.text(), now.end)

    def _numbers(self) -> tuple[Quantity, ...]:
        items = (self.numbers.item(row) for row in range(self.numbers.count()))
        chosen = [item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked]
        if len(chosen) > MOST_NUMBERS:
            self.problems["numbers"] = f"{len(chosen)} numbers are ticked; at most {MOST_NUMBERS} are written"
        return tuple(chosen[:MOST_NUMBERS])

    def _show_what_counts(self) -> None:
        """Fields that mean something with the others as they are, and what folded groups hold."""
        now, sized = self._choices, self.sizes.value == OWN_SIZE
        for field, side in ((self.width_field, now.width), (self.height_field, now.height)):
            field.setVisible(sized)
            if not sized:
                _put(field, str(side))
        for field in (self.first, self.last):
            field.setVisible(now.range == OWN)
        self.range.setEnabled(now.camera != GOES_ROUND)
        self.turn.setEnabled(now.camera != STANDS)
        self.curves.setEnabled(bool(now.numbers))
        self.own_ground.setVisible(self.ground.value == OWN_GROUND)
        if self.sizes.value == AS_VIEW:
            self.sizes.setToolTip("{} x {} pixels".format(*size_of(now, self._window.view)))
        turning = "None" if now.camera == STANDS else f"Once round in {now.turn_seconds:g} s"
        rate = now.rate or rate_text(self._session.document.rate)
        boxes = {"grid": self.grid, "signs": self.signs, "trails": self.trails, "skins": self.onions}
        seen = [name for name, box in boxes.items() if box.isChecked()]
        written = [now.title.strip(), "time" if now.time else "", f"{len(now.numbers)} numbers" if now.numbers else ""]
        for title, summary in (
            (ROUND, turning),
            (QUALITY, f"{rate} a second, {_samples_text(now.samples).lower()}"),
            (SEEN, ", ".join((self.ground.currentText(), *seen))),
            (WRITTEN, ", ".join(filter(None, written)) or "None"),
        ):
            self.sections[title].header.set_summary(summary)

    def _sound_text(self) -> str:
        sound = self._session.document.sound
        if sound is None:
            return "Sound: the scene has none"
        return f"Sound: {sound.name}" + (", which is muted" if sound.mute else "")

    def _of_what(self) -> str:
        shown = self._session.trails
        if shown.choice.everyone:
            return "Trails and onion skins are of everything."
        if self._session.selection.items:
            return "Trails and onion skins are of what is selected."
        return "Trails and onion skins are of what is selected, and nothing is."


def _told(box: QCheckBox, before: bool | None, in_views: bool) -> bool | None:
    """Read a box; None as long as it is left as the views have it."""
    return None if before is None and box.isChecked() == in_views else box.isChecked()


def _put(field: QLineEdit, text: str) -> None:
    """Show this without a word to anyone."""
    field.blockSignals(True)
    field.setText(text)
    field.blockSignals(False)


def _samples_text(count: int) -> str:
    return "1 picture a frame" if count == 1 else f"Mean of {count} pictures"
