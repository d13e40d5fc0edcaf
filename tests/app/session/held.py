"""A worker and a child process that are held: they take jobs and answer when the test says so. No thread, no sleep."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from app.session import Session
from app.session.engine_link import EngineLink, Job, OnFailure, OnFrame
from app.session.engine_steps import Loaded
from engine.document import Document
from engine.evaluate import rest_snapshot
from engine.model.snapshot import Snapshot
from engine.runtime.child import Json, Message
from engine.runtime.worker import PublishedFrame


class PlainEvaluator:
    """Stands in for the engine's evaluator: every figure at rest, marked as fresh; raises what it is told to."""

    def __init__(self) -> None:
        self.problem: Exception | None = None

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        if self.problem is not None:
            raise self.problem
        rest = rest_snapshot(document)
        return Snapshot(document=document, time=time, items=rest.items)

    def step(self, document: Document, time: int) -> Iterator[float]:
        return iter(())

    def joint_transforms(self, document: Document, actor: str, time: int = 0) -> NDArray[np.float64]:
        item = next(each for each in self.snapshot(document, time).bodies if each.owner == actor)
        return item.transforms.astype(float)


@dataclass
class Request:
    key: Hashable
    ticket: int
    job: Job


class HeldWorker:
    """Keeps what was submitted; `answer` runs the oldest job of a key and delivers what it published."""

    def __init__(self, on_frame: OnFrame, on_failure: OnFailure) -> None:
        self._on_frame, self._on_failure = on_frame, on_failure
        self.requests: list[Request] = []
        self.cancelled: list[Hashable] = []
        self.closed = False
        self._frames: dict[Hashable, PublishedFrame] = {}
        self._tickets = 0

    def submit(self, key: Hashable, job: Job, *, after_first_frame: bool = False) -> int:
        self._tickets += 1
        self.requests.append(Request(key, self._tickets, job))
        return self._tickets

    def latest(self, key: Hashable) -> PublishedFrame | None:
        return self._frames.get(key)

    def cancel(self, key: Hashable) -> None:
        self.cancelled.append(key)
        self.requests = [each for each in self.requests if each.key != key]

    def close(self, timeout: float | None = None) -> bool:
        self.closed = True
        return True

    def waiting(self, key: Hashable) -> int:
        return sum(each.key == key for each in self.requests)

    def answer(self, key: Hashable, *, newest: bool = False) -> None:
        """Run the oldest request of that key, or the newest (then the older ones are superseded)."""
        own = [each for each in self.requests if each.key == key]
        request = own[-1] if newest else own[0]
        self.requests = [each for each in self.requests if each is not request and not (newest and each.key == key)]
        try:
            for value in request.job():
                self.publish(request.key, request.ticket, value)
        except Exception as problem:
            self.fail(request, problem)
        deliver()

    def fail(self, request: Request, problem: Exception) -> None:
        self._on_failure(request.key, request.ticket, problem)

    def publish(self, key: Hashable, ticket: int, value: object) -> None:
        for done in (False, True):
            self._frames[key] = PublishedFrame(ticket, value, done)
            self._on_frame(key)


class HeldChild:
    """A child process that says what the test tells it to."""

    def __init__(self, name: str, on_message: Callable[[Message], None]) -> None:
        self.name, self.say = name, on_message
        self.cancelled = False
        self.error: Exception | None = None
        self.asked: list[Message] = []

    def ask(self, message: Message) -> None:
        self.asked.append(message)

    def cancel(self) -> None:
        self.cancelled = True

    def wait(self, timeout: float | None = None) -> bool:
        return True


@dataclass
class Held:
    """A session on a held worker."""

    session: Session
    worker: HeldWorker
    children: list[HeldChild]
    evaluator: PlainEvaluator

    def make_ready(self) -> None:
        """As if the kernels had been loaded."""
        self.load_pictures()
        while self.worker.waiting("pose"):
            self.worker.answer("pose")
        self.load_drags()

    def load_drags(self) -> None:
        """As if those of drags had been loaded."""
        for request in [each for each in self.worker.requests if each.key == "drags"]:
            self.worker.requests.remove(request)
            self.worker.publish("drags", request.ticket, None)
        deliver()

    def load_pictures(self) -> None:
        """As if those of pictures had been loaded."""
        self.session.engine.prepare()
        request = next(each for each in self.worker.requests if each.key == "engine")
        self.worker.requests.remove(request)
        self.worker.publish("engine", request.ticket, Loaded(self.evaluator))  # type: ignore[arg-type]
        deliver()


def hold(document: Document, *, ready: bool = True) -> Held:
    workers: list[HeldWorker] = []
    children: list[HeldChild] = []

    def make_worker(on_frame: OnFrame, on_failure: OnFailure) -> HeldWorker:
        workers.append(HeldWorker(on_frame, on_failure))
        return workers[-1]

    def make_child(name: str, arguments: dict[str, Json], on_message: Callable[[Message], None]) -> HeldChild:
        children.append(HeldChild(name, on_message))
        return children[-1]

    session = Session(document=document, link=EngineLink(make_worker=make_worker, make_child=make_child))
    held = Held(session, workers[0], children, PlainEvaluator())
    if ready:
        held.make_ready()
    return held


def deliver() -> None:
    """Let queued signals arrive."""
    QCoreApplication.processEvents()


def steps(*values: object) -> Callable[[], Generator[object, None, None]]:
    """A job that yields these values."""

    def job() -> Generator[object, None, None]:
        yield from values

    return job
