"""Compiling the kernels of the solver ahead of their first use."""

from __future__ import annotations

import pytest

from engine.soft.warm import warm
from tests.engine.kernels import kernels_of


def test_warming_calls_what_is_called_from_python() -> None:
    if not kernels_of("soft"):
        pytest.skip("kernels are not compiled in this lane")
    ready = list(warm())
    assert ready == ["invert_dense", "remember", "assemble", "advance"]
    names = [each.__name__ for each in kernels_of("soft")]
    assert set(ready) <= set(names)
