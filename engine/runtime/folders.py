"""The folder of derived files. Nothing here is worth keeping: every file in the cache can be computed again.

The folder is that of `places.CACHE`. When it cannot be written (a read-only home, none at
all) a private folder beside the temporary files stands in, the same for every process of this user; failing that, none.
"""

import logging
import os
import stat
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from engine.runtime.places import CACHE
from engine.runtime.processor import can_run_shipped
from engine.runtime.rooms import ENGINE, compiler_digest

PART = ".part"
SHIPPED = ENGINE.parent / "resources" / "kernels"
_shipped = True  # whether they are asked for

_DAY = 86400.0  # [s]

_log = logging.getLogger(__name__)


@cache
def writable_cache() -> Path | None:
    """The cache folder of this process, made and tried once; says so in the log, once, when it is not the usual one."""
    wanted = CACHE.folder()
    if wanted is not None and _is_writable(wanted):
        return wanted
    spare = _spare()
    found = spare if spare is not None and _is_private(spare) and _is_writable(spare) else None
    where = f"using {found}" if found else "kernels are compiled anew at each start"
    _log.warning("cannot write the cache folder %s; %s", wanted or "(no home folder)", where)
    return found


@cache
def kernel_folder() -> Path | None:
    """Folder of the kernels that this Python and its compilers made here, or None when nothing can be kept."""
    root = writable_cache()
    if root is None:
        return None
    folder = root / "kernels" / compiler_digest()
    for place in (folder.parent, folder):
        _clear_way(place)
    if _is_writable(folder):
        return folder
    _log.warning("cannot write %s; kernels are compiled anew at each start", folder)
    return None


@cache
def shipped_kernels() -> Path | None:
    """Folder of the kernels that came with Sinew for this Python, these compilers and this processor, or None."""
    folder = SHIPPED / compiler_digest()
    return folder if _shipped and folder.is_dir() and can_run_shipped() else None


def leave_out_shipped() -> None:
    """Have this process compile what came with Sinew as if it had not; before any kernel is loaded."""
    global _shipped
    _shipped = False
    shipped_kernels.cache_clear()


def touch_daily(path: Path) -> bool:
    """Say that a file is in use, so that it is kept; whether it was time to, which it is once a day."""
    with suppress(OSError):
        now = time.time()
        if now - path.stat().st_mtime > _DAY:
            os.utime(path, (now, now))
            return True
    return False


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that others see all of it or none; makes the folder. Raises OSError and leaves nothing behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, suffix=PART)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _spare() -> Path | None:
    try:
        return Path(tempfile.gettempdir()) / f"sinew-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    except FileNotFoundError:
        return None


def _clear_way(folder: Path) -> None:
    """Delete a file that stands where the folder should: else every start would compile anew."""
    with suppress(OSError):
        if not folder.is_dir():
            folder.unlink(missing_ok=True)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _is_private(folder: Path) -> bool:
    """True when nobody else can write there: cached kernels are programs, and the temporary folder is everyone's."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = os.lstat(folder)
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o077)
