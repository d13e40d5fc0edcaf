"""Sweeps: 200 runs of secondary motion, against the plain loop that a person would write, and on two processes."""

from __future__ import annotations

import gc
import json
import os
import resource
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.long.pieces import Cores, Doing, Done, Here, PieceRunner, Task
from engine.queries.examples import example
from engine.runtime.child import Json
from engine.runtime.progress import finish
from engine.sweeps.row import numbers
from engine.sweeps.rows import edits_of
from engine.sweeps.study import read_study, study_and_table
from engine.sweeps.sweep import Sweep, sweep_of
from tests.benchmarks.harness import Row

NAME = "sweep"
ROUNDS = 3  # the best of which counts: others of the machine only ever add to it


@dataclass(frozen=True)
class KnownNumbers:
    """A way to do pieces whose results are there already: what is left is what a sweep does beside them."""

    numbers: list[list[float]]

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        """Yield all, their edits and results carried over as to a process."""
        for place, piece in enumerate(pieces):
            edits_of(json.loads(json.dumps(piece)))
            yield Done(place, json.loads(json.dumps(self.numbers[place])))


def measure() -> Iterator[Row]:
    """The rows."""
    sweep = sweep_of(read_study(study_and_table("hanging_ball")[0]))
    count, found = len(sweep.rows), plain(sweep)  # kernels are loaded
    loops, heres, beside = list[float](), list[float](), list[float]()
    for _ in range(ROUNDS):
        loops.append(processor_time(lambda: plain(sweep)))
        heres.append(processor_time(lambda: swept(sweep, Here())))
        beside.append(processor_time(lambda: swept(sweep, KnownNumbers(found))))
    loop = min(loops)
    yield Row(
        what=f"{count} runs of secondary motion: the plain loop, and what a sweep does beside it, processor time",
        measured=loop + min(beside),
        unit="s",
        asked="at most 5% over the plain loop",
        peer="the plain loop",
        peer_measured=loop,
        allowed=1.05,
        note=f"{1e3 * loop / count:.1f} ms a run, and {1e3 * min(beside) / count:.2f} ms beside it",
    )
    yield Row(
        what="the same as a sweep in this process, as the noise of the machine has it",
        measured=min(heres),
        unit="s",
        peer="the plain loop",
        peer_measured=loop,
    )
    for many in (1, 2):
        took = processor_time(lambda many=many: swept(sweep, Cores(many)), children=True)  # type: ignore[misc]
        yield Row(
            what=f"the same on {many} child process{'es' if many > 1 else ''}, processor time of all",
            measured=took,
            unit="s",
            peer="the plain loop",
            peer_measured=loop,
            note=f"of it {(took - loop) / many:.1f} s for each process to begin",
        )
    yield from speed_up(sweep)


def speed_up(sweep: Sweep) -> Iterator[Row]:
    """Two processes against one, by the clock, where two cores are free; that they are is measured first."""
    free = idle_cores()
    one, two = (clock_time(lambda each=each: swept(sweep, Cores(each))) for each in (1, 2))  # type: ignore[misc]
    is_free = free > 1.8
    yield Row(
        what="two processes in place of one, by the clock",
        measured=two,
        unit="s",
        asked="at least 1.7 times as fast where two cores are free",
        peer="one process",
        peer_measured=one,
        allowed=1.0 / 1.7 if is_free else None,
        note=f"{one / two:.2f} times as fast; {free:.1f} cores were free",
    )


def plain(sweep: Sweep) -> list[list[float]]:
    """What a person would write without sweeps: for each pair of values, the scene with these and its numbers."""
    study, evaluator, base = sweep.study, Evaluator(), example("hanging_ball").build()
    results = [(each.quantity, each.of, each.at) for each in study.results]
    found = []
    for tension in study.varied[0].laid_out():
        for damping in study.varied[1].laid_out():
            document = edit("set_gains", actor="frames_5", tension=tension, damping=damping).apply(base)
            found.append(numbers(evaluator, document, results, study.start, study.end))
    return found


def swept(sweep: Sweep, pieces: PieceRunner) -> None:
    """All rows, and the table."""
    with tempfile.TemporaryDirectory() as folder:
        finish(sweep.run(pieces, Path(folder) / "table.csv"))


def processor_time(work: Callable[[], object], *, children: bool = False) -> float:
    """Seconds of processor time, of this process and, where asked for, of its children that have ended."""
    gc.collect()
    before = _used(children)
    work()
    return _used(children) - before


def clock_time(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    began = perf_counter()
    work()
    return perf_counter() - began


def idle_cores() -> float:
    """How many cores' worth of processor time two processes get that do nothing but count."""
    began, pids = perf_counter(), []
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            total = 0
            while perf_counter() - began < 1.0:
                total += 1
            os._exit(0)
        pids.append(pid)
    used = sum(sum(os.wait4(pid, 0)[2][:2]) for pid in pids)
    return used / (perf_counter() - began)


def _used(children: bool) -> float:
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) if children else (resource.RUSAGE_SELF,)
    return sum(sum(resource.getrusage(each)[:2]) for each in who)
