"""Copies that take no room."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def second_name(source: Path | str, target: Path | str) -> None:
    """Copy a file by another name of it; really where that is not possible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
