"""`python -m tests.reliability.kill [--times 1000] [--seed 1] [--keep FOLDER]`: children that save, commit to recovery,
bake, export and migrate over and over, killed at random moments; half of them within a write, as the layer tells.

After each the files are opened and looked at. Ends with 1 at the first that are not sound, which are kept.
"""

from __future__ import annotations

import argparse
import mmap
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.runtime.errors import EngineError
from tests.reliability.deeds import Baking, Deed, Migrating, RecoveringByThread, Saving, Unsound
from tests.reliability.exporting import Exporting
from tests.reliability.tap import READS, Change, Do, Tap, through

KINDS: dict[str, Callable[[], Deed]] = {
    "save": lambda: Saving("any"),
    "recovery": RecoveringByThread,
    "bake": Baking,
    "export": Exporting,
    "migrate": Migrating,
}
MOST_WRITES = {"save": 400, "recovery": 250, "bake": 60, "export": 20, "migrate": 120}  # until a kill within one
LONGEST = {"save": 1.0, "recovery": 2.0, "bake": 0.3, "export": 1.5, "migrate": 0.5}  # [s] until a kill by the clock
MOST_STEPS, PATIENCE, APART = 20_000, 60.0, 0.004
SIZE = 8 * (MOST_STEPS + 8)  # bytes: count, inside, waits, begun; from place 8 on when each step was done


@dataclass
class Shared:
    """Numbers that a child writes and its parent reads, whenever that one ends."""

    cells: memoryview[float] = field(default_factory=lambda: memoryview(mmap.mmap(-1, SIZE)).cast("d"))

    @property
    def is_inside(self) -> bool:
        """Whether it is within a call that changes a file."""
        return bool(self.cells[1])

    @property
    def waits(self) -> bool:
        """Whether it waits there to be killed."""
        return bool(self.cells[2])

    @property
    def begun(self) -> int:
        """Steps."""
        return int(self.cells[3])

    def done(self, until: float) -> int:
        """Steps that had been done by then."""
        number = self.begun
        while number and not 0.0 < self.cells[7 + number] <= until:
            number -= 1
        return number


class Marks(Tap):
    """Tells in shared numbers when it is within a change; at that of number `at` it stops half-way and waits."""

    def __init__(self, shared: Shared, at: int, random: Random) -> None:
        self._cells, self._at, self._random = shared.cells, at, random

    def step(self, change: Change, do: Do) -> None:
        if change.kind in READS:
            do(change)
            return
        self._cells[0] += 1
        self._cells[1] = 1
        if self._cells[0] == self._at:
            if change.kind == "write":
                do(Change("write", change.path, change.data[: self._random.randint(0, len(change.data))], change.place))
            elif self._random.random() < 0.5:
                do(change)
            self._cells[2] = 1
            threading.Event().wait()
        do(change)
        self._cells[1] = 0


@dataclass
class Tally:
    """What came of the kills of one kind."""

    kills: int = 0
    inside: int = 0
    steps: int = 0
    lost: float = 0.0  # [s] since the first step that was done and is not there


def work(deed: Deed, folder: Path, shared: Shared, at: int, seed: int) -> None:
    """What a child does until it is killed."""
    with through(Marks(shared, at, Random(seed))) if at else nullcontext():
        deed.begin(folder)
        pace = threading.Event()
        for number in range(1, MOST_STEPS):
            shared.cells[3] = number
            deed.step(folder, number)
            shared.cells[7 + number] = time.monotonic()
            if deed.grace:
                pace.wait(APART)
    os._exit(3)


def kill(deed: Deed, folder: Path, random: Random, kind: str, *, inside: bool, tally: Tally) -> None:
    """One child, its end, and a look at what it leaves."""
    shared, seed = Shared(), random.getrandbits(32)
    at = random.randint(1, MOST_WRITES[kind]) if inside else 0
    moment = random.uniform(0.0, LONGEST[kind])
    deed.prepare(folder)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        try:
            work(deed, folder, shared, at, seed)
        except BaseException as error:
            print(f"{deed.name}: {error!r}", file=sys.stderr, flush=True)
        os._exit(4)
    deadline, pace = time.monotonic() + (PATIENCE if inside else moment), threading.Event()
    while time.monotonic() < deadline and not (inside and shared.waits):
        pace.wait(0.001 if inside else max(min(deadline - time.monotonic(), 0.01), 0.0))
    os.kill(child, signal.SIGKILL)
    killed = time.monotonic()
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) or (inside and not shared.waits):
        raise Unsound(f"the child ended by itself ({status}) or never came to change {at}")
    try:
        begun, sure = shared.begun, shared.done(killed - deed.grace)
        found = deed.check(folder, min(sure, begun), begun)
    finally:
        end_group(child)
    tally.kills, tally.inside, tally.steps = tally.kills + 1, tally.inside + shared.is_inside, tally.steps + begun
    if found < shared.done(killed):
        tally.lost = max(tally.lost, killed - shared.cells[8 + found])


def end_group(child: int) -> None:
    """Whatever the child had started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def table(tallies: dict[str, Tally]) -> str:
    """For a person."""
    lines = [f"{'':10}{'kills':>8}{'within a write':>16}{'steps':>8}{'lost [s]':>11}{'not sound':>11}"]
    for name, each in tallies.items():
        lines.append(f"{name:10}{each.kills:8}{each.inside:16}{each.steps:8}{each.lost:11.2f}{0:11}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability.kill")
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=None)
    options = parser.parse_args(arguments)
    tallies = {name: Tally() for name in KINDS}
    root = Path(tempfile.mkdtemp(prefix="sinew-kill-", dir=options.keep))
    for number in range(options.times):
        kind = [*KINDS][number % len(KINDS)]
        seed, folder = options.seed * 1_000_003 + number, root / f"{kind}-{number}"
        folder.mkdir()
        try:
            inside = number // len(KINDS) % 2 == 0
            kill(KINDS[kind](), folder, Random(seed), kind, inside=inside, tally=tallies[kind])
        except (Unsound, EngineError, OSError) as error:
            print(table(tallies))
            print(f"{kind} is not sound: {error}\nseed {options.seed}, kill {number}; the files are kept in {folder}")
            return 1
        shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(root, ignore_errors=True)
    print(table(tallies))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
