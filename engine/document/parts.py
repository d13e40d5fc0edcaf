"""Parts: content digests and the plain text form that files and digests share.

A part's text is canonical JSON: its type, then those of its fields that differ from their defaults, nested parts and
arrays replaced by their digests. The digest of a part is the BLAKE2b-256 of that text, so equal content has one digest
in every process and on every machine, a new field with a default changes no digest, and a file stores each part once
(`encode_document` gives the texts and the arrays; `engine.document.part_reader` reads them back).
Dataclasses here that are not parts (a `Dof`, a `Key`) are written inline.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import blake2b
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, NamedTuple, TypeVar, cast, get_args

from engine.document.blobs import Blob
from engine.document.conformance import field_hints
from engine.runtime.bounded import Bounded
from engine.runtime.errors import InvalidDocument
from engine.runtime.once import once
from engine.runtime.quick_dataclass import dataclass
from engine.systems import load, systems

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

PartT = TypeVar("PartT", bound="Part")
_KEPT = 16 * 2**20  # bytes of texts
_texts: Bounded[str, str] = Bounded(size=_KEPT, size_of=len)  # by digest
_write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode
_SIMPLE = frozenset((type(None), bool, int, float, str))  # what stands in a text as it is
_allowed: set[type] = set()  # what may stand in a file: filled by `engine.document.part_types`, which imports this


def allow(types: Iterable[type]) -> None:
    """Let values of these classes stand in texts and digests."""
    _allowed.update(types)


@cache
def system_parts() -> dict[str, type]:
    """The classes that systems may put into a document, by the names that files have; loaded when first asked for."""
    found = {kind.__name__: kind for system in systems() for kind in map(load, system.parts)}
    allow(found.values())
    return found


class Part:
    """A frozen dataclass with a digest of its content, computed once and kept with the object."""

    @property
    def text(self) -> str:
        """Canonical JSON of this part, nested parts by digest. Only those that were asked for last are kept: all of
        them would take more memory than the parts."""
        return _texts.find(self.digest, self._written)

    @once
    def digest(self) -> str:
        """64 hexadecimal digits."""
        text = self._written()
        digest = blake2b(text.encode(), digest_size=32).hexdigest()
        _texts.keep(digest, text)
        return digest

    @once
    def arrays(self) -> tuple[Blob, ...]:
        """The arrays that it and its parts hold, each once."""
        return tuple({id(each): each for child in children(self) for each in arrays_in(child)}.values())

    def _written(self) -> str:
        return _write(_plain(self, whole=False))

    def holds(self, id: str) -> bool:
        """Tell whether it has something of that id, which a person may select below its actor."""
        return False

    def stands_on(self, id: str) -> str | None:
        """The joint on which what it holds of that id stands; None: the figure's first one."""
        return None

    def summary(self) -> str:
        """Say in a few words what it holds, for lists of what is in a file; nothing where that says nothing."""
        return ""

    def name_of(self, id: str) -> str | None:
        """Name something that it has, for a person; None where there is no such thing."""
        return None

    def coupled(self, document: Any) -> tuple[str, ...]:
        """Name the actors of its document that are stepped together because of it, its own among them."""
        return ()

    def holds_on_to(self) -> tuple[tuple[str, str], ...]:
        """Name the joints of other actors, each (actor, joint), that its own actor is placed by: they stand first."""
        return ()

    def reads(self, document: Any) -> tuple[str, ...]:
        """Name the actors of its document that what it says of its own depends on, which it does not move."""
        return ()

    def moves(self, document: Any) -> tuple[str, ...]:
        """Name the actors of its document that move otherwise because of it, beside those that are stepped together."""
        return ()


def check_parts(what: str, parts: tuple[Part, ...]) -> None:
    """Refuse what no system has put into its table, and two parts of one class."""
    names = [type(part).__name__ for part in parts]
    for part, name in zip(parts, names, strict=True):
        if system_parts().get(name) is not type(part) or names.count(name) > 1:
            raise InvalidDocument(what=what, value=name, allowed=f"one of each: {', '.join(system_parts()) or 'none'}")


def find_part(parts: tuple[Part, ...], kind: type[PartT]) -> PartT | None:
    """The part of a class, if there is one."""
    for part in parts:
        if isinstance(part, kind):
            return part
    return None


def with_part(parts: tuple[Part, ...], part: Part) -> tuple[Part, ...]:
    """The parts with one put in place of that of its class, or behind the others."""
    if any(type(each) is type(part) for each in parts):
        return tuple(part if type(each) is type(part) else each for each in parts)
    return (*parts, part)


