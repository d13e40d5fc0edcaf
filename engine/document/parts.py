"""Parts: content digests and the plain text form that files and digests share.

A part's text is canonical JSON: its type, then those of its fields that differ from their defaults, nested parts and
arrays replaced by their digests. The digest of a part is the BLAKE2b-256 of that text, so equal content has one digest
in every process and on every machine, a new field with a default changes no digest, and a file stores each part once
(`encode_document` gives the texts and the arrays, `decode_document` the value back).
Dataclasses here that are not parts (a `Dof`, a `Key`) are written inline.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast, get_args

from engine.document.blobs import Blob
from engine.document.conformance import conforms, field_hints
from engine.runtime.errors import InvalidDocument
from engine.runtime.once import once

if TYPE_CHECKING:
    from engine.document.document import Document

ReadBlob = Callable[[str, str, tuple[int, ...]], bytes | Blob]
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Part:
    """A frozen dataclass with a digest of its content, computed once and kept with the object."""

    @once
    def text(self) -> str:
        """Canonical JSON of this part, nested parts by digest."""
        return json.dumps(_plain(self, whole=False), separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @once
    def digest(self) -> str:
        """64 hexadecimal digits."""
        return blake2b(self.text.encode(), digest_size=32).hexdigest()


def encode(value: object) -> Json:
    """A plain JSON value for an argument of an Edit: parts are written whole."""
    return _plain(value, whole=True)


@dataclass(frozen=True)
class Encoded:
    """What a file stores of a document: the texts of its parts and its arrays, by digest."""

    texts: dict[str, str]
    blobs: dict[str, Blob]


def encode_document(document: Document) -> Encoded:
    """Every part of the document, the document's own text last."""
    encoded = Encoded({}, {})
    _gather(document, encoded)
    return encoded


def refer(value: object) -> Json:
    """The same with parts and arrays by digest, for a file that holds them."""
    return _plain(value, whole=False, nested=True)


def decode(value: Json) -> object:
    """The value that `encode` wrote."""
    return PartReader({}, _no_blob).read(value)


def decode_document(digest: str, texts: Mapping[str, str], blob: Callable[[str], bytes | Blob]) -> Document:
    """The document of that digest; every part and array is checked against the digest that names it.

    `blob` gives the bytes of an array, by digest, or the array itself.
    """
    return PartReader(texts, lambda digest, *_: blob(digest)).document(digest)


def children(value: object) -> Iterator[object]:
    """What stands directly in a value and may hold parts or arrays, or is one."""
    if isinstance(value, tuple):
        for each in value:
            if isinstance(each, tuple | Part | Blob) or (is_dataclass(each) and _deep_fields(cast(type, type(each)))):
                yield each
    elif is_dataclass(value):
        for name in _deep_fields(cast(type, type(value))):
            yield getattr(value, name)


@cache
def part_types() -> dict[str, type]:
    """Every class that may stand in a file, by name: an explicit list, since files must never name code."""
    from engine.document import (
        actor,
        clip,
        correction,
        document,
        figure,
        limit,
        lock,
        motion,
        references,
        secondary,
        selection_sets,
        shapes,
        skin,
        sound,
        target,
    )

    listed: tuple[type, ...] = (
        document.Document,
        actor.Actor, actor.Placement, actor.Attachment,
        lock.Lock,
        clip.Clip,
        correction.Bell, correction.Correction, correction.Term,
        motion.Draft, motion.Key, motion.Layer, motion.Samples, motion.Span, motion.SpeedRange, motion.Track,
        figure.Figure, figure.Joint, figure.Dof, figure.Body, figure.Handle,
        limit.BoxRange, limit.ConeRange, limit.Grid, limit.GridRange, limit.Limit, limit.MeshRange,
        limit.PolygonRange, limit.SampledRange, limit.Stroke,
        references.FixedCamera, references.Reference, references.Video,
        secondary.Gains, secondary.OwnGains, secondary.Secondary,
        selection_sets.SelectionSet,
        shapes.Box, shapes.Capsule, shapes.Ellipsoid, shapes.Loft, shapes.Section, shapes.TriangleMesh,
        skin.Skin,
        sound.Sound,
        target.Target,
    )  # fmt: skip
    return {each.__name__: each for each in listed}


def _from_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InvalidDocument(what="the bytes of an array", value=text[:40], allowed="base 64") from error


def _no_blob(digest: str, type: str, shape: tuple[int, ...]) -> bytes:
    raise InvalidDocument(what="an array", value=digest, allowed="one written with its bytes")


@cache
def _field_names(kind: Hashable) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cast(Any, kind)))


@cache
def _defaults(kind: Hashable) -> tuple[tuple[str, object], ...]:
    """Names and defaults of a dataclass's fields; kept, since a long track asks for every key."""
    return tuple((each.name, each.default) for each in fields(cast(Any, kind)))


