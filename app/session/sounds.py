"""Sounds: the sound of a document, read, decoded and drawn small on threads of their own, and heard with the motion."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.session.speaker import LATENCY, MOMENT, RATE, SoundCue, Speaker
from engine.document.motion import TICKS_PER_SECOND
from engine.document.sound import LOUDEST, Sound
from engine.edits import edit
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.session.history import History
    from app.session.session import Session
    from engine.formats.sound_file import Samples

SUFFIXES = (".wav", ".flac", ".ogg", ".oga")
LEVELS = (65536, 16384, 4096, 1024, 256)  # parts of a sound, for drawings of it of different size
APART = round(0.09 * TICKS_PER_SECOND)  # that sound and picture may be apart before the sound goes to the picture
STEP = 10.0 ** (3.0 / 20.0)  # 3 dB


class Sounds(QObject):
    """The sounds that are heard in a session."""

    changed = Signal()  # the drawing of the sound is there, or another
    _added = Signal(object, object)  # Sound, history of the scene that it is for; these come from other threads
    _refused = Signal(str)
    _silent = Signal(str)
    _decoded = Signal(str, object, object)  # digest, samples, peaks by level

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.speaker = Speaker(when_silent=self._tell_silent)
        self.peaks: tuple[NDArray[np.int16], ...] = ()  # lowest and highest sample of each part, the finest first
        self._samples: Samples | None = None
        self._digest = ""  # of the sound that these are of, or will be
        self._threads: list[threading.Thread] = []
        queued = Qt.ConnectionType.QueuedConnection
        self._added.connect(self._set, queued)
        self._refused.connect(lambda why: session.note("error", why), queued)
        self._decoded.connect(self._take, queued)
        self._silent.connect(lambda why: session.note("note", why), queued)
        session.document_changed.connect(lambda old, new: self._follow())
        session.player.changed.connect(self._play)
        session.playhead_moved.connect(self._move)
        self._follow()

    @property
    def sound(self) -> Sound | None:
        """That of the document."""
        return self._session.document.sound

    def add(self, path: Path) -> None:
        """Let the sound of a file be heard with the motion, from the start on."""
        history = self._session.history  # another scene may be open by the time that it is read
        self._run(lambda: self._read(path, history))

    def remove(self) -> None:
        """Take it away."""
        self._session.do(edit("remove_sound"))

    def mute(self, mute: bool) -> None:
        """Let it not be heard, or be heard again."""
        self._session.do(edit("change_sound", mute=mute))

    def louder(self, steps: int) -> None:
        """Raise the volume by so many steps of 3 dB; below 0 lower it."""
        if self.sound is not None:
            self._session.do(edit("change_sound", gain=min(self.sound.gain * STEP**steps, LOUDEST)))

    def move(self, start: int) -> None:
        """Let it begin at a tick."""
        self._session.do(edit("change_sound", start=start))

    def close(self) -> bool:
        """End all that is heard or decoded; False if that took too long."""
        ended = self.speaker.close()
        for thread in self._threads:
            thread.join(5.0)
        return ended and not any(thread.is_alive() for thread in self._threads)

    # How it is done

    def _run(self, work: Callable[[], None]) -> None:
        self._threads = [each for each in self._threads if each.is_alive()]
        thread = threading.Thread(target=work, name="sound", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _read(self, path: Path, history: History) -> None:
        from engine.formats.sound_file import read_sound

        with suppress(RuntimeError):  # the window has gone meanwhile
            try:
                self._added.emit(read_sound(path), history)
            except EngineError as problem:
                self._refused.emit(f"{str(problem)[:1].upper()}{str(problem)[1:]}")

    def _tell_silent(self, why: str) -> None:
        with suppress(RuntimeError):  # the window has gone meanwhile
            self._silent.emit(
                f"Nothing is heard: this machine gave no sound device ({why}). Videos have their sound all the same. "
                "Connect one, then start Sinew again."
            )

    def _set(self, sound: Sound, history: History) -> None:
        if history is self._session.history:
            self._session.do(edit("set_sound", sound=sound))
        else:
            text = f"The sound {sound.name} was for the scene before and is not heard in this one. Add it again here."
            self._session.note("note", text)

    def _follow(self) -> None:
        digest = "" if self.sound is None else self.sound.data.digest
        if digest != self._digest:
            self._digest, self._samples, self.peaks = digest, None, ()
            if self.sound is not None:
                data = self.sound.data
                self._run(lambda: self._decode(digest, data.data))
        self.changed.emit()
        self._play()

    def _decode(self, digest: str, data: bytes) -> None:
        from engine.evaluate.sound import peaks
        from engine.formats.sound_file import NoSound, decode

        with suppress(RuntimeError):
            try:
                samples = decode(data)
            except NoSound as problem:
                self._refused.emit(f"The sound of this scene cannot be heard: {problem}. Remove it, or add another.")
                return
            self._decoded.emit(digest, samples, tuple(peaks(samples, count) for count in LEVELS))

    def _take(self, digest: str, samples: Samples, found: tuple[NDArray[np.int16], ...]) -> None:
        if digest == self._digest:
            self._samples, self.peaks = samples, found
            self.changed.emit()
            self._play()

    def _play(self) -> None:
        """Be heard while the motion plays in real time, at its pace."""
        player = self._session.player
        heard = player.playing and not player.every_frame
        self.speaker.say(self._line(self._session.playhead, player.pace) if heard else None)

    def _move(self, time: int) -> None:
        """Follow the playhead to another place."""
        player = self._session.player
        if not player.playing:
            line = self._line(time, 1.0, count=round(MOMENT * RATE))
            if line is not None:
                self.speaker.say(line)
        elif not player.every_frame:
            now = self.speaker.voice.time
            ahead = LATENCY * player.pace * TICKS_PER_SECOND
            if now is not None and abs(now - ahead - time) > APART * max(abs(player.pace), 1.0):
                self._play()

    def _line(self, time: int, pace: float, *, count: int | None = None) -> SoundCue | None:
        if self.sound is None or self._samples is None or self.sound.mute:
            return None
        ahead = 0.0 if count is not None else LATENCY * pace * TICKS_PER_SECOND
        return SoundCue(self.sound, self._samples, time + ahead, pace, count)
