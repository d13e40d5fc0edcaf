"""Player: moves the playhead while a motion plays, forwards or backwards.

In real time it never waits for a picture: frames that would come late are dropped. Where every frame is shown it waits
for the picture of each, so that what is slow to work out plays slower, never faster.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame

TICK = 8  # [ms] between looks at the clock
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
FASTEST = 16  # times the speed, by asking for the same direction again


class Player(QObject):
    """Plays from the playhead to the end of the span, or back to its start, over and over if it loops."""

    changed = Signal()  # playing, looping, direction or speed

    def __init__(self, move: Callable[[int], None], *, clock: Callable[[], float] = perf_counter) -> None:
        """`move` puts the playhead somewhere; `clock` gives seconds."""
        super().__init__()
        self._move = move
        self._clock = clock
        self.playing = False
        self.looping = True
        self.every_frame = False  # else frames are dropped to keep real time
        self.speed = 1.0
        self.direction = 1  # 2: twice as fast, -1: backwards
        self._start, self._end = 0, 1
        self._rate: Rate = (30, 1)
        self._from = 0
        self._since = 0.0
        self._waits_for: int | None = None
        self._timer = QTimer(self, interval=TICK, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.step)

    @property
    def pace(self) -> float:
        """Times real time, below 0 backwards."""
        return self.speed * self.direction

    def play(self, start: int, end: int, rate: Rate, playhead: int, *, direction: int = 1) -> None:
        """Begin at the playhead, or at the other end if it stands where this would end, or outside."""
        self._start, self._end, self._rate = start, max(end, start + 1), rate
        self.direction = direction
        first, ends_at = (start, end) if direction > 0 else (end, start)
        self._begin_at(playhead if start <= playhead <= end and playhead != ends_at else first)
        self.playing = True
        self._timer.start()
        self.changed.emit()

    def faster(self, direction: int) -> int:
        """Find the pace after one more command to go forwards (1) or backwards (-1): twice as fast if it does
        already."""
        same = self.playing and self.direction * direction > 0
        return direction * min(2 * abs(self.direction), FASTEST) if same else direction

    def follow(self, start: int, end: int, rate: Rate) -> None:
        """Something else is to be played from here on: a layer has gone, a range is another."""
        if self.playing and (start, end, rate) != (self._start, self._end, self._rate):
            now = self._now()
            self._start, self._end, self._rate = start, max(end, start + 1), rate
            self._begin_at(min(max(now, start), end))

    def pause(self) -> None:
        """Stay on the picture that is seen."""
        if self.playing:
            self.playing = False
            self._timer.stop()
            self.changed.emit()

    def set_looping(self, looping: bool) -> None:
        """Let the start follow on the end, or not."""
        self.looping = looping
        self.changed.emit()

    def set_every_frame(self, every_frame: bool) -> None:
        """Show each frame, however long it takes, or leave some out."""
        self._begin_at(self._now())
        self.every_frame = every_frame
        self.changed.emit()

    def set_speed(self, speed: float) -> None:
        """Play at so many times the real speed."""
        self._begin_at(self._now())
        self.speed = speed
        self.changed.emit()

    def seek(self, time: int) -> None:
        """Go on from there."""
        self._begin_at(time)

    def shown(self, time: int) -> None:
        """Go on: the picture of a time is there, or will never come."""
        if time == self._waits_for:
            self._waits_for = None

    def step(self) -> None:
        """Put the playhead on the frame whose time has come."""
        if self.every_frame:
            if not self._is_due():
                return
            now = self._neighbour()
        else:
            now = self._now()
        if now >= self._end if self.direction > 0 else now < self._start:
            if not self.looping:
                self._move(self._end if self.direction > 0 else self._start)
                self.pause()
                return
            now = self._start + (now - self._start) % (self._end - self._start)
            self._begin_at(now)
        elif self.every_frame:
            self._begin_at(now)
        place = max(self._start, min(on_frame(now, self._rate), self._end))
        self._waits_for = place
        self._move(place)

    def _begin_at(self, time: int) -> None:
        self._from, self._since, self._waits_for = time, self._clock(), None

    def _now(self) -> int:
        if self.every_frame:
            return self._from
        return self._from + round((self._clock() - self._since) * self.pace * TICKS_PER_SECOND)

    def _is_due(self) -> bool:
        """True if the next frame may be shown: this one was, for as long as a frame lasts."""
        gone = self._clock() - self._since
        lasts = ticks_per_frame(self._rate) / (TICKS_PER_SECOND * abs(self.pace))
        return gone >= lasts and self._waits_for is None

    def _neighbour(self) -> int:
        """Return the tick of the next frame in the direction of play."""
        frame = frame_of(self._from, self._rate)
        return frame_time(frame + (1 if self.direction > 0 else -1), self._rate)


def on_frame(time: int, rate: Rate) -> int:
    """Return the tick of the last frame at or before a time."""
    return frame_time(frame_of(time, rate), rate)


def frame_of(time: int, rate: Rate) -> int:
    """Return the number of the last frame at or before a time."""
    frame = time * rate[0] // (TICKS_PER_SECOND * rate[1])
    return frame + 1 if frame_time(frame + 1, rate) <= time else frame
