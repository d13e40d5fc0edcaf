"""EngineLink: the window's side of the engine thread. Starts it, prepares its kernels, carries answers over as signals.

Posing is unavailable until its kernels are ready: compiled kernels are loaded on the engine thread; missing ones are
first compiled by the `warm_up` job in a process of its own, so that the window never stalls. While it goes on with
other purposes, a job that needs one of them waits for it, the newest of its key, and all other jobs go on; what is
waited for is compiled next.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import QObject, Qt, Signal

from app.session.engine_steps import Cold, Loaded, import_engine, load, load_drags, prepare
from app.session.long_job import LongJob, StartChild, start_child
from app.session.preparing import POSING, Preparing
from app.session.states import EngineState, JobState
from engine.commands.reach import Reach
from engine.queries.needs import needs_of
from engine.queries.plots import Plots
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.worker import PublishedFrame, Worker

if TYPE_CHECKING:
    from engine.document import Document
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.picture_cache import PictureCache
    from engine.runtime.child import Message

Job = Callable[[], Generator[object, None, object]]
OnFrame = Callable[[Hashable], None]
OnFailure = Callable[[Hashable, int, BaseException], None]
_ALL_READY = "Ready"
_DRAGS = "drags"  # the worker's key of their kernels
_IMPORTS = "imports"  # the worker's key of what loading will import
_WAITS = "waits"  # begins the worker's keys of what only takes a ticket


class WorkerLike(Protocol):
    """The part of the engine's Worker that is used; tests put another in its place, which answers when they say so."""

    def submit(self, key: Hashable, job: Job, *, after_first_frame: bool = False) -> int:
        """Queue a job; its ticket."""

    def latest(self, key: Hashable) -> PublishedFrame | None:
        """Return the newest answer under the key."""

    def cancel(self, key: Hashable) -> None:
        """End what runs under the key."""

    def close(self, timeout: float | None = None) -> bool:
        """End the thread."""


MakeWorker = Callable[[OnFrame, OnFailure], WorkerLike]


def _worker(on_frame: OnFrame, on_failure: OnFailure) -> WorkerLike:
    return Worker(on_frame=on_frame, on_failure=on_failure)


@dataclass(frozen=True)
class _Waiting:
    """A job that was submitted and is not with the worker yet."""

    ticket: int
    job: Job
    after_first_frame: bool
    needs: frozenset[str]


@dataclass(frozen=True)
class _Given:
    """The tickets of a job that waited: the one that it was submitted by, and the worker's, once it was handed over."""

    ticket: int
    handed: int


def _nothing() -> Generator[object, None, None]:
    """Takes a ticket, and nothing else."""
    yield from ()


