"""Compiling the room's kernels ahead of their first use."""

from __future__ import annotations

import pytest

from engine.dynamics.warm import warm
from tests.engine.kernels import kernels_of

OF_NO_WINDOW = {"compute_many_forward", "compute_many_inverse"}


def test_warming_calls_what_is_called_from_python() -> None:
    if not kernels_of("dynamics"):
        pytest.skip("kernels are not compiled in this lane")
    ready = list(warm())
    names = [each.__name__ for each in kernels_of("dynamics")]
    assert set(ready) - {"ball_roots"} <= set(names)
    # A kernel that kernels alone call has no signature of its own where its caller came from the cache.
    within = {name for each in kernels_of("dynamics") for name in each.py_func.__code__.co_names}
    cold = {each.__name__ for each in kernels_of("dynamics") if not each.signatures}
    assert cold - within <= OF_NO_WINDOW
