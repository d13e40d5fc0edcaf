"""EngineLink: the window's side of the engine thread. Starts it, prepares its kernels, carries answers over as signals.

Posing is unavailable until its kernels are ready: compiled kernels are loaded on the engine thread; missing ones are
first compiled by the `warm_up` job in a process of its own, so that the window never stalls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal

from app.session.engine_steps import Cold, Loaded, load, prepare
from app.session.states import EngineState, JobState
from engine.jobs.plots import Plots
from engine.jobs.reach import Reach
from engine.runtime.worker import Frame, Worker

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.picture_cache import PictureCache
    from engine.runtime.child import Message

Job = Callable[[], Generator[object, None, object]]
OnFrame = Callable[[Hashable], None]
OnFailure = Callable[[Hashable, int, BaseException], None]
CHILD_ENDS_WITHIN = 4.0  # [s] a cancelled child is killed after 2


class WorkerLike(Protocol):
    """What is used of the engine's Worker; tests put one in its place that answers when told."""

    def submit(self, key: Hashable, job: Job, *, after_first_frame: bool = False) -> int:
        """Queue a job; its ticket."""

    def latest(self, key: Hashable) -> Frame | None:
        """The newest answer under the key."""

    def cancel(self, key: Hashable) -> None:
        """End what runs under the key."""

    def close(self, timeout: float | None = None) -> bool:
        """End the thread."""


class ChildLike(Protocol):
    """What is used of the engine's ChildJob."""

    def cancel(self) -> None:
        """Ask the child to end."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for its end."""


MakeWorker = Callable[[OnFrame, OnFailure], WorkerLike]
MakeChild = Callable[[str, "Callable[[Message], None]"], ChildLike]


def _worker(on_frame: OnFrame, on_failure: OnFailure) -> WorkerLike:
    return Worker(on_frame=on_frame, on_failure=on_failure)


def _child(name: str, on_message: Callable[[Message], None]) -> ChildLike:
    from engine.runtime.child import ChildJob  # 20 ms of imports that only a cold start needs

    return ChildJob(name, {}, on_message=on_message)


