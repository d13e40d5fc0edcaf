"""How kernels are compiled and call each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine.runtime.jit import kernel
from engine.runtime.rooms import ENGINE
from tests.engine.runtime.rooms_in_small import Starter, build, starting

numba = pytest.importorskip("numba")


@pytest.fixture(scope="module")
def starter() -> Iterator[Starter | None]:
    with starting() as starter:
        yield starter


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

    class Watched(list[Any]):
        held: list[bool]

        def append(self, inner: Any) -> None:
            self.held.append(global_compiler_lock.is_locked())
            super().append(inner)

        def pop(self, place: Any = -1) -> Any:
            self.held.append(global_compiler_lock.is_locked())
            return super().pop(place)

    watched = Watched()
    watched.held = []
    monkeypatch.setattr(dispatch, "_compiling", watched)
    assert kernel(lambda x: x + 1)(1) == 2
    assert watched.held == [True, True]


@pytest.mark.parametrize(("options", "apart"), [("{}", ["fold"]), ("{'forceinline': True}", ["fall"])])
def test_a_large_kernel_is_called_by_symbol_unless_it_is_always_put_into_its_callers(
    tmp_path: Path, options: str, apart: list[str], starter: Starter | None
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
    assert build(tmp_path, starter).python(program, {}).stdout.strip() == str(apart)


COMPILE = """
from engine.runtime import quick_numba
if {slowly}:
    quick_numba.quicken = lambda: None
import hashlib, json
import numpy as np
from engine.model.fall import fall
from engine.maths.scale import fold
assert fall(3.0, np.ones((2, 3)), np.zeros(2)) == 15.0
fold(3.0, np.ones((2, 3)), np.zeros(2))
from engine.runtime import dispatch
libraries = [library for _, library in dispatch._published.values()]
libraries += [each.library for kernel in (fall, fold) for each in kernel.overloads.values()]
print(json.dumps([hashlib.sha256(library._get_compiled_object()).hexdigest() for library in libraries]))
"""


def test_what_is_worked_out_once_leaves_the_machine_code_as_it_is(tmp_path: Path) -> None:
    codes = []
    for slowly in (True, False):
        engine = build(tmp_path / str(slowly))
        done = engine.python(COMPILE.format(slowly=slowly), {"PYTHONHASHSEED": "0"})
        codes.append(done.stdout)
        assert len(engine.kernels) == 4  # fold is called by fall, and from Python
    assert codes[0] == codes[1]


POSING = """
import sys
sys.path.insert(0, "{root}")
from engine.runtime import quick_numba
if {slowly}:
    quick_numba.quicken = lambda: None
import hashlib, json
from engine.long.warming import warm_posing
list(warm_posing())
from engine.runtime import dispatch
print(json.dumps({{
    name: hashlib.sha256(library._get_compiled_object()).hexdigest()
    for name, (_, library) in dispatch._published.items()
    if not name.startswith(dispatch._LAZY)
}}))
"""


@pytest.mark.deep
def test_so_it_does_for_all_kernels_of_posing(tmp_path: Path) -> None:
    codes = []
    for slowly in (True, False):
        variables = {**os.environ, "PYTHONHASHSEED": "0", "SINEW_CACHE": str(tmp_path / str(slowly))}
        program = POSING.format(slowly=slowly, root=ENGINE.parent)
        done = subprocess.run([sys.executable, "-c", program], env=variables, stdout=subprocess.PIPE, check=True)
        codes.append(json.loads(done.stdout))
    assert len(codes[0]) > 30
    assert codes[0] == codes[1]


def test_a_call_that_no_way_of_typing_fits_is_told_as_numba_tells_it() -> None:
    with pytest.raises(numba.TypingError, match=r"No implementation of function .*add.*unicode_type"):
        kernel(lambda x, y: x + y)(1.0, "one")


def test_whole_numbers_of_any_size_share_the_code() -> None:
    one: Any = kernel(lambda x, y: x * y)
    assert one(np.int32(2**30), 4) == one(2**30, np.int64(4)) == one(np.int16(4), np.int32(2**30)) == 2**32
    assert len({id(each) for each in one.overloads.values()}) == 1
    assert one(2.0, 3) == 6.0


TWICE = """
import numpy as np
from engine.maths.scale import fold
from engine.model.fall import fall
rows, sums = np.ones((2, 3)), np.zeros(2)
for turn in {order}:
    assert (fall(3.0, rows, sums) == 15.0) if turn == "inner" else (fold(3.0, rows, sums) is None)
