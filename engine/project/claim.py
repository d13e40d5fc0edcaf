"""FileClaim: who has a project open. A small file beside it, `.name.sinew.lock`, says which process on which machine.

It is a warning, no guard: a save is whole whoever else writes. One that a dead process of this machine has left is
taken over; of another machine nobody here can tell, so it stands until somebody removes it.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from engine.project import disk
from engine.project.locking import is_alive
from engine.runtime.quick_dataclass import dataclass

_LONGEST = 4096


@dataclass(frozen=True)
class Busy:
    """Somebody else has it open."""

    who: str
    since: str  # ISO time


@dataclass(frozen=True)
class FileClaim:
    """A claim on a file; where nothing can be written beside it, only we know."""

    lock: Path | None
    text: str

    def release(self) -> None:
        """Let it go."""
        if self.lock is not None and _read(self.lock) == self.text:
            with suppress(OSError):
                disk.remove(self.lock)


def own_claim(path: Path) -> FileClaim | None:
    """The claim of this process on the project at `path`, if there is one."""
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        lock = _lock_of(path)
        text = _read(lock)
        said = json.loads(text)
        if (said["host"], said["process"]) == (socket.gethostname(), os.getpid()):
            return FileClaim(lock, text)
    return None


def claim(path: Path) -> FileClaim | Busy:
    """Claim the project at `path` for this process."""
    since = datetime.now(UTC).isoformat(timespec="seconds")
    text = json.dumps({"host": socket.gethostname(), "process": os.getpid(), "since": since})
    for _ in range(3):
        try:
            lock = _lock_of(path)
            disk.write_new(lock, text.encode())
            return FileClaim(lock, text)
        except FileExistsError:
            found = _read(lock)
            holder = _holder(found)
            if holder is not None:
                return holder
            _remove_stale(lock, found)
        except OSError:
            return FileClaim(None, text)
    return FileClaim(None, text)


def _lock_of(path: Path) -> Path:
    target = disk.resolved(path)
    return target.with_name(f".{disk.short(target.name)}.lock")


def _read(lock: Path) -> str:
    try:
        with lock.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LONGEST)
    except OSError:
        return ""


def _holder(text: str) -> Busy | None:
    """Read which process holds it; None for a process that has gone, and for what nobody wrote."""
    try:
        said = json.loads(text)
        host, process, since = str(said["host"]), int(said["process"]), str(said["since"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    here = host == socket.gethostname()
    if here and not is_alive(process):
        return None
    who = "another window of Sinew" if here else f"Sinew on {host[:60]}"
    return Busy(who, since[:40])


def _remove_stale(lock: Path, text: str) -> None:
    """Moved aside first, so that of two who find the same one neither removes what the other has made since."""
    aside = lock.with_name(f"{lock.name}.{os.getpid()}")
    with suppress(OSError):
        disk.replace(lock, aside)
        if _read(aside) == text:
            disk.remove(aside)
        else:
            disk.replace(aside, lock)
