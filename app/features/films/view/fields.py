"""FilmFields: everything that can be chosen of a video or of pictures. What a beginner does not need is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.export.choices import (
    ACTIVE,
    ALL,
    GOES_ROUND,
    GROUNDS,
    MOST_NUMBERS,
    NOW,
    OWN,
    PLAYED,
    STANDS,
    Choices,
)
from app.export.plan import KINDS
from app.export.planning import numbers_in, size_of
from app.features.films.view import typed
from app.features.form import Row
from app.features.sheet_form import SheetForm, quiet
from app.session.clock import rate_text
from app.style.fonts import scaled
from app.style.section import FoldedSection
from engine.cameras.parts import cameras_in
from engine.document.extent import play_extent, whole_extent
from engine.measure import Quantity, label_of
from engine.runtime.options import About, described

if TYPE_CHECKING:
    from app.features.window import Window

SIZES = {
    (1280, 720): "1280 x 720, HD",
    (1920, 1080): "1920 x 1080, Full HD",
    (2560, 1440): "2560 x 1440",
    (3840, 2160): "3840 x 2160, 4K",
    (1080, 1080): "1080 x 1080, square",
    (1080, 1920): "1080 x 1920, upright",
}
AS_VIEW, OWN_SIZE = "As the view", "Own size"
PLACES = ("upper left", "upper right", "lower left", "lower right")
OWN_GROUND, FIRST_GROUND = "Own colour", "#5b6f86"
LISTED, LIST_HEIGHT = 60, 104
ROUND, QUALITY, SEEN, WRITTEN = "Turntable", "Rate and quality", "What is seen", "Words and numbers"


class FilmFields(QWidget):
    """The fields; `choices` has what is chosen, and where something was typed wrongly, the last that was right."""

    changed = Signal()

    def __init__(self, window: Window, choices: Choices) -> None:
        super().__init__()
        self._window, self._session, self.choices = window, window.session, choices
        self._in_views = {name: getattr(self._session.trails.choice, name) for name in ("trails", "onions")}
        ends = (choices.start, choices.end)
        self._ends = ends if ends[0] != ends[1] else play_extent(self._session.document)
        self._options = self._described()
        self.sections: dict[str, FoldedSection] = {}
        self.fields: dict[str, Any] = {}
        self._forms: dict[str, SheetForm] = {}
        self.numbers = self._listed()
        self._add("", "codec", "view", ("sizes", "width", "height"), ("range", "start", "end"), "sound")
        self._add(ROUND, "camera", "turn_seconds")
        self._add(QUALITY, ("rate", quiet("Empty: the scene's own")), "samples")
        of_what = quiet(self._of_what())
        self._add(SEEN, ("ground", "background"), ("grid", "shadows"), "signs", ("trails", "onions"), (of_what,))
        written = self._add(WRITTEN, "title", ("time", "curves"))
        said = quiet("Select a joint and tick quantities in the Plot panel: they are listed here.")
        written.add(self.numbers if self.numbers.count() else said, label="Numbers", name="numbers")
        self.numbers.setVisible(bool(self.numbers.count()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(8)
        for widget in (self._forms[""], *self.sections.values()):
            column.addWidget(widget)
        column.addStretch(1)
        self.fields["rate"].setPlaceholderText(rate_text(self._session.document.rate))
        self.fields["sound"].setEnabled(self._session.document.sound is not None)
        self._show_what_counts()

    @property
    def problems(self) -> dict[str, str]:
        """List what is wrong with what was typed, by field."""
        found = {name: why for form in self._forms.values() for name, why in form.problems.items()}
        ticked = len(self._ticked())
        if ticked > MOST_NUMBERS:
            found["numbers"] = f"{ticked} numbers are ticked; at most {MOST_NUMBERS} are written"
        return found

    @property
    def unfolded(self) -> tuple[str, ...]:
        """The groups that are open."""
        return tuple(title for title, section in self.sections.items() if section.header.unfolded)

    def say(self, problems: Mapping[str, str]) -> None:
        """Tell each line what is wrong with it; one in a folded group unfolds it."""
        for title, form in self._forms.items():
            if form.say(problems) and title:
                self.sections[title].header.set_unfolded(True)

    def reason(self, name: str) -> str:
        """Return the problem that the line of a field shows."""
        return next(form.reason(name) for form in self._forms.values() if name in form.rows)

    # How they are made

    def _described(self) -> dict[str, tuple[About, Any]]:
        """List what can be chosen, with what is shown first."""
        now, viewport, session = self.choices, self._window.view, self._session
        clock, rate = session.clock, session.document.rate
        names = [viewport.title_of(view) for view in range(len(viewport.cameras))]
        views: dict[Any, str] = {ACTIVE: f"The active view: {names[viewport.active]}"}
        views |= {place: f"{name}, {PLACES[place]}" for place, name in enumerate(names)}
        cameras = {each.id: each.name for each in cameras_in(session.document)}
        here = (now.width, now.height)
        size = AS_VIEW if now.as_view else here if here in SIZES else OWN_SIZE
        played, whole = play_extent(session.document), whole_extent(session.document)
        ends = [" to ".join(clock.text(each, rate) for each in extent) for extent in (played, whole)]
        ranges = {PLAYED: f"What is played: {ends[0]}", ALL: f"All there is: {ends[1]}", OWN: "From, to"}
        ranges[NOW] = f"One picture: {clock.name(session.playhead, rate)}"
        sound = session.document.sound
        start, end = (clock.text(time, rate) for time in self._ends)
        has = "Sound: the scene has none" if sound is None else f"Sound: {sound.name}"
        muted = ", which is muted" if sound is not None and sound.mute else ""
        ground = now.background if now.background in GROUNDS else OWN_GROUND
        found = described(now)
        shown = {
            "width": str(now.width),
            "height": str(now.height),
            "turn_seconds": f"{now.turn_seconds:g}",
            "background": now.background if ground == OWN_GROUND else FIRST_GROUND,
        }
        for name, in_views in self._in_views.items():
            given = getattr(now, name)
            found[name] = replace(found[name][0], choices=()), in_views if given is None else given
        return {
            **found,
            **{name: (found[name][0], text) for name, text in shown.items()},
            "codec": _list("Make", {name: kind.label for name, kind in KINDS.items()}, now.codec),
            "view": _list("Seen from", {**views, **cameras}, now.seen_by if now.seen_by in cameras else now.view),
            "sizes": _list("Size", {**SIZES, AS_VIEW: AS_VIEW, OWN_SIZE: OWN_SIZE}, size),
            "range": _list("Range", ranges, now.range),
            "start": (About(label="From"), start),
            "end": (About(label="To"), end),
            "sound": (About(label=has + muted), now.sound and sound is not None),
            "ground": _list("Background", {**GROUNDS, OWN_GROUND: OWN_GROUND}, ground),
        }

    def _add(self, title: str, *rows: Row) -> SheetForm:
        """Make the form of a group, folded under its title."""
        read = typed.moment(self._session.clock, self._session.document.rate)
        readers: dict[str, Callable[[str], Any]] = {
            "width": typed.side("the width"),
            "height": typed.side("the height"),
            "start": read("the start of the range"),
            "end": read("the end of the range"),
            "turn_seconds": typed.turn,
            "rate": str.strip,
            "background": str.strip,
        }
        form = self._forms[title] = SheetForm(self._options, self._take, readers=readers, wide=("title",), rows=rows)
        form.refused.connect(self.changed)
        self.fields |= form.fields
        if title:
            section = self.sections[title] = FoldedSection(title, lambda: form)
            form.setParent(section)
            form.hide()
            section.header.set_unfolded(title in self.choices.unfolded)
        return form

    def _listed(self) -> QListWidget:
        """Make the list of numbers that can be written: those that were, then those that the Plot panel shows."""
        document, listed = self._session.document, QListWidget(self)
        chosen = numbers_in(self.choices, document)
        charted = () if self._session.charted is None else self._session.charted(document)
        for each in list(dict.fromkeys((*chosen, *charted)))[:LISTED]:
            item = QListWidgetItem(label_of(each, document.actor(each.actor)), listed)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Checked if each in chosen else Qt.CheckState.Unchecked)
            item.setData(Qt.ItemDataRole.UserRole, each)
        listed.setFixedHeight(scaled(LIST_HEIGHT))
        listed.itemChanged.connect(lambda _: self._take("numbers", self._ticked()[:MOST_NUMBERS]))
        return listed

    # What they say

    def _take(self, name: str, value: Any) -> None:
        """Choose this; a few fields stand for others."""
        changes: dict[str, Any] = {name: value}
        if name in self._in_views and getattr(self.choices, name) is None and value == self._in_views[name]:
            changes = {}  # as long as it is left as the views have it
        elif name == "view":
            changes = {"seen_by": value} if isinstance(value, str) else {"view": value, "seen_by": ""}
        elif name == "sizes":
            changes = {"as_view": value == AS_VIEW}
            if isinstance(value, tuple):
                changes |= {"width": value[0], "height": value[1]}
        elif name == "range" and value == OWN:
            changes |= {"start": self._ends[0], "end": self._ends[1]}
        elif name == "ground":
            changes = {"background": self.fields["background"].text().strip() if value == OWN_GROUND else value}
        self.choices = replace(self.choices, **changes)
        self._ends = (self.choices.start, self.choices.end) if self.choices.range == OWN else self._ends
        self._show_what_counts()
        self.changed.emit()

    def _ticked(self) -> tuple[Quantity, ...]:
        items = (self.numbers.item(row) for row in range(self.numbers.count()))
        return tuple(
            each.data(Qt.ItemDataRole.UserRole) for each in items if each.checkState() == Qt.CheckState.Checked
        )

    def _show_what_counts(self) -> None:
        """Fields that mean something with the others as they are, and what folded groups hold."""
        now, fields = self.choices, self.fields
        sized = fields["sizes"].currentText() == OWN_SIZE
        for name in ("width", "height"):
            fields[name].setVisible(sized)
            if not sized:
                self._forms[""].show_values({name: str(getattr(now, name))})
        for name in ("start", "end"):
            fields[name].setVisible(now.range == OWN)
        fields["range"].setEnabled(now.camera != GOES_ROUND)
        fields["turn_seconds"].setEnabled(now.camera != STANDS)
        fields["curves"].setEnabled(bool(now.numbers))
        fields["background"].setVisible(fields["ground"].currentText() == OWN_GROUND)
        if now.as_view:
            fields["sizes"].setToolTip("{} x {} pixels".format(*size_of(now, self._window.view)))
        turning = "None" if now.camera == STANDS else f"Once round in {now.turn_seconds:g} s"
        rate = now.rate or rate_text(self._session.document.rate)
        boxes = {"grid": "grid", "shadows": "shadows", "signs": "signs", "trails": "trails", "onions": "skins"}
        seen = [text for name, text in boxes.items() if fields[name].isChecked()]
        written = [now.title.strip(), "time" if now.time else "", f"{len(now.numbers)} numbers" if now.numbers else ""]
        for title, summary in (
            (ROUND, turning),
            (QUALITY, f"{rate} a second, {fields['samples'].currentText().lower()}"),
            (SEEN, ", ".join((fields["ground"].currentText(), *seen))),
            (WRITTEN, ", ".join(filter(None, written)) or "None"),
        ):
            self.sections[title].header.set_summary(summary)

    def _of_what(self) -> str:
        if self._session.trails.choice.everyone:
            return "Trails and onion skins are of everything."
        nothing = "" if self._session.selection.items else ", and nothing is"
        return f"Trails and onion skins are of what is selected{nothing}."


def _list(label: str, texts: Mapping[Any, str], now: object) -> tuple[About, Any]:
    """Describe one of a few, each with its words."""
    return About(label=label, choices=tuple(texts), labels=tuple(texts.values())), now
