"""A job in a process of its own: `python -m engine job NAME JSON`, at low priority, ended with a signal.

The child writes one JSON object a line: {"progress": 0..1, "text": ...}, {"ready": purpose}, and last {"result": ...}
or {"error": {"type": ..., "text": ...}}. It ends by itself when its standard input closes, which is how it notices that
this process has died (engine/long/parent.py); most jobs read nothing there, a few what `ask` writes. A crash of the
child costs that job only.
"""

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Literal

from engine.runtime.errors import JobFailed
from engine.runtime.rooms import ENGINE

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Message = Mapping[str, Json]
State = Literal["running", "done", "failed", "cancelled"]

_log = logging.getLogger(__name__)
_LINES_KEPT = 20


def child_command() -> tuple[str, ...]:
    """Return the command that starts this program's jobs. A frozen program is `sinew` itself, which hands what follows
    the word `engine` to `engine.__main__`."""
    if getattr(sys, "frozen", False):
        return (sys.executable, "engine")
    return (sys.executable, "-P", "-m", "engine")


class ChildJob:
    """One child, started here. `on_message` is called on a thread of this object, for each message and at the end, when
    `state` has left "running", with {"ended": state}."""

    def __init__(
        self,
        name: str,
        arguments: Mapping[str, Json],
        *,
        on_message: Callable[[Message], None],
        command: Sequence[str] | None = None,
        grace: float = 2.0,
    ) -> None:
        """`command` stands in for `child_command()`; `grace` [s] is what a cancelled child gets before it is killed."""
        self.name = name
        self.state: State = "running"
        self.result: Json = None
        self.error: JobFailed | None = None
        self._on_message = on_message
        self._grace = grace
        self._cancelled = threading.Event()
        self._ended = threading.Event()
        self._last: Message = {}
        self._last_lines: deque[str] = deque(maxlen=_LINES_KEPT)
        self._process = _start([*(command or child_command()), "job", name, json.dumps(arguments), "--child"])
        threading.Thread(target=self._read, name=f"job {name}", daemon=True).start()

    @property
    def process_id(self) -> int:
        return self._process.pid

    def ask(self, message: Message) -> None:
        """Write a line to the child; one that has ended reads none, of which `on_message` tells."""
        pipe = self._process.stdin
        assert pipe is not None, "a pipe"
        with contextlib.suppress(OSError, ValueError):  # broken, or closed
            pipe.write(json.dumps(message) + "\n")
            pipe.flush()

    def cancel(self) -> None:
        """Ask the child to end, and end it by force after the grace period. Returns at once; may be repeated."""
        if self._cancelled.is_set() or self._ended.is_set():
            return
        self._cancelled.set()
        self._process.terminate()
        threading.Thread(target=self._kill_late, name=f"job {self.name}: grace", daemon=True).start()

    def kill(self) -> None:
        """End the child by force. Returns at once, and starts no thread: it may be called while Python ends."""
        self._cancelled.set()
        self._process.kill()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the child has ended and its last message was delivered; False when `timeout` [s] passed first."""
        return self._ended.wait(timeout)

    def _kill_late(self) -> None:
        if not self._ended.wait(self._grace):
            self._process.kill()

    def _read(self) -> None:
        messages, errors = self._process.stdout, self._process.stderr
        assert messages is not None, "a pipe"
        assert errors is not None, "a pipe"
        listener = threading.Thread(target=self._read_errors, args=(errors,), name=f"job {self.name}: log", daemon=True)
        listener.start()
        for line in messages:
            self._take(line)
        code = self._process.wait()
        listener.join()
        for pipe in (self._process.stdin, messages, errors):
            if pipe is not None:
                pipe.close()
        self._settle(code)
        self._tell({"ended": self.state})
        self._ended.set()

    def _read_errors(self, errors: IO[str]) -> None:
        for line in errors:
            self._last_lines.append(line.rstrip())
            _log.debug("job %s: %s", self.name, line.rstrip())

    def _take(self, line: str) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if isinstance(message, dict):
            self._last = message
            self._tell(message)
        else:
            _log.debug("job %s wrote: %s", self.name, line.rstrip())

    def _tell(self, message: Message) -> None:
        try:
            self._on_message(message)
        except Exception:
            _log.exception("the callback for a message of job %s failed", self.name)

    def _settle(self, code: int) -> None:
        """Decide how it ended: a result that came out in time counts even if the job was cancelled a moment later."""
        if code == 0 and "result" in self._last:
            self.result = self._last["result"]
            self.state = "done"
        elif self._cancelled.is_set():
            self.state = "cancelled"
        else:
            self.error = JobFailed(job=self.name, reason=self._reason(code), details="\n".join(self._last_lines))
            self.state = "failed"

    def _reason(self, code: int) -> str:
        error = self._last.get("error")
        if isinstance(error, Mapping):
            return str(error.get("text"))
        how = f"it was ended by {signal_name(-code)}" if code < 0 else f"it ended with exit code {code}"
        return "; ".join([how, *list(self._last_lines)[-1:]])


def _start(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=_environment(),
        creationflags=_creation_flags(),
    )


def _environment() -> dict[str, str]:
    """Copy this process's environment, with the engine on the child's path wherever either was started."""
    path = [str(ENGINE.parent), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONIOENCODING": "utf-8"}


def _creation_flags() -> int:
    if sys.platform == "win32":
        return subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    return 0


def signal_name(number: int) -> str:
    """Name what ended a process."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
