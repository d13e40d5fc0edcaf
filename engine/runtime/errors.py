"""Named errors. Each says what was wrong, which value, and what is allowed; its fields hold the same for programs.

Everything the engine raises on purpose is an `EngineError`, so that a caller can turn it into one readable line:
values are shown by their beginning, and what a file put into a message is cut.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from reprlib import Repr

_LISTED = 8
_LONGEST = 1000  # characters of what was found

_values = Repr()
_values.maxstring = _values.maxother = 200
_values.maxlong = 40
_values.maxtuple = _values.maxlist = _values.maxdict = _values.maxset = _LISTED
_values.maxlevel = 3


class EngineError(Exception):
    """Root of every error that the engine raises on purpose; its text is meant for a person."""

    def __init__(self, text: str) -> None:
        super().__init__(printable(shortened(text, 4 * _LONGEST)))


def shown(value: object) -> str:
    """A value as a message shows it: in quotes where it is text, and cut to a length that can be read."""
    if isinstance(value, str):
        value = shortened(value, _values.maxstring)
    if isinstance(value, int) and abs(value) >= 10**_values.maxlong:
        return f"a whole number of {value.bit_length()} bits"
    try:
        return _values.repr(value)
    except ValueError:  # a number within it has more digits than Python writes
        return f"a {type(value).__name__}"


def reason_of(error: Exception) -> str:
    """Give the system's own words on a file, without the file's name where they stand apart."""
    return getattr(error, "strerror", None) or str(error)


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, its middle left out where it has more."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[1 - most // 2 :]}"


def printable(text: str) -> str:
    """A text that every file and window can hold: null characters and halves of characters are replaced."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


class InvalidDocument(EngineError):
    """A value that a document may not hold."""

    def __init__(self, *, what: str, value: object, allowed: str) -> None:
        super().__init__(f"{what} is {shown(value)}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


class UnknownPart(EngineError):
    """A reference to an actor, joint, degree of freedom, layer... that is not there."""

    def __init__(self, *, kind: str, id: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no {kind} {shown(id)}; {_offer(id, known)}")
        self.kind, self.id, self.known = kind, id, tuple(known)


class UnreadableFile(EngineError):
    """A file that could not be read: where, what was found there, and what the person can do."""

    def __init__(self, *, path: Path | str, found: str, remedy: str, line: int | None = None) -> None:
        found, place = shortened(printable(found), _LONGEST), str(path) if line is None else f"{path}, line {line}"
        super().__init__(f"cannot read {place}: {found}. {remedy}")
        self.path, self.found, self.remedy, self.line = Path(path), found, remedy, line


class UnwritableFile(EngineError):
    """A file that could not be written; whatever stood at `path` before is untouched."""

    def __init__(self, *, path: Path | str, found: str, remedy: str) -> None:
        found = shortened(printable(found), _LONGEST)
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
        super().__init__(f"{what} became {shown(value)}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


class UnknownJob(EngineError):
    """A child-process job that is not in the table of jobs."""

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no job {shown(name)}; {_offer(name, known)}")
        self.name, self.known = name, tuple(known)


class InvalidArguments(EngineError):
    """Arguments that a job or a command cannot use."""

    def __init__(self, *, what: str, value: object, allowed: str) -> None:
        super().__init__(f"{what} is {shown(value)}; allowed: {allowed}")
        self.what, self.value, self.allowed = what, value, allowed


class NothingThere(InvalidArguments):
    """A command that finds nothing to do its work on: what is lacking, and what to do about it, in sentences."""

    def __init__(self, lacking: str, *, remedy: str) -> None:
        EngineError.__init__(self, f"{lacking}. {remedy}.")
        self.what, self.value, self.allowed = lacking, None, remedy


class JobFailed(EngineError):
    """A child-process job that ended without a result; `details` is what it last wrote about it."""

    def __init__(self, *, job: str, reason: str, details: str = "") -> None:
        super().__init__(f"the job {job!r} failed: {reason}")
        self.job, self.reason, self.details = job, reason, details


def _offer(wanted: str, known: Sequence[str]) -> str:
    """A short hint about what does exist: the nearest names, or the first few."""
    near = get_close_matches(wanted, known, n=3) if isinstance(wanted, str) and len(wanted) < _LONGEST else []
    if near:
        return "did you mean " + " or ".join(map(shown, near)) + "?"
    if not known:
        return "there are none"
    listed = ", ".join(map(shown, known[:_LISTED]))
    return f"known: {listed}" + (f" and {len(known) - _LISTED} more" if len(known) > _LISTED else "")
