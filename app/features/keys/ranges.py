"""Ranges: a range of time stretched, slid, reversed, mirrored, looped or filled anew, seen before it is kept."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout

from app.features.keys.breakdowns import PERCENT
from app.features.keys.trial_card import NOTHING, TrialCard
from app.session import Session, keying
from app.session.gesture import EditOrCommand
from app.session.player import frame_of
from app.style.icon_button import IconButton
from app.style.units import Unit
from engine.document.extent import play_extent
from engine.document.motion import frame_time
from engine.edits import edit

FRAMES = Unit(suffix="", words="frames", scale=1.0, decimals=0, step=1.0, coarse=10.0)
TIMES = Unit(suffix=" ×", words="times", scale=1.0, decimals=0, step=1.0, coarse=5.0)
DEEDS = ("Stretch", "Slide", "Reverse", "Mirror", "Loop", "Fill")
AT_ONCE = ("Reverse", "Mirror", "Fill")  # that ask for nothing more
GOES_ON = (("place", "The root goes on"), ("none", "Nothing goes on"), ("all", "All channels go on"))
FARTHEST = 100_000  # frames that can be typed, either way, and as far as what is played
EMPTY = "The range is empty: put To behind From."


class Ranges(TrialCard):
    """The card of range edits of what is selected, from one frame to another."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.deed = QComboBox()
        self.deed.addItems(DEEDS)
        self.deed.setAccessibleName("What is done with the range")
        self.deed.setToolTip("Fill makes the range anew from what comes before and after it: for gaps of captures")
        self.start, self.end = (
            self._slider(label, FRAMES, None, 0.0, "A frame", self._take_end) for label in ("From", "To")
        )
        self.whole = IconButton("scan", "All that is played")
        self.length = self._slider("Length", PERCENT, (0.1, 4.0), 1.0, "Of the range as it is")
        self.by = self._slider("By", FRAMES, (-1000.0, 1000.0), 0.0, "Frames, later or (below 0) earlier")
        self.count = self._slider("Times", TIMES, (1.0, 100.0), 2.0, "How often the range runs")
        self.goes_on = QComboBox()
        self.goes_on.setAccessibleName("What goes on from where it ended")
        self.goes_on.setToolTip("What begins each time where it ended: a walk goes on forwards with its root")
        for value, text in GOES_ON:
            self.goes_on.addItem(text, value)
        self.shifts = QCheckBox("What comes after moves along")
        self.shifts.setToolTip("Else it stays: a longer range runs over it, and a shorter one leads on to it")
        self.shifts.setChecked(True)
        self._played: tuple[float, float] | None = None  # what From and To follow until they are set by hand
        ends = QHBoxLayout()
        ends.setSpacing(4)
        for end in (self.start, self.end):
            ends.addWidget(end, 1)
        ends.addWidget(self.whole)
        self._lay_out(self.deed, ends, self.length, self.by, self.count, self.goes_on, self.shifts)
        self._connect()
        self._take_play_range()
        self._show_deed()

    def refresh(self) -> None:
        """Say of what, and take what is played as the range until another one was set."""
        if not self.trial.open and self._played == (self.start.value, self.end.value):
            self._take_play_range()
        super().refresh()
        self.about.setText(f"{self.about.text()}, in frames")

    def command(self) -> tuple[str, EditOrCommand] | str:
        rate, kind = self._session.document.rate, self.deed.currentText()
        most = max((FARTHEST, *map(abs, self._played or ())))
        for each, name in ((self.start, "From"), (self.end, "To")):
            if not abs(each.value) <= most:
                return f"{name} is {each.value:,.6g}, which is too far: keep it within {most:,.0f} frames either way."
        start, end = (frame_time(round(each.value), rate) for each in (self.start, self.end))
        if end <= start:
            return EMPTY
        parts = keying.range_parts(self._session, with_partners=kind == "Mirror")
        if not parts:
            return NOTHING
        place = {"parts": parts, "start": start, "end": end}
        after = {"shifts": self.shifts.isChecked(), "play": self.shifts.isChecked()}
        if kind == "Stretch":
            length = max(1, round((end - start) * self.length.value))
            return f"Stretch range to {PERCENT.text(self.length.value)}", edit(
                "stretch_ranges", **place, length=length, **after
            )
        if kind == "Slide":
            frames = round(self.by.value)
            label = f"Slide range by {frames} frame{'' if abs(frames) == 1 else 's'}"
            return label, edit("slide_ranges", **place, ticks=frame_time(frames, rate))
        if kind == "Loop":
            count, goes_on = round(self.count.value), self.goes_on.currentData()
            label = f"Loop range {count} time{'' if count == 1 else 's'}"
            return label, edit("loop_ranges", **place, count=count, goes_on=goes_on, **after)
        return f"{kind} range", edit(f"{kind.lower()}_ranges", **place)

    def _connect(self) -> None:
        self.deed.activated.connect(lambda place: self._choose_deed())
        self.goes_on.activated.connect(lambda place: self._try_out())
        self.shifts.clicked.connect(lambda on: self._try_out())
        self.whole.clicked.connect(self._take_play_range)

    def _take_end(self) -> None:
        """Take another range; nothing is shown of it yet where the edit asks for more."""
        if self.trial.open or self.deed.currentText() in AT_ONCE:
            self._try_out()
        else:
            self._show_state()

    def _choose_deed(self) -> None:
        self._show_deed()
        self._take_end()

    def _show_deed(self) -> None:
        kind = self.deed.currentText()
        self.length.setVisible(kind == "Stretch")
        self.by.setVisible(kind == "Slide")
        for widget in (self.count, self.goes_on):
            widget.setVisible(kind == "Loop")
        self.shifts.setVisible(kind in ("Stretch", "Loop"))

    def _take_play_range(self) -> None:
        rate, (first, last) = self._session.document.rate, play_extent(self._session.document)
        self._played = float(frame_of(first, rate)), float(frame_of(last, rate))
        for slider, frame in zip((self.start, self.end), self._played, strict=True):
            slider.set_value(frame)
            slider.set_rest(frame)
        self._follow()
