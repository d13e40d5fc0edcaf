"""Folders of tests that write whole files by the thousand, in memory where the system has room for them there.

A disk takes milliseconds for each sync, and nothing here depends on it: that what was not synced is lost is played by
`tests.reliability.power`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
ROOM = 2**31  # [bytes] that are to be free


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """As pytest's own, gone after the test."""
    if not has_room(MEMORY):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="sinew-test-", dir=MEMORY) as folder:
        yield Path(folder)


def has_room(folder: Path) -> bool:
    """Tell whether there is such a folder, with room."""
    try:
        return shutil.disk_usage(folder).free > ROOM
    except OSError:
        return False
