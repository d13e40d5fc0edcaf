"""A person's folders for files of each kind, by platform. The folder need not exist yet."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """One kind of file: the variable that names its folder, and the platforms' own rules."""

    variable: str
    mac: str  # below the home folder
    windows: tuple[str, str]  # a variable, and what stands in for it below the home folder
    xdg: tuple[str, str]

    def folder(self) -> Path | None:
        """The folder as the environment is now; None when there is no home."""
        named = os.environ.get(self.variable)
        if named:
            return Path(named).absolute()
        try:
            home = Path.home()
        except RuntimeError:
            return None
        if sys.platform == "darwin":
            return home / self.mac / "Sinew"
        variable, below = self.windows if sys.platform == "win32" else self.xdg
        base = Path(os.environ.get(variable) or home / below)
        if sys.platform == "win32":
            return base / "Sinew"
        return (base if base.is_absolute() else home / below) / "sinew"


CACHE = Place("SINEW_CACHE", "Library/Caches", ("LOCALAPPDATA", "AppData/Local"), ("XDG_CACHE_HOME", ".cache"))
CONFIG = Place(
    "SINEW_CONFIG", "Library/Application Support", ("APPDATA", "AppData/Roaming"), ("XDG_CONFIG_HOME", ".config")
)
DATA = Place(
    "SINEW_DATA", "Library/Application Support", ("APPDATA", "AppData/Roaming"), ("XDG_DATA_HOME", ".local/share")
)
