"""What a whole test consists of, in which order, and how many workers share it.

Checks of the sources, the warming of kernels and the files of tests stand in one queue. A file of tests wants a pytest
process of its kind, which goes on to the next file of that kind: one for each of 470 files would spend 2 to 3 s on its
start, and one that imports all of them first, as workers of pytest-xdist do, 20 s in each worker. Within a kind the
longest file comes first, by the durations that `start.py test --record` wrote. Whatever calls compiled kernels waits
until they are compiled: two workers that compile the same ones would both lose that time.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from threading import Condition

from start import LINUX

ROOT = Path(__file__).resolve().parents[1]
DURATIONS = "tests/durations.json"
QUOTA = Path("/sys/fs/cgroup/cpu.max")  # [µs] of processor time, and in how many
MEMORY = Path("/proc/meminfo")
MEMORY_OF_A_WORKER = 2 * 2**30  # [bytes] that the largest takes, children included

WARM_UP = "kernels"
SMOKE = "smoke test"
CHECKS = {
    WARM_UP: ("-m", "engine", "job", "warm_up"),
    # One thread takes less processor time than two, and the other core has other tasks.
    "types": (
        *("-m", "pyrefly", "check", "-j", "1"),
        *("--python-interpreter-path", sys.executable, "--output-format", "min-text"),
    ),
    "import contracts": ("-c", "from importlinter.cli import lint_imports_command as run; run()"),
    "ruff check": ("-m", "ruff", "check", "."),
    "ruff format": ("-m", "ruff", "format", "--check", "."),
}
DEEP_CHECKS = {
    # It finds what pyrefly finds (docs/decisions/types.md) in three times its time.
    "mypy": ("-m", "mypy"),
    # By pip, as anybody installs it, which takes 15 s more.
    "smoke test by pip": ("start.py", "smoke", "--lock", "requirements.lock", "--kernels", "--examples", "3", "."),
}
SLOW_CHECKS = {
    "docs": ("start.py", "docs"),  # where a warning is an error
    # The wheel in an environment of its own, with the packages of this one that it asks for and the kernels that the
    # first check compiled, which takes half a minute of processor time. A package for a desktop would take ten to make.
    SMOKE: ("start.py", "smoke", "--linked", "--kernels", "--examples", "3", "."),
}


@dataclass(frozen=True, eq=False)
class Kind:
    """Files that one pytest process runs one after the other."""

    name: str
    folders: tuple[str, ...]
    options: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""  # files without this word in them are left out
    unmarked: str = "\0"  # files with this word in them are left out
    kernels: bool = True  # whether it may have to compile kernels


INTERPRETED = Kind(
    "tests without compiled kernels",
    ("tests/engine", "tests/conformance"),
    ("-m", "jit_off"),
    {"NUMBA_DISABLE_JIT": "1"},
    mark="jit_off",
    kernels=False,
)
PIXELS = "pytest.mark.pixels"
HALF_SIZE = {"QT_SCALE_FACTOR": "0.5"}  # drawing on the processor is a third of the time of these tests
KINDS = (
    Kind("tests of the window", ("tests/gui",), variables=HALF_SIZE, unmarked=PIXELS),
    Kind("tests of the window's pixels", ("tests/gui",), mark=PIXELS),
    Kind("tests of the window's parts", ("tests/app",)),
    Kind("tests of the house", ("tests/house",), kernels=False),
    Kind(
        "tests of the engine, goldens",
        ("tests/engine", "tests/golden", "tests/conformance", "tests/reliability", "tests/resources", "tests/sinew"),
    ),
)


@dataclass(frozen=True)
class Task:
    """One thing to do: a command of its own, or a file of tests."""

    name: str
    row: str  # of the table at the end
    seconds: float = 0.0  # that it is expected to take
    command: tuple[str, ...] = ()
    file: str = ""
    kind: Kind | None = None

    @property
    def needs_kernels(self) -> bool:
        return self.kind.kernels if self.kind is not None else self.name.startswith(SMOKE)


class Queue:
    """Tasks in their order, handed to whoever asks next.

    A pytest loads the kernels and opens a window of its own, which takes some ten seconds: as long as there is a kind
    that nobody has begun, whoever is done with one goes on with that, and helps with the longest after that.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._changed = list(tasks), Condition()
        self._warm = all(task.name != WARM_UP for task in self._tasks)
        self._begun = set[Kind | None]()

    def take(self, kind: Kind | None = None) -> Task | None:
        """The next one, of this kind if any is left; waits while kernels are compiled; None when all are taken."""
        with self._changed:
            while self._tasks:
                ready = [task for task in self._tasks if self._warm or not task.needs_kernels]
                if ready:
                    task = next((task for task in ready if task.kind is kind is not None), None) or self._next(ready)
                    self._tasks.remove(task)
                    self._begun.add(task.kind)
                    return task
                self._changed.wait()
            return None

    def _next(self, ready: Sequence[Task]) -> Task:
        """Of another kind than the last one: checks first."""
        left = defaultdict[Kind | None, float](float)
        for task in ready:
            if task.kind is None or task.kind not in self._begun:
                return task
            left[task.kind] += task.seconds
        most = max(left.values())
        return next(task for task in ready if left[task.kind] == most)

    def done(self, task: Task) -> None:
        if task.name == WARM_UP:
            with self._changed:
                self._warm = True
                self._changed.notify_all()

    def clear(self) -> None:
        """Whoever asks from now on gets nothing."""
        with self._changed:
            self._tasks.clear()
            self._changed.notify_all()