@cache
def _deep_fields(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass in which parts or arrays may stand."""
    return tuple(name for name in _field_names(kind) if _may_hold_parts(field_hints(kind)[name]))


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
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return [_plain(each, whole=whole, nested=True) for each in value]
    if isinstance(value, Part) and nested and not whole:
        return {"part": value.digest}
    if isinstance(value, Blob):
        named: dict[str, Json] = {"blob": value.digest, "numbers": value.type, "shape": list(value.shape)}
        return {**named, "data": b64encode(value.data).decode()} if whole else named
    if is_dataclass(value) and type(value).__name__ in part_types():
        plain: dict[str, Json] = {"type": type(value).__name__}
        for name, default in _defaults(cast(Hashable, type(value))):
            each = getattr(value, name)
            if each is not default and (type(each) is not type(default) or each != default):
                plain[name] = _plain(each, whole=whole, nested=True)
        return plain
    raise InvalidDocument(what="a value", value=value, allowed="numbers, text, tuples and the parts of a document")


_NESTED = (list, dict)


class _Lost(Enum):
    """What stands for a value that could not be read where the rest is wanted nevertheless."""

    LOST = 0


class PartReader:
    """Reads plain values back; a part that stands in several places becomes one object, for all documents that one
    reader reads.

    `blob` gives an array, or its bytes, by digest, type of number and shape. What is not sound is refused; or, where
    `lost` is a list, it is named there and left out, if what it stands in can be without it.
    """

    def __init__(self, texts: Mapping[str, str], blob: ReadBlob, lost: list[str] | None = None) -> None:
        self._texts, self._blob, self._lost = texts, blob, lost
        self._done: dict[str, object] = {}
        self._whose: list[str] = []

    def know(self, document: Document) -> None:
        """Share the parts of a document that is here already."""
        waiting: list[object] = [document]
        while waiting:
            value = waiting.pop()
            if isinstance(value, Part | Blob):
                if value.digest in self._done:
                    continue
                self._done[value.digest] = value
            waiting += children(value)

    def document(self, digest: str) -> Document:
        """The document of that digest."""
        from engine.document.document import Document

        value = self.part(digest)
        if not isinstance(value, Document):
            raise InvalidDocument(what="the root part", value=type(value).__name__, allowed="a Document")
        return value

    def part(self, digest: str) -> object:
        """The part of that digest."""
        if digest not in self._done:
            self._done[digest] = self.read(_from_json(self._text(digest)))
        return self._done[digest]

    def read(self, value: Json, field: str = "") -> object:
        """The value that was written so, in a field of that name."""
        if isinstance(value, list):
            read = self.read if self._lost is None else self._try
            found = [read(each, field) if type(each) in _NESTED else each for each in value]
            return tuple(each for each in found if each is not _Lost.LOST) if self._lost else tuple(found)
        if not isinstance(value, dict):
            return value
        if len(value) == 1 and "part" in value:
            return self.part(str(value["part"]))
        if "blob" in value:
            return self._read_blob(value)
        kind = part_types().get(str(value.get("type")))
        if kind is None:
            raise InvalidDocument(what="a part's type", value=value.get("type"), allowed=", ".join(part_types()))
        if self._lost is None:
            return self._make(kind, value)
        name = value.get("name", value.get("coordinate", getattr(kind, "name", "")))
        self._whose.append(f"{kind.__name__} {name!s:.60}".strip())
        try:
            return self._make(kind, value)
        finally:
            self._whose.pop()

    def _text(self, digest: str) -> str:
        text = self._texts.get(digest)
        if not isinstance(text, str):
            raise InvalidDocument(what="a part", value=digest, allowed="a part that the file holds")
        found = blake2b(text.encode(), digest_size=32).hexdigest()
        if found != digest:
            raise InvalidDocument(what=f"the content of part {digest[:12]}", value=found, allowed="its own digest")
        return text

    def _read_blob(self, value: dict[str, Json]) -> Blob:
        digest, shape, data = value["blob"], value.get("shape"), value.get("data")
        if not isinstance(digest, str) or not isinstance(shape, list) or not all(type(each) is int for each in shape):
            raise InvalidDocument(what="an array", value=value, allowed="its digest and its shape")
        if digest not in self._done:
            numbers, lengths = str(value.get("numbers")), tuple(cast(list[int], shape))
            content = self._blob(digest, numbers, lengths) if data is None else _from_base64(str(data))
            blob = content if isinstance(content, Blob) else Blob.from_data(content, numbers, lengths)
            if blob.digest != digest:
                raise InvalidDocument(
                    what=f"the content of array {digest[:12]}", value=blob.digest, allowed="its own digest"
                )
            self._done[digest] = blob
        return cast(Blob, self._done[digest])

    def _make(self, kind: type, value: dict[str, Json]) -> object:
        arguments = {}
        for name, each in value.items():
            found = self._try(each, name) if type(each) in _NESTED else each
            if name != "type" and found is not _Lost.LOST and self._fits(kind, name, found):
                arguments[name] = found
        try:
            return kind(**arguments)
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise InvalidDocument(what=f"a {kind.__name__}", value=str(error), allowed="all of its fields") from error

    def _try(self, value: Json, field: str) -> object:
        if self._lost is None:
            return self.read(value, field)
        before = len(self._lost)
        try:
            return self.read(value, field)
        except (InvalidDocument, ValueError, RecursionError) as error:
            del self._lost[before:]  # what stood in it is lost with it
            self._lose(field, error)
            return _Lost.LOST

    def _fits(self, kind: type, name: str, value: object) -> bool:
        """Whether a part can have that in a field; refused, or named, where not."""
        if name not in _field_names(kind):
            what, found, allowed = f"a field of {kind.__name__}", cast(object, [name]), ", ".join(_field_names(kind))
        elif not conforms(value, field_hints(kind)[name]):
            what, found, allowed = f"the {name} of a {kind.__name__}", value, str(field_hints(kind)[name])
        else:
            return True
        self._lose(name, InvalidDocument(what=what, value=found, allowed=allowed))
        return False

    def _lose(self, field: str, error: Exception) -> None:
        if self._lost is None:
            raise error
        whose = self._whose[1:] or self._whose  # all stands in the document
        self._lost.append(f"{field} of {' of '.join(reversed(whose))}")


def _refuse_constant(name: str) -> None:
    raise InvalidDocument(what="a number", value=name, allowed="finite numbers")


_from_json: Callable[[str], Json] = json.JSONDecoder(parse_constant=_refuse_constant).decode
