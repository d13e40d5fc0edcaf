"""What the decorators promise beside speed."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.runtime.jit import kernel, parallel_kernel
from tests.engine.runtime.rooms_in_small import build


@kernel
def divide(x: float, y: float) -> float:
    """A test's kernel."""
    return x / y


def test_a_kernel_keeps_its_name_and_docstring() -> None:
    assert (divide.__name__, divide.__doc__) == ("divide", "A test's kernel.")


@pytest.mark.jit_off
def test_division_by_zero_follows_numpy() -> None:
    with np.errstate(divide="ignore"):
        assert divide(np.float64(1.0), np.float64(0.0)) == np.inf


def test_kernels_outside_the_rooms_and_kernels_made_in_functions_are_not_kept_on_disk() -> None:
    assert divide.stats.cache_path is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("decorator", [kernel, parallel_kernel])
def test_a_kernel_releases_the_interpreter_and_keeps_exact_arithmetic(decorator: Callable[..., Any]) -> None:
    options = decorator(lambda x: x).targetoptions
    assert options["nogil"]
    assert not options.get("fastmath")


def test_without_the_compiler_the_plain_function_runs() -> None:
    program = "from engine.runtime.jit import kernel\nf = lambda x: x\nprint(kernel(f) is f)"
    done = subprocess.run(
        [sys.executable, "-c", program], env={"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert done.stdout == "True\n", done.stderr


def test_only_the_decorators_load_numba() -> None:
    program = """
import sys
import engine.runtime.child, engine.runtime.folders, engine.runtime.worker, engine.queries.pose, engine.long.warm_up
from engine.long import JOBS
assert engine.long.warm_up.is_warm("posing") in (True, False)
print(sorted({"numba", "llvmlite", "scipy", "PySide6", "vispy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300.0)
    assert done.stdout == "[]\n", done.stderr


def test_a_guarded_kernel_refuses_a_forbidden_thread_and_no_other(tmp_path: Path) -> None:
    program = """
import threading
from engine.runtime.guard import ForbiddenThread, forbid_kernels_on
from engine.maths.scale import scale
answers = [scale(1.0)]
with forbid_kernels_on(threading.main_thread()):
    try:
        scale(1.0)
    except ForbiddenThread as refusal:
        answers.append(str(refusal))
    other = threading.Thread(target=lambda: answers.append(scale(2.0)))
    other.start()
    other.join()
answers.append(scale(1.0))
print(answers)
"""
    refusal = "kernel 'scale' was called on thread 'MainThread'; allowed: the engine thread"
    done = build(tmp_path).python(program, {"SINEW_GUARD_KERNELS": "1"})
    assert done.stdout.strip() == str([2.0, refusal, 4.0, 2.0])


def test_scipy_is_loaded_by_a_kernel_that_needs_it_and_by_no_other() -> None:
    program = """
import sys
import numpy as np
from engine.runtime.jit import kernel
names = []
half = kernel(lambda x: 0.5 * x)
half(1.0)
names.append("scipy.linalg" in sys.modules)
product = kernel(lambda one, other: one @ other)
total = product(np.eye(2), np.full((2, 2), 3.0)).sum()
names.append("scipy.linalg" in sys.modules)
print(total, names)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300.0)
    assert done.stdout == "12.0 [False, True]\n", done.stderr


def test_a_guarded_kernel_that_writes_where_it_may_only_read_is_found_out(tmp_path: Path) -> None:
    program = """
import numpy as np
from engine.maths.scale import fold
from engine.runtime.guard import WrittenArray
rows, sums = np.ones((2, 3)), np.zeros(2)
rows.flags.writeable = False
fold(1.0, rows, sums)
sums.flags.writeable = False
try:
    fold(3.0, rows, sums)
except WrittenArray as problem:
    print(problem)
"""
    done = build(tmp_path).python(program, {"SINEW_GUARD_KERNELS": "1"})
    assert done.stdout == "kernel 'fold' wrote into its argument 2, which may only be read\n"
