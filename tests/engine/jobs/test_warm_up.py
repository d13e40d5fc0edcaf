"""Kernels are compiled ahead, once, and the stamp never promises what is not there."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from engine.jobs import warm_up
from engine.jobs.warm_up import Warm, is_warm
from engine.runtime.child import ChildJob, Message
from engine.runtime.errors import InvalidArguments
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
from engine.runtime.jit import kernels_of
from tests.engine.figures import scene
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
used = [*kernels_of("model"), *kernels_of("motion")]
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


def kernels(room: str) -> list[Path]:
    folder = kernel_folder(room)
    assert folder is not None
    return sorted(folder.glob("*.kernel"))


def all_are_warm() -> bool:
    return all(is_warm(entry.room) for entry in warm_up.WARM)


def run_child() -> tuple[ChildJob, list[Message]]:
    messages: list[Message] = []
    job = ChildJob("warm_up", {}, on_message=messages.append)
    assert job.wait(SOON)
    assert job.state == "done", job.error
    return job, messages


def test_a_child_warms_every_room_so_that_real_work_compiles_nothing(cold: Path) -> None:
    assert not all_are_warm()
    job, messages = run_child()
    assert job.result == [entry.room for entry in warm_up.WARM]
    assert [message["ready"] for message in messages if "ready" in message] == job.result
    assert messages[0] == {"progress": 0.0, "text": f"Preparing posing (1 of {len(warm_up.WARM)})…"}
    shares = [message["progress"] for message in messages if "progress" in message]
    assert shares == sorted(shares, key=float)  # type: ignore[arg-type]
    assert shares[-1] == 1.0
    assert all_are_warm()

    environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent)}
    command = [sys.executable, "-c", USE_EVERYTHING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SOON)
    assert done.returncode == 0, done.stderr
    compiled = json.loads(done.stdout)
    assert len(compiled) > 1
    assert set(compiled.values()) == {0}

    again, _ = run_child()
    assert again.result == []
    next(path for path in kernels("model") if "forward_kinematics" in path.name).write_bytes(b"")
    assert not is_warm("model")


@pytest.fixture
def two_rooms(cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rooms whose warming writes a file each instead of compiling."""

    def fill(room: str) -> Iterator[str]:
        folder = kernel_folder(room)
        assert folder is not None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "some.kernel").write_bytes(b"code")
        yield "some"

    for name, room in (("warms_maths", "maths"), ("warms_ik", "ik")):
        module = ModuleType(name)
        monkeypatch.setattr(module, "warm", lambda room=room: fill(room), raising=False)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(warm_up, "WARM", (Warm("maths", "warms_maths", "numbers"), Warm("ik", "warms_ik", "reaching")))


@pytest.mark.usefixtures("two_rooms")
def test_each_room_is_ready_as_soon_as_its_own_kernels_are() -> None:
    steps = warm_up.warm_up({})
    said = []
    for message in steps:
        said.append(message.get("ready") or message["text"])
        if message.get("ready") == "maths":
            assert is_warm("maths")
            assert not is_warm("ik")
    first, second = "Preparing numbers (1 of 2)…", "Preparing reaching (2 of 2)…"
    assert said == [first, first, "maths", second, second, "ik"]
    assert all_are_warm()


@pytest.mark.usefixtures("two_rooms")
@pytest.mark.parametrize(
    "stamp", [b"", b"{", b"[]", b"{}", b"7", b'{"some.kernel": 5}', b'{"gone.kernel": 4}', b"\xff"]
)
def test_a_stamp_that_is_damaged_or_wrong_does_not_count(stamp: bytes) -> None:
    list(warm_up.warm_up({}))
    assert is_warm("maths")
    folder = kernel_folder("maths")
    assert folder is not None
    (folder / "warm.json").write_bytes(stamp)
    assert not is_warm("maths")
    list(warm_up.warm_up({}))
    assert is_warm("maths")


def test_nothing_needs_warming_without_the_compiler_or_without_a_place_to_keep_it(
    cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert is_warm("model")
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    assert not is_warm("model")
    monkeypatch.setattr(warm_up, "kernel_folder", lambda room: None)
    assert is_warm("model")


def test_arguments_that_nobody_reads_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="allowed: none"):
        next(warm_up.warm_up({"rooms": "model"}))


@pytest.mark.usefixtures("two_rooms")
def test_old_kernels_are_pruned_by_count_and_age_and_the_present_ones_stay(cold: Path) -> None:
    list(warm_up.warm_up({}))
    now = time.time()
    ages = {"maths-a": 10, "maths-b": 20, "maths-c": 30, "maths-d": 40, "ik-a": 29 * 86400, "ik-b": 31 * 86400}
    for name, age in ages.items():
        (cold / "kernels" / name).mkdir()
        os.utime(cold / "kernels" / name, (now - age, now - age))
    fresh, stray = cold / "kernels" / "ik-a" / "fresh.part", cold / "kernels" / "ik-a" / "stray.part"
    fresh.touch()
    stray.touch()
    os.utime(stray, (now - 7200, now - 7200))
    os.utime(cold / "kernels" / "ik-a", (now - ages["ik-a"], now - ages["ik-a"]))
    list(warm_up.warm_up({}))
    present = {path.name for path in (kernel_folder("maths"), kernel_folder("ik")) if path is not None}
    left = {path.name for path in (cold / "kernels").iterdir()}
    assert left == {"maths-a", "maths-b", "maths-c", "ik-a", *present}
    assert fresh.exists()
    assert not stray.exists()
    assert all_are_warm()
