"""Transport: play, step, loop, playback speed, frame rate, and the ruler."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from app.session import Session
from app.session.clock import rate_text
from app.session.player import SPEEDS
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.live_label import LiveLabel
from app.style.wrapping_row import WrappingRow
from app.timeline.auto_key import AutoKeySwitch
from app.timeline.play_range import played_range
from app.timeline.rate_field import RateField
from app.timeline.ruler import Ruler, stepped
from app.timeline.sound_track import SoundTrack
from app.timeline.time_field import TimeField
from engine.document import Document
from engine.document.extent import play_extent
from engine.document.key_times import between_frames, key_times
from engine.edits import edit

WHOLE = "A play range is set, and that alone is played and exported. Play the whole scene"


class Transport(QWidget):
    """The bar below the picture."""

    help_text = """
<p>Time. {time.play} plays and pauses, {time.back} and {time.on} go by one frame, {time.start} and {time.end} to the
ends, {time.key_before} and {time.key_after} to the keys of what is selected. {time.forwards} and {time.backwards} play
either way, twice as fast with each press, {time.stop} stops; {time.loop} plays over and over.</p>
<p>Drag along the ruler to look at any moment, or type it: the field at the right takes a frame, as 48, or seconds, as
1.6 s, also beyond the last key. The small marks on the ruler are keys.</p>
<p>The fields at its ends say how long the scene lasts, and the band below shows it: type, or drag its ends.
{time.scene_start} and {time.scene_end} put them at the playhead, {time.scene_fit} makes the scene as long as its
keys.</p>
<p>To play a part, hold Shift and draw it, or press {time.range_start} and {time.range_end} at its ends: a second band,
in colour, is the play range. While there is one the fields are its own; {time.range_clear} plays the whole scene
again. What is played is also what is exported.</p>
<p>The lists at the right are how fast it plays, and how many frames a second are counted. Keys keep their time when
that changes; {time.snap_keys} moves those in between to frames. Frames are left out rather than time stretched, unless
{time.every_frame} shows every frame. {time.seconds} counts in seconds.</p>
<p>A sound is dropped onto the window (WAV, FLAC or OGG), or added by {add.sound}. It stands under the ruler: drag it in
time. It is heard as the motion plays, and a moment of it as you drag along the ruler.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._history = session, session.history
        self.to_start = IconButton("skip-back", "To the start", action="time.start")
        self.back = IconButton("step-back", "One frame back", action="time.back")
        self.play = IconButton("play", "Play", colour="text", size=16, action="time.play")
        self.forward = IconButton("step-forward", "One frame on", action="time.on")
        self.to_end = IconButton("skip-forward", "To the end", action="time.end")
        self.key_before = IconButton("chevron-left", "To the key before", action="time.key_before")
        self.key_after = IconButton("chevron-right", "To the key after", action="time.key_after")
        self.loop = IconButton("repeat", "Play over and over", action="time.loop")
        self.loop.setCheckable(True)
        self.auto_key = AutoKeySwitch()
        self.key_draft = IconButton("key-round", "Key the working pose", colour="warning", action="pose.key_draft")
        kept = self.key_draft.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # else the ruler would shift under a drag in it
        self.key_draft.setSizePolicy(kept)
        self.ruler = Ruler(session)
        self.sound = SoundTrack(session, self.ruler)
        self.clock = LiveLabel(least=58)
        self.clock.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.now = TimeField(session, "Current time", "The frame that is shown")
        self.first = TimeField(session, "Start", "The first frame")
        self.last = TimeField(session, "End", "The last frame")
        self.whole = IconButton("unfold-horizontal", WHOLE, colour="accent", action="time.range_clear")
        kept = self.whole.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.whole.setSizePolicy(kept)
        self.pace = LiveLabel("How fast and which way it plays")
        self.rate = RateField(session)
        self.speed = QComboBox()
        self.speed.setToolTip("How fast it plays")
        self.speed.setAccessibleName("Speed")
        for each in SPEEDS:
            self.speed.addItem(f"{each:g}×", each)
        self._lay_out()
        self._connect()
        self._show_playhead(session.playhead)
        self._show_range()
        self._show_player()
        self._show_posing()

    def _lay_out(self) -> None:
        row = WrappingRow(gap=6, margins=QMargins())  # several lines where the screen is narrow
        steps = (self.to_start, self.key_before, self.back, self.play, self.forward, self.key_after, self.to_end)
        row.add_group(*steps, self.loop, self.auto_key, spacing=2)
        row.add_group(self.key_draft, self.pace, self.now, self.clock, spacing=2, at_end=True)
        row.add_group(self.speed, self.rate, spacing=6, at_end=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 3, 8, 2)
        column.setSpacing(1)
        column.addLayout(row)
        times = QGridLayout()
        times.setContentsMargins(0, 0, 0, 0)
        times.setHorizontalSpacing(2)
        times.setVerticalSpacing(1)
        times.addWidget(self.first, 0, 0)
        times.addWidget(self.ruler, 0, 1)
        times.addWidget(self.last, 0, 2)
        times.addWidget(self.whole, 0, 3)
        times.addWidget(self.sound, 1, 1)
        times.setColumnStretch(1, 1)
        column.addLayout(times)

    def _connect(self) -> None:
        session = self._session
        self.play.clicked.connect(lambda: session.play())
        self.to_start.clicked.connect(lambda: self.go_to_end(last=False))
        self.to_end.clicked.connect(lambda: self.go_to_end(last=True))
        self.back.clicked.connect(lambda: self.step(-1))
        self.forward.clicked.connect(lambda: self.step(1))
        self.key_before.clicked.connect(lambda: self.go_to_key(-1))
        self.key_after.clicked.connect(lambda: self.go_to_key(1))
        self.loop.clicked.connect(session.player.set_looping)
        self.auto_key.clicked.connect(session.posing.set_auto_key)
        self.key_draft.clicked.connect(session.posing.key_draft)
        session.posing.changed.connect(self._show_posing)
        self.speed.activated.connect(lambda place: session.player.set_speed(float(self.speed.itemData(place))))
        self.ruler.moved.connect(self._go)
        self.now.entered.connect(self._go)
        self.first.entered.connect(lambda time: self._set_range(start=time))
        self.last.entered.connect(lambda time: self._set_range(end=time))
        self.whole.clicked.connect(lambda: session.do(edit("set_play_range")))
        session.player.changed.connect(self._show_player)
        session.playhead_moved.connect(self._show_playhead)
        session.clock.changed.connect(lambda: self._show_playhead(session.playhead))
        session.document_changed.connect(self._follow)

    def step(self, frames: int) -> None:
        """Step some frames on, beyond the end too, where later keys are made; back to the start of what is played."""
        session = self._session
        start, now = play_extent(session.document)[0], session.playhead
        self._go(max(stepped(now, frames, session.document.rate), min(start, now)))

    def go_to_end(self, *, last: bool) -> None:
        """Go to the first or the last frame of the play range."""
        self._go(play_extent(self._session.document)[1 if last else 0])

    def go_to_key(self, direction: int) -> None:
        """Go to the next key after (1) or before (-1) the playhead: of the selection, or of everything."""
        session = self._session
        meant = [(item.actor, item.part, item.added) for item in session.selection.items]
        times = key_times(session.document, meant)
        beyond = [each for each in times if (each - session.playhead) * direction > 0]
        if beyond:
            self._go(min(beyond) if direction > 0 else max(beyond))
        else:
            where = "after" if direction > 0 else "before"
            whose = " of what is selected" if meant else ""
            here = session.clock.name(session.playhead, session.document.rate)
            session.note("note", f"There is no key{whose} {where} {here}.")

    def _go(self, time: int) -> None:
        self._session.player.pause()
        self._session.set_playhead(time)

    def _set_range(self, start: int | None = None, end: int | None = None) -> None:
        """Let what is played begin or end at another time; one that would leave nothing is refused in words."""
        session = self._session
        first, last = play_extent(session.document)
        first, last = first if start is None else start, last if end is None else end
        if first < last:
            session.do(played_range(session.document, first, last))
            return
        rate, clock = session.document.rate, session.clock
        wrong, other = (first, last) if end is None else (last, first)
        where, way = ("end", "before") if end is None else ("start", "after")
        session.note(
            "warning",
            f"Its {where} is at {clock.name(other, rate)}, so {clock.name(wrong, rate)} would leave nothing to play. "
            f"Type a time {way} that, or change the {where} first.",
        )

    def _follow(self, old: Document, new: Document) -> None:
        self._show_playhead(self._session.playhead)
        self._show_range()
        same, self._history = self._session.history is self._history, self._session.history
        off = between_frames(new) if new.rate != old.rate and same else 0  # what was just opened was not given a rate
        if off:
            keys = "1 key falls" if off == 1 else f"{off} keys fall"
            self._session.note(
                "warning",
                f"Keys keep their time: at {rate_text(new.rate)} frames a second {keys} between frames. "
                "Time > Frame rate > Snap keys to frames moves them to the nearest.",
            )

    def _show_playhead(self, time: int) -> None:
        self.clock.show_text(self._session.clock.other_text(time, self._session.document.rate))
        self.now.show_time(time)

    def _show_range(self) -> None:
        document = self._session.document
        first, last = play_extent(document)
        self.first.show_time(first)
        self.last.show_time(last)
        self.whole.setVisible(document.play is not None)

    def _show_posing(self) -> None:
        posing = self._session.posing
        self.auto_key.setChecked(posing.auto_key)
        self.auto_key.show_drafted(posing.drafted)
        self.key_draft.setVisible(posing.drafted)

    def _show_player(self) -> None:
        player = self._session.player
        self.play.set_icon("pause" if player.playing else "play")
        self.play.set_tip("Pause" if player.playing else "Play")
        self.loop.setChecked(player.looping)
        self.speed.setCurrentIndex(SPEEDS.index(player.speed))
        shuttles = player.playing and player.direction != 1
        self.pace.show_text(f"{player.direction}×".replace("-", "\N{MINUS SIGN}") if shuttles else "")
