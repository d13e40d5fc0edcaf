"""Kernels for a release: made for one kind of processor, found by a start that has nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.long import JOBS, ship_kernels
from engine.runtime.errors import InvalidArguments
from engine.runtime.processor import can_run_shipped
from engine.runtime.rooms import ENGINE
from tests.engine.kernels import SOURCE

FIRST_START = f"""
{SOURCE}
import json, os
from engine.long.warm_up import WARM, is_warm
cold = [entry.name for entry in WARM if not is_warm(entry.name)]
from engine.long.warming import warm_posing
from engine.runtime.rooms import ENGINE
list(warm_posing())
rooms = [path.parent.name for path in ENGINE.glob('*/__init__.py')]
compiled = sum(sum(each.stats.cache_misses.values()) for each in kernels_of(*rooms))
print(json.dumps([cold, compiled, os.environ["NUMBA_CPU_NAME"]]))
"""


@pytest.mark.parametrize("arguments", [{}, {"folder": 1}, {"folder": "a", "more": 1}])
def test_arguments_that_are_not_understood_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArguments, match="the arguments of ship_kernels"):
        next(JOBS["ship_kernels"](arguments))  # type: ignore[arg-type]


def test_a_processor_that_could_not_run_them_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ship_kernels, "can_run_shipped", lambda: False)
    with pytest.raises(InvalidArguments, match=r"the processor to compile kernels on is .*; allowed: one"):
        next(JOBS["ship_kernels"]({"folder": "a"}))


@pytest.mark.deep
def test_a_first_start_with_shipped_kernels_compiles_nothing(tmp_path: Path) -> None:
    if not can_run_shipped():
        pytest.skip("this processor is older than those that kernels are shipped for")
    package, cache = tmp_path / "package", tmp_path / "cache"
    for name in ("engine", "resources"):
        shutil.copytree(ENGINE.parent / name, package / name, ignore=shutil.ignore_patterns("__pycache__", "kernels"))
    variables = {**os.environ, "PYTHONPATH": str(package), "SINEW_CACHE": str(cache)}
    arguments = json.dumps({"folder": str(package / "resources" / "kernels")})
    ship = [sys.executable, "-P", "-m", "engine", "job", "ship_kernels", arguments]
    done = subprocess.run(ship, env=variables, cwd="/", capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    first = [sys.executable, "-P", "-c", FIRST_START]
    done = subprocess.run(first, env=variables, cwd="/", capture_output=True, text=True, timeout=600)
    assert json.loads(done.stdout) == [[], 0, "x86-64-v3"], done.stderr
    assert not list(cache.rglob("*.kernel"))