class EngineLink(QObject):
    """Owns the Worker and the warm_up child."""

    answered = Signal(object, object)  # key, Frame; each answer of each submission once
    failed = Signal(object, int, object)  # key, ticket, exception
    state_changed = Signal(object)  # EngineState
    job_changed = Signal(object)  # JobState
    noted = Signal(str, str)  # kind of log entry, text

    _frame_came = Signal(object)  # these three carry news over from other threads
    _failure_came = Signal(object, int, object)
    _message_came = Signal(object)

    def __init__(self, *, make_worker: MakeWorker = _worker, make_child: MakeChild = _child) -> None:
        super().__init__()
        self.state = EngineState(text="Starting", waiting_for="the engine")
        self.evaluator: Evaluator | None = None
        self.reach: Reach | None = None  # beside the evaluator
        self.plots: Plots | None = None  # likewise
        self.pictures: PictureCache | None = None
        self._make_child = make_child
        self._child: ChildLike | None = None
        self._job = JobState(name="warm_up", text="", running=False)
        self._handled: dict[Hashable, Frame] = {}
        queued = Qt.ConnectionType.QueuedConnection
        self._frame_came.connect(self._take_frame, queued)
        self._failure_came.connect(self._take_failure, queued)
        self._message_came.connect(self._take_message, queued)
        self._loading = False
        self._closed = False
        self._worker = make_worker(self._frame_came.emit, self._failure_came.emit)

    @property
    def idle(self) -> bool:
        """Whether the engine is not ready and nothing is being done about it."""
        return not (self.state.ready or self._loading or self._job.running)

    def submit(self, key: Hashable, job: Job, *, after_first_frame: bool = False) -> int:
        """Give the engine thread a job; its ticket."""
        return self._worker.submit(key, job, after_first_frame=after_first_frame)

    def cancel(self, key: Hashable) -> None:
        """End whatever the engine thread does under the key."""
        self._worker.cancel(key)

    def prepare(self) -> None:
        """Load the kernels, or have them compiled first. Call once the 3D view is up; again after a failure."""
        if self.state.ready or self._loading or self._job.running:
            return
        self._load(prepare)

    def cancel_job(self) -> None:
        """End the running child job."""
        if self._child is not None and self._job.running:
            self._child.cancel()

    def close(self, timeout: float = 5.0) -> bool:
        """End the child and the thread; False if one of them did not end in time."""
        self._closed = True
        child_ended = True
        if self._child is not None:
            self._child.cancel()
            child_ended = self._child.wait(CHILD_ENDS_WITHIN)
        return self._worker.close(timeout) and child_ended

    def _take_frame(self, key: Hashable) -> None:
        frame = self._worker.latest(key)
        if self._closed or frame is None:
            return
        before, self._handled[key] = self._handled.get(key), frame
        if before is not None and before.ticket == frame.ticket and before.value is frame.value:
            return  # the frame that says "done" repeats the last value
        if key != "engine":
            self.answered.emit(key, frame)
            return
        self._loading = False
        if isinstance(frame.value, Loaded):
            if self.evaluator is None:
                self.evaluator = frame.value.evaluator
                self.reach, self.plots = Reach(self.evaluator), Plots(self.evaluator)
                self.pictures = frame.value.pictures
            self._set_state(EngineState(text="Ready", ready=True))
        elif isinstance(frame.value, Cold):
            self._warm_up(frame.value.purposes)

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if self._closed:
            return
        if key != "engine":
            self.failed.emit(key, ticket, problem)
            return
        self._loading = False
        self._set_state(EngineState(text="Posing is unavailable: the engine could not be loaded"))
        self.noted.emit("error", f"The engine could not be loaded: {describe(problem)}")

    def _warm_up(self, purposes: tuple[str, ...]) -> None:
        what = ", ".join(purposes)
        self._set_job(JobState(name="warm_up", text=f"Preparing {what}"))
        if not self.state.ready:
            self._set_state(EngineState(text=f"Preparing {what}", waiting_for=what))
        try:
            self._child = self._make_child("warm_up", self._message_came.emit)
        except OSError as problem:
            self._set_job(JobState(name="warm_up", text="", running=False))
            self.noted.emit("warning", f"Kernels are compiled in this process: {problem}")
            self._load_if_needed()

    def _take_message(self, message: Message) -> None:
        if self._closed:
            return
        fraction, text = message.get("progress"), message.get("text")
        if "ended" in message:
            self._warm_up_ended(str(message["ended"]))
        elif "ready" in message:
            self._load_if_needed()  # the first room is enough for poses; the child goes on with the others
        elif isinstance(fraction, int | float):
            text = text if isinstance(text, str) else self._job.text
            self._set_job(JobState(name="warm_up", text=text, fraction=float(fraction)))

    def _warm_up_ended(self, how: str) -> None:
        self._set_job(JobState(name="warm_up", text="", fraction=self._job.fraction, running=False))
        if how == "cancelled" and not self.state.ready:
            text = "Posing is unavailable: preparing was cancelled"
            self._set_state(EngineState(text=text, waiting_for="Prepare engine (Help menu)"))
            self.noted.emit("note", f"{text}. Help > Prepare engine goes on with it.")
            return
        error = getattr(self._child, "error", None)
        if how == "failed":
            why = describe(error) if error is not None else "Preparing kernels failed"
            self.noted.emit("warning", f"{why}; they are compiled here instead")
        self._load_if_needed()

    def _load_if_needed(self) -> None:
        if not self.state.ready and not self._loading:
            self._load(load)

    def _load(self, job: Job) -> None:
        self._loading = True
        self._set_state(EngineState(text="Loading", waiting_for="the engine"))
        self._worker.submit("engine", job)

    def _set_state(self, state: EngineState) -> None:
        self.state = state
        self.state_changed.emit(state)

    def _set_job(self, job: JobState) -> None:
        self._job = job
        self.job_changed.emit(job)


def describe(problem: BaseException) -> str:
    """One readable line for an exception: the engine's own errors speak for themselves."""
    from engine.runtime.errors import EngineError

    text = str(problem) if isinstance(problem, EngineError) else f"{type(problem).__name__}: {problem}"
    return text[:1].upper() + text[1:]
