"""Transport: play, step, loop, how fast, and the ruler. It keeps to real time by dropping frames."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from app.session import Session
from app.session.player import SPEEDS, frame_of
from app.style.fonts import number_font
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.timeline.auto_key import AutoKeySwitch
from app.timeline.ruler import Ruler
from engine.document import Document
from engine.document.drafts import draft_times
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND, frame_time


class Transport(QWidget):
    """The bar below the picture."""

    help_text = """
<p>Time. {time.play} plays and pauses, {time.back} and {time.on} go by one frame, {time.start} and {time.end} to the
ends, {time.loop} plays over and over.</p>
<p>Drag along the ruler to look at any moment. The small marks on it are keys. The list at the right is how fast it
plays; frames are left out rather than time stretched.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self.to_start = IconButton("skip-back", "To the start", action="time.start")
        self.back = IconButton("step-back", "One frame back", action="time.back")
        self.play = IconButton("play", "Play", colour="text", size=16, action="time.play")
        self.forward = IconButton("step-forward", "One frame on", action="time.on")
        self.to_end = IconButton("skip-forward", "To the end", action="time.end")
        self.loop = IconButton("repeat", "Play over and over", action="time.loop")
        self.loop.setCheckable(True)
        self.auto_key = AutoKeySwitch()
        self.key_draft = IconButton("key-round", "Key the draft", colour="warning", action="pose.key_draft")
        kept = self.key_draft.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # else the ruler would shift under the hand that drags in it
        self.key_draft.setSizePolicy(kept)
        self.ruler = Ruler()
        self.clock = QLabel()
        self.clock.setFont(number_font())
        self.clock.setMinimumWidth(74)
        self.clock.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.speed = QComboBox()
        self.speed.setToolTip("How fast it plays")
        self.speed.setAccessibleName("Speed")
        for each in SPEEDS:
            self.speed.addItem(f"{each:g}×", each)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 8, 2)
        row.setSpacing(2)
        for widget in (self.to_start, self.back, self.play, self.forward, self.to_end, self.loop, self.auto_key):
            row.addWidget(widget)
        row.addWidget(self.ruler, 1)
        row.addWidget(self.key_draft)
        row.addWidget(self.clock)
        row.addSpacing(6)
        row.addWidget(self.speed)
        self._connect()
        self._follow(session.document)
        self._show_player()
        self._show_posing()

    def _connect(self) -> None:
        session = self._session
        self.play.clicked.connect(session.play)
        self.to_start.clicked.connect(lambda: self.go_to_end(last=False))
        self.to_end.clicked.connect(lambda: self.go_to_end(last=True))
        self.back.clicked.connect(lambda: self.step(-1))
        self.forward.clicked.connect(lambda: self.step(1))
        self.loop.clicked.connect(session.player.set_looping)
        self.auto_key.clicked.connect(session.posing.set_auto_key)
        self.key_draft.clicked.connect(session.posing.key_draft)
        session.posing.changed.connect(self._show_posing)
        self.speed.activated.connect(lambda place: session.player.set_speed(float(self.speed.itemData(place))))
        self.ruler.moved.connect(self._go)
        session.player.changed.connect(self._show_player)
        session.playhead_moved.connect(self._show_playhead)
        session.document_changed.connect(lambda old, new: self._follow(new))

    def step(self, frames: int) -> None:
        """So many frames on, within what is played."""
        session = self._session
        rate, (start, end) = session.document.rate, play_extent(session.document)
        self._go(min(max(frame_time(frame_of(session.playhead, rate) + frames, rate), start), end))

    def go_to_end(self, *, last: bool) -> None:
        """To the first or the last frame that is played."""
        self._go(play_extent(self._session.document)[1 if last else 0])

    def _go(self, time: int) -> None:
        self._session.player.pause()
        self._session.set_playhead(time)

    def _follow(self, document: Document) -> None:
        start, end = play_extent(document)
        self.ruler.show_span(start, end, document.rate)
        self.ruler.show_keys(key_times(document))
        self.ruler.show_drafts(draft_times(document))
        self._show_playhead(self._session.playhead)

    def _show_playhead(self, time: int) -> None:
        self.ruler.show_playhead(time)
        self.clock.setText(f"{time / TICKS_PER_SECOND:.2f} s")

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


def key_times(document: Document) -> tuple[int, ...]:
    """Every tick on which a key stands."""
    tracks = (track for actor in document.actors for layer in actor.layers for track in layer.tracks)
    return tuple(sorted({key.time for track in tracks for key in track.keys}))
