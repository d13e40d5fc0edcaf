"""A small engine of three rooms beside the real runtime, for tests that edit kernels; model calls maths.

`fold` is large enough to be called by symbol, `scale` and `fall` are linked into what calls them.

Each program has a process of its own, in which nothing of the engine was imported before. Where the system can split
one it is split from one that has imported numba, which would be two thirds of its time: `Starter`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.runtime.rooms import ENGINE
from tests.engine.kernels import SOURCE

_SOURCES = {
    "maths/scale.py": """
from engine.runtime.jit import kernel

FACTOR = 2.0

@kernel
def scale(x: float) -> float:
    \"\"\"Doubles.\"\"\"
    return FACTOR * x

@kernel
def fold(x, rows, out_sums):
    for row in range(rows.shape[0]):
        out_sums[row] = 0.0
        for place in range(rows.shape[1]):
            out_sums[row] += scale(x) * rows[row, place]
        for place in range(rows.shape[1]):
            out_sums[row] -= x * rows[row, place] * rows[row, 0]
""",
    "model/fall.py": """
import numpy as np

from engine.maths.scale import fold, scale
from engine.runtime.jit import kernel

@kernel
def fall(x: float, rows, out_sums) -> float:
    if x < -10.0:
        raise ValueError("upwards")
    fold(x, rows, out_sums)
    return scale(x) + out_sums[0]
""",
    "model/warm.py": """
import numpy as np

def warm():
    from engine.maths.scale import scale
    from engine.model.fall import fall
    scale(3.0)
    fall(3.0, np.ones((2, 3)), np.zeros(2))
    yield "fall"
""",
    "water/warm.py": """
import numpy as np

def warm():
    from engine.water.pour import pour
    pour(np.zeros(64), np.zeros(64))
    yield "pour"
""",
    "water/pour.py": """
from engine.runtime.jit import parallel_kernel, prange

@parallel_kernel
def pour(out_level, out_other):
    out_level[:] = out_other
    for row in prange(len(out_level)):
        out_level[row] = 0.1 * row + 5.0
""",
}

PROGRAM = f"""
{SOURCE}
import json, logging, sys
logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
import numpy as np
from engine.maths.scale import scale
from engine.model.fall import fall
values = {{"maths": scale(3.0), "model": fall(3.0, np.ones((2, 3)), np.zeros(2))}}
def count(name):
    return {{room: sum(sum(getattr(k.stats, name).values()) for k in kernels_of(room)) for room in values}}
def tell():
    print(json.dumps({{"values": values, "loaded": count("cache_hits"), "compiled": count("cache_misses")}}))
"""
POUR = """
from engine.water.pour import pour
level = np.zeros(64)
pour(level, np.zeros(64))
values["water"] = level.tobytes().hex()
"""
# The parallel kernel of the third room is two thirds of the time: programs of two rooms leave it out.
TWO_ROOMS, ALL_ROOMS = f"{PROGRAM}tell()\n", f"{PROGRAM}{POUR}tell()\n"

# What there is to be warmed, told before anything else is asked.
PURPOSES = """
from engine.long import warm_up as room
room.WARM = (
    room.Warm("falling", "falling", (("engine.model.warm", "warm"),), {"fall": 1.0}),
    room.Warm("pouring", "pouring", (("engine.water.warm", "warm"),), {"pour": 1.0}),
)
"""


# What every program of the engine starts with, then a process for each line that comes in.
STARTER = """
import os
for name, value in {"OPENBLAS_NUM_THREADS": "1", "NUMBA_THREADING_LAYER": "workqueue",
                    "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1"}.items():  # as engine/__init__.py does
    os.environ[name] = value
import cffi, cffi.cparser, email.parser, json, numba, numba.core.boxing, numba.np.arrayobj, numba.np.npyimpl
import numba.typed, numpy, numpy.ma, numpy.typing, select, sys, traceback

