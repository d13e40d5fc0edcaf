"""The order of jobs on the engine thread: a plain data structure without threads; the Worker holds its lock around it.

Order: closing what was superseded comes first; then the newest job that has not begun; then round robin, one step each.
A key that was passed over twice for every waiting key goes next, so one that is submitted without pause starves none.
"""

from collections.abc import Callable, Generator, Hashable
from dataclasses import field

from engine.runtime.quick_dataclass import dataclass

Steps = Generator[object, None, object]
Job = Callable[[], Steps]


@dataclass(slots=True, eq=False)
class Run:
    """One submitted job. `dropped`: superseded or cancelled, nothing of it may be published."""

    key: Hashable
    ticket: int
    job: Job
    steps: Steps | None = None
    value: object = None
    published: bool = False  # an answer
    dropped: bool = False


@dataclass(slots=True)
class _Lane:
    """The jobs of one key: at most one that has begun and one that waits for its place."""

    since: int
    running: Run | None = None
    waiting: Run | None = None

    def outdated(self) -> bool:
        """True when the running job has to be closed before anything else happens under this key."""
        run = self.running
        return run is not None and (run.dropped or (self.waiting is not None and run.published))


@dataclass(slots=True)
class Turns:
    """All queues. A key has one from `put` until its last job has ended or been closed."""

    _lanes: dict[Hashable, _Lane] = field(default_factory=dict)
    _ticket: int = 0
    _turn: int = 0

    @property
    def busy(self) -> bool:
        """True when `take` has something to give, or what it gave has not come back."""
        return bool(self._lanes)

    def put(self, key: Hashable, job: Job, *, after_first_frame: bool) -> int:
        """Let `job` wait under `key` in place of whatever waits there; its ticket."""
        self._ticket += 1
        lane = self._lanes.setdefault(key, _Lane(since=self._turn))
        lane.waiting = Run(key, self._ticket, job)
        if lane.running is not None and not after_first_frame:
            lane.running.dropped = True
        return self._ticket

    def drop(self, key: Hashable) -> None:
        """Drop what waits under `key`, and mark what runs to be closed."""
        lane = self._lanes.get(key)
        if lane is None:
            return
        lane.waiting = None
        if lane.running is None:
            del self._lanes[key]
        else:
            lane.running.dropped = True

    def drop_all(self) -> None:
        for key in list(self._lanes):
            self.drop(key)

    def take(self) -> tuple[Run, bool]:
        """The next job and whether it is to be closed rather than stepped. `give_back` must follow."""
        lane = self._next()
        closing = lane.outdated()
        if lane.running is None:
            lane.running, lane.waiting = lane.waiting, None
        run = lane.running
        assert run is not None, "a queue without a job was kept"
        if not closing:
            self._turn += 1
            lane.since = self._turn
        return run, closing

    def may_publish(self, run: Run) -> bool:
        return not run.dropped and not (run.published and self._lanes[run.key].waiting is not None)

    def give_back(self, run: Run, *, ended: bool) -> None:
        """The turn is over; `ended` says that the job will take no further step."""
        if not ended:
            return
        lane = self._lanes[run.key]
        lane.running = None
        if lane.waiting is None:
            del self._lanes[run.key]

    def _next(self) -> _Lane:
        lanes = self._lanes.values()
        for lane in lanes:
            if lane.outdated():
                return lane
        longest = min(lanes, key=lambda lane: lane.since)
        fresh = [(lane.waiting.ticket, lane) for lane in lanes if lane.running is None and lane.waiting is not None]
        if not fresh or self._turn - longest.since >= 2 * len(lanes):
            return longest
        return max(fresh, key=lambda entry: entry[0])[1]
