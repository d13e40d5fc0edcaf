"""What is compiled while a caller waits says so, in one line that ends; what is only loaded does not."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from engine.long import prepare as preparing
from engine.long import warm_up
from engine.long.prepare import prepare
from engine.long.warm_up import Warm, is_warm
from engine.runtime import kernel_cache
from engine.runtime.folders import kernel_folder, writable_cache
from engine.runtime.rooms import ENGINE

WITHIN = 300.0  # [s]


class Screen(io.StringIO):
    """A stream that tells when something was written."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal, self.heard = terminal, threading.Semaphore(0)

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        count = super().write(text)
        self.heard.release()
        return count


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    """An empty cache, and two purposes whose functions a test gives: `first` and `second` of a module."""
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path))
    monkeypatch.setenv("SINEW_QUIET", "")
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    for cached in (writable_cache, kernel_folder):
        cached.cache_clear()
    module = ModuleType("warms")
    monkeypatch.setitem(sys.modules, "warms", module)
    entries = tuple(
        Warm(name, f"{name} things", (("warms", name),), {"one": 10.0, "two": 30.0}) for name in ("first", "second")
    )
    monkeypatch.setattr(warm_up, "WARM", entries)
    monkeypatch.setattr(preparing, "WARM", entries)
    monkeypatch.setattr(preparing, "BEAT", 0.001)
    monkeypatch.setattr(preparing, "_ready", set[str]())
    monkeypatch.setattr(kernel_cache, "used_files", kernel_cache.UsedFiles())
    yield module
    for cached in (writable_cache, kernel_folder):
        cached.cache_clear()


def make(name: str) -> None:
    """Keep a kernel, as a compiler would."""
    folder = kernel_folder()
    assert folder is not None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.kernel").write_bytes(b"code")
    kernel_cache.used_files.kept.add(folder / f"{name}.kernel")


def wait_for(screen: Screen, times: int = 1) -> None:
    for _ in range(times):
        assert screen.heard.acquire(timeout=WITHIN)


