"""Named errors. Each says what was wrong, which value, and what is allowed; its fields hold the same for programs.

Everything the engine raises on purpose is an `EngineError`, so that a caller can turn it into one readable line.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

_LISTED = 8


class EngineError(Exception):
    """Root of every error that the engine raises on purpose; its text is meant for a person."""


class InvalidDocument(EngineError):
    """A value that a document may not hold."""

    def __init__(self, *, what: str, value: object, allowed: str) -> None:
        super().__init__(f"{what} is {value!r}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


class UnknownPart(EngineError):
    """A reference to an actor, joint, degree of freedom, layer... that is not there."""

    def __init__(self, *, kind: str, id: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no {kind} {id!r}; {_offer(id, known)}")
        self.kind, self.id, self.known = kind, id, tuple(known)


class UnreadableFile(EngineError):
    """A file that could not be read: where, what was found there, and what the person can do."""

    def __init__(self, *, path: Path | str, found: str, remedy: str, line: int | None = None) -> None:
        place = str(path) if line is None else f"{path}, line {line}"
        super().__init__(f"cannot read {place}: {found}. {remedy}")
        self.path, self.found, self.remedy, self.line = Path(path), found, remedy, line


class UnwritableFile(EngineError):
    """A file that could not be written; whatever stood at `path` before is untouched."""

    def __init__(self, *, path: Path | str, found: str, remedy: str) -> None:
        super().__init__(f"cannot write {path}: {found}. {remedy}")
        self.path, self.found, self.remedy = Path(path), found, remedy


class ChangedMeanwhile(UnwritableFile):
    """Another program has put something into a file since it was opened or saved here."""

    def __init__(self, *, path: Path | str, found: str) -> None:
        remedy = "Save under another name, or replace it; the work is still open here."
        super().__init__(path=path, found=f"another program has changed it since ({found})", remedy=remedy)


class UnsoundMesh(EngineError):
    """A mesh that cannot be a skin: what was found, and what the person can do."""

    def __init__(self, *, name: str, found: str, remedy: str) -> None:
        super().__init__(f"{name} cannot be bound as a skin: {found}. {remedy}")
        self.name, self.found, self.remedy = name, found, remedy


class Diverged(EngineError):
    """A computation that left the finite numbers; the last good picture stays."""

    def __init__(self, *, what: str, value: object, allowed: str = "finite numbers") -> None:
        super().__init__(f"{what} became {value!r}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


class UnknownJob(EngineError):
    """A child-process job that is not in the table of jobs."""

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no job {name!r}; {_offer(name, known)}")
        self.name, self.known = name, tuple(known)


class InvalidArguments(EngineError):
    """Arguments that a job or a command cannot use."""

    def __init__(self, *, what: str, value: object, allowed: str) -> None:
        super().__init__(f"{what} is {value!r}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


class JobFailed(EngineError):
    """A child-process job that ended without a result; `details` is what it last wrote about it."""

    def __init__(self, *, job: str, reason: str, details: str = "") -> None:
        super().__init__(f"the job {job!r} failed: {reason}")
        self.job, self.reason, self.details = job, reason, details


def _offer(wanted: str, known: Sequence[str]) -> str:
    """A short hint about what does exist: the nearest names, or the first few."""
    near = get_close_matches(wanted, known, n=3)
    if near:
        return "did you mean " + " or ".join(repr(name) for name in near) + "?"
    if not known:
        return "there are none"
    listed = ", ".join(repr(name) for name in known[:_LISTED])
    return f"known: {listed}" + (f" and {len(known) - _LISTED} more" if len(known) > _LISTED else "")
