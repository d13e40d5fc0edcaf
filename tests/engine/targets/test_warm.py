"""Compiling the room's kernels ahead of their first use."""

from __future__ import annotations

import pytest

from engine.targets.corrections import add_corrections
from engine.targets.reach import find_displacement, search_pose
from engine.targets.warm import warm
from tests.engine.kernels import kernels_of


def test_warming_calls_what_targets_use() -> None:
    if not kernels_of("targets"):
        pytest.skip("kernels are not compiled in this lane")
    assert list(warm()) == ["solve"]
    for made in (add_corrections, find_displacement, search_pose):
        assert getattr(made, "signatures")  # noqa: B009
