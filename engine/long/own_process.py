"""OwnProcess: pieces done by a child process of the one that is asked for them, one after the other: for work that
wants a main thread of its own, as Qt and OpenGL do, where the threads are somebody else's."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from queue import SimpleQueue

from engine.long.pieces import AGAIN, Task
from engine.runtime.child import ChildJob, Json, Message
from engine.runtime.errors import EngineError, JobFailed


class OwnProcess:
    """A function that does pieces of a task; its process ends with it, and is followed by another where it dies."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._job, self._heard = self._started()

    def __call__(self, piece: Json) -> Json:
        """Do a piece."""
        for _ in range(AGAIN + 1):
            self._job.ask({"piece": 0, "of": piece})
            told = self._heard.get()
            if "piece" in told:
                if told.get("problem"):
                    raise EngineError(str(told["problem"]))
                return told["result"]
            self._job, self._heard = self._started()
        raise JobFailed(job="pieces", reason=f"{AGAIN + 1} processes ended that were at it")

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):  # it was never started
            self._job.kill()

    @property
    def process_id(self) -> int:
        """The process that is at work."""
        return self._job.process_id

    def _started(self) -> tuple[ChildJob, SimpleQueue[Message]]:
        heard = SimpleQueue[Message]()
        job = ChildJob("pieces", {}, on_message=heard.put)
        job.ask({"task": self._task.make, "shared": self._task.shared})
        told = heard.get()
        if "ready" in told:
            return job, heard
        problem = told.get("error")
        job.wait()
        raise (
            EngineError(str(problem["text"]))
            if isinstance(problem, Mapping)
            else job.error or JobFailed(job="pieces", reason="it ended")
        )
