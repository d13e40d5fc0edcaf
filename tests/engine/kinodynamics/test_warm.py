"""Compiling the room's kernels ahead of their first use."""

from __future__ import annotations

import pytest

from engine.kinodynamics.following import follow_path, follow_windows
from engine.kinodynamics.warm import warm
from tests.engine.kernels import kernels_of


def test_warming_calls_what_secondary_motion_uses() -> None:
    if not kernels_of("kinodynamics"):
        pytest.skip("kernels are not compiled in this lane")
    assert list(warm()) == ["follow", "follow_windows"]
    for made in (follow_path, follow_windows):
        assert getattr(made, "signatures")  # noqa: B009
