"""Kernels are compiled ahead, once, and the stamp never promises what is not there."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from engine.long import warm_up
from engine.long.parent import _lines
from engine.long.warm_up import Warm, is_warm
from engine.runtime import kernel_cache
from engine.runtime.child import ChildJob, Message
from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.folders import kernel_folder, writable_cache
from engine.runtime.rooms import ENGINE

SOON = 1800.0  # all kernels are some minutes of work, beside other tests more

USE_EVERYTHING = """
import json
from dataclasses import replace
import numpy as np
from engine.document import Blob, Key, Layer, Samples, Track
from engine.edits.poses import set_pose
from engine.evaluate.evaluator import Evaluator
from tests.engine.figures import scene
from tests.engine.kernels import kernels_of
document = scene()
for actor in document.actors:
    if actor.layers:
        values = tuple((name, 0.25) for name in actor.figure.coordinates)
        document = set_pose(document, actor=actor.id, layer=actor.layers[0].id, values=values)
Evaluator().snapshot(document, 0)
first = document.actors[0]
names = first.figure.coordinates[:2]
samples = Samples(coordinates=names, values=Blob(np.zeros((3, 2))), rate=(30, 1))
track = Track(coordinate=names[0], keys=(Key(0, 0.0), Key(99, 1.0)))
moving = replace(first, layers=(Layer(id="a", samples=samples), Layer(id="b", tracks=(track,), mode="add")))
Evaluator().snapshot(document.with_actor(moving), 50)
used = kernels_of("model", "motion")
print(json.dumps({k.__name__: sum(k.stats.cache_misses.values()) for k in used}))
"""


def forget() -> None:
    writable_cache.cache_clear()
    kernel_folder.cache_clear()


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, allow: Callable[[float], None]) -> Iterator[Path]:
    """An empty cache folder, for this process and its children."""
    allow(2.0 * SOON)
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    forget()
    yield tmp_path
    forget()


def all_are_warm() -> bool:
    return all(is_warm(entry.name) for entry in warm_up.WARM)


def run_child() -> tuple[ChildJob, list[Message]]:
    messages: list[Message] = []
    job = ChildJob("warm_up", {}, on_message=messages.append)
    assert job.wait(SOON)
    assert job.state == "done", job.error
    return job, messages


@pytest.mark.deep
def test_a_child_warms_all_purposes_so_that_real_work_compiles_nothing(cold: Path) -> None:
    assert not all_are_warm()
    job, messages = run_child()
    assert job.result == [entry.name for entry in warm_up.WARM]
    assert [message["ready"] for message in messages if "ready" in message] == job.result
    shares = [message["progress"] for message in messages if "progress" in message]
    assert shares == sorted(shares, key=float)  # type: ignore[arg-type]
    assert shares[-1] == pytest.approx(1.0)
    assert all_are_warm()
    assert set(misses().values()) == {0}
    assert run_child()[0].result == []
    for path in (cold / "kernels").glob("*/*.kernel"):
        content = path.read_bytes()
        path.write_bytes(b"")
        assert not all_are_warm()
        path.write_bytes(content)
    assert all_are_warm()


def test_real_work_uses_kernels_that_were_warmed() -> None:
    list(warm_up.warm_up({}))
    compiled = misses()
    assert len(compiled) > 1
    assert set(compiled.values()) == {0}


def test_steps_are_those_whose_time_is_told() -> None:
    assert told_by_a_process()["steps"] == {entry.name: list(entry.seconds) for entry in warm_up.WARM}


OF_NO_WINDOW = {"exponential", "find_path_time", "measure_field", "multiply_quaternions"}


def test_what_plain_functions_call_can_be_entered_once_all_is_warm() -> None:
    """A kernel that was compiled for other kernels alone would be compiled once more when it is first called. In a
    process of its own: others have imported what no window does."""
    if pytest.importorskip("numba").config.DISABLE_JIT:
        pytest.skip("kernels are not compiled in this lane")
    told = told_by_a_process()
    assert told["called"] > 60
    assert set(told["closed"]) <= OF_NO_WINDOW


@cache
def told_by_a_process() -> dict[str, Any]:
    """What `warm_kernels` tells in a process of its own."""
    program = f"import json, {__name__} as here; print(json.dumps(here.warm_kernels()))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ENGINE.parent
    )
    return dict(json.loads(done.stdout))


def warm_kernels() -> dict[str, Any]:
    """The steps of each purpose as they are done; how many kernels plain functions call once all is warm, and which of
    them cannot be entered."""
    from engine.runtime.dispatch import is_entered

    steps = {entry.name: list(entry.steps()) for entry in warm_up.WARM}
    called = set().union(*map(kernels_in, plain_functions()))
    closed = {each.__name__ for each in called if not any(is_entered(one.library) for one in each.overloads.values())}
    return {"steps": steps, "called": len(called), "closed": sorted(closed)}


def plain_functions() -> Iterator[FunctionType]:
    """Functions and methods of the engine's modules that are imported so far."""
    for module in [each for name, each in sys.modules.items() if name.startswith("engine.")]:
        own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
        for value in own + [each for kind in own if isinstance(kind, type) for each in vars(kind).values()]:
            function = getattr(value, "func", getattr(value, "__func__", value))
            if isinstance(function, FunctionType):
                yield function


