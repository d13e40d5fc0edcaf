"""The shared data, which is not part of the project: the folder named by SINEW_SHARED, or `shared` beside it."""

from __future__ import annotations

import os
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[2]


def shared_data(*parts: str) -> Path | None:
    """Find a file or folder of the shared data; None where it is missing."""
    named = os.environ.get("SINEW_SHARED")
    path = (Path(named) if named else _PROJECT.parent / "shared").joinpath("data", *parts)
    return path if path.exists() else None
