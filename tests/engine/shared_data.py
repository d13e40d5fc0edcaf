"""Where the tests find data that is not part of the project; a test that needs what is missing is skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def shared_folder() -> Path:
    """The folder named by SINEW_SHARED, or `shared` beside the project."""
    named = os.environ.get("SINEW_SHARED")
    return Path(named) if named else ROOT.parent / "shared"


def shared(*parts: str) -> Path:
    """A file or folder of the shared data, such as shared("mocap", "bvh"); skips the test where it is missing."""
    path = shared_folder().joinpath("data", *parts)
    if not path.exists():
        pytest.skip(f"the shared data {'/'.join(parts)} is not here; SINEW_SHARED names its folder")
    return path
