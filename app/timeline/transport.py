"""Transport: play, step, loop, playback speed, frame rate, and the ruler."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.session import Session
from app.session.clock import rate_text
from app.session.player import SPEEDS
from app.style.fonts import number_font
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.live_label import LiveLabel
from app.timeline.auto_key import AutoKeySwitch
from app.timeline.rate_field import RateField
from app.timeline.ruler import Ruler, stepped
from app.timeline.sound_track import SoundTrack
from engine.document import Document
from engine.document.extent import play_extent
from engine.document.key_times import between_frames, key_times


class Transport(QWidget):
    """The bar below the picture."""

    help_text = """
<p>Time. {time.play} plays and pauses, {time.back} and {time.on} go by one frame, {time.start} and {time.end} to the
ends, {time.key_before} and {time.key_after} to the keys of what is selected. {time.forwards} and {time.backwards} play
either way, twice as fast with each press, {time.stop} stops; {time.loop} plays over and over.</p>
<p>Drag along the ruler to look at any moment. The small marks on it are keys. The band below them is what is played:
drag its ends, or hold Shift and draw another; {time.range_start} and {time.range_end} put them at the playhead,
{time.range_clear} plays everything.</p>
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
        self.key_draft = IconButton("key-round", "Key the draft", colour="warning", action="pose.key_draft")
        kept = self.key_draft.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # else the ruler would shift under a drag in it
        self.key_draft.setSizePolicy(kept)
        self.ruler = Ruler(session)
        self.sound = SoundTrack(session, self.ruler)
        self.clock = QLabel()
        self.clock.setFont(number_font())
        self.clock.setMinimumWidth(74)
        self.clock.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.pace = LiveLabel("How fast and which way it plays")
        self.rate = RateField(session)
        self.speed = QComboBox()
        self.speed.setToolTip("How fast it plays")
        self.speed.setAccessibleName("Speed")
        for each in SPEEDS:
            self.speed.addItem(f"{each:g}×", each)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        steps = (self.to_start, self.key_before, self.back, self.play, self.forward, self.key_after, self.to_end)
        for widget in (*steps, self.loop, self.auto_key):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.key_draft)
        row.addWidget(self.pace)
        row.addWidget(self.clock)
        row.addSpacing(6)
        row.addWidget(self.speed)
        row.addSpacing(4)
        row.addWidget(self.rate)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 3, 8, 2)
        column.setSpacing(1)
        column.addLayout(row)
        column.addWidget(self.ruler)
        column.addWidget(self.sound)
        self._connect()
        self._show_playhead(session.playhead)
        self._show_player()
        self._show_posing()

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
        session.player.changed.connect(self._show_player)
        session.playhead_moved.connect(self._show_playhead)
        session.clock.changed.connect(lambda: self._show_playhead(session.playhead))
        session.document_changed.connect(self._follow)

    def step(self, frames: int) -> None:
        """Step some frames on, within the play range; from outside it never the other way."""
        session = self._session
        (start, end), now = play_extent(session.document), session.playhead
        self._go(min(max(stepped(now, frames, session.document.rate), min(start, now)), max(end, now)))

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

    def _follow(self, old: Document, new: Document) -> None:
        self._show_playhead(self._session.playhead)
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
        self.clock.setText(self._session.clock.other_text(time, self._session.document.rate))

    def _show_posing(self) -> None:
        posing = self._session.posing
        self.auto_key.setChecked(posing.auto_key)
        self.key_draft.setVisible(posing.drafted)

    def _show_player(self) -> None:
        player = self._session.player
        self.play.set_icon("pause" if player.playing else "play")
        self.play.set_tip("Pause" if player.playing else "Play")
        self.loop.setChecked(player.looping)
        self.speed.setCurrentIndex(SPEEDS.index(player.speed))
        shuttles = player.playing and player.direction != 1
        self.pace.show_text(f"{player.direction}×".replace("-", "\N{MINUS SIGN}") if shuttles else "")
