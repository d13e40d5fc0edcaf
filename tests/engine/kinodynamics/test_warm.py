"""Compiling the room's kernels ahead of their first use."""

from __future__ import annotations

import pytest

from engine.kinodynamics.following import follow_path, follow_windows
from engine.kinodynamics.warm import warm
from engine.runtime.jit import kernels_of


def test_warming_calls_what_secondary_motion_uses() -> None:
    if not kernels_of("kinodynamics"):
        pytest.skip("kernels are not compiled in this lane")
    names = list(warm())
    assert names[:2] == ["follow", "follow_windows"]
    assert follow_path.signatures  # type: ignore[attr-defined]
    assert follow_windows.signatures  # type: ignore[attr-defined]