print([bool(each.library.is_entered) for each in fold.overloads.values()], sum(fold.stats.cache_misses.values()))
"""


def test_a_kernel_gets_an_entry_once_python_calls_it(tmp_path: Path, starter: Starter | None) -> None:
    """From what is kept on disk, in any order, and with callers that were made before."""
    engine = build(tmp_path, starter)

    def said(*order: str) -> str:
        return engine.python(TWICE.format(order=order), {}).stdout.strip()

    assert said("inner") == "[False] 1"
    assert said("inner") == "[False] 0"
    assert said("inner", "entered", "inner") == "[True] 1"
    assert said("inner", "entered") == "[True] 0"
    assert said("entered", "inner") == "[True] 0"


def test_an_array_is_assigned_to_a_slice_without_a_text_of_sizes() -> None:
    """Which is three quarters of the code that numba makes of it."""

    def assign(a: Any, b: Any) -> None:
        a[:2] = b

    one: Any = kernel(assign)
    target = np.zeros(3)
    one(target, np.array([1.0, 2.0]))
    assert target.tolist() == [1.0, 2.0, 0.0]
    one(target, np.array([4.0]))
    assert target.tolist() == [4.0, 4.0, 0.0]
    with pytest.raises(ValueError, match="cannot assign an array to a slice of another size"):
        one(target, np.zeros(3))
    (code,) = one.inspect_llvm().values()
    assert "unicode" not in code


LINKED = """
import numpy as np
from engine.maths.scale import scale
from engine.model.fall import fall
assert fall(3.0, np.ones((2, 3)), np.zeros(2)) == 15.0
(inner,) = (each.library for each in scale.overloads.values())
print(getattr(inner, "is_linked_only", False))
if {enters}:
    assert scale(3.0) == 6.0
    print(sum(scale.stats.cache_misses.values()))
"""


def test_what_is_only_linked_has_no_machine_code_until_python_calls_it(tmp_path: Path, starter: Starter | None) -> None:
    engine = build(tmp_path, starter)
    assert engine.python(LINKED.format(enters=False), {}).stdout.split() == ["True"]
    for path in engine.kernels:
        if ".fall-" in path.name:
            path.unlink()  # it is compiled once more, with what was kept of those that it calls
    assert engine.python(LINKED.format(enters=True), {}).stdout.split() == ["True", "1"]
    for path in engine.kernels:
        if ".fall-" in path.name:
            path.unlink()
    assert engine.python(LINKED.format(enters=True), {}).stdout.split() == ["False", "0"]


class Body(NamedTuple):
    """Arrays of two kinds, numbers, and a tuple of both kinds."""

    first: Any
    count: int
    second: Any
    inner: Any
    is_fixed: bool
    third: Any
    weight: float


class Inner(NamedTuple):
    places: Any
    rate: float
    angles: Any


def test_arrays_of_a_tuple_are_taken_out_in_one_loop_and_given_back() -> None:
    def total(body: Body, two: tuple[Any, Any], times: float) -> Any:
        body.second[1, 0] += two[1][0]
        numbers = body.count + body.is_fixed + body.weight + body.inner.rate
        return times * (numbers + body.first[2] + body.second[1, 0] + body.third[0] + body.inner.angles[1, 1, 0])

    kept = [np.arange(3.0), np.ones((2, 2)), np.arange(4, dtype=np.int32) + 7, np.zeros(2), np.full((2, 2, 1), 0.5)]
    first, second, third, places, angles = kept
    body = Body(first, 3, second, Inner(places, 0.25, angles), True, third, 1.5)
    two = places, np.array([10.0])
    counts = [sys.getrefcount(each) for each in [*kept, body, two]]
    one: Any = kernel(total)
    for turn in range(1, 4):
        assert one(body, two, 2.0) == 2.0 * (3 + 1 + 1.5 + 0.25 + 2.0 + 1.0 + 10.0 * turn + 7.0 + 0.5)
    assert [sys.getrefcount(each) for each in [*kept, body, two]] == counts
    (code,) = one.inspect_llvm().values()
    assert code.count("call i32 @NRT_adapt_ndarray_from_python") == 4  # of a tuple each, and of two small ones
