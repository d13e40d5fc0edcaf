"""Compiling the room's kernels ahead of their first use."""

from __future__ import annotations

import pytest

import engine.ik.region_kernels  # noqa: F401  kernels that call those of limits
from engine.limits.warm import warm
from tests.engine.kernels import kernels_of


def test_warming_calls_what_fields_brushes_and_solvers_use() -> None:
    if not kernels_of("limits"):
        pytest.skip("kernels are not compiled in this lane")
    assert list(warm()) == ["samples", "box", "cone", "polygon", "mesh", "line", "wrapping", "brush", "projection"]
    # A kernel that kernels alone call has no signature of its own where its caller came from the cache.
    within = {name for each in kernels_of("limits", "ik") for name in each.py_func.__code__.co_names}
    cold = {each.__name__ for each in kernels_of("limits") if not each.signatures}
    assert cold - within <= {"resist_angles"}