def test_a_terminal_has_one_line_that_is_written_over_and_ends(
    cold: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen(terminal=True)
    monkeypatch.setattr(sys, "stderr", screen)

    def first() -> Iterator[str]:
        make("first")
        wait_for(screen, 3)
        yield "one"
        yield "two"

    cold.first = first  # type: ignore[attr-defined]
    prepare(["first"])
    said = screen.getvalue()
    assert said.count("\n") == 1
    lines = [line.rstrip() for line in said.removesuffix("\n").split("\r") if line]
    assert lines[0] == "Sinew: preparing kernels for first things, 40 s left"
    assert lines[-1].startswith("Sinew: kernels are ready, ")
    assert is_warm("first")
    prepare(["first"])
    assert screen.getvalue() == said, "what is ready is not asked for again"


def test_a_file_has_a_line_as_it_begins_and_one_as_it_ends(cold: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=False)
    monkeypatch.setattr(sys, "stderr", screen)

    def work(name: str) -> Iterator[str]:
        make(name)
        if name == "first":
            wait_for(screen)
        yield "one"
        yield "two"

    cold.first, cold.second = (lambda: work("first")), (lambda: work("second"))  # type: ignore[attr-defined]
    prepare(["second", "first"])
    begin, end = screen.getvalue().splitlines()
    assert begin == "Sinew: preparing kernels for first things, 80 s left; this happens once"
    assert end.startswith("Sinew: kernels are ready, ")


@pytest.mark.parametrize("reason", ["loads alone", "is asked to be quiet"])
def test_nothing_is_said_where_it(reason: str, cold: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, beats, hushed = Screen(terminal=True), threading.Semaphore(0), reason == "is asked to be quiet"
    monkeypatch.setattr(sys, "stderr", screen)

    def is_quiet() -> bool:
        beats.release()
        return hushed

    monkeypatch.setattr(preparing, "is_quiet", is_quiet)

    def first() -> Iterator[str]:
        if hushed:
            make("first")
        assert beats.acquire(timeout=WITHIN)
        assert beats.acquire(timeout=0.2 if hushed else WITHIN) != hushed, (
            "who is quiet does not even look at the clock"
        )
        yield "one"
        yield "two"

    cold.first = first  # type: ignore[attr-defined]
    prepare(["first"])
    assert screen.getvalue() == ""


def test_where_nothing_can_be_kept_each_process_says_it_once(cold: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=False)
    monkeypatch.setattr(sys, "stderr", screen)
    for module in (preparing, warm_up):
        monkeypatch.setattr(module, "kernel_folder", lambda: None)

    def first() -> Iterator[str]:
        wait_for(screen)
        yield "one"
        yield "two"

    cold.first = first  # type: ignore[attr-defined]
    prepare(["first"])
    prepare(["first"])
    assert len(screen.getvalue().splitlines()) == 2


def test_what_fails_ends_the_line_and_is_tried_again(cold: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=False)
    monkeypatch.setattr(sys, "stderr", screen)

    def first() -> Iterator[str]:
        make(f"kernel {len(kernel_cache.used_files.kept)}")
        wait_for(screen)
        yield "one"
        raise KeyboardInterrupt

    cold.first = first  # type: ignore[attr-defined]
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            prepare(["first"])
        wait_for(screen)
    lines = screen.getvalue().splitlines()
    assert [line.startswith("Sinew: preparing kernels ended after ") for line in lines] == [False, True] * 2


USE = """
import json
import sinew
import engine.long.prepare as preparing
from engine.runtime.kernel_cache import used_files

def is_warm(name):
    return False

preparing.is_warm, own = is_warm, preparing.prepare
seen, found = set(), {}

def prepare(names):
    own(names)
    seen.update(used_files.all)

def check(name, call):
    result = call()
    found[name] = sorted(path.name for path in used_files.all - seen)
    seen.update(used_files.all)
    return result

preparing.prepare = prepare
sinew.quiet()
scene = sinew.figure("human")
"""
CALLS = {
    "evaluate": "check('evaluate', lambda: sinew.evaluate(scene))",
    "solve": "check('solve', lambda: sinew.solve(scene, {'hand_right': (-0.3, 1.2, 0.4)}))",
    "held": "check('held', lambda: sinew.solve(scene, {'hand_right': (-0.3, 1.2, 0.4)}, held=['foot_left']))",
    "ccd": "check('ccd', lambda: sinew.solve(scene, {'hand_right': (-0.3, 1.2, 0.4)}, solver='ccd'))",
    "measure": "check('measure', lambda: sinew.measure(scene, ['energy:human', 'velocity.y:human.head'], end=0.2))",
    "torque": "check('torque', lambda: sinew.measure(scene, ['torque:human.elbow_left.flexion'], end=0.2))",
    "simulate": """
fall = check('simulate', lambda: sinew.simulate(scene, 0.2))
check('follow', lambda: sinew.simulate(fall, 0.2, servos=3.0))
for ending in ('bvh', 'glb', 'usda', 'csv', 'sinew'):
    check(ending, lambda: sinew.save(fall, f'fall.{ending}'))
for ending in ('bvh', 'glb'):
    check(f'read {ending}', lambda: sinew.load(f'fall.{ending}'))
""",
}


# A process for each call, split from one that has imported what all of them need and loaded no kernel.
SPLIT = """
import os, sys
import numba, sinew, engine.evaluate.evaluator, engine.long.prepare

def found_by(program):
    within, into = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(into, 1)
        try:
            exec(program, {"__name__": "__main__"})
            sys.stdout.flush()
            os._exit(0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    os.close(into)
    with open(within) as said:
        text = said.read()
    return text if os.waitpid(child, 0)[1] == 0 else ""

"""


@cache
def said_by_each(folder: Path) -> tuple[dict[str, str], str]:
    """What the program of each call prints, nothing where it fails; and what went wrong on the way."""
    programs = {name: f"{USE}\n{call}\nprint(json.dumps(found))" for name, call in CALLS.items()}
    environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent)}

    def run(program: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)

    if hasattr(os, "fork"):
        done = run(f"{SPLIT}\nimport json\nprint(json.dumps({{k: found_by(v) for k, v in {programs!r}.items()}}))")
        return (json.loads(done.stdout) if done.returncode == 0 else {}), done.stderr
    runs = {name: run(program) for name, program in programs.items()}
    return {name: each.stdout for name, each in runs.items()}, "".join(each.stderr for each in runs.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("calls")


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_call_of_the_library_uses_no_kernel_that_it_has_not_prepared(name: str, folder: Path) -> None:
    """Else it would be silent while that compiles. Each in a process that has loaded no other kernel."""
    said, problems = said_by_each(folder)
    assert said.get(name), problems
    found: dict[str, list[str]] = json.loads(said[name])
    assert found
    assert {call: missing for call, missing in found.items() if missing} == {}
