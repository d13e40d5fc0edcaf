"""Baked: the poses of a scene that bakes hold, for the document as it is now.

A frame of a bake is where each actor stands and how it is posed, locks kept, the actors in the document's order: what
`Evaluator.rows` gives, as float64. A picture that is made of it is the one that would be worked out, byte for byte.
What the poses were made of stands in the bake (`inputs_of`, arrays by their digests), so that `changed_span` tells
which of its frames an edit since then has touched: those are stale, the others go on to be read.

A bake belongs to one version of Sinew and of what compiled its kernels, since another may round otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import field, replace
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from engine.document import Actor, Blob, Document
from engine.document.blobs import LazyBlob
from engine.document.part_reader import PartReader
from engine.document.parts import encode_document
from engine.evaluation import Rows
from engine.model.compile import ROW
from engine.motion.changed import changed_span
from engine.project.bakes import BakeFile, bakes_in
from engine.runtime.errors import EngineError, InvalidDocument
from engine.runtime.quick_dataclass import dataclass

State = Literal["fresh", "stale", "missing"]
MOST_OPEN = 8  # bakes of one document: after an edit or two, more are of no use
_LAYOUT = 1  # of a frame
_NUMBERS = 1  # counts the changes of code after which the same document has other poses; older bakes are then stale


class Inputs(NamedTuple):
    """The inputs of a bake: a document, its digest, and its text."""

    document: Document
    digest: str  # with the version of what makes it
    text: bytes  # as it stands in the bake


@dataclass
class _Source:
    """A bake of the open document, as it is now or was before some edits."""

    file: BakeFile
    inputs: Document
    spans: list[tuple[float, float]] = field(default_factory=list)  # that were touched since
    is_used: bool = False

    def is_stale(self, time: int) -> bool:
        return bool(self.spans) and any(start <= time <= end for start, end in self.spans)

    @property
    def is_own(self) -> bool:
        if not self.spans:
            return True
        times = np.fromiter(self.file.times, np.float64, len(self.file.times))
        return not np.logical_or.reduce([(start <= times) & (times <= end) for start, end in self.spans]).all()


class Baked:
    """The bakes of a document, read for its frames. Used by one thread alone, like an evaluator."""

    def __init__(self) -> None:
        self._document, self._inputs = Document(), Document()
        self._sources: dict[Path, _Source] = {}

    @property
    def files(self) -> tuple[Path, ...]:
        """The bakes of this document: of exactly its poses, or with frames that are as it has them. Others lie in the
        same folder, since documents without a file share one."""
        return self.files_with(None)

    def files_with(self, folder: Path | None) -> tuple[Path, ...]:
        """List the document's own bakes, and all others of a folder: an undo may make their frames fresh again."""
        return tuple(path for path, each in self._sources.items() if path.parent == folder or each.is_own)

    def follow(self, document: Document) -> None:
        """Take over a document: what an edit touched is stale from here on."""
        if document is not self._document:
            self._document, self._inputs = document, inputs_of(document, self._inputs)
            for each in self._sources.values():
                each.spans = _touched(each.inputs, self._inputs)

    def look(self, document: Document, folders: Sequence[Path]) -> Generator[None, None, None]:
        """Find the bakes of a document, and frames that have come to them, in small steps."""
        self.follow(document)
        digest = digest_of(self._inputs)
        found = [path for folder in folders for path in bakes_in(folder)]
        found.sort(key=lambda path: path.stem != digest)
        wanted = found[:MOST_OPEN]
        for path in [path for path, each in self._sources.items() if path not in wanted or not each.file.is_there]:
            self._sources.pop(path).file.close()
        yield
        for path in wanted:
            source = self._sources.get(path) or self._opened(path, digest)
            if source is None:
                continue
            self._sources[path] = source
            for _ in source.file.look():
                yield
                if self._sources.get(path) is not source:
                    return
            yield

    def state(self, time: int) -> State:
        """Tell whether the frame of a time [ticks] is in a bake, and unchanged since."""
        found: State = "missing"
        for each in self._sources.values():
            if time in each.file.times:
                if not each.is_stale(time):
                    return "fresh"
                found = "stale"
        return found

    def frame(self, time: int) -> bytes | None:
        """The frame of a time, sound and untouched; None where there is none."""
        for each in self._sources.values():
            if time in each.file.times and not each.is_stale(time):
                found = each.file.read(time)
                if found is not None:
                    if not each.is_used:
                        each.is_used = True
                        each.file.use()
                    return found
        return None

    def rows(self, time: int) -> Rows | None:
        """Return the baked frame of a time [ticks] as an evaluator would give its rows; None where there is none."""
        found = self.frame(time)
        return None if found is None else rows_from(self._document, found)

    def close(self) -> None:
        """Let all bakes go."""
        for each in self._sources.values():
            each.file.close()
        self._sources.clear()

    def _opened(self, path: Path, digest: str) -> _Source | None:
        file = BakeFile.open(path)
        if file is None:
            return None
        inputs = self._inputs if file.digest == digest else _inputs_in(file, self._inputs)
        if inputs is None or file.frame_size != frame_size(inputs):
            file.close()
            return None
        return _Source(file, inputs, _touched(inputs, self._inputs))


