"""Locking: who has a file open, by locks that end with their process, however that ends.

On Windows a file that is open cannot be removed, so that nothing need be locked. A network drive without locks tells
nobody; what is kept so has to bear being removed.
"""

from __future__ import annotations

import sys
from contextlib import suppress

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
