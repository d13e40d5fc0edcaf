"""Pieces: long work that falls into pieces, none of which needs another: rows of a sweep, files of a folder, parts of a
video.

A `Task` names a function that is given what all pieces share and returns the function that does one; a piece and its
result are plain JSON, so that they can be done anywhere: here (`Here`), by child processes on the cores of this machine
(`Cores`), or by a cluster (`engine.long.cluster.Cluster`), with the same results. What goes wrong with a piece is said
in its `Done`, and the others go on. Whoever closes the generator ends all.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from queue import SimpleQueue
from typing import Protocol, cast

from engine.runtime.child import ChildJob, Json, Message
from engine.runtime.errors import EngineError, InvalidArguments, JobFailed
from engine.runtime.quick_dataclass import dataclass
from engine.systems import load

AGAIN = 2  # times that a piece is tried once more, elsewhere, where a process ended that was at it
STARTS = 3  # processes in a row that may end before they have begun
_ENDS_WITHIN = 3.0  # [s] of a process that is ended

Work = Callable[[Json], Json]


@dataclass(frozen=True)
class Task:
    """The work that is done with each piece."""

    make: str  # "module:name" of a function from what is shared to one from a piece to its result
    shared: Json

    def begin(self) -> Work:
        """The function that does a piece."""
        make: Callable[[Json], Work] = load(self.make)
        return make(self.shared)


@dataclass(frozen=True)
class Done:
    """One piece: its result, or why there is none."""

    place: int  # among all
    result: Json = None
    problem: str = ""
    lost: bool = False  # whether another try may tell more: processes ended that were at it, or Sinew itself failed


Doing = Generator[Done, None, None]


class PieceRunner(Protocol):
    """A way to do pieces."""

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        """Do all; yields each as it is done, in any order."""


@dataclass(frozen=True)
class Here:
    """In this process, one after the other."""

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        """Do all, in order."""
        work = task.begin()
        for place, piece in enumerate(pieces):
            yield attempt(work, place, piece)


def attempt(work: Work, place: int, piece: Json) -> Done:
    """Do a piece; what is wrong with it stays its own."""
    try:
        return Done(place, work(piece))
    except EngineError as problem:
        return Done(place, problem=str(problem))
    except MemoryError:
        raise
    except Exception as problem:
        return Done(place, problem=f"{type(problem).__name__}: {problem}", lost=True)


@dataclass(frozen=True)
class Cores:
    """By child processes of this machine, each doing one piece after the other."""

    count: int
    again: int = AGAIN

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        """Do all."""
        if len(pieces) < 2:
            yield from Here().run(task, pieces)
            return
        run = _CoresRun(task, pieces, self.again)
        try:
            yield from run.all(min(self.count, len(pieces)))
        finally:
            run.close()


class _CoresRun:
    """The processes of one run and what each of them is at."""

    def __init__(self, task: Task, pieces: Sequence[Json], again: int) -> None:
        self._task, self._pieces, self._again = task, pieces, again
        self._waiting = deque(range(len(pieces)))
        self._deaths: dict[int, int] = {}  # of processes, by the piece that they were at
        self._at: dict[int, int | None] = {}  # pieces by the number of a process; None: it has none
        self._jobs: dict[int, ChildJob] = {}
        self._ready = set[int]()
        self._started = self._failed = 0
        self._heard: SimpleQueue[tuple[int, Message]] = SimpleQueue()

    def all(self, count: int) -> Doing:
        """Do all with so many processes."""
        open = len(self._pieces)
        while open:
            while len(self._jobs) < min(count, open):
                self._start()
            number, message = self._heard.get()
            done = self._take(number, message)
            if done is not None:
                open -= 1
                yield done

    def close(self) -> None:
        """End the processes."""
        for job in self._jobs.values():
            job.cancel()
        for job in self._jobs.values():
            job.wait(_ENDS_WITHIN)

    def _start(self) -> None:
        number, self._started = self._started, self._started + 1
        job = ChildJob("pieces", {}, on_message=lambda message: self._heard.put((number, message)))
        self._jobs[number], self._at[number] = job, None
        job.ask({"task": self._task.make, "shared": self._task.shared})

    def _take(self, number: int, message: Message) -> Done | None:
        if "ended" in message:
            return self._bury(number)
        done = None
        if "piece" in message:
            place, self._at[number] = int(str(message["piece"])), None
            done = Done(place, message.get("result"), str(message.get("problem", "")), bool(message.get("lost")))
        elif "ready" in message:
            self._ready.add(number)
            self._failed = 0
        elif isinstance(problem := message.get("error"), Mapping):  # what is shared is wrong: it is so everywhere
            raise EngineError(str(problem.get("text")))
        else:
            return None
        if self._waiting:
            self._hand(number, self._waiting.popleft())
        return done

    def _hand(self, number: int, place: int) -> None:
        self._at[number] = place
        self._jobs[number].ask({"piece": place, "of": self._pieces[place]})

    def _bury(self, number: int) -> Done | None:
        """Take leave of a process that has ended; its piece is done by another."""
        job, place = self._jobs.pop(number), self._at.pop(number)
        reason = job.error.reason if job.error is not None else "it ended"
        if place is None:
            self._failed += 1
            if self._failed >= STARTS:
                raise job.error or JobFailed(job="pieces", reason=reason)
            return None
        self._deaths[place] = self._deaths.get(place, 0) + 1
        if self._deaths[place] > self._again:
            how = f"{self._deaths[place]} processes ended that were at it, the last one so: {reason}"
            return Done(place, problem=how, lost=True)
        idle = next((each for each, at in self._at.items() if at is None and each in self._ready), None)
        if idle is None:
            self._waiting.appendleft(place)
        else:
            self._hand(idle, place)
        return None


def take_one_core() -> None:
    """Have kernels and Mesa's drawing by the processor stay on one core: the others have processes of their own."""
    for name in ("NUMBA_NUM_THREADS", "LP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def pieces(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Do pieces as the parent process asks for them, until it ends this one: the other side of `Cores`."""
    from engine.long.parent import lines_asked

    if arguments:
        raise InvalidArguments(
            what="the arguments of pieces", value=dict(arguments), allowed="none: they are asked for"
        )
    take_one_core()
    work: Work | None = None
    for line in lines_asked():
        asked = cast(dict[str, Json], json.loads(line))
        if "task" in asked:
            work = Task(str(asked["task"]), asked["shared"]).begin()
            yield {"ready": "pieces"}
        elif work is not None:
            done = attempt(work, int(str(asked["piece"])), asked["of"])
            yield {"piece": done.place, "result": done.result, "problem": done.problem, "lost": done.lost}
    return None