def inputs_of(document: Document, before: Document | None = None) -> Document:
    """Return what poses depend on: the actors without names and looks, and the settings that keep locks. Actors that
    are as they were `before` stay the same objects."""
    known = {} if before is None else {actor.id: actor for actor in before.actors}
    actors = (replace(actor, name="", visible=True, frozen=False) for actor in document.actors)
    kept = tuple(known[each.id] if known.get(each.id) == each else each for each in actors)
    solver, iterations = document.lock_solver, document.lock_iterations
    return Document(actors=kept, lock_solver=solver, lock_iterations=iterations, parts=document.parts)


def inputs(document: Document) -> Inputs:
    """The inputs of a bake of a document."""
    found = inputs_of(document)
    content = {"version": _version(), "document": found.digest, "parts": encode_document(found).texts}
    text = json.dumps(content, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return Inputs(found, digest_of(found), text.encode())


def digest_of(inputs: Document) -> str:
    """Names the bake of such inputs: 64 hexadecimal digits."""
    return blake2b(f"{_version()} {inputs.digest}".encode(), digest_size=32).hexdigest()


def frame_size(document: Document) -> int:
    """Bytes of a frame."""
    return 8 * sum(_width(actor) for actor in document.actors)


def frame_from(document: Document, rows: Rows) -> bytes:
    """A frame as it stands in a bake."""
    return b"".join(rows[actor.id].astype("<f8", copy=False).tobytes() for actor in document.actors)


def rows_from(document: Document, frame: bytes) -> Rows | None:
    """Unpack a baked frame to a row of numbers for each actor; None where it is no frame of that document."""
    if len(frame) != frame_size(document):
        return None
    numbers = np.frombuffer(frame, dtype="<f8")
    if not np.isfinite(numbers).all():
        return None
    ends = np.cumsum([_width(actor) for actor in document.actors])
    return {actor.id: row for actor, row in zip(document.actors, np.split(numbers, ends[:-1]), strict=True)}


@cache
def _version() -> str:
    return f"{_LAYOUT} {_NUMBERS}"


def _width(actor: Actor) -> int:
    return ROW + len(actor.figure.coordinates)


def _touched(old: Document, new: Document) -> list[tuple[float, float]]:
    """The spans of time in which a pose may differ."""
    if [(each.id, each.figure.digest) for each in old.actors] != [(each.id, each.figure.digest) for each in new.actors]:
        return [(-np.inf, np.inf)]
    try:
        changes = changed_span(old, new)
    except EngineError:  # what has changed is an array, which a bake does not hold
        return [(-np.inf, np.inf)]
    return [(-np.inf if start is None else start, np.inf if end is None else end) for _, start, end in changes]


def _inputs_in(file: BakeFile, near: Document) -> Document | None:
    """Read the inputs that a bake was made of, sharing parts with the document `near`; None where it is of another
    version."""
    try:
        content = json.loads(file.inputs)
        if not isinstance(content, dict) or content.get("version") != _version():
            return None
        parts, digest = content.get("parts"), content.get("document")
        if not isinstance(parts, dict) or not isinstance(digest, str):
            return None
        reader = PartReader(parts, _named)
        reader.know(near)
        found = reader.document(digest)
    except (EngineError, ValueError, RecursionError):
        return None
    return found if digest_of(found) == file.digest else None


def _named(digest: str, type: str, shape: tuple[int, ...]) -> Blob:
    """An array of which only the name is here."""
    return LazyBlob(digest, type, shape, partial(_not_here, digest))


def _not_here(digest: str) -> Blob:
    raise InvalidDocument(what="an array", value=digest, allowed="one that a bake holds: it holds names alone")