def begin(order, out, err):
    for channel, place in ((0, os.open(os.devnull, os.O_RDONLY)), (1, out), (2, err)):
        os.dup2(place, channel)
    os.environ.clear()
    os.environ.update(order["env"])
    sys.path.insert(0, order["env"]["PYTHONPATH"])
    code = 0
    try:
        exec(compile(order["program"], "<string>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)

for line in iter(sys.stdin.buffer.readline, b""):
    (out, into_out), (err, into_err) = os.pipe(), os.pipe()
    child = os.fork() or begin(json.loads(line), into_out, into_err)
    os.close(into_out)
    os.close(into_err)
    said = {out: b"", err: b""}
    left = set(said)
    while left:
        for each in select.select(left, [], [])[0]:
            piece = os.read(each, 65536)
            said[each] += piece
            if not piece:
                left.remove(each)
                os.close(each)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([code, *(each.decode() for each in said.values())]), flush=True)
"""


class Starter:
    """A process that has imported numba and nothing else, and is split for each program."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child

    def run(self, args: list[str], env: Mapping[str, str], **_: Any) -> subprocess.CompletedProcess[str]:
        """As `subprocess.run` does with what it prints captured."""
        orders, ends = self._child.stdin, self._child.stdout
        assert orders is not None
        assert ends is not None
        orders.write(json.dumps({"program": args[-1], "env": dict(env)}).encode() + b"\n")
        orders.flush()
        return subprocess.CompletedProcess(args, *json.loads(ends.readline()))


@contextmanager
def starting() -> Iterator[Starter | None]:
    """None where the system cannot split processes."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        yield None
        return
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "SINEW_"))}
    command = [sys.executable, "-P", "-B", "-c", STARTER]
    with subprocess.Popen(command, env=kept, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        yield Starter(child)


@dataclass(frozen=True)
class Answer:
    """What a fresh process computed, what it loaded and compiled by room, and what it wrote to the log."""

    values: dict[str, Any]
    loaded: dict[str, int]
    compiled: dict[str, int]
    log: str

    @property
    def compiled_rooms(self) -> set[str]:
        return {room for room, count in self.compiled.items() if count}


@dataclass(frozen=True)
class SmallEngine:
    """The package in a folder, where its compiled kernels go, and who starts its programs, if anybody does."""

    folder: Path
    cache: Path
    starter: Starter | None = None

    @property
    def kernels(self) -> list[Path]:
        return sorted(self.cache.rglob("*.kernel"))

    def edit(self, source: str, old: str, new: str) -> None:
        path = self.folder / "engine" / source
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def run(self, *, program: str = TWO_ROOMS, **environment: str) -> Answer:
        done = self.python(program, environment)
        return Answer(**json.loads(done.stdout), log=done.stderr)

    def python(
        self, program: str, environment: Mapping[str, str], *, ends_with: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run a program in a fresh process, started from the root folder. What numba reads as it loads it reads in a
        process of its own.
        """
        started, is_plain = self._start(program, environment), not (self.folder / "resources").exists()
        if self.starter is not None and is_plain and not any(name.startswith("NUMBA_") for name in environment):
            done = self.starter.run(**started)
        else:
            done = subprocess.run(**started, capture_output=True, timeout=240)
        assert done.returncode == ends_with, done.stderr
        return done

    def begin(self, program: str = TWO_ROOMS) -> subprocess.Popen[str]:
        """Start a program, as `run` does, without waiting for it."""
        return subprocess.Popen(**self._start(program, {}), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def _start(self, program: str, environment: Mapping[str, str]) -> dict[str, Any]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "SINEW_"))}
        variables = {**kept, "PYTHONPATH": str(self.folder), "SINEW_CACHE": str(self.cache), **environment}
        return {"args": [sys.executable, "-P", "-B", "-c", program], "env": variables, "cwd": "/", "text": True}

    def moved(self, folder: Path) -> "SmallEngine":
        """A copy of the package and of its compiled kernels."""
        shutil.copytree(self.folder, folder / "package")
        shutil.copytree(self.cache, folder / "cache")
        return replace(self, folder=folder / "package", cache=folder / "cache")


def build(folder: Path, starter: Starter | None = None) -> SmallEngine:
    """The package, with nothing compiled yet."""
    engine = folder / "package" / "engine"
    shutil.copytree(ENGINE / "runtime", engine / "runtime", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ENGINE / "__init__.py", engine)
    table = (ENGINE / "systems.py").read_text()
    (engine / "systems.py").write_text(re.sub(r"^SYSTEMS = \([^)]*\)", "SYSTEMS = ()", table, flags=re.MULTILINE))
    (engine / "long").mkdir()
    (engine / "long" / "__init__.py").touch()
    for name in ("warm_up.py", "parent.py", "ship_kernels.py"):
        shutil.copy(ENGINE / "long" / name, engine / "long")
    for name, text in _SOURCES.items():
        path = engine / name
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    return SmallEngine(folder / "package", folder / "cache", starter)
