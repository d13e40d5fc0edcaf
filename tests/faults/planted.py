"""The planted faults: small changes, each a mistake that a person makes, and the tests that are to find them.

They stand in the `.toml` files beside this one, by area. An entry has a `name`, a `title` (what goes wrong, for whom),
an `area`, the `path` of the file, the `old` text and the `new` one, and `tests`: the files and tests that reach it, the
likeliest first. `before` names them as they are called in an older tree, where that differs.

A text is found whatever its line breaks and indentation, so that reformatting a file leaves its faults in place; it
must be there exactly once.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]


class DoesNotApply(Exception):
    """The text of a fault is not there, or more than once."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One mistake."""

    name: str
    title: str
    area: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]
    before: tuple[str, ...] = ()

    def applied(self, text: str) -> str:
        """The text of the file with the mistake in it."""
        words = [re.findall(r"\w+|\W", word) for word in self.old.split()]
        pattern = r"\s*".join(r"\s*".join(map(re.escape, word)) for word in words)
        found = [match.span() for match in re.finditer(pattern, text)]
        if len(found) != 1:
            raise DoesNotApply(f"{self.name}: its text is {len(found)} times in {self.path}, not once")
        start, end = found[0]
        return text[:start] + self.new + text[end:]


def is_there(test: str, tree: Path) -> bool:
    """Whether a tree has a file of tests, or a test of that name in it."""
    path, _, name = test.partition("::")
    file = tree / path
    return file.exists() and (not name or f"def {name}(" in file.read_text(encoding="utf-8"))


def read_faults() -> tuple[Fault, ...]:
    """All of them, in the order of the files and of their entries."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            tests, before = (tuple(entry.pop(name, ())) for name in ("tests", "before"))
            found.append(Fault(**entry, tests=tests, before=before))
    return tuple(found)


@contextmanager
def planted(fault: Fault, tree: Path) -> Iterator[None]:
    """The fault in a tree, while it lasts."""
    path = tree / fault.path
    before, times = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(fault.applied(before), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # what was compiled of it stands
