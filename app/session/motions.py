"""Motions: the files of motion that are kept by name: those that come with Sinew, and a person's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from engine.runtime.places import DATA

SUFFIX, FOLDER = ".motion.toml", "sequences"


def shipped_folder() -> Path:
    """Return the folder of the motions that come with Sinew."""
    return Path(str(files("resources"))) / FOLDER


def own_folder() -> Path | None:
    """Return the folder of a person's own motions; None where nothing can be kept."""
    folder = DATA.folder()
    return None if folder is None else folder / FOLDER


def motions_in(folder: Path | None) -> list[Path]:
    """List the motions of a folder by name; none where it cannot be read."""
    try:
        paths = [] if folder is None else list(folder.glob(f"*{SUFFIX}"))
    except OSError:
        return []
    return sorted(paths, key=lambda each: name_of_motion(each).casefold())


def kept_motions() -> tuple[Path, ...]:
    """List all motions: those that come with Sinew, then a person's own."""
    return (*motions_in(shipped_folder()), *motions_in(own_folder()))


def name_of_motion(path: Path) -> str:
    """Return the name that a motion is kept by."""
    return path.name.removesuffix(SUFFIX)
