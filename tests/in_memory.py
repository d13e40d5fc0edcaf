"""Folders of tests that write whole files by the thousand, in memory where the system has room for them there.

A disk takes milliseconds for each sync, and nothing here depends on it: that what was not synced is lost is played by
`tests.reliability.power`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
ROOM = 2**31  # [bytes] that are to be free
ROOM_FOR_ALL = 2 * ROOM


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """As pytest's own, gone after the test."""
    if not has_room(MEMORY):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="sinew-test-", dir=MEMORY) as folder:
        yield Path(folder)


@contextmanager
def files_in_memory() -> Iterator[Path | None]:
    """The folder of temporary files of this process and of those that it starts, if there is room; left as it is."""
    if not has_room(MEMORY, ROOM_FOR_ALL):
        yield None
        return
    before, folder = os.environ.get("TMPDIR"), tempfile.mkdtemp(prefix="sinew-test-", dir=MEMORY)
    os.environ["TMPDIR"], tempfile.tempdir = folder, None
    try:
        yield Path(folder)
    finally:
        tempfile.tempdir = None
        del os.environ["TMPDIR"]
        if before is not None:
            os.environ["TMPDIR"] = before


def has_room(folder: Path, room: int = ROOM) -> bool:
    """Tell whether there is such a folder, with room, in which programs may be run."""
    try:
        return not os.statvfs(folder).f_flag & os.ST_NOEXEC and shutil.disk_usage(folder).free > room
    except (AttributeError, OSError):  # there is no such folder, or no such question
        return False
