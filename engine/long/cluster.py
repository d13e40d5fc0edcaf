"""Cluster: pieces done by the workers of a Dask scheduler (the package `distributed`, which only this needs).

The workers need nothing but Sinew, of the same version: a piece and what is shared come with it, as JSON. The scheduler
gives the piece of a worker that died to another one; a piece at which several died is given up. A scheduler that goes
away ends the work with a sentence, and what came until then was yielded.
"""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from threading import Semaphore
from typing import Any, NoReturn, cast

from engine import __version__
from engine.long.pieces import AGAIN, Doing, Done, Task, Work, attempt, take_one_core
from engine.runtime.child import Json
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

PATIENCE = 10.0  # [s] for a scheduler that is to answer, and for its first worker
LOOK_EVERY = 1.0  # [s] at the connection, while no piece comes
_GONE = "it has gone away. What was done is kept: run it again where one runs"
AT_ONCE = 4  # pieces that are handed over for each core of the cluster: enough that none waits

_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}")

_turn = Semaphore(1)  # of this process, a worker's: an evaluator is for one thread
_begun: dict[str, Work] = {}  # likewise, by the name of a run


class NoCluster(EngineError):
    """A scheduler that cannot be used, or no longer; what was done before is kept."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"the scheduler {address} cannot be used: {why}")
        self.address, self.why = address, why


@dataclass(frozen=True)
class Cluster:
    """By the workers of a scheduler."""

    address: str
    patience: float = PATIENCE

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        """Do all."""
        if not pieces:
            return
        client = self._connected()
        try:
            _check_versions(self.address, client)
            yield from _HandedOver(self.address, client, task, pieces).all()
        except (OSError, CancelledError) as problem:
            raise NoCluster(self.address, _GONE) from problem
        finally:
            with contextlib.suppress(Exception):  # one whose scheduler has gone cannot say goodbye
                client.close(timeout=2.0)

    def _connected(self) -> Any:
        if not _ADDRESS.fullmatch(self.address):
            raise NoCluster(self.address, "it is no address. Write one such as tcp://10.0.0.5:8786")
        try:
            from distributed import Client
        except ImportError as problem:
            why = "the package distributed is missing. Install it: pip install 'sinew[cluster]'"
            raise NoCluster(self.address, why) from problem
        for name in ("distributed.client", "distributed.core", "distributed.scheduler"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what ends the work is said in a sentence
        try:
            client = Client(self.address, timeout=self.patience, set_as_default=False, name="sinew")
        except (OSError, ValueError, TypeError) as problem:
            why = f"it does not answer ({problem or 'no time'}). Check the address, and that dask scheduler runs there"
            raise NoCluster(self.address, " ".join(why.split())) from problem
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError as problem:
            client.close(timeout=2.0)
            why = f"it has no worker. Start some, where Sinew is installed: dask worker {self.address}"
            raise NoCluster(self.address, why) from problem
        return client


class _HandedOver:
    """The pieces of one run and where they are."""

    def __init__(self, address: str, client: Any, task: Task, pieces: Sequence[Json]) -> None:
        from uuid import uuid4

        self._address, self._client, self._task, self._pieces = address, client, task, pieces
        self._name = f"sinew-{uuid4().hex}"
        self._heard: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._out: dict[int, Any] = {}  # futures, by the place of their pieces

    def all(self) -> Doing:
        """Do all; a few more are handed over than there are cores, and another one whenever one comes back."""
        # By a task of its own: where the worker that holds it dies, the scheduler makes it again.
        shared = self._client.submit(_given, self._task.shared, key=f"{self._name}-shared", pure=False)
        cores = sum(self._client.nthreads().values())
        left = iter(range(len(self._pieces)))
        try:
            for _ in range(AT_ONCE * max(cores, 1)):
                self._hand_over(next(left, None), shared)
            while self._out:
                place, future = self._next()
                del self._out[place]
                self._hand_over(next(left, None), shared)
                yield self._done(place, future)
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel([*self._out.values(), shared], force=True)
            with contextlib.suppress(Exception):
                self._client.run(_forget, self._name, on_error="ignore", wait=False)

    def _hand_over(self, place: int | None, shared: Any) -> None:
        if place is None:
            return
        given = (self._name, __version__, self._task.make, place, self._pieces[place])
        key = f"{self._name}-{place}"
        future = self._client.submit(_piece, shared, *given, key=key, pure=False, retries=0)
        self._out[place] = future
        future.add_done_callback(_tell(self._heard, place))

    def _next(self) -> tuple[int, Any]:
        """Wait for a piece that is done, as long as there is a scheduler."""
        while True:
            try:
                return self._heard.get(timeout=LOOK_EVERY)
            except Empty:
                if self._client.status != "running":
                    self._gone()

    def _done(self, place: int, future: Any) -> Done:
        """Fetch what came of a piece. One that was lost again, as its worker died with it, is waited for: it is done
        anew elsewhere."""
        if future.status == "cancelled":
            self._gone()
        try:
            told = cast(dict[str, Json], future.result())
        except (OSError, CancelledError):
            raise
        except Exception as problem:
            if type(problem).__name__ != "KilledWorker":
                return Done(place, problem=f"{type(problem).__name__}: {problem}", lost=True)
            last = cast(Any, problem).last_worker.address
            how = f"{AGAIN + 1} workers or more died that were at it, the last one {last}"
            return Done(place, problem=how, lost=True)
        if "version" in told:
            raise NoCluster(self._address, _other_version(str(told["where"]), str(told["version"])))
        return Done(place, told["result"], str(told["problem"]), bool(told["lost"]))

    def _gone(self) -> NoReturn:
        raise NoCluster(self._address, _GONE)


def _tell(heard: SimpleQueue[tuple[int, Any]], place: int) -> Callable[[Any], None]:
    return lambda future: heard.put((place, future))


def _check_versions(address: str, client: Any) -> None:
    """Refuse workers that have no Sinew, or another one."""
    for where, found in client.run(_version_here, on_error="return").items():
        if isinstance(found, BaseException):
            raise NoCluster(
                address, f"its worker {where} has no Sinew that can be loaded ({found}). Install {__version__}"
            )
        if found != __version__:
            raise NoCluster(address, _other_version(where, str(found)))


def _other_version(where: str, version: str) -> str:
    return f"its worker {where} has Sinew {version}, and this is {__version__}. Install one version everywhere"


# What follows runs on workers.


def _version_here() -> str:
    return __version__


def _given(shared: Json) -> Json:
    return shared


def _piece(shared: Json, run: str, version: str, make: str, place: int, piece: Json) -> Json:
    """Do a piece. What all share is begun once in each process for each run."""
    if version != __version__:
        return {"version": __version__, "where": _own_address()}
    with _turn:
        work = _begun.get(run)
        if work is None:
            _begun.clear()  # of runs before: a worker lives for days
            take_one_core()
            try:
                work = _begun[run] = Task(make, shared).begin()
            except (EngineError, ImportError) as problem:
                where = f"the worker {_own_address()} cannot begin: {problem}"
                return {"result": None, "problem": where, "lost": True}
        done = attempt(work, place, piece)
    return {"result": done.result, "problem": done.problem, "lost": done.lost}


async def _forget(run: str) -> None:
    """Let go of what the pieces of a run shared; Dask waits for no answer of a coroutine alone."""
    _begun.pop(run, None)


def _own_address() -> str:
    from distributed import get_worker

    return str(get_worker().address)
