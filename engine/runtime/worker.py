"""The engine thread: it runs jobs, which are generators, one step at a time, and publishes what they yield.

Every job has a key; a new job under the same key supersedes the old one, which is closed here (its `finally` blocks run
on the engine thread). One condition variable guards the turns; `latest` reads without it, so it never waits for a step.
"""

import logging
import threading
from collections.abc import Callable, Hashable
from typing import Self

from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.turns import Job, Run, Turns

__all__ = ["PublishedFrame", "HowFar", "Job", "Worker", "WorkerClosed"]

_log = logging.getLogger(__name__)


class WorkerClosed(EngineError):
    """A job was submitted after the worker had been closed."""

    def __init__(self, *, key: Hashable) -> None:
        super().__init__(f"job {key!r} was submitted to a closed worker; allowed: before close()")
        self.key = key


@dataclass(frozen=True, slots=True)
class PublishedFrame:
    """The last value that a job published. `done`: the job has ended and nothing more will follow under this ticket."""

    ticket: int
    value: object
    done: bool


class HowFar:
    """Base class of progress that a job publishes: not its answer yet, so `after_first_frame` goes on waiting."""


class Worker:
    """One thread named "engine". Submit from any thread; `on_frame` and `on_failure` are called on the engine thread.

    The thread keeps the process alive until `close`, so that no job is cut off in the middle of a write.
    """

    def __init__(
        self,
        *,
        on_frame: Callable[[Hashable], None] | None = None,
        on_failure: Callable[[Hashable, int, BaseException], None] | None = None,
    ) -> None:
        self._on_frame = on_frame
        self._on_failure = on_failure or _log_failure
        self._changed = threading.Condition(threading.Lock())
        self._turns = Turns()
        self._frames: dict[Hashable, PublishedFrame] = {}
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="engine", daemon=False)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def submit(self, key: Hashable, job: Job, *, after_first_frame: bool = False) -> int:
        """Queue `job` in place of whatever runs under `key`; returns its ticket, larger than every ticket before it.

        Nothing of the superseded job is published from here on, unless `after_first_frame`: then one that has begun may
        still publish its first frame, and how far that is. A drag that submits faster than a step takes shows every
        answer that way, instead of none until the hand rests.

        A job that yields nothing but returns a value publishes that, once, as done.
        """
        with self._changed:
            if self._closed:
                raise WorkerClosed(key=key)
            ticket = self._turns.put(key, job, after_first_frame=after_first_frame)
            self._changed.notify_all()
        return ticket

    def cancel(self, key: Hashable) -> None:
        """End whatever runs or waits under `key`; nothing of it is published from here on. `latest` stays as it is."""
        with self._changed:
            self._turns.drop(key)
            self._changed.notify_all()

    def latest(self, key: Hashable) -> PublishedFrame | None:
        """The last frame published under `key`. Never waits."""
        return self._frames.get(key)

    @property
    def busy(self) -> bool:
        """True while a job runs or waits, or a callback of its last step has not returned."""
        return self._turns.busy

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until nothing runs or waits; False when `timeout` [s] passed first."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._turns.busy, timeout)

    def close(self, timeout: float | None = None) -> bool:
        """Close every job and end the thread; False when a step does not return within `timeout` [s]. Repeatable."""
        with self._changed:
            self._closed = True
            self._turns.drop_all()
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while self._take_turn():
            pass

    def _take_turn(self) -> bool:
        """Wait for a job and give it one step; False when the thread is to end. Keeps no job alive between turns."""
        with self._changed:
            if not self._turns.busy:
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._turns.busy or self._closed)
                if not self._turns.busy:
                    return False
            run, closing = self._turns.take()
        ended = self._close(run) if closing else self._step(run)
        with self._changed:
            self._turns.give_back(run, ended=ended)
        return True

    def _close(self, run: Run) -> bool:
        try:
            if run.steps is not None:
                run.steps.close()
        except BaseException as problem:
            self._fail(run, problem)
        return True

    def _step(self, run: Run) -> bool:
        """One step; True when the job has ended. Whatever a job raises, this thread lives on."""
        try:
            if run.steps is None:
                run.steps = run.job()
            value = next(run.steps)
        except StopIteration as stop:
            self._publish(run, run.value if stop.value is None else stop.value, done=True)
            return True
        except BaseException as problem:
            self._fail(run, problem)
            return True
        if value is not None:
            self._publish(run, value, done=False)
        return False

    def _publish(self, run: Run, value: object, *, done: bool) -> None:
        with self._changed:
            if not self._turns.may_publish(run):
                return
            run.value, run.published = value, run.published or not isinstance(value, HowFar)
            self._frames[run.key] = PublishedFrame(run.ticket, value, done)
        if self._on_frame is not None:
            try:
                self._on_frame(run.key)
            except Exception:
                _log.exception("the callback for a frame of %r failed", run.key)

    def _fail(self, run: Run, problem: BaseException) -> None:
        try:
            self._on_failure(run.key, run.ticket, problem)
        except Exception:
            _log.exception("the callback for the failure of %r failed", run.key)


def _log_failure(key: Hashable, ticket: int, problem: BaseException) -> None:
    _log.error("job %r (ticket %d) failed", key, ticket, exc_info=problem)
