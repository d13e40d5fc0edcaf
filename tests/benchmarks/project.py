"""Projects: what a save, an opening and a commit cost where there are large arrays, and long motions.

100 MB of arrays that do not shrink, as captures are, in a file of their own; the small edit after it is a name. A
project whose undo list is long is the motion of 300 tracks with 100 keys each of the tests. Times hold on a machine
that does nothing else; the processor's stand beside them.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.document import Actor, Blob, Document, Dof, Figure, Joint, Layer, Samples
from engine.edits import edit
from engine.project.past import Past, PastEntry
from engine.project.save import open_project, save_project
from engine.project.store import Store
from tests.benchmarks.harness import Row, percentile
from tests.engine.project.test_texts import KEYS, commit_keys, long_motion

NAME = "project"
COORDINATES, LAYERS, FRAMES = 50, 10, 26_215
SMALL_EDITS, COMMITS = 9, 200


class Cost(NamedTuple):
    """Seconds, by the clock and of the processor."""

    clock: float
    processor: float


def measure() -> Iterator[Row]:
    """The rows."""
    with tempfile.TemporaryDirectory() as folder:
        yield from large_arrays(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield from commits(Path(folder))


def cost(call: Callable[[], object]) -> Cost:
    """What a call costs once."""
    clock, processor = time.perf_counter(), time.process_time()
    call()
    return Cost(time.perf_counter() - clock, time.process_time() - processor)


def captures() -> Document:
    """100 MB of noise in ten layers."""
    rng = np.random.default_rng(1)
    names = tuple(f"root.{number}" for number in range(COORDINATES))
    dofs = tuple(Dof(id=name, name=name, kind="hinge", axis=(0.0, 0.0, 1.0)) for name in names)
    layers = []
    for number in range(LAYERS):
        values = Blob(np.cumsum(rng.normal(size=(FRAMES, COORDINATES)), axis=0))
        samples = Samples(coordinates=names, values=values, rate=(120, 1))
        layers.append(Layer(id=f"l{number}", name=f"Layer {number}", samples=samples))
    figure = Figure(name="Captured", joints=(Joint(id="root", name="Root", parent=None, dofs=dofs),))
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=tuple(layers)),))


def large_arrays(folder: Path) -> Iterator[Row]:
    """First save, saves after a small edit, opening, and all arrays read."""
    document, path = captures(), folder / "captures.sinew"
    entries = [PastEntry("New", None, document)]
    _ = document.digest  # which recovery has asked for long before
    disk = cost(lambda: copied(folder / "copy", bytes(100 * 2**20)))
    first = cost(lambda: save_project(path, document, Past(tuple(entries), 0)))
    yield seconds("first save of 100 MB of arrays", first, "at most 1.5 s", f"the disk alone {disk.clock:.2f} s")
    small = []
    for number in range(SMALL_EDITS):
        done = edit("rename_actor", actor="one", name=f"Name {number}")
        entries.append(PastEntry("Rename", done, done.apply(entries[-1].document)))
        past = Past(tuple(entries), len(entries) - 1)
        small.append(cost(lambda past=past: save_project(path, past.document, past)))  # type: ignore[misc]
    worst = max(small)
    anew = cost(lambda: save_project(path, entries[-1].document))
    yield seconds("save after a small edit, the slowest", worst, "at most 0.3 s", f"of {SMALL_EDITS}, in place", anew)
    opened = cost(lambda: open_project(path))
    yield seconds("open to the document", opened, "at most 1 s", "its arrays not read yet")
    found = open_project(path).document
    read = cost(lambda: [layer.samples.values.array for layer in found.actors[0].layers if layer.samples])
    yield seconds("and all of its arrays", read, "", "which a picture needs but one by one")


def commits(folder: Path) -> Iterator[Row]:
    """One line of the undo list after the other, and what ten thousand come to."""
    document, path, times = long_motion(), folder / "long.sinew", list[float]()
    with Store.create(path) as store:
        store.append("New", None, document)
        before = path.stat().st_size
        for keyed, after in commit_keys(document, COMMITS):
            times.append(cost(lambda keyed=keyed, after=after: store.append("Set key", keyed, after)).clock)  # type: ignore[misc]
        each = (path.stat().st_size - before) / COMMITS
    yield Row(what="10,000 commits of a key on 300 tracks", measured=each / 100, unit="MB", asked="at most 200 MB",
              note=f"{KEYS} keys each; counted on {COMMITS}")  # fmt: skip
    yield Row(what="a commit reaches the disk, 95th percentile", measured=1e3 * percentile(times, 0.95), unit="ms",
              note="by a thread of its own")  # fmt: skip
    with Store.open(path) as store:
        whole = cost(lambda: list(store.past()))
    yield Row(what=f"an undo list of {COMMITS} lines read", measured=1e3 * whole.processor / COMMITS, unit="ms a line",
              note="processor time, in steps of a line")  # fmt: skip


def copied(path: Path, data: bytes) -> None:
    """What the disk needs for as many bytes."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def seconds(what: str, found: Cost, asked: str, note: str, anew: Cost | None = None) -> Row:
    """A row of seconds; beside those that it takes to write the file `anew`, of which it may take half."""
    told = f"{note}; {found.processor:.2f} s of the processor"
    if anew is None:
        return Row(what=what, measured=found.clock, unit="s", asked=asked, note=told)
    return Row(what=what, measured=found.clock, unit="s", asked=asked, peer="written anew", peer_measured=anew.clock,
               allowed=0.5, note=told)  # fmt: skip
