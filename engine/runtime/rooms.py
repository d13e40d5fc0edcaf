"""The rooms of the engine in their order, and a digest of everything that a room's compiled kernels depend on.

numba notices an edit in the file of a kernel but not in a kernel that this one calls from another file. A room's digest
therefore covers its own sources, those of every room reached through import statements, the versions of Python, numba,
llvmlite and numpy, and the settings that change machine code. Two limits: a module imported by a computed name is not
seen, and a global constant of a kernel must come from Python source, not from a data file.
"""

import hashlib
import os
import platform
import re
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from engine import LOADED_AT

ROOMS = (
    "runtime", "maths", "document", "model", "motion", "limits", "ik", "dynamics", "kinodynamics", "muscles", "soft",
    "water", "control", "spacetime", "tracking", "edits", "project", "formats", "evaluate", "measure", "jobs",
    "experiments",
)  # fmt: skip

ENGINE = Path(__file__).resolve().parents[1]

_COMPILERS = ("numba", "llvmlite", "numpy")
_SETTINGS = (
    "NUMBA_BOUNDSCHECK", "NUMBA_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_DEBUGINFO", "NUMBA_DISABLE_INTEL_SVML",
    "NUMBA_ENABLE_AVX", "NUMBA_LOOP_VECTORIZE", "NUMBA_OPT", "NUMBA_SLP_VECTORIZE",
)  # fmt: skip
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t][^\n(]*(?:\([^)]*\)|[^\n]*)", re.MULTILINE)
_NAMED_AFTER = re.compile(r"(?:\bengine|[ \t]\.\.)\.?(\w+)")
_TAKEN_FROM_ENGINE = re.compile(r"from[ \t]+(?:engine|\.\.)[ \t]+import\b(.*)", re.DOTALL)
_WORD = re.compile(r"\w+")


def room_of(module: str) -> str | None:
    """The room that a module belongs to, or None for a module outside the engine's rooms."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "engine" and parts[1] in ROOMS else None


@cache
def imported_rooms(room: str) -> frozenset[str]:
    """Rooms that the import statements of `room` name after `engine` or after the dots of a relative import."""
    words: set[str] = set()
    for source in _sources(room):
        text = source.read_text(encoding="utf-8").replace("\\\n", " ")
        for statement in _IMPORT.findall(text):
            words.update(_NAMED_AFTER.findall(statement))
            for names in _TAKEN_FROM_ENGINE.findall(statement):
                words.update(_WORD.findall(names))
    return frozenset(words.intersection(ROOMS)) - {room}


@cache
def needed_rooms(room: str) -> tuple[str, ...]:
    """`room` and every room that it reaches through imports, in the order of ROOMS."""
    reached = {room}
    waiting = [room]
    while waiting:
        found = imported_rooms(waiting.pop()) - reached
        reached |= found
        waiting.extend(found)
    return tuple(name for name in ROOMS if name in reached)


@cache
def room_digest(room: str) -> str:
    """Sixteen hex digits that change whenever the compiled kernels of `room` might."""
    total = hashlib.sha256(_platform().encode())
    for name in needed_rooms(room):
        total.update(_source_digest(name))
    return total.hexdigest()[:16]


def sources_are_loaded(room: str) -> bool:
    """False when a source was edited since this process began: what it runs is then not what `room_digest` says."""
    sources = [source for name in needed_rooms(room) for source in _sources(name)]
    return all(source.stat().st_mtime <= LOADED_AT for source in sources)


@cache
def _source_digest(room: str) -> bytes:
    total = hashlib.sha256(room.encode())
    for source in _sources(room):
        content = source.read_bytes()
        total.update(f"{source.relative_to(ENGINE).as_posix()} {len(content)} ".encode())
        total.update(content)
    return total.digest()


def _sources(room: str) -> list[Path]:
    """The files that can change a kernel; of runtime, which holds no kernel, only the decorators and their cache."""
    folder = ENGINE / room
    if room == "runtime":
        return [folder / "jit.py", folder / "kernel_cache.py"]
    return sorted(folder.rglob("*.py"))


def _platform() -> str:
    versions = [f"{name} {_version(name)}" for name in _COMPILERS]
    settings = [f"{name}={os.environ[name]}" for name in _SETTINGS if name in os.environ]
    return " ".join([sys.version, sys.platform, platform.machine(), *versions, *settings])


def _version(package: str) -> str:
    """Version by metadata; a frozen app that ships none is told apart by its executable, which holds the packages."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        with open(sys.executable, "rb") as executable:
            return hashlib.file_digest(executable, "sha256").hexdigest()
