"""How kernels are compiled and call each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.runtime.jit import kernel
from tests.engine.runtime.rooms_in_small import build

numba = pytest.importorskip("numba")


@pytest.fixture(autouse=True)
def with_the_compiler() -> None:
    if numba.config.DISABLE_JIT:
        pytest.skip("kernels are not compiled in this lane")


def optimised(monkeypatch: pytest.MonkeyPatch, function: Any) -> int:
    """How many modules are optimised function by function as one is compiled."""
    from engine.runtime import dispatch

    seen = []
    monkeypatch.setattr(dispatch, "_optimize_functions", lambda library, module: seen.append(module))
    assert function(1) == 2
    return len(seen)


def test_functions_of_others_are_compiled_as_numba_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert optimised(monkeypatch, numba.njit(lambda x: x + 1)) > 0
    assert optimised(monkeypatch, kernel(lambda x: x + 1)) == 0


def test_what_is_compiled_is_told_with_the_lock_of_the_compiler_held(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.compiler_lock import global_compiler_lock

    from engine.runtime import dispatch

    class Watched(list[bool]):
        held: list[bool]

        def append(self, inner: bool) -> None:
            self.held.append(global_compiler_lock.is_locked())
            super().append(inner)

        def pop(self, place: Any = -1) -> bool:
            self.held.append(global_compiler_lock.is_locked())
            return super().pop(place)

    watched = Watched()
    watched.held = []
    monkeypatch.setattr(dispatch, "_compiling", watched)
    assert kernel(lambda x: x + 1)(1) == 2
    assert watched.held == [True, True]


@pytest.mark.parametrize(("options", "apart"), [("{}", ["fold"]), ("{'forceinline': True}", ["fall"])])
def test_a_large_kernel_is_called_by_symbol_unless_it_is_always_put_into_its_callers(
    tmp_path: Path, options: str, apart: list[str]
) -> None:
    """`fall`, its caller, is small without it and large with it."""
    program = f"""
import numpy as np
from engine.maths.scale import fold
from engine.model.fall import fall
fold.targetoptions.update({options})
assert fall(3.0, np.ones((2, 3)), np.zeros(2)) == 15.0
from engine.runtime import dispatch
print([callee.name for callee, _ in dispatch._published.values()])
"""
    assert build(tmp_path).python(program, {}).stdout.strip() == str(apart)
