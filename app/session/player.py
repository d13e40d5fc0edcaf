"""Player: moves the playhead in real time. It never waits for a picture: frames that would come late are dropped."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time

TICK = 8  # [ms] between looks at the clock
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class Player(QObject):
    """Plays from the playhead to the end of the span, over and over if it loops."""

    changed = Signal()  # playing, looping or speed

    def __init__(self, move: Callable[[int], None], *, clock: Callable[[], float] = perf_counter) -> None:
        """`move` puts the playhead somewhere; `clock` gives seconds."""
        super().__init__()
        self._move = move
        self._clock = clock
        self.playing = False
        self.looping = True
        self.speed = 1.0
        self._start, self._end = 0, 1
        self._rate: Rate = (30, 1)
        self._from = 0
        self._since = 0.0
        self._timer = QTimer(self, interval=TICK, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.step)

    def play(self, start: int, end: int, rate: Rate, playhead: int) -> None:
        """Begin at the playhead, or at the start if it stands at the end or outside."""
        self._start, self._end, self._rate = start, max(end, start + 1), rate
        self._begin_at(playhead if start <= playhead < end else start)
        self.playing = True
        self._timer.start()
        self.changed.emit()

    def pause(self) -> None:
        """Stay on the picture that is seen."""
        if self.playing:
            self.playing = False
            self._timer.stop()
            self.changed.emit()

    def set_looping(self, looping: bool) -> None:
        """Whether the start follows on the end."""
        self.looping = looping
        self.changed.emit()

    def set_speed(self, speed: float) -> None:
        """Play at so many times the real speed."""
        self._begin_at(self._now())
        self.speed = speed
        self.changed.emit()

    def seek(self, time: int) -> None:
        """Go on from there."""
        self._begin_at(time)

    def step(self) -> None:
        """Put the playhead on the frame whose time has come."""
        now, length = self._now(), self._end - self._start
        if now >= self._end:
            if not self.looping:
                self._move(self._end)
                self.pause()
                return
            now = self._start + (now - self._start) % length
            self._begin_at(now)
        self._move(max(self._start, min(on_frame(now, self._rate), self._end)))

    def _begin_at(self, time: int) -> None:
        self._from, self._since = time, self._clock()

    def _now(self) -> int:
        return self._from + round((self._clock() - self._since) * self.speed * TICKS_PER_SECOND)


def on_frame(time: int, rate: Rate) -> int:
    """The tick of the last frame at or before a time."""
    return frame_time(frame_of(time, rate), rate)


def frame_of(time: int, rate: Rate) -> int:
    """The number of the last frame at or before a time."""
    frame = time * rate[0] // (TICKS_PER_SECOND * rate[1])
    return frame + 1 if frame_time(frame + 1, rate) <= time else frame
