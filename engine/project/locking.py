"""Locking: who has a file open, by locks that end with their process, however that ends.

On Windows a file that is open cannot be removed, so that nothing need be locked. A network drive without locks tells
nobody; what is kept so has to bear being removed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def lock_shared(handle: int) -> None:
    """Be one of those who have a file open."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)


def lock_alone(handle: int) -> bool:
    """Lock a file for this process alone; return False if somebody else has it. True where locks do not work."""
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
    return True


@contextmanager
def saving_in(folder: Path, patience: float) -> Iterator[bool]:
    """Be the only one who saves in a folder; yield False if somebody else still does after so long [s].

    SQLite finds a journal by the name of its file: what one program writes in place while another puts a new file
    there would be taken back into the new one.
    """
    handle = None
    if sys.platform != "win32":
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
    try:
        until, is_alone = time.monotonic() + patience, handle is None or lock_alone(handle)
        while handle is not None and not is_alone and time.monotonic() < until:
            time.sleep(0.01)
            is_alone = lock_alone(handle)
        yield is_alone
    finally:
        if handle is not None:
            os.close(handle)


def is_alive(process: int) -> bool:
    """Tell whether a process of this machine runs."""
    if process < 1:
        return False
    if sys.platform == "win32":
        return _is_alive_on_windows(process)
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _is_alive_on_windows(process: int) -> bool:
    import ctypes

    system = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = system.OpenProcess(0x1000, False, process)  # to ask it little
    if not handle:
        return bool(system.GetLastError() == 5)  # it is there, and another person's
    code = ctypes.c_ulong()
    system.GetExitCodeProcess(handle, ctypes.byref(code))
    system.CloseHandle(handle)
    return code.value == 259  # still active