class EngineLink(QObject):
    """Owns the Worker and the warm_up child."""

    answered = Signal(object, object)  # key, Frame; each answer of each submission once
    failed = Signal(object, int, object)  # key, ticket, exception
    state_changed = Signal(object)  # EngineState
    job_changed = Signal(object)  # JobState
    noted = Signal(str, str)  # kind of log entry, text

    _frame_came = Signal(object)  # these two carry results over from other threads
    _failure_came = Signal(object, int, object)

    def __init__(self, *, make_worker: MakeWorker = _worker, make_child: StartChild = start_child) -> None:
        super().__init__()
        self.state = EngineState(text="Starting", waiting_for="the engine")
        self.evaluator: Evaluator | None = None
        self.reach: Reach | None = None  # beside the evaluator
        self.plots: Plots | None = None  # likewise
        self.pictures: PictureCache | None = None
        self._warming = LongJob(self, "warm_up", make_child)
        self._warming.heard.connect(self._take_message)
        self._warming.ended.connect(self._warm_up_ended)
        self._job = JobState(name="warm_up", text="", running=False)
        self.preparing = Preparing(self)
        self._handled: dict[Hashable, PublishedFrame] = {}
        self._waiting: dict[Hashable, _Waiting] = {}
        self._given: dict[Hashable, _Given] = {}  # of the job of a key that waited
        queued = Qt.ConnectionType.QueuedConnection
        self._frame_came.connect(self._take_frame, queued)
        self._failure_came.connect(self._take_failure, queued)
        self._loading = False
        self._drags: Literal["", "due", "loading", "loaded"] = ""
        self._closed = False
        self._worker = make_worker(self._frame_came.emit, self._failure_came.emit)

    @property
    def idle(self) -> bool:
        """True if the engine is not ready and nothing is being done about it."""
        return not (self.state.ready or self._loading or self._job.running)

    def submit(
        self,
        key: Hashable,
        job: Job,
        *,
        document: Document | None,
        needs: Iterable[str] = (),
        after_first_frame: bool = False,
    ) -> int:
        """Queue a job for the engine thread, in place of any other under the key; its ticket, which its answers have.

        A job uses the kernels that `document`, whose poses it works out (None: none), asks for, and those of the
        purposes in `needs`. It waits while some of them are being compiled, and is handed over as they are ready.
        """
        needs = frozenset(needs).union(() if document is None else needs_of(document))
        if not self.lacks(needs):
            if self._waiting.pop(key, None) is not None:
                self._ask_for_first()
            return self._worker.submit(key, job, after_first_frame=after_first_frame)
        self._worker.cancel(key)
        ticket = self._worker.submit((_WAITS, key), _nothing)
        self._waiting[key] = _Waiting(ticket, job, after_first_frame, needs)
        self._ask_for_first()
        self.preparing.changed.emit()
        return ticket

    def lacks(self, needs: Iterable[str]) -> tuple[str, ...]:
        """Return the purposes that a job with these needs would wait for; none before the engine is ready."""
        return self.preparing.lacks(needs) if self.state.ready else ()

    def waits_for(self, key: Hashable) -> str:
        """Return the first purpose that a job under the key waits for; empty if none does."""
        waiting = self._waiting.get(key)
        return next(iter(self.preparing.lacks(waiting.needs)), "") if waiting is not None else ""

    @property
    def waited_for(self) -> str:
        """The first purpose that any job waits for; empty if none does."""
        return next(filter(None, map(self.waits_for, self._waiting)), "")

    def cancel(self, key: Hashable) -> None:
        """End whatever the engine thread does under the key."""
        if self._waiting.pop(key, None) is not None:
            self._ask_for_first()
        self._worker.cancel(key)

    def refuse(self, key: Hashable, problem: BaseException) -> bool:
        """End a job that waits as if it had failed so; False if none waits under the key."""
        waiting = self._waiting.pop(key, None)
        if waiting is None:
            return False
        self._ask_for_first()
        self.preparing.changed.emit()
        self.failed.emit(key, waiting.ticket, problem)
        return True

    def prepare(self) -> None:
        """Load the kernels, or have them compiled first. Call once the 3D view is up; again after a failure."""
        if not (self.state.ready or self._loading or self._job.running):
            self._load(prepare)

    def cancel_job(self) -> None:
        """End the running child job."""
        self._warming.cancel()

    def close(self, timeout: float = 5.0) -> bool:
        """End the child and the thread; False if one of them did not end in time."""
        self._closed = True
        self._waiting.clear()
        self.preparing.end(done=False)
        child_ended = self._warming.close()
        return self._worker.close(timeout) and child_ended

    def _take_frame(self, key: Hashable) -> None:
        frame = self._worker.latest(key)
        if self._closed or frame is None or key == _IMPORTS or (isinstance(key, tuple) and key[0] == _WAITS):
            return
        if key == _DRAGS:
            if frame.done:
                self._drags_loaded()
            return
        before, self._handled[key] = self._handled.get(key), frame
        if before is not None and before.ticket == frame.ticket and before.value is frame.value:
            self._ticket(key, frame.ticket, done=frame.done)
            return  # the frame that says "done" repeats the last value
        if key != "engine":
            self._load_drags()
            self.answered.emit(key, replace(frame, ticket=self._ticket(key, frame.ticket, done=frame.done)))
            return
        self._loading = False
        if isinstance(frame.value, Loaded):
            if self.evaluator is None:
                self.evaluator = frame.value.evaluator
                self.reach, self.plots = Reach(self.evaluator), Plots(self.evaluator)
                self.pictures = frame.value.pictures
                self._drags = "due"
            if frame.value.cold:
                self._warm_up(frame.value.cold)  # before anyone asks for what it compiles
            self._set_ready()
        elif isinstance(frame.value, Cold):
            if self._warm_up(frame.value.purposes):
                what = self.preparing.purpose(POSING)
                self._set_state(EngineState(text=f"Preparing {what}", waiting_for=what))
                self._worker.submit(_IMPORTS, import_engine)
            else:
                self._load_if_needed()

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if self._closed or key == _IMPORTS:  # loading will say so
            return
        if key == _DRAGS:
            self.noted.emit("error", f"The kernels of drags could not be loaded: {describe(problem)}")
            self._drags_loaded()  # as they are used
            return
        if key != "engine":
            self.failed.emit(key, self._ticket(key, ticket, done=True), problem)
            return
        self._loading = False
        self._set_state(EngineState(text="Posing is unavailable: the engine could not be loaded"))
        self.noted.emit("error", f"The engine could not be loaded: {describe(problem)}")

    def _load_drags(self) -> None:
        """Load what a first drag needs, once there is a picture to drag in."""
        if self._drags == "due" and self.evaluator is not None:
            self._drags = "loading"
            self._worker.submit(_DRAGS, partial(load_drags, self.evaluator))

    def _drags_loaded(self) -> None:
        self._drags = "loaded"
        self._tell_if_all_ready()

    def _ticket(self, key: Hashable, ticket: int, *, done: bool) -> int:
        """Return the ticket that a job was submitted by, from that of the worker; forgotten with the last answer."""
        given = self._given.get(key)
        if given is None or given.handed != ticket:
            return ticket
        if done:
            del self._given[key]
        return given.ticket

    def _warm_up(self, purposes: tuple[str, ...]) -> bool:
        """Have them compiled by a child; whether one could be started."""
        self.preparing.begin(purposes)
        what = self.preparing.purpose(self.preparing.missing[0])
        self._set_job(JobState(name="warm_up", text=f"Preparing {what}", left=self.preparing.left))
        try:
            self._warming.start({})
        except OSError as problem:
            self.preparing.end(done=False)
            self._set_job(JobState(name="warm_up", text="", running=False))
            self.noted.emit("warning", f"Kernels are compiled in this process: {problem}")
            return False
        return True

    def _take_message(self, message: Message) -> None:
        fraction, text = message.get("progress"), message.get("text")
        if isinstance(fraction, int | float):
            self.preparing.report(float(fraction), str(message.get("purpose") or message.get("ready") or ""))
        if "ready" in message:
            self.preparing.ready(str(message["ready"]))
            self._hand_over()
            if POSING not in self.preparing.missing:
                self._load_if_needed()  # enough for poses; the child goes on with the others
            self._tell_if_all_ready()
        elif isinstance(fraction, int | float):
            text, left = text if isinstance(text, str) else self._job.text, self.preparing.left
            self._set_job(JobState(name="warm_up", text=text, fraction=float(fraction), left=left))

    def _hand_over(self) -> None:
        """Give the worker the jobs that wait for nothing any more."""
        for key, each in list(self._waiting.items()):
            if not self.preparing.lacks(each.needs):
                del self._waiting[key]
                handed = self._worker.submit(key, each.job, after_first_frame=each.after_first_frame)
                self._given[key] = _Given(each.ticket, handed)

    def _ask_for_first(self) -> None:
        """Have what is waited for compiled before all else, what was asked for first before the rest."""
        needs = (name for each in self._waiting.values() for name in self.preparing.lacks(each.needs))
        if self.preparing.put_first(tuple(dict.fromkeys(needs))):
            self._warming.ask({"first": list(self.preparing.first)})

    def _warm_up_ended(self, how: str, error: str) -> None:
        self.preparing.end(done=how == "done")
        self._set_job(JobState(name="warm_up", text="", fraction=self._job.fraction, running=False))
        self._hand_over()
        if how == "cancelled" and not self.state.ready:
            text = "Posing is unavailable: preparing was cancelled"
            self._set_state(EngineState(text=text, waiting_for="Prepare engine (Help menu)"))
            self.noted.emit("note", f"{text}. Help > Prepare engine goes on with it.")
            return
        if how == "failed":
            failure = self._warming.failure
            why = describe(failure) if failure is not None else "Preparing kernels failed"
            self.noted.emit("warning", f"{why}; they are compiled here instead")
        self._load_if_needed()
        self._tell_if_all_ready()

    def _load_if_needed(self) -> None:
        if not self.state.ready and not self._loading:
            self._load(load)

    def _load(self, job: Job) -> None:
        self._loading = True
        self._set_state(EngineState(text="Loading", waiting_for="the engine"))
        self._worker.submit("engine", job)

    def _tell_if_all_ready(self) -> None:
        if self.state.ready and self._all_is_there and self.state.text != _ALL_READY:
            self._set_ready()

    @property
    def _all_is_there(self) -> bool:
        return self._drags == "loaded" and not self.preparing.missing

    def _set_ready(self) -> None:
        self._set_state(EngineState(text=_ALL_READY if self._all_is_there else "Ready to pose", ready=True))

    def _set_state(self, state: EngineState) -> None:
        self.state = state
        self.state_changed.emit(state)

    def _set_job(self, job: JobState) -> None:
        self._job = job
        self.job_changed.emit(job)


def describe(problem: BaseException) -> str:
    """Write one readable line for an exception: the engine's own errors speak for themselves."""
    from engine.runtime.errors import EngineError

    text = str(problem) if isinstance(problem, EngineError) else f"{type(problem).__name__}: {problem}"
    return text[:1].upper() + text[1:]
