"""Recovery: what a commit costs the window's thread, how long that thread is held up while a large document is copied
for the first time, and how soon and how small a commit is on the disk.

The window's thread is one that asks for a turn every millisecond, as a drag does. On a busy machine it comes late for
other reasons as well; what the writer works within a turn is told by its own clock.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from engine.document import Actor, Blob, Document, Dof, Figure, Joint, Key, Layer, Samples, Track
from engine.edits import Edit, edit
from engine.project.recovery import begin_run
from engine.project.runs import left_runs
from tests.benchmarks.harness import Row, percentile

NAME = "recovering"
TRACKS, KEYS = 300, 100
FRAMES, COORDINATES = 5 * 60 * 120, 71
COMMITS = 300
TICK = 5_880_000  # 1/120 s
TURN = 0.001  # [s]


def keyed() -> Document:
    """300 tracks of 100 keys, nothing of it digested yet."""
    dofs = [Dof(id=f"j{number}.{axis}", name=axis) for number in range(TRACKS // 3) for axis in "xyz"]
    joints = tuple(
        Joint(id=f"j{number}", name=f"Joint {number}", dofs=tuple(dofs[3 * number : 3 * number + 3]))
        for number in range(TRACKS // 3)
    )
    random = np.random.default_rng(7)
    tracks = tuple(
        Track(coordinate=dof.id, keys=tuple(Key(10 * TICK * at, value) for at, value in enumerate(values)))
        for dof, values in zip(dofs, random.normal(size=(TRACKS, KEYS)).tolist(), strict=True)
    )
    layer = Layer(id="pose", tracks=tracks)
    return Document(actors=(Actor(id="one", name="One", figure=Figure(name="Many", joints=joints), layers=(layer,)),))


def captured() -> Document:
    """A capture of five minutes at 120 frames a second."""
    names = tuple(f"j{number}.x" for number in range(COORDINATES))
    joints = tuple(
        Joint(id=f"j{number}", name=f"Joint {number}", dofs=(Dof(id=names[number], name="x"),))
        for number in range(COORDINATES)
    )
    random = np.random.default_rng(7)
    values = Blob(np.cumsum(random.normal(scale=0.01, size=(FRAMES, COORDINATES)), axis=0))
    samples = Samples(coordinates=names, values=values, rate=(120, 1))
    layer = Layer(id="pose", samples=samples)
    return Document(actors=(Actor(id="one", name="One", figure=Figure(name="Taken", joints=joints), layers=(layer,)),))


def measure() -> Iterator[Row]:
    """The rows."""
    for name, make in (("300 tracks", keyed), ("a capture of 5 minutes", captured)):
        late, own, took = while_written(make())
        alone, _ = lateness(threading.Event(), took)
        yield Row(what=f"{name}, copied first: the window's thread held up", measured=1e3 * max(own), unit="ms",
                  asked="at most 20 ms", note="the writer's processor time within a turn; by the clock "
                  f"{1e3 * max(late):.1f} ms, with nobody writing {1e3 * max(alone):.1f} ms; {took:.2f} s")  # fmt: skip
    yield from commits()


def while_written(document: Document) -> tuple[list[float], list[float], float]:
    """How late the thread came by its turns until the first copy was written, what the writer worked within each, and
    how long it was [s]."""
    is_written = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        run = begin_run(Path(folder))
        start = perf_counter()
        copy = run.open("one", None, document)
        copy.replaces(Marked(is_written.set))  # type: ignore[arg-type]
        late, own = lateness(is_written)
        took = perf_counter() - start
        run.end()
    return late, own, took


class Marked:
    """Stands in for a copy that another goes on with: told when that one is written."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def mark(self, state: str) -> None:
        """It is written."""
        self._tell()


def lateness(until: threading.Event, seconds: float = 600.0) -> tuple[list[float], list[float]]:
    """How much later than asked each turn came, and what the writer's thread worked meanwhile, if there is one [s]."""
    late, own, pause, end = [0.0], [0.0], threading.Event(), perf_counter() + seconds
    worked = clock_of("recovery")
    while not until.is_set() and perf_counter() < end:
        before, worked_before = perf_counter(), worked()
        pause.wait(TURN)
        late.append(perf_counter() - before - TURN)
        own.append(worked() - worked_before)
    return late, own


def clock_of(name: str) -> Callable[[], float]:
    """The processor time of the thread of that name; it stands still where there is none, or no such clock."""
    thread = next((each for each in threading.enumerate() if each.name == name), None)
    if sys.platform != "linux" or thread is None or thread.ident is None:
        return lambda: 0.0
    return partial(time.clock_gettime, time.pthread_getcpuclockid(thread.ident))


def commits() -> Iterator[Row]:
    """Keys of the 300 tracks changed one after the other."""
    document, costs = keyed(), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        run = begin_run(Path(folder))
        copy, pace = run.open("one", None, document), threading.Event()
        for number in range(COMMITS):
            document, label, done = changed(document, number)
            start = perf_counter()
            copy.commit(label, done, document)
            costs.append(perf_counter() - start)
            pace.wait(0.005)
        run.end()
        whole = sum(each.size for each in left_runs(Path(folder)))
        first = size_of_first(Path(folder) / "first")
    yield Row(what="a commit put to its copy", measured=1e6 * percentile(costs, 0.5), unit="us", asked="at most 100 us",
              note=f"99th of 100: {1e6 * percentile(costs, 0.99):.0f} us")  # fmt: skip
    each = (whole - first) / COMMITS
    yield Row(what="a commit on the disk, 300 tracks", measured=each, unit="bytes", asked="at most 20,000",
              note=f"10,000 of them: {each / 100.0:.0f} MB")  # fmt: skip


def changed(document: Document, number: int) -> tuple[Document, str, Edit]:
    """One key of one track moved."""
    actor = document.actors[0]
    track = actor.layers[0].tracks[number % TRACKS]
    key = track.keys[number % KEYS]
    where = {"actor": "one", "layer": "pose", "coordinate": track.coordinate, "time": key.time}
    done = edit("set_key", **where, value=number * 1e-3)
    return done.apply(document), f"Key {number}", done


def size_of_first(folder: Path) -> int:
    """Bytes of a copy with nothing done."""
    run = begin_run(folder)
    run.open("one", None, keyed())
    run.end()
    return sum(each.size for each in left_runs(folder))
