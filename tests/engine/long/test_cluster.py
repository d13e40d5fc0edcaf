"""A cluster of processes: the same results as here, whatever dies on the way, and a sentence where there is none."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.long.cluster import Cluster, NoCluster, _HandedOver
from engine.long.pieces import Done, Here
from engine.runtime.child import Json
from engine.runtime.rooms import ENGINE
from engine.sweeps.study import read_study
from engine.sweeps.sweep import sweep_of
from tests.engine.long.piece_work import MAKE
from tests.engine.long.test_pieces import NUMBERS, in_order, task

try:
    import distributed
except ImportError:
    distributed = None

WITHOUT = pytest.mark.skipif(distributed is None, reason="without the package distributed: pip install '.[cluster]'")


KEPT = "What was done is kept: run it again where one runs"


def started(*arguments: str, **more: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ENGINE.parent), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s", **more}
    command = [sys.executable, "-m", "dask", *arguments]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


@contextmanager
def cluster(*workers: dict[str, str]) -> Iterator[tuple[str, subprocess.Popen[str], list[subprocess.Popen[str]]]]:
    """A scheduler and workers: their address and processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    ends = ("--no-dashboard",)
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", str(port), *ends)
    _wait_for(scheduler, "Scheduler at:")
    first = ("--nthreads", "1", "--no-nanny", *ends, "--death-timeout", "30")
    there = [started("worker", address, *first, **more) for more in workers]
    try:
        for each in there:  # a machine that is busy takes its time
            _wait_for(each, "Registered to:")
        yield address, scheduler, there
    finally:
        for each in (*there, scheduler):
            each.kill()
            each.communicate()
        callbacks, distributed.Future._cb_executor = distributed.Future._cb_executor, None
        if callbacks is not None:  # one thread of Dask's for the whole process
            callbacks.shutdown()


def _wait_for(process: subprocess.Popen[str], words: str) -> None:
    """Read what a process says until it says this."""
    assert process.stderr is not None, "a pipe"
    assert any(words in line for line in process.stderr), f"it ended before {words!r}"


def test_without_the_package_or_a_scheduler_it_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "distributed", None)
        with pytest.raises(NoCluster, match=r"the package distributed is missing. Install it: pip install 'sinew"):
            list(Cluster("tcp://127.0.0.1:1").run(task(tmp_path), NUMBERS))
    for address in ("nonsense://x:1", "host", "tcp://host", "tcp://host:port"):
        with pytest.raises(NoCluster, match=r"it is no address. Write one such as tcp://10\.0\.0\.5:8786"):
            list(Cluster(address).run(task(tmp_path), NUMBERS))
    assert list(Cluster("host:1").run(task(tmp_path), [])) == []


class LostFuture:
    """A future whose worker died after it was done; Dask does it anew, and knows it then."""

    status = "lost"

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem = problem

    def result(self) -> Json:
        if self.problem is not None:
            raise self.problem
        return {"result": 9, "problem": "", "lost": False}


def test_a_piece_that_was_lost_with_its_worker_is_waited_for(tmp_path: Path) -> None:
    run = _HandedOver("tcp://host:1", None, task(tmp_path), NUMBERS)
    assert run._done(0, LostFuture()) == Done(0, 9)
    assert run._done(1, LostFuture(ValueError("damaged"))) == Done(1, problem="ValueError: damaged", lost=True)
    gone = LostFuture()
    gone.status = "cancelled"
    with pytest.raises(NoCluster, match="it has gone away"):
        run._done(2, gone)


def sweeping(study: Path, address: str) -> subprocess.Popen[str]:
    """The command in a process of its own: Dask leaves threads behind where a scheduler does not answer."""
    command = [sys.executable, "-m", "engine", "sweep", str(study), "--scheduler", address]
    path = os.pathsep.join([str(ENGINE.parent), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, "SINEW_QUIET": "1"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@WITHOUT
@pytest.mark.deep
def test_a_scheduler_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    address = "tcp://127.0.0.1:1"
    study = tmp_path / "study.toml"
    study.write_text(STUDY, encoding="utf-8")
    process = sweeping(study, address)
    _, said = process.communicate(timeout=300.0)
    assert process.returncode == 1
    assert said.startswith(f"the scheduler {address} cannot be used: it does not answer (")
    assert said.count("\n") == 1


@WITHOUT
@pytest.mark.deep
def test_a_scheduler_that_goes_away_ends_with_a_line_and_keeps_what_is_done(tmp_path: Path) -> None:
    study, beside = tmp_path / "study.toml", tmp_path / "study.csv.rows"
    study.write_text(STUDY.replace("count = 8", "count = 400"), encoding="utf-8")
    with cluster({}) as (address, scheduler, _):
        process = sweeping(study, address)
        while not beside.exists() or beside.read_bytes().count(b"\n") < 5:
            assert process.poll() is None, "there are 2,000 rows"
        scheduler.kill()
        _, said = process.communicate(timeout=300.0)
    assert process.returncode == 1
    assert said == f"the scheduler {address} cannot be used: it has gone away. {KEPT}\n"
    sweep = sweep_of(read_study(study))
    known, todo = sweep.to_do(tmp_path / "study.csv")
    assert len(known) >= 3
    assert len(todo) == 2000 - len(known)


@WITHOUT
@pytest.mark.deep
def test_a_scheduler_without_a_worker_is_a_sentence(tmp_path: Path) -> None:
    with cluster() as (address, _, _), pytest.raises(NoCluster, match="it has no worker"):
        list(Cluster(address, patience=3.0).run(task(tmp_path), NUMBERS))


@WITHOUT
@pytest.mark.deep
def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "engine").mkdir(parents=True)
    (other / "sitecustomize.py").write_text("import engine\nengine.__version__ = '9.9.9'\n")
    path = os.pathsep.join([str(other), str(ENGINE.parent), *sys.path])
    with (
        cluster({"PYTHONPATH": path}) as (address, _, _),
        pytest.raises(NoCluster, match=r"has Sinew 9\.9\.9, and this"),
    ):
        list(Cluster(address).run(task(tmp_path), NUMBERS))


@WITHOUT
@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_two_workers_killed_on_the_way_give_the_same_bytes(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(STUDY, encoding="utf-8")
    alone, other = tmp_path / "alone.csv", tmp_path / "other.csv"
    sweep = sweep_of(read_study(study))
    for _ in sweep.run(Here(), alone):
        pass
    with cluster({}, {}, {}, {}) as (address, _, workers):
        for done, _ in enumerate(sweep.run(Cluster(address), other)):
            if done in (4, 16):
                workers[done // 10].send_signal(signal.SIGKILL)
        assert [each.poll() is None for each in workers] == [False, False, True, True]
    assert other.read_bytes() == alone.read_bytes()


@WITHOUT
@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_piece_at_which_a_worker_dies_is_done_by_another(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    alone = in_order(list(Here().run(task(here), NUMBERS)))
    with cluster({}, {}, {}) as (address, _, _):
        assert in_order(list(Cluster(address).run(task(there, killed=[4]), NUMBERS))) == alone
    assert len((there / "4").read_text().split()) == 2
    assert MAKE.endswith("begin")


STUDY = """example = "hanging_ball"
end = 0.5

[[edit]]
edit = "set_gains"
actor = "frames_5"
tension = { from = 1.0, to = 8.0, count = 8 }
damping = { values = [0.1, 0.2, 0.3, 0.4, 0.5] }

[[result]]
quantity = "velocity.length:frames_5.ball"
of = "max"
"""
