"""Kernels that are compiled when they are first called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.runtime.rooms_in_small import SmallEngine, build

numba = pytest.importorskip("numba")
if numba.config.DISABLE_JIT:
    pytest.skip("kernels are not compiled in this lane", allow_module_level=True)

RUN = """
import json, sys
import numpy as np
from engine.maths.scale import fold
from engine.model.fall import fall
sums = np.zeros(2)
told = [fall(-3.0, np.ones((2, 3)), sums), len(fold.overloads)]
told += [fall(3.0, np.ones((2, 3)), sums), len(fold.overloads), fall(3.0, np.ones((2, 3)), sums)]
print(json.dumps([*told, sum(fold.stats.cache_misses.values()), sum(fall.stats.cache_misses.values())]))
"""
FAILS = """
import numpy as np
from engine.model.fall import fall
try:
    fall(3.0, np.ones((2, 3)), np.zeros(2))
except RuntimeError as problem:
    print(problem)
"""


@pytest.fixture
def lazy(tmp_path: Path) -> SmallEngine:
    """An engine in which `fall` calls `fold` for some numbers only."""
    engine = build(tmp_path)
    engine.edit("maths/scale.py", "import kernel", "import kernel, lazy_kernel")
    engine.edit(
        "maths/scale.py", "@kernel\ndef fold(x, rows, out_sums):", "@lazy_kernel\ndef fold(x, rows, out_sums) -> None:"
    )
    engine.edit("model/fall.py", "    fold(x, rows, out_sums)", "    if x > 0.0:\n        fold(x, rows, out_sums)")
    return engine


def test_it_is_compiled_when_it_is_called_and_loaded_by_the_next_process(lazy: SmallEngine) -> None:
    def said() -> list[float]:
        found: list[float] = json.loads(lazy.python(RUN, {}).stdout)
        return found

    assert said() == [-6.0, 0, 15.0, 1, 15.0, 1, 1]
    assert said() == [-6.0, 0, 15.0, 1, 15.0, 0, 0]


def test_one_that_cannot_be_compiled_is_an_error_of_the_call(lazy: SmallEngine) -> None:
    lazy.edit("maths/scale.py", "-> None:", "-> float:")
    done = lazy.python(FAILS, {})
    assert done.stdout.strip() == "kernel engine.maths.scale.fold cannot be compiled; the log has the reason"
    assert "returns none, its annotation says float64" in done.stderr
