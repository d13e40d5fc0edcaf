"""What compiling costs, by purpose: every kernel is compiled in a process of its own, on an empty folder.

A watch on numba's compiler writes down for each specialisation its processor time without that of kernels that it
calls, how much of it LLVM's optimiser and machine code are, and the instructions that LLVM was given: its own, and
those of callees that are linked into it and optimised once more. `python -m tests.benchmarks.compiling FOLDER
[PURPOSE ...]` prints each specialisation as a line of JSON, on the kernels of a folder; what lies there is only loaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.harness import Row

NAME = "compiling"
ROOT = Path(__file__).resolve().parents[2]
DEAREST = 12  # kernels that are listed
ASKED = "at most 100 s"


@dataclass
class Specialisation:
    """What one compilation of a kernel took."""

    purpose: str
    kernel: str = ""
    arguments: str = ""
    is_entered: bool = False
    is_compiled: bool = False  # and not loaded
    seconds: float = 0.0  # of processor time, without those of other kernels
    optimiser: float = 0.0
    machine_code: float = 0.0
    instructions: int = 0  # of its own, before they are optimised
    again: int = 0  # of what is linked into it
    optimised: int = 0  # of both, afterwards


@dataclass
class Watch:
    """Writes down what is compiled, of which some is compiled within other."""

    purpose: str = ""
    done: list[Specialisation] = field(default_factory=list)
    _stack: list[Specialisation] = field(default_factory=list)
    _since: float = 0.0

    def begin(self, each: Specialisation) -> None:
        self.charge()
        self._stack.append(each)

    def end(self) -> None:
        self.charge()
        self.done.append(self._stack.pop())

    def charge(self, *kinds: str) -> None:
        """Add the time since the last call to what is being compiled, and to a kind of it."""
        now = time.process_time()
        if self._stack:
            for kind in ("seconds", *kinds):
                setattr(self._stack[-1], kind, getattr(self._stack[-1], kind) + now - self._since)
        self._since = time.process_time()

    @property
    def present(self) -> Specialisation | None:
        """What is being compiled."""
        return self._stack[-1] if self._stack else None

    def leave_out(self) -> None:
        """Have the time since the last charge count for nothing."""
        self._since = time.process_time()


def defined(module: Any) -> dict[str, int]:
    """The instructions of each function of a module."""
    return {
        each.name: sum(1 for block in each.blocks for _ in block.instructions)
        for each in module.functions
        if not each.is_declaration
    }


def install(watch: Watch) -> None:
    """Have numba report what is compiled."""
    from engine.runtime import dispatch

    library: Any = dispatch._Library
    make, finalize, optimise, finish, specific = (
        dispatch.KernelDispatcher._make,
        library.finalize,
        library._optimize_final_module,
        library._finalize_final_module,
        library._finalize_specific,
    )
    own: dict[int, set[str]] = {}

    def watched_make(kernel: Any, sig: Any, arguments: tuple[Any, ...], entered: bool) -> None:
        if tuple(map(dispatch.plain, arguments)) != arguments:
            make(kernel, sig, arguments, entered)
            return
        name = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
        each = Specialisation(watch.purpose, name, str(arguments), entered)
        watch.begin(each)
        try:
            make(kernel, sig, arguments, entered)
            each.is_compiled = kernel.overloads[arguments].metadata is not None
        finally:
            watch.end()

    def watched_finalize(made: Any) -> None:
        own[id(made)] = {each.name for each in made._final_module.functions if not each.is_declaration}
        finalize(made)

    def watched_optimise(made: Any) -> None:
        watch.charge()
        counts, present = defined(made._final_module), watch.present
        watch.leave_out()
        optimise(made)
        watch.charge("optimiser")
        if present is not None:
            mine = sum(count for name, count in counts.items() if name in own.get(id(made), ()))
            present.instructions += mine
            present.again += sum(counts.values()) - mine
            present.optimised += sum(defined(made._final_module).values())
        watch.leave_out()

    def timed(work: Any) -> Any:
        def call(made: Any) -> None:
            watch.charge()
            work(made)
            watch.charge("machine_code")

        return call

    dispatch.KernelDispatcher._make = watched_make  # type: ignore[method-assign]
    library.finalize, library._optimize_final_module = watched_finalize, watched_optimise
    library._finalize_final_module = timed(finish)
    library._finalize_specific = timed(specific)


def compile_all(names: list[str]) -> Iterator[Specialisation]:
    """Compile what some purposes need, all of them if none is named."""
    from engine.long.warm_up import WARM, warm, without_collecting

    watch = Watch()
    install(watch)
    began = time.process_time()
    with without_collecting():
        for entry in WARM:
            if names and entry.name not in names:
                continue
            watch.purpose, before, since = entry.name, len(watch.done), time.process_time()
            for _ in warm(entry):
                pass
            took = time.process_time() - since
            yield from watch.done[before:]
            rest = took - sum(each.seconds for each in watch.done[before:])
            yield Specialisation(entry.name, seconds=rest)  # imports, and the work itself
    print(f"{time.process_time() - began:.1f} s of processor time", file=sys.stderr)


def measure() -> Iterator[Row]:
    """The rows of all purposes, and the dearest kernels."""
    with tempfile.TemporaryDirectory(prefix="sinew-compiling-") as cache:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.compiling", cache],
            cwd=ROOT, env={**os.environ, "SINEW_CACHE": cache}, check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
    yield from rows([Specialisation(**json.loads(line)) for line in done.stdout.splitlines()])


def rows(found: list[Specialisation]) -> Iterator[Row]:
    """A row for each purpose, for all together, and for the dearest kernels with what is linked into them."""
    purposes = dict.fromkeys(each.purpose for each in found)
    for purpose in purposes:
        yield _row(purpose, [each for each in found if each.purpose == purpose])
    yield _row("all", found, ASKED)
    kernels = defaultdict[str, list[Specialisation]](list)
    for each in found:
        if each.is_compiled:
            kernels[each.kernel].append(each)
    for kernel in sorted(kernels, key=lambda kernel: -sum(each.seconds for each in kernels[kernel]))[:DEAREST]:
        yield _row(kernel.removeprefix("engine."), kernels[kernel])


def _row(what: str, found: list[Specialisation], asked: str = "") -> Row:
    made = [each for each in found if each.is_compiled]
    names = Counter(each.kernel for each in made)
    surplus = sum(names.values()) - len(names)
    of_llvm = sum(each.optimiser + each.machine_code for each in made)
    rest = sum(each.seconds for each in found if not each.kernel)
    note = (
        f"{len(names)} kernels, {surplus} compiled again; LLVM {of_llvm:.1f} s; instructions "
        f"{sum(each.instructions for each in made)} own, {sum(each.again for each in made)} of callees, "
        f"{sum(each.optimised for each in made)} left; imports and the work {rest:.1f} s"
    )
    return Row(what=what, measured=sum(each.seconds for each in found), unit="s", asked=asked, note=note)


def main(cache: str, names: list[str]) -> None:
    """Print each specialisation."""
    os.environ["SINEW_CACHE"] = cache
    for each in compile_all(names):
        print(json.dumps(asdict(each)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
