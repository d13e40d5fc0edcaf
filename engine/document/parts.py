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
from functools import cache, cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from engine.document.blobs import Blob
from engine.document.conformance import conforms, field_hints
from engine.runtime.errors import InvalidDocument

if TYPE_CHECKING:
    from engine.document.document import Document

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Part:
    """A frozen dataclass with a digest of its content, computed once and kept with the object."""

    @cached_property
    def text(self) -> str:
        """Canonical JSON of this part, nested parts by digest."""
        return json.dumps(_plain(self, whole=False), separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @cached_property
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


def decode(value: Json) -> object:
    """The value that `encode` wrote."""
    return _Reader({}, _no_blob).read(value)


def decode_document(digest: str, texts: Mapping[str, str], blob: Callable[[str], bytes | Blob]) -> Document:
    """The document of that digest; every part and array is checked against the digest that names it.

    `blob` gives the bytes of an array, by digest, or the array itself.
    """
    from engine.document.document import Document

    value = _Reader(texts, blob).part(digest)
    if not isinstance(value, Document):
        raise InvalidDocument(what="the root part", value=type(value).__name__, allowed="a Document")
    return value


@cache
def part_types() -> dict[str, type]:
    """Every class that may stand in a file, by name: an explicit list, since files must never name code."""
    from engine.document import (
        actor,
        clip,
        document,
        figure,
        lock,
        motion,
        references,
        selection_sets,
        shapes,
        skin,
        sound,
    )

    listed: tuple[type, ...] = (
        document.Document,
        actor.Actor,
        actor.Placement,
        actor.Attachment,
        lock.Lock,
        clip.Clip,
        motion.Draft,
        motion.Key,
        motion.Layer,
        motion.Samples,
        motion.Span,
        motion.SpeedRange,
        motion.Track,
        figure.Figure,
        figure.Joint,
        figure.Dof,
        figure.Body,
        figure.Handle,
        references.FixedCamera,
        references.Reference,
        references.Video,
        selection_sets.SelectionSet,
        shapes.Box,
        shapes.Capsule,
        shapes.Ellipsoid,
        shapes.Loft,
        shapes.Section,
        shapes.TriangleMesh,
        skin.Skin,
        sound.Sound,
    )
    return {each.__name__: each for each in listed}


def _from_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InvalidDocument(what="the bytes of an array", value=text[:40], allowed="base 64") from error


def _no_blob(digest: str) -> bytes:
    raise InvalidDocument(what="an array", value=digest, allowed="one written with its bytes")


def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


@cache
def _defaults(kind: Hashable) -> tuple[tuple[str, object], ...]:
    """Names and defaults of a dataclass's fields; kept, since a long track asks for every key."""
    return tuple((each.name, each.default) for each in fields(cast(Any, kind)))


def _children(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        yield from value
    elif is_dataclass(value):
        for name in _field_names(value):
            yield getattr(value, name)


def _gather(value: object, encoded: Encoded) -> None:
    if isinstance(value, Blob):
        encoded.blobs[value.digest] = value
        return
    if isinstance(value, Part) and value.digest in encoded.texts:
        return
    for child in _children(value):
        if isinstance(child, tuple | Blob) or is_dataclass(child):
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


class _Reader:
    """Reads plain values back; a part that stands in several places becomes one object."""

    def __init__(self, parts: Mapping[str, str], blob: Callable[[str], bytes | Blob]) -> None:
        self._parts = parts
        self._blob = blob
        self._done: dict[str, object] = {}

    def part(self, digest: str) -> object:
        if digest not in self._done:
            text = self._parts.get(digest)
            if not isinstance(text, str):
                raise InvalidDocument(what="a part", value=digest, allowed="a part that the file holds")
            found = blake2b(text.encode(), digest_size=32).hexdigest()
            if found != digest:
                raise InvalidDocument(what=f"the content of part {digest[:12]}", value=found, allowed="its own digest")
            self._done[digest] = self.read(cast(Json, json.loads(text)))
        return self._done[digest]

    def blob(self, value: dict[str, Json]) -> Blob:
        digest, shape, data = value["blob"], value.get("shape"), value.get("data")
        if not isinstance(digest, str) or not isinstance(shape, list) or not all(type(each) is int for each in shape):
            raise InvalidDocument(what="an array", value=value, allowed="its digest and its shape")
        if digest not in self._done:
            content = self._blob(digest) if data is None else _from_base64(str(data))
            numbers, lengths = str(value.get("numbers")), tuple(cast(list[int], shape))
            blob = content if isinstance(content, Blob) else Blob.from_data(content, numbers, lengths)
            if blob.digest != digest:
                raise InvalidDocument(
                    what=f"the content of array {digest[:12]}", value=blob.digest, allowed="its own digest"
                )
            self._done[digest] = blob
        return cast(Blob, self._done[digest])

    def read(self, value: Json) -> object:
        if isinstance(value, list):
            return tuple(self.read(each) for each in value)
        if not isinstance(value, dict):
            return value
        if set(value) == {"part"}:
            return self.part(str(value["part"]))
        if "blob" in value:
            return self.blob(value)
        kind = part_types().get(str(value.get("type")))
        if kind is None:
            raise InvalidDocument(what="a part's type", value=value.get("type"), allowed=", ".join(part_types()))
        arguments = {name: self.read(each) for name, each in value.items() if name != "type"}
        unknown = set(arguments) - set(_field_names(kind))
        if unknown:
            raise InvalidDocument(
                what=f"a field of {kind.__name__}", value=sorted(unknown), allowed=", ".join(_field_names(kind))
            )
        for name, each in arguments.items():
            if not conforms(each, field_hints(kind)[name]):
                raise InvalidDocument(
                    what=f"the {name} of a {kind.__name__}", value=each, allowed=str(field_hints(kind)[name])
                )
        try:
            return kind(**arguments)
        except TypeError as error:
            raise InvalidDocument(what=f"a {kind.__name__}", value=str(error), allowed="all of its fields") from error