def make_plan(*, fast: bool = False, deep: bool = False, root: Path = ROOT) -> list[Task]:
    """All tasks in the order in which they are to be begun."""
    known = read_durations(root)
    usual = fmean(known.values()) if known else 1.0
    options = (*(("-m", "not slow") if fast else ()), *(("--deep",) if deep else ()))
    checks = [*CHECKS.items(), *(DEEP_CHECKS.items() if deep else ())]
    checks += [*(each for each in SLOW_CHECKS.items() if not fast and (LINUX or each[0] != SMOKE))]
    tasks = [Task(name, name, known.get(name, usual), command=command) for name, command in checks]
    for kind in KINDS if fast else (INTERPRETED, *KINDS):
        chosen = replace(kind, options=(*options, *kind.options))
        names = {file: f"{file} (interpreted)" if kind is INTERPRETED else file for file in files_of(kind, root)}
        files = [Task(name, kind.name, known.get(name, usual), file=file, kind=chosen) for file, name in names.items()]
        tasks += sorted(files, key=lambda task: -task.seconds)
    return tasks


def files_of(kind: Kind, root: Path = ROOT) -> list[str]:
    """The files of tests in its folders, as pytest names them."""
    files = sorted(file for folder in kind.folders for file in (root / folder).rglob("test_*.py"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    marked = [file for file in files if kind.mark in texts[file] and kind.unmarked not in texts[file]]
    return [file.relative_to(root).as_posix() for file in marked]


def read_durations(root: Path = ROOT) -> dict[str, float]:
    """[s] by the names of tasks; a task without a record counts as their mean."""
    file = root / DURATIONS
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}


def write_durations(durations: Mapping[str, float], root: Path = ROOT) -> None:
    """In place of those of before."""
    rounded = {name: round(durations[name], 1) for name in sorted(durations)}
    (root / DURATIONS).write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


def count_workers() -> int:
    """As many as cores that this process may use, and no more than the memory holds."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # a container may be allowed less than it sees
        quota, period = QUOTA.read_text(encoding="ascii").split()
        cores = min(cores, max(1, round(int(quota) / int(period))))
    with suppress(OSError, StopIteration):
        lines = MEMORY.read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
        cores = min(cores, free // MEMORY_OF_A_WORKER)
    return max(1, cores)