def kernels_in(function: FunctionType) -> set[Any]:
    """The kernels that a function names, also in functions and comprehensions within it."""
    from engine.runtime.dispatch import KernelDispatcher

    codes: list[CodeType] = [function.__code__]
    found: list[Any] = []
    while codes:
        code = codes.pop()
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
        found += [function.__globals__.get(name) for name in code.co_names]
    return {each for each in found if isinstance(each, KernelDispatcher)}


def misses() -> dict[str, int]:
    """How many specialisations of each kernel a fresh process compiles for real work."""
    environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent)}
    command = [sys.executable, "-c", USE_EVERYTHING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SOON)
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


@pytest.fixture
def two_purposes(cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two purposes whose warming writes a file each instead of compiling."""

    def fill(name: str) -> Iterator[str]:
        folder = kernel_folder()
        assert folder is not None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.kernel").write_bytes(b"code")
        kernel_cache.used_files.kept.add(folder / f"{name}.kernel")
        yield "some"

    module = ModuleType("warms")
    for name in ("numbers", "reaching"):
        monkeypatch.setattr(module, name, partial(fill, name), raising=False)
    monkeypatch.setitem(sys.modules, "warms", module)
    monkeypatch.setattr(kernel_cache, "used_files", kernel_cache.UsedFiles())
    entries = (
        Warm(name, name, (("warms", name),), {"some": seconds})
        for name, seconds in (("numbers", 1.0), ("reaching", 3.0))
    )
    monkeypatch.setattr(warm_up, "WARM", tuple(entries))


@pytest.mark.usefixtures("two_purposes")
def test_each_purpose_is_ready_as_soon_as_its_own_kernels_are() -> None:
    said = []
    for message in warm_up.warm_up({}):
        said.append((message["progress"], message.get("ready") or message["text"]))
        if message.get("ready") == "numbers":
            assert is_warm("numbers")
            assert not is_warm("reaching")
    first, second = "Preparing numbers (1 of 2)…", "Preparing reaching (2 of 2)…"
    assert said == [(0.0, first), (0.25, first), (0.25, "numbers"), (0.25, second), (1.0, second), (1.0, "reaching")]
    assert all_are_warm()


SHARED, OWN = (
    """
from engine.runtime.jit import kernel

@kernel
def shared(x: float) -> float:
    return x + 1.0
""",
    """
@kernel
def {0}(x: float) -> float:
    return shared(x) + 2.0

def warm_{0}():
    asked({0!r}, "before")
    shared(1.0)
    asked({0!r}, "between")
    {0}(1.0)
    yield "some"
""",
)


def warm_asking(monkeypatch: pytest.MonkeyPatch, asked: dict[tuple[str, str], bytes]) -> tuple[list[Message], Any]:
    """Warm purposes first, second and third, each of two kernels, while a window writes lines as these are worked on;
    what is told, and the module of the kernels."""
    pytest.importorskip("numba")
    module, names = ModuleType("giving"), ("first", "second", "third")
    module.asked = lambda *where: _lines.put(asked.pop(where)) if where in asked else None  # type: ignore[attr-defined]
    exec(SHARED + "".join(OWN.format(name) for name in names), vars(module))
    monkeypatch.setitem(sys.modules, "giving", module)
    entries = [Warm(name, name, (("giving", f"warm_{name}"),), {"some": 1.0}) for name in names]
    monkeypatch.setattr(warm_up, "WARM", tuple(entries))
    monkeypatch.setattr(kernel_cache, "used_files", kernel_cache.UsedFiles())
    messages = list(warm_up.warm_up({}))
    assert not asked
    return messages, module


def ready_in(messages: list[Message]) -> list[object]:
    return [message["ready"] for message in messages if "ready" in message]


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize(
    ("asked", "order"),
    [
        ({}, ["first", "second", "third"]),
        ({("first", "between"): b'{"first": ["third"]}'}, ["first", "third", "second"]),
        ({("second", "before"): b'{"first": ["third"]}'}, ["first", "third", "second"]),
        ({("second", "between"): b'{"first": ["third"]}'}, ["first", "third", "second"]),
        ({("second", "between"): b'{"first": ["third"]}', ("third", "between"): b'{"first": []}'}, None),
        ({("second", "between"): b'{"first": ["gone"]}', ("third", "before"): b"7"}, ["first", "second", "third"]),
    ],
)
def test_what_is_waited_for_comes_first_and_nothing_is_compiled_twice(
    monkeypatch: pytest.MonkeyPatch, asked: dict[tuple[str, str], bytes], order: list[str] | None
) -> None:
    messages, module = warm_asking(monkeypatch, dict(asked))
    assert ready_in(messages) == (order or ["first", "second", "third"])
    compiled = [getattr(module, name).stats.cache_misses for name in ("shared", "first", "second", "third")]
    assert [sum(each.values()) for each in compiled] == [1, 1, 1, 1]
    shares = [float(str(message["progress"])) for message in messages]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.usefixtures("two_purposes")
@pytest.mark.parametrize(
    "stamp", [b"", b"{", b"[]", b"{}", b"7", b'{"numbers.kernel": 5}', b'{"gone.kernel": 4}', b"\xff"]
)
def test_a_stamp_that_is_damaged_or_wrong_does_not_count(stamp: bytes) -> None:
    list(warm_up.warm_up({}))
    assert is_warm("numbers")
    folder = kernel_folder()
    assert folder is not None
    (path,) = folder.glob("numbers-*.warm")
    path.write_bytes(stamp)
    assert not is_warm("numbers")
    list(warm_up.warm_up({}))
    assert is_warm("numbers")


@pytest.mark.usefixtures("two_purposes")
def test_another_processor_is_gone_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    list(warm_up.warm_up({}))
    monkeypatch.setattr(warm_up, "processor_digest", lambda: "other")
    assert not is_warm("numbers")
    list(warm_up.warm_up({}))
    assert all_are_warm()


@pytest.mark.usefixtures("two_purposes")
def test_a_file_that_is_cut_off_in_one_folder_may_be_whole_in_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "numbers.kernel").write_bytes(b"co")
    monkeypatch.setattr(warm_up, "shipped_kernels", lambda: shipped)
    list(warm_up.warm_up({}))
    assert all_are_warm()


@pytest.mark.usefixtures("two_purposes")
def test_where_nothing_can_be_kept_warming_ends_after_the_first_purpose(monkeypatch: pytest.MonkeyPatch) -> None:
    lose(monkeypatch, b"")
    told: list[Message] = []
    with pytest.raises(UnwritableFile, match=r"cannot write .*: No space left on device\. Until files can be kept"):
        told.extend(warm_up.warm_up({}))
    assert not any("ready" in each for each in told)
    assert not is_warm("numbers")


@pytest.mark.usefixtures("two_purposes")
def test_a_kernel_that_could_not_be_kept_makes_no_stamp_and_ends_nothing_where_others_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lose(monkeypatch, b"code")
    assert [each["ready"] for each in warm_up.warm_up({}) if "ready" in each] == ["numbers", "reaching"]
    assert not is_warm("numbers")
    assert not is_warm("reaching")  # it may use what could not be kept


def lose(monkeypatch: pytest.MonkeyPatch, kept: bytes) -> None:
    """Have each purpose lose a kernel, and keep another only if there is any content of it."""

    def fill(name: str) -> Iterator[str]:
        folder, used = kernel_folder(), kernel_cache.used_files
        assert folder is not None
        used.lost[folder / f"lost {name}.kernel"] = "No space left on device"
        if kept:
            (folder / f"{name}.kernel").write_bytes(kept)
            used.kept.add(folder / f"{name}.kernel")
        yield "some"

    for name in ("numbers", "reaching"):
        monkeypatch.setattr(sys.modules["warms"], name, partial(fill, name))


@pytest.mark.usefixtures("two_purposes")
def test_changed_sources_are_gone_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    list(warm_up.warm_up({}))
    monkeypatch.setattr(warm_up, "sources_digest", lambda: "other")
    assert not is_warm("numbers")
    list(warm_up.warm_up({}))
    assert all_are_warm()


def test_nothing_needs_warming_without_the_compiler_or_without_a_place_to_keep_it(
    cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert is_warm("posing")
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    assert not is_warm("posing")
    monkeypatch.setattr(warm_up, "kernel_folder", lambda: None)
    assert is_warm("posing")


def test_arguments_that_nobody_reads_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="allowed: none"):
        next(warm_up.warm_up({"purposes": "posing"}))


@pytest.mark.usefixtures("two_purposes")
def test_what_was_not_used_for_a_month_is_dropped_and_the_present_stays(cold: Path) -> None:
    list(warm_up.warm_up({}))
    folder = kernel_folder()
    assert folder is not None
    month, other = 31 * 86400, cold / "kernels" / "other"
    other.mkdir()
    ages = {folder / "old.kernel": month, folder / "new.kernel": 0, other / "old.kernel": month}
    ages |= {
        other / "in use.kernel": 0,
        folder / "fresh.part": 60,
        folder / "stray.part": 7200,
        other / "new.kernel": 86400,
    }
    emptied = cold / "kernels" / "emptied"
    emptied.mkdir()
    ages[emptied / "old.kernel"] = month
    for path, age in ages.items():
        path.touch()
        make_older(path, age)
    make_older(other, month)  # the time of a folder does not change as what it holds is used
    list(warm_up.warm_up({}))
    left = {path for path in ages if path.exists()}
    assert left == {folder / "new.kernel", folder / "fresh.part", other / "new.kernel", other / "in use.kernel"}
    assert not emptied.exists()
    assert all_are_warm()


def make_older(path: Path, age: float) -> None:
    """Have a file look as if it was last changed so long ago [s]."""
    then = time.time() - age
    os.utime(path, (then, then))


@pytest.mark.usefixtures("two_purposes")
def test_what_is_found_whole_is_in_use_and_told_so_once_a_day() -> None:
    list(warm_up.warm_up({}))
    folder = kernel_folder()
    assert folder is not None
    paths = [*folder.glob("numbers-*.warm"), folder / "numbers.kernel"]
    for age, is_touched in ((31 * 86400, True), (3600, False)):
        for path in paths:
            make_older(path, age)
        assert is_warm("numbers")
        assert {time.time() - path.stat().st_mtime < 1800 for path in paths} == {is_touched}
    for path in folder.iterdir():
        make_older(path, 31 * 86400)
    assert all_are_warm()
    warm_up._prune()
    assert all_are_warm()


@pytest.mark.usefixtures("two_purposes")
def test_a_folder_that_cannot_be_looked_into_is_left_alone(cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cold / "kernels" / "closed").mkdir(parents=True)
    (cold / "kernels" / "a file").touch()
    look = Path.iterdir

    def refuse(path: Path) -> Iterator[Path]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return iter(look(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    list(warm_up.warm_up({}))
    assert all_are_warm()
    assert (cold / "kernels" / "closed").is_dir()
