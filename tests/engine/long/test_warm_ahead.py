"""A second process compiles posing from its end: each kernel once, and those that a drag uses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.long.warm_ahead import warm_ahead
from engine.runtime.errors import InvalidArguments
from engine.runtime.rooms import ENGINE

pytest.importorskip("numba")

REHEARSE = """
import json
from engine.long.warming import rehearse_drag, warm_posing
from engine.runtime.dispatch import KernelDispatcher, is_entered
from engine.runtime.rehearsal import rehearse
from tests.engine.kernels import kernels_of
calls = rehearse(rehearse_drag)
compiled = [each.kernel.py_func.__name__ for each in calls if each.kernel.overloads]
for call in reversed(calls):
    call.compile()
rooms = "model", "ik", "limits", "maths"
before = {kernel: set(map(str, kernel.overloads)) for kernel in kernels_of(*rooms)}
list(warm_posing())
more = [
    kernel.py_func.__name__ for kernel in kernels_of(*rooms)
    if kernel.py_func.__module__ != "engine.model.skinning" and set(map(str, kernel.overloads)) - before[kernel]
]
twice = [
    kernel.py_func.__name__ for kernel in kernels_of(*rooms)
    if sum(kernel.stats.cache_hits.values()) + sum(kernel.stats.cache_misses.values()) > len(kernel.overloads)
]
names = [each.kernel.py_func.__name__ for each in calls]
print(json.dumps([names, compiled, more, twice]))
"""


def test_it_finds_what_a_drag_calls_without_compiling_and_a_drag_needs_nothing_else() -> None:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        pytest.skip("kernels are not compiled in this lane")
    done = subprocess.run(
        [sys.executable, "-c", REHEARSE], capture_output=True, text=True, check=True, cwd=ENGINE.parent
    )
    names, compiled, more, twice = json.loads(done.stdout)
    assert {"evaluate", "advance_levenberg", "lay_limbs"} <= set(names)
    assert (compiled, more, twice) == ([], [], [])


SHARE = """
import json, sys
from engine.long.warm_ahead import warm_ahead
from engine.long.warm_up import WARM, warm
from engine.runtime.claims import sharing
from engine.runtime.kernel_cache import used_files
with sharing():
    list(warm_ahead({"purpose": "posing"}) if sys.argv[1] == "ahead" else warm(WARM[0]))
print(json.dumps(sorted(each.name for each in used_files.kept)))
"""


@pytest.mark.deep
def test_of_two_processes_each_compiles_what_the_other_does_not(tmp_path: Path) -> None:
    environment = {**os.environ, "SINEW_CACHE": str(tmp_path)}
    environment.pop("NUMBA_DISABLE_JIT", None)

    def begin(way: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", SHARE, way]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ENGINE.parent, env=environment)

    both = [begin("first"), begin("ahead")]
    first, ahead = (set(json.loads(each.communicate()[0])) for each in both)
    assert first
    assert ahead
    assert not first & ahead
    assert first | ahead == {path.name for path in (tmp_path / "kernels").rglob("*.kernel")}
    assert json.loads(begin("first").communicate()[0]) == []


@pytest.mark.parametrize("arguments", [{}, {"purpose": "water"}, {"purpose": "posing", "more": 1}])
def test_a_purpose_that_cannot_be_compiled_from_its_end_is_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArguments, match="with one of posing"):
        next(warm_ahead(arguments))  # type: ignore[arg-type]