def without_part(parts: tuple[Part, ...], kind: type[Part]) -> tuple[Part, ...]:
    """The parts without that of a class."""
    return tuple(each for each in parts if type(each) is not kind)


def encode(value: object) -> Json:
    """A plain JSON value for an argument of an Edit: parts are written whole."""
    return _plain(value, whole=True)


@dataclass(frozen=True)
class Encoded:
    """The texts of a document's parts and its arrays by digest, as a file stores them."""

    texts: dict[str, str]
    blobs: dict[str, Blob]


def encode_document(document: Part) -> Encoded:
    """Every part of the document, the document's own text last."""
    encoded = Encoded({}, {})
    _gather(document, encoded)
    return encoded


def refer(value: object) -> Json:
    """Encode a value with its parts and arrays by digest, for a file that holds them."""
    return _plain(value, whole=False, nested=True)


def children(value: object) -> Iterator[object]:
    """List the values directly inside a value that are, or may hold, parts or arrays."""
    if isinstance(value, tuple):
        for each in value:
            if isinstance(each, tuple | Part | Blob) or (is_dataclass(each) and _deep_fields(cast(type, type(each)))):
                yield each
    elif is_dataclass(value):
        for name in _deep_fields(cast(type, type(value))):
            yield getattr(value, name)


def arrays_in(value: object) -> Iterator[Blob]:
    """List the arrays in a value; one may come twice."""
    if isinstance(value, Blob):
        yield value
    elif isinstance(value, Part):
        yield from value.arrays if _deep_fields(cast(type, type(value))) else ()
    else:
        for each in children(value):
            yield from arrays_in(each)


@cache
def field_names(kind: Hashable) -> tuple[str, ...]:
    """Names of a dataclass's fields."""
    return tuple(each.name for each in fields(cast(Any, kind)))


class _WrittenFields(NamedTuple):
    """How the fields of a dataclass are read for its text."""

    names: tuple[str, ...]
    defaults: tuple[object, ...]
    read: Callable[[object], tuple[object, ...]]


@cache
def _written_fields(kind: Hashable) -> _WrittenFields:
    """Kept, since a long track needs them for every key."""
    names = field_names(kind)
    read = attrgetter(*names) if len(names) > 1 else lambda value: tuple([getattr(value, name) for name in names])
    return _WrittenFields(names, tuple(each.default for each in fields(cast(Any, kind))), read)


@cache
def _deep_fields(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass in which parts or arrays may stand."""
    return tuple(name for name in field_names(kind) if _may_hold_parts(field_hints(kind)[name]))


def _may_hold_parts(hint: Any) -> bool:
    if isinstance(hint, type) and (issubclass(hint, Part | Blob) or (is_dataclass(hint) and bool(_deep_fields(hint)))):
        return True
    return any(_may_hold_parts(each) for each in get_args(hint))


def _gather(value: object, encoded: Encoded) -> None:
    if isinstance(value, Blob):
        encoded.blobs[value.digest] = value
        return
    if isinstance(value, Part) and value.digest in encoded.texts:
        return
    for child in children(value):
        _gather(child, encoded)
    if isinstance(value, Part):
        encoded.texts[value.digest] = value.text


def _plain(value: object, *, whole: bool, nested: bool = False) -> Json:
    kind = type(value)
    if kind in _SIMPLE or isinstance(value, int | float | str):
        return cast(Json, value)
    if isinstance(value, tuple):
        if _SIMPLE.issuperset(map(type, value)):
            return list(value)
        return [_plain(each, whole=whole, nested=True) for each in value]
    if isinstance(value, Part) and nested and not whole:
        return {"part": value.digest}
    if isinstance(value, Blob):
        named: dict[str, Json] = {"blob": value.digest, "numbers": value.type, "shape": list(value.shape)}
        return {**named, "data": b64encode(value.data).decode()} if whole else named
    if kind in _allowed or kind in system_parts().values():
        plain: dict[str, Json] = {"type": kind.__name__}
        names, defaults, read = _written_fields(kind)
        values = read(value)
        others = compress(zip(names, values, defaults, strict=True), map(is_not, values, defaults))
        for name, each, default in others:
            if type(each) is not type(default) or each != default:
                plain[name] = _plain(each, whole=whole, nested=True)
        return plain
    raise InvalidDocument(what="a value", value=value, allowed="numbers, text, tuples and the parts of a document")
