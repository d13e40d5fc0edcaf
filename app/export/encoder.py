"""Encoder: ffmpeg, a program of its own, fed through a pipe by a thread, so that nobody waits for it.

It writes into a folder of its own beside the file that is to be, under another name; only what is whole is put in its
place. However an export ends, that folder goes, and one that a killed process left goes with the next export there.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from app.export.command import FRAMES, SOUND, command, film_name
from engine.project import disk
from engine.project.own_folder import own_folder
from engine.runtime.child import signal_name
from engine.runtime.errors import EngineError, UnwritableFile
from engine.runtime.progress import Cancelled

if TYPE_CHECKING:
    from app.export.drawing import Frame
    from app.export.plan import Plan

State = Literal["running", "done", "failed", "cancelled"]
ROOM = 3  # frames that wait
LOOK_EVERY = 32  # frames between looks at whether the folder is still there
PIPE = 1 << 20  # [bytes]
LOWER = 5  # by which the encoder's priority is less than the window's
if sys.platform == "linux":
    import fcntl

_FLAGS = 0x08000000 | 0x00004000 if sys.platform == "win32" else 0  # without a window, below normal priority


class EncoderFailed(EngineError):
    """The encoder ended before its file was whole."""

    def __init__(self, *, path: Path, why: str) -> None:
        super().__init__(f"cannot write {path}: {why}. Nothing was left behind; export it again")
        self.path, self.why = path, why


class Encoder:
    """The encoder of one export. `on_progress` is called on its thread after each frame and at the end."""

    def __init__(self, plan: Plan, on_progress: Callable[[], None] = lambda: None) -> None:
        self._plan, self._on_progress = plan, on_progress
        self.state: State = "running"
        self.problem = ""
        self.written = 0  # frames that ffmpeg has been given
        self.files: tuple[Path, ...] = ()
        self._frames: deque[Frame] = deque()
        self._no_more = self._cancelled = False
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._work, name="encoder", daemon=True)
        self._thread.start()

    @property
    def process_id(self) -> int | None:
        """The process id of ffmpeg, while it runs."""
        return None if self._process is None else self._process.pid

    @property
    def has_room(self) -> bool:
        """True if one more frame may be put."""
        return len(self._frames) < ROOM

    def put(self, frame: Frame) -> None:
        """Queue the next frame. Never waits."""
        with self._changed:
            self._frames.append(frame)
            self._changed.notify_all()

    def finish(self) -> None:
        """End the video: no more frames will come."""
        with self._changed:
            self._no_more = True
            self._changed.notify_all()

    def cancel(self) -> None:
        """End ffmpeg and leave no file behind. Returns at once."""
        with self._changed:
            self._cancelled = True
            if self._process is not None:
                self._process.kill()
            self._changed.notify_all()

    def wait_for_room(self) -> bool:
        """Wait until one more frame may be put; False when it has ended instead."""
        with self._changed:
            self._changed.wait_for(lambda: self.has_room or self.state != "running")
            return self.state == "running"

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; False when `timeout` [s] passed first."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _work(self) -> None:
        state: State = "failed"
        try:
            if not self._plan.out.parent.is_dir():
                raise _refused(self._plan.out, errno.ENOENT)
            with own_folder(self._plan.out) as folder:
                self._encode(folder)
                self.files = self._put_in_place(folder)
            state = "done"
        except Cancelled:
            state = "cancelled"
        except EngineError as problem:
            self.problem = str(problem)
        except OSError as problem:
            self.problem = str(disk.unwritable(self._plan.out, problem))
        except Exception as problem:  # on a thread of its own nobody else would say it
            self.problem = f"cannot write {self._plan.out}: {type(problem).__name__}: {problem}"
        finally:
            with self._changed:
                self.state = "cancelled" if self._cancelled and state != "done" else state
                self._frames.clear()
                self._changed.notify_all()
            self._on_progress()

    def _encode(self, folder: Path) -> None:
        if self._plan.has_sound:
            _write_sound(self._plan, folder / SOUND)
        with tempfile.TemporaryFile() as said:
            process = self._start(folder, said)
            try:
                self._feed(process, folder)
                code = process.wait()
            finally:
                process.kill()
                process.wait()
                if process.stdin is not None:
                    with suppress(OSError):
                        process.stdin.close()
            self._check_cancelled()
            if code != 0 or self.written < self._plan.count:
                said.seek(0)
                raise _failure(self._plan, folder, code, said.read().decode("utf-8", "replace"), self.written)

    def _start(self, folder: Path, said: IO[bytes]) -> subprocess.Popen[bytes]:
        # By names within the folder: what a person calls a file may mean something to ffmpeg.
        process = subprocess.Popen(
            command(self._plan), cwd=folder, stdin=subprocess.PIPE, stdout=said, stderr=said, creationflags=_FLAGS
        )
        if sys.platform != "win32":
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, LOWER)
        if sys.platform == "linux" and process.stdin is not None:
            with suppress(OSError):  # a frame is 4 MB, and a pipe holds 64 kB unless it is asked to hold more
                fcntl.fcntl(process.stdin, fcntl.F_SETPIPE_SZ, PIPE)
        with self._changed:
            self._process = process
            if self._cancelled:
                process.kill()
        return process

    def _feed(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        """Write the frames to ffmpeg until the last one, or until it takes no more."""
        assert process.stdin is not None, "a pipe"
        try:
            while (frame := self._next()) is not None:
                process.stdin.write(frame)
                self.written += 1
                self._on_progress()
                if self.written % LOOK_EVERY == 0 and not folder.is_dir():
                    raise _refused(self._plan.out, errno.ENOENT)
            process.stdin.close()
        except (BrokenPipeError, ConnectionError):
            pass  # it has ended: its exit code and its words say why

    def _next(self) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: bool(self._frames) or self._no_more or self._cancelled)
            if self._cancelled:
                raise Cancelled(what=f"writing {self._plan.out.name}")
            frame = self._frames.popleft() if self._frames else None
            self._changed.notify_all()
        return frame

    def _check_cancelled(self) -> None:
        if self._cancelled:
            raise Cancelled(what=f"writing {self._plan.out.name}")

    def _put_in_place(self, folder: Path) -> tuple[Path, ...]:
        """Move the files to their final names; return those."""
        plan, out, names = self._plan, self._plan.out, self._plan.names
        if not folder.is_dir():
            raise _refused(out, errno.ENOENT)
        if plan.codec != "png":
            made = [folder / film_name(plan)]
        else:
            made = [folder / (FRAMES % number) for number in range(1, plan.count + 1)]
        for file in made:
            disk.sync(file)
            self._check_cancelled()
        for placed, (file, name) in enumerate(zip(made, names, strict=True)):
            try:
                disk.replace(file, name)
            except OSError as problem:
                if not placed:
                    raise
                why = f"{disk.unwritable(name, problem)} {placed} of {len(made)} pictures had their names by then"
                raise EngineError(why) from problem
        disk.sync_folder(out.parent)
        return names


def _write_sound(plan: Plan, path: Path) -> None:
    """Write the sound as plain samples."""
    import numpy as np

    from engine.evaluate.sound import span_samples

    try:
        heard = span_samples(plan.document, *plan.span)
    except EngineError as problem:
        raise UnwritableFile(
            path=plan.out, found=f"its sound cannot be decoded: {problem}", remedy="Export it without sound."
        ) from problem
    disk.present().write(path, np.round(heard * 32767.0).astype("<i2").tobytes())


def _failure(plan: Plan, folder: Path, code: int, said: str, written: int) -> EngineError:
    """Return the reason why ffmpeg ended, from its last output."""
    if not folder.is_dir():
        return _refused(plan.out, errno.ENOENT)
    if "No space left" in said or "not enough space" in said.lower():
        return _refused(plan.out, errno.ENOSPC)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if code < 0:
        how = f"the encoder was ended by {signal_name(-code)}"
    else:
        how = f"the encoder ended with code {code}" + (f" ({lines[0]})" if lines else "")
    return EncoderFailed(path=plan.out, why=f"{how} at frame {written} of {plan.count}")


def _refused(path: Path, code: int) -> UnwritableFile:
    """Return the error for a person, of an error number of the system."""
    return disk.unwritable(path, OSError(code, os.strerror(code)))
